"""What a game of Shoal is: public state, one pending operation at a time, and what seats may decide.

A game never sees a face that is not public. What is hidden reaches it only as the result of an operation it asked
for, so the same module serves sealed, open and physical dealing, a spectator, and a stranger with the record.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from .cards import Deck, Face
from .table import Claim, Deed, Op, Partial, Result, Slot, Table, Zone


class IllegalAction(ValueError):
    """An action that the rules refuse. ``reason`` says why, by id and fields; texts are made elsewhere."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.id)
        self.reason = reason


class BadOption(ValueError):
    """An unknown option, value, combination or seat count. The message is one sentence for a player."""


class Action(msgspec.Struct, frozen=True):
    """What a player decides, with the faces only that player may know (``cards``, as card texts)."""

    verb: str
    target: int = -1
    value: str = ""
    cards: tuple[str, ...] = ()


class Event(msgspec.Struct, frozen=True):
    """A public happening: ``seat`` (-1: nobody), a verb, and its words, seats among them as ``target``."""

    verb: str
    seat: int = -1
    target: int = -1
    words: tuple[str, ...] = ()


class Reason(msgspec.Struct, frozen=True):
    """Why a deed or action is refused: an id of the table in docs/scenarios.md and the words it names."""

    id: str
    words: tuple[str, ...] = ()


class Outcome(msgspec.Struct, frozen=True):
    """The end of a game: a named reason, the score of each seat, and the seats that win (several when tied)."""

    reason: str
    scores: tuple[int, ...]
    winners: tuple[int, ...]


class Option(msgspec.Struct, frozen=True):
    """One option of a game; the first value is the default. ``lowest`` and ``highest`` for whole numbers."""

    name: str
    values: tuple[str, ...]
    lowest: int | None = None
    highest: int | None = None


class GameInfo(msgspec.Struct, frozen=True):
    """Static facts of a game."""

    id: str
    version: int
    title: str
    least_seats: int
    most_seats: int
    options: tuple[Option, ...]


class State(msgspec.Struct, frozen=True):
    """Base of every game's public state. ``table`` is kept up to date by the position, not by the game."""

    table: Table


S = TypeVar("S", bound=State)


class View(msgspec.Struct, Generic[S], frozen=True):
    """What one seat (or, with ``seat`` -1, the public) knows."""

    state: S
    seat: int
    deck: Deck
    hand: Mapping[Slot, Face]
    known: Mapping[Zone, tuple[Partial, ...]]


class Rules(Protocol[S]):
    """The contract of a game."""

    info: GameInfo

    def options(self, chosen: Mapping[str, str], seats: int) -> Mapping[str, str]:
        """All options with defaults filled in; ``BadOption`` for what is refused."""

    def deck(self, options: Mapping[str, str]) -> Deck: ...

    def start(self, options: Mapping[str, str], seats: int) -> S: ...

    def pending(self, s: S) -> Op | Outcome: ...

    def resume(self, s: S, r: Result) -> tuple[S, tuple[Event, ...]]: ...

    def legal(self, v: View[S]) -> tuple[Action, ...]: ...

    def deed(self, v: View[S], a: Action) -> Deed: ...

    def claims(self, s: S, seat: int, d: Deed) -> tuple[Claim, ...]: ...

    def refuse(self, s: S, seat: int, d: Deed) -> Reason | None: ...

    def parse(self, text: str, labels: tuple[str, ...]) -> Action: ...


AnyRules = Rules[Any]
