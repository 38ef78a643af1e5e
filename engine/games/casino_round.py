"""Rounds and turns of Casino Go Fish: whose turn it is, wishes between turns, the end, and who wins."""

from __future__ import annotations

from ..contract import Action, Event, Outcome, Reason
from ..table import STOCK, Choose, Deed, Deeds, Move, Op, Result, Show, hand_of
from .casino_state import (
    DRAW,
    MALFORMED,
    PILE,
    POOL,
    READY,
    CasinoState,
    Events,
    Next,
    hand_slots,
    sorted_texts,
    texts,
    top,
    update,
)
from .seats import clockwise

EXPOSE = "expose"
CONCEAL = "conceal"


def begin_game(s: CasinoState, _: Result | None) -> Next:
    """All dealt sets are laid: the Dealer is told, and the player on the Dealer's left begins."""
    s, events = begin_turn(s, (s.dealer + 1) % s.seats)
    return s, (Event("dealer", s.dealer), *events)


def begin_turn(s: CasinoState, turn: int) -> Next:
    """The turn of ``turn``, or of the next seat that has something to draw; wishes come first.

    With the deck used up the game is over, except that with ``end = finish_round`` the round is completed
    (CG-END).
    """
    turn = next(seat for seat in clockwise(s.seats, turn) if seat not in s.gone)
    if not s.table.size(STOCK):
        drawing = _rest_of_round(s, turn) if s.settings.finishes_round else []
        if not drawing:
            return end(s, ())
        turn = drawing[0]
    pool = s.table.slots(POOL)
    if turn == s.dealer and pool:  # step 0: the Dealer always sees an empty pool
        event = Event("pool to pile", turn, words=sorted_texts(s, pool))
        return update(s, phase="cleared", plan=(Move(pool, PILE),), turn=turn), (event,)
    return ask(s, turn), ()


def _rest_of_round(s: CasinoState, turn: int) -> list[int]:
    """The seats from ``turn`` to the Dealer that have something to draw without a deck."""
    left = clockwise(s.seats, turn)
    left = left[: left.index(s.dealer) + 1]
    return [seat for seat in left if _has_source(s, seat)]


def _has_source(s: CasinoState, seat: int) -> bool:
    if seat == s.dealer:
        return any(s.table.size(hand_of(other)) for other in range(s.seats) if other != seat)
    return s.table.size(POOL) > 0


def after_clearing(s: CasinoState, _: Result | None) -> Next:
    """The pool is out of play; now the Dealer's turn really begins."""
    return ask(s, s.turn), ()


def ask(s: CasinoState, turn: int) -> CasinoState:
    """Wishes of the Patrons, if any of them can have one; then the draw."""
    wishing = _wishing(s, turn)
    if not wishing:
        return update(s, phase=DRAW, plan=(Choose((turn,), DRAW),), turn=turn)
    return update(s, phase=READY, plan=(Choose(wishing, READY, wish=True),), turn=turn)


def _wishing(s: CasinoState, turn: int) -> tuple[int, ...]:
    """Patrons who may open their hand, and the one who may cover it, at the start of the own turn."""
    return tuple(
        [
            seat
            for seat in range(s.seats)
            if seat not in (s.dealer, *s.gone) and (seat not in s.exposed or seat == turn)
        ]
    )


# --- wishes ---

_MAY_EXPOSE = (Action(READY), Action(EXPOSE))
_MAY_CONCEAL = (Action(READY), Action(CONCEAL))
_NO_WISH = Deed(READY)


def wish_of(s: CasinoState, seat: int) -> str:
    """The one thing a Patron may wish for."""
    return CONCEAL if seat in s.exposed else EXPOSE


def legal_wishes(s: CasinoState, seat: int) -> tuple[Action, ...]:
    """Nothing, or to open or cover the hand."""
    return _MAY_CONCEAL if seat in s.exposed else _MAY_EXPOSE


def deed_of_wish(s: CasinoState, seat: int, a: Action) -> Deed:
    """Opening a hand opens all its cards."""
    if a == _MAY_EXPOSE[0]:
        return _NO_WISH
    shown = tuple([slot.n for slot in hand_slots(s, seat)]) if a.verb == EXPOSE else ()
    return Deed(a.verb, a.target, a.value, shown=shown)


