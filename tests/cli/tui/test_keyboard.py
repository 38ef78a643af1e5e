"""Keys that are none, Esc right before another key, and commands where letters choose."""

from __future__ import annotations

import asyncio

import pytest
from prompt_toolkit.key_binding import KeyPress
from prompt_toolkit.keys import Keys

from cli.tui.choosing import press
from cli.tui.commanding import bare_command
from cli.tui.keyboard import QuietParser
from tests.cli.tui.stage import LIMIT, Terminal, asked, at, terminal

NO_KEYS = [
    "\x1b[57414u",
    "\x1b[1;13A",
    "\x1b[99~",
    "\x1b[I",
    "\x1b[O",
    "\x1b[?1;2c",
    "\x1b]11;rgb:0000/0000/0000\x07",
    "\x1b]11;rgb:0000/0000/0000\x1b\\",
    "\x1bP1$r0m\x1b\\",
    "\x1b[ q",
]
"""Keys of other protocols, a window that gains the focus, and answers to questions nobody asked."""


def keys_of(data: str) -> list[KeyPress]:
    pressed: list[KeyPress] = []
    QuietParser(pressed.append).feed_and_flush(data)
    return pressed


@pytest.mark.parametrize("data", NO_KEYS)
def test_what_is_no_key_is_not_heard(data: str) -> None:
    assert [each.data for each in keys_of(f"a{data}b")] == ["a", "b"]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("\x1b[A", [Keys.Up]),
        ("\x1bOP", [Keys.F1]),
        ("\x1b[15~", [Keys.F5]),
        ("\x1b[1;5C", [Keys.ControlRight]),
        ("\x1b[200~a\x1b[2Jb\x1b[201~", [Keys.BracketedPaste]),
        ("\x1b[<0;1;1M", [Keys.Vt100MouseEvent]),
        ("\x1b[M !!", [Keys.Vt100MouseEvent]),
        ("\x1b[3;1R", [Keys.CPRResponse]),
        ("\x1b", [Keys.Escape]),
        ("\x1bq", [Keys.Escape, "q"]),
    ],
)
def test_keys_are_heard(data: str, expected: list[str]) -> None:
    assert [each.key for each in keys_of(data)] == expected


def test_a_pasted_book_is_no_keys_where_the_terminal_does_not_mark_it() -> None:
    book = "all work and no play\r" * 40
    pressed = keys_of(book)
    assert [each.key for each in pressed] == [Keys.BracketedPaste, Keys.ControlM] * 40
    assert "".join(each.data for each in pressed) == book
    tag = "0123456789ABCDEF01234567\r"
    assert [each.data for each in keys_of(tag)] == list(tag), "a reader that types is heard by keys"


def test_of_a_marked_book_only_a_line_is_kept() -> None:
    pressed: list[KeyPress] = []
    parser = QuietParser(pressed.append)
    parser.feed("\x1b[200~")
    for _ in range(1000):
        parser.feed("x" * 1000)
        assert len(parser._paste_buffer) < 10_000
    parser.feed("\x1b[20")
    parser.feed("1~y")
    parser.flush()
    assert [each.key for each in pressed] == [Keys.BracketedPaste, "y"]


async def until_typed(shown: Terminal, text: str) -> None:
    async with asyncio.timeout(LIMIT):
        while shown.screen.buffer.text != text:  # noqa: ASYNC110  # keys have no event for that
            await asyncio.sleep(0.01)


async def first_line(shown: Terminal) -> str | None:
    async with asyncio.timeout(LIMIT):
        return await shown.screen.read()


@pytest.mark.parametrize("letter", "bcdfluyt")
async def test_a_key_right_after_esc_is_no_key_with_alt(letter: str) -> None:
    async with terminal() as shown:
        at("go-fish", asked("ask"), skip=3).put_on(shown)
        shown.keys.send_text(f"2\x1b{letter}x\r")  # one step back, and then a line that is typed
        assert await first_line(shown) == f"{letter}x"


async def test_a_key_right_after_esc_may_choose() -> None:
    async with terminal() as shown:
        at("go-fish", asked("ask"), skip=3).put_on(shown)
        shown.keys.send_text("3\x1b2k")
        assert await first_line(shown) == "ask Ben K"


@pytest.mark.parametrize("sign", "/:")
async def test_a_command_is_begun_where_letters_choose(sign: str) -> None:
    async with terminal() as shown:
        shown.screen.words = lambda: ["quit", "table"]
        at("go-fish", asked("ask"), skip=3).put_on(shown)
        shown.keys.send_text(f"2{sign}")
        await until_typed(shown, sign)
        shown.keys.send_text("qu\t")
        await until_typed(shown, f"{sign}quit")
        shown.keys.send_text("\r")
        assert await first_line(shown) == "quit"


async def test_the_way_to_a_command_is_said_where_letters_choose() -> None:
    async with terminal() as shown:
        at("go-fish", asked("ask"), skip=3).put_on(shown)
        assert "/ command" not in "\n".join(await shown.settle())
        press(shown.screen, "2")
        assert "/ command" in "\n".join(await shown.settle())


@pytest.mark.parametrize(
    ("line", "expected"),
    [("/quit", "quit"), (":quit", "quit"), (" /quit", "quit"), ("quit", "quit"), ("/", ""), ('"a/b', '"a/b')],
)
def test_the_sign_is_taken_off(line: str, expected: str) -> None:
    assert bare_command(line) == expected


async def test_a_name_of_a_file_before_the_game_keeps_its_sign() -> None:
    async with terminal() as shown:
        shown.keys.send_text("/home/ann\r")
        assert await first_line(shown) == "/home/ann"
