"""One Fish by odds: the turn goes on as long as asks succeed, so what counts is the chance of the next one.

Also reckoned with: how many pairs an ask may bring, what is left in the hand to ask with, and which card to
give away.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ...cards import Face
from ...contract import Action, View
from ...games.one_fish_state import OneFishState
from ...games.one_fish_text import ASKS, STAR, VIA_STAR
from ...rng import Stream
from ...table import STOCK, Match, Partial, hand_of, is_whole
from .odds import at_least_one

PAIR = 1.0
"""What a pair is worth."""

TURN = 3.0
"""What going on is worth, in pairs: a hit is mostly followed by another."""

STAR_COST = 0.4
"""What a star is worth that is kept for the moment when nothing else is likely."""


def choose(view: View[OneFishState], legal: Sequence[Action], rng: Stream) -> Action:
    """By the kind of decision; chance among equals."""
    match legal[0].verb:
        case "pick":
            return rng.choice(legal)  # all places are equally unknown
        case "give":
            return _best(legal, [_given(view, action) for action in legal], rng)
        case "lay" | "decline":
            return _best(legal, [_laid(view, action) for action in legal], rng)
        case _:
            odds = Odds(view)
            return _best(legal, [odds.worth(action) for action in legal], rng)


def _best(legal: Sequence[Action], worth: Sequence[float], rng: Stream) -> Action:
    highest = max(worth)
    return rng.choice([action for action, own in zip(legal, worth, strict=True) if own > highest - 1e-9])


class Odds:
    """What one seat can reckon about where the cards lie."""

    def __init__(self, view: View[OneFishState]) -> None:
        table = view.state.table
        self._deck = view.deck
        known, denied = view.known, view.denied
        self.others = [seat for seat in range(view.state.seats) if seat != view.seat]
        self._held = {seat: known.get(hand_of(seat), ()) for seat in self.others}
        self._denied = {seat: denied.get(hand_of(seat), ()) for seat in self.others}
        self._hidden = {seat: table.size(hand_of(seat)) - len(self._held[seat]) for seat in self.others}
        self._pond = table.size(STOCK)
        self.hand = list(view.hand.values())
        unseen = Counter([view.deck.faces[card] for card in view.deck.cards])
        unseen.subtract(self.hand)
        for zone, slots in table.zones.items():
            if zone.startswith("books."):
                unseen.subtract([face for slot in slots if is_whole(face := table.known[slot])])
        self._vague = [part for held in self._held.values() for part in held if None in part]
        for held in self._held.values():
            unseen.subtract([part for part in held if is_whole(part)])
        self.unseen = {face: count for face, count in unseen.items() if count > 0}
        self.places = self._pond + sum(self._hidden.values())
        self._chances: dict[tuple[int, Match], tuple[float, float]] = {}

    def worth(self, action: Action) -> float:
        """What an ask is worth, in pairs."""
        word = action.value.removesuffix(VIA_STAR)
        match = ASKS[word]
        via_star = word != action.value
        chance, cards = self.chance(action.target, match)
        pond = self._in_pond(match)
        is_number = match.attribute == "number"
        own = sum([match.value in face for face in self.hand])
        pairs = self._pairs(cards if is_number else 1.0, own)
        hit = chance * (PAIR * pairs + TURN) + (1 - chance) * pond * (PAIR + TURN)
        return hit - (STAR_COST if via_star else 0.0)

    def _pairs(self, cards: float, own: int) -> float:
        """So many cards of a number make one pair with a card held before, the others among themselves."""
        spare = max(0.0, cards - 1)
        return 1 + min(spare, max(own - 1, 0) + spare / 2)

    def chance(self, seat: int, match: Match) -> tuple[float, float]:
        """That a seat has a matching card, and how many it then has on average."""
        found = self._chances.get((seat, match))
        if found is None:
            found = self._chances[seat, match] = self._reckoned(seat, match)
        return found

    def _reckoned(self, seat: int, match: Match) -> tuple[float, float]:
        if match in self._denied[seat]:
            return 0.0, 0.0
        none, expected = 1.0, 0.0
        for part in self._held[seat]:
            likely = self._likely(part, match, seat)
            none *= 1 - likely
            expected += likely
        wanted, places = self._count(match), self._places(match)
        if wanted > 0 and places > 0:
            hidden = self._hidden[seat]
            none *= 1 - at_least_one(round(wanted), hidden, places)
            expected += wanted * min(1.0, hidden / places)
        chance = 1 - none
        return chance, max(1.0, expected / chance) if chance else 0.0

    def _likely(self, part: Partial, match: Match, seat: int) -> float:
        """Whether a card that is known in part matches."""
        answer = self._deck.matches(part, match)
        if answer is not None:
            return float(answer)
        fitting = {
            face: count
            for face, count in self.unseen.items()
            if all(value is None or value == own for value, own in zip(part, face, strict=True))
            and not any(self._deck.matches(face, no) for no in self._denied[seat])
        }
        matching = sum([count for face, count in fitting.items() if self._deck.matches(face, match)])
        return matching / max(1, sum(fitting.values()))

    def _count(self, match: Match) -> float:
        """Matching cards that may lie anywhere hidden."""
        matches = self._deck.matches
        count = float(sum([count for face, count in self.unseen.items() if matches(face, match)]))
        for part in self._vague:
            if matches(part, match):
                count -= 1
            elif matches(part, match) is None:
                count -= 0.25
        return max(0.0, count)

    def _places(self, match: Match) -> int:
        return self.places - sum([self._hidden[seat] for seat in self.others if match in self._denied[seat]])

    def _in_pond(self, match: Match) -> float:
        places = self._places(match)
        return min(1.0, self._count(match) / places) if self._pond and places > 0 else 0.0


def _after_laying(view: View[OneFishState], action: Action) -> list[Face]:
    hand = list(view.hand.values())
    for pair in action.cards:
        for card in pair.split("+"):
            hand.remove(view.deck.parse(card))
    return hand


def _laid(view: View[OneFishState], action: Action) -> float:
    """Pairs laid, then what the rest of the hand is good for."""
    return 10 * len(action.cards) + _variety(_after_laying(view, action))


def _given(view: View[OneFishState], action: Action) -> float:
    """Keep a hand that can ask for much; what others know of already is no loss to tell."""
    given = Counter([view.deck.parse(card) for card in action.cards])
    kept = list((Counter(view.hand.values()) - given).elements())
    public = Counter(view.known.get(hand_of(view.seat), ()))
    known = sum([public[face] > 0 for face in given])
    return _variety(kept) + known


def _variety(hand: Sequence[Face]) -> float:
    """Different colours to ask for, then different numbers; a star asks for anything."""
    stars = sum([face[0] == STAR for face in hand])
    colours = {face[1] for face in hand if face[0] != STAR}
    numbers = {face[0] for face in hand if face[0] != STAR}
    return len(colours) + 0.3 * len(numbers) + 2 * stars
