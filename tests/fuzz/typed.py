"""What people type or a terminal reports, in the middle of each game and in the waiting room."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from cli.hardware_readers import parse_named
from cli.lines import read_line
from cli.tui import mouse
from cli.waiting import lines as room_lines
from cli.waiting.room import Place, Room
from hardware.readers.patterns import Pattern
from p2p.session import Race, YourMove
from tests.cli.open_table import OpenTable
from tests.cli.test_race_lines import RaceTable

GAMES = ("go-fish", "one-fish", "casino", "discount-salmon")


@cache
def tables() -> list[OpenTable | RaceTable]:
    """Each game, where its player decides for the first few times."""
    found: list[OpenTable | RaceTable] = []
    for name in GAMES[:3]:
        for wanted in (1, 4):
            table = OpenTable(name, seed=wanted)
            moves = 0
            for telling, _ in table.play(400):
                moves += isinstance(telling, YourMove | Race)
                if moves == wanted:
                    break
            found.append(table)
    race = RaceTable()
    race.begin()
    return [*found, race]


def line(data: bytes) -> None:
    """The first byte is the table; the rest is what is typed there."""
    table = tables()[data[0] % len(tables())] if data else tables()[0]
    read_line(data[1:].decode("utf-8", "replace"), table.show.game, table.view(), table.show.actions)


def typed_lines() -> Iterable[bytes]:
    """Something sound at each table."""
    words = (
        "ask ben 9", "9 from ben", "help", '"hello', "pick 2", "draw deck 2", "take hand", "flip", "play sun",
        "chat hi", "give up Cy", "lay 9", "pass", "mute ben", "resign", "",
    )  # fmt: skip
    return [bytes([n]) + each.encode() for n in range(len(tables())) for each in words]


ROOMS = tuple(
    Room("Go Fish", is_host, 4, 3, (Place("Ann", "", True, is_me=True), Place("Ben", "", False)))
    for is_host in (True, False)
)


def room_line(data: bytes) -> None:
    """The first byte is the room: of a host, or of a guest."""
    room_lines.read(data[1:].decode("utf-8", "replace"), ROOMS[data[0] % 2] if data else ROOMS[0])


def report(data: bytes) -> None:
    """What a terminal reports of its mouse."""
    mouse.read(data.decode("latin-1"))


def pattern(data: bytes) -> None:
    """A pattern of somebody's reader, and a line for it behind a line break."""
    words, _, sample = data.decode("utf-8", "replace").partition("\n")
    Pattern(words).search(sample[:256])


def reader_name(data: bytes) -> None:
    """A reader as it is named on the command line."""
    parse_named(data.decode("utf-8", "replace"))
