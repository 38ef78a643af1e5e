"""Casino Go Fish: sets that can still be completed, those of the team, and those of the other side.

A number with a card in the pile is dead, one with a card in the Dealer's hand nearly so. Patrons collect what
is alive and leave in the pool what the next one needs. The Dealer takes from the Patron who is furthest, and
keeps one card of each number that the Patrons collect.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ...cards import Face
from ...contract import Action, View
from ...games.casino_draw import FROM_DECK, FROM_POOL, PLACES, TAKE
from ...games.casino_options import HAND, SET
from ...games.casino_state import PILE, POOL, TABLE, TO_HAND, CasinoState
from ...games.casino_switch import is_alike
from ...games.seats import clockwise
from ...rng import Stream
from ...table import Zone, hand_of, is_whole

WORTH = (0.0, 1.0, 4.0, 14.0, 50.0)
"""What so many cards of one number are worth."""

BLOCKED = 0.1
"""What is left of that for each missing card that the other side is known to hold."""

SHARED = 0.5
"""The same for a card that somebody of the own side is known to hold."""

TEAM = 0.6
"""How much the sets of a teammate count."""

RIVAL = 0.8
"""How much the sets of the other side count."""

ALARM = 2
"""Known cards of one number in a Patron's hand from which on it is a threat."""

TAKING = 25.0
"""What each card is worth that the Dealer takes blindly from a Patron, whatever it turns out to be.

A hand that loses cards all the time completes nothing, and a level game is the Dealer's.
"""

BACK = 0.5
"""What it costs the Dealer to fill up a Patron's hand again, however useless the cards."""


CLOCK = 2.0
"""What it costs one of ``MANY`` Patrons to draw a card of the deck, with which the game ends.

A level game is the Dealer's. With cards of the pool it goes on, and only one Patron in a round is disturbed.
"""

MANY = 3
"""So many Patrons gain by a long game; fewer are disturbed too often (tried with one to five)."""


def choose(view: View[CasinoState], legal: Sequence[Action], rng: Stream) -> Action:
    """By the kind of decision; chance among equals. Hands stay covered: the Dealer would read them, too."""
    table = Casino(view)
    match view.state.phase:
        case "draw" | "again":
            worth = [table.of_draw(action) for action in legal]
        case "fill" | "swap" | "keep":
            worth = [table.of_hand(*table.after(action)) for action in legal]
        case "discard":
            worth = [table.of_discard(action) for action in legal]
        case _:
            return legal[0]
    highest = max(worth)
    return rng.choice([action for action, own in zip(legal, worth, strict=True) if own > highest - 1e-9])


