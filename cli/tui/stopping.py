"""Being stopped (Ctrl-Z, SIGTSTP) and continued (SIGCONT) with a screen on the terminal."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Iterator
from typing import Final

from prompt_toolkit.application import Application, run_in_terminal

MOMENT: Final = 0.02
"""Seconds that a signal to a whole group may take to arrive."""

_SIGNALS: Final = ("SIGTSTP", "SIGCONT")

_NOBODY_STOPS_US: Final = (AttributeError, NotImplementedError, ValueError, RuntimeError)
"""Windows has neither the signals nor handlers, and only the main thread may set these."""

_heeding: Final[list[Stopping]] = []
"""Those that have heeded signals and not ended it, the last one in front of the others: a replay stands for a
while in the place of the table."""


class Stopping:
    """Stops the program and gives the terminal to the shell until it goes on; nothing where the system knows
    no such thing."""

    def __init__(self, app: Application[None]) -> None:
        self._app = app
        self._is_stopped = False

    def suspend(self, is_whole_group: bool = True) -> None:
        """Stop; ``is_whole_group`` where a key asked for it, as a shell's pipeline stops as a whole."""
        stop = getattr(signal, "SIGSTOP", None)
        if stop is None or self._is_stopped:
            return
        self._is_stopped = True

        def halt() -> None:
            try:
                os.kill(0 if is_whole_group else os.getpid(), stop)
                time.sleep(MOMENT)
            finally:
                self._is_stopped = False

        run_in_terminal(halt)

    def continued(self) -> None:
        """Somebody else may have used the terminal."""
        if not self._is_stopped and self._app.is_running:
            self._app.input.raw_mode().__enter__()
            self._app.renderer.clear()
            self._app.invalidate()

    @contextlib.contextmanager
    def heeding_signals(self) -> Iterator[None]:
        """While the block runs, signals from outside are obeyed; then again by those before."""
        _heeding.append(self)
        self.heed()
        try:
            yield
        finally:
            _heeding.remove(self)
            if _heeding:
                _heeding[-1].heed()
            else:
                loop = asyncio.get_running_loop()
                for name in _SIGNALS:
                    with contextlib.suppress(*_NOBODY_STOPS_US):
                        loop.remove_signal_handler(getattr(signal, name))

    def heed(self) -> None:
        """Obey them from now on, in place of whoever did."""
        loop = asyncio.get_running_loop()
        obeys = (lambda: self.suspend(is_whole_group=False), self.continued)
        for name, handler in zip(_SIGNALS, obeys, strict=True):
            with contextlib.suppress(*_NOBODY_STOPS_US):
                loop.add_signal_handler(getattr(signal, name), handler)
