"""Solving the fish in play with one's own cards."""

from __future__ import annotations

from collections.abc import Sequence

from ..contract import Action, View
from ..games.salmon_cards import BLENDER, CURES, Problems
from ..games.salmon_options import ALLOWANCE
from ..games.salmon_state import SalmonState, allowed
from ..games.salmon_text import PLAY

CURE_OF = {problem: cure for cure, problem in CURES.items()}


def cards_left(view: View[SalmonState], legal: Sequence[Action]) -> tuple[str, ...]:
    """The own cards that may be played now: those of the batches of one card."""
    return tuple([action.cards[0] for action in legal if action.verb == PLAY and len(action.cards) == 1])


def cures_for(problems: Problems, cards: Sequence[str], most: int) -> tuple[str, ...] | None:
    """The cures that solve everything, a blender where they do not, ``None`` where nothing does."""
    needed = tuple([CURE_OF[problem] for problem in problems])
    if len(needed) <= most and all(card in cards for card in needed):
        return needed
    return (BLENDER,) if most and BLENDER in cards else None


def solution(view: View[SalmonState], legal: Sequence[Action]) -> Action | None:
    """The batch that claims the fish, if there is one."""
    s = view.state
    batch = cures_for(s.problems, cards_left(view, legal), min(allowed(s, view.seat), ALLOWANCE))
    return None if not batch else Action(PLAY, cards=batch)
