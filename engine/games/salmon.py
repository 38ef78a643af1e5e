"""Discount Salmon, in real time and in turns. Tags such as ``DS-LATE`` name the ruling that applies.

A fish: the flipper turns one of the lake; everybody races to solve its problems with up to three cards; who
solves the last one claims the fish and flips the next. Where nobody does, the holder of the deep fryer takes
it, and everybody discards two cards and draws two. Hands that got cards are mixed between fish.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import combinations, permutations
from typing import Any

from ..cards import Deck, Face
from ..contract import (
    Action,
    Event,
    GameInfo,
    IllegalAction,
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
from .salmon_cards import FISH as FISH_CARDS
from .salmon_cards import problems_of
from .salmon_options import (
    CHOICE_SECONDS,
    DROPPED,
    HAND,
    INFO,
    LOOK_MS,
    checked_options,
    salmon_deck,
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
    changed,
    clockwise,
    deferred_of,
    outcome_of,
    refills,
    short_hand,
)
from .salmon_text import DOWN, DROP, FLIP, PASS, PLAY, WAIT, parse_action


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
        return salmon_deck()

    def start(self, options: Mapping[str, str], seats: int) -> SalmonState:
        """See ``Rules.start``."""
        settings = settings_of(options)
        table = Table.stocked_zones({LAKE: FISH_CARDS, STOCK: len(settings.deck) - FISH_CARDS})
        return SalmonState(table, settings, seats, "first", used=(0,) * seats, won=(Tally(),) * seats)

    def pending(self, s: SalmonState) -> Op | Outcome:
        """See ``Rules.pending``."""
        return s.chores[0] if s.chores else _PENDING[s.phase](s)

    def resume(self, s: SalmonState, r: Result) -> Next:
        """See ``Rules.resume``."""
        return _settled(*(_after_chore(s) if s.chores else _RESUME[s.phase](s, r)))

    def legal(self, v: View[SalmonState]) -> tuple[Action, ...]:
        """A place in the lake; every batch that may be played, or none; the cards to discard."""
        s = v.state
        if s.phase == FLIP:
            return tuple([Action(FLIP, value=str(n + 1)) for n in range(s.table.size(LAKE))])
        deferred = deferred_of(s, v.seat)
        cards = [v.deck.text(face) for face in v.deck.sorted(_playable(v, deferred).values())]
        if s.phase == DROP:
            count = min(DROPPED, len(cards))
            lowest = Action(DROP, value=DOWN, cards=tuple(cards[:count]))
            return (lowest, *[Action(DROP, cards=some) for some in dict.fromkeys(combinations(cards, count))])
        return _batches(PASS if s.phase == PLAY else WAIT, tuple(cards), allowed(s, v.seat))

    def deed(self, v: View[SalmonState], a: Action) -> Deed:
        """See ``Rules.deed``."""
        s = v.state
        if a.verb == FLIP:
            lake = s.table.slots(LAKE)
            place = int(a.value) if a.value.isascii() and a.value.isdecimal() and len(a.value) < 4 else 0
            if s.phase == FLIP and not 0 < place <= len(lake):
                raise IllegalAction(Reason("no-such-fish", (a.value,)))
            deed = Deed(FLIP, groups=((lake[place - 1].n,),) if s.phase == FLIP else ())
        elif a.value == DOWN:
            deed = Deed(a.verb, value=DOWN, groups=(self._lowest(v, a),))
        else:
            # Too many cards are told before cards that are not there.
            wanting = Deed(a.verb, shown=tuple(range(-len(a.cards), 0)))
            _raise(self.refuse(s, v.seat, wanting, {}))
            deed = Deed(a.verb, value=a.value, shown=_slots(v, a.cards))
        _raise(
            self.refuse(
                s,
                v.seat,
                deed,
                {Slot(hand_of(v.seat), n): v.hand[Slot(hand_of(v.seat), n)] for n in deed.shown},
            )
        )
        return deed

    def _lowest(self, v: View[SalmonState], a: Action) -> tuple[int, ...]:
        """The slots of the lowest cards, which alone may be discarded face down (DS-OPENDISC)."""
        ordered = sorted(v.hand, key=lambda slot: (v.deck.index(v.hand[slot]), slot.n))[:DROPPED]
        if a.cards and sorted(a.cards) != sorted(v.deck.text(v.hand[slot]) for slot in ordered):
            raise IllegalAction(Reason("must-be-open"))
        return tuple([slot.n for slot in ordered])

    def claims(self, s: SalmonState, seat: int, d: Deed) -> tuple[Claim, ...]:
        """None: what is played is opened, and nothing is ever said of cards that are not there."""
        return ()

    def refuse(self, s: SalmonState, seat: int, d: Deed, shown: Mapping[Slot, Face]) -> Reason | None:
        """See ``Rules.refuse``."""
        if s.chores or seat not in _deciding(s):
            is_out = s.phase == "race" and 0 <= seat < s.seats and not s.chores
            return Reason("out-of-race" if is_out else "not-your-turn")
        if d.verb not in _VERBS[s.phase]:
            return Reason("no-such-action", (d.verb,))
        if d.target != -1:
            return Reason("malformed")
        return _REFUSE[d.verb](s, seat, d)

    def parse(self, s: SalmonState, text: str, labels: tuple[str, ...]) -> Action:
        """See ``Rules.parse``."""
        return parse_action(s.settings.deck, text)

    def report(self, s: SalmonState) -> Report:
        """See ``Rules.report``."""
        deciding = _deciding(s) if s.phase in (FLIP, PLAY) and not s.chores else (-1,)
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
        return Report(deciding[0], ((),) * s.seats, tuple([tally.fish for tally in s.won]), facts)

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


def _deciding(s: SalmonState) -> tuple[int, ...]:
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


def _deal(s: SalmonState) -> Draw:
    stock = s.table.slots(STOCK)
    return Draw(tuple([(stock[n], n % s.seats) for n in range(HAND * s.seats)]))


def _tick(s: SalmonState) -> Tick:
    return Tick(s.racers, s.owed, LOOK_MS if s.is_first_tick else s.settings.tick_ms)


def _over(s: SalmonState) -> Outcome:
    assert s.outcome is not None
    return s.outcome


_PENDING: Mapping[str, Callable[[SalmonState], Op | Outcome]] = {
    "first": lambda s: Coin(s.seats),
    "shuffle lake": lambda s: Shuffle(LAKE),
    "shuffle": lambda s: Shuffle(STOCK),
    "deal": _deal,
    FLIP: lambda s: Choose((s.flipper,), FLIP, limit=CHOICE_SECONDS),
    "show": lambda s: Show((Slot(LAKE, s.flipped),), at_once=True),
    "race": _tick,
    PLAY: lambda s: Choose((s.turn,), PLAY),
    DROP: lambda s: Choose(_deciding(s), DROP, limit=CHOICE_SECONDS),
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
        return changed(s, chores=tuple(left), owed=(), gained=gained), refill_events(done.draws)
    return changed(s, chores=tuple(left)), ()


def _after_first(s: SalmonState, r: Result) -> Next:
    assert isinstance(r, Number)
    return changed(s, phase="shuffle lake", flipper=r.value, fryer=r.value), ()


def _after_deal(s: SalmonState, _: Result) -> Next:
    """What is not dealt makes two piles; of an odd number pile A gets one more (DS-HALF)."""
    stock = s.table.slots(STOCK)
    half = (len(stock) + 1) // 2
    chores = (Move(stock[:half], PILES[0]), Move(stock[half:], PILES[1]))
    return changed(s, phase=FLIP, chores=chores), (Event("first", s.flipper), Event("fryer", target=s.fryer))


def _after_flip(s: SalmonState, r: Result) -> Next:
    assert isinstance(r, Deeds)
    ((_, deed),) = r.deeds
    return changed(s, phase="show", flipped=deed.groups[0][0]), ()


def _after_show(s: SalmonState, r: Result) -> Next:
    assert isinstance(r, Shown)
    problems = problems_of(r.faces[0][0] or "")
    s = changed(
        s,
        phase="next turn" if s.settings.takes_turns else "next tick",
        chores=(Move(r.slots, FISH),),
        problems=problems,
        racers=tuple(range(s.seats)),
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
    return changed(s, phase="between", chores=tuple(chores)), tuple(events)


def _between(s: SalmonState) -> Next:
    """The end test (DS-END), or hands are mixed and the next fish is flipped."""
    ended = _ended(s)
    if ended is not None:
        return ended
    mixes = [Mix(hand_of(seat)) for seat in s.gained if s.table.size(hand_of(seat)) > 1]
    return changed(s, phase=FLIP, chores=tuple(mixes), gained=()), ()


def _redraw(s: SalmonState) -> Next:
    """After a stalemate cards are exchanged, unless the game is over whatever is drawn."""
    ended = _ended(s)
    if ended is not None:
        return ended
    return changed(s, phase=DROP if _deciding(changed(s, phase=DROP)) else "between"), ()


def _ended(s: SalmonState) -> Next | None:
    if not s.table.size(LAKE):
        return _end(s, "lake-empty")
    return _end(s, "piles-empty") if short_hand(s) else None


def _end(s: SalmonState, reason: str) -> Next:
    return changed(s, phase="over", outcome=outcome_of(s, reason)), (Event("over", words=(reason,)),)


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
    "shuffle lake": lambda s, _: (changed(s, phase="shuffle"), ()),
    "shuffle": lambda s, _: (changed(s, phase="deal"), ()),
    "deal": _after_deal,
    FLIP: _after_flip,
    "show": _after_show,
    "race": _after_tick,
    PLAY: _after_turn,
    DROP: _after_drop,
}

# --- what may be done -------------------------------------------------------------------------------------

_VERBS: Mapping[str, tuple[str, ...]] = {
    FLIP: (FLIP,),
    "race": (PLAY, WAIT),
    PLAY: (PLAY, PASS),
    DROP: (DROP,),
}


def _refuse_flip(s: SalmonState, seat: int, d: Deed) -> Reason | None:
    is_one = len(d.groups) == 1 and len(d.groups[0]) == 1
    if not is_one or d.shown or d.value:
        return Reason("malformed")
    if Slot(LAKE, d.groups[0][0]) not in s.table.slots(LAKE):
        return Reason("no-such-fish")
    return None


def _refuse_nothing(s: SalmonState, seat: int, d: Deed) -> Reason | None:
    return Reason("malformed") if d.groups or d.shown or d.value else None


def _refuse_play(s: SalmonState, seat: int, d: Deed) -> Reason | None:
    if d.groups or d.value or not d.shown:
        return Reason("malformed")
    left = allowed(s, seat)
    if left < 1:
        return Reason("allowance")
    if len(d.shown) > left:
        return Reason("too-many", (str(left),))
    if not set(d.shown).isdisjoint(deferred_of(s, seat)):
        return Reason("already-played")
    return None


def _refuse_drop(s: SalmonState, seat: int, d: Deed) -> Reason | None:
    """Exactly two cards, open or face down; fewer only where fewer are held."""
    slots = s.table.slots(hand_of(seat))
    count = min(DROPPED, len(slots))
    if d.value == DOWN:
        numbers = set(d.groups[0]) if len(d.groups) == 1 else set()
        if d.shown or not numbers or not numbers <= {slot.n for slot in slots}:
            return Reason("malformed")
        is_right = len(numbers) == len(d.groups[0]) == count
    else:
        if d.groups or d.value:
            return Reason("malformed")
        is_right = len(d.shown) == count
    return None if is_right else Reason("drop-count", (str(count),))


_REFUSE: Mapping[str, Callable[[SalmonState, int, Deed], Reason | None]] = {
    FLIP: _refuse_flip,
    WAIT: _refuse_nothing,
    PASS: _refuse_nothing,
    PLAY: _refuse_play,
    DROP: _refuse_drop,
}


def _raise(reason: Reason | None) -> None:
    if reason is not None:
        raise IllegalAction(reason)


def _playable(v: View[SalmonState], deferred: tuple[int, ...]) -> dict[Slot, Face]:
    """The own cards that have not been played yet."""
    return {slot: face for slot, face in v.hand.items() if slot.n not in deferred}


def _slots(v: View[SalmonState], cards: Iterable[str]) -> tuple[int, ...]:
    """Slots of the own hand with these cards, in their order; of equal ones those that all have seen."""
    left = _playable(v, deferred_of(v.state, v.seat))
    seen = v.state.table.known
    numbers = []
    for text in cards:
        face = v.deck.parse(text)
        fitting = [slot for slot, own in left.items() if own == face]
        if not fitting:
            raise IllegalAction(Reason("twice" if face in v.hand.values() else "not-held", (text,)))
        slot = next((slot for slot in fitting if slot in seen), fitting[0])
        del left[slot]
        numbers.append(slot.n)
    return tuple(numbers)


@lru_cache(maxsize=1024)
def _batches(first: str, cards: tuple[str, ...], most: int) -> tuple[Action, ...]:
    """``first``, then every different batch of up to ``most`` cards, short ones first."""
    batches = (batch for k in range(1, most + 1) for batch in permutations(cards, k))
    return (Action(first), *[Action(PLAY, cards=batch) for batch in dict.fromkeys(batches)])
