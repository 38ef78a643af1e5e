"""Discount Salmon, in real time and in turns. Tags such as ``DS-LATE`` name the ruling that applies.

A fish: the flipper turns one of the lake; everybody races to solve its problems with up to three cards; who
solves the last one claims the fish and flips the next. Where nobody does, the holder of the deep fryer takes
it, and everybody discards two cards and draws two. Hands that got cards are mixed between fish.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..cards import Deck, Face
from ..contract import (
    Action,
    Event,
    GameInfo,
    Layout,
    Outcome,
    Pile,
    Reason,
    Report,
    SeatFact,
    View,
)
from ..table import (
    Choose,
    Claim,
    Coin,
    Deed,
    Deeds,
    Draw,
    Mix,
    Move,
    Number,
    Op,
    Result,
    Show,
    Shown,
    Shuffle,
    Slot,
    Table,
    Tick,
    Ticked,
    Zone,
    down_of,
    hand_of,
)
from .salmon_cards import problems_of
from .salmon_leave import leave
from .salmon_moves import deed_of, legal_actions, refusal
from .salmon_options import (
    CHOICE_SECONDS,
    HAND,
    INFO,
    LOOK_MS,
    checked_options,
    deck_of,
    fish_in,
    settings_of,
)
from .salmon_race import after_tick, after_turn, next_tick, next_turn, refill_events, with_seats
from .salmon_setup import EXPECT_KEYS, SETUP_KEYS, arranged, laid_out, spread_out
from .salmon_state import (
    DISCARD,
    FISH,
    LAKE,
    PILES,
    STOCK,
    Chore,
    Next,
    SalmonState,
    Tally,
    allowed,
    deciding,
    outcome_of,
    refills,
    short_hand,
    staying,
    update,
)
from .salmon_text import DOWN, DROP, FLIP, PLAY, parse_action
from .seats import clockwise, deal


class DiscountSalmon:
    """The rules of Discount Salmon. Has no state of its own."""

    info: GameInfo = INFO
    setup_keys: tuple[str, ...] = SETUP_KEYS
    expect_keys: tuple[str, ...] = EXPECT_KEYS
    needs_turn = False

    def options(self, chosen: Mapping[str, str], seats: int) -> Mapping[str, str]:
        """See ``Rules.options``."""
        return checked_options(chosen, seats)

    def deck(self, options: Mapping[str, str]) -> Deck:
        """See ``Rules.deck``."""
        return deck_of(options)

    def start(self, options: Mapping[str, str], seats: int) -> SalmonState:
        """See ``Rules.start``."""
        settings = settings_of(options)
        fish = fish_in(settings.deck)
        table = Table.stocked_zones({LAKE: fish, STOCK: len(settings.deck) - fish})
        return SalmonState(table, settings, seats, "first", used=(0,) * seats, won=(Tally(),) * seats)

    def pending(self, s: SalmonState) -> Op | Outcome:
        """See ``Rules.pending``."""
        return s.chores[0] if s.chores else _PENDING[s.phase](s)

    def resume(self, s: SalmonState, r: Result) -> Next:
        """See ``Rules.resume``."""
        return _settled(*(_after_chore(s) if s.chores else _RESUME[s.phase](s, r)))

    def leave(self, s: SalmonState, seats: tuple[int, ...]) -> Next:
        """See ``Rules``: the leavers' cards are out of the game."""
        return _settled(*leave(s, seats))

    def legal(self, v: View[SalmonState]) -> tuple[Action, ...]:
        """A place in the lake; every batch that may be played, or none; the cards to discard."""
        return legal_actions(v)

    def deed(self, v: View[SalmonState], a: Action) -> Deed:
        """See ``Rules.deed``."""
        return deed_of(v, a)

    def claims(self, s: SalmonState, seat: int, d: Deed) -> tuple[Claim, ...]:
        """None: what is played is opened, and nothing is ever said of cards that are not there."""
        return ()

    def refuse(self, s: SalmonState, seat: int, d: Deed, shown: Mapping[Slot, Face]) -> Reason | None:
        """See ``Rules.refuse``. Every card may be played, so that its face does not matter here."""
        return refusal(s, seat, d)

    def parse(self, s: SalmonState, text: str, labels: tuple[str, ...]) -> Action:
        """See ``Rules.parse``."""
        return parse_action(s.settings.deck, text)

    def report(self, s: SalmonState) -> Report:
        """See ``Rules.report``."""
        turn = deciding(s)[0] if s.phase in (FLIP, PLAY) and not s.chores else -1
        won = [{"fish": t.fish, "negative": t.negative, "positive": t.positive} for t in s.won]
        facts = {
            "problems": " ".join(s.problems),
            "fryer": SeatFact(s.fryer),
            "flipper": SeatFact(s.flipper),
            "stack": " ".join([card for _, card in s.stack]),
            "allowance": {seat: allowed(s, seat) for seat in range(s.seats)},
            "won": dict(enumerate(won)),
            "lake": s.table.size(LAKE),
            "piles": [s.table.size(pile) for pile in PILES],
            "silence": s.silence,
            "patience": s.settings.patience,
        }
        return Report(turn, ((),) * s.seats, tuple([tally.fish for tally in s.won]), facts)

    def lay_out(self, s: SalmonState, own: Mapping[str, Any], labels: tuple[str, ...], pile: Pile) -> Layout:
        """See ``Rules.lay_out``."""
        return laid_out(s.settings.deck, own, labels, pile)

    def spread(self, s: SalmonState, rest: tuple[Face, ...]) -> Mapping[Zone, tuple[Face, ...]]:
        """Fish to the lake, modifiers to the piles by turns."""
        return spread_out(rest)

    def arrange(
        self, s: SalmonState, table: Table, turn: int, own: Mapping[str, Any], labels: tuple[str, ...]
    ) -> Next:
        """A fish in play where one is named, or else the moment before a flip."""
        return _settled(arranged(s, table, turn, own, labels), ())


