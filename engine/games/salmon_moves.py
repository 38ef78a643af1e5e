"""What a seat may do in Discount Salmon, and why it may not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import combinations, permutations

from ..cards import Face
from ..contract import Action, IllegalAction, Reason, View
from ..table import Deed, Slot, hand_of
from .salmon_options import DROPPED
from .salmon_state import LAKE, SalmonState, allowed, deciding, deferred_of
from .salmon_text import DOWN, DROP, FLIP, PASS, PLAY, WAIT

# --- by public facts --------------------------------------------------------------------------------------

_VERBS: Mapping[str, tuple[str, ...]] = {
    FLIP: (FLIP,),
    "race": (PLAY, WAIT),
    PLAY: (PLAY, PASS),
    DROP: (DROP,),
}


def _refuse_flip(s: SalmonState, seat: int, d: Deed) -> Reason | None:
    is_one = len(d.groups) == 1 and len(d.groups[0]) == 1
    if not is_one or d.shown or d.value:
        return Reason("malformed")
    if Slot(LAKE, d.groups[0][0]) not in s.table.slots(LAKE):
        return Reason("no-such-fish")
    return None


def _refuse_nothing(s: SalmonState, seat: int, d: Deed) -> Reason | None:
    return Reason("malformed") if d.groups or d.shown or d.value else None


def _refuse_play(s: SalmonState, seat: int, d: Deed) -> Reason | None:
    if d.groups or d.value or not d.shown:
        return Reason("malformed")
    left = allowed(s, seat)
    if left < 1:
        return Reason("allowance")
    if len(d.shown) > left:
        return Reason("too-many", (str(left),))
    if not set(d.shown).isdisjoint(deferred_of(s, seat)):
        return Reason("already-played")
    return None


def _refuse_drop(s: SalmonState, seat: int, d: Deed) -> Reason | None:
    """Exactly two cards, open or face down; fewer only where fewer are held."""
    slots = s.table.slots(hand_of(seat))
    count = min(DROPPED, len(slots))
    if d.value == DOWN:
        numbers = set(d.groups[0]) if len(d.groups) == 1 else set()
        if d.shown or not numbers or not numbers <= {slot.n for slot in slots}:
            return Reason("malformed")
        is_right = len(numbers) == len(d.groups[0]) == count
    else:
        if d.groups or d.value:
            return Reason("malformed")
        is_right = len(d.shown) == count
    return None if is_right else Reason("drop-count", (str(count),))


_REFUSE: Mapping[str, Callable[[SalmonState, int, Deed], Reason | None]] = {
    FLIP: _refuse_flip,
    WAIT: _refuse_nothing,
    PASS: _refuse_nothing,
    PLAY: _refuse_play,
    DROP: _refuse_drop,
}


def refusal(s: SalmonState, seat: int, d: Deed) -> Reason | None:
    """Why everybody refuses a deed, whatever is in it."""
    if s.chores or seat not in deciding(s):
        is_out = s.phase == "race" and 0 <= seat < s.seats and not s.chores
        return Reason("out-of-race" if is_out else "not-your-turn")
    if d.verb not in _VERBS[s.phase]:
        return Reason("no-such-action", (d.verb,))
    if d.target != -1:
        return Reason("malformed")
    return _REFUSE[d.verb](s, seat, d)


# --- by the own hand --------------------------------------------------------------------------------------


def legal_actions(v: View[SalmonState]) -> tuple[Action, ...]:
    """All that the seat may do; the first is what is done where the time passes."""
    s = v.state
    if s.phase == FLIP:
        return _flips(s.table.size(LAKE))
    held = sorted(_playable(v).values(), key=v.deck.index)
    cards = tuple([face[0] for face in held])
    if s.phase == DROP:
        return _drops(cards)
    return _batches(PASS if s.phase == PLAY else WAIT, cards, allowed(s, v.seat))


def deed_of(v: View[SalmonState], a: Action) -> Deed:
    """The public form of an action. Raises ``IllegalAction``."""
    s = v.state
    if a.verb == FLIP:
        deed = Deed(FLIP, groups=_fish_at(s, a.value))
    elif a.value == DOWN:
        deed = Deed(a.verb, value=DOWN, groups=(_lowest(v, a),))
    else:
        # Too many cards are told before cards that are not there: no slot has a number below 0.
        _raise(refusal(s, v.seat, Deed(a.verb, value=a.value, shown=tuple(range(-len(a.cards), 0)))))
        deed = Deed(a.verb, value=a.value, shown=_slots(v, a.cards))
    _raise(refusal(s, v.seat, deed))
    return deed


def _raise(reason: Reason | None) -> None:
    if reason is not None:
        raise IllegalAction(reason)


def _fish_at(s: SalmonState, place: str) -> tuple[tuple[int, ...], ...]:
    """The fish at a place of the lake, counted from 1."""
    if s.phase != FLIP:
        return ()
    lake = s.table.slots(LAKE)
    number = int(place) if place.isascii() and place.isdecimal() and len(place) < 4 else 0
    if not 0 < number <= len(lake):
        raise IllegalAction(Reason("no-such-fish", (place,)))
    return ((lake[number - 1].n,),)


def _lowest(v: View[SalmonState], a: Action) -> tuple[int, ...]:
    """The slots of the lowest cards, which alone are discarded face down (DS-OPENDISC)."""
    ordered = sorted(v.hand, key=lambda slot: (v.deck.index(v.hand[slot]), slot.n))[:DROPPED]
    if a.cards and sorted(a.cards) != sorted(v.hand[slot][0] for slot in ordered):
        raise IllegalAction(Reason("must-be-open"))
    return tuple([slot.n for slot in ordered])


def _playable(v: View[SalmonState]) -> Mapping[Slot, Face]:
    """The own cards that have not been played yet."""
    deferred = deferred_of(v.state, v.seat)
    if not deferred:
        return v.hand
    return {slot: face for slot, face in v.hand.items() if slot.n not in deferred}


def _slots(v: View[SalmonState], cards: Iterable[str]) -> tuple[int, ...]:
    """Slots of the own hand with these cards, in their order; of equal ones those that all have seen."""
    left = dict(_playable(v))
    seen = v.state.table.known
    numbers = []
    for text in cards:
        fitting = [slot for slot, face in left.items() if face[0] == text]
        if not fitting:
            raise IllegalAction(Reason("twice" if (text,) in v.hand.values() else "not-held", (text,)))
        slot = next((slot for slot in fitting if slot in seen), fitting[0])
        del left[slot]
        numbers.append(slot.n)
    return tuple(numbers)


@lru_cache(maxsize=32)
def _flips(count: int) -> tuple[Action, ...]:
    """Every place of the lake, the lowest first."""
    return tuple([Action(FLIP, value=str(n + 1)) for n in range(count)])


def _drops(cards: tuple[str, ...]) -> tuple[Action, ...]:
    """The two lowest cards face down, or any two open."""
    count = min(DROPPED, len(cards))
    lowest = Action(DROP, value=DOWN, cards=cards[:count])
    return (lowest, *[Action(DROP, cards=some) for some in dict.fromkeys(combinations(cards, count))])


# Bounded: there are some thousand hands, each with up to 86 actions.
@lru_cache(maxsize=1024)
def _batches(first: str, cards: tuple[str, ...], most: int) -> tuple[Action, ...]:
    """``first``, then every different batch of up to ``most`` cards, short ones first."""
    batches = (batch for k in range(1, most + 1) for batch in permutations(cards, k))
    return (Action(first), *[Action(PLAY, cards=batch) for batch in dict.fromkeys(batches)])
