"""Long computations on all cores, which end at once when they are not wanted any more."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from itertools import islice
from typing import Final, TypeVar

MOST: Final = 16
"""Processes at most: with more, handing out the work costs more than they save."""

AHEAD: Final = 4
"""Pieces of work given out for each process, so that none waits for the next one."""

LOOK: Final = 0.1
"""Seconds between two looks whether Ctrl-C was pressed, while a result is waited for."""

Piece = TypeVar("Piece")
Result = TypeVar("Result")


def workers(work: int) -> int:
    """How many processes to give so many pieces of work to; one means: do it here.

    On Windows each would start as slowly as the program itself.
    """
    return 1 if sys.platform == "win32" else min(os.cpu_count() or 1, MOST, max(work, 1))


def spread(
    work: Callable[[Piece], Result],
    pieces: Iterable[Piece],
    count: int,
    begin: Callable[[], object] | None = None,
) -> Iterator[Result]:
    """The results of all pieces in order, from ``count`` processes, each of which does ``begin`` first.

    After Ctrl-C, which raises ``KeyboardInterrupt`` here and nowhere else, or where the rest is not asked
    for, what the processes are at is dropped.
    """
    left, waiting = iter(pieces), deque[Future[Result]]()
    with _ctrl_c() as was_pressed:
        pool = ProcessPoolExecutor(count, initializer=_begin, initargs=(begin,))
        is_done = False
        try:
            while True:
                more = islice(left, AHEAD * count - len(waiting))
                waiting += [pool.submit(work, piece) for piece in more]
                if not waiting:
                    break
                yield _result(waiting.popleft(), was_pressed)
            is_done = True
        finally:
            if not is_done:
                for each in multiprocessing.active_children():
                    each.terminate()
            pool.shutdown(cancel_futures=True)


def _result(future: Future[Result], was_pressed: threading.Event) -> Result:
    while not was_pressed.is_set():
        try:
            return future.result(LOOK)
        except TimeoutError:
            if future.done():  # the work's own error
                raise
    raise KeyboardInterrupt


@contextmanager
def _ctrl_c() -> Iterator[threading.Event]:
    """Whether Ctrl-C was pressed. Raised wherever the program is, it could leave a lock of the pool's behind,
    for which another thread waits for ever."""
    was_pressed = threading.Event()
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        yield was_pressed
        return
    before = signal.signal(signal.SIGINT, lambda *_: was_pressed.set())
    try:
        yield was_pressed
    finally:
        signal.signal(signal.SIGINT, before)


def _begin(begin: Callable[[], object] | None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the program ends them
    if begin is not None:
        begin()
