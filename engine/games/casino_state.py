"""The public state of Casino Go Fish, and the small facts that all its parts use.

The game is a table of steps. A state carries a ``plan``, operations that follow one another without a choice
by the rules, and the name of the ``phase`` that takes their last result and makes the next plan. A phase that
leaves no plan hands on to the next phase at once.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TypeAlias

import msgspec

from ..cards import Face
from ..contract import Event, Outcome, Reason, State
from ..table import STOCK, Op, Slot, Zone, hand_of
from .casino_options import Settings

RANK = "rank"
POOL: Zone = "pool"
"""Where leftovers lie that may be drawn again."""
PILE: Zone = "pile"
"""Where cards lie that are out of play."""
TABLE: Zone = "table"
"""Cards drawn in this turn that lie face up before the player, and leftovers on their way."""

# Where a card goes that the Dealer takes.
TO_HAND = "hand"
TO_TABLE = "table"

READY = "ready"
DRAW = "draw"
AGAIN = "again"
FILL = "fill"
SWAP = "swap"
KEEP = "keep"
LEFTOVERS = "leftovers"
DISCARD = "discard"
PASS = "pass"  # noqa: S105  # a word of the game


class Gain(msgspec.Struct, frozen=True, gc=False):
    """A hand to be settled: ``fresh`` came into it, or (empty) it draws back first.

    ``is_new``: something came in since the last mix. ``is_dealt``: sets are laid, and drawn for only when
    all dealt sets are laid.
    """

    seat: int
    fresh: tuple[Slot, ...]
    is_new: bool = True
    is_dealt: bool = False


class CasinoState(State, frozen=True):
    """Public facts of a game of Casino Go Fish.

    ``exposed`` are the seats whose hand lies open. Of this turn: ``takes`` are the words (``hand`` or
    ``table``) for the cards being taken from ``target``, ``taken_from`` the owner of every card taken,
    ``straight`` those that went straight into the Dealer's hand, ``steady`` the hand before the draw,
    ``fresh`` what has come into it, ``spare`` leftovers that still lie hidden in it. ``gains`` are the hands
    to settle, the first one now, and ``following`` the phase after that. ``has_dug`` says whether a card left
    the deck in this round (CG-BURN). ``gone`` are seats that have left.
    """

    settings: Settings
    seats: int
    phase: str
    plan: tuple[Op, ...]
    books: tuple[tuple[str, ...], ...]
    dealer: int = -1
    turn: int = -1
    exposed: tuple[int, ...] = ()
    target: int = -1
    takes: tuple[str, ...] = ()
    taken_from: tuple[int, ...] = ()
    straight: tuple[Slot, ...] = ()
    steady: tuple[Slot, ...] = ()
    fresh: tuple[Slot, ...] = ()
    spare: tuple[Slot, ...] = ()
    gains: tuple[Gain, ...] = ()
    following: str = ""
    moving: tuple[Slot, ...] = ()
    has_dug: bool = False
    gone: tuple[int, ...] = ()
    outcome: Outcome | None = None

    @property
    def unsettled(self) -> tuple[int, ...]:
        """The seats that may hold a whole set for now: cards came in, and the player is not done yet."""
        return (self.turn,) if self.fresh else ()


Events: TypeAlias = tuple[Event, ...]
Next: TypeAlias = tuple[CasinoState, Events]

update = msgspec.structs.replace


def hand_slots(s: CasinoState, seat: int) -> tuple[Slot, ...]:
    """The hand of a seat."""
    return s.table.slots(hand_of(seat))


def top(s: CasinoState, count: int) -> tuple[Slot, ...]:
    """The first cards of the deck, fewer where it has no more (CG-SHORT)."""
    return s.table.slots(STOCK)[:count]


def face_of(s: CasinoState, slot: Slot) -> Face:
    """The face of a public card."""
    return s.table.known[slot]  # type: ignore[return-value]  # a public card is known in full


def texts(s: CasinoState, slots: tuple[Slot, ...]) -> tuple[str, ...]:
    """Public cards as texts, in the order given."""
    text, known = s.settings.deck.text, s.table.known
    return tuple([text(known[slot]) for slot in slots])


def sorted_texts(s: CasinoState, slots: tuple[Slot, ...]) -> tuple[str, ...]:
    """Public cards as texts, in deck order."""
    if len(slots) < 2:
        return texts(s, slots) if slots else ()
    deck, known = s.settings.deck, s.table.known
    return tuple([deck.text(face) for face in sorted([known[slot] for slot in slots], key=deck.index)])


def is_increasing(numbers: tuple[int, ...]) -> bool:
    """Whether numbers are all different and in order: a set of slots has one spelling only."""
    return all(low < high for low, high in pairwise(numbers))


MALFORMED = Reason("malformed")
