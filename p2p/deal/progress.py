"""A table's progress: whose contribution is owed, and what follows from it. The one place that orders rounds.

Rounds that one seat owes in a row travel as one contribution, except that a decision (``Choose``), each round
of a ``Tick``, the close and the reveal begin a new one. Players, spectators and ``verify`` all run this same
code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeAlias

from engine.cards import Face
from engine.contract import Event, Outcome
from engine.match import Position
from engine.table import (
    Choose,
    Coin,
    Complete,
    Deed,
    Disclose,
    Draw,
    HandOver,
    Mix,
    Move,
    Op,
    Pick,
    Result,
    Return,
    Show,
    Shuffle,
    Tick,
    hand_of,
)

from ..log.codec import Malformed, pack, unpack
from .base import (
    Checked,
    Close,
    Escrow,
    PeerFault,
    Place,
    Recover,
    Reveal,
    Round,
    Secrets,
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

LEAVE = "leave"
"""The event of a seat that has left the game."""

LEFT = "left"
"""Why a game ends that cannot go on without those who have left."""


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
    call again with the same ``fresh`` (every nonce depends on the whole statement, so nothing is used twice).
    For both rounds of a ``Tick`` it has to give the same deed; ``marks`` are the lag bits of the second one
    (see ``Dealing.prepare``), ``faces`` the printed cards tapped for the first round.
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
    if not bodies and progress.is_playing:
        return Passed((), is_farewell=True)
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


def advance(
    progress: Progress, passed: Mapping[int, Passed], departed: frozenset[int] = frozenset()
) -> tuple[Progress, tuple[Event, ...]]:
    """The progress after a step, once every owing seat's contribution has passed.

    ``departed`` are all seats of a keeper whose departure is certified; others may say farewell.
    """
    leaving = departed | leaving_seats(progress, passed)
    if leaving:
        return _depart(progress, passed, leaving)
    if len(passed) == 1:
        (only,) = passed.values()
        if only.after is not None:
            return only.after, only.events
    return advance_round(progress, {seat: found.checked[0] for seat, found in passed.items()})


def leaving_seats(progress: Progress, passed: Mapping[int, Passed]) -> frozenset[int]:
    """All seats of the keepers that say farewell in this step."""
    keepers = progress.dealing.keepers
    named = {keepers[seat] for seat, found in passed.items() if found.is_farewell}
    return frozenset(seat for seat, keeper in enumerate(keepers) if keeper in named)


def _depart(
    progress: Progress, passed: Mapping[int, Passed], leaving: frozenset[int]
) -> tuple[Progress, tuple[Event, ...]]:
    """The progress after a step in which these seats left. What others gave to it counts no more, if the
    game ends with it."""
    is_playing = progress.is_playing
    events = tuple(Event(LEAVE, seat) for seat in sorted(leaving))
    checked = {seat: found.checked[0] for seat, found in passed.items() if seat not in leaving}
    progress = replace(progress, gone=progress.gone | leaving)
    if not is_playing:
        return advance_round(progress, checked)
    if not progress.is_deserted and may_go_on(progress, leaving):
        return _recovering(progress, checked, tuple(sorted(leaving))), events
    return _ended(progress, events)


def _ended(progress: Progress, events: tuple[Event, ...]) -> tuple[Progress, tuple[Event, ...]]:
    """The game cannot go on without those who left. Where nobody is left, nobody owes a signature either."""
    position = progress.position.ended(LEFT)
    dealing = replace(progress.dealing, stash=None)
    reveal = progress.reveal and bool(dealing.keys)
    task = None if progress.is_deserted else Close()
    ended = replace(
        progress, position=position, dealing=dealing, reveal=reveal, task=task, number=0, paused=None
    )
    return ended, (*events, Event("over", words=(LEFT,)))


def may_go_on(progress: Progress, leaving: frozenset[int]) -> bool:
    """Whether the game may go on if these seats leave now: they are one keeper's, its keys are in escrow, and
    cards have been dealt, or are being dealt."""
    dealing, position, task = progress.dealing, progress.position, progress.task
    if not dealing.can_recover or progress.paused is not None or isinstance(task, Coin | Escrow | Recover):
        return False
    is_dealt = any(position.table.size(hand_of(seat)) for seat in range(position.seats))
    return len({dealing.keepers[seat] for seat in leaving}) == 1 and (is_dealt or isinstance(task, Draw))


def _recovering(progress: Progress, checked: Mapping[int, Checked], seats: tuple[int, ...]) -> Progress:
    """The interrupted operation is ended after the recovery with what the others gave, if it can be; a joint
    shuffle and a tick nobody has opened begin anew."""
    task, number, position = progress.task, progress.number, progress.position
    assert task is not None
    dealing, paused = progress.dealing, Paused(seats)
    match task:
        case Draw() | Tick():
            dealing = dealing.fold(task, number, position, checked)
            if isinstance(task, Draw):
                paused = Paused(seats, task)
            elif number == 1:
                paused = Paused(seats, task, 2, dealing.stash)
        case Shuffle():
            paused = Paused(seats, task)
        case Show() | Choose() if checked:
            dealing = dealing.fold(task, number, position, checked)
            paused = Paused(seats, task, number + 1, dealing.stash)
    dealing = replace(dealing, stash=None)
    return replace(progress, dealing=dealing, task=Recover(seats), number=0, paused=paused)


def _resumed(progress: Progress, paused: Paused) -> tuple[Progress, tuple[Event, ...]]:
    """All cards are under the keys of those who stay: the interrupted operation goes on, or the game sees to
    the departure at once."""
    if paused.task is None:
        return _seen_to(progress, paused)
    dealing = replace(progress.dealing, stash=paused.stash)
    return replace(progress, dealing=dealing, task=paused.task, number=paused.number), ()


def _seen_to(progress: Progress, paused: Paused) -> tuple[Progress, tuple[Event, ...]]:
    """The game's own rule for the leavers, unless it is over."""
    progress = replace(progress, paused=None)
    if progress.outcome is not None:
        return replace(progress, task=Close(), number=0), ()
    found = progress.position.left(paused.seats)
    if found is None:
        return _ended(progress, ())
    position, events = found
    pending = position.pending
    task: Task = Close() if isinstance(pending, Outcome) else pending
    return replace(progress, position=position, task=task, number=0), events


