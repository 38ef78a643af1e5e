"""Which of several sets of cards to show: what the others know already tells them nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from ..cards import Deck, Face
from ..contract import Action, View
from ..table import Partial, hand_of

GIVE = "give"
LAY = "lay"


def is_showing(legal: Sequence[Action]) -> bool:
    """Whether the decision is which cards to give or lay, which every game may ask for."""
    return legal[0].verb in (GIVE, LAY) and "+" not in "".join(legal[0].cards)


def tell_least(view: View[Any], legal: Sequence[Action]) -> Action:
    """Of several sets of cards to show, the first of those that tell the others least."""
    public: Counter[Partial] = Counter(view.known.get(hand_of(view.seat), ()))

    def news(action: Action) -> int:
        shown: Counter[Partial] = Counter(view.deck.parse(card) for card in action.cards)
        return (shown - public).total()

    return min(legal, key=news)


@lru_cache(maxsize=8)
def faces_by_text(deck: Deck) -> Mapping[str, Face]:
    """The faces of a deck by their texts, for bots that look at many cards at once."""
    return {deck.text(face): face for face in deck.faces}
