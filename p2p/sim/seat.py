"""One simulated seat: its session, what its disk holds, and its clock."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from engine.contract import AnyRules
from engine.rng import Stream

from ..deal import Secrets
from ..identity import Identity
from ..log.absence import Statement
from ..log.charter import PROTOCOL_VERSION, Charter, SeatInfo
from ..log.entry import Entry
from ..sealed import Group
from ..session import CommittedDeed, Persist, Race, Session, YourMove
from .plan import Plan


@dataclass(slots=True)
class Disk:
    """What was synced. A transaction is there as a whole or not at all."""

    entries: list[Entry] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)
    committed: CommittedDeed | None = None

    def write(self, what: Persist) -> None:
        """One transaction."""
        known = {each.place for each in self.statements}
        self.entries += what.entries
        self.statements += [each for each in what.statements if each.place not in known]
        self.committed = what.committed or self.committed


@dataclass(slots=True)
class SimSeat:
    """One seat. ``life`` counts its starts, so that what a dead one had under way reaches nobody.

    ``boundaries`` are the effects it may still carry out before it crashes, if that is set; ``down`` is how
    long it is away then, and with ``loses_disk`` its disk is empty; ``is_lost`` says that it has not all back
    yet. ``offset`` is what its clock shows more than the world's.
    """

    number: int
    identity: Identity
    root: bytes
    entropy: Stream
    disk: Disk = field(default_factory=Disk)
    session: Session | None = None
    life: int = 0
    offset: float = 0.0
    asleep_until: float = 0.0
    boundaries: int | None = None
    down: float = 0.0
    loses_disk: bool = False
    is_lost: bool = False
    wake: float | None = None
    asked: YourMove | None = None
    race: Race | None = None
    is_finished: bool = False
    is_gone: bool = False
    heads: tuple[tuple[int, bytes], ...] = ()

    def begin(
        self, kind: type[Session], charter: Charter, rules: AnyRules, group: Group, answer_delay: float
    ) -> Session:
        """A new session over what the disk holds; the caller starts it."""
        self.life += 1
        self.boundaries, self.wake, self.asked, self.race, self.is_finished = None, None, None, None, False
        self.session = kind(
            charter,
            rules,
            group,
            self.number,
            self.identity,
            self.root,
            self.entropy.bytes(32),
            answer_delay=answer_delay,
            rebuilds=self.is_lost,
        )
        return self.session

    def secrets(self, group: Group) -> Secrets:
        """What only this seat may know."""
        return Secrets(self.root, group.order)


def make_seats(plan: Plan) -> list[SimSeat]:
    """The seats of a plan, none of them started."""
    seats = []
    for number in range(plan.seats):
        draw = Stream(plan.seed, "seat", number)
        seats.append(SimSeat(number, Identity(draw.bytes(32)), draw.bytes(32), draw))
    return seats


def make_charter(plan: Plan, rules: AnyRules, group: Group, seats: list[SimSeat]) -> Charter:
    """What these seats have agreed on."""
    options = dict(rules.options(dict(plan.options), plan.seats))
    infos = tuple(
        SeatInfo(seat.identity.public, f"P{seat.number}", plan.keepers[seat.number]) for seat in seats
    )
    nonces = tuple(hashlib.sha256(seat.root + b"nonce").digest() for seat in seats)
    return Charter(
        PROTOCOL_VERSION, group.name, rules.info.id, rules.info.version, rules.deck(options).digest,
        tuple(sorted(options.items())), infos, plan.recovery, plan.reveal, nonces,
    )  # fmt: skip
