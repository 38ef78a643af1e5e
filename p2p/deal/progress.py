"""A table's progress between two contributions: position and dealing, what is owed now, and by whom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from engine.contract import Event, Outcome
from engine.match import Position
from engine.table import (
    Op,
    Result,
)

from ..log.codec import pack
from .base import (
    Checked,
    Close,
    PeerFault,
    Reveal,
    Round,
    Setup,
    Task,
)
from .printed import Printed
from .sealed import Sealed

AnyDealing: TypeAlias = Sealed | Printed


@dataclass(frozen=True, slots=True)
class Passed:
    """What one contribution was found to hold: its rounds' findings, and (if it stands alone) what follows.

    ``fault`` is set in one's own contribution that shows another seat's fault. ``is_farewell``: the seat's
    keeper leaves the game.
    """

    checked: tuple[Checked, ...]
    after: Progress | None = None
    events: tuple[Event, ...] = ()
    fault: PeerFault | None = None
    is_farewell: bool = False


FAREWELL = pack([])
"""The body by which a keeper leaves the game with all its seats, in place of what a seat of it owes."""


@dataclass(frozen=True, slots=True, eq=False)
class Stand:
    """A position and its dealing, before or after an operation."""

    position: Position
    dealing: AnyDealing


@dataclass(frozen=True, slots=True, eq=False)
class Handled:
    """An operation that a seat may know more of than the public does: its result, and how things stood."""

    before: Stand
    op: Op
    result: Result
    after: Stand


class Paused(NamedTuple):
    """What waits while the cards of ``seats``, which have left, are recovered: an operation with what was
    given to it, from round ``number`` on; or none, where it cannot be ended without them. The game's own rule
    for leavers applies after that."""

    seats: tuple[int, ...]
    task: Task | None = None
    number: int = 0
    stash: Any = None


@dataclass(frozen=True, slots=True)
class Progress:
    """Position and dealing between two contributions. ``task`` is ``None`` once nothing more is owed.

    ``trail`` are the operations since the first hidden hand-over that touch hidden cards of hands. ``gone``
    are the seats that have left the game: they owe nothing. ``paused`` is set from a departure on until the
    game has seen to it.
    """

    position: Position
    dealing: AnyDealing
    reveal: bool
    task: Task | None
    number: int = 0
    trail: tuple[Handled, ...] = ()
    gone: frozenset[int] = frozenset()
    paused: Paused | None = None

    @classmethod
    def start(cls, position: Position, dealing: AnyDealing, reveal: bool) -> Progress:
        """Before the first step; ``reveal`` says whether seeds and keys are opened after the close."""
        return cls(position, dealing.stocked(position), reveal, Setup())

    @property
    def round(self) -> Round | None:
        """The round now owed, or ``None`` at the very end."""
        if self.task is None:
            return None
        rounds = self.dealing.rounds(self.task, self.position)
        if self.number >= len(rounds):
            return None
        now = rounds[self.number]
        if not self.gone:
            return now
        return now._replace(seats=tuple(seat for seat in now.seats if seat not in self.gone))

    @property
    def owed(self) -> tuple[int, ...]:
        """The seats that owe a contribution at this step."""
        now = self.round
        return now.seats if now else ()

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, once it has."""
        pending = self.position.pending
        return pending if isinstance(pending, Outcome) else None

    @property
    def is_playing(self) -> bool:
        """Whether the outcome is still open, so that a keeper that goes leaves a game."""
        return not isinstance(self.task, Close | Reveal | None)

    @property
    def is_deserted(self) -> bool:
        """Whether all seats have left the game, so that nobody is there to sign how it ended."""
        return len(self.gone) == self.position.seats


class NeedsDeed(Exception):
    """A round waits for a decision of its seat: there is more than one way to go on from ``progress``."""

    def __init__(self, progress: Progress) -> None:
        super().__init__("a decision is needed")
        self.progress = progress
