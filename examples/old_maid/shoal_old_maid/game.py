"""Old Maid: draw from the neighbour's hand, lay pairs, and do not be left with the old maid.

All cards are dealt and all pairs laid. Whose turn it is draws one card, unseen, from the next hand that has
any, lays the pair if it makes one, and mixes its hand. When only the old maid is left, its holder loses.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import Any

import msgspec

from engine import table as op
from engine.cards import Deck, Face
from engine.contract import (
    Action,
    BadAction,
    Event,
    IllegalAction,
    Layout,
    Outcome,
    Pile,
    Reason,
    Report,
    State,
    View,
)
from engine.deck_files import read_deck
from engine.options import complete_options
from engine.table import STOCK, Claim, Deed, Op, Result, Slot, Table, Zone, hand_of

from .words import INFO, LOCALE, WORDS

DRAW = "draw"
PATIENCE = 20
"""Draws in a row without a pair, for each seat, that end the game: twice the most in 2,000 random games."""


class OldMaidState(State, frozen=True):
    """Public facts: what is pending (``phase``), for which ``seat``, and whom it draws from (``source``)."""

    deck: Deck
    seats: int
    phase: str = "first"
    seat: int = 0
    source: int = 0
    first: int = 0
    pairs: tuple[tuple[str, ...], ...] = ()  # ranks that each seat has laid
    moving: tuple[Slot, ...] = ()  # cards about to move
    idle: int = 0  # draws in a row without a pair
    is_dealing: bool = True
    outcome: Outcome | None = None


Next = tuple[OldMaidState, tuple[Event, ...]]
_with = msgspec.structs.replace


class OldMaid:
    """The rules of Old Maid, in the contract of ``engine.contract.Rules``."""

    info = INFO
    words = WORDS
    locale = LOCALE
    setup_keys = expect_keys = ()
    needs_turn = True

    def options(self, chosen: Mapping[str, str], seats: int) -> Mapping[str, str]:
        return complete_options(self.info, chosen, seats)

    def deck(self, options: Mapping[str, str]) -> Deck:
        limits = () if options["ranks"] == "13" else (("rank", int(options["ranks"])),)
        return read_deck(files(__package__).joinpath("deck.toml").read_text("utf-8"), "deck.toml", limits)

    def start(self, options: Mapping[str, str], seats: int) -> OldMaidState:
        deck = self.deck(options)
        return OldMaidState(Table.stocked(len(deck)), deck, seats, pairs=((),) * seats)

    def pending(self, s: OldMaidState) -> Op | Outcome:
        match s.phase:
            case "first":
                return op.Coin(s.seats)
            case "shuffle":
                return op.Shuffle(STOCK)
            case "deal":
                return op.Draw(tuple((slot, n % s.seats) for n, slot in enumerate(s.table.slots(STOCK))))
            case "settle":
                slots = s.table.slots(hand_of(s.seat))
                return op.Complete(s.seat, "rank", 2, slots if s.is_dealing else slots[-1:])
            case "lay":
                return op.Move(s.moving, f"pairs.{s.seat}")
            case "mix":
                return op.Mix(hand_of(s.seat))
            case "choose":
                return op.Choose((s.seat,), DRAW)
            case "draw":
                return op.HandOver(s.moving, s.seat)
        assert s.outcome is not None
        return s.outcome

    def resume(self, s: OldMaidState, r: Result) -> Next:
        match s.phase, r:
            case "first", op.Number(value):
                return _with(s, phase="shuffle", first=value), ()
            case "shuffle", _:
                return _with(s, phase="deal"), ()
            case "deal", _:
                return _settle_dealt(s, 0)
            case "settle", op.Completed(groups, faces):
                return _settled(s, groups, tuple(group[0][0] or "" for group in faces))
            case "choose", op.Deeds(((_, deed),)):
                slot = s.table.slots(hand_of(s.source))[int(deed.value) - 1]
                return _with(s, phase="draw", moving=(slot,)), (Event(DRAW, s.seat, s.source),)
            case "draw", _:
                return _with(s, phase="settle", idle=s.idle + 1), ()
            case "lay", _:
                return _go_on(s)
        return _turn(s, s.source)  # mixed

    def legal(self, v: View[OldMaidState]) -> tuple[Action, ...]:
        size = v.state.table.size(hand_of(v.state.source))
        return tuple(Action(DRAW, v.state.source, str(n)) for n in range(1, size + 1))

    def deed(self, v: View[OldMaidState], a: Action) -> Deed:
        if reason := self.refuse(v.state, v.seat, deed := Deed(a.verb, a.target, a.value), {}):
            raise IllegalAction(reason)
        return deed

    def claims(self, s: OldMaidState, seat: int, d: Deed) -> tuple[Claim, ...]:
        return ()  # a draw says nothing of one's own cards

    def refuse(self, s: OldMaidState, seat: int, d: Deed, shown: Mapping[Slot, Face]) -> Reason | None:
        if s.phase != "choose" or seat != s.seat:
            return Reason("not-your-turn")
        if d.verb != DRAW or d.groups or d.shown:
            return Reason("no-such-action", (d.verb,))
        if d.target != s.source:
            return Reason("not-next")
        places = {str(n) for n in range(1, s.table.size(hand_of(s.source)) + 1)}
        return None if d.value in places else Reason("no-such-place", (str(len(places)),))

    def parse(self, s: OldMaidState, text: str, labels: tuple[str, ...]) -> Action:
        """``draw B 3``; ``draw 3`` and ``draw`` will do, since there is only one hand to draw from."""
        verb, *words = text.split() or [""]
        folded = [label.casefold() for label in labels]
        target = (
            folded.index(words.pop(0).casefold()) if words and words[0].casefold() in folded else s.source
        )
        if verb.lower() != DRAW or len(words) > 1 or not all(w.isdecimal() and len(w) < 4 for w in words):
            raise BadAction('A card is drawn with "draw 3", the third one of that hand.')
        return Action(DRAW, target, str(int(words[0])) if words else "1")

    def report(self, s: OldMaidState) -> Report:
        return Report(s.seat if s.phase == "choose" else -1, s.pairs, tuple(map(len, s.pairs)))

    def lay_out(self, s: OldMaidState, own: Mapping[str, Any], labels: tuple[str, ...], pile: Pile) -> Layout:
        return Layout()

    def spread(self, s: OldMaidState, rest: tuple[Face, ...]) -> Mapping[Zone, tuple[Face, ...]]:
        return {STOCK: rest}

    def arrange(self, s: OldMaidState, table: Table, turn: int, own: Any, labels: tuple[str, ...]) -> Next:
        return _settle_dealt(_with(s, table=table, first=turn), 0)


def _settle_dealt(s: OldMaidState, seat: int) -> Next:
    """Every dealt hand lays its pairs, seat by seat; then the first turn begins."""
    if seat < s.seats:
        return _with(s, phase="settle", seat=seat), ()
    s, events = _turn(_with(s, is_dealing=False), s.first)
    return s, (Event("first", s.first), *events)


def _settled(s: OldMaidState, groups: tuple[tuple[Slot, ...], ...], ranks: tuple[str, ...]) -> Next:
    if not groups:
        return _go_on(s)
    pairs = tuple(laid + ranks * (seat == s.seat) for seat, laid in enumerate(s.pairs))
    s = _with(s, phase="lay", pairs=pairs, moving=sum(groups, ()), idle=0)
    return s, tuple(Event("pair", s.seat, words=(rank,)) for rank in ranks)


def _go_on(s: OldMaidState) -> Next:
    """Nobody may know where in the hand the drawn card is, so it is mixed; a single card has no place."""
    if s.is_dealing:
        return _settle_dealt(s, s.seat + 1)
    return (_with(s, phase="mix"), ()) if s.table.size(hand_of(s.seat)) > 1 else _turn(s, s.source)


def _turn(s: OldMaidState, following: int) -> Next:
    """The turn of the first seat with cards from ``following`` on, who draws from the next one after it."""
    order = [*range(following, s.seats), *range(following)]
    holders = [seat for seat in order if s.table.size(hand_of(seat))]
    if len(holders) > 1 and s.idle < PATIENCE * s.seats:
        return _with(s, phase="choose", seat=holders[0], source=holders[1]), ()
    scores = tuple(int(seat not in holders) for seat in range(s.seats))
    winners = tuple(seat for seat in range(s.seats) if scores[seat] == max(scores))
    reason = "all-paired" if len(holders) == 1 else "no-progress"
    return _with(s, phase="over", outcome=Outcome(reason, scores, winners)), (Event("over", words=(reason,)),)
