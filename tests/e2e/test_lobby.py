"""The lobby of the real program in a real pseudo-terminal: in few keys to the first ask, and back again."""

from __future__ import annotations

import os
import re
import secrets
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from p2p.io.addresses import usable_addresses
from tests.e2e.screen_player import LIMIT, ScreenPlayer, Start
from tests.e2e.test_every_screen import stop_and_continue
from tests.e2e.test_screen import is_restored

pytestmark = pytest.mark.network

SMALL = 'bots = 1\nset = ["ranks=3", "suits=2", "book_size=2", "hand_size=1"]\n'
"""A game of six cards: what is tested is the way to it and back. A bot may have won it before anybody else
has had a turn."""

LONG = "bots = 1\n"
"""A whole pack: however busy the machine is, the game is not over when it is paused."""


@pytest.fixture
def start(start_at: Start, tmp_path: Path) -> Start:
    def begin(who: str, *args: str, config: str = "", **more: object) -> ScreenPlayer:
        home = tmp_path / who
        home.mkdir(exist_ok=True)
        (home / "config.toml").write_text(config, "utf-8")
        return start_at(home, *args, **more)

    return begin


def named(player: ScreenPlayer, name: str) -> None:
    """The first run: it asks for a name and then shows the lobby."""
    player.see("What is your name at the table?")
    player.press("\x15")
    player.press(name)
    player.press("\r")
    player.see("Tables on this network")
    player.see(name)


def in_step(players: list[ScreenPlayer], holds: Callable[[], bool], about: str) -> None:
    """Read all screens until something is true of them."""
    end = time.monotonic() + LIMIT
    while not holds():
        assert time.monotonic() < end, f"{about} never came:\n" + "\n\n".join(one.text for one in players)
        for one in players:
            assert one.read(0.1), one.written[-3000:]


@pytest.mark.slow
@pytest.mark.skipif(
    not usable_addresses(loopback=False), reason="tables are announced on a network, and there is none"
)
def test_from_two_lobbies_to_the_first_ask_in_four_keys_and_two(start: Start) -> None:
    ann, ben = f"Ann{secrets.token_hex(2)}", f"Ben{secrets.token_hex(2)}"
    host, guest = start(ann), start(ben)
    named(host, ann)
    named(guest, ben)
    host.keys = guest.keys = 0

    host.press("h")
    host.see("Enter starts")
    host.press("\r")
    both = [host, guest]
    row = re.compile(rf"(\d) Go Fish .*{ann} .*1 of 4")
    in_step(both, lambda: row.search(guest.text) is not None, "the host's table")
    found = row.search(guest.text)
    assert found
    guest.press(found[1])
    in_step(both, lambda: f"{ben}, whom you have not met" in host.text, "the stranger")
    host.press("y")
    in_step(both, lambda: "[Enter]" in host.text and "[Enter]" in guest.text, "a seat")
    guest.press("\r")
    host.press("\r")
    in_step(both, lambda: any("Whom?" in one.text for one in both), "the first ask")
    assert (host.keys, guest.keys) == (4, 2)
    in_step(both, lambda: "S A F E T Y" in guest.text.upper() or "Safety words" in guest.text, "safety words")

    for one in both:
        one.press("\x03")
        one.see("What happened last")
        one.see("The game is paused; nothing is lost. The others wait.")
    host.wait(lambda text: re.search(rf"c Continue +Go Fish with {ben}", text), "the game that waits")
    # They have met: the table of a friend says so, and it goes from the list as soon as it is closed.
    host.press("h")
    host.see("Enter starts")
    host.press("\r")
    in_step(both, lambda: re.search(rf"Go Fish .*{ann} .*✓ known", guest.text) is not None, "a friend")
    host.press("\x03")
    in_step(both, lambda: "Practice" in host.text and f" {ann} " not in guest.text, "the end of the table")
    for one in both:
        one.press("q")
        assert one.end() == 0
        assert is_restored(one)