# --- what is pending --------------------------------------------------------------------------------------


def _tick(s: SalmonState) -> Tick:
    return Tick(s.racers, s.owed, LOOK_MS if s.is_first_tick else s.settings.tick_ms)


def _over(s: SalmonState) -> Outcome:
    assert s.outcome is not None
    return s.outcome


_PENDING: Mapping[str, Callable[[SalmonState], Op | Outcome]] = {
    "first": lambda s: Coin(s.seats),
    "shuffle lake": lambda s: Shuffle(LAKE),
    "shuffle": lambda s: Shuffle(STOCK),
    "deal": lambda s: deal(s.table.slots(STOCK), s.seats, HAND),
    FLIP: lambda s: Choose((s.flipper,), FLIP, limit=CHOICE_SECONDS),
    "show": lambda s: Show((Slot(LAKE, s.flipped),), at_once=True),
    "race": _tick,
    PLAY: lambda s: Choose((s.turn,), PLAY),
    DROP: lambda s: Choose(deciding(s), DROP, limit=CHOICE_SECONDS),
    "over": _over,
}

# --- what follows -----------------------------------------------------------------------------------------


def _settled(s: SalmonState, events: tuple[Event, ...]) -> Next:
    """What happens by itself once nothing is left to be carried out."""
    while not s.chores and s.phase in _ENTER:
        s, more = _ENTER[s.phase](s)
        events += more
    return s, events


def _after_chore(s: SalmonState) -> Next:
    done, *left = s.chores
    if isinstance(done, Draw):
        gained = with_seats(s.gained, done.draws)
        return update(s, chores=tuple(left), owed=(), gained=gained), refill_events(done.draws)
    return update(s, chores=tuple(left)), ()


def _after_first(s: SalmonState, r: Result) -> Next:
    assert isinstance(r, Number)
    return update(s, phase="shuffle lake", flipper=r.value, fryer=r.value), ()


def _after_deal(s: SalmonState, _: Result) -> Next:
    """What is not dealt makes two piles; of an odd number pile A gets one more (DS-HALF)."""
    stock = s.table.slots(STOCK)
    half = (len(stock) + 1) // 2
    chores = (Move(stock[:half], PILES[0]), Move(stock[half:], PILES[1]))
    return update(s, phase=FLIP, chores=chores), (Event("first", s.flipper), Event("fryer", target=s.fryer))


