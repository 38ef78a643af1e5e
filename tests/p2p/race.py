"""A small game in real time, for tests: a fish is flipped, and the first card of its suit played takes it.

Cards played are replaced from the stock in the ticks that follow. A fish that nobody takes for some ticks, or
that nobody is left to take, goes away.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from engine.cards import Deck, Face
from engine.contract import (
    Action,
    BadOption,
    Event,
    GameInfo,
    IllegalAction,
    Option,
    Outcome,
    Reason,
    Report,
    State,
    View,
)
from engine.deck_files import load_deck
from engine.table import (
    STOCK,
    Claim,
    Deed,
    Draw,
    Move,
    Op,
    Result,
    Show,
    Shown,
    Shuffle,
    Slot,
    Table,
    Tick,
    Ticked,
    hand_of,
)

HAND = 3
DECK = load_deck("standard", (("rank", 13), ("suit", 4)))
WAIT = Action("wait")


class RaceState(State, frozen=True):
    """``owed`` are refills that wait for shares, ``out`` the seats that are out for the fish in play."""

    fish_left: int
    silence: int
    tick_ms: int
    scores: tuple[int, ...]
    phase: str = "shuffle"
    fish: Slot | None = None
    suit: str = ""
    is_first: bool = True
    silent: int = 0
    out: tuple[int, ...] = ()
    owed: tuple[tuple[Slot, int], ...] = ()
    opened: tuple[Slot, ...] = ()
    is_taken: bool = False
    ticks: int = 0


class RaceRules:
    """The rules; see the module's text."""

    info = GameInfo(
        "tiny-race",
        1,
        "Tiny Race",
        2,
        6,
        (
            Option("fish", ("2",), 1, 40),
            Option("silence", ("4",), 1, 100_000),
            Option("tick_ms", ("150",), 50, 1000),
        ),
        ("wait", "play", "flip", "take", "gone", "absent", "late"),
    )
    setup_keys: tuple[str, ...] = ()
    expect_keys: tuple[str, ...] = ()
    needs_turn = False

    def options(self, chosen: Mapping[str, str], seats: int) -> Mapping[str, str]:
        if set(chosen) - {"fish", "silence", "tick_ms"}:
            raise BadOption("unknown option")
        return {"fish": "2", "silence": "4", "tick_ms": "150"} | dict(chosen)

    def deck(self, options: Mapping[str, str]) -> Deck:
        return DECK

    def start(self, options: Mapping[str, str], seats: int) -> RaceState:
        full = self.options(options, seats)
        table = Table.stocked_zones({STOCK: len(DECK)})
        fish, silence, tick_ms = (int(full[name]) for name in ("fish", "silence", "tick_ms"))
        return RaceState(table, fish, silence, tick_ms, (0,) * seats)

    def pending(self, s: RaceState) -> Op | Outcome:
        stock = s.table.slots(STOCK)
        seats = range(len(s.scores))
        match s.phase:
            case "shuffle":
                return Shuffle(STOCK)
            case "deal":
                return Draw(tuple((stock[n], n % len(s.scores)) for n in range(HAND * len(s.scores))))
            case "refill":
                return Draw(s.owed)
            case "flip":
                return Show((stock[0],), at_once=True)
            case "lift":
                return Move((stock[0],), "fish")
            case "race":
                present = tuple(seat for seat in seats if seat not in s.out)
                return Tick(present, s.owed, 700 if s.is_first else s.tick_ms)
            case "collect":
                return Move(s.opened, "pile")
            case "clear":
                return Move(s.table.slots("fish"), "pile")
            case _:
                best = max(s.scores)
                return Outcome(
                    "fish", s.scores, tuple(n for n, score in enumerate(s.scores) if score == best)
                )

    def resume(self, s: RaceState, r: Result) -> tuple[RaceState, tuple[Event, ...]]:
        change = msgspec.structs.replace
        match s.phase:
            case "shuffle":
                return change(s, phase="deal"), ()
            case "deal":
                return change(s, phase="flip"), ()
            case "refill":
                return change(s, phase="flip", owed=()), ()
            case "flip":
                assert isinstance(r, Shown)
                face = r.faces[0]
                suit = face[DECK.at("suit")]
                assert suit is not None
                return change(s, phase="lift", suit=suit, is_first=True, silent=0, out=(), is_taken=False), (
                    Event("flip", words=(DECK.text(face),)),
                )
            case "lift":
                return change(s, phase="race"), ()
            case "race":
                assert isinstance(r, Ticked)
                return self._judge(s, r)
            case "collect":
                return self._go_on(change(s, opened=())), ()
            case _:
                left = s.fish_left - 1
                phase = "over" if left == 0 else "refill" if s.owed else "flip"
                return change(s, phase=phase, fish_left=left), ()

    def _judge(self, s: RaceState, r: Ticked) -> tuple[RaceState, tuple[Event, ...]]:
        events = [Event("absent", seat) for seat in r.absent]
        faces = dict(zip(r.slots, r.faces, strict=True))
        scores, taken, silent = list(s.scores), False, s.silent + 1
        owed = [each for each in s.owed if each not in r.drawn]
        stock = [slot for slot in s.table.slots(STOCK) if slot not in {slot for slot, _ in owed}]
        in_time = [(seat, deed) for seat, deed in r.deeds if seat not in r.late]
        too_late = [(seat, deed) for seat, deed in r.deeds if seat in r.late]
        events += [Event("late", seat) for seat, deed in too_late if deed.verb == "play"]
        for seat, deed in (*in_time, *too_late):
            if deed.verb != "play":
                continue
            face = faces[Slot(hand_of(seat), deed.shown[0])]
            events.append(Event("play", seat, words=(DECK.text(face),)))
            silent = 0
            if stock:
                owed.append((stock.pop(0), seat))
            if face[DECK.at("suit")] == s.suit and not taken:
                taken = True
                scores[seat] += 1
                events.append(Event("take", seat))
        state = msgspec.structs.replace(
            s,
            is_first=False,
            silent=silent,
            scores=tuple(scores),
            owed=tuple(owed),
            opened=r.slots,
            is_taken=taken,
            out=tuple(sorted({*s.out, *r.absent})),
            ticks=s.ticks + 1,
        )
        if r.slots:
            return msgspec.structs.replace(state, phase="collect"), tuple(events)
        return self._go_on(state), tuple(events)

    def _go_on(self, s: RaceState) -> RaceState:
        over = s.is_taken or s.silent >= s.silence or len(s.out) == len(s.scores)
        return msgspec.structs.replace(s, phase="clear" if over else "race")

    def legal(self, v: View[RaceState]) -> tuple[Action, ...]:
        texts = sorted({self.deck({}).text(face) for face in v.hand.values()})
        return (WAIT, *(Action("play", cards=(text,)) for text in texts))

    def deed(self, v: View[RaceState], a: Action) -> Deed:
        if a.verb == "wait":
            return Deed("wait")
        if a.verb != "play" or len(a.cards) != 1:
            raise IllegalAction(Reason("no-such-action", (a.verb,)))
        for slot, face in v.hand.items():
            if DECK.text(face) == a.cards[0]:
                return Deed("play", shown=(slot.n,))
        raise IllegalAction(Reason("not-held", a.cards))

    def claims(self, s: RaceState, seat: int, d: Deed) -> tuple[Claim, ...]:
        return ()

    def refuse(self, s: RaceState, seat: int, d: Deed, shown: Mapping[Slot, Face]) -> Reason | None:
        if d not in (Deed("wait"), Deed("play", shown=d.shown)) or len(d.shown) != (d.verb == "play"):
            return Reason("no-such-action", (d.verb,))
        return None

    def parse(self, s: RaceState, text: str, labels: tuple[str, ...]) -> Action:
        verb, *cards = text.split()
        return Action(verb, cards=tuple(cards))

    def report(self, s: RaceState) -> Report:
        return Report(-1, (), s.scores)

    def _only_sealed(self, *args: Any, **named: Any) -> Any:
        """Nothing is reported of this game, and no scenario lays it out."""
        raise NotImplementedError

    lay_out = spread = arrange = _only_sealed
