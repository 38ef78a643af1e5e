"""Reckons with all that can be known: what is where for sure, what may be, and what a decision tells others.

One module per game; games of others are played as the careful bot plays them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...contract import Action, View
from ...games.casino_state import CasinoState
from ...games.go_fish_state import GoFishState
from ...games.one_fish_state import OneFishState
from ...games.salmon_state import SalmonState
from ...rng import Stream
from ..careful import asking
from . import casino, go_fish, one_fish, salmon

_GAMES: Mapping[type[Any], Callable[[View[Any], Sequence[Action], Stream], Action]] = {
    GoFishState: go_fish.choose,
    OneFishState: one_fish.choose,
    CasinoState: casino.choose,
    SalmonState: salmon.choose,
}


def choose(view: View[Any], legal: Sequence[Action], rng: Stream) -> Action:
    """One of ``legal`` by public facts and one's own hand; chance among equals."""
    if len(legal) == 1:
        return legal[0]
    return _GAMES.get(type(view.state), asking.choose)(view, legal, rng)
