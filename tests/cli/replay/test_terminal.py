"""A replay in a real pseudo-terminal: by keys on the full screen, by words in plain lines."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pexpect
import pyte
import pytest

ROOT = Path(__file__).resolve().parents[3]
CONTROL = re.compile(r"[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f]")
LIMIT = 90.0
"""Seconds that something on a loaded machine may take."""

LEFT, RIGHT, HOME, END, F2, ESCAPE, CTRL_C = "\x1b[D", "\x1b[C", "\x1b[H", "\x1b[F", "\x1bOQ", "\x1b", "\x03"


class Terminal:
    """A program on a screen with cells."""

    def __init__(
        self, home: Path, *args: str, columns: int = 80, rows: int = 24, term: str = "xterm-256color"
    ):
        env = {
            **os.environ, "SHOAL_HOME": str(home), "SHOAL_LANG": "en", "TERM": term, "LC_ALL": "C.UTF-8",
            "PYTHONIOENCODING": "utf-8", "PROMPT_TOOLKIT_NO_CPR": "1",
        }  # fmt: skip
        self.child = pexpect.spawn(
            sys.executable, ["-m", "cli", "replay", *args], cwd=str(ROOT), env=env, encoding="utf-8",
            timeout=LIMIT, dimensions=(rows, columns),
        )  # fmt: skip
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.Stream(self.screen)
        self.written = ""

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display)

    def until(self, fits: Callable[[str], object]) -> str:
        """The screen as soon as it fits."""
        end = time.monotonic() + LIMIT
        while not fits(self.text):
            assert time.monotonic() < end, self.text
            try:
                new = self.child.read_nonblocking(65536, 0.2)
            except pexpect.TIMEOUT:
                continue
            except pexpect.EOF:
                raise AssertionError(self.text) from None
            self.written += new
            self.stream.feed(new)
        return self.text

    def press(self, keys: str, fits: Callable[[str], object]) -> str:
        self.child.send(keys)
        return self.until(fits)

    def finish(self) -> int:
        self.child.expect(pexpect.EOF)
        self.written += self.child.before
        self.child.close()
        status: int = self.child.exitstatus
        return status


@pytest.fixture
def terminal(tmp_path: Path, game_file: Path) -> Iterator[Terminal]:
    shown = Terminal(tmp_path, str(game_file))
    yield shown
    shown.child.close(force=True)


def step_of(text: str) -> int:
    found = re.search(r"Step (\d+) of", text.splitlines()[0])
    return int(found[1]) if found else -1


def test_a_game_by_keys(terminal: Terminal) -> None:
    terminal.until(lambda text: "all verified: sound" in text and step_of(text) == 0)
    terminal.press(RIGHT, lambda text: step_of(text) == 1)
    terminal.press(".", lambda text: step_of(text) == 2)
    terminal.press(LEFT, lambda text: step_of(text) == 1)
    first = step_of(terminal.press("a", lambda text: re.search(r"► \w+ asks \w+ for", text)))
    second = step_of(terminal.press("a", lambda text: step_of(text) > first))
    terminal.press("A", lambda text: step_of(text) == first)
    assert second > first
    terminal.press("k", lambda text: "lays a book of" in text and step_of(text) > first)
    terminal.press("v", lambda text: text.count(" held: ") == 3)
    terminal.press("v", lambda text: "as Ann saw it" in text and "Ann (you)" in text)
    terminal.press("2", lambda text: "as Ann saw it" in text)
    terminal.press("v", lambda text: "as Ben saw it" in text)
    terminal.press(F2, lambda text: "Signed by" in text and "Esc closes" in text)
    terminal.press(ESCAPE, lambda text: "Esc closes" not in text)
    terminal.press("?", lambda text: "what was verified of this step" in text)
    terminal.press(ESCAPE, lambda text: "Esc closes" not in text)
    terminal.press(":", lambda text: text.splitlines()[-1].startswith(":"))
    terminal.press("go 5\r", lambda text: step_of(text) == 5)
    terminal.press("g", lambda text: text.splitlines()[-1].startswith(": go"))
    terminal.press("777\r", lambda text: "There are the steps 0 to" in text)
    terminal.press(END, lambda text: "SOUND: nobody lied, and the result is right." in text)
    terminal.press("n", lambda text: "This is the end." in text)
    terminal.press(HOME, lambda text: step_of(text) == 0)
    terminal.press("b\x1b[200~" + "junk: q\r" * 2000 + "\x1b[201~p", lambda text: "the beginning" in text)
    terminal.child.send("q")
    assert terminal.finish() == 0
    assert "SOUND: nobody lied, and the result is right." in terminal.written
    assert terminal.written.rindex("\x1b[?1049l") < terminal.written.rindex("SOUND")


def test_a_terminal_that_changes_its_size(terminal: Terminal) -> None:
    terminal.until(lambda text: "all verified: sound" in text)
    terminal.press("a", lambda text: re.search(r"► \w+ asks \w+ for", text))
    for rows, columns in ((15, 40), (1, 1), (60, 200)):
        terminal.screen.resize(rows, columns)
        terminal.child.setwinsize(rows, columns)
        terminal.until(lambda text, rows=rows: rows < 15 or re.search(r"► \w+ asks \w+ for", text))
    terminal.child.send(CTRL_C)
    assert terminal.finish() == 0


def test_a_damaged_file_on_the_screen(tmp_path: Path, game_file: Path) -> None:
    cut = tmp_path / "cut.shoal"
    cut.write_bytes(game_file.read_bytes()[:-2000])
    shown = Terminal(tmp_path, str(cut), "--from", "8")
    try:
        shown.until(lambda text: "DAMAGED" in text and step_of(text) == 8)
        shown.press(END, lambda text: "it is shown as far as it is whole" in text)
        shown.child.send("q")
        assert shown.finish() == 1
    finally:
        shown.child.close(force=True)


@pytest.mark.parametrize(("args", "term"), [(("--plain",), "xterm-256color"), ((), "dumb")])
def test_a_game_by_words(tmp_path: Path, game_file: Path, args: tuple[str, ...], term: str) -> None:
    shown = Terminal(tmp_path, str(game_file), *args, term=term)
    child = shown.child
    try:
        child.expect("Enter goes on; help lists the words.")
        child.expect("Step 0> ")
        child.sendline("")
        child.expect("Step 1> ")
        child.sendline("ask")
        child.expect(r"\w+ asks \w+ for \w+")
        child.expect(r"Step \d+> ")
        child.sendline("seat Ben")
        child.expect("as Ben saw it")
        child.expect(r"Step \d+> ")
        child.sendline("table")
        child.expect("Ben held: ")
        child.sendline("dance\x1b[2J")
        child.expect("is no command; help lists them")
        child.sendline("help")
        child.expect("to the verdict")
        child.sendline("end")
        child.expect("SOUND: nobody lied")
        child.sendline("quit")
        child.expect(pexpect.EOF)
        # What was typed is echoed by the terminal itself, as ^[ for an escape.
        assert CONTROL.findall(child.before) == []
        child.close()
        assert child.exitstatus == 0
    finally:
        child.close(force=True)