def advance_round(progress: Progress, checked: Mapping[int, Checked]) -> tuple[Progress, tuple[Event, ...]]:
    """The progress after one round, with every operation that needs no contribution carried out."""
    assert progress.task is not None
    dealing = progress.dealing.fold(progress.task, progress.number, progress.position, checked)
    progress = replace(progress, dealing=dealing, number=progress.number + 1)
    events: tuple[Event, ...] = ()
    while progress.task is not None and not progress.owed:
        if _is_done(progress) or isinstance(progress.task, Close | Reveal):  # nobody is left to sign
            progress, new = _next_task(progress)
        elif isinstance(progress.task, Shuffle):  # the turn of a seat that has left
            progress, new = replace(progress, number=progress.number + 1), ()
        else:
            progress, new = _ended(progress, ())
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
        case Recover() if not dealing.can_escrow and progress.paused is not None:
            return _resumed(progress, progress.paused)
        case Setup() | Recover() if dealing.can_escrow:
            return replace(progress, task=Escrow(), number=0), ()
        case Escrow() if progress.paused is not None:
            return _resumed(progress, progress.paused)
        case Setup() | Escrow():
            pass
        case operation:
            result, dealing = dealing.finish(operation, position)
            position, events = position.feed(result)
            if isinstance(operation, HandOver) or (trail and isinstance(operation, _TOUCHING)):
                before = Stand(progress.position, progress.dealing)
                trail = (*trail, Handled(before, operation, result, Stand(position, dealing)))
    pending = position.pending
    task: Task = Close() if isinstance(pending, Outcome) else pending
    progress = replace(progress, position=position, dealing=dealing, task=task, number=0, trail=trail)
    if progress.paused is None:
        return progress, events
    progress, more = _seen_to(progress, progress.paused)
    return progress, (*events, *more)


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
