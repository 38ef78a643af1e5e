"""A player who sees the cells of a real terminal and has a keyboard."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pexpect
import pyte

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 90.0
"""Seconds after which a game that does not go on has failed, on a busy machine too."""

AGAIN = 10.0
"""Seconds after which a key is pressed again that did nothing: the screen was a moment old when it was."""

GAME = 400.0
"""The same for a whole game."""

OPTION = re.compile(r"\[(\w+|\*)\]")


class ScreenPlayer:
    """Starts the program in a pseudo-terminal and reads its screen."""

    def __init__(
        self,
        home: Path,
        *args: str,
        columns: int = 80,
        rows: int = 24,
        program: Sequence[str] = (sys.executable, "-m", "cli"),
        **more: str,
    ) -> None:
        env = {
            **os.environ, "SHOAL_HOME": str(home), "TERM": "xterm-256color", "PROMPT_TOOLKIT_NO_CPR": "1",
            "LC_ALL": "C.UTF-8", "SHOAL_LANG": "en", "PYTHONIOENCODING": "utf-8", **more,
        }  # fmt: skip
        self.cells = pyte.Screen(columns, rows)
        self._stream = pyte.Stream(self.cells)
        self.written = ""
        self.keys = 0
        self.child = pexpect.spawn(
            program[0], [*program[1:], *args], cwd=str(ROOT), env=env, encoding="utf-8", timeout=LIMIT,
            dimensions=(rows, columns),
        )  # fmt: skip

    def close(self) -> None:
        """End the program, whatever it does."""
        self.child.close(force=True)

    def read(self, seconds: float = 0.2) -> bool:
        """Take in what was written; whether the program still runs."""
        try:
            text = self.child.read_nonblocking(65536, seconds)
        except pexpect.TIMEOUT:
            return True
        except pexpect.EOF:
            return False
        self.written += text
        self._stream.feed(text)
        return True

    @property
    def lines(self) -> list[str]:
        """What stands on the screen."""
        return [line.rstrip() for line in self.cells.display]

    @property
    def text(self) -> str:
        """The same in one piece."""
        return "\n".join(self.lines)

    def wait(self, holds: Callable[[str], object], about: str = "") -> str:
        """Until something is true of the screen."""
        end = time.monotonic() + LIMIT
        while not holds(self.text):
            assert time.monotonic() < end, f"{about} never came:\n{self.text}"
            assert self.read(), f"the program has ended before {about}:\n{self.written[-3000:]}"
        return self.text

    def see(self, part: str) -> str:
        """Until a text stands on the screen."""
        return self.wait(lambda text: part in text, part)

    def press(self, keys: str) -> None:
        """Press keys."""
        self.keys += 1
        self.child.send(keys)

    def end(self) -> int:
        """Until the program has ended; its exit code."""
        end = time.monotonic() + LIMIT
        while self.read():
            assert time.monotonic() < end, f"it never ends:\n{self.text}"
        self.child.close()
        status: int = self.child.exitstatus
        return status

    def options(self) -> list[str]:
        """The keys that choose something now, as they stand on the screen below the hand."""
        return OPTION.findall("\n".join(self.lines[-8:]))

    def play(
        self,
        other: Callable[[str], str] = lambda _text: "",
        until: Callable[[str], bool] = lambda text: "q leaves the table." in text,
    ) -> None:
        """Choose what is offered first until the game is over, or what else is waited for; ``other`` knows
        what there is to type where nothing is offered. ``until`` is asked once for each screen."""
        end = time.monotonic() + GAME
        asked, seen, at = "", "", 0.0
        while True:
            text = self.text
            if text != seen and until(text):
                return
            seen = text
            assert time.monotonic() < end, f"it never ends:\n{text}"
            below = "\n".join(self.lines[-9:])
            options = self.options()
            typed = other(below) if not options else "\r" if options[0] == "Enter" else options[0].lower()
            if typed and (below != asked or time.monotonic() > at + AGAIN):
                self.press(typed)
                asked, at = below, time.monotonic()
            assert self.read(), f"the program has ended:\n{self.written[-3000:]}"


Start = Callable[..., ScreenPlayer]
"""What starts the program with these arguments and shows its screen."""
