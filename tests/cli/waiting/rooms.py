"""Waiting rooms at some moments, for tests of what is drawn and of what is said."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from cli.story import Line
from cli.waiting.about import about_table
from cli.waiting.room import Question, Room, places_of
from p2p.link import KnownPlayer
from p2p.session.setup import Roster, Seated

ANN, BEN, CORAL, DANA, WANG, FLO = (bytes([number]) * 32 for number in range(1, 7))
KNOWN = (KnownPlayer("Ben from work", BEN, 0, verified=True), KnownPlayer("Дана", DANA, 0))
SEATED = (
    Seated(ANN, "Ann", False), Seated(BEN, "Ben", False), Seated(CORAL, "Coral", True),
    Seated(DANA, "Дана", False), Seated(WANG, "王小明", False), Seated(FLO, "Flo", False),
)  # fmt: skip
WORDS = ("lens", "enough", "pulse", "wildcat", "bird", "ninety")
PASTE = ("shoal join", "shoal join 192.0.2.17:7467", "shoal join 127.0.0.1:7467")
TALK = (Line("Ben: hello everybody", "chat"), Line("A connection from 192.0.2.9 was refused: No.", "note"))


def host(count: int, *ready: bytes, seats: int = 4, known: tuple[KnownPlayer, ...] = KNOWN) -> Room:
    """The host's room with so many seats taken."""
    roster = Roster("go-fish", (("ask_mode", "card"),), seats, SEATED[:count])
    places = places_of(known, roster, frozenset(ready), ANN)
    return Room("Go Fish", True, seats, seats, places, PASTE, (about_table(roster),))


def guest(count: int, *ready: bytes, seats: int = 4, me: bytes = BEN) -> Room:
    """A guest's room."""
    roster = Roster("go-fish", (), seats, SEATED[:count])
    places = places_of((), roster, frozenset(ready), me)
    return Room("Go Fish", False, seats, seats, places, (), (about_table(roster),))


def stranger() -> Room:
    """Somebody at the door."""
    text = "Zoe, whom you have not met, wants to sit down (from 192.0.2.44:51515)."
    return replace(host(2, BEN), question=Question("Zoe", (text,), WORDS))


def warning() -> Room:
    """Somebody at the door with a known name and another key."""
    lines = (
        "WARNING: somebody calls itself Дана, but has another key than the Дана you know.",
        "It may be a new machine, or somebody else. Ask Дана in person whether the key is this one.",
    )
    return replace(host(2, BEN), question=Question("Дана", lines, WORDS, is_warning=True))


ROOMS: dict[str, Callable[[], Room]] = {
    "host-alone": lambda: host(1),
    "host-stranger": stranger,
    "host-warning": warning,
    "host-waits": lambda: host(3, BEN),
    "host-full": lambda: host(4, BEN),
    "host-six": lambda: host(6, BEN, WANG, seats=6),
    "guest-outside": lambda: Room("Joining a table", False, 0, 0, own_words=WORDS),
    "guest-seated": lambda: guest(3),
    "guest-ready": lambda: guest(4, BEN),
}