def _after_flip(s: SalmonState, r: Result) -> Next:
    assert isinstance(r, Deeds)
    ((_, deed),) = r.deeds
    return update(s, phase="show", flipped=deed.groups[0][0]), ()


def _after_show(s: SalmonState, r: Result) -> Next:
    assert isinstance(r, Shown)
    problems = problems_of(r.faces[0][0] or "")
    s = update(
        s,
        phase="next turn" if s.settings.takes_turns else "next tick",
        chores=(Move(r.slots, FISH),),
        problems=problems,
        racers=tuple(staying(s)),
        is_first_tick=True,
        turn=s.flipper,
        passes=0,
        idle=0,
    )
    return s, (Event(FLIP, words=problems),)


def _after_tick(s: SalmonState, r: Result) -> Next:
    assert isinstance(r, Ticked)
    return after_tick(s, r)


def _after_turn(s: SalmonState, r: Result) -> Next:
    assert isinstance(r, Deeds)
    return after_turn(s, r)


def _after_drop(s: SalmonState, r: Result) -> Next:
    """Discards leave the hands, then one card each per lap from the left of the old fryer holder
    (DS-REDRAW).
    """
    assert isinstance(r, Deeds)
    known = s.table.known
    chores: list[Chore] = [Move(r.slots, DISCARD)] if r.slots else []
    events = []
    sizes = [s.table.size(hand_of(seat)) for seat in range(s.seats)]
    for seat, deed in r.deeds:
        zone = hand_of(seat)
        if deed.value == DOWN:
            (numbers,) = deed.groups
            chores.append(Move(tuple([Slot(zone, n) for n in numbers]), down_of(seat)))
            words: tuple[str, ...] = (str(len(numbers)),)
        else:
            numbers = deed.shown
            words = tuple([known[Slot(zone, n)][0] or "" for n in numbers])
        sizes[seat] -= len(numbers)
        events.append(Event(DROP, seat, words=words))
    laps = [
        (seat, 1) for lap in range(HAND) for seat in clockwise(s.seats, s.fryer) if sizes[seat] + lap < HAND
    ]
    drawn = refills(s.table, (), laps)
    if drawn:
        chores.append(Draw(drawn))
    return update(s, phase="between", chores=tuple(chores)), tuple(events)


def _between(s: SalmonState) -> Next:
    """The end test (DS-END), or hands are mixed and the next fish is flipped."""
    ended = _ended(s)
    if ended is not None:
        return ended
    mixes = [Mix(hand_of(seat)) for seat in s.gained if s.table.size(hand_of(seat)) > 1]
    return update(s, phase=FLIP, chores=tuple(mixes), gained=()), ()


def _redraw(s: SalmonState) -> Next:
    """After a stalemate cards are exchanged, unless the game is over whatever is drawn."""
    ended = _ended(s)
    if ended is not None:
        return ended
    return update(s, phase=DROP if deciding(update(s, phase=DROP)) else "between"), ()


def _ended(s: SalmonState) -> Next | None:
    if not s.table.size(LAKE):
        return _end(s, "lake-empty")
    return _end(s, "piles-empty") if short_hand(s) else None


def _end(s: SalmonState, reason: str) -> Next:
    return update(s, phase="over", outcome=outcome_of(s, reason)), (Event("over", words=(reason,)),)


_ENTER: Mapping[str, Callable[[SalmonState], Next]] = {
    "next tick": next_tick,
    "next turn": next_turn,
    "between": _between,
    "redraw": _redraw,
    "short": lambda s: _end(s, "piles-empty"),
}
"""Phases in which nothing is asked for."""

_RESUME: Mapping[str, Callable[[SalmonState, Result], Next]] = {
    "first": _after_first,
    "shuffle lake": lambda s, _: (update(s, phase="shuffle"), ()),
    "shuffle": lambda s, _: (update(s, phase="deal"), ()),
    "deal": _after_deal,
    FLIP: _after_flip,
    "show": _after_show,
    "race": _after_tick,
    PLAY: _after_turn,
    DROP: _after_drop,
}
