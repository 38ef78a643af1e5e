"""Open dealing.

One place that knows every face and resolves all that no seat decides. For simulation and tests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from .cards import Face
from .choice import slots_to_give, slots_to_lay, ways_to_give, ways_to_lay
from .contract import Action, BadSetup, Outcome, View
from .match import Position
from .message import Message
from .rng import Stream
from .sight import Sight
from .table import (
    Coin,
    Complete,
    Completed,
    Deed,
    Deeds,
    Disclose,
    Done,
    Draw,
    HandOver,
    Mix,
    Move,
    Number,
    Op,
    Partial,
    Pick,
    Picked,
    Result,
    Return,
    Show,
    Shown,
    Shuffle,
    Slot,
    Table,
    Tick,
    Ticked,
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
        """Faces are those of the deck in its order, or given for every zone of ``position``.

        Chance comes from ``rng``; ``order`` is the result of the first shuffle of each zone instead, and
        ``coins`` the joint random numbers and hidden positions. Using more of them than are listed raises
        ``BadSetup``.
        """
        deck = position.deck
        self._deck = deck
        self._rng = rng
        self._order = list(order or ())
        self._coins = None if coins is None else iter(coins)
        self._faces: dict[Slot, Face] = {}
        if faces is None:
            slots = [slot for zone in position.table.zones.values() for slot in zone]
            self._faces.update(zip(slots, (deck.faces[card] for card in deck.cards), strict=True))
        else:
            for zone, own in faces.items():
                self._faces.update(zip(position.table.slots(zone), own, strict=True))
        self._sight = [Sight(deck) for _ in range(position.seats)]
        self._knowing: list[Sight] = []  # those of ``_sight`` that may not be empty

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

    def view(self, position: Position, seat: int) -> View[Any]:
        """What ``seat`` knows, its own hand and what it gave away included."""
        return position.view(seat, self.hand(position.table, seat), self._sight[seat].known)

    def private(self, seat: int) -> tuple[tuple[Zone, Partial], ...]:
        """What this seat alone was shown of cards that are in other hands now."""
        return self._sight[seat].known

    def decided(
        self, position: Position, deeds: Sequence[tuple[int, Deed]], in_order: bool = False
    ) -> Deeds | Ticked:
        """The result of the pending ``Choose`` or ``Tick`` once every seat has decided.

        The order inside a tick is drawn by lot, unless the deeds are given ``in_order``.
        """
        op = position.pending
        ordered = list(deeds)
        if isinstance(op, Tick) and not in_order:
            self._rng.shuffle(ordered)
        slots = tuple([Slot(hand_of(seat), n) for seat, deed in ordered for n in deed.shown])
        faces = tuple([self._faces[slot] for slot in slots])
        if not isinstance(op, Tick):
            decided = Deeds(tuple(ordered), slots, faces)
            self._see(op, position.table, decided)
            return decided
        absent = tuple([seat for seat in op.seats if seat not in dict(deeds)])
        drawn = tuple([(slot, seat) for slot, seat in op.draws if set(absent) <= {seat}])
        result = Ticked(tuple(ordered), slots, faces, absent, (), drawn)
        self._see(op, position.table, result)
        for old, new in position.table.relocations(result):
            self._faces[new] = self._faces.pop(old)
        return result

    def resolve(self, position: Position, decide: Decide | None = None) -> Result:
        """The result of the pending operation, which must not be a ``Choose`` or ``Tick``.

        Where a holder may choose which cards to show, ``decide`` is asked; without it, chance decides.
        """
        op = position.pending
        if isinstance(op, _CARRIED):
            self._see(op, position.table, _DONE)  # before the faces move
            faces = self._faces
            for old, new in position.table.relocations(op):
                faces[new] = faces.pop(old)
            return _DONE
        result = self._resolved(op, position, decide)
        self._see(op, position.table, result)
        return result

    def _resolved(self, op: Op | Outcome, position: Position, decide: Decide | None) -> Result:
        match op:
            case Complete():
                return self._complete(position, op, decide)
            case Disclose():
                return self._disclose(position, op, decide)
            case Show(slots, attributes):
                return Shown(slots, tuple([self._partial(slot, attributes) for slot in slots]))
            case Pick():
                return self._pick(position, op)
            case Coin(n):
                return Number(self._coin(n))
            case Shuffle(zone) | Mix(zone):
                self._mix(position.table, zone, is_shuffle=isinstance(op, Shuffle))
                return _DONE
            case _:
                raise ValueError(Message("a decision is made by a seat, not by the dealing."))

    def _see(self, op: Op | Outcome, table: Table, result: Result) -> None:
        """What each seat learns from an operation, where that is more than the public does."""
        if isinstance(op, HandOver):
            self._knowing = self._sight
            for seat, sight in enumerate(self._sight):
                received = {slot: self._faces[slot] for slot in op.slots} if seat == op.to else {}
                sight.fold(op, result, table, self.hand(table, seat), received)
            return
        # Most operations tell nobody anything, and most seats have nothing that could change.
        if not self._knowing or (isinstance(result, _SHOWN) and not result.slots):
            return
        assert not isinstance(op, Outcome)
        self._knowing = [sight for sight in self._knowing if not sight.is_empty]
        for sight in self._knowing:
            sight.fold(op, result, table, {})

    def _pick(self, position: Position, op: Pick) -> Picked:
        size = position.table.size(op.zone)
        positions: list[int] = []
        while len(positions) < op.count:
            at = self._coin(size)
            if at not in positions:
                positions.append(at)
            elif self._coins is not None:
                raise BadSetup(Message("The hidden position {at} is listed twice.", at=at))
        if self._coins is None:
            self._mix(position.table, op.zone)
        else:  # the positions of a scenario are those of the hand as it is written
            self._renumber(position.table, op.zone)
        return Picked(tuple([Slot(op.zone, at) for at in positions]))

    def _coin(self, n: int) -> int:
        if self._coins is None:
            return self._rng.below(n)
        value = next(self._coins, None)
        if value is None:
            raise BadSetup(Message("More joint random numbers are used than are listed."))
        if not 0 <= value < n:
            raise BadSetup(
                Message(
                    "The joint random number {value} is listed where one below {n} is used.", value=value, n=n
                )
            )
        return value

    def _mix(self, table: Table, zone: Zone, *, is_shuffle: bool = False) -> None:
        """The cards of a zone by chance, or at a shuffle in the order that was given for the whole deck."""
        self._renumber(table, zone)
        slots = numbered(zone, table.size(zone))
        moved = [self._faces[slot] for slot in slots]
        if is_shuffle and self._order:
            moved = self._in_given_order(moved)
        else:
            self._rng.shuffle(moved)
        self._faces.update(zip(slots, moved, strict=True))

    def _renumber(self, table: Table, zone: Zone) -> None:
        moved = [self._faces.pop(slot) for slot in table.slots(zone)]
        self._faces.update(zip(numbered(zone, len(moved)), moved, strict=True))

    def _in_given_order(self, faces: list[Face]) -> list[Face]:
        left, ordered, others = Counter(faces), [], []
        for face in self._order:
            if left[face] > 0:
                left[face] -= 1
                ordered.append(face)
            else:
                others.append(face)
        self._order = others
        return ordered

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
        return Shown(slots, tuple([self._partial(slot, op.attributes) for slot in slots]))

    def _complete(self, position: Position, op: Complete, decide: Decide | None) -> Completed:
        faces = self._faces
        at = self._deck.at(op.attribute)
        values = [faces[slot][at] for slot in position.table.slots(hand_of(op.seat))]
        if max(map(values.count, values), default=0) < op.size:
            return _NOTHING
        hand = self.hand(position.table, op.seat)
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

# Asked for with every operation, so not written as unions, which are made anew each time.
_DONE = Done()
_CARRIED = (Move, Draw, HandOver, Return)
_SHOWN = (Deeds, Shown)
