"""Casino Go Fish: draws from the deck or what fits from the pool, and swaps towards four of a number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from ...cards import Face
from ...contract import Action, View
from ...games.casino_draw import TAKE
from ...games.casino_state import TO_HAND, CasinoState
from ...rng import Stream
from ...table import hand_of

WORTH = (0, 1, 3, 6, 10)
"""What so many cards of one number are worth in a hand."""


def choose(view: View[CasinoState], legal: Sequence[Action], rng: Stream) -> Action:
    """By the kind of decision. Hands stay covered."""
    match view.state.phase:
        case "draw":
            return _draw(view, legal)
        case "fill" | "swap" | "keep":
            hand = list(view.hand.values())
            return max(legal, key=lambda action: worth(_after(view, hand, action)))
        case _:
            return legal[0]


def worth(faces: Iterable[Face]) -> int:
    """How far a hand has got."""
    return sum([WORTH[count] for count in Counter([face[0] for face in faces]).values()])


def _draw(view: View[CasinoState], legal: Sequence[Action]) -> Action:
    """Two of the deck, unless the pool has cards of the number that the hand has most of.

    The Dealer stops a Patron who is known to hold two of a number.
    """
    own = Counter([face[0] for face in view.hand.values()])
    most = max(own.values(), default=0)
    best, found = legal[0], 0
    if view.seat == view.state.dealer:
        return _stop(view, legal)
    for action in legal:
        if action.verb == "draw pool":
            fitting = sum(most > 1 and own[view.deck.parse(card)[0]] == most for card in action.cards)
            if fitting > found:
                best, found = action, fitting
    return best


def _stop(view: View[CasinoState], legal: Sequence[Action]) -> Action:
    """As many cards as may be of the Patron who is known to hold most of a number, if it holds two."""
    best, found = legal[0], (1, 0)
    for action in legal:
        if action.verb == TAKE and set(action.cards) == {TO_HAND}:
            seen = Counter([part[0] for part in view.known.get(hand_of(action.target), ())])
            most = max(seen.values(), default=0)
            if most > 1 and (most, len(action.cards)) > found:
                best, found = action, (most, len(action.cards))
    return best


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
