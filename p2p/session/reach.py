"""Which seats there are links to, and since when the others have been out of reach.

Time in which this machine itself was not there is nobody's absence.
"""

from __future__ import annotations

from collections.abc import Iterable

ASLEEP = 10.0
"""Seconds between two looks at the clock, of which there is one every two, after which this machine itself
was not there: a lid was closed, or the program stopped. The others are not blamed for that time."""


class Reach:
    """Links of one session, and how long a step has lasted. Times are in seconds, as everywhere."""

    def __init__(self) -> None:
        self._linked: set[int] = set()
        self._unlinked: dict[int, float] = {}
        self._first: dict[int, float] = {}
        self._step_since = self._looked_at = 0.0

    def start(self, now: float, others: Iterable[int]) -> None:
        """No link is there yet."""
        self._unlinked = dict.fromkeys(others, now)
        self._looked_at = now

    @property
    def linked(self) -> tuple[int, ...]:
        """The seats with a link, in order."""
        return tuple(sorted(self._linked))

    @property
    def unlinked(self) -> frozenset[int]:
        """The seats without one."""
        return frozenset(self._unlinked)

    def up(self, now: float, peer: int) -> None:
        """There is a link to ``peer``."""
        self._first.setdefault(peer, now)
        self._linked.add(peer)
        self._unlinked.pop(peer, None)

    def down(self, now: float, peer: int) -> None:
        """There is none any more."""
        self._linked.discard(peer)
        self._unlinked.setdefault(peer, now)

    def begin_step(self, now: float) -> None:
        """From now on something else is waited for."""
        self._step_since = now

    def look(self, now: float) -> None:
        """See whether this machine slept."""
        slept = now - self._looked_at
        self._looked_at = now
        if slept > ASLEEP:
            self._step_since = min(now, self._step_since + slept)
            self._unlinked = {peer: min(now, since + slept) for peer, since in self._unlinked.items()}
            self._first = {peer: min(now, since + slept) for peer, since in self._first.items()}

    def has_lasted(self, now: float, seconds: float) -> bool:
        """Whether the step under way began so long ago, or longer."""
        return now >= self._step_since + seconds

    def are_away(self, seats: Iterable[int], since: float) -> bool:
        """Whether there was no link to any of these seats after ``since``."""
        return all(self._unlinked.get(seat, since + 1) <= since for seat in seats)

    def were_there(self, seats: Iterable[int], since: float) -> bool:
        """Whether each of these seats had its first link by ``since``, however often it has gone again."""
        return all(self._first.get(seat, since + 1) <= since for seat in seats)
