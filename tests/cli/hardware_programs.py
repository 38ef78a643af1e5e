"""The real program, started as people start it: what it prints is waited for, and lines are typed to it."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

LIMIT = 90
"""Seconds for anything at all; the machine may be very busy."""


TRIES = 20
"""Taps of one tag; each but the first follows what was said about the one before."""


class Shoal:
    """One running command. Use as a context: it is ended with it."""

    def __init__(self, home: Path, *args: str) -> None:
        environ = {**os.environ, "SHOAL_HOME": str(home), "SHOAL_LANG": "en", "PYTHONIOENCODING": "utf-8"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "cli", *args],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environ,
            encoding="utf-8",
            start_new_session=True,
        )
        self.lines: list[str] = []
        self._news: queue.Queue[str | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._news.put(line.rstrip("\n"))
        self._news.put(None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(LIMIT)
        self._reader.join(LIMIT)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdout.close()
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()

    def type(self, *lines: str) -> None:
        """Type lines."""
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()

    def until(self, condition: Callable[[str], bool]) -> str:
        """The next line for which ``condition`` holds."""
        while True:
            try:
                line = self._news.get(timeout=LIMIT)
            except queue.Empty:
                raise AssertionError(f"it did not come; there were {self.lines}") from None
            if line is None:
                raise AssertionError(f"the program has ended with {self.lines}")
            self.lines.append(line)
            if condition(line):
                return line

    def says(self, text: str) -> str:
        """The next line that has ``text`` in it."""
        return self.until(lambda line: text in line)

    def event(self, **facts: Any) -> dict[str, Any]:
        """The next JSON line with these values."""
        line = self.until(
            lambda line: line.startswith("{") and all(json.loads(line).get(k) == v for k, v in facts.items())
        )
        found: dict[str, Any] = json.loads(line)
        return found

    def interrupt(self) -> None:
        """Press Ctrl-C."""
        self.process.send_signal(signal.SIGINT)

    def end(self) -> int:
        """Wait until it has ended by itself; its code. The rest of its lines are in ``lines``."""
        assert self.process.stdin is not None
        while (line := self._news.get(timeout=LIMIT)) is not None:
            self.lines.append(line)
        return self.process.wait(LIMIT)


def emulated(home: Path, kind: str, *args: str) -> tuple[Shoal, str]:
    """An emulated reader of this kind, and its port; it is driven by typed lines."""
    program = Shoal(home, "readers", "emulate", kind, "--json", *args)
    try:
        return program, program.event(event="ready")["port"]
    except BaseException:
        program.__exit__()
        raise


def tapped(reader: Shoal, line: str, program: Shoal, text: str) -> str:
    """What ``program`` says with ``text`` in it to a tap right after it found the reader.

    What it sees before the reader has told what lies there counts as lying there; then a person does as it
    says, and taps again.
    """
    for _ in range(TRIES):
        reader.type(line)
        said = program.until(lambda said: "lay there" in said or '"lay-there"' in said or text in said)
        if text in said:
            return said
    raise AssertionError(f"it counts as lying there for ever: {program.lines}")
