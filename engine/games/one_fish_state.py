"""The public state of One Fish, and the small facts that all its parts use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import msgspec

from ..contract import Event, Outcome, State
from ..table import Match, Slot, Zone
from .one_fish_options import Settings
from .one_fish_text import ASKS, STAR, pair_text

ASK = "ask"
PICK = "pick"
LAY = "lay"
MAY_LAY = "lay or decline"
DECLINE = "decline"

VERBS: Mapping[str, tuple[str, ...]] = {ASK: (ASK,), PICK: (PICK,), LAY: (LAY,), MAY_LAY: (LAY, DECLINE)}
"""What may be done in the phases in which a seat decides."""


class OneFishState(State, frozen=True):
    """Public facts of a game of One Fish.

    ``phase`` names the pending operation. ``turn`` is the asker, ``target``, ``match`` and ``via_star`` what
    was asked. ``fresh`` are the cards that came in last and are still in the hand, ``moving`` cards about to
    move. ``gainer`` is the seat whose hand is refilled or mixed, ``following`` whose turn comes next,
    ``idle`` counts asks in a row that failed with nothing to pick. ``gone`` are seats that have left; while
    their cards go back, ``waiting`` names the phase that goes on after that.
    """

    settings: Settings
    seats: int
    phase: str
    turn: int
    target: int = -1
    match: Match | None = None
    via_star: bool = False
    fresh: tuple[Slot, ...] = ()
    moving: tuple[Slot, ...] = ()
    gainer: int = 0
    following: int = -1
    idle: int = 0
    gone: tuple[int, ...] = ()
    waiting: str = ""
    outcome: Outcome | None = None


Events: TypeAlias = tuple[Event, ...]
Next: TypeAlias = tuple[OneFishState, Events]

update = msgspec.structs.replace


def books_of(seat: int) -> Zone:
    """Where a seat's laid pairs lie."""
    return f"books.{seat}"


def scores_of(s: OneFishState) -> tuple[int, ...]:
    """Cards laid by each seat."""
    return tuple([s.table.size(books_of(seat)) for seat in range(s.seats)])


def laid_pairs(s: OneFishState, seat: int) -> tuple[str, ...]:
    """The pairs that a seat has laid, as texts."""
    known = s.table.known
    laid = [tuple([value or "" for value in known[slot]]) for slot in s.table.slots(books_of(seat))]
    pairs = zip(laid[::2], laid[1::2], strict=True)
    return tuple([pair_text(s.settings.deck, a, b) for a, b in pairs])


def asked(value: str) -> tuple[Match, bool]:
    """What an ask is for, and whether a star is used; ``KeyError`` for what may not be asked for."""
    via_star = value.endswith(STAR)
    return ASKS[value.removesuffix(STAR)], via_star
