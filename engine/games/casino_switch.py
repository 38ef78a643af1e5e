"""Step 2 of a turn: places in the hand are filled, then drawn cards are swapped for cards of the hand.

CG-FILL, CG-SWAP, CG-LIKE, CG-DEALERSWAP. A Dealer who took cards straight into the hand chooses which five to
keep instead; that hand is mixed before, so that nobody sees which cards these are.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import combinations

from ..cards import Deck, Face
from ..contract import Action, Event, IllegalAction, Reason, View
from ..table import Choose, Deed, Deeds, Mix, Move, Op, Result, Slot, hand_of
from .casino_options import HAND, WITH_COLOUR
from .casino_settle import settle
from .casino_state import (
    FILL,
    KEEP,
    LEFTOVERS,
    MALFORMED,
    SWAP,
    TABLE,
    CasinoState,
    Gain,
    Next,
    face_of,
    hand_slots,
    is_increasing,
    sorted_texts,
    texts,
    update,
)

RED = frozenset("HD")


@lru_cache(maxsize=4096)  # all pairs of a pack: they come up again and again
def is_alike(one: Face, other: Face) -> bool:
    """The same colour or the same number (CG-LIKE)."""
    return one[0] == other[0] or _colour(one) == _colour(other)


def _colour(face: Face) -> str:
    """A deck of one's own may have suits whose colours stand on the cards."""
    if len(face) == len(WITH_COLOUR):
        return face[-1]
    return "red" if face[1] in RED else "black"


# --- the steps ---


def begin_switch(s: CasinoState, _: Result | None) -> Next:
    """Fills what is missing, and asks where there is a choice."""
    hand, drawn = s.table.size(hand_of(s.turn)), s.table.slots(TABLE)
    if s.straight:
        return _begin_keeping(s, hand, drawn)
    missing = HAND - hand
    if missing <= 0 or not drawn:
        return _begin_swap(s)
    if len(drawn) <= missing:
        return _fill(s, drawn)
    return update(s, phase=FILL, plan=(Choose((s.turn,), FILL),)), ()


def _begin_keeping(s: CasinoState, hand: int, drawn: tuple[Slot, ...]) -> Next:
    zone = hand_of(s.turn)
    if hand + len(drawn) <= HAND:
        return _fill(s, drawn) if drawn else _end_switch(s)
    mix: tuple[Op, ...] = (Mix(zone),) if hand > 1 else ()
    return update(s, phase=KEEP, plan=(*mix, Choose((s.turn,), KEEP))), ()


def _fill(s: CasinoState, slots: tuple[Slot, ...]) -> Next:
    event = Event("fill", s.turn, words=sorted_texts(s, slots))
    return update(s, phase="filled", plan=(Move(slots, hand_of(s.turn)),), moving=slots), (event,)


def after_fill(s: CasinoState, r: Result | None) -> Next:
    """The player named the card that fills the one place."""
    assert isinstance(r, Deeds)
    ((_, deed),) = r.deeds
    return _fill(s, (Slot(TABLE, deed.groups[0][0]),))


def after_filling(s: CasinoState, _: Result | None) -> Next:
    """Then swaps."""
    fresh = (*s.fresh, *hand_slots(s, s.turn)[-len(s.moving) :])
    return _begin_swap(update(s, fresh=fresh, moving=()))


def _begin_swap(s: CasinoState) -> Next:
    """Asked of everybody with a card on each side, whether or not the hand has one that may be swapped.

    No program answers by itself, so that a choice of one looks like any other; and there is no time limit as
    for yes-or-no answers, since there is much to think about.
    """
    if not s.table.size(TABLE) or not s.steady:
        return _end_switch(s)
    return update(s, phase=SWAP, plan=(Choose((s.turn,), SWAP),)), ()


def after_swap(s: CasinoState, r: Result | None) -> Next:
    """Cards change places, those that left the hand seen by all."""
    assert isinstance(r, Deeds)
    ((seat, deed),) = r.deeds
    if deed.verb == KEEP:
        s, events = _end_switch(s)
        return s, (Event(KEEP, seat), *events)
    coming = tuple([Slot(TABLE, n) for n in deed.groups[0]])
    pairs = zip(texts(s, r.slots), texts(s, coming), strict=True)
    event = Event(SWAP, seat, words=tuple([f"{out}={into}" for out, into in pairs]))
    plan: tuple[Op, ...] = (Move(r.slots, TABLE), Move(coming, hand_of(seat)))
    return update(s, phase="swapped", plan=plan, moving=coming), (event,)


