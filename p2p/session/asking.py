"""What this seat asks the others for, so that it asks nobody twice for one thing, and gives up no question.

Answers and frames get lost: what is missing is asked for again, at longer and longer intervals.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..log.wire import MAX_STEP, Have, Want, encode_message
from .effects import Effect, Send
from .history import History

ASK_AGAIN = 2.0
"""Seconds a step may stay incomplete before the others are asked for what they hold of it: far above a LAN's
delay."""

ASK_AT_MOST = 30.0
"""Seconds between two such questions at most: they double while a player simply thinks."""


class Questions:
    """The questions of one session, by the seat that is asked."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._asked_at = 0.0
        self._pause = ASK_AGAIN
        self._asked: dict[int, tuple[int, int]] = {}
        self._asked_past: set[tuple[int, int]] = set()
        self._reading: dict[int, int] = {}
        self._further: dict[int, int] = {}

    # --- for what follows our step --------------------------------------------------------------------------

    def ask(self, peer: int) -> Send:
        """Ask for all that follows where we are; it also says how far we are."""
        return Send(peer, encode_message(Want(self._history.epoch, self._history.step)))

    def ask_all(self, peers: Iterable[int]) -> list[Effect]:
        """The same to all of these."""
        return [self.ask(peer) for peer in peers]

    def ask_once(self, peer: int) -> list[Effect]:
        """The same, once per step: a lost answer is asked for again as time passes."""
        at = (self._history.epoch, self._history.step)
        if self._asked.get(peer) == at:
            return []
        self._asked[peer] = at
        return [self.ask(peer)]

    def begin_step(self, now: float) -> None:
        """Something else is awaited from now on."""
        self._asked_at = now
        self._pause = ASK_AGAIN

    def are_due(self, now: float) -> bool:
        """Whether what is still missing is to be asked for again."""
        return now - self._asked_at >= self._pause

    def repeat(self, now: float, peers: Iterable[int]) -> list[Effect]:
        """Ask all of these again; the next time after twice the pause."""
        self._asked_at = now
        self._pause = min(2 * self._pause, ASK_AT_MOST)
        return self.ask_all(peers)

    # --- for another history --------------------------------------------------------------------------------

    def ask_past(self, peer: int, step: int) -> list[Effect]:
        """``peer`` stands on another history: ask for it from the start, so that the fork's author shows."""
        if (peer, step) in self._asked_past:
            return []
        self._asked_past.add((peer, step))
        self._reading[peer] = 0
        return [Send(peer, encode_message(Want(self._history.epoch, 0)))]

    def read_on(self, peer: int, message: Have) -> list[Effect]:
        """``peer`` has answered: ask for the next part of its other history, where one is being read."""
        before, following = self._reading.pop(peer, None), message.following
        if before is None or not before < following <= min(message.step, self._history.step):
            return []
        self._reading[peer] = following
        return [Send(peer, encode_message(Want(self._history.epoch, following)))]

    # --- of those that are further --------------------------------------------------------------------------

    def note(self, peer: int, step: int) -> None:
        """``peer`` says that it is at ``step``, further than we are: it is asked again when we get there."""
        self._further[peer] = step

    def has_caught_up(self, peer: int) -> bool:
        """Whether we have come as far as ``peer`` said that it was. True once, as it is asked again then."""
        if self._further.get(peer, MAX_STEP) > self._history.step:
            return False
        del self._further[peer]
        return True
