"""Remembers what everybody could have seen.

Asks for what a hand is known to hold, and not for what it just denied.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ..cards import Face
from ..contract import Action, View
from ..rng import Stream
from ..table import Match, Partial, Zone, hand_of

SURE = 1000.0
"""Weight of a card known to be there: above anything that is only likely."""


def choose(view: View[Any], legal: Sequence[Action], rng: Stream) -> Action:
    """The best of ``legal`` by public facts and one's own hand; chance among equals."""
    if len(legal) == 1:
        return legal[0]
    if legal[0].cards:
        return _keep_secrets(view, legal)
    known, denied = view.known, view.denied
    own = Counter(face[0] for face in view.hand.values())
    hand = set(view.hand.values())
    scored = [(_worth(view, known, denied, own, hand, action), action) for action in legal]
    best = max(score for score, _ in scored)
    if 0 < best < SURE / 2:
        scored = _at_one_target(view, scored, rng)
        best = max(score for score, _ in scored)
    return rng.choice([action for score, action in scored if score == best])


def _at_one_target(
    view: View[Any], scored: Sequence[tuple[float, Action]], rng: Stream
) -> list[tuple[float, Action]]:
    """Only guesses are left: take any player who may have something, the likelier the more cards it holds.

    Always asking the largest hand would let two players pass the turn to and fro for a whole game.
    """
    hopeful = [(score, action) for score, action in scored if score > 0]
    targets = sorted({action.target for _, action in hopeful})
    cards = [target for target in targets for _ in range(view.state.table.size(hand_of(target)))]
    target = rng.choice(cards)
    return [(score, action) for score, action in hopeful if action.target == target]


def _worth(
    view: View[Any],
    known: Mapping[Zone, tuple[Partial, ...]],
    denied: Mapping[Zone, tuple[Match, ...]],
    own: Mapping[str, int],
    hand: set[Face],
    action: Action,
) -> float:
    """Cards surely won, then the chance of one, then how far the group has grown."""
    deck = view.deck
    zone = hand_of(action.target)
    is_value = action.value in deck.attributes[0].values
    match = Match(deck.attributes[0].name if is_value else "", action.value)
    value: str = action.value if is_value else deck.parse(action.value)[0]
    if not is_value and deck.parse(action.value) in hand:
        return -SURE  # a bluff is for people
    if match in denied.get(zone, ()):
        return -SURE / 2 + own[value]
    seen = known.get(zone, ())
    sure = sum(1 for partial in seen if deck.matches(partial, match))
    if not sure and not is_value and _accounted(view, known, action.value):
        return -SURE / 2 + own[value]
    # A known card of the rank may be the one asked for; a hidden card may be anything.
    likely = sum(1 for partial in seen if partial[0] == value)
    hidden: int = view.state.table.size(zone) - len(seen)
    return SURE * sure + 4 * (likely - sure) + 0.3 * hidden + own[value]


def _accounted(view: View[Any], known: Mapping[Zone, tuple[Partial, ...]], card: str) -> bool:
    """Whether a single card is known to lie somewhere, so that it is nowhere else."""
    face = view.deck.parse(card)
    return any(face in partials for partials in known.values())


def _keep_secrets(view: View[Any], legal: Sequence[Action]) -> Action:
    """Of several sets of cards to show, the one that tells the others least."""
    public: Counter[Partial] = Counter(view.known.get(hand_of(view.seat), ()))

    def news(action: Action) -> int:
        shown: Counter[Partial] = Counter(view.deck.parse(card) for card in action.cards)
        return (shown - public).total()

    return min(legal, key=news)
