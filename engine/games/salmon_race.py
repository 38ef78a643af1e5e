"""Judging what is played on a fish, and how the fish ends (rules, sections 2.4 and 2.5).

Cards are judged one by one in stack order, each against what the valid cards below it have left; batches
keep their order (DS-BATCH). Once the fish is claimed or eaten, cards that come later were never played: they
stay in the hand, and cost nothing (DS-LATE).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ..contract import Event
from ..table import Deeds, Draw, Move, Slot, Ticked, hand_of
from .salmon_cards import ANDREW, judged
from .salmon_options import HAND, IDLE_TURNS
from .salmon_state import (
    DISCARD,
    FISH,
    GONE,
    STACK,
    Chore,
    Events,
    Next,
    SalmonState,
    may_still_play,
    refills,
    update,
    won_of,
)
from .salmon_text import PASS, PLAY
from .seats import clockwise, present

CLAIMED = "claimed"
EATEN = "eaten"
SHORT = "short"
"""How cards end a fish: it is claimed, the cat eats it, or (``finish_on = immediately``) no full hand can be
given any more.
"""


class Judge:
    """The fish in play while the cards of one tick or turn are judged. Mutable."""

    def __init__(self, s: SalmonState) -> None:
        self._known = s.table.known
        self._table = s.table
        self._settings = s.settings
        self.problems = s.problems
        self.stack = list(s.stack)
        self.used = list(s.used)
        self.owed = s.owed
        self.valid: list[Slot] = []
        self.invalid: list[Slot] = []
        self.events: list[Event] = []
        self.end = ""
        self.ender = -1
        """The seat that claimed the fish or sent the cat."""

    def play(self, seat: int, numbers: Iterable[int]) -> None:
        """Judge one batch, and give its player new cards."""
        zone = hand_of(seat)
        slots = [Slot(zone, n) for n in numbers]
        cards = [self._known[slot][0] or "" for slot in slots]
        self.events.append(Event(PLAY, seat, words=tuple(cards)))
        late = []
        for slot, card in zip(slots, cards, strict=True):
            if self.end:
                late.append(card)
            else:
                self._judge(seat, slot, card)
        if late:
            self.events.append(Event("late", seat, words=tuple(late)))
        if len(late) < len(cards):
            self._refill(seat)

    def tell(self, verb: str, seat: int, numbers: Iterable[int]) -> None:
        """What becomes of cards that were shown and are not judged now, or never."""
        zone = hand_of(seat)
        words = tuple([self._known[Slot(zone, n)][0] or "" for n in numbers])
        self.events.append(Event(verb, seat, words=words))

    def _judge(self, seat: int, slot: Slot, card: str) -> None:
        self.used[seat] += 1
        left = judged(card, self.problems)
        if left is None:
            self.invalid.append(slot)
            self.events.append(Event("invalid", seat, words=(card,)))
            return
        self.valid.append(slot)
        self.stack.append((seat, card))
        if card == ANDREW:
            self.end, self.ender = EATEN, seat
            self.events.append(Event(EATEN, seat))
            return
        self.problems = left
        if not left:
            self.end, self.ender = CLAIMED, seat
            self.events.append(Event("claim", seat))

    def _refill(self, seat: int) -> None:
        """Back to five cards at once, as far as the piles allow."""
        zone = hand_of(seat)
        leaving = self.valid if self._settings.returns_invalid else [*self.valid, *self.invalid]
        size = self._table.size(zone) - sum(slot.zone == zone for slot in leaving)
        wanted = HAND - size - sum(other == seat for _, other in self.owed)
        if wanted <= 0:
            return
        drawn = refills(self._table, self.owed, ((seat, wanted),))
        self.owed += drawn
        if len(drawn) < wanted and self._settings.ends_at_once and not self.end:
            self.end = SHORT


def after_tick(s: SalmonState, r: Ticked) -> Next:
    """The tick is over: refills that are complete, all plays in stack order, then those of the tick before
    whose seats were late.
    """
    s, events = _received(s, r)
    judge = Judge(s)
    judge.events += events
    late = []
    for seat, deed in r.deeds:
        if deed.verb != PLAY:
            continue
        if seat in r.late:
            late.append((seat, deed.shown))
        else:
            judge.play(seat, deed.shown)
    for seat, numbers in s.deferred:
        judge.play(seat, numbers)
    for seat, numbers in late:
        judge.tell("deferred", seat, numbers)
    silence = 0 if judge.valid else s.silence + 1
    return _judged(update(s, silence=silence, is_first_tick=False, deferred=tuple(late)), judge)


def _received(s: SalmonState, r: Ticked) -> Next:
    """Refills that came with a tick, and seats that are out for this fish (PP-12)."""
    events = (*refill_events(r.drawn), *(Event("absent", seat) for seat in r.absent))
    if events:
        owed = tuple([entry for entry in s.owed if entry not in r.drawn])
        racers = tuple([seat for seat in s.racers if seat not in r.absent])
        s = update(s, owed=owed, racers=racers, gained=with_seats(s.gained, r.drawn))
    return s, events


def after_turn(s: SalmonState, r: Deeds) -> Next:
    """With ``pace = turns``: one batch, or a pass."""
    ((seat, deed),) = r.deeds
    s = update(s, turn=(seat + 1) % s.seats)
    if deed.verb == PASS:
        return update(s, phase="next turn", passes=s.passes + 1, idle=s.idle + 1), (Event(PASS, seat),)
    judge = Judge(s)
    judge.play(seat, deed.shown)
    return _judged(update(s, passes=0, idle=0 if judge.valid else s.idle + 1), judge)


def _judged(s: SalmonState, judge: Judge) -> Next:
    """The cards go where they belong, and the fish goes on or ends."""
    s = update(s, problems=judge.problems, stack=tuple(judge.stack), used=tuple(judge.used), owed=judge.owed)
    if judge.end:
        return _ended(s, judge)
    chores: list[Chore] = []
    if judge.valid:
        chores.append(Move(tuple(judge.valid), STACK))
    chores += _discards(s, judge)
    phase = "next tick"
    if s.settings.takes_turns:
        phase = "next turn"
        chores += _due(s)
    return update(s, phase=phase, chores=tuple(chores)), tuple(judge.events)


def next_tick(s: SalmonState) -> Next:
    """The race goes on, unless it is silent for too long or nobody can play any more (DS-STALE0)."""
    is_live = s.deferred or any(may_still_play(s, seat) for seat in s.racers)
    if is_live and s.silence < s.settings.patience:
        return update(s, phase="race"), ()
    return _stalemate(s)


def next_turn(s: SalmonState) -> Next:
    """The next seat that may still play; the others pass without being asked (FORCED)."""
    passes = s.passes
    if not s.settings.is_per_batch or s.idle < IDLE_TURNS * s.seats:
        for seat in clockwise(s.seats, s.turn):
            if passes >= s.seats:
                break
            if may_still_play(s, seat):
                return update(s, phase="play", turn=seat, passes=passes), ()
            passes += 1
    return _stalemate(s)


def _ended(s: SalmonState, judge: Judge) -> Next:
    """The fish is claimed or eaten, or no full hand can be given."""
    table, seat = s.table, judge.ender
    on_fish = (*table.slots(FISH), *table.slots(STACK), *judge.valid)
    chores: list[Chore] = []
    if judge.end == CLAIMED:
        chores.append(Move(on_fish, won_of(seat)))
        s = _winning(s, seat)
    elif judge.end == EATEN:
        chores.append(Move(on_fish[:1], GONE))
        chores.append(Move(on_fish[1:], DISCARD))
    elif judge.valid:
        chores.append(Move(tuple(judge.valid), STACK))
    chores += _discards(s, judge)
    for other, numbers in s.deferred:
        judge.tell("late", other, numbers)
    events = tuple(judge.events)
    if judge.end == SHORT:
        return update(s, phase="short", chores=(*chores, *_due(s)), deferred=()), events
    return _cleared(s, "between", seat, chores), events


def _stalemate(s: SalmonState) -> Next:
    """The holder of the deep fryer takes the fish and all that lies on it, and passes the fryer left."""
    judge = Judge(s)
    holder = s.fryer
    for seat, numbers in s.deferred:
        judge.tell("late", seat, numbers)
    move = Move((*s.table.slots(FISH), *s.table.slots(STACK)), won_of(holder))
    s = update(_winning(s, holder), fryer=present(s.seats, holder + 1, s.gone))
    events = (*judge.events, Event("stale claim", holder), Event("fryer", target=s.fryer))
    return _cleared(s, "redraw", holder, [move]), events  # DS-STALEFLIP: who took the fish flips


def _winning(s: SalmonState, seat: int) -> SalmonState:
    won = list(s.won)
    won[seat] = won[seat].plus(card for _, card in s.stack)
    return update(s, won=tuple(won))


def _cleared(s: SalmonState, phase: str, flipper: int, chores: list[Chore]) -> SalmonState:
    """No fish is in play; what is owed to the hands is drawn before anything else, whoever was absent."""
    return update(
        s,
        phase=phase,
        chores=(*chores, *_due(s)),
        flipper=flipper,
        problems=(),
        stack=(),
        used=(0,) * s.seats,
        racers=(),
        silence=0,
        deferred=(),
    )


def _discards(s: SalmonState, judge: Judge) -> list[Chore]:
    """Invalid cards leave the hand, or (``invalid_cards = return_to_hand``) do not."""
    if not judge.invalid or s.settings.returns_invalid:
        return []
    return [Move(tuple(judge.invalid), DISCARD)]


def _due(s: SalmonState) -> list[Chore]:
    return [Draw(s.owed)] if s.owed else []


def with_seats(gained: tuple[int, ...], drawn: Iterable[tuple[Slot, int]]) -> tuple[int, ...]:
    """The seats that got cards, in order."""
    return tuple(sorted({*gained, *(seat for _, seat in drawn)}))


def refill_events(drawn: Iterable[tuple[Slot, int]]) -> Events:
    """How many cards each seat draws."""
    counts = Counter(seat for _, seat in drawn)
    return tuple([Event("refill", seat, words=(str(count),)) for seat, count in counts.items()])
