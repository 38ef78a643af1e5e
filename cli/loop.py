"""Running a command's coroutine: Ctrl-C, SIGTERM and a closed terminal all cancel it, so that it can
clean up."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import threading
from collections.abc import Awaitable, Coroutine
from types import FrameType
from typing import Any, Final, TypeVar

from .errors import Interrupted

T = TypeVar("T")

STUCK: Final = 15.0
"""Seconds that a command may take to notice that it shall end. It takes milliseconds; one that computes for
that long without an end would outlive its terminal, and only SIGKILL would end it."""

_OF_BROKEN_LINKS: Final = ("socket.send() raised exception.", "SSL connection is closed")
"""What asyncio warns of where several frames are written to a connection before its end has been told. Links
tell it themselves, in words; on the standard error it would only stand in a player's screen."""

_told_to_end: list[str] = []


def was_told_to_end() -> bool:
    """Whether a signal asked this process, and not only the command that was running, to end."""
    return bool(_told_to_end)


def run_async(work: Coroutine[Any, Any, T]) -> T:
    """The result of ``work``. Raises ``Interrupted`` where a signal ended it and it had nothing better
    to say."""
    logging.getLogger("asyncio").addFilter(_is_news)
    try:
        return asyncio.run(_with_signals(work))
    except (asyncio.CancelledError, KeyboardInterrupt):
        raise Interrupted from None


def _is_news(record: logging.LogRecord) -> bool:
    return record.msg not in _OF_BROKEN_LINKS


async def _with_signals(work: Coroutine[Any, Any, T]) -> T:
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()
    assert task is not None
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None:
            # Windows has no such handlers; there only Ctrl-C is met.
            with contextlib.suppress(NotImplementedError, ValueError):
                noticed = threading.Event()
                loop.add_signal_handler(number, _end, name, task, noticed)
                _watch(number, noticed)
    return await work


def _end(signal_name: str, task: asyncio.Task[Any], noticed: threading.Event) -> None:
    noticed.set()
    _told_to_end.append(signal_name)
    task.cancel()


def _watch(number: int, noticed: threading.Event) -> None:
    """The loop learns of the signal by its own means, once it gets to it; this handler runs at once, and sees
    to it that the process ends where the loop never does. What is stored is whole at any time."""

    def force() -> None:
        if not noticed.wait(STUCK):
            os.kill(os.getpid(), signal.SIGKILL)

    def handler(_number: int, _frame: FrameType | None) -> None:
        threading.Thread(target=force, daemon=True).start()

    signal.signal(number, handler)


async def first_of(*works: Awaitable[T]) -> T:
    """The result of the work that ends first; of several that end in the same moment, that of the first of
    them. The others are cancelled. Its exception is raised as it is."""
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        return next(task for task in tasks if task.done()).result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
