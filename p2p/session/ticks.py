"""The pace of a race at one seat: when it commits, and who lags (design, section 6).

Pure values of the session's clock, in seconds. A tick is two steps: all commit to a deed, then all open. A
seat commits no earlier than the tick's wait after its last commitment, so the slowest seat sets the pace.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.table import Deed

from ..log.codec import decode

USUAL_WAIT = 0.150
"""Seconds of a tick until one without a look pause was seen: the default of the games."""

ABSENT_AFTER = 2.0
"""Seconds after which a commitment or opening is missing. A LAN answers within 0.01, a busy machine within
0.5; longer, and one player's broken link would spoil the fish for all."""

LAG_TOLD = 0.5
"""Seconds a tick may wait for a seat before the player is told who it is: three ticks, when it begins to
show."""

MAX_QUEUE = 4
"""Actions a player may be ahead of the ticks: more than fingers manage in a second, and few enough that a
stuck race does not play by itself for long."""


@dataclass(frozen=True, slots=True)
class CommittedDeed:
    """What this seat has committed to and not opened yet: stored in one transaction with the commitment."""

    epoch: int
    step: int
    deed: Deed


def committed_deed(epoch: int, step: int, deed: bytes) -> CommittedDeed:
    """A stored deed, from the bytes of its encoding. Raises ``Malformed``."""
    return CommittedDeed(epoch, step, decode(deed, Deed))


@dataclass(slots=True)
class Pace:
    """The timing of one seat's ticks."""

    usual: float = USUAL_WAIT
    last: float | None = None
    committed: CommittedDeed | None = None
    _own: float | None = None
    _arrived: dict[int, float] = field(default_factory=dict)

    def due(self, began: float, wait_ms: int) -> float:
        """When this seat may commit, in a step that began at ``began``.

        The wait counts from the own last commitment; in the first tick of a race from the end of what came
        before it, so that everyone may look at what was shown.
        """
        return began + wait_ms / 1000 if self.last is None else max(began, self.last + wait_ms / 1000)

    def begin_tick(self, wait_ms: int) -> None:
        """A new tick: nobody has committed yet."""
        if self.last is not None:
            self.usual = wait_ms / 1000
        self._own = None
        self._arrived = {}

    def commit(self, now: float, committed: CommittedDeed) -> None:
        """This seat has committed."""
        self.last = self._own = now
        self.committed = committed

    def arrive(self, seat: int, now: float) -> None:
        """The commitment of another seat is here. Its first arrival counts."""
        self._arrived.setdefault(seat, now)

    def marks(self) -> int:
        """One bit per seat: its commitment came more than one tick after ours.

        Without a time of our own (after a restart) nobody is marked.
        """
        if self._own is None:
            return 0
        limit = self._own + self.usual
        return sum(1 << seat for seat, when in self._arrived.items() if when > limit)

    def end(self) -> None:
        """The race is over, or this seat is out of it."""
        self.last = self._own = None
        self._arrived = {}
