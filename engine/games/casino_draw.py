"""Step 1 of a turn: one or two cards from exactly one source (CG-ONESRC, CG-MIN1).

The deck, the pool, or, for the Dealer, the hand of one Patron; with ``dealer_takes_from = split`` one card
each of two Patrons, taken one after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, combinations, product

from ..contract import Action, Event, IllegalAction, Reason
from ..table import (
    STOCK,
    Choose,
    Deed,
    Deeds,
    HandOver,
    Move,
    Op,
    Pick,
    Picked,
    Result,
    Show,
    Slot,
    hand_of,
)
from .casino_options import MOST_DRAWN
from .casino_state import (
    AGAIN,
    DRAW,
    MALFORMED,
    PASS,
    POOL,
    TABLE,
    TO_HAND,
    TO_TABLE,
    CasinoState,
    Events,
    Next,
    hand_slots,
    is_increasing,
    sorted_texts,
    texts,
    top,
    update,
)
from .seats import clockwise

FROM_DECK = "draw deck"
FROM_POOL = "draw pool"
TAKE = "take"
SOURCES = (FROM_DECK, FROM_POOL, TAKE)

WAYS = ("hand", "table", "hand,hand", "hand,table", "table,table")
"""Where blindly taken cards go, in the one spelling there is; which card is which, chance decides."""

PLACES = (TO_HAND, TO_TABLE)

_WAY_WORDS = tuple([tuple(way.split(",")) for way in WAYS])

# --- what may be drawn ---


def legal_draws(s: CasinoState, seat: int) -> tuple[Action, ...]:
    """Every draw, those of the deck first; for a second Patron's card, to pass comes first."""
    actions = [Action(PASS)] if s.phase == AGAIN else []
    if s.phase == DRAW:
        if s.table.size(STOCK):
            actions += [Action(FROM_DECK, value=count) for count in ("2", "1")]
        pool = sorted_texts(s, s.table.slots(POOL))
        for count in range(1, MOST_DRAWN + 1):
            actions += [Action(FROM_POOL, cards=cards) for cards in combinations(pool, count)]
    if seat == s.dealer:
        for target in clockwise(s.seats, seat)[1:]:
            if s.table.size(hand_of(target)) and target not in s.taken_from:
                actions += _legal_takes(s, target)
    return tuple(actions)


def _legal_takes(s: CasinoState, target: int) -> Sequence[Action]:
    most = min(MOST_DRAWN - len(s.taken_from), s.table.size(hand_of(target)))
    if target not in s.exposed:
        return _blind_takes(target, most)
    hand = sorted_texts(s, hand_slots(s, target))
    actions: list[Action] = []
    for count in range(1, most + 1):
        for cards in combinations(hand, count):
            actions += _open_takes(target, cards)
    return actions


@lru_cache(maxsize=64)
def _blind_takes(target: int, most: int) -> tuple[Action, ...]:
    """Up to ``most`` cards of a hidden hand, in every way they may go."""
    return tuple([Action(TAKE, target, cards=way) for way in _WAY_WORDS if len(way) <= most])


@lru_cache(maxsize=8192)  # every pair of cards for six seats: they come up again and again
def _open_takes(target: int, cards: tuple[str, ...]) -> tuple[Action, ...]:
    """These cards of an open hand, in every way they may go."""
    ways = product(PLACES, repeat=len(cards))
    return tuple([Action(TAKE, target, cards=tuple(chain(*zip(cards, way, strict=True)))) for way in ways])


# --- from an action to its public form ---


