"""Discount Salmon by odds: who may solve the fish next, and what to do about it.

Solves where it can, and gets rid of useless cards along with it. Where it cannot: exchanges useless cards for
new ones, makes the fish harder while it holds the deep fryer, or sends the cat where others would profit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ...contract import Action, View
from ...games.salmon_cards import ANDREW, BLENDER, CURES, CURSES, MODIFIERS, Problems, judged
from ...games.salmon_options import HAND
from ...games.salmon_state import SalmonState, allowed
from ...games.salmon_text import PLAY
from ...rng import Stream
from ..fish import CURE_OF, cards_left, solution
from .odds import at_least_one

TEMPO = 0.25
"""What it is worth to flip the next fish with ``pace = turns``, where the flipper plays first."""

KEEP = {BLENDER: 3.0, ANDREW: 1.0}
CURE, CURSE, SPARE = 1.0, 0.3, 0.1
"""What a cure of each kind is worth in a hand, a curse, and a second card of either."""


def choose(view: View[SalmonState], legal: Sequence[Action], rng: Stream) -> Action:
    """By the kind of decision; chance among equals."""
    match legal[0].verb:
        case "flip":
            return rng.choice(legal)
        case "drop":
            held = Counter([face[0] for face in view.hand.values()])
            return max(legal[1:], key=lambda action: _worth_keeping(held - Counter(action.cards)))
    claim = solution(view, legal)
    if claim is not None:
        return _with_useless(view, legal, claim)
    race = Race(view, legal)
    worth = [race.worth(action) for action in legal]
    highest = max(worth)
    return next(action for action, own in zip(legal, worth, strict=True) if own > highest - 1e-9)


def _worth_keeping(held: Counter[str]) -> float:
    first = sum([KEEP.get(card, CURE if card in CURES else CURSE) for card in held])
    return first + SPARE * (held.total() - len(held))


def _with_useless(view: View[SalmonState], legal: Sequence[Action], claim: Action) -> Action:
    """The claim, after cards that change nothing: they are discarded, and new ones drawn."""
    s = view.state
    spare = allowed(s, view.seat) - len(claim.cards)
    if spare < 1 or s.settings.returns_invalid:
        return claim
    left = list((Counter(cards_left(view, legal)) - Counter(claim.cards)).elements())
    useless = [
        card
        for n, card in enumerate(left)
        if judged(card, s.problems) is None and (card in CURSES or card in left[:n])
    ]
    return Action(PLAY, cards=(*useless[:spare], *claim.cards))


class Race:
    """What one seat can reckon about the fish in play."""

    def __init__(self, view: View[SalmonState], legal: Sequence[Action]) -> None:
        s = view.state
        self.s, self.seat = s, view.seat
        self.cards = Counter(cards_left(view, legal))
        unseen = Counter([view.deck.faces[card][0] for card in view.deck.cards])
        unseen.subtract([face[0] for face in view.hand.values()])
        unseen.subtract([face[0] or "" for slot, face in s.table.known.items() if slot not in view.hand])
        self.unseen = {card: count for card, count in unseen.items() if card in MODIFIERS and count > 0}
        self.total = sum(self.unseen.values())
        self.loss = 1 / max(1, s.seats - 1)
        self.stale = 1.0 if s.fryer == view.seat else -self.loss
        self.tempo = TEMPO if s.settings.takes_turns else 0.0
        self._solving: dict[Problems, float] = {}

    def worth(self, action: Action) -> float:
        """What is to be expected of this fish after a batch, in fish; nothing else counts among equals."""
        problems: Problems = self.s.problems
        for card in action.cards:
            left = judged(card, problems)
            if left is None:
                continue
            if card == ANDREW:
                return self.tempo
            problems = left
        others = self._others(problems)
        mine = self._mine(problems, action.cards)
        later = mine * (1 + self.tempo) + (1 - mine) * self.stale
        exchange = 0.01 * _worth_keeping(self.cards - Counter(action.cards))
        return -others * (self.loss + self.tempo / 2) + (1 - others) * later + exchange

    def _others(self, problems: Problems) -> float:
        """That another seat solves this before it is one's own turn again."""
        none = 1.0
        for seat in range(self.s.seats):
            if seat != self.seat and allowed(self.s, seat) > 0:
                none *= 1 - self._solves(problems, allowed(self.s, seat)) * self._news(seat, problems)
        return 1 - none

    def _news(self, seat: int, problems: Problems) -> float:
        """How far it is open whether a seat can do it: it would have done it already."""
        if problems != self.s.problems:
            return 1.0
        if self.s.settings.takes_turns:
            ago = (self.s.turn - seat) % self.s.seats
            return 0.0 if ago <= self.s.passes else 1.0
        return max(0.0, 1 - 2 * self.s.silence / self.s.settings.patience)

    def _solves(self, problems: Problems, most: int) -> float:
        """That a hand of which nothing is known solves a fish with at most so many cards."""
        chance = self._has(BLENDER, HAND)
        if len(problems) > most:
            return chance
        cures = self._solving.get(problems)
        if cures is None:
            cures = 1.0
            for problem in problems:
                cures *= self._has(CURE_OF[problem], HAND)
            self._solving[problems] = cures
        return 1 - (1 - chance) * (1 - cures)

    def _mine(self, problems: Problems, played: Sequence[str]) -> float:
        """That the cards kept, and those drawn for the cards played, solve it later."""
        drawn = 0 if self.s.settings.returns_invalid else len(played)
        most = allowed(self.s, self.seat) - (0 if self.s.settings.is_per_batch else len(played))
        kept = self.cards - Counter(played)
        if most < 1:
            return 0.0
        if kept[BLENDER]:
            return 1.0
        chance = self._has(BLENDER, drawn)
        if len(problems) > most:
            return chance
        cures = 1.0
        for problem in problems:
            if not kept[CURE_OF[problem]]:
                cures *= self._has(CURE_OF[problem], drawn)
        return 1 - (1 - chance) * (1 - cures)

    def _has(self, card: str, drawn: int) -> float:
        return at_least_one(self.unseen.get(card, 0), drawn, self.total)
