"""What one seat alone was shown of cards that lie in other hands: the giver of a hidden card knows its face.

Public facts are kept in ``facts``; this is what comes on top of them for one seat. Like them it is a *lower
bound*: what may have left is not listed any more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from .cards import Deck, Face
from .facts import fits, weight, without
from .table import (
    Choose,
    Complete,
    Completed,
    Deeds,
    Disclose,
    HandOver,
    Mix,
    Move,
    Op,
    Partial,
    Pick,
    Result,
    Return,
    Show,
    Shown,
    Slot,
    Table,
    Tick,
    Ticked,
    Zone,
)

_NOTHING: Mapping[Slot, Face] = MappingProxyType({})


class Sight:
    """The faces that one seat knows and the public does not, of cards that have left its hand. Mutable."""

    __slots__ = ("_deck", "_loose", "_pinned")

    def __init__(self, deck: Deck) -> None:
        self._deck = deck
        self._pinned: dict[Slot, Face] = {}
        self._loose: dict[Zone, list[Face]] = {}

    @property
    def is_empty(self) -> bool:
        """Whether the seat knows no more than the public does."""
        return not self._pinned and not self._loose

    @property
    def known(self) -> tuple[tuple[Zone, Partial], ...]:
        """Zone and face of every card, in the order of the zones and of the deck."""
        if not self._pinned and not self._loose:
            return ()
        found = [(slot.zone, face) for slot, face in self._pinned.items()]
        found += [(zone, face) for zone, faces in self._loose.items() for face in faces]
        return tuple(sorted(found, key=lambda each: (each[0], self._deck.index(each[1]))))

    def fold(
        self,
        op: Op,
        result: Result,
        before: Table,
        hand: Mapping[Slot, Face],
        received: Mapping[Slot, Face] = _NOTHING,
    ) -> None:
        """Take in one operation. ``before`` is the table, and ``hand`` the own hand, before it.

        ``received`` are the faces that a ``HandOver`` brings into the own hand, by the slots they had before:
        what else is known of the giver's hand is still there.
        """
        match op:
            case HandOver(slots) if received:
                self._forget(received)
            case HandOver(slots):
                self._relocate(
                    before, before.relocations(op), {slot: hand[slot] for slot in slots if slot in hand}
                )
            case Move() | Return() if self._pinned or self._loose:
                self._relocate(before, before.relocations(op), {})
            case Mix(zone) | Pick(_, zone) if self._pinned:
                self._loosen(zone)
            case Show() | Disclose() | Choose() | Tick() if isinstance(result, Shown | Deeds | Ticked):
                self._reveal(result.slots, result.faces)
            case Complete() if isinstance(result, Completed):
                for slots, faces in zip(result.groups, result.faces, strict=True):
                    self._reveal(slots, faces)

    def _relocate(
        self, before: Table, moved: tuple[tuple[Slot, Slot], ...], given: Mapping[Slot, Face]
    ) -> None:
        for old, new in moved:
            face = given.get(old) or self._pinned.pop(old, None)
            is_public = None not in before.known.get(old, (None,))
            if face is not None and not is_public:
                self._pinned[new] = face
            elif face is None and not is_public:
                self._lose_one(old.zone, before.known.get(old))

    def _forget(self, received: Mapping[Slot, Face]) -> None:
        """Cards that came into the own hand are not listed any more."""
        for slot, face in received.items():
            loose = self._loose.get(slot.zone, [])
            if self._pinned.pop(slot, None) is None and face in loose:
                self._put(slot.zone, [other for n, other in enumerate(loose) if n != loose.index(face)])

    def _loosen(self, zone: Zone) -> None:
        for slot in [slot for slot in self._pinned if slot.zone == zone]:
            self._loose.setdefault(zone, []).append(self._pinned.pop(slot))

    def _reveal(self, slots: Iterable[Slot], faces: Iterable[Partial]) -> None:
        """A card was shown: it is known to all now, and may be the one this seat knew."""
        for slot, shown in zip(slots, faces, strict=True):
            if slot in self._pinned:
                if None not in shown:
                    del self._pinned[slot]
                continue
            loose = self._loose.get(slot.zone, [])
            fitting = next((face for face in loose if fits(face, shown)), None)
            if fitting is not None:
                self._put(slot.zone, [face for n, face in enumerate(loose) if n != loose.index(fitting)])

    def _lose_one(self, zone: Zone, known: Partial | None) -> None:
        """A card this seat cannot tell has left: of equal faces one fewer is certain."""
        loose = self._loose.get(zone)
        if loose:
            left = [
                face for n, face in enumerate(loose) if face in loose[:n] or (known and not fits(face, known))
            ]
            self._put(zone, left)

    def _put(self, zone: Zone, faces: list[Face]) -> None:
        if faces:
            self._loose[zone] = faces
        else:
            del self._loose[zone]


def with_private(
    public: Mapping[Zone, tuple[Partial, ...]], private: Iterable[tuple[Zone, Partial]], deck: Deck
) -> dict[Zone, tuple[Partial, ...]]:
    """What is known in each zone, each card counted once.

    A card that the seat knows may be one that the public knows in part, so it takes the place of that.
    """
    known = dict(public)
    for zone, face in private:
        held = list(known.get(zone, ()))
        fitting = [part for part in held if fits(face, part)]
        if fitting:
            gone = max(fitting, key=weight)
            held = without(tuple(held), gone, face)
        known[zone] = tuple(deck.sorted([*held, face]))
    return known
