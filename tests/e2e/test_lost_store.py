"""The real program after its store was damaged, deleted, or put back from an old copy: what it says, and how
the game goes on by what the other players hold."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.registry import game
from p2p.io.sodium import load_group
from p2p.verify import verify

pytestmark = [pytest.mark.slow, pytest.mark.network]

ROOT = Path(__file__).resolve().parents[2]
TIME = 240
"""Seconds for anything on a busy machine: many times what it needs."""

NAME = "shoal.sqlite3"
PAGE = 4096
GAME = ("--set", "ranks=8", "--set", "hand_size=3")


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

    def __init__(self, home: Path, *args: str) -> None:
        home.mkdir(exist_ok=True)
        self._output = home / f"output{len(list(home.glob('output*')))}.txt"
        with self._output.open("wb") as file:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "cli", *args, "--auto", "--plain", "--level", "random"],
                env=environment(home), cwd=ROOT, stdin=subprocess.DEVNULL, stdout=file,
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
def table(folder: Path) -> Iterator[tuple[Running, Running, Path]]:
    """A host and a player, and the folder of a third who has just been killed in the middle of the game."""
    opened = ("--seats", "3", "--open", "--here-only", "--port", "0", "--name", "Ann")
    record = ("--record", str(folder / "Ann.shoal"))
    host = Running(folder / "ann", "host", "go-fish", *opened, *GAME, *record)
    programs = [host]
    try:
        host.until(r" join (127\.0\.0\.1:\d+)")
        found = re.search(r" join (127\.0\.0\.1:\d+)", host.output)
        assert found is not None
        programs.append(Running(folder / "ben", "join", found[1], "--name", "Ben"))
        victim = Running(folder / "cem", "join", found[1], "--name", "Cem")
        programs.append(victim)
        victim.until(r"(?m)^.* asks? ", 3)
        victim.kill()
        assert host.process.poll() is None, host.output
        yield host, programs[1], folder / "cem"
    finally:
        for each in programs:
            each.kill()


def overwrite(home: Path) -> None:
    """Garbage from the fourth page on, and no log of what was written last."""
    checkpoint(home)
    data = bytearray((home / NAME).read_bytes())
    for at in range(3 * PAGE, len(data) - PAGE, 2 * PAGE):
        data[at : at + PAGE] = os.urandom(PAGE)
    (home / NAME).write_bytes(data)


def truncate(home: Path) -> None:
    checkpoint(home)
    data = (home / NAME).read_bytes()
    (home / NAME).write_bytes(data[: len(data) // 2])


def erase(home: Path) -> None:
    for each in home.glob(f"{NAME}*"):
        each.unlink()


def replace(home: Path) -> None:
    erase(home)
    (home / NAME).write_bytes(os.urandom(5 * PAGE + 7))


def empty(home: Path) -> None:
    erase(home)
    (home / NAME).touch()


def checkpoint(home: Path) -> None:
    """All of the store in its one file, as after a program that ended well."""
    connection = sqlite3.connect(home / NAME)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


@pytest.mark.parametrize("harm", [overwrite, truncate, erase, replace, empty])
def test_a_store_that_is_lost_is_rebuilt_and_the_game_ends_for_all(
    tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    with table(tmp_path) as (host, other, home):
        harm(home)
        refused = shoal(home, "resume", "--auto", "--plain")
        assert refused.returncode == 6, refused.stdout + refused.stderr
        assert "--rebuild" in refused.stderr
        assert len(refused.stderr.strip().splitlines()) <= 2
        record = tmp_path / "Cem.shoal"
        back = Running(home, "resume", "--rebuild", "--record", str(record))
        try:
            assert back.code() == 0, back.output
        finally:
            back.kill()
        assert "is taken from the other players" in back.output
        assert [host.code(), other.code()] == [0, 0], host.output + other.output
        reports = [verify(each.read_bytes(), game, load_group()) for each in (record, tmp_path / "Ann.shoal")]
    assert [report.verdict for report in reports] == ["sound"] * 2
    assert all(report.finished for report in reports)
    assert reports[0].events == reports[1].events
    listed = shoal(home, "games")
    assert re.search(r"go-fish +finished", listed.stdout), listed.stdout
    if harm in (overwrite, truncate, replace):
        assert (home / f"{NAME}.damaged-1").is_file(), "what was damaged is never deleted"


def test_an_old_copy_signs_nothing_until_its_player_says_so(tmp_path: Path) -> None:
    with table(tmp_path) as (host, other, home):
        old = tmp_path / "old"
        shutil.copytree(home, old)
        again = Running(home, "resume")
        again.until(r"(?m)^.* asks? ", 3)
        again.kill()
        for each in home.glob(f"{NAME}*"):
            each.unlink()
        for each in old.glob(f"{NAME}*"):
            shutil.copy2(each, home)
        stale = shoal(home, "resume", "--auto", "--plain")
        assert "older" in stale.stdout, stale.stdout
        assert host.process.poll() is None, host.output
        back = Running(home, "resume", "--rebuild")
        try:
            assert back.code() == 0, back.output
        finally:
            back.kill()
        assert [host.code(), other.code()] == [0, 0], host.output + other.output
        assert verify((tmp_path / "Ann.shoal").read_bytes(), game, load_group()).verdict == "sound"


def test_without_its_secrets_or_its_key_a_seat_is_told_so(tmp_path: Path) -> None:
    """Copied by hand without the folder of spare copies, and then damaged: nobody can give the cards back."""
    with table(tmp_path) as (host, _, home):
        shutil.rmtree(home / "spare")
        connection = sqlite3.connect(home / NAME)
        connection.execute("DELETE FROM secrets")
        connection.commit()
        connection.close()
        told = shoal(home, "resume", "--auto", "--plain")
        assert told.returncode == 6, told.stdout + told.stderr
        assert "secrets of the game are lost" in told.stderr
        shutil.rmtree(home / "spare", ignore_errors=True)
        connection = sqlite3.connect(home / NAME)
        connection.execute("DELETE FROM identities")
        connection.commit()
        connection.close()
        told = shoal(home, "resume", "--auto", "--plain")
        assert told.returncode == 6, told.stdout + told.stderr
        assert "The key that this seat plays with" in told.stderr
        written = shoal(
            home, "export", "--force", told.stderr.split("export ")[1].split()[0], str(tmp_path / "c")
        )
        assert written.returncode == 0, written.stderr
        assert host.process.poll() is None, host.output


def test_games_says_what_is_played_what_waits_and_what_is_lost(tmp_path: Path) -> None:
    with table(tmp_path) as (_, _, home):
        assert re.search(r"go-fish +is being played", shoal(tmp_path / "ann", "games").stdout)
        assert re.search(r"go-fish +can go on", shoal(home, "games").stdout)
        assert '"state": "paused"' in shoal(home, "games", "--json").stdout
        erase(home)
        assert re.search(r"go-fish +to be rebuilt", shoal(home, "games").stdout)
        assert '"state": "lost"' in shoal(home, "games", "--json").stdout
