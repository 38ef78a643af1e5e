"""``--deck FILE``: sealed games with a deck of one's own, checked by a stranger who never had the file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Shoal

ROOT = Path(__file__).resolve().parents[2]
ANIMALS = ROOT / "examples" / "decks" / "animals.toml"
KINDS = ("ant", "bear", "cat", "dog", "eagle", "fox", "goat", "horse", "lion", "owl")
QUICK = ("--set", "hand_size=1", "--set", "book_size=2")
LIMIT = 240
"""Seconds for a whole game on a busy machine: many times what it needs."""


def start(home: Path, *args: str) -> subprocess.Popen[str]:
    env = {**os.environ, "SHOAL_HOME": str(home), "PYTHONIOENCODING": "utf-8"}
    return subprocess.Popen(
        [sys.executable, "-m", "cli", *args], cwd=ROOT, env=env, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=LIMIT)
    return process.returncode, out, err


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A deck of nine cards, quickly played."""
    file = tmp_path / "pets.toml"
    file.write_text(
        'id = "pets"\n[[attributes]]\nname = "kind"\nvalues = ["cat", "dog", "rat"]\n[[cards]]\ncopies = 3\n',
        "utf-8",
    )
    return file


@pytest.mark.network
def test_a_sealed_game_with_the_animals_is_verified_without_the_file(tmp_path: Path) -> None:
    deck, record = tmp_path / "animals.toml", tmp_path / "game.shoal"
    deck.write_bytes(ANIMALS.read_bytes())
    code, out, err = ended(
        start(
            tmp_path / "ann", "play", "go-fish", "--deck", str(deck), "--bots", "1", "--auto", "--plain",
            "--record", str(record), *QUICK,
        )
    )  # fmt: skip
    assert (code, err) == (0, "")
    assert "Played with the deck animals (40 cards)." in out
    assert any(f"-{kind}" in out for kind in KINDS)
    deck.unlink()
    code, out, err = ended(start(tmp_path / "stranger", "verify", str(record), "--json"))
    facts = json.loads(out)
    assert (code, err, facts["verdict"], facts["finished"]) == (0, "", "sound", True)
    assert facts["options"]["own_deck"].startswith('id = "animals"\n')
    assert (
        "Played with the deck animals (40 cards)." in ended(start(tmp_path / "x", "verify", str(record)))[1]
    )
    # The deck is part of what was signed: with another one the record is not that game's.
    changed = tmp_path / "changed.shoal"
    changed.write_bytes(record.read_bytes().replace(b"goat", b"gnat"))
    assert ended(start(tmp_path / "stranger", "verify", str(changed)))[0] == 1


@pytest.mark.network
def test_a_guest_plays_with_the_deck_of_the_host_and_may_insist_on_it(tmp_path: Path, small: Path) -> None:
    host = start(
        tmp_path / "ann", "host", "go-fish", "--seats", "3", "--here-only", "--port", "0", "--open", "--auto",
        "--name", "Ann", "--deck", str(small), *QUICK,
    )  # fmt: skip
    try:
        assert host.stdout is not None
        shown = ""
        while "At the table, 1 of 3" not in shown:
            line = host.stdout.readline()
            assert line, shown
            shown += line
        address = next(word for word in shown.split() if word.startswith("127.0.0.1:"))
        code, out, err = ended(
            start(tmp_path / "ben", "join", address, "--auto", "--name", "Ben", "--deck", str(ANIMALS))
        )
        assert code == 2
        assert "This table does not play with your deck animals." in err
        assert "the deck pets (9 cards)" in out
        assert "[[cards]]" not in out
        commented = small.with_name("commented.toml")
        commented.write_text("# The same deck.\n" + small.read_text("utf-8"), "utf-8")
        ben = start(tmp_path / "ben", "join", address, "--auto", "--name", "Ben", "--deck", str(commented))
        cid = start(tmp_path / "cid", "join", address, "--auto", "--name", "Cid")
        assert ended(cid)[::2] == (0, "")
        code, out, err = ended(ben)
        assert (code, err) == (0, "")
        assert host.wait(LIMIT) == 0
        assert "the deck pets (9 cards)" in shown
        assert "the deck pets (9 cards)" in out
    finally:
        host.kill()
        host.communicate()


def test_simulate_takes_a_deck_file(shoal: Shoal, small: Path) -> None:
    plain = shoal("simulate", "go-fish", "--games", "5", "--seats", "2", *QUICK, "--json")
    own = shoal("simulate", "go-fish", "--games", "5", "--seats", "2", *QUICK, "--json", "--deck", str(small))
    assert (plain.code, own.code) == (0, 0)
    assert json.loads(plain.out)["digest"] != json.loads(own.out)["digest"]


def test_what_is_wrong_with_a_file_is_said_with_its_name_and_line(shoal: Shoal, small: Path) -> None:
    text = small.read_text("utf-8")
    for changed, wanted in (
        (text.replace('"rat"]', '"rat", "Rat"]'), f"Error: {small}, line 4: two values of kind are equal.\n"),
        (text.replace("copies = 3", "copies = 1"), f"Error: {small}, line 4: there are 1 cards of cat"),
        (text.replace('id = "pets"', "id = pets"), f"Error: {small}, line 1: "),
    ):
        small.write_text(changed, "utf-8")
        ran = shoal("simulate", "go-fish", "--seats", "2", "--games", "1", "--deck", str(small))
        assert (ran.code, ran.out, ran.err.startswith(wanted)) == (1, "", True), ran.err
        assert "own_deck" not in ran.err
    small.write_bytes(b"\xff\xfe")
    ran = shoal("simulate", "go-fish", "--games", "1", "--deck", str(small))
    assert (ran.code, ran.err) == (1, f"Error: {small} is no text in UTF-8.\n")
    ran = shoal("simulate", "go-fish", "--games", "1", "--deck", str(small.with_name("none.toml")))
    assert ran.code == 2
    assert "cannot be read" in ran.err


def test_the_rules_name_the_option(shoal: Shoal) -> None:
    ran = shoal("rules", "go-fish", "--options")
    assert "--deck FILE" in ran.out
    assert "own_deck" not in ran.out
