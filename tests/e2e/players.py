"""The real program as a process that plays by itself, and a table of three of them on loopback."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TIME = 240
"""Seconds for anything on a busy machine: many times what it needs."""

GAME = ("--set", "ranks=6", "--set", "hand_size=3", "--set", "end_mode=all_books")
"""A game that goes on for a while after three questions, whatever is dealt: all fifteen cards of its pond
have to be drawn. One that ends with the first empty hand is over by then now and again."""


def environment(home: Path) -> dict[str, str]:
    own = {"SHOAL_HOME": str(home), "SHOAL_LANG": "en", "PYTHONUNBUFFERED": "1", "PYTHONPATH": str(ROOT)}
    return {**os.environ, **own}


def shoal(home: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """One command, to its end."""
    done = subprocess.run(
        [sys.executable, "-m", "cli", *args], env=environment(home), cwd=ROOT, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=TIME, check=False,
    )  # fmt: skip
    assert "Traceback" not in done.stderr, done.stderr
    return done


class Running:
    """A program that plays by itself. What it prints is in a file."""

    def __init__(self, home: Path, *args: str, **more: str) -> None:
        """``more`` is more of its environment."""
        home.mkdir(exist_ok=True)
        self._output = home / f"output{len(list(home.glob('output*')))}.txt"
        with self._output.open("wb") as file:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "cli", *args, "--auto", "--plain", "--level", "random"],
                env={**environment(home), **more}, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=file,
                stderr=subprocess.STDOUT,
            )  # fmt: skip

    @property
    def output(self) -> str:
        return self._output.read_text("utf-8", "replace")

    def until(self, pattern: str, least: int = 1) -> None:
        end = time.monotonic() + TIME
        while len(re.findall(pattern, self.output)) < least:
            assert self.process.poll() is None, self.output
            assert time.monotonic() < end, self.output
            time.sleep(0.05)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(TIME)

    def code(self) -> int:
        return self.process.wait(TIME)


@contextmanager
def table_of_three(folder: Path, options: Sequence[str] = GAME) -> Iterator[list[Running]]:
    """Ann, who hosts, Ben and Cem, in the middle of a game, each with a folder of that name."""
    opened = ("--seats", "3", "--open", "--here-only", "--port", "0", "--name", "Ann")
    record = ("--record", str(folder / "Ann.shoal"))
    host = Running(folder / "ann", "host", "go-fish", *opened, *options, *record)
    programs = [host]
    try:
        host.until(r" join (127\.0\.0\.1:\d+)")
        found = re.search(r" join (127\.0\.0\.1:\d+)", host.output)
        assert found is not None
        programs.append(Running(folder / "ben", "join", found[1], "--name", "Ben"))
        programs.append(Running(folder / "cem", "join", found[1], "--name", "Cem"))
        programs[2].until(r"(?m)^.* asks? ", 3)
        yield programs
    finally:
        for each in programs:
            each.kill()
