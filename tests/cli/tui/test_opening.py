"""Which console is opened, and what happens where the full screen breaks."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import pytest
from prompt_toolkit.output import ColorDepth

from cli import console as consoles
from cli.console import BareConsole, Canvas, open_console
from cli.options import ScreenChoice
from cli.prompt import PromptConsole
from cli.tui.look import COLOURS, PLAIN, SUITS, style_of
from cli.tui.screen import FullScreen
from tests.cli.tui.stage import LIMIT, asked, at, terminal


class NoConsoleScreenBufferError(Exception):
    """As prompt_toolkit raises it on Windows in a window that is no console."""


async def test_git_bash_gets_a_sentence_and_plain_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(**_more: Any) -> None:
        raise NoConsoleScreenBufferError

    monkeypatch.setattr(consoles, "is_capable", lambda: True)
    monkeypatch.setattr("prompt_toolkit.output.create_output", broken)
    async with open_console(plain=False, screen=ScreenChoice()) as opened:
        assert isinstance(opened, BareConsole)
    assert capsys.readouterr().out == (
        "This window cannot show a full screen, as in Git Bash; plain lines are used instead.\n"
    )


def on_windows(monkeypatch: pytest.MonkeyPatch, has_console: bool, **environment: str) -> None:
    """As the program finds things there."""
    monkeypatch.setattr(sys, "platform", "win32")
    for name in ("TERM", "MSYSTEM", "WT_SESSION"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(stream, "isatty", lambda: has_console, raising=False)


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, True),  # cmd.exe, PowerShell
        ({"WT_SESSION": "5e5e"}, True),  # Windows Terminal
        ({"WT_SESSION": "5e5e", "MSYSTEM": "MINGW64", "TERM": "xterm-256color"}, True),  # Git Bash within it
        ({"TERM": "dumb"}, False),
        ({"TERM": ""}, False),
    ],
)
def test_consoles_of_windows_need_no_term(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], expected: bool
) -> None:
    on_windows(monkeypatch, has_console=True, **environment)
    assert consoles.is_capable() == expected


@pytest.mark.parametrize(
    ("environment", "plain", "is_said"),
    [
        ({"MSYSTEM": "MINGW64", "TERM": "xterm"}, False, True),
        ({"MSYSTEM": "MINGW64", "TERM": "xterm"}, True, False),  # who asks for plain lines knows it
        ({}, False, False),  # a pipe in cmd.exe
    ],
)
async def test_the_window_of_git_bash_is_no_console_at_all(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    environment: dict[str, str],
    plain: bool,
    is_said: bool,
) -> None:
    on_windows(monkeypatch, has_console=False, **environment)
    async with open_console(plain=plain, screen=ScreenChoice()) as opened:
        assert isinstance(opened, BareConsole)
    out, err = capsys.readouterr()
    assert out == "", "what the program says may be read by another one"
    assert ("as in Git Bash" in err) == is_said


async def test_other_errors_are_not_taken_for_that_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(**_more: Any) -> None:
        raise OSError("no")

    monkeypatch.setattr(consoles, "is_capable", lambda: True)
    monkeypatch.setattr("prompt_toolkit.output.create_output", broken)
    with pytest.raises(OSError, match="no"):
        async with open_console(plain=False, screen=ScreenChoice()):
            pass


@pytest.mark.parametrize("term", ["dumb", ""])
async def test_a_dumb_terminal_gets_plain_lines(term: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", term)
    async with open_console(plain=False, screen=ScreenChoice()) as opened:
        assert isinstance(opened, BareConsole)


def test_only_the_full_screen_is_a_canvas() -> None:
    assert not issubclass(PromptConsole, FullScreen)
    for name in ("tell", "show", "reply", "page", "ended"):
        assert hasattr(Canvas, name)
        assert hasattr(FullScreen, name)
        assert not hasattr(BareConsole, name)
        assert not hasattr(PromptConsole, name)


async def test_what_breaks_the_screen_is_raised_where_lines_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    async with terminal() as shown:
        at("go-fish", asked("ask")).put_on(shown)
        await shown.settle()

        def broken(*_what: Any) -> Any:
            raise ZeroDivisionError

        monkeypatch.setattr("cli.tui.screen.draw", broken)
        shown.screen.changed()
        with pytest.raises(ZeroDivisionError):
            async with asyncio.timeout(LIMIT):
                await shown.screen.read()
    assert "\x1b[?1049l" in shown.written.getvalue(), "the terminal is given back"


def luminance(colour: str) -> float:
    """WCAG 2.2, relative luminance."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("name", COLOURS)
def test_colours_can_be_read_on_black_and_on_white(name: str) -> None:
    found = luminance(COLOURS[name])
    assert 1.05 / (found + 0.05) >= 3.5
    assert (found + 0.05) / 0.05 >= 3.5


@pytest.mark.parametrize("suits", SUITS)
@pytest.mark.parametrize("depth", [ColorDepth.DEPTH_1_BIT, ColorDepth.DEPTH_4_BIT, ColorDepth.DEPTH_8_BIT])
def test_every_style_is_known_at_every_depth(suits: str, depth: ColorDepth) -> None:
    style = style_of(depth, suits)
    for name in PLAIN:
        look = style.get_attrs_for_style_str(f"class:{name}")
        assert depth != ColorDepth.DEPTH_1_BIT or not look.color
