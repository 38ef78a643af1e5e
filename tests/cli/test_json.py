"""Every listing command prints JSON, whose keys are those of docs/json.md."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import click
import pytest

from cli.main import run, shoal
from hardware.io import save
from hardware.tags import Book, Kind, Tag
from hardware.uids import Uid
from p2p.identity import Identity
from p2p.io.store import Store
from p2p.link import KnownPlayer

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "json.md"
LISTING = ("games", "players", "doctor", "rules", "config", "tags list", "tags check")
LISTING += ("table show", "readers", "verify", "simulate", "attack", "bench", "soak", "watch", "replay")


def keys_of(command: str) -> set[str]:
    """The keys that the document names for a command."""
    section = DOCUMENT.read_text("utf-8").partition(f"\n## {command}\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    return {key for row in rows for key in re.findall(r"`(\w+)`", row)}


def command_of(words: str) -> click.Command:
    """A command by its words."""
    found: click.Command = shoal
    with click.Context(shoal) as context:
        for word in words.split():
            assert isinstance(found, click.Group)
            following = found.get_command(context, word)
            assert following is not None, words
            found = following
    return found


@pytest.mark.parametrize("words", LISTING)
def test_it_takes_json_and_the_document_names_it(words: str) -> None:
    parameters = {option for each in command_of(words).params for option in each.opts}
    assert "--json" in parameters
    assert f"`shoal {words}`" in DOCUMENT.read_text("utf-8")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A player who has met somebody, has a game and one tag."""
    monkeypatch.setenv("SHOAL_HOME", str(tmp_path))
    monkeypatch.setenv("SHOAL_LANG", "en")
    with Store.open(tmp_path) as store:
        store.create_identity(bytes([1]) * 32, "Ann")
        store.remember(KnownPlayer("Ben", Identity(bytes([2]) * 32).public, 0))
        meta = {"game": "go-fish", "players": ["Ann", "Ben"]}
        store.create_game(bytes(32), 0, b"", b"secret", meta)
        store.finish(bytes(32), 0, "finished")
    save(tmp_path / "tags.toml", Book((Tag(Uid(bytes.fromhex("04a1b2c3d4e580")), Kind.CARD, "AS"),)))
    return tmp_path


@pytest.mark.parametrize(
    ("words", "about"),
    [
        ("games", "games"), ("players", "players"), ("rules", "rules"), ("rules casino", "rules"),
        ("config", "config"), ("config show play go-fish", "config"), ("tags list", "tags list"),
        ("tags check", "tags check"), ("table show", "table show"),
        ("simulate go-fish --games 1", "simulate"), ("attack --list", "attack --list"),
    ],
)  # fmt: skip
def test_its_keys_are_those_of_the_document(
    home: Path, words: str, about: str, capsys: pytest.CaptureFixture[str]
) -> None:
    del home
    run([*words.split(), "--json"])
    value: Any = json.loads(capsys.readouterr().out)
    for each in value if isinstance(value, list) else [value]:
        assert set(each) == keys_of(about)
    assert value, "there is something to list"
