"""The step under way at one seat: what is here of it, how it ends, and how it is taken back.

A step ends when every owing seat's contribution holds, or where a certificate of absence stands for those
that are missing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from engine.contract import AnyRules, Event
from engine.table import Tick

from ..deal import (
    Close,
    Passed,
    PeerFault,
    Progress,
    Reveal,
    Secrets,
    leaving_seats,
)
from ..identity import Identity
from ..log.absence import Certificate, Statement, others
from ..log.charter import Charter
from ..log.entry import Entry
from ..log.wire import encode_message, frame_of, frame_of_statement
from ..sealed import Group, Xof
from .asking import ASK_AGAIN
from .deciding import Decider
from .effects import (
    Contributed,
    CutWanted,
    Effect,
    Fault,
    Finished,
    GameOver,
    Happened,
    Left,
    Persist,
    PrintedTable,
    Send,
    Skipped,
    Stage,
    Tell,
    Timer,
    Undone,
    Work,
)
from .history import History
from .jobs import CheckJob, FoldJob
from .racing import Racer
from .rounds import AbsenceDesk
from .scanning import ScanDesk
from .sights import OwnSight
from .ticks import CommittedDeed

NO_ROOT = bytes(32)
"""Stands for a secret that is lost; nothing is ever made with it."""


class Steps:
    """One seat's steps, without what brings contributions to them: its own turn, and the others' messages."""

    def __init__(
        self,
        charter: Charter,
        rules: AnyRules,
        group: Group,
        seat: int,
        identity: Identity,
        root: bytes | None,
        entropy: bytes,
        answer_delay: float,
        waits: bool,
    ) -> None:
        if charter.seats[seat].public != identity.public:
            raise ValueError("this identity does not hold that seat")
        self.charter = charter
        self.seat = seat
        self.history = History(charter, rules, group)
        self.fault: Fault | None = None
        self._identity = identity
        self._has_secrets = root is not None
        self._secrets = Secrets(root or NO_ROOT, group.order)
        self._entropy = Xof("session/fresh", entropy)
        self._desk = AbsenceDesk(self.history, seat, identity)
        self._sight = OwnSight(seat, self._secrets if self._has_secrets else None)
        self._decider = Decider(seat, self._sight.hand, self._sight.view, answer_delay, waits)
        self._racer = Racer(seat, self._sight.hand, self._sight.view)
        self._scans = ScanDesk(seat, self._secrets)
        self._held: dict[int, Entry] = {}
        self._passed: dict[int, Passed] = {}
        self._unsaved: list[Entry] = []
        self._jobs: dict[int, Entry | None] = {}
        self._job_count = 0
        self._fold = 0
        self._folded_without: Certificate | None = None
        self._fresh = b""
        self._step_since = 0.0
        self._stale = False
        self._says_farewell = root is None

    # --- what the outside asks ------------------------------------------------------------------------------

    def take_time(self) -> None:
        """From now on decisions of this seat take as long as they take: the limits of the rules are for the
        sake of other people, and it is the seat's own program that keeps them. For a table without these."""
        self._decider.is_unhurried = True

    @property
    def is_over(self) -> bool:
        """Whether nothing more is owed, or a fault ended the game."""
        return self.fault is not None or self.history.progress.task is None

    @property
    def is_closed(self) -> bool:
        """Whether every seat has signed the outcome."""
        return self.history.is_closed

    @property
    def step_since(self) -> float:
        """When the step under way began, by the clock that the session is given, in seconds."""
        return self._step_since

    @property
    def held(self) -> tuple[Entry, ...]:
        """Contributions to the step under way that are here already."""
        return tuple(self._held[seat] for seat in sorted(self._held))

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seats whose contribution to the step under way is not here yet, or does not count yet."""
        if self.is_over:
            return ()
        absent = self._absent(self._certificate())
        return tuple(
            seat
            for seat in self.history.progress.owed
            if seat not in absent and (seat not in self._held or not self._desk.counts(seat))
        )

    # --- begin ----------------------------------------------------------------------------------------------

    def _restore(
        self, stored: tuple[Entry, ...], statements: tuple[Statement, ...], committed: CommittedDeed | None
    ) -> None:
        self._held, self._passed = self.history.restore(stored, statements)
        self._desk.restore(statements)
        self._racer.pace.committed = committed

    def _opening(self) -> list[Effect]:
        """What is told first of all, also after a restart: what is trusted where the cards are printed ones,
        where their packs are to be cut, who has left, and a fault that this seat has shown."""
        scanner, cuts = self.charter.scanner, self.history.progress.dealing.cuts
        told: list[Effect] = [] if scanner is None else [Tell(PrintedTable(scanner))]
        told += [Tell(CutWanted(*cut)) for cut in cuts]
        if self.history.progress.gone:
            told.append(Tell(Left(tuple(sorted(self.history.progress.gone)))))
        for seat, passed in self._passed.items():
            if passed.fault is not None:
                told += self._convict_of(passed.fault, self._held[seat])
        return told

    def _begin_step(self, now: float, news: bool) -> list[Effect]:
        """``news``: something happened in public with the step before."""
        self._step_since = now
        self._desk.begin_step()
        progress = self.history.progress
        if progress.task is None:
            told: list[Effect] = []
            if progress.outcome is not None and progress.is_deserted:
                told.append(Tell(GameOver(progress.outcome, closed=True)))
            return [*self._save(), *told, Tell(Finished())]
        effects: list[Effect] = [Timer(ASK_AGAIN)]
        if self._has_secrets:
            effects += self._scans.begin(progress)
        if isinstance(progress.task, Tick):
            if self._has_secrets or self.seat not in progress.owed:
                effects += self._racer.begin(progress, news)
            effects.append(Timer(self._racer.absent_at(progress, now) - now))
        else:
            effects = [*self._racer.end(), Tell(self._stage()), *effects]
        if isinstance(progress.task, Close | Reveal) and progress.outcome is not None:
            effects.append(Tell(GameOver(progress.outcome, isinstance(progress.task, Reveal))))
        return effects

    # --- others' contributions, and the end of the step -----------------------------------------------------

    def _take(self, now: float, entry: Entry) -> list[Effect]:
        """A signed contribution that is owed: verify it."""
        self._held[entry.seat] = entry
        progress = self.history.progress
        if isinstance(progress.task, Tick) and progress.number == 0:
            self._racer.pace.arrive(entry.seat, now)
        return [self._job(CheckJob(progress, self.history.place(entry.seat), entry.body), entry)]

    def _checked(self, now: float, entry: Entry, value: Any) -> list[Effect]:
        if isinstance(value, PeerFault):
            convicted = self._convict_of(value, entry)
            if self.fault is None:
                del self._held[entry.seat]
            return convicted
        if isinstance(value, Exception):
            raise value
        self._passed[entry.seat] = value
        adopted = self._save((entry,)) if entry.seat == self.seat else []
        in_race = isinstance(self.history.progress.task, Tick)
        told: list[Effect] = [] if in_race else [Tell(Contributed(entry.seat, self._kind()))]
        return [*adopted, *told, *self._spoken(self._desk.turn(self._verified)), *self._advance(now)]

    @property
    def _verified(self) -> dict[int, Entry]:
        """The contributions to the step under way that hold."""
        return {seat: self._held[seat] for seat in sorted(self._passed)}

    def _certificate(self) -> Certificate | None:
        certificate = self._desk.certificate()
        return certificate if certificate is not None and self.history.is_absence(certificate) else None

    def _absent(self, certificate: Certificate | None) -> tuple[int, ...]:
        return () if certificate is None else self.history.missing_seats(certificate.keeper)

    def _is_absent(self, seat: int) -> bool:
        return seat in self._absent(self._certificate())

    def _advance(self, now: float) -> list[Effect]:
        """End the step where all is here, or certified absent."""
        progress = self.history.progress
        if self._fold or self.is_over or any(found.fault is not None for found in self._passed.values()):
            return []
        certificate = self._certificate()
        absent = self._absent(certificate)
        for seat in progress.owed:
            if seat not in absent and (seat not in self._passed or not self._desk.counts(seat)):
                return []
        departed = self.history.departed(certificate)
        job = FoldJob(progress, self.history.present(self._passed, certificate), departed)
        self._folded_without = certificate
        if len(progress.owed) == 1 and certificate is None:  # what follows was found along with the check
            return self._complete(now, *job.run())
        self._job_count += 1
        self._fold = self._job_count
        return [Work(self._fold, job)]

    def _folded(self, now: float, value: Any) -> list[Effect]:
        self._fold = 0
        if isinstance(value, Exception):
            raise value
        if self._certificate() != self._folded_without:
            return self._advance(now)
        return self._complete(now, *value)

    def _complete(self, now: float, following: Progress, events: tuple[Event, ...]) -> list[Effect]:
        history, certificate = self.history, self._folded_without
        before = history.progress
        in_race = isinstance(before.task, Tick)
        absent = self._absent(certificate)
        left = following.gone - before.gone
        farewell = left & leaving_seats(before, history.present(self._passed, certificate))
        proved = tuple((seat, self._kind()) for seat in before.owed if seat not in {*absent, *left})
        theirs = [each for each in self.held if each.seat != self.seat and each.seat not in absent]
        void = {seat: entry for seat, entry in self._held.items() if seat in absent}
        verified = frozenset(self._passed)
        statements = self._desk.statements_at(history.step)
        history.append(self._held, following, self._passed, certificate)
        self._forget_step()
        self._unsaved += theirs
        effects = self._made_void(void, verified)
        if statements or not self._racer.is_on(following):
            effects += self._save(statements=statements)
        effects += self._without(left, farewell) if left else [Tell(Skipped(absent))] if absent else []
        if events or not in_race:
            effects.append(Tell(Happened(events, proved)))
        effects += [Tell(CutWanted(*cut)) for cut in following.dealing.cuts if cut not in before.dealing.cuts]
        return [*effects, *self._begin_step(now, bool(events))]

    def _made_void(self, entries: Mapping[int, Entry], passed: Collection[int]) -> list[Effect]:
        """What becomes of contributions that were here where a certificate stands for them."""
        return []

    def _without(self, left: frozenset[int], farewell: frozenset[int]) -> list[Effect]:
        """These seats have left the game with the step that has ended, the ``farewell`` by their own word."""
        certificate, by = self._folded_without, tuple[int, ...]()
        if certificate is not None and certificate.keeper in left:
            by = others(self.charter, certificate.keeper, self.history.gone[-2])
        return [Tell(Left(tuple(sorted(left)), tuple(sorted(farewell)), by))]

    def _save(
        self,
        entries: tuple[Entry, ...] = (),
        statements: tuple[Statement, ...] = (),
        committed: CommittedDeed | None = None,
    ) -> list[Effect]:
        """Store this, and what others contributed to the steps before.

        In a race that waits for this seat's next contribution, which goes into the same transaction: there
        are many steps, and each transaction waits for the disk. What a crash loses was not built upon.
        """
        together = (*self._unsaved, *entries)
        self._unsaved = []
        return [Persist(together, statements, committed)] if together or statements else []

    def _spoken(self, effects: list[Effect]) -> list[Effect]:
        """What this seat says in absence rounds. A statement is stored at once, with what it speaks of, so
        that the steps before it have to be stored first: a store with a gap cannot be folded again.
        """
        speaks = any(isinstance(effect, Persist) for effect in effects)
        return [*self._save(), *effects] if speaks else effects

    def _forget_step(self) -> None:
        """Nothing of the step that was under way counts any more."""
        self._held, self._passed = {}, {}
        self._jobs.clear()
        self._fold = 0
        self._decider.reset()

    def _rewind(self, now: float, certificate: Certificate) -> list[Effect]:
        """The others went on without a contribution that is built upon here: take that step back."""
        step = certificate.step
        self._forget_step()
        self._held, self._passed = self.history.rewind(step)
        self._unsaved = [entry for entry in self._unsaved if entry.step < step]
        return [Tell(Undone(step)), *self._advance(now)]

    def _convict_of(self, fault: PeerFault, entry: Entry) -> list[Effect]:
        """A contribution shows a fault: its author's, or one that it tells of."""
        step = entry.step if fault.step is None else fault.step
        return self._convict(fault.seat, step, fault.reason, (entry,), self.history.heads[entry.step])

    def _convict(
        self,
        seat: int,
        step: int,
        reason: str,
        evidence: tuple[Entry, ...],
        head: bytes,
        statements: tuple[Statement, ...] = (),
    ) -> list[Effect]:
        """End the game over a proven fault, and hand the evidence to everyone."""
        self.fault = Fault(seat, step, reason, evidence, head, statements)
        return [*self._save(), *self._evidence(self.fault, None), Tell(self.fault)]

    @staticmethod
    def _evidence(fault: Fault, to: int | None) -> list[Effect]:
        return [
            *(Send(to, encode_message(frame_of(each, fault.head))) for each in fault.evidence),
            *(Send(to, encode_message(frame_of_statement(each, fault.head))) for each in fault.statements),
        ]

    # --- helpers --------------------------------------------------------------------------------------------

    def _job(self, job: Any, entry: Entry | None) -> Work:
        self._job_count += 1
        self._jobs[self._job_count] = entry
        return Work(self._job_count, job)

    def _kind(self) -> str:
        now = self.history.progress.round
        return now.kind if now else ""

    def _stage(self) -> Stage:
        progress = self.history.progress
        assert progress.task is not None
        rounds = progress.dealing.rounds(progress.task, progress.position)
        return Stage(
            self.history.step, rounds[progress.number].kind, progress.owed, progress.number, len(rounds)
        )
