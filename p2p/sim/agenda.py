"""What is going to happen in a simulated world, in the order of its time, and the draws that decide how."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from typing import TypeAlias

from engine.rng import Stream

Happening: TypeAlias = Callable[[], None]


class Agenda:
    """One world's time. Nothing happens but what ``pop`` hands out."""

    def __init__(self, seed: int) -> None:
        self.now = 0.0
        self.draw = Stream(seed, "world")
        self._events: list[tuple[float, int, Happening]] = []
        self._count = 0

    @property
    def soonest(self) -> float | None:
        """When the next thing happens; ``None`` where nothing is left."""
        return self._events[0][0] if self._events else None

    @property
    def following(self) -> int:
        """The number that the next call of ``number`` gives."""
        return self._count + 1

    def number(self) -> int:
        """A number higher than all before it."""
        self._count += 1
        return self._count

    def at(self, when: float, event: Happening, number: int = 0) -> None:
        """At the same time the lower ``number`` goes first, usually that of the earlier call."""
        own = self.number()
        heapq.heappush(self._events, (when, number or own, event))

    def within(self, most: float, event: Happening) -> None:
        """Some time in the next seconds."""
        self.at(self.now + self.uniform(most), event)

    def pop(self) -> Happening:
        """What comes next, when its time has come. Raises ``IndexError`` where nothing is left."""
        when, _, event = heapq.heappop(self._events)
        self.now = max(self.now, when)
        return event

    def uniform(self, most: float) -> float:
        """Seconds, from 0 to ``most``."""
        return self.draw.below(1_000_000) / 1_000_000 * most

    def happens(self, chance: float) -> bool:
        """Whether something of this probability happens."""
        return chance > 0 and self.uniform(1.0) < chance
