"""Long computations on all cores, which end at once when they are not wanted any more."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager

MOST = 16
"""Processes at most: with more, handing out the work costs more than they save."""


def workers(work: int) -> int:
    """How many processes to give so many pieces of work to; one means: do it here.

    On Windows each would start as slowly as the program itself.
    """
    return 1 if sys.platform == "win32" else min(os.cpu_count() or 1, MOST, max(work, 1))


@contextmanager
def processes(count: int, begin: Callable[[], object] | None = None) -> Iterator[ProcessPoolExecutor]:
    """So many processes, each of which does ``begin`` first. After Ctrl-C, or any error, what they are at is
    dropped."""
    pool = ProcessPoolExecutor(count, initializer=_begin, initargs=(begin,))
    try:
        yield pool
    except BaseException:
        for each in multiprocessing.active_children():
            each.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _begin(begin: Callable[[], object] | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the program ends them
    if begin is not None:
        begin()
