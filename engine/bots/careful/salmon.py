"""Discount Salmon: solves a fish with its own cards, or else keeps them and waits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ...contract import Action, View
from ...games.salmon_cards import ANDREW, BLENDER, CURES
from ...games.salmon_state import SalmonState
from ...rng import Stream
from ..fish import solution


def choose(view: View[SalmonState], legal: Sequence[Action], rng: Stream) -> Action:
    """By the kind of decision."""
    match legal[0].verb:
        case "flip":
            return rng.choice(legal)
        case "drop":
            return max(legal[1:], key=lambda action: -_kept(action.cards))
        case _:
            batch = solution(view, legal)
            return legal[0] if batch is None else batch


def _kept(cards: Sequence[str]) -> int:
    """What cards are worth keeping for: cures one of each, and those that end a fish."""
    seen = Counter(cards)
    return sum([3 if card in (BLENDER, ANDREW) else 2 if card in CURES else 0 for card in seen])
