"""What a seat's player decides: asked where there is a choice, within its time, and wishes for later."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from engine.cards import Face
from engine.contract import Action, IllegalAction, Reason, View
from engine.match import Position
from engine.table import Choose, Deed, Slot, Tick, hand_of

from ..deal import Progress, Task
from .effects import Effect, Tell, Timer, YourMove

HELD_BACK = 3.0
"""Seconds for which a decision that is put to its player in any case is held back at most: one takes that
long to read what is asked, and may take longer as one likes."""

HandOf: TypeAlias = Callable[[Progress], dict[Slot, Face]]
"""A seat's own hand, as it is in a progress."""

ViewOf: TypeAlias = Callable[[Progress], View[Any]]
"""What a seat knows in a progress."""


def legal_deed(position: Position, seat: int, hand: Mapping[Slot, Face], action: Action) -> Deed:
    """The public form of an action that is possible now. Raises ``IllegalAction`` with the reason."""
    deed = position.deed(seat, hand, action)
    # Cards to show may be named in any order; that they are one of the choices has been seen.
    if isinstance(position.pending, Choose | Tick):
        shown = {slot: hand[slot] for slot in (Slot(hand_of(seat), n) for n in deed.shown)}
        reason = position.refuse(seat, deed, shown)
        if reason is not None:
            raise IllegalAction(reason)
        if action not in position.choices(seat, hand):
            raise IllegalAction(Reason("not-possible"))
    return deed


class Decider:
    """The decisions that one contribution needs, in order, and the time they may take.

    Answers whose choice hangs on hidden cards are given ``answer_delay`` seconds after they are due. With
    ``waits`` a delayed ``Choose``, which is always asked, is given no earlier (than ``HELD_BACK``, where that
    is less), but waits for its player.
    ``is_unhurried``: no limit of the rules ends what is asked from now on.
    """

    def __init__(self, seat: int, hand: HandOf, view: ViewOf, answer_delay: float, waits: bool) -> None:
        self._seat = seat
        self._hand = hand
        self._view = view
        self._answer_delay = answer_delay
        self._waits = waits
        self.is_unhurried = False
        self._is_held_back = False
        self._wish: Action | None = None
        self.deeds: list[Deed] = []
        self.asking: Progress | None = None
        self.answer_at: float | None = None

    @property
    def is_busy(self) -> bool:
        """Whether a decision, or the time to give it, is awaited."""
        return self.asking is not None or self.answer_at is not None

    def reset(self) -> None:
        """Another step: what was asked is over."""
        self.deeds = []
        self.asking = self.answer_at = None

    def ask(self, now: float, progress: Progress) -> list[Effect] | None:
        """Ask the player, who may have a limited time; or see a wish done. ``None``: it is decided already.

        Where hidden cards say whether there is a choice, the answer is given after a fixed time in any case.
        """
        hand = self._hand(progress)
        position, task = progress.position, progress.task
        actions = position.choices(self._seat, hand)
        if isinstance(task, Choose) and task.wish:
            self.deeds.append(position.deed(self._seat, hand, self._wished(actions)))
            return None
        is_hidden = task.delayed if isinstance(task, Choose) else True
        limit = task.limit if isinstance(task, Choose) and not self.is_unhurried else 0
        seconds = self._held_back(task) if is_hidden else float(limit)
        self.answer_at = now + seconds if seconds else None
        self._is_held_back = is_hidden
        timer: list[Effect] = [Timer(seconds)] if seconds else []
        if not isinstance(task, Choose) and len(actions) == 1:
            self.deeds.append(position.deed(self._seat, hand, actions[0]))
            return timer or None
        self.asking = progress
        told = None if self._has_no_end(task) else seconds or None
        return [Tell(YourMove(self._view(progress), actions, told)), *timer]

    def wish(self, progress: Progress, action: Action) -> bool:
        """Remember a wish for later; whether ``action`` is one, and not possible at once."""
        if action.verb not in progress.position.rules.info.wishes or self._is_legal_now(action):
            return False
        self._wish = action
        return True

    def act(self, now: float, action: Action) -> bool:
        """Take the player's decision; whether the answer may be given. Raises ``IllegalAction``."""
        progress = self.asking
        if progress is None:
            raise IllegalAction(Reason("not-your-turn"))
        self.deeds.append(legal_deed(progress.position, self._seat, self._hand(progress), action))
        self.asking = None
        if self._is_held_back and self.answer_at is not None and now < self.answer_at:
            return False
        self.answer_at = None
        return True

    def is_due(self, now: float) -> bool:
        """Whether the time is up. The answer decided on is then given, or else the first legal one."""
        if self.answer_at is None or now < self.answer_at:
            return False
        self.answer_at = None
        progress = self.asking
        if progress is not None and self._has_no_end(progress.task):
            return False
        if progress is not None:
            hand = self._hand(progress)
            first = progress.position.choices(self._seat, hand)[0]
            self.deeds.append(progress.position.deed(self._seat, hand, first))
            self.asking = None
        return True

    def _held_back(self, task: Task | None) -> float:
        return min(self._answer_delay, HELD_BACK) if self._has_no_end(task) else self._answer_delay

    def _has_no_end(self, task: Task | None) -> bool:
        """Whether a person decides, who is asked in any case and takes as long as people do."""
        return self._waits and isinstance(task, Choose) and task.delayed

    def _is_legal_now(self, action: Action) -> bool:
        progress = self.asking
        return progress is not None and action in progress.position.choices(self._seat, self._hand(progress))

    def _wished(self, actions: tuple[Action, ...]) -> Action:
        """What the player wished for, once it is legal; else the first legal action."""
        wish = self._wish
        if wish is None or wish not in actions:
            return actions[0]
        self._wish = None
        return wish
