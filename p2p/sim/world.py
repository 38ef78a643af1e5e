"""A table of real sessions over a network, disks and clocks that exist only as events: one seed, one course.

`network` delays, loses and doubles frames and cuts links. Seats crash between any two effects, in the middle
of a transaction too, and come back with what was synced; clocks jump. Once the last fault is over, the game
has to end. `checks` says what must hold all the time.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, Final

from engine.contract import AnyRules, IllegalAction
from engine.registry import game

from ..sealed import Group
from ..session import (
    Drop,
    Effect,
    Finished,
    Left,
    Persist,
    Race,
    Send,
    Session,
    Skipped,
    Stage,
    Tell,
    Telling,
    Timer,
    Undone,
    Work,
    YourMove,
)
from ..verify import verify
from .agenda import Agenda
from .checks import Broken, Checks
from .network import NOTICED, Input, Network
from .plan import Crash, Leaver, Plan, Sleep
from .seat import Disk, SimSeat, make_charter, make_seats

PATIENCE: Final = 3600.0
"""Seconds of the world in which a game must end once nothing more goes wrong: a whole game of people takes
less, and questions are repeated every 30 seconds at most."""

MOST_EVENTS: Final = 2_000_000
"""Events of one table: some hundred times what the longest game takes, so a loop without end is found."""

JOB_MOST: Final = 0.05
"""Seconds a proof takes at most, on a slow machine."""

GRAIN: Final = 0.001
"""Seconds until a timer rings at least, as an event loop's clock has a resolution."""

SUSPENDED: Final = 100_000
"""Seconds a clock jumps ahead at most: a day."""


COUNTED: Final = ("events", "frames", "lost", "crashes", "steps", "skips", "rewinds", "departures", "disks")
"""What `World.counts` counts."""


