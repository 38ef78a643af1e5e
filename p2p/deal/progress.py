"""A table's progress: whose contribution is owed, and what follows from it. The one place that orders rounds.

Rounds that one seat owes in a row travel as one contribution, except that a decision (``Choose``), each round
of a ``Tick``, the close and the reveal begin a new one. Players, spectators and ``verify`` all run this same
code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from engine.cards import Face
from engine.contract import Event, Outcome
from engine.match import Position
from engine.table import (
    Choose,
    Complete,
    Deed,
    Disclose,
    HandOver,
    Mix,
    Move,
    Op,
    Pick,
    Result,
    Return,
    Show,
    Tick,
)

from ..log.codec import Malformed, pack, unpack
from .base import Checked, Close, PeerFault, Place, Reveal, Round, Secrets, Setup, Task
from .printed import Printed
from .sealed import Sealed

AnyDealing: TypeAlias = Sealed | Printed


@dataclass(frozen=True, slots=True)
class Passed:
    """What one contribution was found to hold: its rounds' findings, and (if it stands alone) what follows.

    ``fault`` is set in one's own contribution that shows another seat's fault.
    """

    checked: tuple[Checked, ...]
    after: Progress | None = None
    events: tuple[Event, ...] = ()
    fault: PeerFault | None = None


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


@dataclass(frozen=True, slots=True)
class Progress:
    """Position and dealing between two contributions. ``task`` is ``None`` once nothing more is owed.

    ``trail`` are the operations since the first hidden hand-over that touch hidden cards of hands.
    """

    position: Position
    dealing: AnyDealing
    reveal: bool
    task: Task | None
    number: int = 0
    trail: tuple[Handled, ...] = ()

    @classmethod
    def start(cls, position: Position, dealing: AnyDealing, reveal: bool) -> Progress:
        """Before the first step; ``reveal`` says whether seeds and keys are opened after the close."""
        return cls(position, dealing.stocked(position), reveal, Setup())

    @property
    def round(self) -> Round | None:
        """The round now owed, or ``None`` at the very end."""
        if self.task is None:
            return None
        return self.dealing.rounds(self.task, self.position)[self.number]

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


class NeedsDeed(Exception):
    """A round waits for a decision of its seat: there is more than one way to go on from ``progress``."""

    def __init__(self, progress: Progress) -> None:
        super().__init__("a decision is needed")
        self.progress = progress


Chooser = Callable[[Progress, int], Deed | None]
"""Gives a seat's deed for the round now owed, or ``None`` when its player has to decide first."""


def contribute(
    progress: Progress,
    place: Place,
    secrets: Secrets,
    choose: Chooser,
    fresh: bytes,
    marks: int = 0,
    faces: tuple[Face, ...] = (),
) -> tuple[bytes, Passed]:
    """The body of this seat's contribution, all rounds it owes in a row, and what ``check`` would find in it.

    ``choose`` is asked for each deed in turn. Raises ``NeedsDeed`` when it has none: ask the player, then
    call again
    with the same ``fresh`` (every nonce depends on the whole statement, so nothing is used twice). For both
    rounds of a ``Tick`` it has to give the same deed; ``marks`` are the lag bits of the second one (see
    ``Dealing.prepare``), ``faces`` the printed cards tapped for the first round.
    """
    alone = len(progress.owed) == 1
    bodies: list[bytes] = []
    checked: list[Checked] = []
    events: tuple[Event, ...] = ()
    while True:
        deed = None
        if _is_decided(progress):
            deed = choose(progress, place.seat)
            if deed is None:
                raise NeedsDeed(progress)
        assert progress.task is not None
        body, found = progress.dealing.prepare(
            progress.task, progress.number, progress.position, place, secrets, deed, fresh, marks, faces
        )
        bodies.append(body)
        if isinstance(found, PeerFault):
            return pack(bodies), Passed(tuple(checked), fault=found)
        checked.append(found)
        if not alone:
            return pack(bodies), Passed(tuple(checked))
        progress, new = advance_round(progress, {place.seat: found})
        events += new
        if not _continues(progress, place.seat):
            return pack(bodies), Passed(tuple(checked), progress, events)


