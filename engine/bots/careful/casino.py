"""Casino Go Fish: draws from the deck or what fits from the pool, and swaps towards four of a number.

The Dealer wins level games, so it disturbs the Patrons: every turn it takes cards of the one who is furthest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from ...cards import Face
from ...contract import Action, View
from ...games.casino_draw import TAKE
from ...games.casino_state import PILE, TO_HAND, CasinoState
from ...rng import Stream
from ...table import hand_of

WORTH = (0, 1, 3, 6, 10)
"""What so many cards of one number are worth in a hand."""

PAIR = 2
"""Known cards of one number from which on a Patron is a threat."""


def choose(view: View[CasinoState], legal: Sequence[Action], rng: Stream) -> Action:
    """By the kind of decision. Hands stay covered."""
    match view.state.phase:
        case "draw":
            return _stop(view, legal, rng) if view.seat == view.state.dealer else _draw(view, legal)
        case "fill" | "swap" | "keep":
            hand = list(view.hand.values())
            dead = _dead(view) if view.seat == view.state.dealer else frozenset()
            return max(legal, key=lambda action: worth(_after(view, hand, action), dead))
        case _:
            return legal[0]


def worth(faces: Iterable[Face], dead: frozenset[str | None] = frozenset()) -> int:
    """How far a hand has got with the numbers that are not ``dead``."""
    return sum([WORTH[count] for count in Counter([f[0] for f in faces if f[0] not in dead]).values()])


def _draw(view: View[CasinoState], legal: Sequence[Action]) -> Action:
    """Two of the deck, unless the pool has cards of the number that the hand has most of."""
    own = Counter([face[0] for face in view.hand.values()])
    most = max(own.values(), default=0)
    best, found = legal[0], 0
    for action in legal:
        if action.verb == "draw pool":
            fitting = sum(most > 1 and own[view.deck.parse(card)[0]] == most for card in action.cards)
            if fitting > found:
                best, found = action, fitting
    return best


def _stop(view: View[CasinoState], legal: Sequence[Action], rng: Stream) -> Action:
    """Cards of a Patron who is known to hold most of a number, straight into the hand; chance among equals.

    Two of them, though one is enough of a single Patron, whose every turn the Dealer follows, until that one
    is known to hold two of a number.
    """
    dead = _dead(view)
    most: dict[int, int] = {}
    for seat in range(view.state.seats):
        seen = Counter([part[0] for part in view.known.get(hand_of(seat), ())])
        most[seat] = max([count for number, count in seen.items() if number not in dead], default=0)
    takes = [action for action in legal if action.verb == TAKE and set(action.cards) == {TO_HAND}]
    if not takes:  # no Patron holds a card, or hands lie open
        return legal[0]
    furthest = max([most[action.target] for action in takes])
    takes = [action for action in takes if most[action.target] == furthest]
    has_time = view.state.seats == 2 and furthest < PAIR
    count = (min if has_time else max)([len(action.cards) for action in takes])
    return rng.choice([action for action in takes if len(action.cards) == count])


def _dead(view: View[CasinoState]) -> frozenset[str | None]:
    """The numbers of which a card is out of play: laid in a set, or in the pile."""
    table = view.state.table
    gone = [table.known[slot][0] for slot in table.slots(PILE) if slot in table.known]
    return frozenset([*gone, *[number for own in view.state.books for number in own]])


def _after(view: View[CasinoState], hand: list[Face], action: Action) -> list[Face]:
    """The hand after a fill, a swap, or a choice of five cards."""
    parse = view.deck.parse
    if action.verb == "swap":
        hand = list(hand)
        for pair in action.cards:
            out, _, into = pair.partition("=")
            hand.remove(parse(out))
            hand.append(parse(into))
        return hand
    if action.verb == "fill":
        return [*hand, *map(parse, action.cards)]
    return [parse(card) for card in action.cards] or hand