class World:
    """One table. ``run`` raises ``Broken`` where something that must hold does not.

    ``sessions`` and ``disks`` serve tests that put faulty ones in the place of a seat's real ones.
    """

    def __init__(
        self,
        plan: Plan,
        group: Group,
        *,
        checks_record: bool = True,
        sessions: Mapping[int, type[Session]] = MappingProxyType({}),
        disks: Mapping[int, type[Disk]] = MappingProxyType({}),
    ) -> None:
        self.plan = plan
        self.agenda = Agenda(plan.seed)
        self.seats = make_seats(plan)
        for number, disk in disks.items():
            self.seats[number].disk = disk()
        self.rules: AnyRules = game(plan.game)
        self.group = group
        self.charter = make_charter(plan, self.rules, group, self.seats)
        self.checks = Checks(self.charter, self.rules, group, self.seats)
        self.counts = dict.fromkeys(COUNTED, 0)
        self._checks_record = checks_record
        self._sessions = sessions
        self.network = Network(plan, self.seats, self.agenda, self.counts, self._do)

    @property
    def now(self) -> float:
        """The time in this world, in seconds."""
        return self.agenda.now

    def run(self) -> None:
        """Play to the end."""
        for seat in self.seats:
            self._start(seat)
        for crash in self.plan.crashes:
            self.agenda.at(crash.at, partial(self._arm, crash))
        for cut in self.plan.cuts:
            self.agenda.at(cut.at, partial(self.network.cut, cut))
        for sleep in self.plan.sleeps:
            self.agenda.at(sleep.at, partial(self._sleep, sleep))
        for leaver in self.plan.leavers:
            self.agenda.at(leaver.at, partial(self._leave, leaver))
        while not all(seat.is_finished or seat.is_gone for seat in self.seats):
            when = self.agenda.soonest
            if when is None:
                raise Broken("nothing is left to happen, and the game is not over")
            if when > self.plan.calm + PATIENCE or self.counts["events"] > MOST_EVENTS:
                raise Broken(f"the game does not end: {self._where()}")
            self.counts["events"] += 1
            self.agenda.pop()()
        self._end()

    def _where(self) -> str:
        parts = []
        for seat in self.seats:
            session = seat.session
            where = "down" if session is None else f"step {session.history.step} awaits {session.awaited}"
            parts.append(f"seat {seat.number} {where}")
        return ", ".join(parts)

    def _end(self) -> None:
        sessions = [seat.session for seat in self.seats if seat.session is not None and not seat.is_gone]
        heads = {session.history.head for session in sessions}
        if len(heads) != 1:
            raise Broken("the game ended in two ways")
        self.counts["steps"] = sessions[0].history.step
        if self._checks_record:
            found = verify(sessions[0].record(), lambda _id: self.rules, self.group)
            if (found.verdict, found.finished) != ("sound", True):
                raise Broken(f"the record is {found.verdict}: {found.reason}")

    # --- inputs and effects ---------------------------------------------------------------------------------

    def _do(self, seat: SimSeat, life: int, step: Input, number: int = 0) -> None:
        """Let a seat handle one input, unless it died meanwhile; a sleeping one handles it when it wakes, in
        the order in which inputs came (``number``), however often it falls asleep again."""
        session = seat.session
        if session is None or seat.life != life:
            return
        if self.now < seat.asleep_until:
            number = number or self.agenda.following
            self.agenda.at(seat.asleep_until, partial(self._do, seat, life, step, number), number)
            return
        self._carry_out(seat, step(session, self.now + seat.offset))
        if seat.session is session:
            seat.is_lost = session.is_rebuilding
            self.checks.agreement(seat, session)
            self.checks.conservation(seat, session)

    def _carry_out(self, seat: SimSeat, effects: list[Effect]) -> None:
        life = seat.life
        for effect in effects:
            if self._dies_now(seat, effect):
                return
            self._carry_out_one(seat, life, effect)
            if seat.life != life:
                return

    def _dies_now(self, seat: SimSeat, effect: Effect) -> bool:
        if seat.boundaries is None:
            return False
        if seat.boundaries > 0:
            seat.boundaries -= 1
            return False
        if isinstance(effect, Persist) and self.agenda.draw.below(2):
            seat.disk.write(effect)  # the transaction is through, and nobody was told
        self._kill(seat)
        return True

    def _carry_out_one(self, seat: SimSeat, life: int, effect: Effect) -> None:
        match effect:
            case Persist():
                seat.disk.write(effect)
            case Send(to, data):
                if seat.session is not None:
                    self.checks.sent(seat, seat.session, data)
                self.network.send(seat.number, to, data)
            case Drop(peer, reason):
                raise Broken(f"seat {seat.number} cuts the link of honest seat {peer}: {reason}")
            case Work(number, job):
                self.agenda.within(JOB_MOST, partial(self._work, seat, life, number, job))
            case Timer(delay):
                self._wake_at(seat, self.now + max(delay, GRAIN))
            case Tell(what):
                self.checks.told(seat, what)
                self._told(seat, life, what)

    def _work(self, seat: SimSeat, life: int, number: int, job: Any) -> None:
        if seat.life != life:
            return
        try:
            value = job.run()
        except Exception as error:  # noqa: BLE001  # handed back, as the worker threads do
            value = error
        self._do(seat, life, lambda session, now: session.done(now, number, value))

    def _wake_at(self, seat: SimSeat, when: float) -> None:
        if seat.wake is not None and seat.wake <= when:
            return
        seat.wake = when
        self.agenda.at(when, partial(self._wake, seat, seat.life, when))

    def _wake(self, seat: SimSeat, life: int, when: float) -> None:
        if seat.life == life and seat.wake == when:
            seat.wake = None
            self._do(seat, life, lambda session, now: session.tick(now))

    # --- players --------------------------------------------------------------------------------------------

    def _told(self, seat: SimSeat, life: int, what: Telling) -> None:
        match what:
            case YourMove():
                seat.asked = what
                self.agenda.within(1.0, partial(self._decide, seat, life, what))
            case Race():
                seat.race = what
                self.agenda.within(1.0, partial(self._play, seat, life, what))
            case Undone():
                self.counts["rewinds"] += 1
                seat.asked = seat.race = None
            case Stage():
                seat.asked = seat.race = None
            case Skipped():
                self.counts["skips"] += 1
            case Left():
                self.counts["departures"] += 1
                if not self.plan.leavers:  # nobody is away for as long as the grace time
                    raise Broken(f"seat {seat.number} went on without seats {what.seats}")
            case Finished():
                seat.is_finished = True

    def _decide(self, seat: SimSeat, life: int, move: YourMove) -> None:
        if seat.life == life and seat.asked is move:
            action = self.agenda.draw.choice(move.actions)
            self._do(seat, life, partial(_acted, seat, move, action))

    def _play(self, seat: SimSeat, life: int, race: Race) -> None:
        if seat.life == life and seat.race is race and len(race.actions) > 1 and self.agenda.draw.below(3):
            action = self.agenda.draw.choice(race.actions[1:])
            self._do(seat, life, lambda session, now: _tried(session, now, action))

    # --- crashes and clocks ---------------------------------------------------------------------------------

    def _start(self, seat: SimSeat) -> None:
        if seat.is_gone:
            return
        session = seat.begin(
            self._sessions.get(seat.number, Session),
            self.charter,
            self.rules,
            self.group,
            self.plan.answer_delay,
        )
        disk = seat.disk
        entries, statements, committed = tuple(disk.entries), tuple(disk.statements), disk.committed
        effects = session.start(self.now + seat.offset, entries, statements, committed)
        self.checks.restarted(seat, session)
        self._carry_out(seat, effects)
        for other in self.seats:
            if other is not seat:
                self.network.link_soon(seat.number, other.number)

    def _arm(self, crash: Crash) -> None:
        seat = self.seats[crash.seat]
        if seat.session is not None and seat.boundaries is None:
            seat.boundaries, seat.down = crash.boundaries, crash.down
            seat.loses_disk = crash.is_lost

    def _leave(self, leaver: Leaver) -> None:
        """All seats of a keeper stop dead, and are never started again. One keeper at a time: while two are
        missing, neither is certified."""
        staying = [seat for seat in self.seats if not seat.is_gone]
        if len(staying) < len(self.seats) and not all(self._knows(seat) for seat in staying):
            self.agenda.at(self.now + NOTICED, partial(self._leave, leaver))
            return
        for seat in self.seats:
            if self.plan.keepers[seat.number] == leaver.keeper:
                seat.is_gone = True
                if seat.session is not None:
                    seat.boundaries, seat.down = leaver.boundaries, PATIENCE

    @staticmethod
    def _knows(seat: SimSeat) -> bool:
        """Whether a seat has seen to the departure of another one."""
        if seat.session is None:
            return False
        progress = seat.session.history.progress
        return bool(progress.gone) and progress.paused is None

    def _kill(self, seat: SimSeat) -> None:
        self.counts["crashes"] += 1
        seat.session, seat.boundaries, seat.is_finished = None, None, False
        if seat.loses_disk:
            self.counts["disks"] += 1
            seat.disk, seat.loses_disk, seat.is_lost = type(seat.disk)(), False, True
            self.checks.disk_lost(seat)
        seat.life += 1
        for other in self.seats:
            if other is not seat:
                self.agenda.within(NOTICED, partial(self.network.unlink, seat.number, other.number))
        # A clock that counts from the machine's start shows anything after a restart.
        seat.offset = self.agenda.uniform(SUSPENDED) - self.now
        self.agenda.at(self.now + NOTICED + seat.down, partial(self._start, seat))

    def _sleep(self, sleep: Sleep) -> None:
        seat = self.seats[sleep.seat]
        seat.asleep_until = max(seat.asleep_until, self.now + sleep.lasts)
        if not sleep.clock_runs:
            seat.offset -= sleep.lasts
        elif self.agenda.draw.below(2):
            seat.offset += self.agenda.uniform(SUSPENDED)


def _acted(seat: SimSeat, move: YourMove, action: Any, session: Session, now: float) -> list[Effect]:
    """A decision, unless the question was taken back while the seat slept. Where an answer is given after a
    fixed time in any case, the player may be too late."""
    if seat.asked is not move:
        return []
    seat.asked = None
    if move.seconds is None:
        return session.act(now, action)
    return _tried(session, now, action)


def _tried(session: Session, now: float, action: Any) -> list[Effect]:
    """Something that may not be possible any more: the player is told, and nothing is lost."""
    try:
        return session.act(now, action)
    except IllegalAction:
        return []
