"""Tables in sight, each with a figure that stays its own for as long as it is there. Pure.

What a table says of itself is a claim. Whether its host is known can only be guessed from the beginning of a
key; ``join`` checks the whole key.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

FIGURES: Final = 9
"""Tables that a key can choose; further ones are chosen with the mark."""

HOLD: Final = 3.0
"""Seconds for which a table that went keeps its line: who was about to press its figure must not find
another table there."""


class Host(Enum):
    """What this player may think of a host."""

    STRANGER = "stranger"
    KNOWN = "known"
    OTHER_KEY = "other key"
    OWN = "own"


@dataclass(frozen=True, slots=True)
class Table:
    """One announced table. ``instance`` tells two starts of one program apart; ``is_watched``: once it is
    full, others may look on, or (``is_for_friends``) only those whom its players have met. ``own_game`` are
    the words of the command that goes on with the player's own game there, where one waits."""

    instance: str
    host: str
    title: str
    taken: int
    seats: int
    addresses: tuple[str, ...]
    acquaintance: Host = Host.STRANGER
    is_watched: bool = False
    is_for_friends: bool = False
    own_game: tuple[str, ...] = ()

    @property
    def needs_friend(self) -> bool:
        """Whether this player may look on only where somebody at the table knows it; of the host it is seen
        here."""
        return self.is_watched and self.is_for_friends and self.acquaintance is Host.STRANGER

    @property
    def is_full(self) -> bool:
        """Whether it takes no more guests."""
        return self.taken >= self.seats


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the list; ``gone`` is the time at which its table went."""

    figure: int
    table: Table
    gone: float | None = None


def updated(rows: Sequence[Row], found: Sequence[Table], now: float) -> tuple[Row, ...]:
    """The list after a look at the network: who was there keeps its figure, new ones take the lowest free."""
    there = {table.instance: table for table in found}
    kept = []
    for row in rows:
        if row.table.instance in there:
            kept.append(Row(row.figure, there.pop(row.table.instance)))
        elif row.gone is None or now < row.gone + HOLD:
            kept.append(row if row.gone is not None else replace(row, gone=now))
    used = {row.figure for row in kept}
    for table in there.values():
        figure = next(n for n in range(1, len(used) + 2) if n not in used)
        used.add(figure)
        kept.append(Row(figure, table))
    return tuple(sorted(kept, key=lambda row: row.figure))


def expired(rows: Sequence[Row], now: float) -> tuple[Row, ...]:
    """The list without tables that went a while ago."""
    return tuple(row for row in rows if row.gone is None or now < row.gone + HOLD)


def next_expiry(rows: Sequence[Row]) -> float | None:
    """When the list has to be looked through again."""
    return min((row.gone + HOLD for row in rows if row.gone is not None), default=None)
