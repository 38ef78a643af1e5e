"""What becomes of those who leave a game of Casino Go Fish (CG-LEAVE).

Without the Dealer, or without a Patron, there is no game. A Patron's hand goes back into the deck, which is
shuffled; its sets stay where they lie and count for the other Patrons as a team. What it has drawn face up
goes into the pool, and its turn is over. What the Dealer was about to take from it is drawn anew.
"""

from __future__ import annotations

from collections.abc import Collection

from ..table import STOCK, Choose, HandOver, Move, Op, Pick, Return, Show, Shuffle, Slot, Zone, hand_of
from .casino_round import ask
from .casino_state import DRAW, POOL, READY, TABLE, TO_HAND, CasinoState, hand_slots, update


def leave(s: CasinoState, seats: tuple[int, ...]) -> CasinoState | None:
    """The state once these seats have left; ``None`` where that ends the game."""
    gone = (*s.gone, *seats)
    if s.dealer in gone or all(seat in gone for seat in range(s.seats) if seat != s.dealer):
        return None
    is_current = bool(s.gains) and s.gains[0].seat in gone
    s = update(
        s,
        gone=gone,
        exposed=tuple([seat for seat in s.exposed if seat not in gone]),
        taken_from=tuple([seat for seat in s.taken_from if seat not in gone]),
        gains=tuple([gain for gain in s.gains if gain.seat not in gone]),
    )
    hands = tuple([slot for seat in seats for slot in hand_slots(s, seat)])
    back: tuple[Op, ...] = tuple(
        [Return(hand_slots(s, seat), STOCK) for seat in seats if hand_slots(s, seat)]
    )
    back = (*back, Shuffle(STOCK))
    if s.turn in gone:
        return _turn_cancelled(s, back)
    if is_current:  # what it was drawing back face up goes into the pool
        drawn = [_into_pool(op, [hand_of(seat) for seat in seats]) for op in _of_deck(s.plan)]
        return update(s, phase="settle", plan=(*drawn, *back))
    if s.plan and s.phase == READY and isinstance(s.plan[0], Choose):
        s = ask(s, s.turn)
        return update(s, plan=(*back, *s.plan))
    if s.target in gone and any(_speaks_of(op, hands, s.target) for op in s.plan):
        return _taking_cancelled(s, back)
    ahead = _of_deck(s.plan)
    return update(s, plan=(*s.plan, *back) if ahead else (*back, *s.plan))


def _turn_cancelled(s: CasinoState, back: tuple[Op, ...]) -> CasinoState:
    """The turn of a Patron that has left is over; what lies before it goes into the pool."""
    plan = [_into_pool(op, (TABLE,)) for op in _of_deck(s.plan)]
    if shown := s.table.slots(TABLE):
        plan.append(Move(shown, POOL))
    return update(s, phase="turn-over", plan=(*plan, *back), gains=(), following="")


def _taking_cancelled(s: CasinoState, back: tuple[Op, ...]) -> CasinoState:
    """The Dealer was taking cards of a Patron that has left: only what has changed hands was taken."""
    straight = s.takes.count(TO_HAND) if s.phase == "taken" and not isinstance(s.plan[0], HandOver) else 0
    if straight:
        takes = (TO_HAND,) * straight
        return update(s, phase="taken", plan=back, takes=takes, moving=())
    s = update(s, takes=(), target=-1, moving=())
    if s.straight or s.table.size(TABLE):
        return update(s, phase="switch", plan=back)
    return update(s, phase=DRAW, plan=(*back, Choose((s.turn,), DRAW)))


def _into_pool(op: Op, zones: Collection[Zone]) -> Op:
    """The same operation; what it moves to one of these zones goes into the pool."""
    return Move(op.slots, POOL) if isinstance(op, Move) and op.zone in zones else op


def _of_deck(plan: tuple[Op, ...]) -> tuple[Op, ...]:
    """The operations of a plan if they speak of cards of the deck, which therefore come first."""
    is_so = any(isinstance(op, Show | Move) and any(slot.zone == STOCK for slot in op.slots) for op in plan)
    return plan if is_so else ()


def _speaks_of(op: Op, slots: tuple[Slot, ...], seat: int) -> bool:
    """Whether an operation takes cards of a leaver's hand."""
    if isinstance(op, Pick):
        return op.zone == hand_of(seat)
    return isinstance(op, HandOver | Show | Move) and bool(set(op.slots) & set(slots))
