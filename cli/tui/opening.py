"""The full screen from its opening to its end.

Whatever ends the block of ``open_screen`` gives the terminal back as it was; what the game said last is then
printed where it stays.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator
from io import TextIOBase

import click
from prompt_toolkit.input import create_input
from prompt_toolkit.output import create_output

from ..console import fitted
from .screen import FullScreen


class _IntoLog(TextIOBase):
    """Where the rest of the program prints while the screen is on."""

    def __init__(self, screen: FullScreen, loop: asyncio.AbstractEventLoop, encoding: str) -> None:
        self._screen = screen
        self._loop = loop
        self._encoding = encoding
        self._rest = ""

    @property
    def encoding(self) -> str:  # type: ignore[override]  # a plain attribute in the base class
        """That of the terminal."""
        return self._encoding

    def writable(self) -> bool:
        """It is for writing."""
        return True

    def isatty(self) -> bool:
        """No control codes, please."""
        return False

    def write(self, text: str) -> int:
        """Whole lines go into the log."""
        *lines, self._rest = (self._rest + text).split("\n")
        for line in lines:
            self._loop.call_soon_threadsafe(self._screen.write, line)
        return len(text)


@contextlib.asynccontextmanager
async def open_screen(suits: str, has_bell: bool, has_mouse: bool = False) -> AsyncIterator[FullScreen]:
    """The full screen for as long as the block runs."""
    output = create_output(stdout=sys.stdout)
    screen = FullScreen(suits, has_bell, create_input(), output, has_mouse)
    loop = asyncio.get_running_loop()
    into = _IntoLog(screen, loop, sys.stdout.encoding or "ascii")
    task = asyncio.create_task(screen.run())
    try:
        with (
            contextlib.redirect_stdout(into),
            contextlib.redirect_stderr(into),
            screen.stopping.heeding_signals(),
        ):
            try:
                yield screen
                await screen.linger()
            finally:
                await screen.close(task)
    finally:
        for line in screen.log.epilogue:
            click.echo(fitted(line))
