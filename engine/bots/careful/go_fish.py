"""Go Fish: remembers what was shown, asked and denied, and asks for what it has most of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from ...cards import Face
from ...contract import Action, View
from ...games.go_fish_state import GoFishState
from ...rng import Stream
from ...table import Partial, Zone, hand_of
from ..showing import faces_by_text, is_showing, tell_least

SURE = 1000.0
"""Weight of a card known to be there: above anything that is only likely."""

LIKELY = 4.0
"""Weight of a card that is known by its rank alone where a single card is asked for: above any number of own
cards."""

HIDDEN = 0.3
"""Weight of a hidden card, which may be anything."""


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
    """What asks for ranks are worth: cards surely won, then how far the own group is and what is hidden.

    Who asked for a rank holds a card of it, as all have heard.
    """

    def __init__(self, view: View[GoFishState], known: Mapping[Zone, tuple[Partial, ...]]) -> None:
        self.own = Counter([face[0] for face in view.hand.values()])
        self._sure = {zone: Counter([partial[0] for partial in held]) for zone, held in known.items()}
        self._hidden = {
            zone: len(slots) - len(known.get(zone, ())) for zone, slots in view.state.table.zones.items()
        }

    def rank(self, value: str) -> str:
        return value

    def of(self, action: Action) -> float:
        zone = hand_of(action.target)
        return self._worth(zone, action.value, self._of_rank(zone, action.value), 0)

    def _of_rank(self, zone: Zone, rank: str) -> int:
        return self._sure[zone][rank] if zone in self._sure else 0

    def _worth(self, zone: Zone, rank: str, sure: int, likely: int) -> float:
        hidden, own = self._hidden[zone], self.own[rank]
        if not (sure or likely or hidden):  # all of the hand is known, and it is not there
            return own - SURE / 2
        return SURE * sure + LIKELY * likely + HIDDEN * hidden + own


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
        # A known card of the rank may be the one asked for.
        sure = int(place is not None)
        return self._worth(zone, face[0], sure, self._of_rank(zone, face[0]) - sure)
