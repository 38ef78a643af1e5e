"""Step 3 of a turn: leftovers go into the pool, or back to the Patron they were taken from.

All together: a Dealer who took from a Patron may hand back whatever is left, and to nobody else (CG-21). With
one card each taken of two Patrons each gets one back, the first one the only one there is.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations

from ..cards import Face
from ..contract import Action, Event, IllegalAction, Reason, View
from ..table import Choose, Deed, Deeds, HandOver, Move, Op, Result, Slot, hand_of
from .casino_settle import settle
from .casino_state import (
    DISCARD,
    LEFTOVERS,
    MALFORMED,
    POOL,
    TABLE,
    CasinoState,
    Gain,
    Next,
    face_of,
    hand_slots,
    sorted_texts,
    update,
)

BACK = "hand back"

# --- the steps ---


def begin_discard(s: CasinoState, _: Result | None) -> Next:
    """Only a Dealer who took from a Patron has a choice."""
    if s.fresh and not s.spare:
        s = update(s, fresh=())
    left = s.table.slots(TABLE)
    if not left and not s.spare:
        return update(s, phase="turn-over"), ()
    if s.taken_from:
        return update(s, phase=DISCARD, plan=(Choose((s.turn,), DISCARD),)), ()
    event = Event(DISCARD, s.turn, words=sorted_texts(s, left))
    return update(s, phase="turn-over", plan=(Move(left, POOL),)), (event,)


def after_discard(s: CasinoState, r: Result | None) -> Next:
    """Hidden leftovers are opened for the pool, and stay hidden when they are handed back."""
    assert isinstance(r, Deeds)
    ((seat, deed),) = r.deeds
    left = (*s.spare, *s.table.slots(TABLE))
    if deed.verb == DISCARD:
        event = Event(DISCARD, seat, words=sorted_texts(s, left))
        return update(s, phase="returned", plan=(Move(left, POOL),), taken_from=()), (event,)
    plan: list[Op] = []
    for patron, slots in _shares(s, deed).items():
        hidden = tuple([slot for slot in slots if slot.zone != TABLE])
        shown = tuple([slot for slot in slots if slot.zone == TABLE])
        if hidden:
            plan.append(HandOver(hidden, patron))
        if shown:
            plan.append(Move(shown, hand_of(patron)))
    gone = tuple([patron for patron, slots in _shares(s, deed).items() for _ in slots])
    s = update(s, phase="returned", plan=tuple(plan), taken_from=gone)
    return s, (Event(BACK, seat, words=(str(len(left)),)),)


def _shares(s: CasinoState, deed: Deed) -> dict[int, tuple[Slot, ...]]:
    """Which leftovers go back to which Patron."""
    left = (*s.spare, *s.table.slots(TABLE))
    if not _is_divided(s):
        return {s.taken_from[0]: left}
    first, second = s.taken_from
    to_first = tuple([slot for slot in left if slot.n in deed.groups[slot.zone == TABLE]])
    return {first: to_first, second: tuple([slot for slot in left if slot not in to_first])}


def _is_divided(s: CasinoState) -> bool:
    return len(set(s.taken_from)) == 2 and len(s.spare) + s.table.size(TABLE) == 2


def after_returning(s: CasinoState, _: Result | None) -> Next:
    """The Dealer's hand is settled where it could not be before, then those that got cards back."""
    gains = []
    if s.spare:
        known = s.table.known
        gains.append(Gain(s.turn, s.fresh, is_new=any(slot in known for slot in s.fresh)))
    for patron in dict.fromkeys(s.taken_from):
        count = s.taken_from.count(patron)
        gains.append(Gain(patron, hand_slots(s, patron)[-count:]))
    return settle(update(s, spare=(), fresh=()), tuple(gains), "turn-over")


# --- what may be done ---


def legal_discards(v: View[CasinoState]) -> tuple[Action, ...]:
    """Into the pool, or back."""
    s = v.state
    if not _is_divided(s):
        return Action(DISCARD), Action(BACK)
    faces = [v.hand[slot] for slot in s.spare]
    faces += [face_of(s, slot) for slot in s.table.slots(TABLE)]
    cards = [v.deck.text(face) for face in sorted(faces, key=v.deck.index)]
    return Action(DISCARD), *(Action(BACK, cards=order) for order in permutations(cards))


def deed_of_discard(v: View[CasinoState], a: Action) -> Deed:
    """Hidden leftovers are opened for the pool. Handing back names nobody: it is clear to whom."""
    s = v.state
    if a.verb == DISCARD:
        return Deed(DISCARD, a.target, a.value, shown=tuple([slot.n for slot in s.spare]))
    if a.verb != BACK:
        return Deed(a.verb, a.target, a.value)
    if not _is_divided(s):
        if a.cards:
            raise IllegalAction(MALFORMED)
        return Deed(BACK, -1 if a.target in s.taken_from else a.target, a.value)
    by_text = {v.deck.text(v.hand[slot]): slot for slot in s.spare}
    by_text.update({v.deck.text(face_of(s, slot)): slot for slot in s.table.slots(TABLE)})
    if a.target == -1 and sorted(a.cards) != sorted(by_text):
        raise IllegalAction(Reason("name-both"))
    slot = by_text.get(a.cards[0]) if a.cards else None
    groups = ((), ()) if slot is None else ((), (slot.n,)) if slot.zone == TABLE else ((slot.n,), ())
    return Deed(BACK, a.target, a.value, groups)


def refuse_discard(s: CasinoState, d: Deed, shown: Mapping[Slot, Face]) -> Reason | None:
    """Why a discard is refused."""
    if d.verb == DISCARD:
        spare = tuple([slot.n for slot in s.spare])
        return None if d == Deed(DISCARD, shown=spare) and len(shown) == len(spare) else MALFORMED
    if d.verb != BACK:
        return Reason("no-such-action", (d.verb,))
    if d.target != -1:
        is_seat = 0 <= d.target < s.seats
        return Reason("not-taken-from" if is_seat else "no-such-seat")
    if d.value or d.shown:
        return MALFORMED
    if not _is_divided(s):
        return MALFORMED if d.groups else None
    hidden = [Deed(BACK, groups=((slot.n,), ())) for slot in s.spare]
    seen = [Deed(BACK, groups=((), (slot.n,))) for slot in s.table.slots(TABLE)]
    return None if d in (*hidden, *seen) else MALFORMED


STEPS = {LEFTOVERS: begin_discard, DISCARD: after_discard, "returned": after_returning}
