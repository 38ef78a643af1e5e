"""A game in progress: folds the results of operations into state, public events and facts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from .cards import Deck, Face, InvalidCard
from .choice import slots_to_give, slots_to_lay, way_named, ways_to_give, ways_to_lay
from .contract import (
    Action,
    AnyRules,
    BadAction,
    Event,
    IllegalAction,
    Outcome,
    Reason,
    State,
    View,
)
from .facts import Facts, FoldedFacts
from .message import Message, message_of
from .table import (
    Choose,
    Claim,
    Coin,
    Complete,
    Completed,
    Deed,
    Deeds,
    Disclose,
    Done,
    Draw,
    HandOver,
    Mix,
    Move,
    Number,
    Op,
    Partial,
    Pick,
    Picked,
    Result,
    Return,
    Show,
    Shown,
    Shuffle,
    Slot,
    Table,
    Tick,
    Ticked,
    Zone,
    hand_of,
)

GIVE = "give"
LAY = "lay"

_NOT_A_WAY = {GIVE: "must-give", LAY: "must-lay"}

_RESULTS: dict[type, type] = {
    Coin: Number, Shuffle: Done, Draw: Done, Show: Shown, Move: Done, HandOver: Done, Mix: Done, Return: Done,
    Choose: Deeds, Disclose: Shown, Complete: Completed, Pick: Picked, Tick: Ticked,
}  # fmt: skip

_NOTHING_SHOWN: Mapping[Slot, Face] = MappingProxyType({})


class Position:
    """The public side of a game after some results. Immutable; ``feed`` gives the next one."""

    __slots__ = ("_facts", "deck", "options", "pending", "rules", "seats", "state", "table")

    rules: AnyRules
    options: Mapping[str, str]
    seats: int
    deck: Deck
    state: Any
    table: Table
    """Where every card lies."""
    pending: Op | Outcome
    """What must happen next, or how the game ended."""

    def __init__(
        self,
        rules: AnyRules,
        options: Mapping[str, str],
        seats: int,
        deck: Deck,
        state: State,
        facts: FoldedFacts,
    ) -> None:
        """A position given by its state; games begin with ``start``, scenarios with a state of their own."""
        self.rules = rules
        self.options = options
        self.seats = seats
        self.deck = deck
        self.state = state
        self.table = state.table
        self.pending = rules.pending(state)
        self._facts = facts

    @classmethod
    def start(cls, rules: AnyRules, options: Mapping[str, str], seats: int) -> Position:
        """The first position of a game. Raises ``BadOption`` for options or seats that the game refuses."""
        full = rules.options(options, seats)
        return cls.of(rules, full, seats, rules.start(full, seats))

    @classmethod
    def of(cls, rules: AnyRules, options: Mapping[str, str], seats: int, state: State) -> Position:
        """A position in the middle of a game, of which nothing is known but its state."""
        deck = rules.deck(options)
        return cls(rules, options, seats, deck, state, FoldedFacts.of(Facts(deck, state.table)))

    @property
    def facts(self) -> Facts:
        """What everybody knows. Folded when first asked for, since a game is played without it."""
        return self._facts.value

    def feed(self, result: Result) -> tuple[Position, tuple[Event, ...]]:
        """The position after the pending operation ended with ``result``, and what happened in public."""
        op = self.pending
        if type(result) is not _RESULTS.get(type(op)):
            raise ValueError(f"{type(result).__name__} is no result of {type(op).__name__}.")
        assert not isinstance(op, Outcome)
        table = self.table.after(op, result)
        claims = self._claims(result) if isinstance(result, Deeds) else ()
        state, facts = self.state, self._facts
        if table is not self.table:
            state = msgspec.structs.replace(state, table=table)
            facts = FoldedFacts(facts, op, result, claims)
        elif claims or isinstance(op, Disclose):  # of cards that nobody sees, all know something now
            facts = FoldedFacts(facts, op, result, claims)
        state, events = self.rules.resume(state, result)
        return Position(self.rules, self.options, self.seats, self.deck, state, facts), events

    def ended(self, reason: str) -> Position:
        """The same position, with the game ended here for a reason outside its rules: nobody wins."""
        scores = tuple(self.rules.report(self.state).scores)
        position = Position(self.rules, self.options, self.seats, self.deck, self.state, self._facts)
        position.pending = Outcome(reason, scores, ())
        return position

    def left(self, seats: tuple[int, ...]) -> tuple[Position, tuple[Event, ...]] | None:
        """The position after these seats left, and what happened in public besides.

        ``None`` where the game cannot go on without them, or knows no rule for it.
        """
        leave = getattr(self.rules, "leave", None)
        found = None if leave is None else leave(self.state, seats)
        if found is None:
            return None
        state, events = found
        return Position(self.rules, self.options, self.seats, self.deck, state, self._facts), events

    def choices(self, seat: int, hand: Mapping[Slot, Face]) -> tuple[Action, ...]:
        """What ``seat``, holding ``hand``, may decide now, in deck order, the lowest cards first.

        One action where it is forced, none where the seat is not asked. Of very many ways to show cards the
        first ``choice.MOST_WAYS`` are listed; ``deed`` takes any.
        """
        match self.pending:
            case Choose(seats) | Tick(seats) if seat in seats:
                return self.rules.legal(self.view(seat, hand))
            case Disclose(owner) as op if seat == owner:
                return tuple(
                    Action(GIVE, cards=self._texts(way)) for way in ways_to_give(self.deck, hand, op)
                )
            case Complete(owner) as op if seat == owner:
                return tuple(Action(LAY, cards=self._texts(way)) for way in ways_to_lay(self.deck, hand, op))
            case _:
                return ()

    def deed(self, seat: int, hand: Mapping[Slot, Face], action: Action) -> Deed:
        """The public form of a decision.

        Raises ``IllegalAction`` for what the rules, or the hand, do not allow.
        """
        match self.pending:
            case Choose(seats) | Tick(seats) if seat in seats:
                return self.rules.deed(self.view(seat, hand), action)
            case Disclose(owner) as op if seat == owner:
                faces = self._chosen(action, GIVE, hand, op)
                among = {slot: hand[slot] for slot in op.slots}
                given = tuple(slot.n for slot in slots_to_give(among, faces))
                return Deed(GIVE, groups=(given,) if given else ())
            case Complete(owner) as op if seat == owner:
                faces = self._chosen(action, LAY, hand, op)
                groups = slots_to_lay(hand, faces, op.size)
                return Deed(LAY, groups=tuple(tuple(slot.n for slot in group) for group in groups))
            case _:
                raise IllegalAction(Reason("not-your-turn"))

    def refuse(self, seat: int, deed: Deed, shown: Mapping[Slot, Face] = _NOTHING_SHOWN) -> Reason | None:
        """Why everybody refuses a deed by public facts; ``None`` where it may stand once its claims hold.

        ``shown`` has the faces that the deed of a ``Choose`` or ``Tick`` opens.
        """
        match self.pending:
            case Choose(seats) | Tick(seats) if seat in seats:
                if self.slots_shown(seat, deed) is None or set(shown) != set(_slots(seat, deed.shown)):
                    return Reason("malformed")
                return self.rules.refuse(self.state, seat, deed, shown)
            case Disclose(owner, slots, _, most) if seat == owner:
                if deed.verb != GIVE:
                    return Reason("no-such-action", (deed.verb,))
                given = deed.groups[0] if deed.groups else ()
                sound = len(deed.groups) <= 1 and _plain(deed) and _among(deed.groups, slots)
                return None if sound and (most is None or len(given) <= most) else Reason("malformed")
            case Complete(owner, _, size) if seat == owner:
                if deed.verb != LAY:
                    return Reason("no-such-action", (deed.verb,))
                whole = all(len(group) == size for group in deed.groups)
                sound = whole and _plain(deed) and _among(deed.groups, self.table.slots(hand_of(seat)))
                return None if sound else Reason("malformed")
            case _:
                return Reason("not-your-turn")

    def slots_shown(self, seat: int, deed: Deed) -> tuple[Slot, ...] | None:
        """The cards of its own hand that a deed opens, or ``None`` where it names others or one twice."""
        slots = _slots(seat, deed.shown)
        return slots if _among((deed.shown,), self.table.slots(hand_of(seat))) else None

    def claims(self, seat: int, deed: Deed) -> tuple[Claim, ...]:
        """What ``seat`` has to prove along with its deed in a ``Choose``."""
        return self.rules.claims(self.state, seat, deed) if isinstance(self.pending, Choose) else ()

    def view(
        self, seat: int, hand: Mapping[Slot, Face], private: Iterable[tuple[Zone, Partial]] = ()
    ) -> View[Any]:
        """What ``seat`` (-1: the public) knows, given its hand and what else it alone was shown."""
        return View(self.state, seat, self.deck, hand, self._lazy_facts, private)

    def parse(self, text: str, labels: tuple[str, ...]) -> Action:
        """The action a text names, for the operation now pending. Raises ``BadAction`` with one sentence."""
        match self.pending:
            case Disclose():
                return self._parse_cards(text, GIVE)
            case Complete():
                return self._parse_cards(text, LAY)
            case _:
                return self.rules.parse(self.state, text, labels)

    def _lazy_facts(self) -> Facts:
        return self.facts

    def _claims(self, result: Deeds) -> tuple[Claim, ...]:
        found: list[Claim] = []
        for seat, deed in result.deeds:
            found += self.rules.claims(self.state, seat, deed)
        return tuple(found)

    def _texts(self, faces: Iterable[Face]) -> tuple[str, ...]:
        return tuple(self.deck.text(face) for face in faces)

    def _chosen(
        self, action: Action, verb: str, hand: Mapping[Slot, Face], op: Disclose | Complete
    ) -> tuple[Face, ...]:
        if action.verb != verb:
            raise IllegalAction(Reason("no-such-action", (action.verb,)))
        way = way_named(self.deck, hand, op, action.cards)
        if way is None:
            raise IllegalAction(Reason(_NOT_A_WAY[verb]))
        return way

    def _parse_cards(self, text: str, verb: str) -> Action:
        word, *cards = text.split() or [""]
        if word.lower() != verb:
            raise BadAction(Message('Only "{verb}" and the cards is possible here.', verb=verb))
        try:
            return Action(verb, cards=tuple(self.deck.text(self.deck.parse(card)) for card in cards))
        except InvalidCard as error:
            raise BadAction(message_of(error)) from None


def _plain(deed: Deed) -> bool:
    return deed.target == -1 and not deed.value and all(deed.groups) and not deed.shown


def _slots(seat: int, numbers: Iterable[int]) -> tuple[Slot, ...]:
    zone = hand_of(seat)
    return tuple([Slot(zone, n) for n in numbers])


def _among(groups: tuple[tuple[int, ...], ...], slots: tuple[Slot, ...]) -> bool:
    """Whether all numbers are different and belong to ``slots``."""
    numbers = [n for group in groups for n in group]
    return len(set(numbers)) == len(numbers) and set(numbers) <= {slot.n for slot in slots}


def replay(
    rules: AnyRules, options: Mapping[str, str], seats: int, results: Iterable[Result]
) -> tuple[Position, tuple[Event, ...]]:
    """The position and all events after ``results``, from the start of a game."""
    position = Position.start(rules, options, seats)
    events: list[Event] = []
    for result in results:
        position, new = position.feed(result)
        events += new
    return position, tuple(events)
