"""Any game in which players ask one another, those of others among them.

Asks for what a hand is known to hold, and not for what it was shown not to hold; the rest is chance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...cards import Deck, InvalidCard
from ...contract import Action, View
from ...rng import Stream
from ...table import Match, Partial, Zone, hand_of
from ..showing import is_showing, tell_least


def choose(view: View[Any], legal: Sequence[Action], rng: Stream) -> Action:
    """An ask that is known to succeed, else one that may."""
    if is_showing(legal):
        return tell_least(view, legal)
    known, denied = view.known, view.denied
    best: list[Action] = []
    highest = -1
    for action in legal:
        hope = _hope(view.deck, known, denied, action)
        if hope > highest:
            best, highest = [], hope
        if hope == highest:
            best.append(action)
    return rng.choice(best)


def _hope(
    deck: Deck,
    known: Mapping[Zone, tuple[Partial, ...]],
    denied: Mapping[Zone, tuple[Match, ...]],
    action: Action,
) -> int:
    """0: it will fail; 1: it may succeed, or is no ask; from 2 on: so many cards are there for sure."""
    match = _asked(deck, action)
    if match is None:
        return 1
    zone = hand_of(action.target)
    if match in denied.get(zone, ()):
        return 0
    sure = sum(deck.matches(partial, match) is True for partial in known.get(zone, ()))
    return 1 + sure


def _asked(deck: Deck, action: Action) -> Match | None:
    """What an action asks a seat for, where it does."""
    if action.target < 0 or not action.value:
        return None
    for attribute in deck.attributes:
        if action.value in attribute.values:
            return Match(attribute.name, action.value)
    try:
        return Match("", deck.text(deck.parse(action.value)))
    except InvalidCard:
        return None