def refuse_wish(s: CasinoState, seat: int, d: Deed) -> Reason | None:
    """Why a wish is refused."""
    if d == _NO_WISH:
        return None
    if d.verb not in (READY, wish_of(s, seat)):
        return Reason("no-such-action", (d.verb,))
    whole = tuple([slot.n for slot in hand_slots(s, seat)]) if d.verb == EXPOSE else ()
    return None if d == Deed(d.verb, shown=whole) else MALFORMED


def after_wishes(s: CasinoState, r: Result | None) -> Next:
    """Hands are opened, all at once; a covered hand hides only what comes later (rules, 4.3)."""
    assert isinstance(r, Deeds)
    phase, plan = DRAW, (Choose((s.turn,), DRAW),)
    if all(deed.verb == READY for _, deed in r.deeds):
        return update(s, phase=phase, plan=plan), ()
    exposed, events = set(s.exposed), []
    for seat, deed in r.deeds:
        if deed.verb == EXPOSE:
            exposed.add(seat)
            events.append(Event(EXPOSE, seat, words=sorted_texts(s, hand_slots(s, seat))))
        elif deed.verb == CONCEAL:
            exposed.discard(seat)
            events.append(Event(CONCEAL, seat))
    return update(s, phase=phase, plan=plan, exposed=tuple(sorted(exposed))), tuple(events)


# --- the end of a turn ---


def end_turn(s: CasinoState, _: Result | None) -> Next:
    """The Dealer's turn ends the round, which must have used up a card of the deck (CG-BURN)."""
    s = update(
        s,
        takes=(),
        taken_from=(),
        straight=(),
        steady=(),
        fresh=(),
        spare=(),
        target=-1,
        following="",
        moving=(),
    )
    if s.turn != s.dealer:
        return _pass_on(s, ())
    slots = top(s, 1)
    if s.has_dug or not slots:
        return _pass_on(update(s, has_dug=False), ())
    plan: tuple[Op, ...] = (Show(slots), Move(slots, PILE))
    return update(s, phase="burnt", plan=plan), ()


def after_burning(s: CasinoState, _: Result | None) -> Next:
    """The burnt card is seen by all."""
    return _pass_on(s, (Event("burn", words=texts(s, s.table.slots(PILE)[-1:])),))


def _pass_on(s: CasinoState, events: Events) -> Next:
    is_last = s.turn == s.dealer
    if not s.table.size(STOCK) and (is_last or not s.settings.finishes_round):
        return end(s, events)
    s, more = begin_turn(s, (s.turn + 1) % s.seats)
    return s, (*events, *more)


def end(s: CasinoState, events: Events) -> Next:
    """The deck is used up and the turn, or round, complete (CG-END)."""
    outcome = Outcome("stock-empty", scores_of(s), winners_of(s))
    s = update(s, phase="over", plan=(), outcome=outcome)
    return s, (*events, Event("over", words=(outcome.reason,)))


def scores_of(s: CasinoState) -> tuple[int, ...]:
    """Sets laid by each seat."""
    return tuple(map(len, s.books))


def winners_of(s: CasinoState) -> tuple[int, ...]:
    """CG-TEAM, CG-TIE: the Patrons together, or the best of them, against the Dealer."""
    scores, dealer = scores_of(s), s.dealer
    patrons = [seat for seat in range(s.seats) if seat not in (dealer, *s.gone)]
    if s.settings.scores_team:  # what a Patron laid who has left still counts for the others
        best, rivals = sum(scores) - scores[dealer], patrons
    else:
        best = max(scores[seat] for seat in patrons)
        rivals = [seat for seat in patrons if scores[seat] == best]
    if best > scores[dealer]:
        return tuple(rivals)
    if best == scores[dealer] and not s.settings.dealer_wins_ties:
        return tuple(sorted([*rivals, dealer]))
    return (dealer,)


STEPS = {
    "dealt": begin_game,
    "cleared": after_clearing,
    READY: after_wishes,
    "turn-over": end_turn,
    "burnt": after_burning,
}
