"""The public state of One Fish, and the small facts that all its parts use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from ..table import Match
from .asking import ASK, AskingState, Events
from .one_fish_options import Settings
from .one_fish_text import ASKS, STAR, pair_text
from .seats import books_of

PICK = "pick"
LAY = "lay"
MAY_LAY = "lay or decline"
DECLINE = "decline"

VERBS: Mapping[str, tuple[str, ...]] = {ASK: (ASK,), PICK: (PICK,), LAY: (LAY,), MAY_LAY: (LAY, DECLINE)}
"""What may be done in the phases in which a seat decides."""


class OneFishState(AskingState, frozen=True, kw_only=True):
    """Public facts of a game of One Fish.

    ``via_star``: the ask was made with a star. ``idle`` counts asks in a row that failed with nothing to
    pick.
    """

    settings: Settings
    via_star: bool = False


Next: TypeAlias = tuple[OneFishState, Events]


def scores_of(s: OneFishState) -> tuple[int, ...]:
    """Cards laid by each seat."""
    return tuple([s.table.size(books_of(seat)) for seat in range(s.seats)])


def laid_pairs(s: OneFishState, seat: int) -> tuple[str, ...]:
    """The pairs that a seat has laid, as texts."""
    known = s.table.known
    laid = [tuple([value or "" for value in known[slot]]) for slot in s.table.slots(books_of(seat))]
    pairs = zip(laid[::2], laid[1::2], strict=True)
    return tuple([pair_text(s.settings.deck, a, b) for a, b in pairs])


def asked(value: str) -> tuple[Match, bool]:
    """What an ask is for, and whether a star is used; ``KeyError`` for what may not be asked for."""
    via_star = value.endswith(STAR)
    return ASKS[value.removesuffix(STAR)], via_star
