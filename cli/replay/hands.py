"""What a seat held and knew at a moment of a recorded game, once the keys that say so were revealed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from engine.cards import Face
from engine.contract import View
from engine.match import Position
from engine.sight import Sight
from engine.table import HandOver, Partial, Slot, Zone, hand_of
from p2p.deal import AnyDealing, Handled, Printed, Progress
from p2p.log.codec import Malformed

from .following import Opened

Private: TypeAlias = tuple[tuple[Zone, Partial], ...]


def open_seats(dealing: AnyDealing, opened: Opened, seats: int) -> tuple[int, ...]:
    """The seats whose hands can be read: of printed cards all, once the table's machine has opened its
    seed."""
    if isinstance(dealing, Printed):
        return tuple(range(seats)) if dealing.scanner in opened else ()
    return tuple(sorted(opened))


def hand_at(dealing: AnyDealing, position: Position, seat: int, opened: Opened) -> dict[Slot, Face]:
    """The faces of a hand, as far as they can be read. The seat is one of ``open_seats``."""
    if not dealing.keys:
        return {}
    if isinstance(dealing, Printed):
        seed, _key = opened[dealing.scanner]
        found = {
            slot: dealing.read_all(dealing.cards[slot], seed) for slot in position.table.slots(hand_of(seat))
        }
        return {slot: each[0] for slot, each in found.items() if each is not None}
    try:
        return dealing.hand(position, seat, opened[seat][1])
    except Malformed:  # a card that is none: what the shuffles proved does not hold, and the verdict says so
        return {}


class SeatSight:
    """The views of one seat, at any moment and in any order. Follows what the seat gave away hidden, once."""

    def __init__(self, seat: int, opened: Opened) -> None:
        self._seat = seat
        self._opened = opened
        self._sight: Sight | None = None
        self._known: list[Private] = [()]

    def view(self, progress: Progress) -> View[Any]:
        """What the seat knew."""
        hand = hand_at(progress.dealing, progress.position, self._seat, self._opened)
        return progress.position.view(self._seat, hand, self._private(progress))

    def _private(self, progress: Progress) -> Private:
        """What it knew of other hands. A game's trail only grows, so it is taken in once and remembered."""
        trail = progress.trail
        for handled in trail[len(self._known) - 1 :]:
            sight = self._sight = self._sight or Sight(progress.position.deck)
            self._take_in(sight, handled)
            self._known.append(sight.known)
        return self._known[len(trail)]

    def _take_in(self, sight: Sight, handled: Handled) -> None:
        before, after, op = handled.before, handled.after, handled.op
        table = before.position.table
        if not isinstance(op, HandOver):
            sight.fold(op, handled.result, table, {})
            return
        hand = hand_at(before.dealing, before.position, self._seat, self._opened)
        received: Mapping[Slot, Face] = {}
        if op.to == self._seat:
            held = hand_at(after.dealing, after.position, self._seat, self._opened)
            received = {old: held[new] for old, new in table.relocations(op) if new in held}
        sight.fold(op, handled.result, table, hand, received)