def deed_of_draw(s: CasinoState, a: Action) -> Deed:
    """Cards of the pool, or of an open hand, become slots. ``IllegalAction`` for one that is not there."""
    if a.verb == FROM_POOL:
        if not s.table.size(POOL):
            raise IllegalAction(Reason("empty-pool"))
        numbers = [_found(s, s.table.slots(POOL), card, "not-in-pool").n for card in a.cards]
        return Deed(a.verb, a.target, a.value, (tuple(sorted(numbers)),))
    if a.verb != TAKE:
        return Deed(a.verb, a.target, a.value)
    named, places = a.cards[::2], a.cards[1::2]
    if len(named) != len(places) and not set(a.cards) <= set(PLACES):
        raise IllegalAction(MALFORMED)
    if set(a.cards) <= set(PLACES):
        return Deed(TAKE, a.target, ",".join(sorted(a.cards)))
    if not 0 <= a.target < s.seats or a.target not in s.exposed:
        return Deed(TAKE, a.target, ",".join(places), ((-1,),))  # refused, with the reason for it
    hand = hand_slots(s, a.target)
    pairs = sorted(
        (_found(s, hand, card, "not-in-that-hand").n, place)
        for card, place in zip(named, places, strict=True)
    )
    numbers = [n for n, _ in pairs]
    return Deed(TAKE, a.target, ",".join([place for _, place in pairs]), (tuple(numbers),))


def _found(s: CasinoState, slots: tuple[Slot, ...], card: str, reason: str) -> Slot:
    for slot, text in zip(slots, texts(s, slots), strict=True):
        if text == card:
            return slot
    raise IllegalAction(Reason(reason, (card,)))


# --- what is refused ---


def refuse_draw(s: CasinoState, seat: int, d: Deed) -> Reason | None:
    """Why a draw is refused: all of it is public."""
    if d.shown:
        return MALFORMED
    if s.phase == AGAIN:
        if d.verb == PASS:
            return None if d == Deed(PASS) else MALFORMED
        if d.verb in (FROM_DECK, FROM_POOL):
            return Reason("one-source")
    match d.verb:
        case "draw deck":
            return _refuse_deck(s, d)
        case "draw pool":
            return _refuse_pool(s, d)
        case "take":
            return _refuse_take(s, seat, d)
        case _:
            return Reason("no-such-action", (d.verb,))


def _refuse_deck(s: CasinoState, d: Deed) -> Reason | None:
    if not s.table.size(STOCK):
        return Reason("empty-deck")
    return None if d in (Deed(FROM_DECK, value="1"), Deed(FROM_DECK, value="2")) else MALFORMED


def _refuse_pool(s: CasinoState, d: Deed) -> Reason | None:
    if not s.table.size(POOL):
        return Reason("empty-pool")
    if d.target != -1 or d.value or len(d.groups) != 1:
        return MALFORMED
    return _refuse_numbers(d.groups[0], s.table.slots(POOL))


def _refuse_numbers(numbers: tuple[int, ...], slots: tuple[Slot, ...]) -> Reason | None:
    there = {slot.n for slot in slots}
    sound = 1 <= len(numbers) <= MOST_DRAWN and is_increasing(numbers) and there.issuperset(numbers)
    return None if sound else MALFORMED


def _refuse_take(s: CasinoState, seat: int, d: Deed) -> Reason | None:
    if seat != s.dealer:
        return Reason("dealer-only")
    if not 0 <= d.target < s.seats:
        return Reason("no-such-seat")
    if d.target == seat:
        return Reason("own-seat")
    if d.target in s.taken_from:
        return Reason("same-patron")
    size = s.table.size(hand_of(d.target))
    if not size:
        return Reason("no-cards")
    places = tuple(d.value.split(","))
    if any(place not in PLACES for place in places):
        return MALFORMED
    if len(places) > min(MOST_DRAWN - len(s.taken_from), size):
        return Reason("too-many", (str(len(places)),))
    if d.target not in s.exposed:
        if d.groups:
            return Reason("not-exposed")
        return None if d.value in WAYS else MALFORMED
    if not d.groups:
        return Reason("name-cards")
    if len(d.groups) != 1 or len(d.groups[0]) != len(places):
        return MALFORMED
    return _refuse_numbers(d.groups[0], hand_slots(s, d.target))


# --- what follows ---


