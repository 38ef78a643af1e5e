"""Zones and slots: names for the places of a table, and for the cards that lie there face down."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple, TypeAlias, TypeGuard

import msgspec

Zone: TypeAlias = str
"""A place for cards: ``"stock"``, ``"hand.2"``, ``"books.0"``.

Only ``hand.N`` and ``down.N`` (face down in front of a seat) hide cards under the key of one seat.
"""

Partial: TypeAlias = tuple[str | None, ...]
"""One value per attribute of the deck, ``None`` where it is not known."""


def is_whole(partial: Partial) -> TypeGuard[tuple[str, ...]]:
    """Whether every attribute is known: then it is a face."""
    return None not in partial


STOCK: Zone = "stock"


class Slot(NamedTuple):
    """A handle for one card, valid until the next mix or shuffle of its zone."""

    zone: Zone
    n: int


@lru_cache(maxsize=64)
def hand_of(seat: int) -> Zone:
    """The hand zone of a seat."""
    return f"hand.{seat}"


@lru_cache(maxsize=64)
def down_of(seat: int) -> Zone:
    """Where a seat's cards lie that left its hand face down: still under its key, and never shown."""
    return f"down.{seat}"


@lru_cache(maxsize=512)
def owner(zone: Zone) -> int | None:
    """The seat whose key hides the cards of ``zone``; ``None`` for zones that belong to the whole table."""
    kind, _, seat = zone.partition(".")
    return int(seat) if kind in ("hand", "down") else None


class Match(msgspec.Struct, frozen=True, gc=False):
    """What a card is compared with.

    One attribute's value, or (``attribute`` empty) a whole face by its text.
    """

    attribute: str
    value: str


@lru_cache(maxsize=512)
def numbered(zone: Zone, count: int) -> tuple[Slot, ...]:
    """The slots of a zone of ``count`` cards that was just mixed, shuffled or set up."""
    return tuple(Slot(zone, n) for n in range(count))
