"""The real program after its store was damaged, deleted, or put back from an old copy: what it says, and how
the game goes on by what the other players hold."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.registry import game
from p2p.io.sodium import load_group
from p2p.verify import verify
from tests.e2e.players import GAME, ROOT, TIME, Running, environment, shoal, table_of_three

pytestmark = [pytest.mark.slow, pytest.mark.network]

NAME = "shoal.sqlite3"
PAGE = 4096


@contextmanager
def table(folder: Path, options: Sequence[str] = GAME) -> Iterator[tuple[Running, Running, Path]]:
    """A host and a player, and the folder of a third who has just been killed in the middle of the game."""
    with table_of_three(folder, options) as (host, other, victim):
        victim.kill()
        assert host.process.poll() is None, host.output
        yield host, other, folder / "cem"


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
        again.until(r"(?s)Pond: .* draws? .* draws? ")  # new ones, and each needs something of this seat
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


def delete(home: Path, rows: str) -> None:
    """All rows of a table of the store, as damage would have it."""
    with contextlib.closing(sqlite3.connect(home / NAME)) as connection, connection:
        connection.execute(f"DELETE FROM {rows}")


def test_without_its_secrets_or_its_key_a_seat_is_told_so(tmp_path: Path) -> None:
    """Copied by hand without the folder of spare copies, and then damaged: nobody can give the cards back."""
    with table(tmp_path) as (host, _, home):
        shutil.rmtree(home / "spare")
        delete(home, "secrets")
        told = shoal(home, "resume", "--auto", "--plain")
        assert told.returncode == 6, told.stdout + told.stderr
        assert "secrets of the game are lost" in told.stderr
        shutil.rmtree(home / "spare", ignore_errors=True)
        delete(home, "identities")
        told = shoal(home, "resume", "--auto", "--plain")
        assert told.returncode == 6, told.stdout + told.stderr
        assert "The key that this seat plays with" in told.stderr
        written = shoal(
            home, "export", "--force", told.stderr.split("export ")[1].split()[0], str(tmp_path / "c")
        )
        assert written.returncode == 0, written.stderr
        assert host.process.poll() is None, host.output


def test_without_its_secrets_a_seat_leaves_by_its_own_word_and_the_others_play_on(tmp_path: Path) -> None:
    with table(tmp_path, (*GAME, "--recovery")) as (host, other, home):
        shutil.rmtree(home / "spare")
        delete(home, "secrets")
        told = shoal(home, "resume", "--auto", "--plain")
        assert told.returncode == 6, told.stdout + told.stderr
        command = re.search(
            r"for which your key is enough: .* (resume [0-9a-f]{8} --resign)$", told.stderr, re.MULTILINE
        )
        assert command is not None, told.stderr
        asked = shoal(home, *command[1].split(), "--plain")
        assert asked.returncode == 2, "nobody sits there who could be asked"
        assert f"{command[1]} --yes" in " ".join(asked.stderr.split())
        gone = Running(home, *command[1].split(), "--yes")
        try:
            assert [each.code() for each in (host, other, gone)] == [0, 0, 0], host.output + gone.output
        finally:
            gone.kill()
        assert "You leave this game for good, as soon as it needs something of your seat." in gone.output
        assert "You may watch the rest of the game." in gone.output
        for each in (host, other):
            assert "Cem has left the game." in each.output
            assert "Only two players are left: if one of them leaves, the game ends." in each.output
    report = verify((tmp_path / "Ann.shoal").read_bytes(), game, load_group())
    assert (report.verdict, report.finished) == ("sound", True)
    assert [report.players[seat] for _step, seat in report.left] == ["Cem"]
    assert not report.certified, "its own word, and nobody else's"


def test_two_lost_stores_of_which_one_is_rebuilt_are_named_and_the_other_ends_the_wait(
    tmp_path: Path,
) -> None:
    """The table says for whom it waits, and why nobody can be left out meanwhile; nothing is signed."""
    with table_of_three(tmp_path, (*GAME, "--recovery", "--grace", "10")) as (host, second, third):
        second.kill()
        third.kill()
        erase(tmp_path / "ben")
        erase(tmp_path / "cem")
        first = Running(tmp_path / "ben", "resume", "--rebuild")
        try:
            host.until(
                r"Ben's machine asks for what its store may lack\. Until everything from Cem is there, "
                r"nothing is signed for Ben"
            )
            first.until(r"Until everything from Cem is here, nothing is signed for you")
            host.until(r"Cem has been out of reach")
            assert "has left the game" not in host.output
            last = Running(tmp_path / "cem", "resume", "--rebuild")
            try:
                assert [each.code() for each in (host, first, last)] == [0, 0, 0], host.output
            finally:
                last.kill()
        finally:
            first.kill()
        assert "Ben's machine has everything again." in host.output
    report = verify((tmp_path / "Ann.shoal").read_bytes(), game, load_group())
    assert (report.verdict, report.finished, report.left) == ("sound", True, ())


def test_a_game_whose_players_do_not_come_back_is_ended_for_good(tmp_path: Path) -> None:
    """Its record stays, and says for whom it waited; its secrets go, and nothing offers to go on with it."""
    with table(tmp_path) as (host, other, home):
        played = shoal(tmp_path / "ann", "games", "--stop", the_game(tmp_path / "ann"), "--yes")
        assert played.returncode == 2
        assert "is being played" in played.stderr
        for each in (host, other):
            each.kill()
        name = the_game(home)
        asked = subprocess.run(
            [sys.executable, "-m", "cli", "games", "--stop", name], env=environment(home), cwd=ROOT,
            input="n\n", capture_output=True, text=True, timeout=TIME, check=True,
        )  # fmt: skip
        assert "Nothing changes." in asked.stdout
        stopped = shoal(home, "games", "--stop", name, "--yes")
        assert stopped.returncode == 0, stopped.stderr
        assert re.search(r"go-fish +stopped", shoal(home, "games").stdout)
        verdict = shoal(home, "verify", name)
        assert verdict.returncode == 0
        assert "SOUND so far" in verdict.stdout
        assert "When it was stopped, the game waited for" in verdict.stdout
        again = shoal(home, "resume", "--auto", "--plain")
        assert (again.returncode, "no game to go on with" in again.stderr) == (2, True)
        assert not list((home / "spare").glob("*.game"))
        with contextlib.closing(sqlite3.connect(home / NAME)) as connection:
            assert connection.execute("SELECT count(*) FROM secrets").fetchone() == (0,)


def test_a_game_of_which_moves_are_lost_is_ended_all_the_same_without_a_record(tmp_path: Path) -> None:
    with table(tmp_path) as (host, other, home):
        for each in (host, other):
            each.kill()
        with contextlib.closing(sqlite3.connect(home / NAME)) as connection:
            connection.execute("DELETE FROM entries WHERE number = 1")
            connection.commit()
        name = the_game(home)
        before = set((home / "records").glob("*"))
        stopped = shoal(home, "games", "--stop", name, "--yes")
        assert stopped.returncode == 0, stopped.stderr
        assert "lacks moves of this game, so no record can be made" in " ".join(stopped.stdout.split())
        assert "Record: " not in stopped.stdout
        assert set((home / "records").glob("*")) == before
        assert re.search(r"go-fish +stopped", shoal(home, "games").stdout)


def the_game(home: Path) -> str:
    """The id of the only game that is kept there."""
    (entry,) = json.loads(shoal(home, "games", "--json").stdout)
    return str(entry["id"])


def test_games_says_what_is_played_what_waits_and_what_is_lost(tmp_path: Path) -> None:
    with table(tmp_path) as (_, _, home):
        assert re.search(r"go-fish +is being played", shoal(tmp_path / "ann", "games").stdout)
        assert re.search(r"go-fish +can go on", shoal(home, "games").stdout)
        assert '"state": "paused"' in shoal(home, "games", "--json").stdout
        erase(home)
        assert re.search(r"go-fish +to be rebuilt", shoal(home, "games").stdout)
        assert '"state": "lost"' in shoal(home, "games", "--json").stdout
