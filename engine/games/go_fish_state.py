"""The public state of Go Fish, and the small facts that all its parts use."""

from __future__ import annotations

from typing import TypeAlias

from .asking import AskingState, Events
from .go_fish_options import POINTS, Settings


class GoFishState(AskingState, frozen=True, kw_only=True):
    """Public facts of a game of Go Fish.

    ``books`` are the ranks that each seat has laid. ``idle`` counts asks without a card drawn or a group
    laid. ``is_dealing``: dealt groups are being laid, and no turn has begun.
    """

    settings: Settings
    books: tuple[tuple[str, ...], ...]
    is_dealing: bool = True


Next: TypeAlias = tuple[GoFishState, Events]


def scores_of(s: GoFishState) -> tuple[int, ...]:
    """Books laid by each seat, or what they are worth."""
    if s.settings.scores_ranks:
        return tuple([sum(POINTS[rank] for rank in books) for books in s.books])
    return tuple(map(len, s.books))
