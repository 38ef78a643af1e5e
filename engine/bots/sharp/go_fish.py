"""Go Fish by odds: what an ask can win, what a miss gives away, and whether a win would end the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ...cards import Face
from ...contract import Action, View
from ...games.go_fish_options import POINTS
from ...games.go_fish_state import GoFishState
from ...rng import Stream
from ...table import STOCK, hand_of, is_whole
from ..showing import faces_by_text, is_showing, tell_least
from .guessing import guess_of_more, guess_of_two
from .odds import at_least_one

PROGRESS = (0.0, 0.07, 0.27, 0.39, 1.0)
"""What so many cards of a group of four are worth, a laid group being 1."""

STALE = 0.7
"""How much less likely a seat holds a rank that the asker is known to hold: who had it might have asked."""

TURN = 0.29
"""What another turn is worth."""

EXPOSURE = 0.2
"""How much of what the next player may take counts."""

LEAK = 3.7
"""What it costs to let others know of a rank, by what its cards are worth.

Whoever draws one later takes them all.
"""

SURE = 2.0
"""A hit that is certain comes before all that is not: it costs nothing, and the turn goes on."""

LAST = 0.39
"""What an ask for the last card of a group is worth beyond its odds: nothing of it is left to be taken."""

DRAWN = 0.52
"""What a hit in the stock is worth of a hit in a hand: nobody loses the card."""


class Ask(NamedTuple):
    """What is expected of asking one seat for one rank or card."""

    sure: int
    chance: float
    """That at least one card is there."""
    cards: float
    """How many there are, where there are any."""
    draw: float
    """That the stock has it, after a miss."""


def choose(view: View[GoFishState], legal: Sequence[Action], rng: Stream) -> Action:
    """The best of ``legal``; chance among equals."""
    if is_showing(legal):
        return tell_least(view, legal)
    odds = Odds(view)
    best: list[Action] = []
    highest = -1e9
    for action in legal:
        worth = odds.worth(action)
        if worth > highest + 1e-9:
            best, highest = [], worth
        if worth > highest - 1e-9:
            best.append(action)
    return rng.choice(best)


class Odds:
    """What one seat can reckon about where the cards lie."""

    def __init__(self, view: View[GoFishState]) -> None:
        s = view.state
        self.s, self.seat, self.settings = s, view.seat, s.settings
        known, denied = view.known, view.denied
        self.own = Counter([face[0] for face in view.hand.values()])
        self.public = Counter([partial[0] for partial in known.get(hand_of(view.seat), ())])
        self.others = [seat for seat in range(s.seats) if seat != view.seat and s.table.size(hand_of(seat))]
        held = {seat: known.get(hand_of(seat), ()) for seat in self.others}
        self.sure = {seat: Counter([partial[0] for partial in held[seat]]) for seat in self.others}
        self.hidden = {seat: s.table.size(hand_of(seat)) - len(held[seat]) for seat in self.others}
        self.denied = {seat: {match.value for match in denied.get(hand_of(seat), ())} for seat in self.others}
        self.stock = s.table.size(STOCK)
        self.pond = self.stock / len(s.settings.deck)
        self.unknown = self.stock + sum(self.hidden.values())
        laid = Counter([rank for books in s.books for rank in books])
        self.left = {
            rank: s.settings.copies(rank) - laid[rank] * s.settings.book_size for rank in s.settings.ranks
        }
        self.unseen = {
            rank: self.left[rank] - self.own[rank] - sum([sure[rank] for sure in self.sure.values()])
            for rank in s.settings.ranks
        }
        self._faces: Mapping[str, Face] = {}
        self._places: dict[Face, int] = {}
        if s.settings.is_card_mode:
            self._faces = faces_by_text(view.deck)
            for seat in self.others:
                self._places.update({partial: seat for partial in held[seat] if is_whole(partial)})
            self._held = set(view.hand.values())
        self._dangers: dict[int, float] = {}

    def worth(self, action: Action) -> float:
        """What an ask is worth, in groups."""
        target = action.target
        if self._faces:
            face = self._faces[action.value]
            rank, ask = face[0], self._card(target, face)
        else:
            rank, ask = action.value, self._rank(target, action.value)
        size = self.settings.book_size
        missing, is_public = size - self.own[rank] % size, self.public[rank] > 0
        if self.s.seats == 2 and not ask.sure:
            return guess_of_two(missing, is_public, self.pond, ask.chance)
        won = self._won(target, rank, ask)
        following = (self.seat + 1) % self.s.seats if self.settings.passes_left else target
        missed = -EXPOSURE * self.danger(following, rank, target)
        if ask.draw and self.settings.hit_repeats:
            gain = self._progress(rank, 1) + TURN
            missed += ask.draw * (DRAWN * gain - missed)
        worth = ask.chance * won + (1 - ask.chance) * missed + LAST * (missing == 1 and ask.chance > 0)
        return worth if ask.sure else worth + guess_of_more(missing, is_public, self.pond, ask.chance)

    def _won(self, target: int, rank: str, ask: Ask) -> float:
        cards = ask.cards
        rivals = len(self.others)
        gain = self._progress(rank, cards)
        loss = self._value(rank, ask.cards) if cards else 0.0
        final = self._ending(target, rank, ask)
        return gain + loss / rivals + TURN + final + (SURE if ask.sure else 0.0)

    def _value(self, rank: str, cards: float) -> float:
        """What holding so many cards of a rank is worth."""
        size = self.settings.book_size
        at = min(cards * 4 / size, 4.0)
        low = int(at)
        value = PROGRESS[low] + (at - low) * (PROGRESS[min(low + 1, 4)] - PROGRESS[low])
        return value * (POINTS[rank] / 7 if self.settings.scores_ranks else 1.0)

    def _progress(self, rank: str, cards: float) -> float:
        return self._value(rank, self.own[rank] + cards) - self._value(rank, self.own[rank])

    def _rank(self, target: int, rank: str) -> Ask:
        sure, hidden = self.sure[target][rank], self.hidden[target]
        chance, more = 0.0, 0.0
        unseen, places = self.unseen[rank], self._places_for(rank)
        if rank not in self.denied[target] and hidden and unseen > 0 and places:
            chance = at_least_one(unseen, hidden, places)
            if self.public[rank]:
                chance *= STALE
            more = min(1.0, hidden / places) * unseen
        draw = unseen / places if self.stock and places else 0.0
        if sure:
            return Ask(sure, 1.0, 1.0 if self.settings.gives_one else sure + more, draw)
        if not chance:
            return Ask(0, 0.0, 0.0, draw)
        return Ask(0, chance, 1.0 if self.settings.gives_one else max(1.0, more / chance), draw)

    def _card(self, target: int, face: Face) -> Ask:
        rank = face[0]
        if face in self._held:
            return Ask(0, 0.0, 0.0, 0.0)
        place = self._places.get(face)
        if place is not None:
            return Ask(int(place == target), float(place == target), 1.0, 0.0)
        text = self.settings.deck.text(face)
        # Cards of the rank that are known by their rank alone may be this one.
        vague = {
            seat: self.sure[seat][rank] - sum(f[0] == rank and p == seat for f, p in self._places.items())
            for seat in self.others
        }
        unplaced = self.unseen[rank] + sum(vague.values())
        if text in self.denied[target] or unplaced <= 0:
            chance = 0.0
        else:
            places = max(1, self._places_for(text))
            deep = min(1.0, self.hidden[target] / places) * (STALE if self.public[rank] else 1.0)
            chance = min(1.0, (vague[target] + self.unseen[rank] * deep) / unplaced)
        draw = 1 / self.unknown if self.stock else 0.0
        return Ask(0, chance, 1.0, draw)

    def _places_for(self, value: str) -> int:
        """Hidden cards that may be of a rank (or a card): not those of hands that were shown to have none."""
        return self.unknown - sum([self.hidden[seat] for seat in self.others if value in self.denied[seat]])

    def danger(self, seat: int, rank: str, target: int) -> float:
        """What ``seat`` may take with its turn, if ``target`` turns out to have nothing of ``rank``."""
        if seat not in self.sure:
            return 0.0
        danger = self._dangers.get(seat)
        if danger is None:
            danger = self._dangers[seat] = sum(
                [self._loss(seat, known) for known in self.public if known is not None]
            )
        if self.public[rank]:
            return danger - (self._loss(seat, rank) if seat == target else 0.0)
        leak = LEAK * self._value(rank, self.own[rank] + 1) if self.unseen[rank] > 0 else 0.0
        return danger + leak + (self._loss(seat, rank) if seat != target else 0.0)

    def _loss(self, seat: int, rank: str) -> float:
        """What it costs if ``seat`` asks for a rank, by the chance that it may."""
        if self.sure[seat][rank]:
            chance = 1.0
        elif rank in self.denied[seat]:
            chance = 0.0
        else:
            places = self._places_for(rank)
            chance = at_least_one(self.unseen[rank], self.hidden[seat], places) if places else 0.0
            if self.public[rank]:
                chance *= STALE
        cards = self.own[rank]
        theirs = self._value(rank, cards + 1) - self._value(rank, 1)
        return chance * (self._value(rank, cards) + theirs)

    def _ending(self, target: int, rank: str, ask: Ask) -> float:
        """Won or lost, where a hand would be empty and that is the end (GF-END)."""
        if self.settings.plays_on or not ask.sure:
            return 0.0
        size = self.settings.book_size
        has = self.own[rank] + ask.sure
        books = [len(own) for own in self.s.books]
        laid = has // size
        mine = self.s.table.size(hand_of(self.seat)) + ask.sure - laid * size
        theirs = self.s.table.size(hand_of(target)) - ask.sure
        if mine and theirs:
            return 0.0
        books[self.seat] += laid
        rest = max([count for seat, count in enumerate(books) if seat != self.seat])
        if books[self.seat] > rest:
            return 5.0
        return 0.0 if books[self.seat] == rest else -5.0
