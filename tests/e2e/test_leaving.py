"""Four programs, one of which is killed for good; another one resigns, or stalls and is given up: the rest
plays on to the end."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cli.main import run

ROOT = Path(__file__).resolve().parents[2]

PATIENCE = 240.0
"""Seconds in which something has to be seen: far more than it takes, on a busy machine too."""

pytestmark = [pytest.mark.slow, pytest.mark.network]

GRACE = "10"
"""The least that a table takes."""


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


@pytest.fixture
def programs() -> Iterator[list[Program]]:
    started: list[Program] = []
    try:
        yield started
    finally:
        for each in started:
            each.stop()


def resigns(cy: Program, others: list[Program]) -> None:
    """A clean end for one: its own word, and its own yes."""
    cy.types("resign")
    cy.sees(r"You leave this game for good\. The others go on;.*Type yes to do it")
    cy.types("yes")


def stalls(cy: Program, others: list[Program]) -> None:
    """Its program is there, and its player does nothing: the others agree that it is out."""
    first, second = others
    first.types("give up Cy")
    first.sees(r"Cy is out once Ben and you say so\..*Type yes to do it")
    first.types("yes")
    second.sees(r"Ann does not wait for Cy any longer\. If you agree, type: give up Cy")
    cy.sees(r"Ann does not wait for you any longer; you are out once all say so\.")
    second.types("give up Cy")
    second.types("yes")
    for each in others:
        each.sees(r"have signed that nothing came from Cy in time")


@pytest.mark.parametrize("goes", [resigns, stalls])
def test_one_is_killed_and_another_goes_and_the_others_play_on(
    goes: Callable[[Program, list[Program]], None],
    tmp_path: Path,
    programs: list[Program],
    capsys: pytest.CaptureFixture[str],
) -> None:
    record = tmp_path / "ann.shoal"
    opened = ("--seats", "4", "--open", "--here-only", "--port", "0", "--grace", GRACE, "--name", "Ann")
    ann = Program(tmp_path / "Ann", "host", "go-fish", *opened, "--record", str(record), "--auto")
    programs.append(ann)
    address = ann.sees(r" join (127\.0\.0\.1:\d+)")[1]
    for count, name in enumerate(("Ben", "Cy", "Dee"), 2):
        plays = () if name == "Cy" else ("--auto",)  # so that the game waits for Cy
        programs.append(Program(tmp_path / name, "join", address, "--name", name, *plays))
        ann.sees(rf"At the table, {count} of 4")
    ben, cy, dee = programs[1:]
    for each in programs:  # the guests are told as well
        each.sees(r"the game goes on\. For that, each key is split among the others: Ann, Ben, Cy, Dee\.")
        each.sees(r"go(es)? first\.")

    dee.process.send_signal(signal.SIGKILL)
    dee.ends()
    if cy.sees(r"Your turn\.|Dee has left the game\.")[0] == "Your turn.":
        rank = re.findall(r"Your hand: (\d+|[JQKA])", cy.text)[-1]
        cy.types(f"ask Dee {rank}")
    for each in (ann, ben, cy):
        each.sees(r"Dee has left the game\.")
        each.sees(r"have signed that nothing came from Dee in time")
        each.sees(r"It would go on again if somebody else left\.")

    again = Program(tmp_path / "Dee", "resume", "--auto")
    programs.append(again)
    again.sees(r"You may watch the rest of the game\.")

    goes(cy, [ann, ben])
    for each in (ann, ben):
        each.sees(r"Cy has left the game\.")
        each.sees(r"Only two players are left: if one of them leaves, the game ends\.")
    cy.sees(r"You may watch the rest of the game\.")

    for each in (ann, ben, cy, again):
        each.sees(r"(wins|win|share the win)\b")
        assert each.ends() == 0, each.text
    assert run(["verify", str(record)]) == 0
    shown = capsys.readouterr().out
    assert re.search(r"Step \d+: signed by Ann, Ben and Cy that nothing came from Dee in time\.", shown)
    assert re.search(r"Cy left at step \d+\.", shown)
    assert "SOUND: nobody lied, and the result is right." in shown
