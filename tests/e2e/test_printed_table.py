"""Whole games with a printed deck between separate processes: two people at one table, whose pads are an
emulated reader on a pseudo-terminal, and two far away; verified afterwards.

The people (`printed_people`) read what the program prints, and nothing else.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from cli.main import run
from hardware.events import Place
from hardware.io import save, save_table
from hardware.pads import Pads
from hardware.table_texts import ReaderEntry, TableFile
from hardware.tags import Book

from .printed_hands import ANTENNAS, NAMES, tags_of
from .printed_people import People
from .small_decks import cards_of, small_deck
from .test_blank_table import Program, _wait_until

pytestmark = [
    pytest.mark.network,
    pytest.mark.skipif(sys.platform != "linux", reason="needs pseudo-terminals that are serial ports"),
]


TRUSTED = (
    "The cards are printed ones on Ann's table, whose machine scans them: it sees every card.",
    "It cannot change a card: each is committed to as it is tapped, and sealed to whoever may see it.",
)


def opened(
    tmp_path: Path,
    programs: list[Program],
    name: str,
    options: Sequence[str],
    deck: str | None = None,
    names: Sequence[str] = NAMES,
) -> People:
    """A table of Ann and Ben, and all other ``names`` far away. ``deck``: the text of a deck file."""
    home, port = tmp_path / "table", tmp_path / "reader"
    home.mkdir()
    cards = cards_of(name, len(names), options, deck)
    save(home / "tags.toml", Book(tags_of(cards)))
    pads = Pads({Place("board", antenna): role for role, antenna in ANTENNAS.items()})
    save_table(home / "table.toml", TableFile((ReaderEntry("board", "shoal", str(port)),), pads))
    reader = Program(
        home, "readers", "emulate", "shoal", "--antennas", str(len(ANTENNAS)), "--link", str(port)
    )
    programs.append(reader)
    _wait_until(port.exists)
    settings = [word for option in options for word in ("--set", option)]
    if deck is not None:
        (tmp_path / "deck.toml").write_text(deck, "utf-8")
        settings += ["--deck", str(tmp_path / "deck.toml")]
    table = Program(
        home, "host", name, "--seats", str(len(names)), "--open", "--here-only", "--port", "0",
        "--name", "Ann", "--at-table", "Ben", "--cards", "printed", "--plain", "--debug",
        "--record", str(tmp_path / "game.shoal"), *settings,
    )  # fmt: skip
    programs.append(table)
    address = table.wait_for(r" join (127\.0\.0\.1:\d+)")[1]
    for far in names[2:]:
        guest = Program(
            tmp_path / far, "join", address, "--name", far, "--auto", "--plain",
            "--record", str(tmp_path / f"{far}.shoal"),
        )  # fmt: skip
        programs.append(guest)
    return People(name, names, cards, table, reader)


def finished(
    people: People, tmp_path: Path, programs: list[Program], capsys: pytest.CaptureFixture[str]
) -> None:
    """The game came to its end, nobody lied, and each record says so."""
    assert people.table.end() == 0, "\n".join(people.table.printed[-60:])
    assert "Everyone has signed the result." in " ".join(people.table.printed)
    # Those far away may end a short game before anybody here asks, but not without the cards of these two.
    assert people.tries + people.found + people.handed > 0
    assert people.deals >= 8
    for each in programs[1:]:
        assert each.end() == 0, each.printed[-20:]
        told = [next(n for n, line in enumerate(each.printed) if words in line) for words in TRUSTED]
        first = next(n for n, line in enumerate(each.printed) if re.match(r"Tap a card|Your hand:", line))
        assert max(told) < first, "what is trusted is told when the table opens"
    for record in ("game.shoal", *(f"{far}.shoal" for far in people.names[2:])):
        capsys.readouterr()
        assert run(["verify", str(tmp_path / record)]) == 0
        assert "SOUND: nobody lied, and the result is right." in capsys.readouterr().out
    assert not list(tmp_path.glob("table/**/*.printed")), "where each card was is forgotten"


SMALL: list[Any] = [
    ("go-fish", ["ranks=3", "hand_size=2", "end_mode=all_books"], NAMES),
    # Among four it takes twice as long, and among three a minute or two.
    pytest.param("one-fish", [], NAMES[:3], marks=pytest.mark.slow),
    ("casino", [], NAMES),
    ("discount-salmon", ["pace=turns"], NAMES),
]
LONG = [
    ("go-fish", ["end_mode=all_books"]),
    ("one-fish", []),
    ("casino", []),
    ("discount-salmon", ["pace=turns"]),
]


@pytest.mark.parametrize(("name", "options", "names"), SMALL)
def test_a_whole_mixed_game_with_the_smallest_printed_deck(
    name: str,
    options: list[str],
    names: Sequence[str],
    tmp_path: Path,
    programs: list[Program],
    capsys: pytest.CaptureFixture[str],
) -> None:
    people = opened(tmp_path, programs, name, options, small_deck(name, len(names)), names)
    people.play()
    finished(people, tmp_path, programs, capsys)


@pytest.mark.soak
@pytest.mark.parametrize(("name", "options"), LONG)
def test_a_whole_mixed_game_with_a_whole_printed_deck(
    name: str,
    options: list[str],
    tmp_path: Path,
    programs: list[Program],
    capsys: pytest.CaptureFixture[str],
) -> None:
    people = opened(tmp_path, programs, name, options)
    people.play()
    finished(people, tmp_path, programs, capsys)
