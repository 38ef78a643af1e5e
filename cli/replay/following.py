"""A recorded game, verified step by step: what each step was, as soon as it was found to hold.

The verdict is that of ``p2p.verify``, whose code folds the file here, too. What cannot be verified is never
among the steps. A file that ends too early, or was changed somewhere, is followed as far as it is whole.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence

from engine.cards import Deck
from engine.contract import AnyRules, BadOption
from p2p.deal import Progress
from p2p.log.absence import Certificate, Contradiction
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
from p2p.session.history import BadCharter
from p2p.verify import Proof, Report, RulesOf, Step, Verifier, verify

Opened = dict[int, tuple[bytes, int]]
"""Seed and card key of each seat that revealed them."""


class Stopped(Exception):  # no error: nobody wants to know any more
    """``Recording.stop`` was called while the game was followed."""


class Verified:
    """What has been verified of a game so far, step by step. ``report`` is ``None`` until that is all."""

    def __init__(self, verifier: Verifier) -> None:
        first = verifier.history.progress
        self.charter: Charter = verifier.history.charter
        self.rules: AnyRules = first.position.rules
        self.deck: Deck = first.position.deck
        self.first: Progress = first
        self.steps: list[Step] = []
        self.opened: Opened = {}
        self.report: Report | None = None
        self.done = self.of = 0


class Recording(Verified):
    """A recorded game and what has been verified of it so far. ``follow`` may run in a thread of its own.

    ``done`` of ``of`` contributions have been checked. ``problem`` says why the file is not whole, in a
    sentence without its full stop; empty for a whole one.
    """

    def __init__(self, file: GameFile, verifier: Verifier, problem: str) -> None:
        super().__init__(verifier)
        self.of = len(file.entries)
        self.problem = problem
        self._file = file
        self._verifier = verifier
        self._is_stopped = False

    def follow(self, tell: Callable[[int, int], None] | None = None) -> Report:
        """Verify everything. ``tell`` hears how many contributions were checked, of how many."""
        report = self._verifier.judge(self._file, self._counted(tell), self.steps.append)
        self.opened = self._verifier.opened
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
        verifier = Verifier(file.charter, rules_of(file.charter.game), group)
    except (BadCharter, BadOption, LookupError, ValueError) as error:
        return Report("damaged", problem or f"the charter cannot be played: {error}")
    return Recording(file, verifier, problem)


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


__all__ = ["Opened", "Proof", "Recording", "Step", "Stopped", "Verified", "open_recording"]
