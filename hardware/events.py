"""What happens on a table, as values for the layer above `hardware.presence`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from .uids import Flaw, Uid


@dataclass(frozen=True, slots=True)
class Place:
    """One antenna of one reader."""

    reader: str
    antenna: int = 0


@dataclass(frozen=True, slots=True)
class Placed:
    """A tag now lies at a place. ``known``: it is in the book, and ``uid`` is how the book has it."""

    uid: Uid
    place: Place
    at: float
    known: bool


@dataclass(frozen=True, slots=True)
class Removed:
    """A tag no longer lies at a place. ``at`` is when that was found, not when it was lifted."""

    uid: Uid
    place: Place
    at: float


@dataclass(frozen=True, slots=True)
class Tapped:
    """A tag was held to a reader that cannot tell whether it stays."""

    uid: Uid
    place: Place
    at: float
    known: bool


@dataclass(frozen=True, slots=True)
class Once:
    """An unknown tag was read once by a reader that reports tags once: it counts when tapped again soon."""

    uid: Uid
    place: Place


@dataclass(frozen=True, slots=True)
class Refused:
    """A tag that can never be a card, such as a telephone."""

    uid: Uid
    place: Place
    flaw: Flaw


@dataclass(frozen=True, slots=True)
class Disturbed:
    """Nothing certain was read for several rounds: most often cards overlap. What lay there is taken to
    stay."""

    place: Place
    why: str


@dataclass(frozen=True, slots=True)
class Undisturbed:
    """Rounds succeed again."""

    place: Place


@dataclass(frozen=True, slots=True)
class Unsure:
    """What lies at a place is not known for the time being; nothing is removed until `Settled`."""

    place: Place
    why: str


@dataclass(frozen=True, slots=True)
class Settled:
    """What lies at a place is known again. Removals, if any, came before."""

    place: Place


Event: TypeAlias = Placed | Removed | Tapped | Once | Refused | Disturbed | Undisturbed | Unsure | Settled
