"""What everybody knows: for each zone a multiset of (partly known) faces, and what a hand was shown to lack.

A table remembers public faces only as long as their slots are valid. Knowledge outlives that: after a mix
nobody can say which card is the nine of clubs, yet the hand still holds it. All of it is a *lower bound*:
for every listed element there is a different card in the zone that it describes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from .cards import Deck
from .table import (
    Choose,
    Claim,
    Completed,
    Deeds,
    Disclose,
    Draw,
    HandOver,
    Holds,
    Match,
    Mix,
    Move,
    Op,
    Partial,
    Pick,
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
)

Loose: TypeAlias = Mapping[Zone, tuple[Partial, ...]]

_EMPTY: Mapping[Zone, tuple[Any, ...]] = MappingProxyType({})


class Facts:
    """Public knowledge about one table. Immutable."""

    __slots__ = ("_deck", "_denied", "_loose", "_table")

    def __init__(
        self,
        deck: Deck,
        table: Table,
        loose: Loose = _EMPTY,
        denied: Mapping[Zone, tuple[Match, ...]] = _EMPTY,
    ) -> None:
        """``loose`` are faces known to lie in a zone, though not where; the rest is read from ``table``."""
        self._deck = deck
        self._table = table
        self._loose = loose
        self._denied = denied

    def held(self, zone: Zone) -> tuple[Partial, ...]:
        """What is known of the cards of ``zone``, in deck order."""
        known = self._table.known
        pinned = [known[slot] for slot in self._table.slots(zone) if slot in known] if known else []
        return tuple(self._deck.sorted([*self._loose.get(zone, ()), *pinned]))

    def denied(self, zone: Zone) -> tuple[Match, ...]:
        """What ``zone`` was shown to hold none of, as long as nothing has come in since that might match.

        After all matching cards were shown there are none once these have left.
        """
        denied = self._denied.get(zone, ())
        if not denied:
            return ()
        held = self.held(zone)
        return tuple(m for m in denied if not any(self._deck.matches(element, m) for element in held))

    def all_held(self) -> dict[Zone, tuple[Partial, ...]]:
        """``held`` for every zone with something known."""
        found = {zone: self.held(zone) for zone in self._table.zones}
        return {zone: held for zone, held in found.items() if held}

    def all_denied(self) -> dict[Zone, tuple[Match, ...]]:
        """``denied`` for every zone with something denied."""
        found = {zone: self.denied(zone) for zone in self._denied}
        return {zone: denied for zone, denied in found.items() if denied}

    def after(self, op: Op, result: Result, claims: Iterable[Claim]) -> Facts:
        """Knowledge once ``op`` has ended with ``result``; ``claims`` are those of a ``Choose``."""
        facts = Facts(self._deck, self._table.after(op, result), self._loose, self._denied)
        match op:
            case Shuffle(zone) | Mix(zone) | Pick(_, zone):
                facts._loosen(zone, self._table)
            case Draw() | Move() | HandOver() | Return():
                facts._relocate(self._table, self._table.relocations(op))
            case Choose() if isinstance(result, Deeds):
                facts._pin(self._table, result.slots, result.faces)
            case Tick() if isinstance(result, Ticked):
                facts._pin(self._table, result.slots, result.faces)
                facts._relocate(self._table, self._table.relocations(result))
            case Show() | Disclose() if isinstance(result, Shown):
                facts._pin(self._table, result.slots, result.faces)
                if isinstance(op, Disclose):
                    facts._deny(self._table, op, result)
            case _:
                for groups, faces in _laid(result):
                    facts._pin(self._table, groups, faces)
        for claim in claims:
            if isinstance(claim, Holds):
                facts._hold(claim.zone, claim.match)
        return facts

    # The methods below complete a value that nobody else has seen yet.

    def _put(self, zone: Zone, loose: Iterable[Partial]) -> None:
        self._loose = {**self._loose, zone: tuple(loose)}

    def _loosen(self, zone: Zone, before: Table) -> None:
        pinned = [before.known[slot] for slot in before.slots(zone) if slot in before.known]
        if pinned:
            self._put(zone, [*self._loose.get(zone, ()), *pinned])

    def _pin(self, before: Table, slots: Iterable[Slot], faces: Iterable[Partial]) -> None:
        """A card whose face is shown may be the one that was known to be in the zone: count it once."""
        for slot, face in zip(slots, faces, strict=True):
            loose = self._loose.get(slot.zone, ())
            if slot in before.known or not loose:
                continue
            fitting = [element for element in loose if fits(element, face)]
            if fitting:
                self._put(slot.zone, without(loose, max(fitting, key=weight), face))

    def _relocate(self, before: Table, moved: tuple[tuple[Slot, Slot], ...]) -> None:
        for old, new in moved:
            face = before.known.get(old)
            if face is None:
                self._lose_one(old.zone)
            self._admit(new.zone, face)

    def _lose_one(self, zone: Zone) -> None:
        """A hidden card left: of equal elements one fewer is certain."""
        loose = self._loose.get(zone)
        if loose:
            self._put(zone, [element for n, element in enumerate(loose) if element in loose[:n]])

    def _admit(self, zone: Zone, face: Partial | None) -> None:
        denied = self._denied.get(zone)
        if denied:
            kept = tuple(m for m in denied if face is not None and self._deck.matches(face, m) is False)
            self._denied = {**self._denied, zone: kept}

    def _deny(self, before: Table, op: Disclose, result: Shown) -> None:
        """Nothing but what is shown matches, if the whole hand was asked and nothing held back."""
        zone = op.slots[0].zone if op.slots else ""
        if (op.most is None or not result.slots) and op.slots == before.slots(zone):
            denied = self._denied.get(zone, ())
            if op.match not in denied:
                self._denied = {**self._denied, zone: (*denied, op.match)}

    def _hold(self, zone: Zone, match: Match) -> None:
        """A proved ``Holds`` adds an element, unless one that is known already may be the very card."""
        if any(self._deck.matches(element, match) is not False for element in self.held(zone)):
            return
        if match.attribute:
            at = self._deck.at(match.attribute)
            element: Partial = tuple(
                match.value if n == at else None for n in range(len(self._deck.attributes))
            )
        else:
            element = self._deck.parse(match.value)
        self._put(zone, [*self._loose.get(zone, ()), self._deck.whole(element)])


class FoldedFacts:
    """The facts after some operations, folded when first asked for: a game can be played without them."""

    # Tables in between are made again: they would be most of what a game keeps in memory that nobody asks.
    __slots__ = ("before", "facts", "folded")

    def __init__(self, before: FoldedFacts, op: Op, result: Result, claims: tuple[Claim, ...]) -> None:
        self.before: FoldedFacts | None = before
        self.folded: tuple[Op, Result, tuple[Claim, ...]] | None = (op, result, claims)
        self.facts: Facts | None = None

    @classmethod
    def of(cls, facts: Facts) -> FoldedFacts:
        """Facts that are there already."""
        folded = cls.__new__(cls)
        folded.before = folded.folded = None
        folded.facts = facts
        return folded

    @property
    def value(self) -> Facts:
        """The facts. Safe to ask for from several threads: they would find the same."""
        trail: list[FoldedFacts] = []
        at: FoldedFacts = self
        while (facts := at.facts) is None:
            trail.append(at)
            before = at.before
            if before is None:  # another thread has just finished this one
                trail.pop()
                continue
            at = before
        for step in reversed(trail):
            folded = step.folded
            if folded is not None:
                step.facts = facts = facts.after(*folded)
            elif step.facts is not None:
                facts = step.facts
        for step in trail:
            step.before = step.folded = None  # the past is not needed any more
        return facts


def _laid(result: Result) -> Iterable[tuple[tuple[Slot, ...], tuple[Partial, ...]]]:
    return zip(result.groups, result.faces, strict=True) if isinstance(result, Completed) else ()


def fits(element: Partial, other: Partial) -> bool:
    """Whether both may be the same card, by what is known of each."""
    return all(a is None or b is None or a == b for a, b in zip(element, other, strict=True))


def weight(element: Partial) -> int:
    """How many attributes are known."""
    return sum(value is not None for value in element)


def without(elements: tuple[Partial, ...], gone: Partial, face: Partial) -> list[Partial]:
    """``elements`` without ``gone``, where the shown ``face`` may have been the card of any that fits it.

    If it was the card of another element, the card of ``gone`` takes its place there, which needs that
    element to describe it; one that does not is no longer certain.
    """
    at = elements.index(gone)
    rest = [*elements[:at], *elements[at + 1 :]]
    return [element for element in rest if not fits(element, face) or _describes(element, gone)]


def _describes(element: Partial, other: Partial) -> bool:
    """Whether every card that ``other`` describes is described by ``element`` too."""
    return all(a is None or a == b for a, b in zip(element, other, strict=True))
