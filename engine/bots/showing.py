"""Which of several sets of cards to show: what the others know already tells them nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

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