def after_draw(s: CasinoState, r: Result | None) -> Next:
    """The cards are shown and laid before the player, or the taking of a hand's cards begins."""
    assert isinstance(r, Deeds)
    ((seat, deed),) = r.deeds
    if deed.verb == PASS:
        return update(s, phase="switch"), (Event(PASS, seat),)
    if s.phase == DRAW:
        s = update(s, steady=hand_slots(s, seat))
    if deed.verb == FROM_DECK:
        slots = top(s, int(deed.value))
        return update(s, phase="drawn", plan=(Show(slots), Move(slots, TABLE)), has_dug=True), ()
    if deed.verb == FROM_POOL:
        slots = tuple([Slot(POOL, n) for n in deed.groups[0]])
        event = Event(FROM_POOL, seat, words=sorted_texts(s, slots))
        return update(s, phase="switch", plan=(Move(slots, TABLE),)), (event,)
    return _take(update(s, target=deed.target, takes=tuple(deed.value.split(","))), seat, deed)


def after_deck(s: CasinoState, _: Result | None) -> Next:
    """Cards of the deck are seen by all."""
    return update(s, phase="switch"), (Event(FROM_DECK, s.turn, words=texts(s, s.table.slots(TABLE))),)


def _take(s: CasinoState, seat: int, deed: Deed) -> Next:
    if not deed.groups:
        event = Event(TAKE, seat, deed.target, (str(len(s.takes)),))
        pick = Pick(seat, hand_of(deed.target), len(s.takes))
        return update(s, phase="picked", plan=(pick,)), (event,)
    slots = tuple([Slot(hand_of(deed.target), n) for n in deed.groups[0]])
    event = Event(TAKE, seat, deed.target, sorted_texts(s, slots))
    plan: list[Op] = []
    for place, zone in ((TO_HAND, hand_of(seat)), (TO_TABLE, TABLE)):
        going = tuple([slot for slot, where in zip(slots, s.takes, strict=True) if where == place])
        if going:
            plan.append(Move(going, zone))
    return update(s, phase="taken", plan=tuple(plan), moving=()), (event,)


def after_picking(s: CasinoState, r: Result | None) -> Next:
    """Of blindly picked cards the first go into the hand, seen by two, and the others are shown to all."""
    assert isinstance(r, Picked)
    straight = s.takes.count(TO_HAND)
    hidden, shown = r.slots[:straight], r.slots[straight:]
    plan: list[Op] = []
    if hidden:
        plan.append(HandOver(hidden, s.turn))
    if shown:
        plan += [Show(shown), Move(shown, TABLE)]
    return update(s, phase="taken", plan=tuple(plan), moving=shown), ()


def after_taking(s: CasinoState, _: Result | None) -> Next:
    """The Dealer has the cards; where one card each may be taken of two Patrons, the second comes next."""
    count = s.takes.count(TO_HAND)
    came = hand_slots(s, s.turn)[-count:] if count else ()
    events: Events = ()
    if s.moving:
        shown = s.table.slots(TABLE)[-len(s.moving) :]
        events = (Event("show", s.target, words=sorted_texts(s, shown)),)
    s = update(
        s,
        taken_from=(*s.taken_from, *([s.target] * len(s.takes))),
        straight=(*s.straight, *came),
        fresh=(*s.fresh, *came),
        moving=(),
    )
    if s.settings.may_split and len(s.taken_from) < MOST_DRAWN and _others_to_take_from(s):
        return update(s, phase=AGAIN, plan=(Choose((s.turn,), AGAIN),)), events
    return update(s, phase="switch"), events


def _others_to_take_from(s: CasinoState) -> bool:
    return any(
        s.table.size(hand_of(seat)) for seat in range(s.seats) if seat != s.turn and seat not in s.taken_from
    )


STEPS = {
    DRAW: after_draw,
    AGAIN: after_draw,
    "drawn": after_deck,
    "picked": after_picking,
    "taken": after_taking,
}
