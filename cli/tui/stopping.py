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
        """While the block runs, signals from outside are obeyed."""
        loop = asyncio.get_running_loop()
        handlers = {"SIGTSTP": lambda: self.suspend(is_whole_group=False), "SIGCONT": self.continued}
        numbers = []
        for name, handler in handlers.items():
            number = getattr(signal, name, None)
            if number is not None:
                # Windows has no handlers, and only the main thread may set them: then nobody stops us either.
                with contextlib.suppress(NotImplementedError, ValueError, RuntimeError):
                    loop.add_signal_handler(number, handler)
                    numbers.append(number)
        try:
            yield
        finally:
            for number in numbers:
                loop.remove_signal_handler(number)
