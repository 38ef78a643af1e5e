"""What is remembered of each tag at each place, and for how long."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ..readers.base import Presence, Profile
from ..uids import Uid

HOLD = 0.4
"""Seconds without a tag before it has gone, and at least `MISSES` rounds: one reading in sixteen was seen to
fail, and waking a tag that lies still fails every second time (P-2)."""

MISSES = 3
"""Rounds of a reader that must miss a tag in a row: one or two fail by chance."""

CLOSE = 0.25
"""Seconds within which an unknown tag must be read twice, and at least 2.5 periods of its reader (P-4)."""

CLOSE_TAPS = 5.0
"""The same at a reader that reports a tag once: time to lift it and tap again."""

REARM = 0.8
"""Seconds without a tag before another reading of it is another tap. Programs that repeat do so every 0.5
s."""

MOST_HEARD = 256
"""Tags remembered at one place: four decks. Beyond that the one that was silent longest is dropped."""


@dataclass(slots=True)
class HeardTag:
    """A tag as one place hears it. ``first``, ``last`` and ``since`` are times of the caller's clock;
    ``doubted``: it was there before its place became unsure."""

    uid: Uid
    first: float
    last: float
    readings: int = 0
    misses: int = 0
    strength: float | None = None
    present: bool = False
    since: float = 0.0
    tapped: bool = False
    doubted: bool = False


@dataclass(slots=True)
class Pad:
    """One place, and all tags heard there by their ids."""

    profile: Profile
    tags: dict[bytes, HeardTag] = field(default_factory=dict)
    failed: int = 0
    disturbed: bool = False
    unsure: bool = False
    settles: float | None = None
    believed: bool = False
    """Nobody will say again what lies here, and a card rarely moves in the seconds of a lost link: its tags
    stay when the link is back, until they are seen elsewhere."""

    @property
    def hold(self) -> float:
        """Seconds of silence after which a tag has gone."""
        return max(HOLD, MISSES * self.profile.period)

    @property
    def close(self) -> float:
        """Seconds within which an unknown tag must be read twice."""
        if self.profile.presence is Presence.EDGE:
            return CLOSE_TAPS
        return max(CLOSE, 2.5 * self.profile.period)

    @property
    def memory(self) -> float:
        """Seconds that a tag is remembered which is not present."""
        return max(self.close, self.hold, REARM)

    def heard(self, uid: Uid, now: float) -> HeardTag:
        """A tag that is heard here for the first time."""
        if len(self.tags) >= MOST_HEARD:
            silent = min(
                (key for key, tag in self.tags.items() if not tag.present),
                key=lambda key: self.tags[key].last,
                default=None,
            )
            if silent is not None:
                del self.tags[silent]
        tag = self.tags[uid.data] = HeardTag(uid, now, now)
        return tag

    def enough(self, tag: HeardTag, known: bool) -> bool:
        """Whether a tag has been read often enough to be there. A reader that reports arrivals and departures
        has made sure of them."""
        return known or tag.readings >= 2 or self.profile.presence is Presence.REPORTED

    def deadlines(self) -> Iterator[float]:
        """When something here changes by the passing of time alone."""
        if self.settles is not None:
            yield self.settles
        for tag in self.tags.values():
            if not tag.present:
                if self.profile.presence is not Presence.REPORTED:
                    yield tag.last + self.memory
            elif self.profile.presence is Presence.REPEATED and not self.unsure:
                yield tag.last + self.hold
