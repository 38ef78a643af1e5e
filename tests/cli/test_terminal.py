"""Real pseudo-terminals: editing, history and completion where there is a terminal, no control codes
elsewhere."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest

ROOT = Path(__file__).resolve().parents[2]
CONTROL = re.compile(
    r"[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f]"
)  # all but the line ends that the terminal makes
LIMIT = 120
"""Seconds that anything may take on a busy machine."""

UP, TAB, CTRL_C = "\x1b[A", "\t", "\x03"
# A large hand, so that the first player is never out of moves.
GAME = ("play", "go-fish", "--bots", "1", "--name", "Ann", "--set", "hand_size=10")

pytestmark = pytest.mark.network


def spawn(home: Path, *args: str, term: str = "xterm-256color", **more: str) -> pexpect.spawn:
    env = {
        **os.environ, "SHOAL_HOME": str(home), "TERM": term, "PROMPT_TOOLKIT_NO_CPR": "1",
        "LC_ALL": "C.UTF-8",
        "PYTHONIOENCODING": "utf-8", **more,
    }  # fmt: skip
    return pexpect.spawn(
        sys.executable,
        ["-m", "cli", *args],
        cwd=str(ROOT),
        env=env,
        encoding="utf-8",
        timeout=LIMIT,
        dimensions=(30, 100),
    )


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[pexpect.spawn]:
    child = spawn(tmp_path, *GAME, "--lines")
    yield child
    child.close(force=True)


def finish(child: pexpect.spawn) -> int:
    child.expect(pexpect.EOF)
    child.close()
    status: int = child.exitstatus
    return status


def test_the_prompt_completes_and_keeps_a_history(terminal: pexpect.spawn) -> None:
    terminal.expect("Your turn>")
    terminal.send("ta")
    terminal.expect("ta")
    terminal.send(TAB)
    terminal.expect("ble")  # only what is new is drawn
    terminal.send("\r")
    terminal.expect("Pond: ")
    terminal.send("ask Co" + TAB)
    terminal.expect("ral")
    terminal.send("\x15")  # Ctrl-U: away with it
    terminal.send(UP)
    terminal.send("\r")
    terminal.expect("Pond: ")
    terminal.send(CTRL_C)
    terminal.expect("The game is paused; nothing is lost.")
    terminal.expect(r"Next:\s.* --home .* resume [0-9a-f]{8}")
    assert finish(terminal) == 130


def test_quit_leaves_the_terminal_as_it_was(terminal: pexpect.spawn) -> None:
    terminal.expect("turn>")
    terminal.send("quit\r")
    terminal.expect("The game is paused; nothing is lost.")
    assert finish(terminal) == 0


@pytest.mark.parametrize(("args", "term"), [(("--plain",), "xterm-256color"), ((), "dumb")])
def test_plain_lines_have_no_control_codes(tmp_path: Path, args: tuple[str, ...], term: str) -> None:
    child = spawn(tmp_path, *GAME, *args, term=term)
    child.expect("Your turn> ")
    child.sendline("help")
    child.expect("At any time")
    child.sendline("nonsense\x1b[2J")
    child.expect("is no command")
    child.sendline("table")
    child.expect("Pond")
    child.sendline("quit")
    child.expect(pexpect.EOF)
    # What was typed is echoed by the terminal itself, as ^[ for an escape.
    assert CONTROL.findall(child.before) == []
    child.close()
    assert child.exitstatus == 0


def test_a_whole_plain_game_has_no_control_codes(tmp_path: Path) -> None:
    small = ("--set", "ranks=3", "--set", "suits=2", "--set", "book_size=2", "--set", "hand_size=1")
    child = spawn(tmp_path, "play", "go-fish", "--bots", "1", "--auto", "--plain", *small)
    child.expect(pexpect.EOF)
    assert CONTROL.findall(child.before) == []
    assert "Everyone has signed the result." in child.before
    child.close()
    assert child.exitstatus == 0


def test_ascii_has_no_suits(tmp_path: Path) -> None:
    child = spawn(tmp_path, *GAME, "--ascii", "--plain")
    child.expect(r"Your hand: [^\r]*\r")
    assert child.after.isascii()
    child.sendline("quit")
    assert finish(child) == 0


def test_an_encoding_without_suits_gets_letters(tmp_path: Path) -> None:
    child = spawn(tmp_path, *GAME, "--plain", PYTHONIOENCODING="ascii")
    child.expect(r"Your hand: [^\r]*\r")
    assert child.after.isascii()
    assert "?" not in child.after
    child.sendline("quit")
    assert finish(child) == 0


def test_ctrl_c_on_a_plain_terminal(tmp_path: Path) -> None:
    child = spawn(tmp_path, *GAME, "--plain")
    child.expect("Your turn")
    child.sendintr()
    child.expect("nothing is lost")
    assert finish(child) == 130


def test_a_host_is_asked_about_a_stranger(tmp_path: Path) -> None:
    host = spawn(
        tmp_path / "ann",
        "host",
        "go-fish",
        "--seats",
        "2",
        "--here-only",
        "--port",
        "0",
        "--name",
        "Ann",
        "--lines",
    )
    host.expect(r" join (127\.0\.0\.1:\d+)\D")
    address = host.match.group(1)
    guest = spawn(tmp_path / "ben", "join", address, "--name", "Ben", "--lines")
    host.expect("Ben, whom you have not met, wants to sit down")
    host.expect(r"\[y/N\]")
    host.send("y\r")
    guest.expect("Type ready, or press Enter")
    guest.send("\r")
    host.expect("Ben is ready")
    host.expect(r"Safety words: ([A-Z ]+)[^A-Z ]")  # to the end of the line: it may come in pieces
    words = host.match.group(1).split()
    guest.expect(r"Safety words: ([A-Z ]+)[^A-Z ]")
    assert guest.match.group(1).split() == words
    assert len(words) == 4
    host.expect("Your hand|goes first")
    host.send('"good luck\r')
    guest.expect("Ann: good luck")
    guest.send(CTRL_C)
    assert finish(guest) == 130
    host.expect("Ben has paused the game")
    host.send("quit\r")
    assert finish(host) == 0


def paused(home: Path) -> str:
    """The id of a game that was left at once."""
    child = spawn(home, *GAME, "--plain")
    child.expect("turn|Shuffling|Waiting")
    child.send("quit\r")
    child.expect(r"Next:\s.* resume ([0-9a-f]{8})")
    number = str(child.match.group(1))
    assert finish(child) == 0
    return number


def test_of_several_games_that_wait_one_is_chosen(tmp_path: Path) -> None:
    first, second = paused(tmp_path), paused(tmp_path)
    child = spawn(tmp_path, "resume", "--plain")
    child.expect("Several games wait; the time is that of the last move:")
    child.expect(rf"  1  {second}  \d{{4}}-\d\d-\d\d \d\d:\d\d  Go Fish with Coral\r")
    child.expect(rf"  2  {first}  ")
    child.expect(r"Which one\? Type its number: ")
    child.send("3\r")
    child.expect("Type a number from 1 to 2")
    child.send("2\r")
    child.expect(f"Going on with Go Fish, table {first}")
    child.send("quit\r")
    child.expect("The game is paused; nothing is lost.")
    assert finish(child) == 0
    alone = spawn(tmp_path, "resume", "--auto")  # nobody is there to be asked
    alone.expect(r"Error: Several games wait; the time is that of the last\s+move:")
    alone.expect(rf"  {first}  .*Go Fish with Coral")
    alone.expect(r"Name one:\s.*resume\sID")
    assert finish(alone) == 2


def test_who_resigns_from_a_game_that_waits_is_asked_first(tmp_path: Path) -> None:
    number = paused(tmp_path)
    question = r"Resign from Go Fish with Coral\? Coral would leave with you, and nothing brings you back\. "
    question = question.replace(" ", r"\s+")  # wherever the line is broken
    child = spawn(tmp_path, "resume", "--resign", "--plain")
    child.expect(question + r"\[y/N\]")
    child.send("perhaps\r")
    child.expect("Type yes or no.")
    child.expect(question)
    child.send("\r")
    child.expect("Nothing changes.")
    assert finish(child) == 0
    alone = spawn(tmp_path, "resume", "--resign", "--auto")
    alone.expect(r"nobody can be asked here whether it is\s+meant\.")
    alone.expect(rf"If it is:\s.* resume\s+{number}\s+--resign\s+--yes")
    assert finish(alone) == 2
    child = spawn(tmp_path, "--lang", "mk", "resume", "--resign", "--plain")
    child.expect(r"\[[^]]*\]")
    child.send("да\r")
    child.expect(f"-{number}\\.shoal")
    child.close(force=True)
    listed = spawn(tmp_path, "games", "--json")
    listed.expect('"state": "finished"')
    assert finish(listed) == 0
