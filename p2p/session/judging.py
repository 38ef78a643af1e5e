"""What a signed contribution of another seat is worth: taken, void, or a fault of its author. No I/O.

All seats have to judge alike, in whatever order they hear things, or the one that ended its game over a fault
would be waited for by those that did not. So a contribution is judged by the history before its step alone:

1. Of a keeper that had left before that step began it is void.
2. Whatever no honest seat ever signs is a fault, also where a certificate stands for that contribution, or
its author has left since: two to one step, one where nothing is owed, one that does not hold.
3. What holds, and comes after its absence was certified, is void.
4. What was signed on a history that may be taken back convicts nobody before it is sure (``faults``).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from engine.contract import AnyRules

from ..deal import PeerFault, Place
from ..identity import Identity
from ..log.absence import Statement
from ..log.charter import Charter
from ..log.entry import Entry
from ..sealed import Group
from .asking import Questions
from .contributing import Contributing
from .effects import Drop, Effect, Fault, Stale, Tell, Work
from .faults import PendingFaults
from .jobs import CheckJob
from .reach import Reach


class Judging(Contributing):
    """One seat's steps, with its judgement of what the others signed."""

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
        rebuilds: bool,
    ) -> None:
        super().__init__(charter, rules, group, seat, identity, root, entropy, answer_delay, waits)
        self._rebuilds = rebuilds
        self._reach = Reach()
        self._questions = Questions(self.history)
        self._pending = PendingFaults(self.history, seat)
        self._void: dict[tuple[int, int, int], Entry] = {}
        self._void_jobs: dict[int, Entry] = {}

    # --- contributions --------------------------------------------------------------------------------------

    def _judge(self, now: float, peer: int, entry: Entry) -> list[Effect]:
        """A contribution to our own history: take it, unless it is known, void or a fault."""
        history = self.history
        known = self._known(entry)
        if known is not None and known.body == entry.body:
            return []
        if not history.is_signed(entry):
            return [Drop(peer, "a contribution without a valid signature")]
        if history.had_left(entry.step, entry.seat):
            return []  # whoever has left the game cannot void it by going on
        if known is not None:
            reason = "signed two different contributions to one step"
            return self._convict_by((known, entry), reason)
        is_void = history.is_void(entry.step, entry.seat) or self._is_void_now(entry)
        is_owed = is_void or entry.step == history.step
        if not is_owed or entry.seat not in history.progress_at(entry.step).owed:
            return self._convict_by((entry,), "contributed where nothing is owed")
        if is_void:
            return self._take_void(entry)
        if entry.seat == self.seat and not self._rebuilds:
            return self._own_from_elsewhere(entry.step)
        return self._take(now, entry)

    def _known(self, entry: Entry) -> Entry | None:
        void = self._void.get((entry.epoch, entry.step, entry.seat))
        if void is not None and self.history.is_signed(void):
            return void
        if entry.step == self.history.step:
            return self._held.get(entry.seat)
        return next((known for known in self.history.steps[entry.step] if known.seat == entry.seat), None)

    def _own_from_elsewhere(self, step: int) -> list[Effect]:
        """Someone holds what we signed and our store does not: the store is older than the game."""
        self._stale = True
        self._desk.may_sign = False
        return [Tell(Stale(step))]

    # --- where a certificate stands for it ------------------------------------------------------------------

    def _is_void_now(self, entry: Entry) -> bool:
        """Whether a certificate stands for this contribution to the step under way."""
        return entry.step == self.history.step and self._is_absent(entry.seat)

    def _take_void(self, entry: Entry) -> list[Effect]:
        """It counts for nothing, and is remembered and verified: others may convict over it."""
        history, seat = self.history, entry.seat
        self._void[entry.epoch, entry.step, seat] = entry
        if seat == self.seat:
            return []
        place = Place(history.table_id, entry.epoch, entry.step, seat, history.heads[entry.step])
        self._job_count += 1
        self._void_jobs[self._job_count] = entry
        return [Work(self._job_count, CheckJob(history.progress_at(entry.step), place, entry.body))]

    def _void_checked(self, entry: Entry, value: Any) -> list[Effect]:
        if not self.history.is_signed(entry):
            return []  # that history was taken back meanwhile
        if isinstance(value, PeerFault):
            return self._convict_of(value, entry)
        if isinstance(value, Exception):
            raise value
        return []

    def _made_void(self, entries: Mapping[int, Entry], passed: Collection[int]) -> list[Effect]:
        """A step has ended without these contributions that were here. Some are not verified yet."""
        effects: list[Effect] = []
        for seat, entry in entries.items():
            if seat in passed:
                self._void[entry.epoch, entry.step, seat] = entry
            else:
                effects += self._take_void(entry)
        return effects

    # --- faults ---------------------------------------------------------------------------------------------

    def _convict_by(self, evidence: tuple[Entry, ...], reason: str) -> list[Effect]:
        last = evidence[-1]
        return self._convict(last.seat, last.step, reason, evidence, self.history.heads[last.step])

    def _convict(
        self,
        seat: int,
        step: int,
        reason: str,
        evidence: tuple[Entry, ...],
        head: bytes,
        statements: tuple[Statement, ...] = (),
    ) -> list[Effect]:
        """End the game over a proven fault; or, where its history may be taken back, ask who else stands
        there."""
        fault = Fault(seat, step, reason, evidence, head, statements)
        if self._pending.is_firm(fault, self._held):
            return super()._convict(seat, step, reason, evidence, head, statements)
        if not self._pending.keep(fault):
            return []
        asked = self._questions.ask_all(self._reach.linked)
        keeper = self.charter.seats[self.seat].keeper
        return asked if keeper == self.seat else [*self._evidence(fault, keeper), *asked]

    def _settled(self) -> list[Effect]:
        """Name a fault that could not be named before."""
        fault = self._pending.firm(self._held) if self._pending and self.fault is None else None
        if fault is None:
            return []
        return super()._convict(
            fault.seat, fault.step, fault.reason, fault.evidence, fault.head, fault.statements
        )
