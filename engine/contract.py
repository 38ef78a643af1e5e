"""What a game of Shoal is: public state, one pending operation at a time, and what seats may decide.

A game never sees a face that is not public. What is hidden reaches it only as the result of an operation it
asked for, so the same module serves sealed, open and physical dealing, a spectator, and a stranger with the
record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from .cards import Deck, Face
from .facts import Facts
from .message import Message
from .sight import with_private
from .table import Claim, Deed, Match, Op, Partial, Result, Slot, Table, Zone


class IllegalAction(ValueError):
    """An action that the rules refuse. ``reason`` says why, by id and fields; texts are made elsewhere."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(" ".join((reason.id, *reason.words)))
        self.reason = reason


class BadAction(ValueError):
    """A text that is no action of the game. The message is one sentence for a player."""


class BadOption(ValueError):
    """An unknown option, value, combination or seat count. The message is one sentence for a player."""


class BadSetup(ValueError):
    """A position in a scenario that cannot be. The message is one sentence; ``key`` the key it is about."""

    def __init__(self, problem: str, key: str = "") -> None:
        super().__init__(problem)
        self.key = key


def by_seat(own: Mapping[str, Any], key: str) -> Mapping[int, Any]:
    """A set-up key that gives seats something, by seat. Raises ``BadSetup`` where it is no table."""
    value = own.get(key, {})
    if not isinstance(value, Mapping):
        raise BadSetup(Message("{key} gives each seat a text or a number.", key=key), key)
    return value


class Action(msgspec.Struct, frozen=True, gc=False):
    """What a player decides, with the faces only that player may know (``cards``, as card texts)."""

    verb: str
    target: int = -1
    value: str = ""
    cards: tuple[str, ...] = ()


class Event(msgspec.Struct, frozen=True, gc=False):
    """A public happening: ``seat`` (-1: nobody), a verb, and its words, seats among them as ``target``.

    docs/scenarios.md lists all of them with their texts, which ``engine.event_text`` makes.
    """

    verb: str
    seat: int = -1
    target: int = -1
    words: tuple[str, ...] = ()


class Reason(msgspec.Struct, frozen=True):
    """Why a deed or action is refused: an id of the table in docs/scenarios.md and the words it names."""

    id: str
    words: tuple[str, ...] = ()


class Outcome(msgspec.Struct, frozen=True):
    """The end of a game.

    A named reason, the score of each seat, and the seats that win (several when tied).
    """

    reason: str
    scores: tuple[int, ...]
    winners: tuple[int, ...]


class Option(msgspec.Struct, frozen=True):
    """One option of a game.

    The first value is the default. ``lowest`` and ``highest`` admit whole numbers too.
    """

    name: str
    values: tuple[str, ...]
    lowest: int | None = None
    highest: int | None = None


class GameInfo(msgspec.Struct, frozen=True):
    """Static facts of a game.

    ``targeted`` are the verbs of events and actions whose first word is a seat. ``wishes`` are the verbs of
    actions that a player may decide on at any time, to be done at the next ``Choose`` that takes wishes.
    ``takes_own_deck``: the option ``own_deck`` holds the text of a user's deck file (``engine.own_deck``).
    """

    id: str
    version: int
    title: str
    least_seats: int
    most_seats: int
    options: tuple[Option, ...]
    verbs: tuple[str, ...]
    targeted: tuple[str, ...] = ()
    wishes: tuple[str, ...] = ()
    takes_own_deck: bool = False


class State(msgspec.Struct, frozen=True, gc=False):
    """Base of every game's public state. ``table`` is kept up to date by the position, not by the game."""

    table: Table


S = TypeVar("S", bound=State)


class View(Generic[S]):
    """What one seat (or, with ``seat`` -1, the public) knows: public state and facts, and its own hand.

    ``known`` and ``denied`` are computed when they are first asked for, since not every player cares.
    """

    __slots__ = ("_facts", "_private", "deck", "hand", "seat", "state")

    def __init__(
        self,
        state: S,
        seat: int,
        deck: Deck,
        hand: Mapping[Slot, Face],
        facts: Callable[[], Facts],
        private: Iterable[tuple[Zone, Partial]] = (),
    ) -> None:
        """``private`` is what this seat knows beyond the public facts of cards that are not in its hand."""
        self.state = state
        self.seat = seat
        self.deck = deck
        self.hand = hand
        self._facts = facts
        self._private = tuple(private)

    @property
    def known(self) -> Mapping[Zone, tuple[Partial, ...]]:
        """For each zone what is known for sure to lie in it, the seat's own hand as far as others know it
        too.
        """
        return with_private(self._facts().all_held(), self._private, self.deck)

    @property
    def denied(self) -> Mapping[Zone, tuple[Match, ...]]:
        """For each hand what it was shown not to hold, while that still stands."""
        return self._facts().all_denied()

    def __repr__(self) -> str:
        return f"View(seat={self.seat})"


