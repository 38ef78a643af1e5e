"""A seat in a race: its pace, what its player has queued, and what the player is told."""

from __future__ import annotations

from collections import deque

from engine.contract import Action, IllegalAction, Reason
from engine.table import Deed, Tick

from ..deal import Progress
from ..log.codec import encode
from .deciding import HandOf, ViewOf, legal_deed
from .effects import Effect, Lagging, Race, Tell, Unplayed
from .ticks import ABSENT_AFTER, LAG_TOLD, MAX_QUEUE, CommittedDeed, Pace


class Racer:
    """One seat's side of the ticks of a game."""

    def __init__(self, seat: int, hand: HandOf, view: ViewOf) -> None:
        self.pace = Pace()
        self._seat = seat
        self._hand = hand
        self._view = view
        self._queue: deque[Action] = deque()
        self._told: tuple[Action, ...] | None = None
        self._is_lag_told = False

    def begin(self, progress: Progress, news: bool) -> list[Effect]:
        """A step of a race begins: tell the player what is possible, if it is new or something happened."""
        task = progress.task
        assert isinstance(task, Tick)
        self._is_lag_told = False
        if progress.number:
            return []
        self.pace.begin_tick(task.wait_ms)
        if self._seat not in progress.owed:
            return self.end()
        hand = self._hand(progress)
        actions = progress.position.choices(self._seat, hand)
        if actions == self._told and not news:
            return []
        self._told = actions
        return [Tell(Race(self._view(progress), actions, self.pace.usual))]

    def end(self) -> list[Effect]:
        """The race is over, or this seat is out of it: what is queued was meant for it."""
        dropped: list[Effect] = [Tell(Unplayed(action, Reason("not-possible"))) for action in self._queue]
        self._queue.clear()
        self._told = None
        self.pace.end()
        return dropped

    def act(self, progress: Progress, action: Action) -> None:
        """Queue an action that is possible now. Raises ``IllegalAction``; nothing has changed then."""
        if len(self._queue) >= MAX_QUEUE:
            raise IllegalAction(Reason("not-possible"))
        legal_deed(progress.position, self._seat, self._hand(progress), action)
        self._queue.append(action)

    def is_on(self, progress: Progress) -> bool:
        """Whether this seat takes part in the tick under way."""
        return isinstance(progress.task, Tick) and self._seat in progress.owed

    def decide(self, progress: Progress) -> tuple[Deed, list[Effect]]:
        """The deed to commit to: the first queued action that is still possible, or else to wait."""
        hand, position = self._hand(progress), progress.position
        dropped: list[Effect] = []
        while self._queue:
            action = self._queue.popleft()
            try:
                return legal_deed(position, self._seat, hand, action), dropped
            except IllegalAction as refused:
                dropped.append(Tell(Unplayed(action, refused.reason)))
        return position.deed(self._seat, hand, position.choices(self._seat, hand)[0]), dropped

    def found_again(self, progress: Progress, seed: bytes, epoch: int, step: int) -> CommittedDeed | None:
        """The deed behind a commitment of this seat that its store has lost: one of those that are possible,
        told by the salt, which follows from the seat's ``seed``."""
        committed = progress.dealing.stash.commitments[self._seat]
        salt = committed.origin.salt(seed)
        hand, position = self._hand(progress), progress.position
        for action in position.choices(self._seat, hand):
            deed = position.deed(self._seat, hand, action)
            if committed.is_opened_by(salt, encode(deed)):
                return CommittedDeed(epoch, step, deed)
        return None

    def due(self, progress: Progress, began: float) -> float:
        """When this seat contributes to the step of a race that began at ``began``."""
        task = progress.task
        assert isinstance(task, Tick)
        return self.pace.due(began, task.wait_ms) if progress.number == 0 else began

    def absent_at(self, progress: Progress, began: float) -> float:
        """When what is missing of the step counts as absent."""
        task = progress.task
        assert isinstance(task, Tick)
        wait = task.wait_ms / 1000 if progress.number == 0 else 0.0
        return began + wait + ABSENT_AFTER

    def lagging(self, progress: Progress, began: float, now: float, awaited: tuple[int, ...]) -> list[Effect]:
        """Tell once per step whom the race waits for, when it begins to show."""
        since = self.due(progress, began)
        if self._is_lag_told or not awaited or now < since + LAG_TOLD:
            return []
        self._is_lag_told = True
        return [Tell(Lagging(awaited, since))]
