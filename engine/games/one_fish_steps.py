"""The steps of One Fish: for each phase what is pending in it, and what follows its result."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..contract import Event, Outcome
from ..table import STOCK, Choose, Deeds, Disclose, Draw, HandOver, Move, Op, Result, Shown, hand_of
from . import asking
from .asking import ASK, Events, after_first, after_shuffle, return_next, update
from .one_fish_options import HAND_SIZE
from .one_fish_state import DECLINE, LAY, MAY_LAY, PICK, Next, OneFishState, asked, scores_of
from .one_fish_text import COLOUR, NUMBER, STAR, VIA_STAR, lay_texts
from .seats import books_of, clockwise, deal

# --- what is pending --------------------------------------------------------------------------------------


def _answer(s: OneFishState) -> Op:
    assert s.match is not None
    slots = s.table.slots(hand_of(s.target))
    if s.match.attribute == COLOUR:  # one is enough, and it will be laid
        return Disclose(s.target, slots, s.match, 1)
    return Disclose(s.target, slots, s.match, None, (NUMBER,))


def _take(s: OneFishState) -> Op:
    assert s.match is not None
    is_shown = s.match.attribute == COLOUR
    return Move(s.moving, hand_of(s.turn)) if is_shown else HandOver(s.moving, s.turn)


PENDING: Mapping[str, Callable[[OneFishState], Op | Outcome]] = {
    **asking.PENDING,
    "deal": lambda s: deal(s.table.slots(STOCK), s.seats, HAND_SIZE),
    "answer": _answer,
    "take": _take,
    PICK: lambda s: Choose((s.turn,), PICK),
    "draw": lambda s: Draw(((s.moving[0], s.turn),)),
    # Which pairs there are is hidden, so both are answered after a fixed time.
    LAY: lambda s: Choose((s.turn,), LAY, delayed=True),
    MAY_LAY: lambda s: Choose((s.turn,), MAY_LAY, delayed=True),
    "stack": lambda s: Move(s.moving, books_of(s.turn)),
    "refill": lambda s: Draw(tuple([(slot, s.gainer) for slot in s.table.slots(STOCK)[:HAND_SIZE]])),
}

# --- what follows -----------------------------------------------------------------------------------------


def _after_deal(s: OneFishState, _: Result) -> Next:
    """Nothing is laid at the deal (OF-NOSPONT)."""
    return go_on(s, (Event("first", s.turn),))


def _after_ask(s: OneFishState, r: Result) -> Next:
    assert isinstance(r, Deeds)
    ((seat, deed),) = r.deeds
    match, via_star = asked(deed.value)
    words = tuple(deed.value.replace(STAR, VIA_STAR).split())
    s = update(s, phase="answer", target=deed.target, match=match, via_star=via_star, fresh=())
    return s, (Event(ASK, seat, deed.target, words),)


def _after_answer(s: OneFishState, r: Result) -> Next:
    assert isinstance(r, Shown)
    deck = s.settings.deck
    if r.slots:
        words = tuple([deck.text(face) for face in r.faces])
        return update(s, phase="take", moving=r.slots, idle=0), (Event("give", s.target, words=words),)
    if s.table.size(STOCK):
        return update(s, phase=PICK, idle=0), (Event("go fish", s.target),)
    s = update(s, following=(s.turn + 1) % s.seats, idle=s.idle + 1)
    return go_on(s, (Event("none", s.target),))


def _after_take(s: OneFishState, _: Result) -> Next:
    fresh = s.table.slots(hand_of(s.turn))[-len(s.moving) :]
    return update(s, phase=LAY, following=s.turn, fresh=fresh), ()


def _after_pick(s: OneFishState, r: Result) -> Next:
    assert isinstance(r, Deeds)
    ((_, deed),) = r.deeds
    return update(s, phase="draw", moving=(s.table.slots(STOCK)[int(deed.value) - 1],)), ()


def _after_draw(s: OneFishState, _: Result) -> Next:
    fresh = s.table.slots(hand_of(s.turn))[-1:]
    return update(s, phase="reveal", fresh=fresh), (Event("draw", s.turn),)


def _after_reveal(s: OneFishState, r: Result) -> Next:
    assert isinstance(r, Shown)
    if not r.slots:
        return update(s, phase=MAY_LAY, following=(s.turn + 1) % s.seats), ()
    words = (s.settings.deck.text(r.faces[0]),)
    return update(s, phase=LAY, following=s.turn), (Event("show", s.turn, words=words),)


def _after_lay(s: OneFishState, r: Result) -> Next:
    assert isinstance(r, Deeds)
    if not r.slots:
        return _mixed(s, s.turn, (Event(DECLINE, s.turn),))
    faces = [tuple([value or "" for value in face]) for face in r.faces]
    words = lay_texts(s.settings.deck, zip(faces[::2], faces[1::2], strict=True))
    fresh = tuple([slot for slot in s.fresh if slot not in r.slots])
    return update(s, phase="stack", moving=r.slots, fresh=fresh), (Event(LAY, s.turn, words=words),)


def _after_stack(s: OneFishState, _: Result) -> Next:
    return _mixed(s, s.turn, ())


def _after_refill(s: OneFishState, _: Result) -> Next:
    fresh = s.table.slots(hand_of(s.gainer))
    events = (Event("refill", s.gainer, words=(str(len(fresh)),)),)
    return _mixed(update(s, fresh=fresh), s.gainer, events)


def _mixed(s: OneFishState, seat: int, events: Events) -> Next:
    """A hand that still holds a card that came in is mixed."""
    if s.fresh and s.table.size(hand_of(seat)) > 1:
        return update(s, phase="mix", gainer=seat), events
    return go_on(s, events)


def _after_mix(s: OneFishState, _: Result) -> Next:
    return go_on(s, ())


def go_on(s: OneFishState, events: Events) -> Next:
    """Refills, the asker first (OF-GIVEAWAY), the end test (OF-END), and whose turn it is."""
    size = s.table.size
    if size(STOCK):
        for seat in clockwise(s.seats, s.turn):
            if not size(hand_of(seat)) and seat not in s.gone:
                return update(s, phase="refill", gainer=seat), events
    holders = [seat for seat in clockwise(s.seats, s.following) if size(hand_of(seat))]
    if not holders:
        return _end(s, "all-laid", events)
    if len(holders) == 1:
        return _end(s, "nobody-to-ask", events)
    if s.idle >= s.settings.patience:
        return _end(s, "no-progress", events)
    return update(s, phase=ASK, turn=holders[0], following=holders[0], fresh=()), events


def _end(s: OneFishState, reason: str, events: Events) -> Next:
    return asking.end(s, reason, scores_of(s), events)


# --- leavers ---

_BY_TURN = (ASK, "take", PICK, "draw", "reveal", LAY, MAY_LAY, "stack")


def leave(s: OneFishState, seats: tuple[int, ...]) -> Next:
    """The cards of leavers go back into the pond, which is shuffled; their pairs stay where they lie and win
    nothing (OF-LEAVE). What a leaver was asked for is asked anew; a leaver's turn passes left.
    """
    s = update(s, gone=(*s.gone, *seats))
    return return_next(update(s, waiting=_goes_on(s)))


def _goes_on(s: OneFishState) -> str:
    """The phase that goes on once the leavers' cards are back; empty where it was theirs."""
    mover = s.turn if s.phase in (*_BY_TURN, "answer") else s.gainer
    if mover in s.gone:
        return ""
    return ASK if s.phase in ("answer", "take") and s.target in s.gone else s.phase


def _after_reshuffle(s: OneFishState, _: Result) -> Next:
    phase = s.waiting
    s = update(s, waiting="")
    if phase == ASK:
        return go_on(update(s, following=s.turn), ())
    return (update(s, phase=phase), ()) if phase else go_on(s, ())


RESUME: Mapping[str, Callable[[OneFishState, Result], Next]] = {
    "first": after_first,
    "shuffle": after_shuffle,
    "deal": _after_deal,
    ASK: _after_ask,
    "answer": _after_answer,
    "take": _after_take,
    PICK: _after_pick,
    "draw": _after_draw,
    "reveal": _after_reveal,
    LAY: _after_lay,
    MAY_LAY: _after_lay,
    "stack": _after_stack,
    "mix": _after_mix,
    "refill": _after_refill,
    "return": return_next,
    "reshuffle": _after_reshuffle,
}
