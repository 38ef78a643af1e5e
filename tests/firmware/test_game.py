"""A game whose reader is the real image: what is refused is explained on the screen and by its lamps."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pexpect
import pytest

from engine.registry import game
from hardware.io import save
from hardware.tags import Book, Kind, Tag
from hardware.uids import Uid
from tests.firmware.board import Board

pytestmark = [pytest.mark.slow, pytest.mark.network]

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60
"""Seconds that any one thing may take on a busy machine."""

PAD = 2
"""The antenna on which everybody taps, and its bit among the lamps."""
LAMP = f"{1 << PAD:02X}"

DECK = game("go-fish").deck(game("go-fish").options({}, 2))
NAMES = [
    *((Kind.CARD, DECK.text(DECK.faces[card])) for card in DECK.cards),
    (Kind.PLAYER, "Ann"), (Kind.PLAYER, "2"), (Kind.COMMAND, "hand"), (Kind.COMMAND, "cancel"),
    (Kind.COMMAND, "quit"),
]  # fmt: skip
TAGS = {named: Uid(bytes((4, n, 2, 3, 4, 5, 0x80))) for n, named in enumerate(NAMES, 1)}
STRANGER = Uid(bytes((4, 200, 2, 3, 4, 5, 0x80)))


class Player:
    """Ann, alone at a terminal of plain lines, with the board on her table."""

    def __init__(self, board: Board, home: Path) -> None:
        self.board = board
        home.mkdir()
        save(home / "tags.toml", Book(Tag(uid, kind, name) for (kind, name), uid in TAGS.items()))
        env = {**os.environ, "SHOAL_HOME": str(home), "SHOAL_LANG": "en", "TERM": "dumb", "LC_ALL": "C.UTF-8"}
        self.child = pexpect.spawn(
            sys.executable,
            ["-m", "cli", "play", "go-fish", "--bots", "1", "--name", "Ann", "--plain", "--set",
             "hand_size=10", "--cards", "controller", "--reader", f"{board.path}:shoal"],
            cwd=str(ROOT), env=env, encoding="utf-8", timeout=PATIENCE, dimensions=(50, 240), echo=False,
        )  # fmt: skip

    def sees(self, pattern: str) -> re.Match[str]:
        self.child.expect(pattern.replace(" ", r"\s+"))
        assert isinstance(self.child.match, re.Match)
        return self.child.match

    def holds(self, uid: Uid) -> None:
        """Hold a tag to the pad until the chip has seen it, and take it away."""
        self.board.order(f"place {PAD} {uid.data.hex().upper()}")

    def lifts(self) -> None:
        self.board.order(f"lift {PAD}")

    def tap(self, kind: Kind, name: str) -> None:
        self.holds(TAGS[kind, name])

    def until(self, wanted: Callable[[dict[str, str]], bool]) -> dict[str, str]:
        """What the lamps show, once it is what is wanted."""
        end = time.monotonic() + PATIENCE
        while not wanted(lamps := self.board.order("lamps")):
            assert time.monotonic() < end, lamps
            time.sleep(0.01)
        return lamps


@pytest.fixture
def ann(image: Board, tmp_path: Path) -> Iterator[Player]:
    player = Player(image, tmp_path / "ann")
    yield player
    player.child.close(force=True)


def is_refused(lamps: dict[str, str]) -> bool:
    return lamps["red"] == LAMP


def is_accepted(lamps: dict[str, str]) -> bool:
    return lamps["green"] == LAMP


def is_dark(lamps: dict[str, str]) -> bool:
    return lamps["red"] == lamps["green"] == "00"


def beeps_of(player: Player, count: int) -> None:
    player.until(lambda lamps: int(lamps["beeps"]) >= count)


def test_a_refused_tap_is_explained_on_the_screen_and_by_light_and_two_beeps(ann: Player) -> None:
    ann.sees(r"The reader shoal is open\.")
    ann.sees(r"Your turn\.")
    # The lamps first: they are lit for a moment, and what is on the screen stays.
    ann.holds(STRANGER)
    ann.until(is_refused)
    beeps_of(ann, 2)
    ann.sees(r"This tag is not enrolled\.")
    ann.until(is_dark)
    ann.lifts()

    ann.tap(Kind.COMMAND, "hand")
    ann.until(is_accepted)
    beeps_of(ann, 3)
    hand = ann.sees(r"Your hand: ([^\r\n]*)")[1].replace("10", "T")
    missing, held = (next(rank for rank in "A23456789TJQK" if (rank in hand) is it) for it in (False, True))
    ann.until(is_dark)  # and silent: a beep on top of another one is one
    ann.lifts()

    ann.tap(Kind.CARD, f"{missing}C")
    assert ann.until(is_refused)["green"] == "00"
    beeps_of(ann, 5)
    ann.sees(r"You hold no ")
    ann.until(is_dark)
    ann.lifts()

    ann.tap(Kind.PLAYER, "2")
    ann.until(is_accepted)  # blinking: it waits for the card
    ann.sees(r"Tapped: ")
    ann.lifts()
    ann.tap(Kind.CARD, f"{held}C")
    beeps_of(ann, 6)
    ann.sees(r"You ask ")


def test_after_a_reset_the_board_answers_taps_as_before(ann: Player) -> None:
    ann.sees(r"The reader shoal is open\.")
    ann.sees(r"Your turn\.")
    ann.board.order("reset")
    ann.until(lambda lamps: lamps["beeps"] == "0")
    ann.holds(STRANGER)
    ann.until(is_refused)
    ann.sees(r"This tag is not enrolled\.")
