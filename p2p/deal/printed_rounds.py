"""Which seats owe what: an operation on printed cards as rounds of contributions."""

from __future__ import annotations

from collections.abc import Iterable
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
    Tick,
    hand_of,
    owner,
)

from .base import Close, Reveal, Round, Setup, Task
from .printed_values import SCANNED
from .rounds import AROUND, owner_of, picked_from, tick_rounds

if TYPE_CHECKING:
    from .printed import Printed

SCAN = "scan"
"""The round that waits for a person to tap cards."""

Rounds = tuple[Round, ...]


def rounds_of(dealing: Printed, task: Task, position: Position) -> Rounds:
    """The rounds of ``task``, in order. None for what needs no contribution."""
    everyone = tuple(range(position.seats))
    match task:
        case Setup() | Close() | Reveal():
            return (Round(everyone, AROUND[type(task)]),)
        case Coin():
            return (Round(everyone, "coin-commit"), Round(everyone, "coin-open"))
        case Shuffle(zone):
            cut = (Round(everyone, "cut-commit"), Round(everyone, "cut-open"))
            return cut if position.table.size(zone) > 1 else ()
        case Draw():
            return _draw_rounds(dealing, task)
        case Show():
            return _show_rounds(dealing, task)
        case HandOver(slots, to):
            return _by_scanner(dealing, "hand-over", (to,)) if dealing.hidden(slots) else ()
        case Mix(zone):
            return _mix_rounds(dealing, owner(zone)) if position.table.size(zone) > 1 else ()
        case Pick():
            return _pick_rounds(dealing, task, position)
        case Tick(seats):
            return tick_rounds(dealing, seats)
        case Choose(seats, kind):
            return _stated(dealing, Round(seats, kind))
        case Disclose(seat):
            return _stated(dealing, Round((seat,), "answer"))
        case Complete(seat, size=size):
            is_owed = position.table.size(hand_of(seat)) >= size
            return _stated(dealing, Round((seat,), "settle")) if is_owed else ()
        case Move() | Return():
            return ()
        case _:
            raise NotImplementedError(f"printed dealing has no rounds for {type(task).__name__}")


def _draw_rounds(dealing: Printed, task: Draw) -> Rounds:
    """The cards are scanned, and looked at by their seats. Scanned before, they are only looked at."""
    accept = _accept(dealing, [seat for slot, seat in task.draws if not dealing.cards[slot].is_public])
    scanning = Round((dealing.scanner,), SCAN)
    if dealing.stash == SCANNED or dealing.owed_seals(task.draws):
        return (scanning, *accept)
    return accept


def _show_rounds(dealing: Printed, task: Show) -> Rounds:
    places = dealing.places(task.attributes)
    if not any(dealing.cards[slot].hidden(places) for slot in task.slots):
        return ()
    seat = owner_of(task.slots)
    if seat is not None:
        return (Round((seat,), "show"),)
    is_tapped = any(dealing.cards[slot].is_unseen for slot in task.slots)
    return (Round((dealing.scanner,), SCAN if is_tapped else "show"),)


def _mix_rounds(dealing: Printed, seat: int | None) -> Rounds:
    if seat is None:
        raise ValueError("only a hand is mixed by its owner alone")
    return _by_scanner(dealing, "mix", (seat,))


def _pick_rounds(dealing: Printed, task: Pick, position: Position) -> Rounds:
    size, seat = picked_from(task, position)
    if task.count == 0:
        return ()
    mix = _by_scanner(dealing, "mix", (seat,)) if size > 1 else ()
    return (Round((task.seat,), "pick-commit"), *mix, Round((task.seat,), "pick-open"))


def _stated(dealing: Printed, said: Round) -> Rounds:
    """What a seat says, and then the word of the table's machine on it, if it is about hidden cards."""
    spoken = dealing.stash.values() if isinstance(dealing.stash, dict) else ()
    if any(each.claims and each.seat != dealing.scanner for each in spoken):
        return (said, Round((dealing.scanner,), "confirm"))
    return (said,)


def _by_scanner(dealing: Printed, kind: str, receivers: Iterable[int]) -> Rounds:
    return (Round((dealing.scanner,), kind), *_accept(dealing, receivers))


def _accept(dealing: Printed, receivers: Iterable[int]) -> Rounds:
    """The seats that look at what was sealed to them. The table's machine knows what it sealed to itself."""
    seats = tuple(sorted(set(receivers) - {dealing.scanner}))
    return (Round(seats, "accept"),) if seats else ()
