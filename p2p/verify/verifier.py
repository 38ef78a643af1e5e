"""Verify a game from what its seats signed alone: a third party's check, with no secrets and no trust.

The same code that the players ran live folds the steps: signatures, heads, keys, coins, shuffles, shares,
openings, claims, rules, result and closing. Where seeds and keys were revealed, each joint shuffle and coin
is recomputed by plain hashing as well. *Damaged* means that this is not what was written and blames nobody;
*cheated* names a seat and a step, and holds up because that seat signed what is rejected.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from engine.contract import AnyRules, BadOption, Event
from engine.table import Coin, Shuffle

from ..deal import Close, PeerFault, Place, Printed, Progress, Reveal, check
from ..log.absence import (
    DEPARTURE,
    SKIP,
    Certificate,
    Contradiction,
    is_certificate,
    is_contradiction,
    others,
)
from ..log.charter import Charter
from ..log.entry import Entry
from ..log.evidence import Equivocation, is_equivocation
from ..log.record import ClosingRecord, Damaged, GameFile, read_game
from ..sealed import Group
from ..session.history import BadCharter, History
from .report import Proof, Report, RulesOf, Step, counted


class Cheated(Exception):
    """A seat's signed contribution or statement is rejected: whose, at which step, and why."""

    def __init__(self, seat: int, step: int, reason: str) -> None:
        super().__init__(reason)
        self.seat, self.step, self.reason = seat, step, reason


def _cheated(fault: PeerFault, step: int) -> Cheated:
    """A fault found at ``step``, which may be that of an earlier one."""
    return Cheated(fault.seat, step if fault.step is None else fault.step, fault.reason)


@dataclass(frozen=True, slots=True)
class _Seen:
    """One verified round to recompute once its seat's seed is known."""

    before: Progress
    place: Place
    found: Any


@dataclass(slots=True)
class _Found:
    """What one step adds to the report."""

    checks: Counter[str] = field(default_factory=Counter)
    events: tuple[Event, ...] = ()
    seen: list[_Seen] = field(default_factory=list)
    proofs: list[Proof] = field(default_factory=list)
    revealed: dict[int, tuple[bytes, int]] = field(default_factory=dict)
    skipped: tuple[int, ...] = ()
    left: tuple[int, ...] = ()
    certified: tuple[tuple[int, int, tuple[int, ...]], ...] = ()
    closing: frozenset[int] = frozenset()


def verify(
    data: bytes, rules_of: RulesOf, group: Group, progress: Callable[[int, int], None] | None = None
) -> Report:
    """The verdict on a ``.shoal`` file. ``progress`` is told (contributions checked, of how many)."""
    try:
        file = read_game(data)
        verifier = Verifier(file.charter, rules_of(file.charter.game), group)
    except Damaged as error:
        return Report("damaged", str(error))
    except (BadCharter, BadOption, LookupError, ValueError) as error:
        return Report("damaged", f"the charter cannot be played: {error}")
    return verifier.judge(file, progress)


