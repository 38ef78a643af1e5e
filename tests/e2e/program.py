"""The program in lines, as a process of its own that somebody types to."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

PATIENCE = 240.0
"""Seconds in which something has to be seen: far more than it takes, on a busy machine too."""


class Program:
    """A seat in a process of its own, what it has written, and lines for it to read."""

    def __init__(self, home: Path, *args: str) -> None:
        env = {**os.environ, "SHOAL_HOME": str(home), "PYTHONUNBUFFERED": "1", "SHOAL_LANG": "en"}
        command = [sys.executable, "-m", "cli", *args, "--plain"]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            cwd=ROOT, env=env,
        )  # fmt: skip
        self._text = ""
        self._news = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self._news:
                self._text += line
                self._news.notify_all()
        with self._news:
            self._news.notify_all()

    @property
    def text(self) -> str:
        """All of it so far."""
        with self._news:
            return self._text

    def sees(self, pattern: str) -> re.Match[str]:
        """Wait until the program has written this."""
        end = time.monotonic() + PATIENCE
        with self._news:
            while not (found := re.search(pattern, self._text)):
                left = end - time.monotonic()
                assert left > 0, f"{pattern!r} never came:\n{self._text}"
                assert self._reader.is_alive(), f"ended without {pattern!r}:\n{self._text}"
                self._news.wait(min(left, 1.0))
        return found

    def types(self, line: str) -> None:
        """Somebody types a line."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def ends(self) -> int:
        """Wait for its end."""
        code = self.process.wait(timeout=PATIENCE)
        self._reader.join(timeout=PATIENCE)
        return code

    def stop(self) -> None:
        """End it, whatever it does."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(timeout=PATIENCE)
        self._reader.join(timeout=PATIENCE)
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            with contextlib.suppress(BrokenPipeError):
                pipe.close()
