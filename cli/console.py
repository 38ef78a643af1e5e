"""Where lines come from and go to: a prompt with editing on a terminal, bare lines everywhere else.

Ctrl-C, wherever it is noticed, becomes SIGINT, which cancels the running command (``asyncio.Runner``).
"""

from __future__ import annotations

import asyncio
import codecs
import contextlib
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Protocol

import click

BLOCK = 4096
"""Bytes read from a pipe at once."""

MAX_LINE = 4096
"""Characters of a typed line; what is longer is cut, since no command is."""


class Console(Protocol):
    """Lines in, lines out."""

    is_interactive: bool
    """Whether a person can be asked."""
    prompt: str
    """What stands before the cursor, where ``prompt_is_shown``."""
    prompt_is_shown: bool
    """Whether this console draws a prompt."""
    words: Callable[[], Iterable[str]]
    """Whole lines that might be meant now, for completion."""

    def write(self, text: str) -> None:
        """One line, or several."""

    async def read(self) -> str | None:
        """The next line; ``None`` at the end of the input."""


@contextlib.asynccontextmanager
async def open_console(plain: bool) -> AsyncIterator[Console]:
    """The console that fits: with editing on a capable terminal, else bare lines without any control
    codes."""
    if plain or not _is_capable():
        yield BareConsole()
        return
    from .prompt import open_prompt  # noqa: PLC0415  # a tenth of a second that pipes need not wait for

    async with open_prompt() as console:
        yield console


def _is_capable() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") not in ("", "dumb")


class BareConsole:
    """Bare lines: for pipes, screen readers and dumb terminals."""

    def __init__(self) -> None:
        self.is_interactive = sys.stdin.isatty()
        self.prompt = ""
        self.prompt_is_shown = False
        self.words: Callable[[], Iterable[str]] = tuple
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._is_reading = False

    def write(self, text: str) -> None:
        """See ``Console.write``."""
        click.echo(text)

    async def read(self) -> str | None:
        """See ``Console.read``. After the end of the input it waits for ever after saying so once."""
        if not self._is_reading:
            self._is_reading = True
            loop = asyncio.get_running_loop()
            # A daemon thread, since a read from a terminal cannot be called off. It reads the descriptor, not
            # sys.stdin, whose lock would stop the interpreter's shutdown.
            threading.Thread(target=self._pump, args=(loop,), daemon=True, name="shoal-stdin").start()
        return await self._lines.get()

    def _pump(self, loop: asyncio.AbstractEventLoop) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        text = ""
        try:
            number = sys.stdin.fileno()
        except (OSError, ValueError):
            number = -1
        while True:
            try:
                data = os.read(number, BLOCK) if number >= 0 else b""
            except OSError:
                data = b""
            text += decoder.decode(data, final=not data)
            *lines, text = text.split("\n")
            if not data and text:
                lines.append(text)
            with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
                for line in lines:
                    loop.call_soon_threadsafe(self._lines.put_nowait, line.rstrip("\r")[:MAX_LINE])
                if not data:
                    loop.call_soon_threadsafe(self._lines.put_nowait, None)
                    return


def interrupt() -> None:
    """What Ctrl-C does, where a terminal in raw mode hands it over as a key."""
    signal.raise_signal(signal.SIGINT)
