"""Settling hands: sets are laid, hands that laid one draw back, hands that got a card are mixed.

CG-SETTIME, CG-DRAWBACK. Hands are settled one after the other as listed in ``gains``; then the game goes on
with the phase ``following``.
"""

from __future__ import annotations

from ..contract import Event
from ..table import Complete, Completed, Draw, Mix, Move, Op, Result, Show, Slot, hand_of
from .casino_options import HAND, SET
from .casino_state import (
    RANK,
    CasinoState,
    Events,
    Gain,
    Next,
    hand_slots,
    sorted_texts,
    top,
    update,
)
from .seats import books_of


def settle(s: CasinoState, gains: tuple[Gain, ...], following: str) -> Next:
    """The hands of ``gains`` are settled, then comes ``following``."""
    return begin_settling(update(s, gains=gains, following=following), None)


def begin_settling(s: CasinoState, _: Result | None) -> Next:
    """The next hand, or what follows when all are settled."""
    if not s.gains:
        return update(s, phase=s.following, plan=()), ()
    gain = s.gains[0]
    if not gain.fresh:
        return _draw_back(s, gain)
    known = s.table.known
    hidden = tuple([slot for slot in gain.fresh if slot not in known])
    if gain.seat in s.exposed and hidden:
        return update(s, phase="opened", plan=(Show(hidden),), moving=hidden), ()
    return _prove(s, gain, ())


def _prove(s: CasinoState, gain: Gain, events: Events) -> Next:
    """The no-book rule, where the hand is large enough for a set. ``events`` have just happened."""
    if s.table.size(hand_of(gain.seat)) < SET:
        s, more = _done(s, gain)
        return s, (*events, *more)
    return update(s, phase="proved", plan=(Complete(gain.seat, RANK, SET, gain.fresh),)), events


def after_opening(s: CasinoState, _: Result | None) -> Next:
    """Cards that came into an open hand lie open too (rules, 4.3)."""
    gain = s.gains[0]
    return _prove(s, gain, (Event("show", gain.seat, words=sorted_texts(s, s.moving)),))


def after_proof(s: CasinoState, r: Result | None) -> Next:
    """A set is laid; without one the hand is done."""
    gain = s.gains[0]
    if not isinstance(r, Completed) or not r.groups:
        return _done(s, gain)
    ranks = sorted([faces[0][0] or "" for faces in r.faces], key=s.settings.deck.values(RANK).index)
    books = list(s.books)
    books[gain.seat] += tuple(ranks)
    laid = tuple([slot for group in r.groups for slot in group])
    fresh = tuple([slot for slot in gain.fresh if slot not in laid])
    s = update(
        s,
        phase="laid",
        plan=(Move(laid, books_of(gain.seat)),),
        books=tuple(books),
        gains=(update(gain, fresh=fresh), *s.gains[1:]),
    )
    return s, tuple([Event("set", gain.seat, words=(rank,)) for rank in ranks])


def after_laying(s: CasinoState, _: Result | None) -> Next:
    """Whoever laid a set draws back, after the deal only when all dealt sets are laid."""
    gain = s.gains[0]
    if gain.is_dealt:
        later = Gain(gain.seat, ())
        return begin_settling(update(s, gains=(*s.gains[1:], later)), None)
    return _draw_back(s, gain)


def _draw_back(s: CasinoState, gain: Gain) -> Next:
    """Up to five cards, or what is left of the deck (CG-DRAWBACK)."""
    zone = hand_of(gain.seat)
    slots = top(s, max(0, HAND - s.table.size(zone)))
    if not slots:
        return _done(s, gain)
    plan: tuple[Op, ...]
    if gain.seat in s.exposed:
        plan = (Show(slots), Move(slots, zone))
    else:
        plan = (Draw(tuple([(slot, gain.seat) for slot in slots])),)
    gain = update(gain, is_new=True)
    s = update(s, phase="drawn-back", plan=plan, gains=(gain, *s.gains[1:]), moving=slots, has_dug=True)
    return s, (Event("draw back", gain.seat, words=(str(len(slots)),)),)


def after_drawing_back(s: CasinoState, _: Result | None) -> Next:
    """What was drawn may complete the next set."""
    gain = s.gains[0]
    fresh = hand_slots(s, gain.seat)[-len(s.moving) :]
    shown = sorted_texts(s, fresh) if gain.seat in s.exposed else ()
    s = update(s, gains=(update(gain, fresh=fresh), *s.gains[1:]))
    return _prove(s, s.gains[0], (Event("show", gain.seat, words=shown),) if shown else ())


def _done(s: CasinoState, gain: Gain) -> Next:
    """A hand that got a card is mixed, so that nobody can tell the new one, unless it lies open anyway."""
    later = s.gains[1:]
    if gain.is_new and gain.fresh and _can_be_mixed(s, hand_slots(s, gain.seat)):
        return update(s, phase="settle", plan=(Mix(hand_of(gain.seat)),), gains=later), ()
    return begin_settling(update(s, gains=later), None)


def _can_be_mixed(s: CasinoState, slots: tuple[Slot, ...]) -> bool:
    known = s.table.known
    return len(slots) >= 2 and not all(slot in known for slot in slots)


def gains_after_deal(s: CasinoState) -> tuple[Gain, ...]:
    """All hands, in seat order. Dealt cards are all equally new, so no hand is mixed for them."""
    return tuple(
        [
            Gain(seat, slots, is_new=False, is_dealt=True)
            for seat in range(s.seats)
            if (slots := hand_slots(s, seat))
        ]
    )


STEPS = {
    "settle": begin_settling,
    "opened": after_opening,
    "proved": after_proof,
    "laid": after_laying,
    "drawn-back": after_drawing_back,
}
