"""Whole games that are played by tapping tagged cards on emulated readers, and checked from their records."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from cli.main import run
from cli.tabletop.words import COMMAND_TAGS
from engine.registry import game

from . import tapping
from .tapping import Pty, Tags, Tapper

pytestmark = pytest.mark.network

Play = Callable[[Tapper, Sequence[str], random.Random], None]

PLAYS: Mapping[str, Play] = {
    "go-fish": tapping.play_go_fish,
    "one-fish": tapping.play_one_fish,
    "casino": tapping.play_casino,
    "discount-salmon": tapping.play_salmon,
}


def play_whole(
    name: str, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], *chosen: str
) -> None:
    """You and a bot, from the first tap to the verified record."""
    rules = game(name)
    deck = rules.deck(rules.options(dict(text.split("=") for text in chosen), 2))
    tags = Tags(kind, [deck.text(deck.faces[card]) for card in deck.cards], ["2"], COMMAND_TAGS)
    home, record = tmp_path / "home", tmp_path / "game.shoal"
    tags.write(home / "tags.toml")
    reader = Pty()
    player = Tapper(
        home, tags, reader,
        "play", name, "--bots", "1", "--name", "Ann", "--plain", "--record", str(record),
        "--cards", "controller", "--reader", f"{reader.device}:{kind}",
        *(word for text in chosen for word in ("--set", text)),
    )  # fmt: skip
    try:
        PLAYS[name](player, ["2"], random.Random(1))
        assert player.leave() == 0, player.story
    finally:
        player.child.close(force=True)
        reader.close()
    assert run(["verify", str(record)]) == 0
    assert "SOUND: nobody lied, and the result is right." in capsys.readouterr().out


def test_a_small_game_by_taps_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small = ("ranks=3", "suits=2", "book_size=2", "hand_size=1")
    play_whole("go-fish", "rdm6300", tmp_path, capsys, *small)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "kind"),
    [("go-fish", "text"), ("one-fish", "text"), ("casino", "ndjson"), ("discount-salmon", "id12")],
)
def test_a_whole_game_by_taps_alone(
    name: str, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play_whole(name, kind, tmp_path, capsys)