def after_swapping(s: CasinoState, _: Result | None) -> Next:
    """What came in is new in the hand."""
    fresh = (*s.fresh, *hand_slots(s, s.turn)[-len(s.moving) :])
    return _end_switch(update(s, fresh=fresh, moving=()))


def _end_switch(s: CasinoState) -> Next:
    """The hand is settled, then come the leftovers."""
    if not s.fresh:
        return update(s, phase=LEFTOVERS), ()
    return settle(s, (Gain(s.turn, s.fresh),), LEFTOVERS)


def after_keep(s: CasinoState, r: Result | None) -> Next:
    """Five cards stay. Leftovers hidden in the hand must be gone before it can be settled."""
    assert isinstance(r, Deeds)
    ((seat, deed),) = r.deeds
    kept, coming = deed.groups
    hand = hand_slots(s, seat)
    spare = tuple([slot for slot in hand if slot.n not in kept])
    fresh = tuple([slot for slot in hand if slot.n in kept])
    moving = tuple([Slot(TABLE, n) for n in coming])
    plan: tuple[Op, ...] = (Move(moving, hand_of(seat)),) if moving else ()
    words = (str(len(kept)), *texts(s, moving))
    s = update(s, phase="kept", plan=plan, spare=spare, fresh=fresh, moving=moving)
    return s, (Event(KEEP, seat, words=words),)


def after_keeping(s: CasinoState, _: Result | None) -> Next:
    """Open cards that were kept lie in the hand now."""
    came = hand_slots(s, s.turn)[-len(s.moving) :] if s.moving else ()
    s = update(s, fresh=(*s.fresh, *came), moving=())
    if s.spare:
        return update(s, phase=LEFTOVERS), ()
    return settle(s, (Gain(s.turn, s.fresh, is_new=bool(came)),), LEFTOVERS)


_NO_SWAP = Action(KEEP)

# --- what may be done ---


def legal_fills(s: CasinoState) -> tuple[Action, ...]:
    """One of the drawn cards."""
    return tuple([Action(FILL, cards=(card,)) for card in sorted_texts(s, s.table.slots(TABLE))])


def legal_swaps(v: View[CasinoState]) -> tuple[Action, ...]:
    """No swap first; then single swaps, then two at once."""
    s = v.state
    deck = v.deck
    drawn = sorted([face_of(s, slot) for slot in s.table.slots(TABLE)], key=deck.index)
    hand = [(face, deck.text(face)) for face in sorted([v.hand[slot] for slot in s.steady], key=deck.index)]
    free = v.seat == s.dealer
    ways = []
    for into in drawn:
        end = "=" + deck.text(into)
        ways.append([out + end for face, out in hand if free or is_alike(face, into)])
    found = [_NO_SWAP]
    for way in ways:
        found += [Action(SWAP, cards=(pair,)) for pair in way]
    if len(ways) == 2:
        # Two swaps of the same card of the hand begin with the same two letters.
        found += [
            Action(SWAP, cards=(one, other)) for one in ways[0] for other in ways[1] if one[:2] != other[:2]
        ]
    return tuple(found)


def legal_keeps(v: View[CasinoState]) -> tuple[Action, ...]:
    """Every choice of five of the hand and what was drawn openly."""
    s = v.state
    faces = [*v.hand.values(), *(face_of(s, slot) for slot in s.table.slots(TABLE))]
    cards = [v.deck.text(face) for face in sorted(faces, key=v.deck.index)]
    return tuple([Action(KEEP, cards=kept) for kept in combinations(cards, HAND)])


# --- from an action to its public form ---


def deed_of_fill(s: CasinoState, a: Action) -> Deed:
    """A drawn card by its slot."""
    return Deed(a.verb, a.target, a.value, (tuple([drawn_slot(s, card).n for card in a.cards]),))