def test_a_practice_game_leaves_its_result_in_the_lobby(start: Start) -> None:
    player = start("Ann", config=f"[play]\n{SMALL}")
    named(player, "Ann")
    player.press("p")
    player.see("Enter starts")
    player.press("\r")
    player.play()
    player.press("q")
    player.see("What happened last")
    player.see("Record:")
    assert re.search(r"win|wins|share", player.text)
    player.press("g")
    player.see("Games played here")
    player.press("1")
    player.see("single steps")
    player.press("\x03")
    player.see("Tables on this network")
    player.press("q")
    assert player.end() == 0
    assert is_restored(player)


def test_an_address_where_nobody_listens_is_told_in_the_lobby(start: Start) -> None:
    player = start("Ann")
    named(player, "Ann")
    player.press("a")
    player.see("Address:")
    player.press("127.0.0.1:9")
    player.press("\r")
    player.see("What happened last")
    player.see("Error:")
    player.press("s")
    player.see("bell")
    player.press("\x1b")
    player.see("Practice")
    player.press("\x03")
    assert player.end() == 0


def test_settings_are_written_and_the_language_changes_at_once(start: Start, tmp_path: Path) -> None:
    player = start("Ann", SHOAL_LANG="")
    named(player, "Ann")
    player.press("s")
    player.see("► name")
    player.press("\x1b[B")
    player.see("► lang")
    player.press("\r")
    player.see("lang is now en.")
    player.press("\r")
    player.wait(lambda text: "lang" in text and re.search("[а-ш]{4}", text), "Macedonian")
    assert (tmp_path / "Ann" / "config.toml").read_text("utf-8") == 'lang = "mk"\n'
    player.press("\x03")
    assert player.end() == 0


def test_a_signal_ends_the_program_and_not_only_the_game(start: Start) -> None:
    player = start("Ann")
    named(player, "Ann")
    player.press("p")
    player.see("Enter starts")
    player.press("\r")
    player.see("Pond:")
    os.kill(player.child.pid, signal.SIGTERM)
    assert player.end() == 130
    assert is_restored(player)


@pytest.mark.skipif(sys.platform != "linux", reason="that a program stands still is read from /proc")
def test_stopped_and_continued(start: Start) -> None:
    player = start("Ann")
    named(player, "Ann")
    stop_and_continue(player, lambda: player.press("\x1a"), "Practice")
    player.press("r")
    player.see("Rules of which game?")
    stop_and_continue(player, lambda: player.child.kill(signal.SIGTSTP), "Rules of which game?")
    player.press("\x1b")
    player.see("Practice")
    player.press("q")
    assert player.end() == 0
    assert is_restored(player)


def test_the_same_in_plain_lines(start: Start) -> None:
    player = start("Ann", "--plain", config=f"[play]\n{LONG}", columns=200)  # a path fits in one line
    player.see("What is your name at the table?")
    player.press("Ann\n")
    player.see("You are Ann.")
    player.press("practice go-fish\n")
    player.see("Enter alone starts.")
    player.press("reveal sometimes\n")
    player.see("reveal can be end or never.")
    player.press("reveal never\n")
    player.see("reveal is never.")
    player.press("\n")
    player.see("you against")
    player.press("quit\n")
    player.see("You are in the lobby again.")
    player.see("Type continue 1")
    player.press("c\n")
    player.see("Going on with Go Fish")
    player.press("quit\n")
    player.press("set suits fur\n")
    player.see("is not one of")
    player.press("set suits four\n")
    player.see("suits is now four.")
    player.press("rules casino\n")
    player.see("Dealer")
    player.press("nonsense\n")
    player.see('"nonsense" is no command')
    player.press("config path\n")
    player.see("config.toml")
    player.press("quit\n")
    assert player.end() == 0
    assert "\x1b" not in player.written


def test_a_terminal_without_control_codes_gets_plain_lines(start: Start) -> None:
    player = start("Ann", TERM="dumb")
    player.see("What is your name at the table?")
    player.press("\x04")
    assert player.end() == 0
    assert "\x1b" not in player.written