Observer = Callable[[Progress, Place, Checked], None]
"""Told of each round found valid: the progress before it, where it stands, and what was found."""


def check(progress: Progress, place: Place, body: bytes, observe: Observer | None = None) -> Passed:
    """Verify one seat's contribution to the step now owed. Raises ``PeerFault``."""
    try:
        bodies = unpack(body)
    except Malformed as error:
        raise PeerFault(place.seat, str(error)) from None
    if place.seat not in progress.owed:
        raise PeerFault(place.seat, "contributed where nothing is owed")
    alone = len(progress.owed) == 1
    checked: list[Checked] = []
    events: tuple[Event, ...] = ()
    for count, part in enumerate(bodies):
        if count and not (alone and _continues(progress, place.seat)):
            raise PeerFault(place.seat, "contributed more rounds than it owes")
        assert progress.task is not None
        found = progress.dealing.check(progress.task, progress.number, progress.position, place, part)
        checked.append(found)
        if observe is not None:
            observe(progress, place, found)
        if alone:
            progress, new = advance_round(progress, {place.seat: found})
            events += new
    if not bodies or (alone and _continues(progress, place.seat)):
        raise PeerFault(place.seat, "contributed fewer rounds than it owes")
    return Passed(tuple(checked), progress if alone else None, events)


def advance(progress: Progress, passed: Mapping[int, Passed]) -> tuple[Progress, tuple[Event, ...]]:
    """The progress after a step, once every owing seat's contribution has passed."""
    if len(passed) == 1:
        (only,) = passed.values()
        if only.after is not None:
            return only.after, only.events
    return advance_round(progress, {seat: found.checked[0] for seat, found in passed.items()})


def advance_round(progress: Progress, checked: Mapping[int, Checked]) -> tuple[Progress, tuple[Event, ...]]:
    """The progress after one round, with every operation that needs no contribution carried out."""
    assert progress.task is not None
    dealing = progress.dealing.fold(progress.task, progress.number, progress.position, checked)
    progress = replace(progress, dealing=dealing, number=progress.number + 1)
    events: tuple[Event, ...] = ()
    while progress.task is not None and _is_done(progress):
        progress, new = _next_task(progress)
        events += new
    return progress, events


def _is_done(progress: Progress) -> bool:
    assert progress.task is not None
    return progress.number >= len(progress.dealing.rounds(progress.task, progress.position))


def _next_task(progress: Progress) -> tuple[Progress, tuple[Event, ...]]:
    events: tuple[Event, ...] = ()
    position, dealing, trail = progress.position, progress.dealing, progress.trail
    match progress.task:
        case Close():
            following: Task | None = Reveal() if progress.reveal else None
            return replace(progress, task=following, number=0), ()
        case Reveal() | None:
            return replace(progress, task=None, number=0), ()
        case Setup():
            pass
        case operation:
            result, dealing = dealing.finish(operation, position)
            position, events = position.feed(result)
            if isinstance(operation, HandOver) or (trail and isinstance(operation, _TOUCHING)):
                before = Stand(progress.position, progress.dealing)
                trail = (*trail, Handled(before, operation, result, Stand(position, dealing)))
    pending = position.pending
    task: Task = Close() if isinstance(pending, Outcome) else pending
    return Progress(position, dealing, progress.reveal, task, 0, trail), events


_TOUCHING = (Move, Return, Mix, Pick, Show, Disclose, Choose, Complete)
"""Operations that may change what the giver of a hidden card knows of the hand it lies in."""


def _continues(progress: Progress, seat: int) -> bool:
    """Whether the same seat alone owes the next round, as part of the same contribution.

    What waits for a person to tap cards begins a new one.
    """
    if isinstance(progress.task, Choose | Tick | Close | Reveal):
        return False
    return progress.owed == (seat,) and not progress.dealing.wanted(progress.task)


def _is_decided(progress: Progress) -> bool:
    """Whether the round now owed holds a deed of its seat."""
    if isinstance(progress.task, Tick):
        return True
    return progress.number == 0 and isinstance(progress.task, Choose | Disclose | Complete)
