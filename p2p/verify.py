"""Verify a finished or stopped game from its file alone: a third party's check, with no secrets and no trust.

The same code that the players ran live folds the file: signatures, heads, keys, coins, shuffles, shares,
openings,
claims, rules, result and closing. Where seeds and keys were revealed, each joint shuffle and coin is
recomputed by
plain hashing as well. *Damaged* means that the file is not what was written and blames nobody; *cheated*
names a seat
and a step, and holds up because that seat signed what is rejected.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from engine.contract import AnyRules, BadOption, Event, Outcome
from engine.table import Choose, Coin, Complete, Disclose, Draw, HandOver, Mix, Pick, Show, Shuffle, Tick

from .deal import Close, Escrow, PeerFault, Place, Printed, Progress, Recover, Reveal, Setup, check
from .log.absence import DEPARTURE, Certificate, is_certificate, is_contradiction, others
from .log.entry import Entry
from .log.evidence import is_equivocation
from .log.record import Damaged, GameFile, read_game
from .sealed import Group
from .session.history import BadCharter, History

RulesOf = Callable[[str], AnyRules]


class Report(msgspec.Struct, frozen=True):
    """What the file shows. ``seat`` and ``step`` are set where someone cheated."""

    verdict: str
    reason: str = ""
    seat: int | None = None
    step: int | None = None
    finished: bool = False
    closed: bool = False
    outcome: Outcome | None = None
    players: tuple[str, ...] = ()
    game: str = ""
    table_id: bytes = b""
    events: tuple[Event, ...] = ()
    checks: dict[str, int] = {}
    confirmed_by: tuple[int, ...] = ()
    revealed: tuple[int, ...] = ()
    skipped: tuple[tuple[int, int], ...] = ()
    """(step, seat) of every absence in a race that is certified."""
    left: tuple[tuple[int, int], ...] = ()
    """(step, seat) of every seat that left the game, by a certificate or by its keeper's word."""
    unconfirmed: tuple[int, ...] = ()
    """The seats that did not sign the outcome of a game that is closed."""


class _Cheated(Exception):
    def __init__(self, seat: int, step: int, reason: str) -> None:
        super().__init__(reason)
        self.seat, self.step, self.reason = seat, step, reason


def _cheated(fault: PeerFault, step: int) -> _Cheated:
    """A fault found at ``step``, which may be that of an earlier one."""
    return _Cheated(fault.seat, step if fault.step is None else fault.step, fault.reason)


@dataclass(frozen=True, slots=True)
class _Seen:
    """One verified round to recompute once its seat's seed is known."""

    before: Progress
    place: Place
    found: Any


def verify(
    data: bytes, rules_of: RulesOf, group: Group, progress: Callable[[int, int], None] | None = None
) -> Report:
    """The verdict on a ``.shoal`` file. ``progress`` is told (contributions checked, of how many)."""
    try:
        file = read_game(data)
        history = History(file.charter, rules_of(file.charter.game), group)
    except Damaged as error:
        return Report("damaged", str(error))
    except (BadCharter, BadOption, LookupError, ValueError) as error:
        return Report("damaged", f"the charter cannot be played: {error}")
    return _Verifier(file, history, progress).report()


