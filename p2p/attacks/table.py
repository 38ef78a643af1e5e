"""A table of real sessions of which one seat or more attack; what the honest ones say of it is kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.contract import IllegalAction
from engine.table import Tick, hand_of

from ..log.charter import PRINTED, PrintedCharter
from ..log.wire import EntryFrame, decode_message
from ..session import (
    CutWanted,
    Drop,
    Effect,
    Fault,
    Left,
    ScanWanted,
    Session,
    Skipped,
    Stale,
    Tell,
    Telling,
    YourMove,
)
from ..sim import Broken, Chance, Checks, Plan, World
from ..sim.seat import SimSeat
from ..verify import Report, verify
from .base import Scene
from .pack import Pack

LONGEST: Final = 900.0
"""Seconds of the world that a whole game may take: small packs are through in a tenth of it, races too."""


SOON: Final = 5.0
"""Seconds after the deal within which a seat leaves that is to leave: a few turns."""


class Watch(Checks):
    """What must hold for the honest seats of an attacked table too. ``sent`` keeps what they contributed to.

    Where one seat tells two stories, they may differ until they have compared them: no agreement is asked
    for.
    """

    def __init__(self, table: AttackedTable, attackers: frozenset[int]) -> None:
        super().__init__(table.charter, table.rules, table.group, table.seats)
        self._attackers = attackers
        self._seats = table.seats
        self.last_step = -1

    def agreement(self, seat: SimSeat, session: Session) -> None:
        """Not asked for."""

    def conservation(self, seat: SimSeat, session: Session) -> None:
        """Of the honest seats."""
        if seat.number not in self._attackers:
            super().conservation(seat, session)

    def told(self, seat: SimSeat, what: Telling) -> None:
        """No honest store may look like an old copy; faults are what an attacked table is for."""
        if isinstance(what, Stale) and seat.number not in self._attackers:
            raise Broken(f"seat {seat.number} is told at step {what.step} that its store is an old copy")

    def sent(self, seat: SimSeat, session: Session, data: bytes) -> None:
        """Honest seats keep their secrets and sign nothing twice, whatever they are sent."""
        if seat.number in self._attackers:
            return
        super().sent(seat, session, data)
        message = decode_message(data)
        if isinstance(message, EntryFrame) and message.seat not in self._attackers:
            self.last_step = max(self.last_step, message.step)

    def shown(self, session: Session, data: bytes) -> None:
        """Those without a seat are shown nobody's secrets either."""
        for seat in self._seats:
            self._keep_secrets(seat, session, data)


