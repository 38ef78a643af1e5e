"""What a session asks its surroundings to do, and what it tells its player. Plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from engine.contract import Action, Event, Outcome, View

from ..log.entry import Entry


class Job(Protocol):
    """Heavy work without side effects; may run in any thread."""

    def run(self) -> Any:
        """The result, handed back through ``Session.done``."""


@dataclass(frozen=True, slots=True)
class Persist:
    """Store these contributions durably. What comes after it in the list waits for that."""

    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Send:
    """Send one frame to the link of seat ``to``, or to every linked seat (``None``)."""

    to: int | None
    data: bytes


@dataclass(frozen=True, slots=True)
class Drop:
    """Cut the link of a seat: what came over it is no message of this protocol. Nobody else is to blame."""

    peer: int
    reason: str


@dataclass(frozen=True, slots=True)
class Work:
    """Run ``job`` and hand its result, or the exception it raised, to ``Session.done``."""

    id: int
    job: Job


@dataclass(frozen=True, slots=True)
class Timer:
    """Call ``Session.tick`` after this many seconds."""

    delay: float


# --- tellings -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Happened:
    """Public events of a step, and what was proved with them (seat, words such as ``lacks`` or
    ``shuffle``)."""

    events: tuple[Event, ...]
    proved: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Stage:
    """A step began: what it is about, who owes it, and how far a long task is (``done`` of ``of`` rounds)."""

    step: int
    kind: str
    owed: tuple[int, ...]
    done: int
    of: int


@dataclass(frozen=True, slots=True)
class Contributed:
    """A seat's contribution to the step under way was received and holds."""

    seat: int
    kind: str


@dataclass(frozen=True, slots=True)
class YourMove:
    """This seat has to decide. ``seconds`` is set where an answer is given after a fixed time in any case."""

    view: View[Any]
    actions: tuple[Action, ...]
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Waiting:
    """Contributions of these seats are awaited since ``since`` (the session's clock, seconds)."""

    seats: tuple[int, ...]
    since: float


@dataclass(frozen=True, slots=True)
class Talk:
    """A line of chat."""

    seat: int
    text: str


@dataclass(frozen=True, slots=True)
class Paused:
    """A seat's player says that it stops for now."""

    seat: int


@dataclass(frozen=True, slots=True)
class GameOver:
    """The game has ended; the seats still sign the outcome (``closed`` False) or all have (True)."""

    outcome: Outcome
    closed: bool


@dataclass(frozen=True, slots=True)
class Finished:
    """Nothing more is owed: the record is complete."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A proven fault: that seat's keeper loses, the rest of the game is void."""

    seat: int
    step: int
    reason: str
    evidence: tuple[Entry, ...]
    head: bytes


@dataclass(frozen=True, slots=True)
class Stale:
    """The others hold contributions of this seat that its own store does not know: it must not sign any
    more."""

    step: int


Telling: TypeAlias = (
    Happened | Stage | Contributed | YourMove | Waiting | Talk | Paused | GameOver | Finished | Fault | Stale
)


@dataclass(frozen=True, slots=True)
class Tell:
    """Something for this seat's player, a bot or a person."""

    what: Telling


Effect: TypeAlias = Persist | Send | Drop | Work | Timer | Tell
