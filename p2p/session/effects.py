"""What a session asks its surroundings to do, and what it tells its player. Plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from engine.contract import Action, Event, Outcome, Reason, View
from engine.table import Slot, Zone

from ..log.absence import Statement
from ..log.entry import Entry
from .ticks import CommittedDeed


class Job(Protocol):
    """Heavy work without side effects; may run in any thread."""

    def run(self) -> Any:
        """The result, handed back through ``Session.done``."""


@dataclass(frozen=True, slots=True)
class Persist:
    """Store all of this in one durable transaction. What comes after it in the list waits for that.

    ``committed`` is the deed behind the commitment among ``entries``; it takes the place of an earlier one.
    """

    entries: tuple[Entry, ...]
    statements: tuple[Statement, ...] = ()
    committed: CommittedDeed | None = None


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
class Race:
    """A race begins, or goes on with other things possible than were told last: ``act`` at any time.

    ``seconds`` is how long a tick lasts at least. The first of ``actions`` is to wait, which needs no
    ``act``.
    """

    view: View[Any]
    actions: tuple[Action, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class Unplayed:
    """An action queued in a race is dropped: when its turn came it was not possible any more."""

    action: Action
    reason: Reason


@dataclass(frozen=True, slots=True)
class Lagging:
    """A race waits for these seats since ``since`` (the session's clock, seconds): they set its pace."""

    seats: tuple[int, ...]
    since: float


@dataclass(frozen=True, slots=True)
class Skipped:
    """All others certify that these seats are absent: they are out for the fish in play."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Left:
    """These seats, all of one keeper or more, have left the game: by a certificate that the keepers ``by``
    have signed, or (the ``farewell`` among them) by their own word."""

    seats: tuple[int, ...]
    farewell: tuple[int, ...] = ()
    by: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class GivenUp:
    """The keepers ``by`` do not wait any longer for the keeper ``seat``, which has left once all others say
    so; of ``lacking`` nothing was heard yet."""

    seat: int
    by: tuple[int, ...]
    lacking: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """The keepers ``by`` have signed that they hold what the keeper ``seat`` owes: it stays in the game."""

    seat: int
    by: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Undone:
    """The others went on without this seat: what was told of ``step`` and later ones did not happen."""

    step: int


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
class Rebuilds:
    """The store of ``seat`` was lost, or may be an old copy, and it signs nothing before the seats
    ``waits_for`` have handed over what they hold of it; none: it has everything again. Where it ``is_away``,
    it went before that, and what becomes of it is not known here."""

    seat: int
    waits_for: tuple[int, ...]
    is_away: bool = False


@dataclass(frozen=True, slots=True)
class Watched:
    """Those who watch at a seat now, by the names they go by there: spectators, without any part in the
    game."""

    seat: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LinkCut:
    """The link of a seat was cut: what came over it is no message of this protocol. It may be made anew."""

    seat: int
    reason: str


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """The cards are printed ones that the machine of the seat ``scanner`` scans: it sees every face."""

    scanner: int


@dataclass(frozen=True, slots=True)
class CutWanted:
    """The printed cards of ``zone``, shuffled by hand, are to be cut: the ``at`` on top of ``of`` go beneath.

    0 leaves them as they are. All seats have drawn this number together.
    """

    zone: Zone
    at: int
    of: int


@dataclass(frozen=True, slots=True)
class ScanWanted:
    """Printed cards to tap, in order: the place of each, and the seat that may see it, -1 for all.

    Told whenever the list changes; an empty one says that nothing is wanted any more.
    """

    draws: tuple[tuple[Slot, int], ...]


@dataclass(frozen=True, slots=True)
class GameOver:
    """The game has ended; the seats still sign the outcome (``closed`` False), or all who have not left the
    game have (True)."""

    outcome: Outcome
    closed: bool


@dataclass(frozen=True, slots=True)
class Finished:
    """Nothing more is owed: the record is complete."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A proven fault: that seat's keeper loses, the rest of the game is void.

    ``evidence`` are the contributions that prove it (with printed cards they may be of a later step);
    ``statements``, if it is that, two that contradict each other. ``head`` is what they were signed on.
    """

    seat: int
    step: int
    reason: str
    evidence: tuple[Entry, ...]
    head: bytes
    statements: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class Stale:
    """The others hold contributions of this seat that its own store does not know: it must not sign any
    more."""

    step: int


Telling: TypeAlias = (
    Happened
    | Stage
    | Contributed
    | YourMove
    | Race
    | Unplayed
    | Lagging
    | Skipped
    | Left
    | GivenUp
    | Kept
    | Undone
    | Waiting
    | Talk
    | Paused
    | Rebuilds
    | Watched
    | LinkCut
    | PrintedTable
    | CutWanted
    | ScanWanted
    | GameOver
    | Finished
    | Fault
    | Stale
)


@dataclass(frozen=True, slots=True)
class Tell:
    """Something for this seat's player, a bot or a person."""

    what: Telling


Effect: TypeAlias = Persist | Send | Drop | Work | Timer | Tell
