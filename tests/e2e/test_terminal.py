"""The full screen at the limits of terminals: any key, books, one cell, no colours, no streams, hang-ups."""

from __future__ import annotations

import os
import random
import shlex
import signal
import sys
import time
from pathlib import Path

import pytest

from tests.e2e.screen_player import LIMIT, ScreenPlayer, Start

pytestmark = [pytest.mark.network, pytest.mark.slow]

GAME = ("play", "go-fish", "--bots", "1", "--name", "Ann", "--set", "hand_size=10", "--no-bell")
SMALL = (*GAME[:-3], "--set", "ranks=3", "--set", "suits=2", "--set", "book_size=2", "--set", "hand_size=2")
ALTERNATE, NORMAL = "\x1b[?1049h", "\x1b[?1049l"
KEYS = [
    *"abcdefghijklmnopstuvwyz0123456789 ?*\"'/:.", "\r", "\t", "\x1b", "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D",
    "\x1b[5~", "\x1b[6~", "\x1bOP", "\x1bOQ", "\x1bOS", "\x1b[17~", "\x7f", "\x01", "\x05", "\x0b", "\x0c",
    "\x15", "\x17", "\x12", "\x18\x05", "\x1bb", "\x1b<", "\x00", "\x1b[200~9\n\x1b[2J\x1b[201~", "\x1b[31m",
    "\x1b[<0;40;20M", "\x1b[M !!", "ш", "王", "\x1b[1;5C", "\x19", "\x1f", "\x1b[H", "\x1b[F", "\x1b[3~",
    "\x1b[Z", "\x1b[99;7u", "\x1b]11;rgb:1/1/1\x07", "\x1b[?1;2c",
]  # fmt: skip
"""All but those that leave: Ctrl-C, Ctrl-D, Ctrl-Z, and the letters q and x of quit and exit."""


def in_shell(redirected: str) -> tuple[str, ...]:
    """The program behind a redirection, to be started with its arguments."""
    return ("/bin/sh", "-c", f'exec {shlex.quote(sys.executable)} -m cli "$@" {redirected}', "sh")


def is_restored(player: ScreenPlayer) -> bool:
    """Whether the terminal is as it was: its own screen, a cursor, no mouse, pasted text not marked."""
    text = player.written
    return (
        text.rfind(NORMAL) > text.rfind(ALTERNATE) >= 0
        and text.rfind("\x1b[?25h") > text.rfind("\x1b[?25l")
        and text.rfind("\x1b[?2004l") > text.rfind("\x1b[?2004h")
        and text.rfind("\x1b[?1000l") >= text.rfind("\x1b[?1000h")
    )


def is_plain(player: ScreenPlayer) -> bool:
    """Whether no control code was written at all."""
    return "\x1b" not in player.written


def stopped(player: ScreenPlayer, number: int = signal.SIGTERM) -> int:
    """End it by a signal; its exit code."""
    player.child.kill(number)
    return player.end()


@pytest.mark.parametrize(
    ("seed", "mouse", "args"),
    [
        (1, "--no-mouse", ("go-fish", "--bots", "2", "--set", "ranks=4", "--set", "hand_size=2")),
        (2, "--mouse", ("discount-salmon", "--bots", "1", "--reaction", "0.2")),
        (3, "--mouse", ("casino", "--bots", "1")),
        (4, "--no-mouse", ("one-fish", "--bots", "1")),
    ],
)
def test_any_key_in_every_phase(start: Start, seed: int, mouse: str, args: tuple[str, ...]) -> None:
    """From the first moment on, before there is a screen, through the shuffle and the deal into the game."""
    chance = random.Random(seed)
    player = start("play", *args, "--name", "Ann", mouse)
    for count in range(150):
        player.press("".join(chance.choice(KEYS) for _ in range(chance.randrange(1, 6))))
        assert player.read(0.02 if count > 20 else 0.1), player.written[-3000:]
        if count % 50 == 49:
            player.child.setwinsize(*chance.choice([(1, 1), (3, 7), (15, 40), (24, 80), (60, 200)]))
    assert stopped(player) == 130
    assert "Traceback" not in player.written
    assert "\x1b[?1;2c" not in player.text
    assert is_restored(player)


@pytest.mark.parametrize("marked", [True, False])
def test_a_book_of_a_million_signs(start: Start, marked: bool) -> None:
    player = start(*GAME)
    player.see("Whom?")
    book = "all work and no play " * 50_000
    for at in range(0, len(book), 20_000):  # as a terminal does: the program is read from while it is fed
        part = book[at : at + 20_000]
        part = "\x1b[200~" + part if marked and not at else part
        player.press(part)
        player.read(0.001)
    player.press("\x1b[201~" if marked else "")
    player.see("work and no play")
    player.press("\x15")
    player.wait(lambda text: "no play" not in text and "Whom?" in text, "an empty line")
    player.press("/quit\r")
    assert player.end() == 0
    assert is_restored(player)


