"""The public state of Discount Salmon, and small facts about it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import msgspec

from ..contract import Event, Outcome, State
from ..table import Draw, Mix, Move, Return, Slot, Table, Zone, hand_of
from .salmon_cards import CURES, CURSES, Problems
from .salmon_options import ALLOWANCE, HAND, Settings
from .seats import winners

LAKE: Zone = "lake"
STOCK: Zone = "stock"
PILES: tuple[Zone, Zone] = ("pile.A", "pile.B")
FISH: Zone = "fish"
"""Where the fish in play lies."""
STACK: Zone = "stack"
"""The valid cards on the fish in play, those played first coming first."""
DISCARD: Zone = "discard"
GONE: Zone = "gone"
"""Fish that Andrew ran away with, and the cards of those who have left: they are out of the game."""


class Tally(msgspec.Struct, frozen=True, order=True):
    """What a seat has won, by weight: fish, then (where these are equal) negative and positive cards."""

    fish: int = 0
    negative: int = 0
    positive: int = 0

    def plus(self, cards: Iterable[str], fish: int = 1) -> Tally:
        """With one more fish and the cards on it. A blender is neither negative nor positive (DS-BLEND)."""
        there = list(cards)
        negative = sum(card in CURSES for card in there)
        positive = sum(card in CURES for card in there)
        return Tally(self.fish + fish, self.negative + negative, self.positive + positive)


Chore: TypeAlias = Move | Draw | Mix | Return
"""An operation that follows by itself from what was decided."""


class SalmonState(State, frozen=True):
    """Public facts of a game of Discount Salmon.

    ``chores`` are operations still to be done, one after the other; then ``phase`` names the pending one.
    ``flipped`` is the slot number of the chosen fish in the lake.
    ``racers`` are the seats that are not out for this fish; ``used`` are the cards each seat has played on
    it. ``stack`` are its valid cards with who played them, ``silence`` the ticks without one. ``deferred``
    are plays (seat and slot numbers) of seats that were late, to be judged after those of the next tick.
    ``owed`` are refills whose slot and seat are fixed and which still wait for shares; ``gained`` the seats
    whose hands have to be mixed before the next flip. With ``pace = turns``, ``turn`` is the seat to play,
    ``passes`` counts passes in a row, ``idle`` turns in a row without a valid card. ``gone`` are
    seats that have left.
    """

    settings: Settings
    seats: int
    phase: str
    flipper: int = 0
    fryer: int = 0
    flipped: int = -1
    problems: Problems = ()
    stack: tuple[tuple[int, str], ...] = ()
    used: tuple[int, ...] = ()
    racers: tuple[int, ...] = ()
    silence: int = 0
    is_first_tick: bool = False
    deferred: tuple[tuple[int, tuple[int, ...]], ...] = ()
    owed: tuple[tuple[Slot, int], ...] = ()
    gained: tuple[int, ...] = ()
    turn: int = 0
    passes: int = 0
    idle: int = 0
    won: tuple[Tally, ...] = ()
    chores: tuple[Chore, ...] = ()
    gone: tuple[int, ...] = ()
    outcome: Outcome | None = None


Events: TypeAlias = tuple[Event, ...]
Next: TypeAlias = tuple[SalmonState, Events]

update = msgspec.structs.replace


def won_of(seat: int) -> Zone:
    """Where the fish and cards lie that a seat has won."""
    return f"won.{seat}"


def staying(s: SalmonState) -> list[int]:
    """The seats that have not left."""
    return [seat for seat in range(s.seats) if seat not in s.gone]


def deferred_of(s: SalmonState, seat: int) -> tuple[int, ...]:
    """Slot numbers of a seat's hand that were played, but have not been judged yet."""
    if not s.deferred:
        return ()
    return tuple(n for other, numbers in s.deferred if other == seat for n in numbers)


def deciding(s: SalmonState) -> tuple[int, ...]:
    """The seats that decide in this phase."""
    match s.phase:
        case "flip":
            return (s.flipper,)
        case "race":
            return s.racers
        case "play":
            return (s.turn,)
        case "drop":
            return tuple([seat for seat in range(s.seats) if s.table.size(hand_of(seat))])
    return ()


def allowed(s: SalmonState, seat: int) -> int:
    """Cards that a seat may still play, in one batch or on this fish (DS-THREE).

    Those not judged yet count, until it turns out that they came too late.
    """
    if s.settings.is_per_batch:
        return ALLOWANCE
    return ALLOWANCE - s.used[seat] - len(deferred_of(s, seat))


def may_still_play(s: SalmonState, seat: int) -> bool:
    """Whether a seat has allowance left, and cards, or cards to come."""
    if not s.settings.is_per_batch and s.used[seat] >= ALLOWANCE:
        return False
    return s.table.size(hand_of(seat)) > 0 or any(other == seat for _, other in s.owed)


def refills(
    table: Table, owed: tuple[tuple[Slot, int], ...], wanted: Iterable[tuple[int, int]]
) -> tuple[tuple[Slot, int], ...]:
    """The next cards for seats that want so many, one seat after the other, as far as the piles allow.

    Even seats draw from pile A and odd ones from pile B, from the other when theirs is empty (DS-PILE).
    Cards that are ``owed`` lie on the piles still, but are taken.
    """
    free = [table.slots(pile) for pile in PILES]
    if owed:
        taken = {slot for slot, _ in owed}
        free = [tuple([slot for slot in slots if slot not in taken]) for slots in free]
    drawn: list[tuple[Slot, int]] = []
    for seat, count in wanted:
        left = count
        for pile in (seat % 2, 1 - seat % 2):
            now, free[pile] = free[pile][:left], free[pile][left:]
            drawn += [(slot, seat) for slot in now]
            left -= len(now)
    return tuple(drawn)


def short_hand(s: SalmonState) -> bool:
    """Whether some hand has fewer than five cards and nothing is left to fill it."""
    size = s.table.size
    return not any(map(size, PILES)) and any(size(hand_of(seat)) < HAND for seat in staying(s))


def outcome_of(s: SalmonState, reason: str) -> Outcome:
    """Fish count; a tie is decided by negative cards, then by positive ones (DS-MORE), or shared."""
    return Outcome(reason, tuple([tally.fish for tally in s.won]), winners(s.won, s.gone))
