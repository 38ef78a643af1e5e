"""Heavy work on threads. Proofs spend their time in libsodium, which runs without Python's global lock."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Any, Protocol, Self

SWITCH_EVERY = 0.001
"""Seconds a thread may keep Python's lock while another waits for it. With the usual 5 ms, an event loop that
has something to do waits up to 5 ms for each thread that is in the Python part of a proof."""

FULL_EVERY = 100
"""Collections of the second generation before a full one (usually 10): a full one takes 20 ms, and what only
it could find are rings of objects that have outlived two others. A game makes few of these."""


def keep_loop_even() -> None:
    """Let the event loop of this process run evenly while threads work. Call it once all is loaded.

    A full collection of garbage walks over every object there is, on whatever thread it comes due: 20 ms and
    more with all modules loaded. What is there now stays until the end, so it is taken out of that walk.
    """
    sys.setswitchinterval(SWITCH_EVERY)
    gc.set_threshold(*gc.get_threshold()[:2], FULL_EVERY)
    gc.collect()
    gc.freeze()


class Job(Protocol):
    """Anything with ``run``: no side effects, may run in any thread."""

    def run(self) -> Any:
        """The result."""


class WorkPool:
    """Runs jobs on ``workers`` threads (default: one per processor). Use it with ``async with``, or call
    ``close``."""

    def __init__(self, workers: int | None = None) -> None:
        self._executor = ThreadPoolExecutor(workers or os.cpu_count() or 1, thread_name_prefix="shoal-work")
        self._running: set[Future[Any]] = set()

    async def run(self, job: Job) -> Any:
        """The result of ``job.run()``, or the exception it raised, as a value.

        If the caller is cancelled meanwhile, a job that has begun runs to its end and its result is dropped.
        """
        future = self._executor.submit(_run, job)
        self._running.add(future)
        future.add_done_callback(self._running.discard)
        return await asyncio.wrap_future(future)

    async def close(self) -> None:
        """Drop the jobs that have not begun, wait for those that have, and end the threads."""
        running = list(self._running)
        self._executor.shutdown(wait=False, cancel_futures=True)
        await asyncio.gather(*(asyncio.wrap_future(each) for each in running), return_exceptions=True)
        self._executor.shutdown(wait=True)  # nothing runs any more, so this does not hold up the loop

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def _run(job: Job) -> Any:
    try:
        return job.run()
    except Exception as error:  # noqa: BLE001  # whoever asked for the job decides what it means
        return error
