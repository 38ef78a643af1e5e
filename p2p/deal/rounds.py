"""Which seats owe what: an operation on sealed cards as rounds of contributions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.match import Position
from engine.table import (
    Choose,
    Coin,
    Complete,
    Disclose,
    Draw,
    HandOver,
    Mix,
    Move,
    Pick,
    Return,
    Show,
    Shuffle,
    Slot,
    Tick,
    hand_of,
    owner,
)

from .base import Close, Escrow, Recover, Reveal, Round, Setup, Task
from .common import Common
from .ticks import Race

if TYPE_CHECKING:
    from .sealed import Sealed

AROUND: dict[type, str] = {Setup: "keys", Close: "close", Reveal: "reveal"}
"""The one round of what is around the operations of a game."""


def rounds_of(dealing: Sealed, task: Task, position: Position) -> tuple[Round, ...]:
    """The rounds of ``task``, in order. None for what needs no contribution."""
    everyone = tuple(range(position.seats))
    match task:
        case Setup() | Escrow() | Recover() | Close() | Reveal():
            return _around(dealing, task)
        case Coin():
            return (Round(everyone, "coin-commit"), Round(everyone, "coin-open"))
        case Shuffle(zone):
            if position.table.size(zone) == 0:
                return ()
            return tuple(Round((seat,), "shuffle") for seat in everyone)
        case Draw(draws):
            owing = tuple(seat for seat in dealing.there if dealing.owed_shares(draws, seat))
            return (Round(owing, "shares"),) if owing else ()
        case Show():
            return _show_rounds(dealing, task, everyone)
        case HandOver(slots) | Return(slots):
            is_owed = dealing.hidden(slots) and owner_of(slots) not in dealing.gone
            return _one(owner_of(slots), "hand-over") if is_owed else ()
        case Mix(zone):
            return _one(owner(zone), "mix") if position.table.size(zone) > 1 else ()
        case Pick():
            return _pick_rounds(task, position)
        case Tick(seats):
            return tick_rounds(dealing, seats)
        case Choose(seats, kind):
            return (Round(seats, kind),)
        case Disclose(seat):
            return (Round((seat,), "answer"),)
        case Complete(seat, size=size):
            return (Round((seat,), "settle"),) if position.table.size(hand_of(seat)) >= size else ()
        case Move():
            return ()
        case _:
            raise NotImplementedError(f"sealed dealing has no rounds for {type(task).__name__}")


def _around(dealing: Sealed, task: Task) -> tuple[Round, ...]:
    match task:
        case Escrow():
            return (Round(dealing.there, "escrow"), Round(dealing.keepers_there, "escrow-accept"))
        case Recover(seats):
            return (Round(tuple(seat for seat in dealing.there if seat not in seats), "recover"),)
        case _:
            return (Round(dealing.there, AROUND[type(task)]),)


def _show_rounds(dealing: Sealed, task: Show, everyone: tuple[int, ...]) -> tuple[Round, ...]:
    if not dealing.firsts(task.slots, dealing.places(task.attributes)):
        return ()
    seat = owner_of(task.slots)
    if seat is not None:
        return (Round((seat,), "show"),)
    if task.at_once:
        return (Round(everyone, "show-commit"), Round(everyone, "show-open"))
    return (Round(everyone, "show"),)


def picked_from(task: Pick, position: Position) -> tuple[int, int]:
    """How many cards the hand has that is picked from, and whose it is. Raises ``ValueError``."""
    size, hand_owner = position.table.size(task.zone), owner(task.zone)
    if hand_owner is None or not 0 <= task.count <= size:
        raise ValueError(f"{task.count} of {size} cards cannot be picked from {task.zone}")
    return size, hand_owner


def _pick_rounds(task: Pick, position: Position) -> tuple[Round, ...]:
    size, hand_owner = picked_from(task, position)
    if task.count == 0:
        return ()
    mix = (Round((hand_owner,), "mix"),) if size > 1 else ()
    return (Round((task.seat,), "pick-commit"), *mix, Round((task.seat,), "pick-open"))


def tick_rounds(dealing: Common, seats: tuple[int, ...]) -> tuple[Round, ...]:
    """The second round is owed by those who gave the first one, if anybody did."""
    opening = tuple(dealing.stash.commitments) if isinstance(dealing.stash, Race) else seats
    rounds = (Round(seats, "tick-commit"), Round(opening, "tick-open"))
    return rounds if opening else rounds[:-1] if seats else ()


def _one(seat: int | None, kind: str) -> tuple[Round, ...]:
    """One round of one seat; none where the cards lie under the joint key."""
    return () if seat is None else (Round((seat,), kind),)


def owner_of(slots: tuple[Slot, ...]) -> int | None:
    """The seat under whose key all the slots lie, or ``None`` for the joint key."""
    owners = {owner(slot.zone) for slot in slots}
    if len(owners) != 1:
        raise ValueError("one operation speaks of cards under different keys")
    return owners.pop()
