"""A recorded game, verified step by step: what each step was, as soon as it was found to hold.

The verdict is that of ``p2p.verify``, whose code folds the file here, too. What cannot be verified is never
among the steps. A file that ends too early, or was changed somewhere, is followed as far as it is whole.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.cards import Deck
from engine.contract import AnyRules, BadOption, Event
from p2p.deal import Place, Progress, Reveal
from p2p.log.absence import SKIP, Certificate, Contradiction
from p2p.log.charter import Charter, decode_charter
from p2p.log.entry import Entry
from p2p.log.evidence import Equivocation
from p2p.log.record import (
    CHECKSUM,
    MAGIC,
    CertificateRecord,
    CharterRecord,
    ClosingRecord,
    ContradictionRecord,
    Damaged,
    EntryRecord,
    EvidenceRecord,
    GameFile,
    Record,
    RejectedRecord,
    read_game,
    read_records,
)
from p2p.sealed import Group
from p2p.session.history import BadCharter, History
from p2p.verify import Report, RulesOf, _Verifier, verify

Opened = dict[int, tuple[bytes, int]]
"""Seed and card key of each seat that revealed them."""


@dataclass(frozen=True, slots=True)
class Proof:
    """A part of a contribution that was verified: whose, and of which kind, as ``Report.checks`` counts
    them."""

    seat: int
    kind: str


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One step that was verified, and how the game stood ``before`` and ``after`` it.

    ``signed`` are the seats whose contributions are there; ``absent`` those that a certificate stands for.
    The last step of a game that was stopped may lack contributions (``is_whole`` is false): it changed
    nothing.
    """

    number: int
    epoch: int
    signed: tuple[int, ...]
    absent: tuple[int, ...]
    proofs: tuple[Proof, ...]
    events: tuple[Event, ...]
    before: Progress
    after: Progress
    is_whole: bool = True

    @property
    def kind(self) -> str:
        """What kind of round it was, as ``Round.kind``; empty after the end of all."""
        now = self.before.round
        return now.kind if now is not None else ""


class Stopped(Exception):  # no error: nobody wants to know any more
    """``Recording.stop`` was called while the game was followed."""


class Recording:
    """A recorded game and what has been verified of it so far. ``follow`` may run in a thread of its own.

    ``report`` is ``None`` until everything is verified. ``done`` of ``of`` contributions have been checked.
    ``problem`` says why the file is not whole, in a sentence without its full stop; empty for a whole one.
    """

    def __init__(self, file: GameFile, history: History, problem: str) -> None:
        self.charter: Charter = file.charter
        self.rules: AnyRules = history.progress.position.rules
        self.deck: Deck = history.progress.position.deck
        self.first: Progress = history.progress
        self.steps: list[Step] = []
        self.opened: Opened = {}
        self.report: Report | None = None
        self.done = 0
        self.of = len(file.entries)
        self.problem = problem
        self._file = file
        self._history = history
        self._is_stopped = False

    def follow(self, tell: Callable[[int, int], None] | None = None) -> Report:
        """Verify everything. ``tell`` hears how many contributions were checked, of how many."""
        follower = _Follower(self._file, self._history, self._counted(tell), self._took)
        report = follower.report()
        self.opened = follower.opened
        if self.problem:
            report = Report(
                "damaged", self.problem, outcome=report.outcome, players=report.players, game=report.game,
                table_id=report.table_id, events=report.events, checks=report.checks,
            )  # fmt: skip
        self.report = report
        return report

    def stop(self) -> None:
        """``follow`` ends soon, by ``Stopped``."""
        self._is_stopped = True

    def _took(self, step: Step) -> None:
        self.steps.append(step)

    def _counted(self, tell: Callable[[int, int], None] | None) -> Callable[[int, int], None]:
        def at(done: int, of: int) -> None:
            self.done, self.of = done, of
            if self._is_stopped:
                raise Stopped
            if tell is not None:
                tell(done, of)

        return at


