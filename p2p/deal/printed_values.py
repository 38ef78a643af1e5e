"""What a deal of printed cards keeps between its rounds: plain values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engine.match import Position
from engine.table import Claim, Deed, Partial, Slot, Zone

from .hidden import Committed, Origin
from .printed_cards import Card, Scan

TO_ALL = -1
"""In place of a seat: a card that is laid face up."""

SCANNED = "scanned"
"""What a draw has in its stash once its cards are scanned, and only wait for their seats to look at them."""


class Cut(NamedTuple):
    """Where a pack is cut: the ``at`` cards on top of a pile of ``of`` go beneath."""

    zone: Zone
    at: int
    of: int


class Batch(NamedTuple):
    """Cards as they were and as they are now, by one contribution of the table's machine: ``scan``,
    ``seal`` for another seat, ``mix``; or by a shuffle, ``shuffle``, which nobody follows."""

    kind: str
    step: int
    before: tuple[Card, ...]
    after: tuple[Card, ...]
    origin: Origin | None = None


class Said(NamedTuple):
    """What a seat stated of its cards, as they lay then."""

    seat: int
    step: int
    claims: tuple[Claim, ...]
    position: Position
    cards: Mapping[Slot, Card]


class Spoken(NamedTuple):
    """A seat's decision, answer or settle, checked: its deed, what it shows, and what it states."""

    seat: int
    step: int
    deed: Deed
    faces: Mapping[Slot, Partial]
    claims: tuple[Claim, ...]


class Mixed(NamedTuple):
    """A hand in its new order, each card committed to anew. ``origin`` is where the order comes from."""

    origin: Origin
    scans: tuple[Scan, ...]


class Laid(NamedTuple):
    """Cards of a pile that are shown: each as it is now, and the step."""

    step: int
    cards: tuple[Card, ...]


class PrintedCommitment(NamedTuple):
    """A seat's first round of a tick: the commitment to its deed, and the cards that it scanned."""

    committed: Committed
    scans: tuple[Scan, ...]
