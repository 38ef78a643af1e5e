"""The operations that a game may ask for, their results, and what is to be proved along with a decision.

The same vocabulary serves every way of dealing; ``table`` says what each of them does to the cards.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import msgspec

from .slots import Match, Partial, Slot, Zone

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
