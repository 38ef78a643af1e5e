"""Stopped, continued and broken in every screen there is: the lobby, the waiting room, the end, a replay."""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.screen_player import LIMIT, ScreenPlayer, Start
from tests.e2e.test_terminal import ALTERNATE, KEYS, NORMAL, is_restored

pytestmark = [pytest.mark.network, pytest.mark.slow]

SMALL = (
    "play", "go-fish", "--bots", "1", "--name", "Ann", "--no-bell", "--set", "ranks=3", "--set", "suits=2",
    "--set", "book_size=2", "--set", "hand_size=2",
)  # fmt: skip
"""A game that is over within seconds."""

HOST = ("host", "go-fish", "--name", "Ann", "--seats", "3", "--here-only", "--port", "0")


def record(home: Path) -> str:
    """The file of the game that was played there."""
    return str(next((home / "records").glob("*.shoal")))


def lobby(player: ScreenPlayer) -> str:
    player.see("your name at the table?")
    player.press("\x15Ann\r")
    return "Tables on this network"


def form(player: ScreenPlayer) -> str:
    player.see(lobby(player))
    player.press("h")
    return "How bots play"


def waiting_room(player: ScreenPlayer) -> str:
    player.see("Waiting for 2 more")
    return "a bot sits down"


def end(player: ScreenPlayer) -> str:
    player.play()
    return "step through the game" if "step through the game" in player.text else "replay"


def replay_at_the_end(player: ScreenPlayer) -> str:
    player.play()
    player.see("replay")
    player.press("5")
    return "single steps"


def replay(_player: ScreenPlayer) -> str:
    return "single steps"


Way = Callable[[ScreenPlayer], str]
"""The way to a screen, and what stands on it."""

SCREENS: dict[str, tuple[tuple[str, ...], Way]] = {
    "lobby": ((), lobby),
    "form": ((), form),
    "waiting room": (HOST, waiting_room),
    "end": (SMALL, end),
    "replay at the end": (SMALL, replay_at_the_end),
    "replay": (("replay",), replay),
}


@pytest.fixture
def opened(start: Start, tmp_path: Path) -> Callable[..., tuple[ScreenPlayer, str]]:
    """Opens a screen; with it, what stands on it."""

    def begin(name: str, **more: object) -> tuple[ScreenPlayer, str]:
        args, way = SCREENS[name]
        if args == ("replay",):
            played = start(*SMALL, "--auto", "--plain")
            assert played.end() == 0
            args = ("replay", record(tmp_path / "home"))
        player = start(*args, **more)
        return player, way(player)

    return begin


def stop_and_continue(player: ScreenPlayer, stop: Callable[[], object], mark: str) -> None:
    """The shell has its screen while the program stands still, and then everything is drawn again."""
    stop()
    until = time.monotonic() + LIMIT
    while Path(f"/proc/{player.child.pid}/stat").read_text("utf-8").rsplit(")", 1)[1].split()[0] != "T":
        assert time.monotonic() < until, "it never stopped"
        assert player.read(0.02)  # it can write nothing more, and so not stop, where nobody reads
    player.wait(lambda _text: is_restored(player), "the shell's screen")
    player.cells.reset()
    os.kill(player.child.pid, signal.SIGCONT)
    player.see(mark)
    assert player.written.rfind(ALTERNATE) > player.written.rfind(NORMAL)


@pytest.mark.parametrize("name", SCREENS)
def test_stopped_and_continued(opened: Callable[..., tuple[ScreenPlayer, str]], name: str) -> None:
    player, mark = opened(name)
    player.see(mark)
    for _ in range(2):
        stop_and_continue(player, lambda: player.press("\x1a"), mark)
        stop_and_continue(player, lambda: player.child.kill(signal.SIGTSTP), mark)
    if name == "replay at the end":
        player.press("q")
        player.wait(lambda text: mark not in text and "replay" in text, "the end")
        stop_and_continue(player, lambda: player.child.kill(signal.SIGTSTP), "replay")
    player.child.kill(signal.SIGTERM)
    assert player.end() == 130
    assert is_restored(player)


@pytest.mark.parametrize("name", ["waiting room", "end", "replay at the end", "replay"])
def test_any_key(opened: Callable[..., tuple[ScreenPlayer, str]], name: str) -> None:
    player, mark = opened(name)
    player.see(mark)
    chance = random.Random(7)
    for count in range(120):
        player.press("".join(chance.choice(KEYS) for _ in range(chance.randrange(1, 6))))
        assert player.read(0.02), player.written[-3000:]
        if count % 40 == 39:
            player.child.setwinsize(*chance.choice([(1, 1), (3, 7), (15, 40), (60, 200)]))
    player.child.kill(signal.SIGTERM)
    assert player.end() == 130
    assert "Traceback" not in player.written
    assert is_restored(player)


CRASH = """
import sys
import {module} as module

real, is_broken = module.{part}, False

def drawn(*what, **more):
    if is_broken:
        raise ZeroDivisionError("drawn badly")
    return real(*what, **more)

def broken(*_what):
    global is_broken
    is_broken = True

module.{part} = drawn
import signal
signal.signal(signal.SIGUSR1, broken)
sys.argv = ["shoal", *sys.argv[1:]]
from cli.main import main
main()
"""
"""Draws until it is told to draw badly."""


@pytest.mark.parametrize(
    ("name", "module", "key"),
    [
        ("lobby", "cli.lobby.shell", "r"),
        ("waiting room", "cli.waiting.drawing", '"'),
        ("replay at the end", "cli.replay.screen", "n"),
        ("replay", "cli.replay.screen", "n"),
    ],
)
def test_what_breaks_the_drawing_gives_the_terminal_back(
    opened: Callable[..., tuple[ScreenPlayer, str]], name: str, module: str, key: str
) -> None:
    player, mark = opened(name, program=(sys.executable, "-c", CRASH.format(module=module, part="draw")))
    player.see(mark)
    player.child.kill(signal.SIGUSR1)
    player.child.setwinsize(30, 90)
    player.press(key)
    assert player.end() == 70
    assert is_restored(player)
    after = player.written[player.written.rfind(NORMAL) :]
    assert "Something went wrong inside Shoal" in after
    assert "Traceback" not in player.written


def test_a_book_that_the_terminal_does_not_mark_is_no_keys(
    opened: Callable[..., tuple[ScreenPlayer, str]],
) -> None:
    """As keys it would fill in the form for minutes, and leave the lobby at its first q."""
    player, mark = opened("form")
    player.see(mark)
    book = "the quick brown fox jumps over the lazy dog " * 25_000
    for at in range(0, len(book), 20_000):  # as a terminal does: the program is read from while it is fed
        player.press(book[at : at + 20_000])
        player.read(0.001)
    player.press("\x1b")
    player.see("Tables on this network")
    player.press("q")
    assert player.end() == 0
    assert is_restored(player)
