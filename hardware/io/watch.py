"""Several readers at once: their readings, and the events of the table they make."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from ..events import Event
from ..presence import Tracker
from ..readers import Profile, Reading
from .reader_link import Timed
from .serial_port import Clock

BEAT = 0.1
STALL = 0.15
"""Seconds between two looks at the clock at most, and how late the second may be. Beyond that the program has
stood still, on a busy machine or one that slept, and what it did not hear meanwhile has not gone."""


@dataclass(frozen=True, slots=True)
class Read:
    """A reading of one reader, for those who watch the readers themselves."""

    reader: str
    reading: Reading


Watched: TypeAlias = Read | Event


class Machine(Protocol):
    """What `watch` needs to know of a reader."""

    @property
    def profile(self) -> Profile: ...


class Link(Protocol):
    """A reader that can be watched: `ReaderLink` on a port, `MqttLink` behind a broker."""

    @property
    def name(self) -> str: ...

    @property
    def reader(self) -> Machine: ...

    def readings(self) -> AsyncIterator[Timed]:
        """All readings with their times, for ever."""
        ...


async def watch(
    links: Sequence[Link], tracker: Tracker, clock: Clock = time.monotonic
) -> AsyncIterator[tuple[Watched, float]]:
    """Readings and events of all ``links``, each reading before its events, with their times, until it is
    closed.

    The links must have names of their own and the same clock. What a link raises ends it all.
    """
    inbox: asyncio.Queue[tuple[str, Reading, float]] = asyncio.Queue()

    async def follow(link: Link) -> None:
        async for reading, at in link.readings():
            inbox.put_nowait((link.name, reading, at))

    for link in links:
        tracker.add(link.name, link.reader.profile)
    tasks = [asyncio.create_task(follow(link), name=f"reader {link.name}") for link in links]
    latest = alive = clock()
    try:
        while True:
            arrived = await _next(inbox, tracker.wake, clock, tasks)
            now = clock()
            if now > alive + BEAT + STALL:
                latest = max(latest, now)
                tracker.resume(latest)
            alive = now
            if arrived is None:
                latest = max(latest, now)
                events = tracker.tick(latest)
            else:
                name, reading, at = arrived
                latest = max(latest, at)
                yield Read(name, reading), at
                events = tracker.take(name, reading, latest)
            for event in events:
                yield event, latest
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _next(
    inbox: asyncio.Queue[tuple[str, Reading, float]],
    wake: float | None,
    clock: Clock,
    tasks: Sequence[asyncio.Task[None]],
) -> tuple[str, Reading, float] | None:
    """What comes next, or ``None`` when it is time to look at the clock. Raises what ended a link."""
    get = asyncio.ensure_future(inbox.get())
    wait = BEAT if wake is None else min(BEAT, max(0.0, wake - clock()))
    try:
        await asyncio.wait({get, *tasks}, timeout=wait, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            if task.done():
                task.result()
        return get.result() if get.done() else None
    finally:
        get.cancel()
