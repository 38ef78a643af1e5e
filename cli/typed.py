"""Typed lines: those read ahead of what has been obeyed, and those of the standard input."""

from __future__ import annotations

import asyncio
import codecs
import contextlib
import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Final

BLOCK: Final = 4096
"""Bytes read from a pipe at once."""

MAX_LINE: Final = 4096
"""Characters of a typed line; what is longer is cut, since no command is."""

MAX_AHEAD: Final = 100
"""Lines read ahead of what has been obeyed; then the pipe has to wait."""


class LineQueue:
    """Lines typed ahead. Once the input has ended, ``get`` says so each time; lines put in go before that."""

    def __init__(self) -> None:
        # Lines, and whether they were typed; of no line, whether it is the end of the input.
        self._lines: asyncio.Queue[tuple[str | None, bool]] = asyncio.Queue()
        self._has_ended = False

    def put(self, line: str | None) -> None:
        """One line, cut to ``MAX_LINE``; ``None`` at the end."""
        self._lines.put_nowait((None if line is None else line[:MAX_LINE], line is None))

    def put_typed(self, line: str | None) -> None:
        """The same, for a line that takes up room among those read ahead."""
        self._lines.put_nowait((None if line is None else line[:MAX_LINE], True))

    async def get(self) -> str | None:
        """See ``Console.read``."""
        line, _is_typed = await self.get_with_origin()
        return line

    def look_again(self) -> None:
        """What ``waits`` says of ``get_with_origin`` may have changed."""
        self._lines.put_nowait((None, False))

    async def get_with_origin(self, waits: Callable[[], bool] = lambda: False) -> tuple[str | None, bool]:
        """The next line, and whether it was ``put_typed``; as long as it ``waits`` the end of the input is
        none."""
        while True:
            if self._has_ended and self._lines.empty() and not waits():
                return None, False
            line, is_typed = await self._lines.get()
            if line is not None:
                return line, is_typed
            self._has_ended = self._has_ended or is_typed
            if is_typed and not waits():
                return None, False

    def unread(self) -> list[str]:
        """The typed lines that nobody got; they are here no longer."""
        found = []
        while not self._lines.empty():
            line, is_typed = self._lines.get_nowait()
            if is_typed and line is not None:
                found.append(line)
        return found


class StandardInput:
    """The lines of the standard input, for one console after another.

    A read from a terminal cannot be called off, and a second thread would take every other line: so there is
    one, a daemon. It reads the descriptor, not ``sys.stdin``, whose lock would stop the interpreter's
    shutdown.
    """

    _here: StandardInput | None = None

    def __init__(self, stream: object) -> None:
        self.stream = stream
        self._lock = threading.Lock()
        self._room = threading.Semaphore(MAX_AHEAD)
        self._waiting: deque[str | None] = deque()
        self._tell: Callable[[str | None], object] | None = None
        self._is_read = False

    @classmethod
    def of_process(cls) -> StandardInput:
        """That of the standard input as it is now."""
        if cls._here is None or cls._here.stream is not sys.stdin:
            cls._here = cls(sys.stdin)
        return cls._here

    def listen(self, loop: asyncio.AbstractEventLoop, take: Callable[[str | None], object]) -> None:
        """From now on lines go to ``take``, in the thread of ``loop``; ``None`` at the end. On a terminal
        there may be more after an end."""
        with self._lock:
            self._tell = lambda line: loop.call_soon_threadsafe(take, line)
            while self._waiting:
                take(self._waiting.popleft())
            if not self._is_read:
                self._is_read = True
                threading.Thread(target=self._pump, daemon=True, name="shoal-stdin").start()

    def leave(self, unread: Sequence[str]) -> None:
        """Nobody takes lines now; ``unread`` were taken and not used."""
        with self._lock:
            self._tell = None
            self._waiting.extendleft(reversed(unread))

    def took_one(self) -> None:
        """A line was used, and another one can be read."""
        self._room.release()

    def _pump(self) -> None:
        for line in _lines_of_stdin():
            self._room.acquire()
            self._give(line)
        with self._lock:
            self._is_read = False
        self._give(None)

    def _give(self, line: str | None) -> None:
        with self._lock:
            if self._tell is None:
                self._waiting.append(line)
                return
            with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
                self._tell(line)


def _lines_of_stdin() -> Iterator[str]:
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    text = ""
    with contextlib.suppress(OSError, ValueError):  # a standard input that is closed has ended
        number = sys.stdin.fileno()
        while data := os.read(number, BLOCK):
            *lines, text = (text + decoder.decode(data)).split("\n")
            yield from (line.rstrip("\r") for line in lines)
            text = text[:MAX_LINE]  # the rest of a line without end is dropped
    text += decoder.decode(b"", final=True)
    if text:
        yield text
