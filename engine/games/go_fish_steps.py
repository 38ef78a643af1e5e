"""The steps of Go Fish: for each phase what is pending in it, and what follows its result."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..contract import Event, Outcome
from ..table import (
    STOCK,
    Complete,
    Completed,
    Deeds,
    Disclose,
    Draw,
    Match,
    Move,
    Op,
    Result,
    Shown,
    Slot,
    hand_of,
)
from . import asking
from .asking import ASK, Events, after_first, after_shuffle, return_next, update
from .go_fish_state import GoFishState, Next, scores_of
from .seats import books_of, clockwise, deal, present

# --- what is pending --------------------------------------------------------------------------------------


def _answer(s: GoFishState) -> Op:
    assert s.match is not None
    most = 1 if s.settings.gives_one else None
    return Disclose(s.target, s.table.slots(hand_of(s.target)), s.match, most)


def _refill(s: GoFishState) -> Op:
    return Draw(tuple((slot, s.gainer) for slot in s.table.slots(STOCK)[: s.settings.refill_count]))


PENDING: Mapping[str, Callable[[GoFishState], Op | Outcome]] = {
    **asking.PENDING,
    "deal": lambda s: deal(s.table.slots(STOCK), s.seats, s.settings.hand_size),
    "answer": _answer,
    "take": lambda s: Move(s.moving, hand_of(s.turn)),
    "fish": lambda s: Draw(((s.table.slots(STOCK)[0], s.turn),)),
    "settle": lambda s: Complete(s.gainer, s.settings.rank, s.settings.book_size, s.fresh),
    "lay": lambda s: Move(s.moving, books_of(s.gainer)),
    "refill": _refill,
}

# --- what follows -----------------------------------------------------------------------------------------


def _after_deal(s: GoFishState, _: Result) -> Next:
    return settle_dealt(s, 0)


def settle_dealt(s: GoFishState, seat: int) -> Next:
    """Dealt groups are laid at once, in seat order, without replacement (GF-DEALT)."""
    while seat < s.seats and (s.table.size(hand_of(seat)) < s.settings.book_size or seat in s.gone):
        seat += 1
    if seat < s.seats:
        return update(s, phase="settle", gainer=seat, fresh=s.table.slots(hand_of(seat))), ()
    return _go_on(update(s, is_dealing=False), (Event("first", s.turn),))


def _after_ask(s: GoFishState, r: Result) -> Next:
    assert isinstance(r, Deeds)
    ((seat, deed),) = r.deeds
    match = Match("" if s.settings.is_card_mode else s.settings.rank, deed.value)
    s = update(s, phase="answer", target=deed.target, match=match, idle=s.idle + 1)
    return s, (Event("ask", seat, deed.target, (deed.value,)),)


def _after_answer(s: GoFishState, r: Result) -> Next:
    assert isinstance(r, Shown)
    deck = s.settings.deck
    if r.slots:
        words = tuple([deck.text(face) for face in (deck.sorted(r.faces) if len(r.faces) > 1 else r.faces)])
        return update(s, phase="take", moving=r.slots), (Event("give", s.target, words=words),)
    following = present(s.seats, s.turn + 1, s.gone) if s.settings.passes_left else s.target
    if s.table.size(STOCK):
        return update(s, phase="fish", following=following), (Event("go fish", s.target),)
    return _go_on(update(s, following=following), (Event("none", s.target),))


def _after_take(s: GoFishState, _: Result) -> Next:
    fresh = s.table.slots(hand_of(s.turn))[-len(s.moving) :]
    return _settle(update(s, following=s.turn), s.turn, fresh, ())


def _after_fish(s: GoFishState, _: Result) -> Next:
    fresh = s.table.slots(hand_of(s.turn))[-1:]
    return update(s, phase="reveal", fresh=fresh, idle=0), (Event("draw", s.turn),)


def _after_reveal(s: GoFishState, r: Result) -> Next:
    assert isinstance(r, Shown)
    if not r.slots:
        return _settle(s, s.turn, s.fresh, ())
    if s.settings.hit_repeats:
        s = update(s, following=s.turn)
    return _settle(s, s.turn, s.fresh, (Event("show", s.turn, words=(s.settings.deck.text(r.faces[0]),)),))


def _after_refill(s: GoFishState, _: Result) -> Next:
    fresh = s.table.slots(hand_of(s.gainer))
    return _settle(update(s, idle=0), s.gainer, fresh, (Event("refill", s.gainer, words=(str(len(fresh)),)),))


def _settle(s: GoFishState, seat: int, fresh: tuple[Slot, ...], events: Events) -> Next:
    """Cards came into a hand: completed groups next, if the hand is large enough to hold one."""
    if s.table.size(hand_of(seat)) >= s.settings.book_size:
        return update(s, phase="settle", gainer=seat, fresh=fresh), events
    return _mixed(update(s, gainer=seat, fresh=fresh), events)


def _after_settle(s: GoFishState, r: Result) -> Next:
    assert isinstance(r, Completed)
    if not r.groups:
        return _mixed(s, ())
    at = s.settings.ranks.index
    laid = sorted([faces[0][0] or "" for faces in r.faces], key=at)
    books = list(s.books)
    books[s.gainer] += tuple(laid)
    moving = tuple([slot for group in r.groups for slot in group])
    fresh = tuple([slot for slot in s.fresh if slot not in moving])
    s = update(s, phase="lay", books=tuple(books), moving=moving, fresh=fresh, idle=0)
    return s, tuple([Event("book", s.gainer, words=(rank,)) for rank in laid])


def _after_lay(s: GoFishState, _: Result) -> Next:
    return _mixed(s, ())


def _mixed(s: GoFishState, events: Events) -> Next:
    """A hand that still holds a card that came in is mixed; dealt cards are all equally new."""
    if s.is_dealing:
        return settle_dealt(s, s.gainer + 1)
    if s.fresh and s.table.size(hand_of(s.gainer)) >= 2:
        return update(s, phase="mix"), events
    return _go_on(s, events)


def _after_mix(s: GoFishState, _: Result) -> Next:
    return _go_on(s, ())


def _go_on(s: GoFishState, events: Events) -> Next:
    """Refills, the end test, and whose turn it is (SETTLE 3 to 5)."""
    size = s.table.size
    stock = size(STOCK)
    if not s.settings.plays_on:  # GF-END
        for seat in range(s.seats):
            if not size(hand_of(seat)) and seat not in s.gone:
                return _end(s, "hand-empty", events)
        if not stock:
            return _end(s, "stock-empty", events)
        return update(s, phase=ASK, turn=s.following), events
    if sum(map(len, s.books)) == s.settings.most_books:  # GF-K5
        return _end(s, "all-books", events)
    if stock and not s.settings.refills_on_own_turn:  # GF-K2
        for seat in clockwise(s.seats, s.turn):
            if not size(hand_of(seat)) and seat not in s.gone:
                return update(s, phase="refill", gainer=seat), events
    if s.idle >= s.settings.patience:  # GF-K6
        return _end(s, "no-progress", events)
    return _next_turn(s, events)


def _next_turn(s: GoFishState, events: Events) -> Next:
    """The first seat from ``following`` on that can ask somebody, refilling hands whose turn comes (GF-K3,
    GF-K4).
    """
    stock = s.table.size(STOCK)
    holders = [seat for seat in range(s.seats) if s.table.size(hand_of(seat))]
    for seat in clockwise(s.seats, s.following):
        if stock and seat not in holders and seat not in s.gone:
            return update(s, phase="refill", gainer=seat, turn=seat, following=seat), events
        if seat in holders and len(holders) > 1:
            return update(s, phase=ASK, turn=seat, following=seat), events
    return _end(s, "nobody-to-ask", events)


def _end(s: GoFishState, reason: str, events: Events) -> Next:
    return asking.end(s, reason, scores_of(s), events)


# --- leavers ---

_BY_TURN = ("ask", "take", "fish", "reveal")
_BY_GAINER = ("settle", "lay", "mix", "refill")


def leave(s: GoFishState, seats: tuple[int, ...]) -> Next:
    """The cards of leavers go back into the stock, which is shuffled; their books stay where they lie and
    win nothing (GF-LEAVE). An ask that a leaver should answer is asked anew; a leaver's turn passes left.
    """
    s = update(s, gone=(*s.gone, *seats))
    following = present(s.seats, s.following, s.gone) if s.following >= 0 else s.following
    return return_next(update(s, following=following, waiting=_goes_on(s)))


def _goes_on(s: GoFishState) -> str:
    """The phase that goes on once the leavers' cards are back; empty where it was theirs."""
    if s.phase == "answer":
        return "" if s.turn in s.gone else ASK if s.target in s.gone else s.phase
    mover = s.turn if s.phase in _BY_TURN else s.gainer if s.phase in _BY_GAINER else -1
    return "" if mover in s.gone else s.phase


def _after_reshuffle(s: GoFishState, _: Result) -> Next:
    phase = s.waiting
    s = update(s, waiting="")
    if phase == ASK:
        return _go_on(update(s, following=s.turn), ())
    if phase:
        return update(s, phase=phase), ()
    if s.is_dealing:
        return settle_dealt(s, s.gainer + 1)
    return _go_on(s, ())


RESUME: Mapping[str, Callable[[GoFishState, Result], Next]] = {
    "first": after_first,
    "shuffle": after_shuffle,
    "deal": _after_deal,
    ASK: _after_ask,
    "answer": _after_answer,
    "take": _after_take,
    "fish": _after_fish,
    "reveal": _after_reveal,
    "settle": _after_settle,
    "lay": _after_lay,
    "mix": _after_mix,
    "refill": _after_refill,
    "return": return_next,
    "reshuffle": _after_reshuffle,
}
