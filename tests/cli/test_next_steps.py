"""Commands that are shown work when pasted; and what guests and hosts read when somebody else stops."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.errors import explain
from cli.options import Settings
from cli.program import running_with
from hardware.io.errors import BadPort
from p2p.io.database import StoreDamaged
from p2p.io.joining import TableClosed
from tests.cli.conftest import Shoal
from tests.cli.test_deck_files import ANIMALS, QUICK, ROOT, ended, small, start

__all__ = ["small"]

LIMIT = 120
"""Seconds for anything that a whole program does on a busy machine."""


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that has to be quoted, and that no variable names."""
    monkeypatch.delenv("SHOAL_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    return tmp_path / "a folder"


def line_with(words: str, text: str) -> str:
    (found,) = [line for line in text.splitlines() if words in line]
    return found


def pasted(line: str) -> list[str]:
    """The arguments of the command at the end of a line, as a shell reads them."""
    words = shlex.split(line)
    at = len(words) - 1 - words[::-1].index("shoal")
    return words[at + 1 :]


@pytest.mark.parametrize(
    ("args", "words", "command"),
    [
        (["games"], "No games are kept here", ["play", "go-fish"]),
        (["resume", "12345678"], "Next:", ["games", "lists", "them."]),
        (["players"], "You have met nobody yet", ["host", "go-fish"]),
        (["players", "verify", "Ben"], "Next:", ["players", "lists", "them."]),
        (["play"], "Next:", ["play", "go-fish"]),
        (["tags", "list"], "No tag is enrolled", ["tags", "enroll"]),
        (["tags", "forget", "9S"], "Next:", ["tags", "list", "lists", "them."]),
        (["table", "show"], "No pad is set up", ["table", "setup"]),
        (["readers"], "What is on a port", ["readers", "--reader", "PORT"]),
    ],
)
@pytest.mark.parametrize("is_first", [True, False])
def test_what_is_shown_to_be_typed_names_the_folder(
    shoal: Shoal, elsewhere: Path, args: list[str], words: str, command: list[str], is_first: bool
) -> None:
    home = ["--home", str(elsewhere)]
    ran = shoal(*home, *args) if is_first else shoal(*args, *home)
    assert pasted(line_with(words, ran.out + ran.err)) == [*home, *command]


def test_a_folder_that_was_named_from_here_is_shown_whole(
    shoal: Shoal, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(elsewhere.parent)
    shown = shoal("--home", elsewhere.name, "games").out
    assert pasted(shown) == ["--home", str(elsewhere), "play", "go-fish"]


def test_without_a_folder_the_commands_stay_short(
    shoal: Shoal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SHOAL_HOME", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert pasted(shoal("games").out) == ["play", "go-fish"]


@pytest.mark.network
def test_an_ended_game_without_its_record_is_found_by_resume_and_written_by_what_it_says(
    shoal: Shoal, elsewhere: Path, tmp_path: Path
) -> None:
    """As after a kill between the last signature and the writing of the file."""
    home = ("--home", str(elsewhere))
    code, _out, err = ended(
        start(tmp_path / "unused", *home, "play", "go-fish", "--bots", "1", "--auto", "--plain", *QUICK)
    )
    assert (code, err) == (0, "")
    shown = shoal(*home, "games").out
    assert pasted(line_with("as a file", shown))[:3] == [*home, "export"]
    ran = shoal(*home, "resume")
    assert ran.err.splitlines()[0] == "Error: There is no game to go on with."
    (record,) = (elsewhere / "records").glob("*.shoal")
    kept = record.rename(tmp_path / "kept.shoal")
    ran = shoal(*home, "resume")
    assert ran.code == 2
    assert ran.err.splitlines()[0] == (
        "Error: The last game, of Go Fish, is over; there is none to go on with."
    )
    target = str(tmp_path / "again.shoal")
    assert shoal(*pasted(line_with("This writes its record", ran.err)), target).code == 0
    assert Path(target).read_bytes() == kept.read_bytes()


def until(process: subprocess.Popen[str], words: str) -> str:
    """What a program has printed, up to a line with ``words``."""
    assert process.stdout is not None
    shown = ""
    while words not in shown:
        line = process.stdout.readline()
        assert line, shown
        shown += line
    return shown


@pytest.fixture
def started() -> Iterator[list[subprocess.Popen[str]]]:
    """Programs that are stopped in the end, whatever happens."""
    processes: list[subprocess.Popen[str]] = []
    yield processes
    for process in processes:
        if process.poll() is None:
            process.kill()
        process.communicate()


def run_here(home: Path, *args: str) -> subprocess.Popen[str]:
    env = {**os.environ, "PYTHONIOENCODING": "utf-8", "PYTHONUNBUFFERED": "1"}
    env.pop("SHOAL_HOME", None)
    return subprocess.Popen(
        [sys.executable, "-m", "cli", "--home", str(home), *args], cwd=ROOT, env=env, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


@pytest.mark.network
def test_the_last_guest_with_another_deck_does_not_end_the_table(
    tmp_path: Path, small: Path, started: list[subprocess.Popen[str]]
) -> None:
    host = run_here(
        tmp_path / "ann", "host", "go-fish", "--seats", "2", "--here-only", "--port", "0", "--open", "--auto",
        "--plain", "--name", "Ann", "--deck", str(small), *QUICK,
    )  # fmt: skip
    started.append(host)
    shown = until(host, "At the table, 1 of 2")
    address = next(word for word in shown.split() if word.startswith("127.0.0.1:"))
    ben = run_here(tmp_path / "ben", "join", address, "--auto", "--name", "Ben", "--deck", str(ANIMALS))
    started.append(ben)
    out, err = ben.communicate(timeout=LIMIT)
    assert ben.returncode == 2
    assert "This table does not play with your deck animals." in err
    assert "the deck pets (9 cards)" in out
    until(host, "Ben wants another deck than this table's; without --deck there is a seat.")
    cid = run_here(
        tmp_path / "cid", "join", address, "--auto", "--plain", "--name", "Cid", "--deck", str(small)
    )
    started.append(cid)
    out, err = cid.communicate(timeout=LIMIT)
    assert (cid.returncode, err) == (0, "")
    assert "Everyone has signed the result." in out
    assert host.wait(LIMIT) == 0


@pytest.mark.network
def test_guests_of_a_host_that_is_killed_are_told_so_and_what_to_do(
    tmp_path: Path, started: list[subprocess.Popen[str]]
) -> None:
    host = run_here(
        tmp_path / "ann", "host", "go-fish", "--seats", "4", "--here-only", "--port", "0", "--open", "--auto",
        "--plain", "--name", "Ann",
    )  # fmt: skip
    started.append(host)
    shown = until(host, "At the table, 1 of 4")
    address = next(word for word in shown.split() if word.startswith("127.0.0.1:"))
    guests = []
    for name, count in (("Ben", 2), ("Cid", 3)):
        guests.append(run_here(tmp_path / name, "join", address, "--auto", "--plain", "--name", name))
        started.append(guests[-1])
        until(guests[-1], f"At the table, {count} of 4")
    host.kill()
    for guest, name in zip(guests, ("Ben", "Cid"), strict=True):
        _out, err = guest.communicate(timeout=LIMIT)
        error, hint = err.splitlines()
        assert guest.returncode == 3
        assert error == "Error: The host closed the table before the game began."
        assert hint.startswith("  Next: Ask the host to open a new table, and join again: ")
        assert hint.endswith(f" --home {tmp_path / name} join")


@pytest.mark.parametrize(
    ("error", "command"),
    [
        (BadPort("x"), "readers"),
        (TableClosed(), "join"),
        (StoreDamaged(path="x", detail="y"), "resume --rebuild"),
    ],
)
def test_the_next_step_of_an_error_names_the_folder(error: Exception, command: str) -> None:
    with running_with(Settings(home="here")):
        failure = explain(error)
    assert failure is not None
    assert f" --home {Path('here').absolute()} {command}" in failure.hint


@pytest.mark.parametrize(
    ("args", "error", "hint"),
    [
        (
            ["--seats", "3", "--bots", "1", "--cards", "blank", "--at-table", "Ben"],
            "You, Ben, 1 bot and a guest need 4 seats, and this table has 3.",
            (
                "Give the table more seats with --seats 4, or play without guests: "
                "shoal --home {home} play go-fish --bots 1 --cards blank --at-table Ben"
            ),
        ),
        (
            ["--seats", "2", "--cards", "blank", "--at-table", "Ben"],
            "You, Ben and a guest need 3 seats, and this table has 2.",
            (
                "Give the table more seats with --seats 3, or play without guests: "
                "shoal --home {home} play go-fish --bots 0 --cards blank --at-table Ben"
            ),
        ),
        (
            ["--seats", "6", "--bots", "5"],
            "You, 5 bots and a guest need 7 seats, and this table has 6.",
            "Play without guests: shoal --home {home} play go-fish --bots 5",
        ),
    ],
)
def test_a_host_who_leaves_no_seat_for_a_guest_reads_how_many_are_needed(
    shoal: Shoal, home: Path, args: list[str], error: str, hint: str
) -> None:
    ran = shoal("host", "go-fish", *args)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"Error: {error}\n  Next: {hint.format(home=home)}\n"


def test_fewer_bots_than_none_are_refused(shoal: Shoal) -> None:
    ran = shoal("host", "go-fish", "--seats", "4", "--bots", "-1")
    assert ran.err == "Error: --bots takes a number from 0 to 2.\n"
