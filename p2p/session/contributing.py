"""What this seat owes to the step under way: made when its turn has come, after its player has decided.

It is made once, and stored before it is sent, together with the deed that a commitment stands for.
"""

from __future__ import annotations

from typing import Any

from engine.table import Choose, Tick

from ..deal import FAREWELL, Close, NeedsDeed, Passed, Progress
from ..log.codec import Malformed
from ..log.entry import sign_entry
from ..log.wire import encode_message, frame_of
from .effects import Effect, Send, Timer
from .jobs import ContributeJob
from .steps import Steps
from .ticks import LAG_TOLD, CommittedDeed


class Contributing(Steps):
    """One seat's steps, with what it contributes to them itself."""

    def _contribute(self, now: float) -> list[Effect]:
        """Make what this seat owes now, or ask its player first; nothing where it is made or owes nothing."""
        progress = self.history.progress
        if self._stale or self.is_over or self._decider.is_busy or None in self._jobs.values():
            return []
        if self.seat not in progress.owed or self.seat in self._held or self._is_absent(self.seat):
            return []
        self._decider.reset()
        if self._says_farewell and progress.is_playing:
            return self._contributed(now, (FAREWELL, Passed((), is_farewell=True)))
        if not self._has_secrets and not isinstance(progress.task, Close):
            return []  # it cannot reveal what it does not know, which is no fault
        self._fresh = self._entropy.read(32)
        if isinstance(progress.task, Tick):
            return self._contribute_to_tick(now, progress)
        if isinstance(progress.task, Choose) and progress.number == 0:
            return self._ask(now, progress)
        if self._scans.ready(progress) is None:
            return []  # a person is asked to tap cards
        return [self._contribute_job()]

    def _contribute_to_tick(self, now: float, progress: Progress) -> list[Effect]:
        due = self._racer.due(progress, self._step_since)
        if now < due:
            return [Timer(due - now)]
        if progress.number == 0:
            deed, dropped = self._racer.decide(progress)
            self._decider.deeds.append(deed)
            return [*dropped, self._contribute_job()]
        committed = self._racer.pace.committed
        step = self.history.step - 1
        if committed is None or (committed.epoch, committed.step) != (self.history.epochs[step], step):
            committed = self._racer.found_again(progress, self._secrets.seed, self.history.epochs[step], step)
        if committed is None:
            raise Malformed("the store does not hold the deed that this seat has committed to")
        self._decider.deeds.append(committed.deed)
        return [self._contribute_job(self._racer.pace.marks())]

    def _ask(self, now: float, progress: Progress) -> list[Effect]:
        asked = self._decider.ask(now, progress)
        return [self._contribute_job()] if asked is None else asked

    def _contribute_job(self, marks: int = 0) -> Effect:
        progress, place = self.history.progress, self.history.place(self.seat)
        deeds, faces = tuple(self._decider.deeds), self._scans.ready(progress) or ()
        self._scans.send(progress)
        return self._job(
            ContributeJob(progress, place, self._secrets, deeds, self._fresh, marks, faces), None
        )

    def _contributed(self, now: float, value: Any) -> list[Effect]:
        if isinstance(value, NeedsDeed):
            return self._ask(now, value.progress)
        if isinstance(value, Exception):
            raise value
        if self._stale:
            return []
        body, passed = value
        place, progress = self.history.place(self.seat), self.history.progress
        entry = sign_entry(
            self._identity, place.table_id, place.epoch, place.step, place.seat, place.head, body
        )
        committed = None
        timer: list[Effect] = [Timer(LAG_TOLD)] if isinstance(progress.task, Tick) else []
        if isinstance(progress.task, Tick) and progress.number == 0 and not passed.is_farewell:
            committed = CommittedDeed(place.epoch, place.step, self._decider.deeds[0])
            self._racer.pace.commit(now, committed)
        self._held[self.seat] = entry
        self._passed[self.seat] = passed
        frame = encode_message(frame_of(entry, place.head))
        sent = [*self._save((entry,), (), committed), Send(None, frame), *timer]
        if passed.fault is not None:
            return [*sent, *self._convict_of(passed.fault, entry)]
        return [*sent, *self._advance(now)]