def test_a_terminal_of_one_cell_that_grows(start: Start) -> None:
    player = start(*GAME, columns=1, rows=1)
    player.wait(lambda _text: ALTERNATE in player.written, "the screen")
    for _ in range(10):
        player.press("2\x1b?\x1b")
        player.read(0.05)
    player.child.setwinsize(24, 80)
    player.cells.resize(24, 80)
    player.see("Whom?")
    assert stopped(player) == 130
    assert "Traceback" not in player.written
    assert is_restored(player)


@pytest.mark.parametrize("locale", ["C", "POSIX", "xx_YY.nothing"])
def test_a_locale_without_letters(start: Start, locale: str) -> None:
    player = start(
        *GAME, LC_ALL=locale, LANG=locale, PYTHONIOENCODING="", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0"
    )
    player.see("Whom?")
    player.press("/quit\r")
    assert player.end() == 0
    assert "Traceback" not in player.written
    assert is_restored(player)


@pytest.mark.parametrize("term", ["xyzzy-unknown", "vt100", "linux"])
def test_a_terminal_nobody_knows(start: Start, term: str) -> None:
    player = start(*GAME, TERM=term)
    player.see("Whom?")
    player.press("2\x1b/quit\r")
    assert player.end() == 0
    assert "Traceback" not in player.written
    assert is_restored(player)


@pytest.mark.parametrize("term", ["", "dumb"])
def test_a_terminal_that_can_nothing_gets_plain_lines(start: Start, term: str) -> None:
    player = start(*GAME, TERM=term)
    player.wait(lambda _text: "Your turn" in player.written, "the turn")
    player.press("quit\r")
    assert player.end() == 0
    assert is_plain(player)


@pytest.mark.parametrize("redirected", [">/dev/null", "</dev/null", ">&-", "<&-"])
def test_without_a_terminal_there_are_plain_lines(start: Start, redirected: str) -> None:
    player = start(*SMALL, "--auto", program=in_shell(redirected))
    assert player.end() == 0
    assert "Traceback" not in player.written
    assert is_plain(player)


def test_the_screen_needs_no_stderr(start: Start) -> None:
    player = start(*GAME, program=in_shell("2>&-"))
    player.see("Whom?")
    player.press("/quit\r")
    assert player.end() == 0
    assert is_restored(player)


def test_a_closed_window_pauses_the_game(start: Start) -> None:
    player = start(*GAME)
    player.see("Whom?")
    assert stopped(player, signal.SIGHUP) == 130
    assert is_restored(player)
    again = start("resume")
    again.see("Whom?")
    again.child.ptyproc.fileobj.close()  # the window is gone, and nothing can be written any more
    again.child.ptyproc.closed = True
    end = time.monotonic() + LIMIT
    while again.child.isalive():
        assert time.monotonic() < end, "it goes on without a terminal"
        time.sleep(0.05)
    third = start("resume")
    third.see("Whom?")
    assert stopped(third) == 130


def test_stopped_and_continued_in_the_middle_of_a_choice(start: Start) -> None:
    player = start(*GAME, "--mouse")
    player.see("Whom?")
    player.press("2")
    player.see("for what?")
    player.press("\x1a")
    player.wait(lambda _text: player.written.count(NORMAL) > 0, "the normal screen")
    assert is_restored(player), "the shell has its terminal back"
    _wait_for_state(player.child.pid, "T")
    os.kill(player.child.pid, signal.SIGCONT)
    player.wait(lambda _text: player.written.count(ALTERNATE) > 1, "the screen again")
    player.see("for what?")
    player.press("\x1b/quit\r")
    assert player.end() == 0
    assert is_restored(player)


def _wait_for_state(pid: int, state: str) -> None:
    end = time.monotonic() + LIMIT
    while Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0] != state:
        assert time.monotonic() < end, "it never stopped"
        time.sleep(0.02)


CRASH = """
import sys
from cli.tui import parts

def broken(*_what):
    raise ZeroDivisionError("drawn badly")

parts.{part} = broken
sys.argv = ["shoal", *sys.argv[1:]]
from cli.main import main
main()
"""


@pytest.mark.parametrize("part", ["hand", "panel"])
def test_what_breaks_the_drawing_gives_the_terminal_back(start: Start, part: str) -> None:
    player = start(*GAME, program=(sys.executable, "-c", CRASH.format(part=part)))
    if part == "panel":
        player.see("Whom?")
        player.press("?")
    assert player.end() not in (0, None)
    assert is_restored(player)
    after = player.written[player.written.rfind(NORMAL) :]
    assert "Go on later with:" in after, "what a player can do now stays on the screen"
    assert "Traceback" not in after
    again = start("resume")
    again.see("Whom?")
    assert stopped(again) == 130


def test_ctrl_c_is_heard_in_a_terminal_that_a_script_started_in_the_background(start: Start) -> None:
    """There SIGINT is ignored from the beginning, and all that is started in it inherits that."""
    deaf = ("/bin/sh", "-c", f"trap '' INT; exec {shlex.quote(sys.executable)} -m cli \"$@\"", "sh")
    player = start(*GAME, program=deaf)
    player.see("pause")
    player.press("\x03")
    assert player.end() == 130
    assert is_restored(player)