class Casino:
    """What one seat knows of all hands and piles."""

    def __init__(self, view: View[CasinoState]) -> None:
        s = view.state
        self.s, self.seat, self.deck = s, view.seat, view.deck
        self.is_dealer = view.seat == s.dealer
        self.hand = list(view.hand.values())
        self.spare = [view.hand[slot] for slot in s.spare if slot in view.hand]
        self.drawn = self._open(TABLE)
        self.pool = self._open(POOL)
        self.dead = {face[0] for face in self._open(PILE)} | {rank for own in s.books for rank in own}
        known = view.known
        self.held = {
            seat: Counter([part[0] or "" for part in known.get(hand_of(seat), ())])
            for seat in range(s.seats)
            if seat != view.seat
        }
        patrons = [seat for seat in range(s.seats) if seat != s.dealer]
        self.rivals = patrons if self.is_dealer else [s.dealer]
        if not s.settings.scores_team and not self.is_dealer:
            self.rivals = [seat for seat in range(s.seats) if seat != view.seat]
        self.team = [seat for seat in self.held if seat not in self.rivals]
        order = clockwise(s.seats, s.turn)
        self.later = [seat for seat in order[1 : order.index(s.dealer)] if seat in self.team]

    def _open(self, zone: Zone) -> list[Face]:
        known = self.s.table.known
        return [face for slot in self.s.table.slots(zone) if is_whole(face := known[slot])]

    # --- hands ---

    def of_hand(self, hand: Iterable[Face], left: Sequence[Face]) -> float:
        """What a hand is worth once ``left`` go into the pool, to this seat and its side."""
        own = Counter([face[0] for face in hand])
        dead = self.dead
        if not self.later:  # nobody comes who could use them: the Dealer clears the pool
            dead = dead | {face[0] for face in left} if not self.is_dealer else dead
        worth = self._worth(own, dead)
        for mate in self.team:
            worth += TEAM * self._of_other(mate, own, dead, SHARED)
        for rival in self.rivals:
            worth -= RIVAL * self._of_other(rival, own, dead, BLOCKED)
        return worth + self._passed_on(left)

    def _passed_on(self, left: Sequence[Face]) -> float:
        """Cards in the pool for those who come next: teammates, or (of the Dealer) the Patrons."""
        takers = self.later if not self.is_dealer else self.rivals
        gain = 0.0
        for face in left:
            if face[0] in self.dead:
                continue
            best = max([self.held[seat][face[0]] for seat in takers], default=0)
            gain += WORTH[min(best + 1, SET)] - WORTH[min(best, SET - 1)] if best else 0.0
        return -RIVAL * gain if self.is_dealer else TEAM * gain

    def _of_other(self, seat: int, own: Mapping[str, int], dead: set[str], block: float) -> float:
        """What another hand is worth as far as it is known; each own card of a number may ``block`` it."""
        return sum(
            [
                WORTH[min(count, SET)] * block ** own.get(rank, 0)
                for rank, count in self.held[seat].items()
                if count >= ALARM and rank not in dead
            ]
        )

    def _worth(self, own: Mapping[str, int], dead: set[str]) -> float:
        """What the own cards are worth, by what stands in the way of each number."""
        worth = 0.0
        for rank, count in own.items():
            if rank in dead and count < SET:
                continue
            blocked = sum([self.held[seat][rank] for seat in self.rivals])
            shared = sum([self.held[seat][rank] for seat in self.team])
            worth += WORTH[min(count, SET)] * BLOCKED**blocked * SHARED**shared
        return worth

    def after(self, action: Action) -> tuple[list[Face], list[Face]]:
        """The hand after a fill, a swap, or a choice of five cards, and the cards left over."""
        parse = self.deck.parse
        hand, left = list(self.hand), list(self.drawn)
        if action.verb == "swap":
            for pair in action.cards:
                out, _, into = pair.partition("=")
                hand.remove(parse(out))
                left.append(parse(out))
                hand.append(parse(into))
                left.remove(parse(into))
        elif action.verb == "fill":
            for card in action.cards:
                hand.append(parse(card))
                left.remove(parse(card))
        elif action.cards:  # five to keep
            both = [*hand, *left]
            hand = [parse(card) for card in action.cards]
            for face in hand:
                both.remove(face)
            left = both
        return hand, left

    # --- draws ---

    def of_draw(self, action: Action) -> float:
        """What a draw promises over the hand as it is."""
        if action.verb == FROM_POOL:
            return self._gain([self.deck.parse(card) for card in action.cards])
        if action.verb == TAKE:
            return self._of_take(action)
        if action.verb == FROM_DECK:
            return self._of_deck(int(action.value))
        return 0.0

    def _of_deck(self, count: int) -> float:
        """The average over all cards that may come."""
        seen = {*self.hand, *self.pool, *self._open(PILE)}
        unseen = [face for face in self.deck.faces if face not in seen and face[0] not in self.dead]
        ranks = Counter([face[0] for face in unseen])
        own = Counter([face[0] for face in self.hand])
        for rank in ranks:
            ranks[rank] -= sum([held[rank] for held in self.held.values()])
        total = max(1, sum([max(0, left) for left in ranks.values()]))
        gain = sum([max(0, left) * self._step(own, rank) for rank, left in ranks.items()]) / total
        spares_deck = not self.is_dealer and self.s.seats > MANY
        return count * (gain - CLOCK if spares_deck else gain)

    def _gain(self, cards: Sequence[Face]) -> float:
        """What cards bring that can be put into the hand, one after the other."""
        own = Counter([face[0] for face in self.hand])
        missing = HAND - len(self.hand)
        gain = 0.0
        for n, face in enumerate(cards):
            fits = (
                self.is_dealer
                or n < missing
                or any(is_alike(out, face) and own[out[0]] < own[face[0]] for out in self.hand)
            )
            if fits and face[0] not in self.dead:
                gain += self._step(own, face[0])
                own[face[0]] += 1
        return gain

    def _step(self, own: Mapping[str, int], rank: str) -> float:
        count = own.get(rank, 0)
        if rank in self.dead or count >= SET:
            return 0.0
        blocked = sum([self.held[seat][rank] for seat in self.rivals])
        return (WORTH[count + 1] - WORTH[count]) * BLOCKED**blocked

    def _of_take(self, action: Action) -> float:
        """Two cards straight into the hand of the Patron who is furthest with a set that can be stopped."""
        held = self.held[action.target]
        own = Counter([face[0] for face in self.hand])
        threat = 0.0
        for rank, count in held.items():
            if rank in self.dead or own[rank] or count < ALARM:
                continue
            threat += WORTH[min(count, SET)]
        places = [place for place in action.cards if place in PLACES]
        named = [card for card in action.cards if card not in PLACES]
        aimed = 0.0
        for card in named:
            rank = self.deck.parse(card)[0]
            if rank not in self.dead:
                aimed += self._step(own, rank) + (WORTH[held[rank]] if not own[rank] else 0.0)
        straight = places.count(TO_HAND)
        return len(places) * (TAKING + threat / 2) + aimed + 0.01 * straight

    # --- leftovers ---

    def of_discard(self, action: Action) -> float:
        """Whether the Patron they were taken from gets the leftovers back."""
        left = [*self.spare, *self.drawn]
        taken_from = set(self.s.taken_from)
        if action.verb == "discard":
            return self._passed_on(left)
        gain = 0.0
        for face in left:
            if face[0] in self.dead:
                continue
            best = max([self.held[seat][face[0]] for seat in taken_from], default=0)
            gain += WORTH[min(best + 1, SET)] - WORTH[min(best, SET - 1)]
        return -RIVAL * gain - BACK
