"""Lines on a terminal are broken between words; lines from a pipe arrive whole."""

from __future__ import annotations

import asyncio
import os
from io import FileIO, TextIOWrapper
from types import SimpleNamespace

import pytest

from cli.console import BareConsole, fitted
from cli.typed import MAX_LINE
from cli.waiting.about import show_words


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")


def test_long_lines_are_broken_between_words(narrow: None) -> None:
    text = "Read them to each other, in one room or on the phone.\nShort."
    assert fitted(text) == "Read them to each other, in one room or\non the phone.\nShort."


def test_an_indent_and_columns_of_short_lines_stay(narrow: None) -> None:
    assert fitted("    one two three four five six seven eight") == (
        "    one two three four five six seven\n    eight"
    )
    assert fitted("Ann   4   5 6") == "Ann   4   5 6"


def test_cards_that_belong_together_are_not_torn_apart(narrow: None) -> None:
    assert fitted("Your hand: 1 perfume  2 fish costume  3 nuclear waste  4 sun") == (
        "Your hand: 1 perfume  2 fish costume\n3 nuclear waste  4 sun"
    )
    assert fitted("  ask Ben red   with a star   any card of the whole long deck") == (
        "  ask Ben red   with a star\n  any card of the whole long deck"
    )


def test_what_a_word_means_stays_beside_it(narrow: None) -> None:
    assert fitted("  table    what lies on the table, and everyone's cards") == (
        "  table    what lies on the table, and\n           everyone's cards"
    )
    assert fitted("  hand     your cards") == "  hand     your cards"


def test_a_path_stays_whole(narrow: None) -> None:
    path = "/a/" + "very-long/" * 8 + "game.shoal"
    assert path in fitted(f"Record: {path}").split("\n")


def test_a_tiny_terminal_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "5")
    assert fitted("one two three") == "one two three"


async def lines_of(data: bytes, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    reading, writing = os.pipe()
    os.write(writing, data)
    os.close(writing)
    with TextIOWrapper(FileIO(reading)) as stream:
        monkeypatch.setattr("sys.stdin", stream)
        console = BareConsole()
        assert not console.is_interactive
        lines = []
        async with asyncio.timeout(60):
            while (line := await console.read()) is not None:
                lines.append(line)
            assert await console.read() is None
    return lines


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"one\ntwo\n", ["one", "two"]),
        (b"one\r\ntwo", ["one", "two"]),
        ("9♠\n".encode(), ["9♠"]),
        (b"\xff\n", ["\ufffd"]),
        (b"\n\n", ["", ""]),
        (b"x" * 9000, ["x" * MAX_LINE]),
        (b"a\n" * 300, ["a"] * 300),
    ],
)
async def test_lines_of_a_pipe(data: bytes, lines: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert await lines_of(data, monkeypatch) == lines


def test_a_command_stays_in_one_piece(narrow: None) -> None:
    assert fitted("Anyone can check it: shoal verify /some/where/2026-11-30-game.shoal") == (
        "Anyone can check it:\n    shoal verify /some/where/2026-11-30-game.shoal"
    )


@pytest.mark.parametrize("columns", [40, 80])
def test_what_to_do_with_the_safety_words_fits(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    shown: list[str] = []
    seats = (SimpleNamespace(keeper=0), SimpleNamespace(keeper=1))
    charter = SimpleNamespace(
        seats=seats, table_id=bytes(32), grace=120, recovery=False, dealing="sealed", watchers=""
    )
    show_words(SimpleNamespace(write=lambda text: shown.append(fitted(text))), charter, 0)
    lines = "\n".join(shown).split("\n")
    assert all(len(line) < columns for line in lines)
    assert all(word in " ".join(lines) for word in ("phone.", "four words,", "do not play."))


@pytest.mark.parametrize("word", ["mute", "замолчи"])
def test_what_a_word_does_stands_beside_it_in_either_language(
    word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    first, *others = fitted(f"  {word:8}  show no more of what the others say, or show it again").split("\n")
    assert first.startswith(f"  {word:8}  show no more")
    assert others
    assert all(line.startswith(" " * 12) and line[12] != " " for line in others)
