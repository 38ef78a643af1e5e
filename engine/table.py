"""The public table: where every card lies, and what each operation does to that.

Nothing here knows how a card is hidden: a slot is a handle for one card in one zone, and its face is known
publicly only once a result has shown it. The words that a game needs for its table, those of ``slots`` and
``operations``, can be imported from here.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from .operations import (
    AtMost,
    Choose,
    Claim,
    Coin,
    Complete,
    Completed,
    Deed,
    Deeds,
    Disclose,
    Done,
    Draw,
    HandOver,
    Holds,
    Lacks,
    Mix,
    Move,
    Number,
    Op,
    Pick,
    Picked,
    Result,
    Return,
    Show,
    Shown,
    Shuffle,
    Tick,
    Ticked,
    settle_claims,
)
from .slots import (
    STOCK,
    Match,
    Partial,
    Slot,
    Zone,
    down_of,
    hand_of,
    is_whole,
    numbered,
    owner,
)

__all__ = [
    "STOCK",
    "AtMost",
    "Choose",
    "Claim",
    "Coin",
    "Complete",
    "Completed",
    "Deed",
    "Deeds",
    "Disclose",
    "Done",
    "Draw",
    "HandOver",
    "Holds",
    "Lacks",
    "Match",
    "Mix",
    "Move",
    "Number",
    "Op",
    "Partial",
    "Pick",
    "Picked",
    "Result",
    "Return",
    "Show",
    "Shown",
    "Shuffle",
    "Slot",
    "Table",
    "Tick",
    "Ticked",
    "Zone",
    "down_of",
    "hand_of",
    "is_whole",
    "numbered",
    "owner",
    "settle_claims",
]

# Asked for with every operation, and ``isinstance`` is slow to say no of a struct: hence a set of types for
# the one, and the most frequent first in the other.
_RELOCATING = frozenset((Move, Draw, HandOver, Return))
_SHOWN = (Deeds, Shown)


class Table:
    """Where every card lies, as slots, and the faces (or parts of them) that are public. Immutable.

    A card that enters a zone gets the zone's next number and lies last; a mix or shuffle numbers the zone
    anew from 0 and forgets which public face lies where.
    """

    __slots__ = ("_moves", "_next", "known", "zones")

    zones: Mapping[Zone, tuple[Slot, ...]]
    known: Mapping[Slot, Partial]

    def __init__(
        self,
        zones: Mapping[Zone, tuple[Slot, ...]],
        known: Mapping[Slot, Partial],
        following: Mapping[Zone, int],
    ) -> None:
        """``following`` is the number that the next card to enter a zone gets; 0 where it is not named."""
        self.zones = zones
        self.known = known
        self._next = following
        self._moves: tuple[Op | Ticked, tuple[tuple[Slot, Slot], ...]] | None = None

    @classmethod
    def stocked(cls, count: int, zone: Zone = STOCK) -> Table:
        """A table whose ``count`` cards all lie in ``zone``, unknown, top first."""
        return cls({zone: numbered(zone, count)}, {}, {zone: count})

    @classmethod
    def stocked_zones(cls, counts: Mapping[Zone, int]) -> Table:
        """A table whose cards lie unknown in several zones, which the deck fills in this order."""
        return cls({zone: numbered(zone, count) for zone, count in counts.items()}, {}, dict(counts))

    @classmethod
    def laid_out(cls, sizes: Mapping[Zone, int], known: Mapping[Slot, Partial]) -> Table:
        """A table with so many cards in each zone, numbered from 0, some of them public."""
        return cls({zone: numbered(zone, count) for zone, count in sizes.items()}, known, dict(sizes))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and (self.zones, self.known) == (other.zones, other.known)

    __hash__ = None  # type: ignore[assignment]  # it holds dictionaries

    def slots(self, zone: Zone) -> tuple[Slot, ...]:
        """The slots of a zone in order; the top of a pile comes first."""
        return self.zones.get(zone, ())

    def size(self, zone: Zone) -> int:
        """How many cards lie in ``zone``."""
        return len(self.zones.get(zone, ()))

    def relocations(self, op: Op | Ticked) -> tuple[tuple[Slot, Slot], ...]:
        """Old and new handle of every card that changes its zone by ``op``, in order.

        What is drawn in a tick is known from its result alone.
        """
        # Asked for twice at least: by the dealing, and for the next table.
        moves = self._moves
        if moves is None or moves[0] is not op:
            moves = self._moves = (op, self._relocations(op))
        return moves[1]

    def _relocations(self, op: Op | Ticked) -> tuple[tuple[Slot, Slot], ...]:
        match op:
            case Move(slots, zone) | Return(slots, zone):
                return self._entering(slots, zone)
            case HandOver(slots, to):
                return self._entering(slots, hand_of(to))
            case Draw(draws) | Ticked(drawn=draws):
                targets = [(slot, hand_of(seat)) for slot, seat in draws]
            case _:
                return ()
        following: dict[Zone, int] = {}
        moved = []
        for slot, zone in targets:
            n = following.get(zone)
            if n is None:
                n = self._next.get(zone, 0)
            following[zone] = n + 1
            moved.append((slot, Slot(zone, n)))
        return tuple(moved)

    def _entering(self, slots: tuple[Slot, ...], zone: Zone) -> tuple[tuple[Slot, Slot], ...]:
        first = self._next.get(zone, 0)
        return tuple([(slot, _slot(zone, n)) for n, slot in enumerate(slots, first)])

    def after(self, op: Op, result: Result) -> Table:
        """The table once ``op`` has ended with ``result``."""
        if type(op) in _RELOCATING:
            return self._relocated(self.relocations(op))
        if isinstance(result, _SHOWN):
            return self._shown(result.slots, result.faces)
        if isinstance(result, Completed):
            table = self
            for slots, faces in zip(result.groups, result.faces, strict=True):
                table = table._shown(slots, faces)
            return table
        match op:
            case Shuffle(zone) | Mix(zone) | Pick(_, zone):
                return self._renumbered(zone)
            case Tick() if isinstance(result, Ticked):
                shown = self._shown(result.slots, result.faces)
                return shown._relocated(self.relocations(result))  # noqa: SLF001  # a table too
            case _:
                return self

    def _renumbered(self, zone: Zone) -> Table:
        slots = self.slots(zone)
        known = self.known
        if not known.keys().isdisjoint(slots):
            known = dict(known)
            for slot in slots:
                known.pop(slot, None)
        zones = dict(self.zones)
        following = dict(self._next)
        zones[zone] = numbered(zone, len(slots))
        following[zone] = len(slots)
        return Table(zones, known, following)

    def _relocated(self, moved: tuple[tuple[Slot, Slot], ...]) -> Table:
        if not moved:
            return self
        zones, following, known = dict(self.zones), dict(self._next), self.known
        gone = tuple([old for old, _ in moved])
        source = zones[gone[0].zone]
        if source[: len(gone)] == gone:  # the top of one pile, as almost always
            zones[gone[0].zone] = source[len(gone) :]
        else:
            for zone in dict.fromkeys([slot.zone for slot in gone]):
                zones[zone] = tuple([slot for slot in zones[zone] if slot not in gone])
        for _, new in moved:
            zone, n = new
            zones[zone] = (*zones.get(zone, ()), new)
            following[zone] = n + 1
        if not known.keys().isdisjoint(gone):
            known = dict(known)
            for old, new in moved:
                if old in known:
                    known[new] = known.pop(old)
        return Table(zones, known, following)

    def _shown(self, slots: tuple[Slot, ...], faces: tuple[Partial, ...]) -> Table:
        if not slots:
            return self
        known = dict(self.known)
        for slot, face in zip(slots, faces, strict=True):
            before = known.get(slot)
            known[slot] = face if before is None else tuple(b or f for b, f in zip(before, face, strict=True))
        return Table(self.zones, known, self._next)


@lru_cache(maxsize=4096)  # some hundreds of cards in each of some ten zones; they come up in every game
def _slot(zone: Zone, n: int) -> Slot:
    return Slot(zone, n)
