"""One Fish: asks for what is known to be there, else for a colour, and lays whatever can be laid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ...contract import Action, View
from ...games.one_fish_state import OneFishState
from ...games.one_fish_text import ASKS, COLOUR, VIA_STAR
from ...rng import Stream
from ...table import hand_of
from ..showing import tell_least


def choose(view: View[OneFishState], legal: Sequence[Action], rng: Stream) -> Action:
    """By the kind of decision."""
    match legal[0].verb:
        case "pick":
            return rng.choice(legal)  # all places are equally unknown
        case "give":
            return tell_least(view, legal)
        case "lay" | "decline":
            return max(legal, key=lambda action: len(action.cards))
        case _:
            return _ask(view, legal, rng)


def _ask(view: View[OneFishState], legal: Sequence[Action], rng: Stream) -> Action:
    known, denied = view.known, view.denied
    own: Counter[str | None] = Counter([value for face in view.hand.values() for value in face])
    best: list[Action] = []
    highest = (-1, -1, -1)
    for action in legal:
        via_star = action.value.endswith(VIA_STAR)
        match = ASKS[action.value.removesuffix(VIA_STAR)]
        zone = hand_of(action.target)
        sure = sum(view.deck.matches(partial, match) is True for partial in known.get(zone, ()))
        if match in denied.get(zone, ()):
            hope = 0
        elif match.attribute == COLOUR:
            hope = 2 + 2 * min(sure, 1)
        else:
            hope = 1 + 2 * sure
        score = (hope, -via_star, own[match.value])
        if score > highest:
            best, highest = [], score
        if score == highest:
            best.append(action)
    return rng.choice(best)