def deed_of_swap(v: View[CasinoState], a: Action) -> Deed:
    """Cards of the hand that are opened, and the drawn cards that take their places, in the same order."""
    if a.verb != SWAP:
        return Deed(a.verb, a.target, a.value)
    pairs = []
    for pair in a.cards:
        out, _, into = pair.partition("=")
        pairs.append((drawn_slot(v.state, into).n, slot_in_hand(v.hand, v.deck, out).n))
    pairs.sort()
    return Deed(SWAP, a.target, a.value, (tuple([n for n, _ in pairs]),), tuple([n for _, n in pairs]))


def deed_of_keep(v: View[CasinoState], a: Action) -> Deed:
    """The slots that stay: of the hand, and of what lies open."""
    hand, drawn = [], []
    open_cards = dict(
        zip(texts(v.state, v.state.table.slots(TABLE)), v.state.table.slots(TABLE), strict=True)
    )
    for card in a.cards:
        if card in open_cards:
            drawn.append(open_cards[card].n)
        else:
            hand.append(slot_in_hand(v.hand, v.deck, card).n)
    return Deed(KEEP, a.target, a.value, (tuple(sorted(hand)), tuple(sorted(drawn))))


def drawn_slot(s: CasinoState, card: str) -> Slot:
    """The slot of a card drawn in this turn. Raises ``IllegalAction``."""
    slots = s.table.slots(TABLE)
    for slot, text in zip(slots, texts(s, slots), strict=True):
        if text == card:
            return slot
    raise IllegalAction(Reason("not-drawn", (card,)))


def slot_in_hand(hand: Mapping[Slot, Face], deck: Deck, card: str) -> Slot:
    """The slot of a card of the own hand. Raises ``IllegalAction``."""
    for slot, face in hand.items():
        if deck.text(face) == card:
            return slot
    raise IllegalAction(Reason("not-in-hand", (card,)))


# --- what is refused ---


def refuse_fill(s: CasinoState, d: Deed) -> Reason | None:
    """Why a fill is refused: it names exactly one drawn card."""
    sound = [Deed(FILL, groups=((slot.n,),)) for slot in s.table.slots(TABLE)]
    return None if d in sound else MALFORMED


def refuse_swap(s: CasinoState, seat: int, d: Deed, shown: Mapping[Slot, Face]) -> Reason | None:
    """Why a swap is refused. All its cards are public once its deed is made."""
    if d.verb == KEEP:
        return None if d == Deed(KEEP) else MALFORMED
    coming = d.groups[0] if len(d.groups) == 1 else ()
    sound = d.target == -1 and not d.value and 1 <= len(coming) == len(d.shown) and is_increasing(coming)
    if not sound or not {slot.n for slot in s.table.slots(TABLE)}.issuperset(coming):
        return MALFORMED
    zone = hand_of(seat)
    out = [Slot(zone, n) for n in d.shown]
    if len(set(out)) != len(out) or any(slot not in shown for slot in out):
        return MALFORMED
    deck = s.settings.deck
    for slot, n in zip(out, coming, strict=True):
        face, into = shown[slot], face_of(s, Slot(TABLE, n))
        if slot not in s.steady:
            return Reason("just-filled", (deck.text(face),))
        if seat != s.dealer and not is_alike(face, into):
            return Reason("not-alike", (deck.text(face), deck.text(into)))
    return None


def refuse_keep(s: CasinoState, seat: int, d: Deed) -> Reason | None:
    """Why a choice of cards to keep is refused: it is public how many, and in which slots they lie."""
    if d.target != -1 or d.value or d.shown or len(d.groups) != 2 or not all(map(is_increasing, d.groups)):
        return MALFORMED
    for numbers, slots in zip(d.groups, (hand_slots(s, seat), s.table.slots(TABLE)), strict=True):
        if not {slot.n for slot in slots}.issuperset(numbers):
            return MALFORMED
    count = sum(map(len, d.groups))
    return None if count == HAND else Reason("keep-five", (str(count),))


STEPS = {
    "switch": begin_switch,
    FILL: after_fill,
    "filled": after_filling,
    SWAP: after_swap,
    "swapped": after_swapping,
    KEEP: after_keep,
    "kept": after_keeping,
}
