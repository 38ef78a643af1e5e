"""What follows from contributions. The one place that orders rounds.

Rounds that one seat owes in a row travel as one contribution, except that a decision (``Choose``), each round
of a ``Tick``, the close and the reveal begin a new one. Players, spectators and ``verify`` all run this same
code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from engine.cards import Face
from engine.contract import Event, Outcome
from engine.table import (
    Choose,
    Complete,
    Deed,
    Disclose,
    HandOver,
    Mix,
    Move,
    Pick,
    Return,
    Show,
    Shuffle,
    Tick,
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
    Secrets,
    Setup,
    Task,
)
from .departing import LEAVE, ended, leaving_seats, may_go_on, recovering, resumed, seen_to
from .progress import Handled, NeedsDeed, Passed, Progress, Stand

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
        return recovering(progress, checked, tuple(sorted(leaving))), events
    return ended(progress, events)


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
            progress, new = ended(progress, ())
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
            return resumed(progress, progress.paused)
        case Setup() | Recover() if dealing.can_escrow:
            return replace(progress, task=Escrow(), number=0), ()
        case Escrow() if progress.paused is not None:
            return resumed(progress, progress.paused)
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
    progress, more = seen_to(progress, progress.paused)
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
