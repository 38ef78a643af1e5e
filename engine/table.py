"""The public table: zones and slots, the operations a game may ask for, and their results.

The same vocabulary serves every way of dealing. Nothing here knows how a card is hidden: a slot is a handle
for one card in one zone, and its face is known publicly only once a result has shown it.
"""

from __future__ import annotations

from collections.abc import Mapping
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


@lru_cache(maxsize=4096)  # some hundreds of cards in each of some ten zones; they come up in every game
def _slot(zone: Zone, n: int) -> Slot:
    return Slot(zone, n)


class Match(msgspec.Struct, frozen=True, gc=False):
    """What a card is compared with.

    One attribute's value, or (``attribute`` empty) a whole face by its text.
    """

    attribute: str
    value: str


# --- operations -------------------------------------------------------------------------------------------


class Coin(msgspec.Struct, frozen=True, gc=False):
    """A jointly random number in ``range(n)``. Only before the deal."""

    n: int


class Shuffle(msgspec.Struct, frozen=True, gc=False):
    """A joint shuffle of a zone."""

    zone: Zone


class Draw(msgspec.Struct, frozen=True, gc=False):
    """One ordered batch: each slot goes to the hand of its seat, which alone learns the face."""

    draws: tuple[tuple[Slot, int], ...]


class Show(msgspec.Struct, frozen=True, gc=False):
    """Faces, or the named attributes of them, become public. No attribute named means all.

    ``at_once``: where several seats have to open a card together, nobody sees it before the others.
    """

    slots: tuple[Slot, ...]
    attributes: tuple[str, ...] = ()
    at_once: bool = False


class Move(msgspec.Struct, frozen=True, gc=False):
    """Cards change their zone; their faces stay as known as they were."""

    slots: tuple[Slot, ...]
    zone: Zone


class HandOver(msgspec.Struct, frozen=True, gc=False):
    """A hidden transfer to the hand of another seat: giver and receiver know the faces."""

    slots: tuple[Slot, ...]
    to: int


class Mix(msgspec.Struct, frozen=True, gc=False):
    """The owner secretly permutes and re-masks its hand: no one can tell an old card from a new one."""

    zone: Zone


class Return(msgspec.Struct, frozen=True, gc=False):
    """Cards of a hand go back under the joint key, always followed by a ``Shuffle`` of ``zone``."""

    slots: tuple[Slot, ...]
    zone: Zone


class Choose(msgspec.Struct, frozen=True, gc=False):
    """A decision of one or several seats; the game says what is legal and which claims it needs.

    ``delayed``: what may be decided depends on hidden cards, so that the answer comes after a fixed time.
    ``wish``: nobody is asked; what a player wished for before is done, else the first legal action.
    ``limit``: seconds after which a player's own program does the first legal action; 0 for none.
    """

    seats: tuple[int, ...]
    kind: str
    delayed: bool = False
    wish: bool = False
    limit: int = 0


class Pick(msgspec.Struct, frozen=True, gc=False):
    """``seat`` picks ``count`` cards of somebody's hand blindly.

    It commits to positions, the owner mixes the hand, and the positions are opened.
    """

    seat: int
    zone: Zone
    count: int


class Disclose(msgspec.Struct, frozen=True, gc=False):
    """Of ``slots`` (all in the hand of ``seat``) all that match are shown and the rest proved not to match.

    With ``most`` given and more than that many matching, the owner picks which ``most`` are shown and
    nothing is said about the rest; with at most that many matching all of them are shown, and the rest is
    proved not to match only where none is shown. Shown are the named ``attributes``; none named means all.
    """

    seat: int
    slots: tuple[Slot, ...]
    match: Match
    most: int | None = None
    attributes: tuple[str, ...] = ()


class Complete(msgspec.Struct, frozen=True, gc=False):
    """Completed groups of ``size`` cards with an equal ``attribute`` are shown, or proved absent.

    This is the no-book rule. ``fresh`` are the slots that entered the hand since it was last settled.
    """

    seat: int
    attribute: str
    size: int
    fresh: tuple[Slot, ...]


class Tick(msgspec.Struct, frozen=True, gc=False):
    """Simultaneous deeds of several seats, ordered jointly: all commit, then all open.

    The shares for ``draws`` ride on the commitments. A seat commits no earlier than ``wait_ms`` after its
    last contribution.
    """

    seats: tuple[int, ...]
    draws: tuple[tuple[Slot, int], ...] = ()
    wait_ms: int = 150


Op: TypeAlias = (
    Coin | Shuffle | Draw | Show | Move | HandOver | Mix | Return | Choose | Pick | Disclose | Complete | Tick
)

# --- deeds and results ------------------------------------------------------------------------------------