class Rules(Protocol[S]):
    """The contract of a game.

    ``start``, ``pending`` and ``resume`` are the game itself; every peer and ``verify`` run them alike. In
    ``resume`` the state's table is the one *after* the operation.

    A game may also have ``leave(s, seats)``: the state after these seats left, and what happened in public
    besides; ``None`` where it cannot go on. It is called between two operations, the pending one not begun.
    The leavers' hands lie where they lay, seen by nobody and under the key of those who stay, until a
    ``Return`` takes them back; nobody of them may be asked for anything any more. Without the method, a game
    that somebody leaves is over.
    """

    info: GameInfo

    def options(self, chosen: Mapping[str, str], seats: int) -> Mapping[str, str]:
        """All options with defaults filled in, in the order of ``info``.

        ``BadOption`` for what is refused.
        """

    def deck(self, options: Mapping[str, str]) -> Deck:
        """The deck that full ``options`` ask for."""

    def start(self, options: Mapping[str, str], seats: int) -> S:
        """The state before the first operation, all cards in the stock."""

    def pending(self, s: S) -> Op | Outcome:
        """What must happen next, or how the game ended."""

    def resume(self, s: S, r: Result) -> tuple[S, tuple[Event, ...]]:
        """The state after the pending operation ended with ``r``, and what happened in public."""

    def legal(self, v: View[S]) -> tuple[Action, ...]:
        """All actions of a seat that the pending ``Choose`` or ``Tick`` asks, from what that seat knows.

        The first one is what is done for a player who lets the time pass, or wishes for nothing.
        """

    def deed(self, v: View[S], a: Action) -> Deed:
        """The public form of an action. ``IllegalAction`` where the rules or the own cards forbid it."""

    def claims(self, s: S, seat: int, d: Deed) -> tuple[Claim, ...]:
        """What the seat has to prove of its hidden cards along with the deed."""

    def refuse(self, s: S, seat: int, d: Deed, shown: Mapping[Slot, Face]) -> Reason | None:
        """Why everybody, by public facts and the cards ``shown`` with it, refuses the deed.

        ``shown`` holds exactly the slots of ``d.shown``. ``None`` where it may stand once its claims hold.
        """

    def parse(self, s: S, text: str, labels: tuple[str, ...]) -> Action:
        """The action that a text such as ``ask B 9`` names. ``BadAction`` with one sentence otherwise."""

    def report(self, s: S) -> Report:
        """Facts of the state that every game has, for displays and scenario files."""

    def lay_out(self, s: S, own: Mapping[str, Any], labels: tuple[str, ...], pile: Pile) -> Layout:
        """The zones that a scenario's keys of this game (``setup_keys``) fill.

        ``own`` has the keys as written, except that seat numbers stand for the names of seats where these
        are keys of a table. Raises ``BadSetup``.
        """

    def spread(self, s: S, rest: tuple[Face, ...]) -> Mapping[Zone, tuple[Face, ...]]:
        """Where the cards lie that a scenario names nowhere (in deck order), below what ``lay_out`` put
        there.
        """

    def arrange(
        self, s: S, table: Table, turn: int, own: Mapping[str, Any], labels: tuple[str, ...]
    ) -> tuple[S, tuple[Event, ...]]:
        """A scenario's position, from a ``start`` state.

        Cards as in ``table``, ``turn`` to play (-1: not given). As ``resume``.
        """

    setup_keys: tuple[str, ...]
    expect_keys: tuple[str, ...]
    needs_turn: bool


class Layout(msgspec.Struct, frozen=True):
    """Cards of a scenario's position: in public zones, and in hidden ones, top first."""

    public: Mapping[Zone, tuple[Face, ...]] = {}
    hidden: Mapping[Zone, tuple[Face, ...]] = {}


class SeatFact(msgspec.Struct, frozen=True):
    """A fact that is a seat."""

    seat: int


class Report(msgspec.Struct, frozen=True):
    """What can be said of any game's state.

    The seat to decide (-1: none), laid groups and points of each seat. ``facts`` are the game's own, by the
    keys of ``expect_keys``: a text, a number, a ``SeatFact``, a list of texts, or a table of such values by
    seat.
    """

    turn: int
    books: tuple[tuple[str, ...], ...]
    scores: tuple[int, ...]
    facts: Mapping[str, Any] = {}


class Pile(Protocol):
    """The cards that a scenario has not placed yet."""

    def place(self, faces: Iterable[Face]) -> tuple[Face, ...]:
        """Takes cards that are named. Raises ``BadSetup`` for one that is not there any more."""

    def take(self, match: Match, count: int) -> tuple[Face, ...]:
        """The first ``count`` cards in deck order that match and are named nowhere.

        ``BadSetup`` if there are fewer.
        """

    def untouched(self, attribute: str) -> tuple[str, ...]:
        """The values of which no card is named, in deck order."""


AnyRules = Rules[Any]