class Verifier:
    """Verifies a game step by step, as it happens or from its file.

    ``take`` each step in order, ``back`` where one is taken back, then ``conclude``; ``judge`` does all of
    it for a file. After ``Damaged`` or ``Cheated`` nothing more can be taken, and ``failed`` is the verdict.
    """

    def __init__(self, charter: Charter, rules: AnyRules, group: Group) -> None:
        """Raises ``BadCharter``, ``BadOption`` or ``ValueError`` where the charter does not fit the game."""
        self.history: Final = History(charter, rules, group)
        self._found: list[_Found] = []
        self._open = _Found()
        self._late: tuple[Entry, ...] = ()

    @property
    def opened(self) -> dict[int, tuple[bytes, int]]:
        """Seed and card key of each seat that revealed them, so far."""
        revealed: dict[int, tuple[bytes, int]] = {}
        for found in self._all:
            revealed |= found.revealed
        return revealed

    # --- the whole of it ------------------------------------------------------------------------------------

    def judge(
        self,
        file: GameFile,
        tell: Callable[[int, int], None] | None = None,
        took: Callable[[Step], None] | None = None,
    ) -> Report:
        """Fold a whole file and say what was found. ``tell`` is told (contributions checked, of how many),
        ``took`` each step that holds."""
        try:
            self._fold(file, tell or (lambda done, of: None), took or (lambda step: None))
        except (Damaged, Cheated) as error:
            return self.failed(error)
        return self.conclude(file.closing, file.equivocations, file.rejected, file.contradictions)

    def _fold(self, file: GameFile, tell: Callable[[int, int], None], took: Callable[[Step], None]) -> None:
        done, of = 0, len(file.entries)
        steps: dict[int, list[Entry]] = {}
        for entry in file.entries:
            steps.setdefault(entry.step, []).append(entry)
        certificates = {each.step: each for each in file.certificates}
        first, last = (end((*steps, *certificates), default=0) for end in (min, max))
        if first < 0 or len(certificates) < len(file.certificates):
            raise Damaged("there are contributions or certificates that belong to no step of the game")
        for number in range(last + 1):
            entries = steps.get(number, [])
            self._check_rejected(file.rejected)
            step = self.take(entries, certificates.get(number), is_last=number == last)
            if step is not None:
                took(step)
            done += len(entries)
            tell(done, of)

    def conclude(
        self,
        closing: ClosingRecord,
        equivocations: Sequence[Equivocation] = (),
        rejected: Sequence[Entry] = (),
        contradictions: Sequence[Contradiction] = (),
    ) -> Report:
        """The verdict after the last step, with the evidence that there is."""
        try:
            self.check_evidence(equivocations, contradictions, rejected)
            self._check_closing(closing)
            self._recompute()
        except (Damaged, Cheated) as error:
            return self.failed(error)
        return self._report("sound", revealed=tuple(sorted(self.opened)))

    def failed(self, error: Damaged | Cheated) -> Report:
        """The verdict where a step, or what follows the last one, does not hold."""
        if isinstance(error, Cheated):
            return self._report("cheated", error.reason, error.seat, error.step)
        return self._report("damaged", str(error))

    def so_far(self) -> Report:
        """The verdict on the steps taken until now, of a game that may go on."""
        return self._report("sound")

    @property
    def _all(self) -> tuple[_Found, ...]:
        return (*self._found, self._open)

    def _report(
        self,
        verdict: str,
        reason: str = "",
        seat: int | None = None,
        step: int | None = None,
        revealed: tuple[int, ...] = (),
    ) -> Report:
        charter, closed = self.history.charter, self.history.is_closed
        checks: Counter[str] = Counter()
        for found in self._all:
            checks.update(found.checks)
        return Report(
            verdict,
            reason,
            seat,
            step,
            finished=closed and verdict == "sound",
            closed=closed,
            outcome=self.history.progress.outcome,
            players=tuple(info.name for info in charter.seats),
            keepers=tuple(info.keeper for info in charter.seats),
            game=charter.game,
            table_id=self.history.table_id,
            events=tuple(event for found in self._all for event in found.events),
            checks=dict(sorted(checks.items())),
            confirmed_by=self._confirmed(),
            revealed=revealed,
            skipped=tuple((number, each) for number, found in enumerate(self._all) for each in found.skipped),
            left=tuple((number, each) for number, found in enumerate(self._all) for each in found.left),
            unconfirmed=self._unconfirmed() if closed else (),
            certified=tuple(each for found in self._all for each in found.certified),
            awaited=() if closed or verdict != "sound" else self._awaited(),
            scanner=charter.scanner,
        )

    def _awaited(self) -> tuple[int, ...]:
        held = {entry.seat for entry in self._late}
        return tuple(seat for seat in self.history.progress.owed if seat not in held)

    def _confirmed(self) -> tuple[int, ...]:
        if self.history.is_closed:
            missing = self._unconfirmed()
            return tuple(seat for seat in range(len(self.history.charter.seats)) if seat not in missing)
        return (
            tuple(entry.seat for entry in self._late) if isinstance(self.history.progress.task, Close) else ()
        )

    def _unconfirmed(self) -> tuple[int, ...]:
        """The seats that had left before they signed the outcome."""
        left = {seat for found in self._all for seat in found.left}
        signed = {seat for found in self._all for seat in found.closing}
        return tuple(sorted(left - signed))

    # --- one step -------------------------------------------------------------------------------------------

    def take(
        self, entries: Sequence[Entry], absence: Certificate | None = None, *, is_last: bool = False
    ) -> Step | None:
        """Verify the step under way from its contributions in order of seats, and the certificate that stands
        for those that lack; ``None`` for a last one without any. Raises ``Damaged`` or ``Cheated``.

        With ``is_last`` contributions may lack: the game was stopped there.
        """
        history = self.history
        before, number, epoch = history.progress, history.step, history.epoch
        if before.task is None:
            raise Damaged("the game is over, and there is more behind its end")
        self._open = _Found()
        absent = () if absence is None else self._check_absence(absence)
        self._check_signed(entries, absent)
        passed = {}
        for entry in entries:
            place = history.place(entry.seat)
            try:
                passed[entry.seat] = check(before, place, entry.body, self._observe)
            except PeerFault as fault:
                raise _cheated(fault, entry.step) from None
        is_whole = set(passed) == set(before.owed) - set(absent)
        if is_whole:
            if isinstance(before.task, Close):
                self._open.closing = frozenset(passed)
            self._open.events = history.complete({entry.seat: entry for entry in entries}, passed, absence)
            self._open.left = tuple(sorted(history.progress.gone - before.gone))
        elif is_last and absence is None:
            self._late = tuple(entries)
        else:
            raise Damaged(f"step {history.step} lacks a contribution")
        found = self._open
        if is_whole:
            self._found.append(found)
            self._open = _Found()
        if not is_whole and not entries:
            return None
        signed, proofs = tuple(entry.seat for entry in entries), tuple(found.proofs)
        skipped = absent if absence is not None and absence.purpose == SKIP else ()
        return Step(
            number, epoch, signed, skipped, proofs, found.events, before, history.progress, is_whole
        )  # fmt: skip

    def takes_back(self, step: int, absence: Certificate) -> bool:
        """Whether ``absence`` is a reason to take back ``step`` of those that were taken, and all after it:
        every other keeper signed, on the head before that step, that a contribution to it is missing."""
        history = self.history
        return absence.step == step and history.is_signed_by_all(absence)

    def back(self, step: int) -> None:
        """Take back ``step`` and all after it: those at the table went on without it, and a certificate of
        that step has to follow."""
        self.history.rewind(step)
        del self._found[step:]
        self._open, self._late = _Found(), ()

    def _check_signed(self, entries: Sequence[Entry], absent: Sequence[int]) -> None:
        history = self.history
        for entry in entries:
            if (entry.epoch, entry.step) != (history.epoch, history.step):
                raise Damaged(f"step {history.step} is missing, or stands in another epoch or after the end")
            if not history.is_signed(entry):
                raise Damaged(f"the signature of seat {entry.seat} at step {entry.step} is not valid")
            if entry.seat in absent:
                raise Damaged(f"seat {entry.seat} is certified absent at step {entry.step}, and contributed")
            self._open.checks["signatures"] += 1

    def _check_absence(self, absence: Certificate) -> tuple[int, ...]:
        """The seats whose contribution to the step under way a certificate stands for."""
        history, charter = self.history, self.history.charter
        if not history.is_at(absence.epoch, absence.step) or absence.step != history.step:
            raise Damaged(f"the certificate of absence at step {absence.step} stands in another epoch")
        gone = history.gone[-1]
        if not is_certificate(charter, history.table_id, history.head, absence, gone):
            raise Damaged(f"the certificate of absence at step {absence.step} is not valid")
        self._open.checks["certificates"] += 1
        absent = history.missing_seats(absence.keeper)
        first = others(charter, absence.keeper, gone)[0]
        if not absent:
            raise Cheated(first, absence.step, "certified as absent who owed nothing")
        if absence.purpose != history.purpose(absence.keeper):
            raise Cheated(
                first, absence.step, f"certified a {absence.purpose} where the rules know of another absence"
            )
        if absence.purpose != DEPARTURE:
            self._open.skipped = absent
        else:
            self._open.certified = ((absence.step, absence.keeper, others(charter, absence.keeper, gone)),)
        return absent

    def _observe(self, before: Progress, place: Place, found: Any) -> None:
        """Count each verified round, and remember those that the reveal lets a stranger recompute."""
        kind = counted(before)
        self._open.checks[kind] += 1
        proof = Proof(place.seat, kind)
        self._open.proofs.append(proof)
        match before.task:
            case Reveal():
                self._open.revealed[place.seat] = found
            case Shuffle() | Coin():
                self._open.seen.append(_Seen(before, place, found))

    # --- after the last step --------------------------------------------------------------------------------

    def check_evidence(
        self,
        equivocations: Sequence[Equivocation],
        contradictions: Sequence[Contradiction],
        rejected: Sequence[Entry] = (),
    ) -> None:
        """Evidence convicts by itself: raises ``Cheated``. Evidence that does not convict is a damaged file,
        and blames nobody: raises ``Damaged``."""
        history = self.history
        for proof in equivocations:
            first = proof.first
            known = 0 <= first.step < len(history.heads) and proof.head == history.heads[first.step]
            if not known or not is_equivocation(history.charter, history.table_id, proof):
                raise Damaged("the file holds evidence that proves nothing")
            raise Cheated(first.seat, first.step, "signed two different contributions to one step")
        for found in contradictions:
            said = found.first
            known = 0 <= said.step < len(history.heads) and found.head == history.heads[said.step]
            gone = history.gone[said.step] if known else frozenset()
            if not known or not is_contradiction(history.charter, history.table_id, found, gone):
                raise Damaged("the file holds evidence that proves nothing")
            raise Cheated(said.author, said.step, "made two different statements in one absence round")
        self._check_rejected(rejected)
        if rejected:
            raise Damaged("the file holds evidence that proves nothing")

    def _check_rejected(self, rejected: Sequence[Entry]) -> None:
        """A signed contribution to the step under way that the protocol rejects convicts its author."""
        history = self.history
        for entry in rejected:
            is_void = entry.seat in history.progress.gone
            if entry.step != history.step or is_void or not history.is_signed(entry):
                continue
            try:
                history.check(entry)
            except PeerFault as fault:
                raise _cheated(fault, entry.step) from None

    def _check_closing(self, closing: ClosingRecord) -> None:
        is_closed = self.history.is_closed
        if closing.head != self.history.head:
            raise Damaged("the closing record names another head than the contributions give")
        if closing.reason == "cheated":
            raise Damaged("the file says that someone cheated and holds no evidence")
        if closing.reason == "finished" and not is_closed:
            raise Damaged("the file says that the game is finished, and it is not")
        if closing.reason == "stopped" and is_closed:
            raise Damaged("the file says that the game was stopped, and it is finished")

    def _recompute(self) -> None:
        """Recompute by plain hashing every shuffle and coin of the seats that revealed their seeds."""
        revealed = self.opened
        for seen in [each for found in self._all for each in found.seen]:
            if seen.place.seat not in revealed:
                continue
            seed, _ = revealed[seen.place.seat]
            before, place = seen.before, seen.place
            assert isinstance(before.task, Shuffle | Coin)
            if not before.dealing.is_from_seed(
                before.task, before.number, before.position, place, seen.found, seed
            ):
                raise Cheated(place.seat, place.step, "did not use the seed it had committed to")
            self._open.checks["recomputed"] += 1
        dealing = self.history.progress.dealing
        if isinstance(dealing, Printed) and dealing.scanner in revealed:
            self._open.checks["judged"] = len(dealing.ledger)  # when its seed was checked
