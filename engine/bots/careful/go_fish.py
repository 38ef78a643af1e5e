"""Go Fish: asks for what a hand is known to hold, and not for what it just denied."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from ...cards import Face
from ...contract import Action, View
from ...games.go_fish import GoFishState
from ...rng import Stream
from ...table import Partial, Zone, hand_of
from ..showing import faces_by_text, is_showing, tell_least

SURE = 1000.0
"""Weight of a card known to be there: above anything that is only likely."""


def choose(view: View[GoFishState], legal: Sequence[Action], rng: Stream) -> Action:
    """The best of ``legal`` by public facts and one's own hand; chance among equals."""
    if is_showing(legal):
        return tell_least(view, legal)
    known = view.known
    denied = {zone: {match.value for match in matches} for zone, matches in view.denied.items()}
    worth = _Cards(view, known) if view.state.settings.is_card_mode else _Ranks(view, known)
    own = worth.own
    scored = []
    for action in legal:
        gone = action.value in denied.get(hand_of(action.target), ())
        scored.append((-SURE / 2 + own[worth.rank(action.value)] if gone else worth.of(action), action))
    best = max([score for score, _ in scored])
    if 0 < best < SURE / 2:
        scored = _at_one_target(view, scored, rng)
        best = max([score for score, _ in scored])
    return rng.choice([action for score, action in scored if score == best])


def _at_one_target(
    view: View[GoFishState], scored: Sequence[tuple[float, Action]], rng: Stream
) -> list[tuple[float, Action]]:
    """Only guesses are left: take any player who may have something, the likelier the more cards it holds.

    Always asking the largest hand would let two players pass the turn to and fro for a whole game.
    """
    hopeful = [(score, action) for score, action in scored if score > 0]
    targets = sorted({action.target for _, action in hopeful})
    cards = [target for target in targets for _ in range(view.state.table.size(hand_of(target)))]
    target = rng.choice(cards)
    return [(score, action) for score, action in hopeful if action.target == target]


class _Ranks:
    """What asks for ranks are worth: cards surely won, then hidden cards, then how far the group is."""

    def __init__(self, view: View[GoFishState], known: Mapping[Zone, tuple[Partial, ...]]) -> None:
        self.own = Counter([face[0] for face in view.hand.values()])
        self._sure = {
            zone: Counter([partial[0] for partial in held if None not in partial])
            for zone, held in known.items()
        }
        self._hidden = {
            zone: len(slots) - len(known.get(zone, ())) for zone, slots in view.state.table.zones.items()
        }

    def rank(self, value: str) -> str:
        return value

    def of(self, action: Action) -> float:
        zone = hand_of(action.target)
        sure = self._sure[zone][action.value] if zone in self._sure else 0
        return SURE * sure + (self._hidden[zone] > 0)


class _Cards(_Ranks):
    """The same where single cards are asked for."""

    def __init__(self, view: View[GoFishState], known: Mapping[Zone, tuple[Partial, ...]]) -> None:
        super().__init__(view, known)
        self._faces: Mapping[str, Face] = faces_by_text(view.deck)
        self._held = set(view.hand.values())
        self._places: dict[Partial, Zone] = {
            partial: zone for zone, held in known.items() for partial in held if None not in partial
        }

    def rank(self, value: str) -> str:
        return self._faces[value][0]

    def of(self, action: Action) -> float:
        face, zone = self._faces[action.value], hand_of(action.target)
        if face in self._held:
            return -SURE  # a bluff is for people
        place = self._places.get(face)
        if place not in (None, zone):
            return -SURE / 2 + self.own[face[0]]
        # A known card of the rank may be the one asked for; a hidden card may be anything.
        likely = self._sure[zone][face[0]] if zone in self._sure else 0
        sure = place is not None
        return SURE * sure + 4 * (likely - sure) + (self._hidden[zone] > 0)
