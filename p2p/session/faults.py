"""Faults that this seat can prove, and does not name yet.

A fault is proved by what was signed on a head. Where the others certify that a contribution of this seat's
own keeper is missing, that keeper's seats have gone on alone, and the heads that followed are void: so is
what anybody signed on them, a lie too. Whoever ended its game over such a lie would be waited for by all
others, who cannot know of it. So a fault is named once another keeper is known to stand on the same history,
behind the last contribution of one's own. A seat that does not speak for its keeper in absence rounds does
not know what that has stated either, and waits until it stands there, too.
"""

from __future__ import annotations

from collections.abc import Collection

from ..log.absence import LEAST_KEEPERS
from ..log.wire import HEAD_HINT
from .effects import Fault
from .history import History


class PendingFaults:
    """Faults by the step at which their evidence was signed, and what is known of where the others stand."""

    def __init__(self, history: History, seat: int) -> None:
        self._history = history
        self._seat = seat
        self._keeper = history.charter.seats[seat].keeper
        self._found: dict[tuple[int, int], Fault] = {}
        self._stands: dict[int, tuple[int, bytes]] = {}

    def __bool__(self) -> bool:
        return bool(self._found)

    def note(self, peer: int, step: int, hint: bytes) -> None:
        """``peer`` says, or shows by what it hands on, that it has come to ``step`` of the history with this
        hint of the head. The furthest on our own history is kept."""
        known = self._stands.get(peer)
        if (
            known is not None
            and self._is_ours(*known)
            and not (step > known[0] and self._is_ours(step, hint))
        ):
            return
        self._stands[peer] = (step, hint)

    def _is_ours(self, step: int, hint: bytes) -> bool:
        return step <= self._history.step and self._history.heads[step][:HEAD_HINT] == hint

    def keep(self, fault: Fault) -> bool:
        """Wait until ``fault`` can be named. ``False``: one of that seat at that step is known already."""
        place = (_place(fault), fault.seat)
        return self._found.setdefault(place, fault) is fault

    def firm(self, held: Collection[int]) -> Fault | None:
        """A fault that can be named now, where these seats contributed to the step under way. Those whose
        history was taken back are forgotten."""
        history = self._history
        for place, fault in list(self._found.items()):
            if place[0] > history.step or history.heads[place[0]] != fault.head:
                del self._found[place]
            elif self.is_firm(fault, held):
                return fault
        return None

    def is_firm(self, fault: Fault, held: Collection[int]) -> bool:
        """Whether no certificate can void the history on which the evidence was signed."""
        step, accused = _place(fault), self._keeper_of(fault.seat)
        others = set(range(len(self._history.charter.seats))) - set(self._of(self._keeper))
        others -= set(self._of(accused))
        own = self._last_own(step)
        if own is not None and not self._stand(others, own + 1, held):
            return False
        return self._speaks_for_itself(step, accused) or self._stand({self._keeper}, step, held)

    def _speaks_for_itself(self, step: int, accused: int) -> bool:
        there = self._history.keepers_at(step)
        is_bound = self._keeper in there and len(there) >= LEAST_KEEPERS and accused != self._keeper
        return self._seat == self._keeper or not is_bound

    def _last_own(self, before: int) -> int | None:
        """The last step before this one that one's own keeper contributed to, if that could be certified
        missing."""
        history, mine = self._history, self._of(self._keeper)
        for step in range(before - 1, -1, -1):
            if any(entry.seat in mine for entry in history.steps[step]):
                return step if len(history.keepers_at(step)) >= LEAST_KEEPERS else None
        return None

    def _stand(self, seats: Collection[int], step: int, held: Collection[int]) -> bool:
        """Whether one of these seats is known to have come as far as ``step`` on this history."""
        history = self._history
        signed = [entry.seat for entries in history.steps[step:] for entry in entries]
        if step <= history.step:
            signed += held
        return any(seat in seats for seat in signed) or any(
            seat in seats and at >= step and self._is_ours(at, hint)
            for seat, (at, hint) in self._stands.items()
        )

    def _keeper_of(self, seat: int) -> int:
        return self._history.charter.seats[seat].keeper

    def _of(self, keeper: int) -> tuple[int, ...]:
        return tuple(seat for seat, each in enumerate(self._history.charter.seats) if each.keeper == keeper)


def _place(fault: Fault) -> int:
    """The step on whose head the evidence was signed: where it shows an earlier lie, not that one's."""
    return fault.evidence[0].step if fault.evidence else fault.statements[0].step