def open_recording(data: bytes, rules_of: RulesOf, group: Group) -> Recording | Report:
    """What can be followed in a file; the report on one of which nothing can."""
    try:
        file, problem = read_game(data), ""
    except Damaged as error:
        begun = _as_far_as_whole(data)
        if begun is None:
            return verify(data, rules_of, group)
        file, problem = begun, str(error)
    try:
        history = History(file.charter, rules_of(file.charter.game), group)
    except (BadCharter, BadOption, LookupError, ValueError) as error:
        return Report("damaged", problem or f"the charter cannot be played: {error}")
    return Recording(file, history, problem)


class _Follower(_Verifier):
    """The judge, who is watched."""

    def __init__(
        self,
        file: GameFile,
        history: History,
        progress: Callable[[int, int], None],
        took: Callable[[Step], None],
    ) -> None:
        super().__init__(file, history, progress)
        self.opened: Opened = {}
        self._took = took
        self._proofs: list[Proof] = []

    def _check_step(self, entries: Sequence[Entry], absence: Certificate | None, is_last: bool) -> None:
        history = self._history
        before, number, epoch, told = history.progress, history.step, history.epoch, len(self._events)
        is_skip = absence is not None and absence.purpose == SKIP
        absent = history.missing_seats(absence.keeper) if absence is not None and is_skip else ()
        self._proofs = []
        super()._check_step(entries, absence, is_last)
        is_whole = history.step > number
        if not is_whole and not entries:
            return
        signed = tuple(entry.seat for entry in entries)
        proofs, events = tuple(self._proofs), tuple(self._events[told:])
        self._took(Step(number, epoch, signed, absent, proofs, events, before, history.progress, is_whole))

    def _observe(self, before: Progress, place: Place, found: Any) -> None:
        counted = Counter(self._checks)
        super()._observe(before, place, found)
        self._proofs += [Proof(place.seat, kind) for kind in self._checks - counted]
        if isinstance(before.task, Reveal):
            self.opened[place.seat] = found


# --- files that are not whole -------------------------------------------------------------------------------


def _as_far_as_whole(data: bytes) -> GameFile | None:
    """What stands before the damage of a file; ``None`` where not even its charter is whole."""
    ends = _ends(data)

    def is_damaged(end: int) -> bool:
        try:
            read_records(data[:end])
        except Damaged:
            return True
        return False

    # Each checksum covers all before it, so everything after the first wrong one is wrong as well.
    whole = bisect_left(ends, True, key=is_damaged)
    records = read_records(data[: ends[whole - 1]]) if whole else []
    first = records[0] if records else None
    if not isinstance(first, CharterRecord):
        return None
    try:
        return _begun(decode_charter(first.charter), records[1:])
    except ValueError:
        return None


def _ends(data: bytes) -> list[int]:
    """Where each record ends that has all its bytes."""
    ends: list[int] = []
    at = len(MAGIC)
    while data.startswith(MAGIC) and at + 4 <= len(data):
        at += 4 + int.from_bytes(data[at : at + 4], "big") + CHECKSUM
        if at > len(data):
            break
        ends.append(at)
    return ends


def _begun(charter: Charter, records: Sequence[Record]) -> GameFile:
    """The file without its end: the contributions as long as they are in order, and what else is there."""
    entries: list[Entry] = []
    certificates: list[Certificate] = []
    equivocations: list[Equivocation] = []
    contradictions: list[Contradiction] = []
    rejected: list[Entry] = []
    is_ordered = True
    for record in records:
        match record:
            case EntryRecord(entry):
                is_ordered = is_ordered and (not entries or entry.place > entries[-1].place)
                entries += [entry] if is_ordered else []
            case CertificateRecord(certificate):
                certificates.append(certificate)
            case EvidenceRecord(proof):
                equivocations.append(proof)
            case ContradictionRecord(found):
                contradictions.append(found)
            case RejectedRecord(entry):
                rejected.append(entry)
            case _:
                pass
    closing = ClosingRecord(len(entries), b"", "stopped")
    return GameFile(
        charter, tuple(entries), tuple(equivocations), tuple(rejected), closing, tuple(certificates),
        tuple(contradictions),
    )  # fmt: skip


__all__ = ["Opened", "Proof", "Recording", "Step", "Stopped", "open_recording"]
