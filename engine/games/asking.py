"""What the games have in common in which seats ask each other for cards: Go Fish and One Fish.

The public facts of an ask, who may be asked, and the steps that are the same in both. What is given, what is
laid and when the game ends are the matter of each game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias, TypeVar

import msgspec

from ..contract import Event, Outcome, Reason, State
from ..table import (
    STOCK,
    Choose,
    Coin,
    Disclose,
    Match,
    Mix,
    Number,
    Op,
    Result,
    Return,
    Shuffle,
    Slot,
    hand_of,
)
from .seats import clockwise, leavers, winners

ASK = "ask"


class AskingState(State, frozen=True):
    """Public facts of a game in which seats ask.

    ``phase`` names the pending operation. ``turn`` is the asker, ``target`` and ``match`` what was asked.
    ``gainer`` is the seat whose hand is being settled, mixed or refilled, ``fresh`` the cards that came in
    last and are still there, ``moving`` cards about to move. ``following`` is whose turn comes next, ``idle``
    counts asks in a row that brought the game no further. ``gone`` are seats that have left; while their
    cards go back, ``waiting`` names the phase that goes on after that.
    """

    seats: int
    phase: str
    turn: int
    target: int = -1
    match: Match | None = None
    gainer: int = 0
    fresh: tuple[Slot, ...] = ()
    moving: tuple[Slot, ...] = ()
    following: int = -1
    idle: int = 0
    gone: tuple[int, ...] = ()
    waiting: str = ""
    outcome: Outcome | None = None


S = TypeVar("S", bound=AskingState)
Events: TypeAlias = tuple[Event, ...]

update = msgspec.structs.replace

# --- who may be asked -------------------------------------------------------------------------------------


def targets_of(s: AskingState, seat: int) -> list[int]:
    """The other seats that hold cards, clockwise from ``seat``."""
    return [target for target in clockwise(s.seats, seat)[1:] if s.table.size(hand_of(target))]


def refused_target(s: AskingState, seat: int, target: int) -> Reason | None:
    """Why ``seat`` may not ask ``target``; ``None`` where it may."""
    if not 0 <= target < s.seats:
        return Reason("no-such-seat")
    if target == seat:  # GF-SELF
        return Reason("own-seat")
    return None if s.table.size(hand_of(target)) else Reason("no-cards")


# --- what is pending --------------------------------------------------------------------------------------


def _reveal(s: AskingState) -> Op:
    assert s.match is not None
    return Disclose(s.turn, s.fresh, s.match)


def _over(s: AskingState) -> Outcome:
    assert s.outcome is not None
    return s.outcome


PENDING: Mapping[str, Callable[[AskingState], Op | Outcome]] = {
    "first": lambda s: Coin(s.seats),
    "shuffle": lambda _: Shuffle(STOCK),
    ASK: lambda s: Choose((s.turn,), ASK),
    "reveal": _reveal,
    "mix": lambda s: Mix(hand_of(s.gainer)),
    "return": lambda s: Return(s.table.slots(hand_of(leavers(s.table, s.gone)[0])), STOCK),
    "reshuffle": lambda _: Shuffle(STOCK),
    "over": _over,
}
"""The operations of the phases that are the same in every such game."""

# --- what follows -----------------------------------------------------------------------------------------


def after_first(s: S, r: Result) -> tuple[S, Events]:
    """The seat that begins is drawn; the stock is shuffled next."""
    assert isinstance(r, Number)
    return update(s, phase="shuffle", turn=r.value, following=r.value), ()


def after_shuffle(s: S, _: Result) -> tuple[S, Events]:
    """The deal is next."""
    return update(s, phase="deal"), ()


def return_next(s: S, _: Result | None = None) -> tuple[S, Events]:
    """The hand of the next leaver goes back; after the last one the stock is shuffled."""
    return update(s, phase="return" if leavers(s.table, s.gone) else "reshuffle"), ()


def end(s: S, reason: str, scores: tuple[int, ...], events: Events) -> tuple[S, Events]:
    """The game is over after ``events``; seats with equal scores share the win (GF-TIE, OF-TIE)."""
    s = update(s, phase="over", outcome=Outcome(reason, scores, winners(scores, s.gone)))
    return s, (*events, Event("over", words=(reason,)))
