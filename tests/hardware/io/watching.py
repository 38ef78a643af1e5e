"""A watch that runs in the background of a test."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable

from hardware.events import Event
from hardware.io import Link, Read, watch
from hardware.presence import Tracker
from hardware.readers import Reading
from hardware.tags import Book

PATIENCE = 60.0
"""Seconds until something that must happen counts as missing; the machine may be busy with other tests."""


class Watching:
    """A watch in the background, and what it has given so far."""

    def __init__(self, book: Book, *links: Link) -> None:
        self.seen: list[tuple[object, float]] = []
        self.tracker = Tracker(book.known)
        self._task = asyncio.create_task(self._run(links))

    async def _run(self, links: tuple[Link, ...]) -> None:
        async with contextlib.aclosing(watch(links, self.tracker)) as watched:
            async for what, _at in watched:
                self.seen.append((what, time.monotonic()))

    @property
    def events(self) -> list[Event]:
        return [what for what, _ in self.seen if not isinstance(what, Read)]

    @property
    def readings(self) -> list[Reading]:
        return [what.reading for what, _ in self.seen if isinstance(what, Read)]

    async def until(self, true: Callable[[], bool], seconds: float = PATIENCE) -> None:
        async with asyncio.timeout(seconds):
            while not true():
                if self._task.done():
                    self._task.result()
                await asyncio.sleep(0.005)

    async def until_event(self, kind: type, count: int = 1) -> None:
        await self.until(lambda: sum(isinstance(event, kind) for event in self.events) >= count)

    async def until_reading(self, kind: type, count: int = 1) -> None:
        await self.until(lambda: sum(isinstance(reading, kind) for reading in self.readings) >= count)

    async def stop(self) -> None:
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task


@contextlib.asynccontextmanager
async def watching(book: Book, *links: Link) -> AsyncIterator[Watching]:
    """Follow the links until the block ends."""
    watched = Watching(book, *links)
    try:
        yield watched
    finally:
        await watched.stop()