class AttackedTable(World):
    """One game in which the seats of ``attackers`` run other sessions than the real one.

    Its network loses nothing; a link that a seat cuts is made anew soon, as a program would.
    """

    def __init__(self, scene: Scene, attackers: Mapping[int, type[Session]]) -> None:
        attack = scene.attack
        plan = Plan(
            scene.seed,
            scene.game,
            scene.options,
            attack.seats,
            tuple(range(attack.seats)),
            attack.reveal,
            Chance(),
            (),
            (),
            (),
            0.0,
            0.0,
            recovery=attack.recovery,
        )
        super().__init__(plan, scene.group, checks_record=False, sessions=attackers)
        if attack.scanner is not None:
            own = {name: getattr(self.charter, name) for name in self.charter.__struct_fields__}
            self.charter = PrintedCharter(**own, dealing=PRINTED, scanner=attack.scanner)
        self.scene = scene
        self.attackers = frozenset(attackers)
        self.watch = Watch(self, self.attackers)
        self.checks = self.watch
        self.faults: dict[int, list[Fault]] = {seat.number: [] for seat in self.seats}
        self.cuts: list[tuple[int, int, str]] = []
        self.skips: dict[int, set[int]] = {seat.number: set() for seat in self.seats}
        self.told: dict[int, list[Telling]] = {seat.number: [] for seat in self.seats}
        self._pack: Pack | None = None

    @property
    def honest(self) -> list[SimSeat]:
        """The seats that do not attack, and have not left."""
        return [seat for seat in self.seats if seat.number not in self.attackers and not seat.is_gone]

    @property
    def is_over(self) -> bool:
        """Whether all honest seats have come to an end: the game's, or a fault."""
        return all(seat.session is not None and seat.session.is_over for seat in self.honest)

    def session(self, seat: int) -> Session:
        """The session of a seat; no seat here ever stops."""
        session = self.seats[seat].session
        assert session is not None
        return session

    def begin(self) -> None:
        """Start all seats; where one is to leave, play until it has."""
        for seat in self.seats:
            self._start(seat)
        leaver = self.scene.attack.leaver
        if leaver is not None:
            self.run_until(self._is_dealt)
            self.run_until(lambda: False, self.agenda.uniform(SOON))
            self.lose(leaver)

    def _is_dealt(self) -> bool:
        table = self.session(0).history.progress.position.table
        return self.is_over or all(table.size(hand_of(seat.number)) for seat in self.seats)

    def lose(self, number: int) -> None:
        """A seat is gone for good, and the others see its links go."""
        seat = self.seats[number]
        seat.is_gone = True
        self._kill(seat)

    def lose_store(self, number: int) -> None:
        """A seat's program ends, and when it comes back its store is empty."""
        self.seats[number].loses_disk = True
        self._kill(self.seats[number])

    def give_up(self, number: int) -> None:
        """The players of the honest seats wait no longer for a seat, though it is linked."""
        for seat in self.honest:
            self._do(seat, seat.life, lambda session, now: session.give_up(now, number))

    def run_until(self, reached: Callable[[], bool], seconds: float = LONGEST) -> bool:
        """Let things happen until ``reached``; whether it was, in so many seconds of the world."""
        end = self.now + seconds
        while not reached():
            when = self.agenda.soonest
            if when is None or when > end:
                return False
            self.agenda.pop()()
        return True

    def verdict(self, seat: int) -> Report:
        """What a stranger finds in the record of ``seat``."""
        return verify(self.session(seat).record(), lambda _id: self.rules, self.group)

    # --- what the world does about effects ------------------------------------------------------------------

    def _carry_out_one(self, seat: SimSeat, life: int, effect: Effect) -> None:
        match effect:
            case Drop(peer, reason):
                if seat.number not in self.attackers:
                    self.cuts.append((seat.number, peer, reason))
                self.network.unlink(seat.number, peer)
                self.network.link_soon(seat.number, peer)
            case Tell(what):
                self.told[seat.number].append(what)
                super()._carry_out_one(seat, life, effect)
                self._hear(seat, life, what)
            case _:
                super()._carry_out_one(seat, life, effect)

    def _told(self, seat: SimSeat, life: int, what: Telling) -> None:
        """Attackers leave, or are put out, as no seat of a simulated table is that is there."""
        if not isinstance(what, Left):
            super()._told(seat, life, what)

    def _decide(self, seat: SimSeat, life: int, move: YourMove) -> None:
        """Any action that the rules take. With cards that cannot be, they may refuse what they offer."""
        if seat.life != life or seat.asked is not move or seat.session is None:
            return
        left = list(move.actions)
        while left:
            action = left.pop(self.agenda.draw.below(len(left)))
            try:
                effects = seat.session.act(self.now + seat.offset, action)
            except IllegalAction:
                continue
            seat.asked = None
            self._carry_out(seat, effects)
            return

    def _hear(self, seat: SimSeat, life: int, what: Any) -> None:
        match what:
            case Fault():
                self.faults[seat.number].append(what)
            case Skipped(seats):
                self.skips[seat.number].update(seats)
            case Left(seats, _, by) if by and self.attackers & set(seats):
                self.skips[seat.number].update(seats)
            case CutWanted() if seat.number == self.scene.attack.scanner:
                self.pack.cut(what)
            case ScanWanted(draws) if draws:
                self.agenda.within(1.0, lambda: self._scan(seat, life, what))

    @property
    def pack(self) -> Pack:
        """The printed cards, where the table has some."""
        if self._pack is None:
            position = self.session(0).history.progress.position
            self._pack = Pack(position, self.scene.seed)
        return self._pack

    def _scan(self, seat: SimSeat, life: int, what: ScanWanted) -> None:
        """A person taps all that is wanted; in a race, the first."""
        session = seat.session
        if seat.life != life or session is None:
            return
        in_race = isinstance(session.history.progress.task, Tick)
        faces = self.pack.tap(ScanWanted(what.draws[:1]) if in_race else what)
        self._do(seat, life, lambda session, now: session.scan(now, faces))
