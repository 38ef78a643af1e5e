"""The public state of Go Fish, and the small facts that all its parts use."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from ..contract import Event, Outcome, State
from ..table import Match, Slot, Zone
from .go_fish_options import POINTS, Settings

ASK = "ask"


class GoFishState(State, frozen=True):
    """Public facts of a game of Go Fish.

    ``phase`` names the pending operation. ``turn`` is the asker, ``target`` and ``match`` what was asked.
    ``gainer`` is the seat whose hand is being settled, ``fresh`` the cards that came into it, ``moving``
    cards shown and about to move. ``following`` is whose turn comes next, ``idle`` counts asks without a
    card drawn or a group laid. ``gone`` are seats that have left; while their cards go back, ``waiting``
    names the phase that goes on after that.
    """

    settings: Settings
    seats: int
    phase: str
    turn: int
    books: tuple[tuple[str, ...], ...]
    target: int = -1
    match: Match | None = None
    gainer: int = 0
    fresh: tuple[Slot, ...] = ()
    moving: tuple[Slot, ...] = ()
    following: int = -1
    idle: int = 0
    is_dealing: bool = True
    gone: tuple[int, ...] = ()
    waiting: str = ""
    outcome: Outcome | None = None


Events: TypeAlias = tuple[Event, ...]
Next: TypeAlias = tuple[GoFishState, Events]

update = msgspec.structs.replace


def books_of(seat: int) -> Zone:
    """Where a seat's laid groups lie."""
    return f"books.{seat}"


def scores_of(s: GoFishState) -> tuple[int, ...]:
    """Books laid by each seat, or what they are worth."""
    if s.settings.scores_ranks:
        return tuple([sum(POINTS[rank] for rank in books) for books in s.books])
    return tuple(map(len, s.books))
