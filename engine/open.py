"""Open dealing.

One place that knows every face and resolves all that no seat decides. For simulation and tests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from .cards import Face
from .choice import slots_to_give, slots_to_lay, ways_to_give, ways_to_lay
from .contract import Action, BadSetup
from .match import Position
from .rng import Stream
from .table import (
    STOCK,
    Choose,
    Coin,
    Complete,
    Completed,
    Disclose,
    Done,
    Draw,
    HandOver,
    Mix,
    Move,
    Number,
    Op,
    Result,
    Return,
    Show,
    Shown,
    Shuffle,
    Slot,
    Table,
    Zone,
    hand_of,
    numbered,
)

Decide = Callable[[Position, int, tuple[Action, ...]], Action]
"""Chooses one of several actions for a seat."""


class Open:
    """All faces of one game, kept in step with a position by ``resolve`` and ``settle``. Mutable."""

    def __init__(
        self,
        position: Position,
        rng: Stream,
        faces: Mapping[Zone, Iterable[Face]] | None = None,
        *,
        order: Iterable[Face] | None = None,
        coins: Iterable[int] | None = None,
    ) -> None:
        """Faces are those of the deck, all in the stock, or given for every zone of ``position``.

        Chance comes from ``rng``; ``order`` is the result of the first shuffle instead, and ``coins`` the
        joint random numbers. Using more of them than are listed raises ``BadSetup``.
        """
        deck = position.deck
        self._deck = deck
        self._rng = rng
        self._order = None if order is None else list(order)
        self._coins = None if coins is None else iter(coins)
        if faces is None:
            faces = {STOCK: (deck.faces[card] for card in deck.cards)}
        self._faces: dict[Slot, Face] = {}
        for zone, own in faces.items():
            self._faces.update(zip(position.table.slots(zone), own, strict=True))

    def face(self, slot: Slot) -> Face:
        """The face of one card."""
        return self._faces[slot]

    def faces(self, table: Table, zone: Zone) -> tuple[Face, ...]:
        """The faces in ``zone``, in the order of its slots."""
        return tuple(self._faces[slot] for slot in table.slots(zone))

    def hand(self, table: Table, seat: int) -> dict[Slot, Face]:
        """The hand of a seat."""
        faces = self._faces
        return {slot: faces[slot] for slot in table.slots(hand_of(seat))}

    def resolve(self, position: Position, decide: Decide | None = None) -> Result:
        """The result of the pending operation, which must not be a ``Choose``.

        Where a holder may choose which cards to show, ``decide`` is asked; without it, chance decides.
        """
        op = position.pending
        match op:
            case Coin(n):
                return Number(self._coin(n))
            case Disclose():
                return self._disclose(position, op, decide)
            case Complete():
                return self._complete(position, op, decide)
            case Show(slots, attributes):
                return Shown(slots, tuple(self._partial(slot, attributes) for slot in slots))
            case Choose():
                raise ValueError("a decision is made by a seat, not by the dealing.")
            case _:
                self._carry_out(position.table, op)  # type: ignore[arg-type]
                return Done()

    def _coin(self, n: int) -> int:
        if self._coins is None:
            return self._rng.below(n)
        value = next(self._coins, None)
        if value is None:
            raise BadSetup("More joint random numbers are used than are listed.")
        if not 0 <= value < n:
            raise BadSetup(f"The joint random number {value} is listed where one below {n} is used.")
        return value

    def _carry_out(self, table: Table, op: Op) -> None:
        faces = self._faces
        match op:
            case Draw() | Move() | HandOver() | Return():
                for old, new in table.relocations(op):
                    faces[new] = faces.pop(old)
            case Shuffle(zone) | Mix(zone):
                slots = table.slots(zone)
                moved = [faces.pop(slot) for slot in slots]
                if isinstance(op, Shuffle) and self._order is not None:
                    moved, self._order = self._order, None
                else:
                    self._rng.shuffle(moved)
                faces.update(zip(numbered(zone, len(moved)), moved, strict=True))

    def _partial(self, slot: Slot, attributes: tuple[str, ...]) -> tuple[str | None, ...]:
        face = self._faces[slot]
        if not attributes:
            return face
        shown = {self._deck.at(attribute) for attribute in attributes}
        return tuple(value if n in shown else None for n, value in enumerate(face))

    def _disclose(self, position: Position, op: Disclose, decide: Decide | None) -> Shown:
        faces, matches = self._faces, self._deck.matches
        slots = tuple([slot for slot in op.slots if matches(faces[slot], op.match)])
        if op.most is not None and len(slots) > op.most:
            hand = self.hand(position.table, op.seat)
            way = self._way(position, op.seat, hand, decide)
            chosen = way if way is not None else self._rng.choice(ways_to_give(self._deck, hand, op))
            slots = slots_to_give({slot: faces[slot] for slot in op.slots}, chosen)
        return Shown(slots, tuple([faces[slot] for slot in slots]))

    def _complete(self, position: Position, op: Complete, decide: Decide | None) -> Completed:
        faces = self._faces
        hand = self.hand(position.table, op.seat)
        at = self._deck.at(op.attribute)
        values = [face[at] for face in hand.values()]
        if all(values.count(value) < op.size for value in values):
            return _NOTHING
        ways = ways_to_lay(self._deck, hand, op)
        chosen = self._way(position, op.seat, hand, decide) if len(ways) > 1 else ways[0]
        groups = slots_to_lay(hand, self._rng.choice(ways) if chosen is None else chosen, op.size)
        return Completed(groups, tuple(tuple(faces[slot] for slot in group) for group in groups))

    def _way(
        self, position: Position, seat: int, hand: Mapping[Slot, Face], decide: Decide | None
    ) -> tuple[Face, ...] | None:
        if decide is None:
            return None
        choices = position.choices(seat, hand)
        action = decide(position, seat, choices) if len(choices) > 1 else choices[0]
        return tuple(self._deck.parse(card) for card in action.cards)


_NOTHING = Completed((), ())
