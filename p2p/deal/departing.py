"""Seats that leave the game in the middle of it: whether it goes on, and with what of the task under way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine.contract import Event, Outcome
from engine.table import (
    Choose,
    Coin,
    Draw,
    Show,
    Shuffle,
    Tick,
    hand_of,
)

from .base import (
    Checked,
    Close,
    Escrow,
    Recover,
    Task,
)
from .progress import Passed, Paused, Progress

LEAVE = "leave"
"""The event of a seat that has left the game."""


LEFT = "left"
"""Why a game ends that cannot go on without those who have left."""


def leaving_seats(progress: Progress, passed: Mapping[int, Passed]) -> frozenset[int]:
    """All seats of the keepers that say farewell in this step."""
    keepers = progress.dealing.keepers
    named = {keepers[seat] for seat, found in passed.items() if found.is_farewell}
    return frozenset(seat for seat, keeper in enumerate(keepers) if keeper in named)


def may_go_on(progress: Progress, leaving: frozenset[int]) -> bool:
    """Whether the game may go on if these seats leave now: they are one keeper's, its keys are in escrow, and
    cards have been dealt, or are being dealt."""
    dealing, position, task = progress.dealing, progress.position, progress.task
    if not dealing.can_recover or progress.paused is not None or isinstance(task, Coin | Escrow | Recover):
        return False
    is_dealt = any(position.table.size(hand_of(seat)) for seat in range(position.seats))
    return len({dealing.keepers[seat] for seat in leaving}) == 1 and (is_dealt or isinstance(task, Draw))


def recovering(progress: Progress, checked: Mapping[int, Checked], seats: tuple[int, ...]) -> Progress:
    """The interrupted operation is ended after the recovery with what the others gave, if it can be; a joint
    shuffle and a tick nobody has opened begin anew."""
    task, number, position = progress.task, progress.number, progress.position
    assert task is not None
    dealing, paused = progress.dealing, Paused(seats)
    match task:
        case Draw() | Tick():
            dealing = dealing.fold(task, number, position, checked)
            if isinstance(task, Draw):
                paused = Paused(seats, task)
            elif number == 1:
                paused = Paused(seats, task, 2, dealing.stash)
        case Shuffle():
            paused = Paused(seats, task)
        case Show() | Choose() if checked:
            dealing = dealing.fold(task, number, position, checked)
            paused = Paused(seats, task, number + 1, dealing.stash)
    dealing = replace(dealing, stash=None)
    return replace(progress, dealing=dealing, task=Recover(seats), number=0, paused=paused)


def resumed(progress: Progress, paused: Paused) -> tuple[Progress, tuple[Event, ...]]:
    """All cards are under the keys of those who stay: the interrupted operation goes on, or the game sees to
    the departure at once."""
    if paused.task is None:
        return seen_to(progress, paused)
    dealing = replace(progress.dealing, stash=paused.stash)
    return replace(progress, dealing=dealing, task=paused.task, number=paused.number), ()


def seen_to(progress: Progress, paused: Paused) -> tuple[Progress, tuple[Event, ...]]:
    """The game's own rule for the leavers, unless it is over."""
    progress = replace(progress, paused=None)
    if progress.outcome is not None:
        return replace(progress, task=Close(), number=0), ()
    found = progress.position.left(paused.seats)
    if found is None:
        return ended(progress, ())
    position, events = found
    pending = position.pending
    task: Task = Close() if isinstance(pending, Outcome) else pending
    return replace(progress, position=position, task=task, number=0), events


def ended(progress: Progress, events: tuple[Event, ...]) -> tuple[Progress, tuple[Event, ...]]:
    """The game cannot go on without those who left. Where nobody is left, nobody owes a signature either."""
    position = progress.position.ended(LEFT)
    dealing = replace(progress.dealing, stash=None)
    reveal = progress.reveal and bool(dealing.keys)
    task = None if progress.is_deserted else Close()
    ended = replace(
        progress, position=position, dealing=dealing, reveal=reveal, task=task, number=0, paused=None
    )
    return ended, (*events, Event("over", words=(LEFT,)))