class Deed(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The public form of a decision: what every seat, and a stranger with the record, may read.

    ``groups`` holds slot numbers within the zone the operation speaks of: one group for the cards given in a
    ``Disclose``, one per completed group in a ``Complete``. ``shown`` are slot numbers in the own hand whose
    faces the deed opens.
    """

    verb: str
    target: int = -1
    value: str = ""
    groups: tuple[tuple[int, ...], ...] = ()
    shown: tuple[int, ...] = ()


class Done(msgspec.Struct, frozen=True, gc=False):
    """Result of Shuffle, Draw, Move, HandOver, Mix and Return: it happened."""


class Number(msgspec.Struct, frozen=True, gc=False):
    """Result of a Coin."""

    value: int


class Shown(msgspec.Struct, frozen=True, gc=False):
    """Result of Show and Disclose: these slots are public now, with these faces (same order)."""

    slots: tuple[Slot, ...]
    faces: tuple[Partial, ...]


class Completed(msgspec.Struct, frozen=True, gc=False):
    """Result of Complete: the groups laid, each as slots and faces in the same order."""

    groups: tuple[tuple[Slot, ...], ...]
    faces: tuple[tuple[Partial, ...], ...]


class Deeds(msgspec.Struct, frozen=True, gc=False):
    """Result of Choose: the deeds in the order of the seats, and all cards that they opened."""

    deeds: tuple[tuple[int, Deed], ...]
    slots: tuple[Slot, ...] = ()
    faces: tuple[Partial, ...] = ()


class Picked(msgspec.Struct, frozen=True, gc=False):
    """Result of Pick: the picked cards, as slots of the hand as it is numbered anew."""

    slots: tuple[Slot, ...]


class Ticked(msgspec.Struct, frozen=True, gc=False):
    """Result of Tick: the deeds in the joint order of the tick, and all cards that they opened.

    ``absent`` seats gave no commitment or no opening. ``late`` ones committed so long after all others that
    they may have waited to see. ``drawn`` are the draws that are complete; the others wait for shares.
    """

    deeds: tuple[tuple[int, Deed], ...]
    slots: tuple[Slot, ...] = ()
    faces: tuple[Partial, ...] = ()
    absent: tuple[int, ...] = ()
    late: tuple[int, ...] = ()
    drawn: tuple[tuple[Slot, int], ...] = ()


Result: TypeAlias = Done | Number | Shown | Completed | Deeds | Picked | Ticked

# Asked for with every operation, and ``isinstance`` is slow to say no of a struct: hence a set of types for
# the one, and the most frequent first in the other.
_RELOCATING = frozenset((Move, Draw, HandOver, Return))
_SHOWN = (Deeds, Shown)

# --- layout -----------------------------------------------------------------------------------------------


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

    __hash__ = None  # type: ignore[assignment]

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
            for zone in {slot.zone for slot in gone}:
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


@lru_cache(maxsize=512)
def numbered(zone: Zone, count: int) -> tuple[Slot, ...]:
    """The slots of a zone of ``count`` cards that was just mixed, shuffled or set up."""
    return tuple(Slot(zone, n) for n in range(count))


# --- claims -----------------------------------------------------------------------------------------------


class Holds(msgspec.Struct, frozen=True, gc=False):
    """At least one card of ``zone`` matches."""

    zone: Zone
    match: Match


class Lacks(msgspec.Struct, frozen=True, gc=False):
    """None of ``slots`` matches."""

    slots: tuple[Slot, ...]
    match: Match


class AtMost(msgspec.Struct, frozen=True, gc=False):
    """At most ``k`` of ``among`` share the ``attribute`` of ``slot``."""

    slot: Slot
    among: tuple[Slot, ...]
    attribute: str
    k: int


Claim: TypeAlias = Holds | Lacks | AtMost


def settle_claims(
    hand: tuple[Slot, ...],
    fresh: tuple[Slot, ...],
    size: int,
    attribute: str,
    known: Mapping[Slot, Partial],
    at: int,
) -> tuple[AtMost, ...]:
    """The no-book claims owed for ``hand`` after laying (claim table of the design, row "no-book rule").

    ``hand`` and ``fresh`` are the slots that stay; ``known`` the public faces; ``at`` the attribute's place
    in a face.
    """
    left = tuple(slot for slot in fresh if slot in hand)
    if len(hand) < size or not left:
        return ()
    values = {known[slot][at] if slot in known else None for slot in left}
    if len(values) == 1 and None not in values:
        named = left[:1]
    else:
        enough = hand[: len(hand) - size + 1]
        named = min(left, enough, key=len)
    return tuple(
        AtMost(slot, tuple(other for other in hand if other != slot), attribute, size - 2) for slot in named
    )