class _Verifier:
    def __init__(self, file: GameFile, history: History, progress: Callable[[int, int], None] | None) -> None:
        self._file = file
        self._history = history
        self._tell = progress or (lambda done, of: None)
        self._seen: list[_Seen] = []
        self._revealed: dict[int, tuple[bytes, int]] = {}
        self._events: list[Event] = []
        self._checks: Counter[str] = Counter()
        self._late: tuple[Entry, ...] = ()
        self._skipped: list[tuple[int, int]] = []
        self._left: list[tuple[int, int]] = []
        self._closing: set[int] = set()

    def report(self) -> Report:
        """Fold everything and say what was found."""
        try:
            self._fold()
            self._check_evidence()
            self._check_closing()
            revealed = self._recompute()
        except Damaged as error:
            return self._result("damaged", str(error))
        except _Cheated as cheat:
            return self._result("cheated", cheat.reason, cheat.seat, cheat.step)
        return self._result("sound", revealed=revealed)

    def _result(
        self,
        verdict: str,
        reason: str = "",
        seat: int | None = None,
        step: int | None = None,
        revealed: tuple[int, ...] = (),
    ) -> Report:
        charter, closed = self._file.charter, self._history.is_closed
        return Report(
            verdict,
            reason,
            seat,
            step,
            finished=closed and verdict == "sound",
            closed=closed,
            outcome=self._history.progress.outcome,
            players=tuple(info.name for info in charter.seats),
            game=charter.game,
            table_id=self._history.table_id,
            events=tuple(self._events),
            checks=dict(sorted(self._checks.items())),
            confirmed_by=self._confirmed(),
            revealed=revealed,
            skipped=tuple(self._skipped),
            left=tuple(self._left),
            unconfirmed=self._unconfirmed() if closed else (),
        )

    def _confirmed(self) -> tuple[int, ...]:
        if self._history.is_closed:
            missing = self._unconfirmed()
            return tuple(seat for seat in range(len(self._file.charter.seats)) if seat not in missing)
        return (
            tuple(entry.seat for entry in self._late)
            if isinstance(self._history.progress.task, Close)
            else ()
        )

    def _unconfirmed(self) -> tuple[int, ...]:
        """The seats that had left before they signed the outcome."""
        left = {seat for _, seat in self._left}
        return tuple(sorted(left - self._closing))

    def _fold(self) -> None:
        done, of = 0, len(self._file.entries)
        steps: dict[int, list[Entry]] = {}
        for entry in self._file.entries:
            steps.setdefault(entry.step, []).append(entry)
        certificates = {each.step: each for each in self._file.certificates}
        last = max((*steps, *certificates), default=-1)
        for number in range(last + 1):
            entries = steps.get(number, [])
            self._check_rejected()
            self._check_step(entries, certificates.get(number), is_last=number == last)
            done += len(entries)
            self._tell(done, of)

    def _check_step(self, entries: Sequence[Entry], absence: Certificate | None, is_last: bool) -> None:
        history = self._history
        absent = () if absence is None else self._check_absence(absence)
        for entry in entries:
            if (entry.epoch, entry.step) != (history.epoch, history.step):
                raise Damaged(f"step {history.step} is missing, or stands in another epoch or after the end")
            if not history.is_signed(entry):
                raise Damaged(f"the signature of seat {entry.seat} at step {entry.step} is not valid")
            if entry.seat in absent:
                raise Damaged(f"seat {entry.seat} is certified absent at step {entry.step}, and contributed")
            self._checks["signatures"] += 1
        passed = {}
        for entry in entries:
            try:
                passed[entry.seat] = check(
                    history.progress, history.place(entry.seat), entry.body, self._observe
                )
            except PeerFault as fault:
                raise _cheated(fault, entry.step) from None
        if set(passed) == set(history.progress.owed) - set(absent):
            before = history.progress
            if isinstance(before.task, Close):
                self._closing |= set(passed)
            self._events += history.complete({entry.seat: entry for entry in entries}, passed, absence)
            gone = sorted(history.progress.gone - before.gone)
            self._left += [(history.step - 1, seat) for seat in gone]
        elif is_last and absence is None:
            self._late = tuple(entries)
        else:
            raise Damaged(f"step {history.step} lacks a contribution")

    def _check_absence(self, absence: Certificate) -> tuple[int, ...]:
        """The seats whose contribution to the step under way a certificate stands for."""
        history, charter = self._history, self._file.charter
        if not history.is_at(absence.epoch, absence.step) or absence.step != history.step:
            raise Damaged(f"the certificate of absence at step {absence.step} stands in another epoch")
        gone = history.gone[-1]
        if not is_certificate(charter, history.table_id, history.head, absence, gone):
            raise Damaged(f"the certificate of absence at step {absence.step} is not valid")
        self._checks["certificates"] += 1
        absent = history.missing_seats(absence.keeper)
        first = others(charter, absence.keeper, gone)[0]
        if not absent:
            raise _Cheated(first, absence.step, "certified as absent who owed nothing")
        if absence.purpose != history.purpose(absence.keeper):
            raise _Cheated(
                first, absence.step, f"certified a {absence.purpose} where the rules know of another absence"
            )
        if absence.purpose != DEPARTURE:
            self._skipped += [(absence.step, seat) for seat in absent]
        return absent

    def _observe(self, before: Progress, place: Place, found: Any) -> None:
        """Count each verified round, and remember those that the reveal lets a stranger recompute."""
        self._checks[_counted(before)] += 1
        match before.task:
            case Reveal():
                self._revealed[place.seat] = found
            case Shuffle() | Coin():
                self._seen.append(_Seen(before, place, found))

    def _check_evidence(self) -> None:
        """Evidence convicts by itself; evidence that does not convict is a damaged file, and blames
        nobody."""
        history = self._history
        for proof in self._file.equivocations:
            first = proof.first
            known = 0 <= first.step < len(history.heads) and proof.head == history.heads[first.step]
            if not known or not is_equivocation(self._file.charter, history.table_id, proof):
                raise Damaged("the file holds evidence that proves nothing")
            raise _Cheated(first.seat, first.step, "signed two different contributions to one step")
        for found in self._file.contradictions:
            said = found.first
            known = 0 <= said.step < len(history.heads) and found.head == history.heads[said.step]
            gone = history.gone[said.step] if known else frozenset()
            if not known or not is_contradiction(self._file.charter, history.table_id, found, gone):
                raise Damaged("the file holds evidence that proves nothing")
            raise _Cheated(said.author, said.step, "made two different statements in one absence round")
        self._check_rejected()
        if self._file.rejected:
            raise Damaged("the file holds evidence that proves nothing")

    def _check_rejected(self) -> None:
        """A signed contribution to the step under way that the protocol rejects convicts its author."""
        history = self._history
        for entry in self._file.rejected:
            if entry.step != history.step or not history.is_signed(entry):
                continue
            try:
                history.check(entry)
            except PeerFault as fault:
                raise _cheated(fault, entry.step) from None

    def _check_closing(self) -> None:
        closing, history = self._file.closing, self._history
        if closing.head != history.head:
            raise Damaged("the closing record names another head than the contributions give")
        if closing.reason == "cheated":
            raise Damaged("the file says that someone cheated and holds no evidence")
        if closing.reason == "finished" and not self._history.is_closed:
            raise Damaged("the file says that the game is finished, and it is not")
        if closing.reason == "stopped" and self._history.is_closed:
            raise Damaged("the file says that the game was stopped, and it is finished")

    def _recompute(self) -> tuple[int, ...]:
        """Recompute by plain hashing every shuffle and coin of the seats that revealed their seeds."""
        for seen in self._seen:
            if seen.place.seat in self._revealed:
                seed, _ = self._revealed[seen.place.seat]
                before, place = seen.before, seen.place
                assert isinstance(before.task, Shuffle | Coin)
                if not before.dealing.is_from_seed(
                    before.task, before.number, before.position, place, seen.found, seed
                ):
                    raise _Cheated(
                        seen.place.seat, seen.place.step, "did not use the seed it had committed to"
                    )
                self._checks["recomputed"] += 1
        dealing = self._history.progress.dealing
        if isinstance(dealing, Printed) and dealing.scanner in self._revealed:
            self._checks["judged"] = len(dealing.ledger)  # when its seed was checked
        return tuple(sorted(self._revealed))


_COUNTED: dict[type, str] = {
    Setup: "keys",
    Escrow: "escrows",
    Recover: "recoveries",
    Draw: "shares",
    Shuffle: "shuffles",
    Coin: "coins",
    Choose: "decisions",
    Disclose: "answers",
    Complete: "settles",
    Mix: "mixes",
    Show: "openings",
    Pick: "picks",
    HandOver: "hand-overs",
    Tick: "ticks",
    Close: "closings",
    Reveal: "reveals",
}

_COUNTED_PRINTED: dict[str, str] = {
    "scan": "scans",
    "accept": "acceptances",
    "confirm": "confirmations",
    "mix": "mixes",
    "cut-commit": "cuts",
    "cut-open": "cuts",
}


def _counted(before: Progress) -> str:
    """What a round counts as."""
    by_task = _COUNTED.get(type(before.task), "moves")
    if not isinstance(before.dealing, Printed) or before.round is None:
        return by_task
    return _COUNTED_PRINTED.get(before.round.kind, by_task)
