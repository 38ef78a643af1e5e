"""One tick of a race: who committed to what, who opened it, and in which order the deeds count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from engine.cards import Face
from engine.table import Deed, Slot, Tick, Ticked

from ..log.codec import Malformed
from ..sealed import Point, Xof
from ..sealed.hashing import integer
from .base import PeerFault, Place
from .common import Common
from .hidden import SALT_SIZE, Committed

LEAST_KEEPERS = 3
"""Keepers that take part in a tick before anybody can be found late: among two, one word stands against the
other's."""


class TickCommitment(NamedTuple):
    """A seat's first round: the commitment to its deed, and its shares for the draws of the tick."""

    committed: Committed
    shares: tuple[Point, ...]


class TickOpening(NamedTuple):
    """A seat's second round. ``faces`` are the cards that the deed opens, ``marks`` the lag bits."""

    salt: bytes
    deed: Deed
    marks: int
    faces: Mapping[Slot, Face]


@dataclass(frozen=True, slots=True)
class Race:
    """What a tick has brought so far, by seat."""

    commitments: Mapping[int, Committed] = field(default_factory=dict)
    openings: Mapping[int, TickOpening] = field(default_factory=dict)


def markable(dealing: Common, seat: int, commitments: Mapping[int, Committed]) -> int:
    """The lag bits that ``seat`` may set: of the other keepers' seats that have committed."""
    keepers = dealing.keepers
    return sum(1 << other for other in commitments if keepers[other] != keepers[seat])


def check_opened_deed(dealing: Common, place: Place, parts: Sequence[bytes], count: int) -> int:
    """The lag bits of a tick's second round, whose deed is what was committed to: salt, deed, lag bits, and
    ``count`` - 3 parts more. Raises ``Malformed`` or ``PeerFault``."""
    if len(parts) != count or len(parts[0]) != SALT_SIZE or len(parts[2]) != 1:
        raise Malformed("the second part of a tick is a salt, a deed, a byte of lag bits and an opening")
    commitments = dealing.stash.commitments
    if not commitments[place.seat].is_opened_by(parts[0], parts[1]):
        raise PeerFault(place.seat, "opened its commitment to another deed")
    marks = parts[2][0]
    if marks & ~markable(dealing, place.seat, commitments):
        raise Malformed("a lag bit of a seat that cannot be marked is set")
    return marks


def ticked(dealing: Common, task: Tick, drawn: tuple[tuple[Slot, int], ...]) -> Ticked:
    """The result of a tick, once all who committed have opened or are absent. ``drawn`` are the draws that
    are complete."""
    race = dealing.stash if isinstance(dealing.stash, Race) else Race()
    order = _order(race)
    opened = [race.openings[seat] for seat in order]
    faces = {slot: face for opening in opened for slot, face in opening.faces.items()}
    return Ticked(
        tuple((seat, race.openings[seat].deed) for seat in order),
        tuple(faces),
        tuple(faces.values()),
        tuple(seat for seat in task.seats if seat not in race.openings),
        tuple(seat for seat in sorted(race.openings) if _is_late(dealing, race, seat)),
        drawn,
    )


def _order(race: Race) -> tuple[int, ...]:
    """The joint order of the seats that opened, from all their salts."""
    present = sorted(race.openings)
    if not present:
        return ()
    where = race.commitments[present[0]].origin
    salts = [part for seat in present for part in (integer(seat), race.openings[seat].salt)]
    stream = Xof("tick/order", where.table_id, integer(where.epoch), integer(where.step), *salts)
    return tuple(present[at] for at in stream.permutation(len(present)))


def _is_late(dealing: Common, race: Race, seat: int) -> bool:
    """Whether all seats of other keepers that took part say so, if there are keepers enough."""
    keepers = dealing.keepers
    judges = [other for other in race.openings if keepers[other] != keepers[seat]]
    if len({keepers[other] for other in race.openings}) < LEAST_KEEPERS:
        return False
    return all(race.openings[other].marks >> seat & 1 for other in judges)
