"""Real sealed games through the commands, each in a process of its own: play, record, verify, export,
resume."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cli.network import is_bare_address
from p2p.io.store import Store

ROOT = Path(__file__).resolve().parents[2]
SMALL = ("--set", "ranks=4", "--set", "suits=2", "--set", "book_size=2", "--set", "hand_size=1")
LIMIT = 240
"""Seconds for a whole game on a busy machine: many times what it needs."""

pytestmark = pytest.mark.network


def start(home: Path, *args: str, stdin: int = subprocess.DEVNULL) -> subprocess.Popen[str]:
    env = {**os.environ, "SHOAL_HOME": str(home), "TERM": "xterm", "PYTHONIOENCODING": "utf-8"}
    return subprocess.Popen(
        [sys.executable, "-m", "cli", *args], cwd=ROOT, env=env, text=True, stdin=stdin,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def shoal(home: Path, *args: str, text: str = "") -> tuple[int, str, str]:
    process = start(home, *args, stdin=subprocess.PIPE)
    out, err = process.communicate(text, timeout=LIMIT)
    return process.returncode, out, err


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, str]:
    """A home with one finished game, its record, and what the screen showed."""
    folder = tmp_path_factory.mktemp("game")
    record = folder / "game.shoal"
    code, out, err = shoal(
        folder / "home",
        "play",
        "go-fish",
        "--bots",
        "2",
        "--auto",
        "--record",
        str(record),
        "--name",
        "Ann",
        *SMALL,
    )
    assert (code, err) == (0, "")
    return folder / "home", record, out


def test_an_automatic_game_is_told_from_the_keys_to_the_record(finished: tuple[Path, Path, str]) -> None:
    _home, record, out = finished
    lines = out.splitlines()
    assert lines[0].startswith("Go Fish: you against ")
    for part in ("Shuffling: you, 1 of 3", "shuffle is proved.", "Dealing", "proved: holds one"):
        assert part in out
    assert lines[-2] == f"Record: {record}"
    assert lines[-1].startswith("Anyone can check it: ")
    assert lines[-1].endswith(f" verify {record}")
    assert "Your turn." not in lines, "nobody is asked"
    assert "\x1b" not in out
    assert "\r" not in out


def test_the_record_verifies(finished: tuple[Path, Path, str]) -> None:
    home, record, _out = finished
    code, out, _err = shoal(home, "verify", str(record), "--json")
    facts = json.loads(out)
    assert code == 0
    assert (facts["verdict"], facts["finished"], facts["players"][0]) == ("sound", True, "Ann")
    assert facts["confirmed_by"] == facts["revealed"] == [0, 1, 2]
    assert facts["checks"]["shuffles"] == 3
    code, out, _err = shoal(home, "verify", str(record), "--events")
    assert code == 0
    assert "SOUND: nobody lied" in out
    assert "Ann" in out


def test_a_changed_record_does_not(finished: tuple[Path, Path, str], tmp_path: Path) -> None:
    home, record, _out = finished
    data = bytearray(record.read_bytes())
    data[len(data) // 2] ^= 1
    changed = tmp_path / "changed.shoal"
    changed.write_bytes(data)
    code, out, _err = shoal(home, "verify", str(changed))
    assert code == 1
    assert out.startswith("DAMAGED") or "\nDAMAGED" in out
    changed.write_bytes(record.read_bytes()[:-5])
    code, out, _err = shoal(home, "verify", str(changed), "--json")
    assert (code, json.loads(out)["verdict"]) == (1, "damaged")


def test_the_game_is_listed_and_can_be_exported(finished: tuple[Path, Path, str], tmp_path: Path) -> None:
    home, record, _out = finished
    (entry,) = json.loads(shoal(home, "games", "--json")[1])
    assert (entry["state"], entry["players"][0]) == ("finished", "Ann")
    listed = shoal(home, "games")[1]
    assert listed.split()[:6] == ["id", "played", "last", "game", "state", "players"]
    assert f"{entry['id']}  " in listed
    assert f"Records of finished games: {home / 'records'}" in listed
    target = tmp_path / "out.shoal"
    assert shoal(home, "export", entry["id"], str(target))[0] == 0
    assert target.read_bytes() == record.read_bytes()
    code, _out, err = shoal(home, "export", entry["id"], str(target))
    assert (code, "--force" in err) == (2, True)
    code, _out, err = shoal(home, "resume", entry["id"])
    assert (code, err.startswith("Error: That game is over.\n")) == (2, True)
    assert err.endswith(f" verify {entry['record']}\n")
    assert Path(entry["record"]).read_bytes() == record.read_bytes()


def test_a_kept_game_is_verified_by_its_id(finished: tuple[Path, Path, str]) -> None:
    home, _record, _told = finished
    (entry,) = json.loads(shoal(home, "games", "--json")[1])
    code, out, _err = shoal(home, "verify", entry["id"])
    assert code == 0
    assert "SOUND" in out
    code, _out, err = shoal(home, "verify", "0000abcd")
    assert code == 2
    assert 'No game here has the id "0000abcd".' in err


@pytest.mark.parametrize(
    ("typed", "is_bare"),
    [("192.0.2.7", True), ("localhost", True), ("::1", True), ("[::1]", True), ("Ann", False),
     ("Ann.2", False), ("192.0.2.7:7467", False)],
)  # fmt: skip
def test_an_address_without_a_port_is_told_from_a_name(typed: str, is_bare: bool) -> None:
    assert is_bare_address(typed) == is_bare


def test_a_game_that_ended_without_its_record_is_written_by_export(
    finished: tuple[Path, Path, str], tmp_path: Path
) -> None:
    """As after a kill between the last signature and the writing of the file."""
    home, record, _out = finished
    (written,) = (home / "records").glob("*.shoal")
    kept = written.rename(tmp_path / "kept.shoal")
    try:
        (entry,) = json.loads(shoal(home, "games", "--json")[1])
        code, _out, err = shoal(home, "resume", entry["id"])
        assert (code, err.splitlines()[0]) == (2, "Error: That game is over.")
        assert "This writes its record: " in err
        assert err.endswith(f" export {entry['id']}\n")
        assert shoal(home, "export", entry["id"], str(tmp_path / "again.shoal"))[0] == 0
        assert (tmp_path / "again.shoal").read_bytes() == record.read_bytes()
    finally:
        kept.rename(written)


def test_a_finished_game_leaves_no_secrets_and_no_bots(finished: tuple[Path, Path, str]) -> None:
    home, _record, _out = finished
    assert list((home / "bots").iterdir()) == []
    assert (home.stat().st_mode & 0o777) == 0o700
    assert len(list((home / "records").glob("*.shoal"))) == 1


def test_moves_that_a_script_has_written_ahead_wait_for_their_turn(tmp_path: Path) -> None:
    """They are read while the keys are exchanged; each is tried on a turn of one's own."""
    ranks = ("A", *map(str, range(2, 11)), "J", "Q", "K")
    moves = "".join(f"ask coral {rank}\n" for rank in ranks)
    options = ("--set", "hand_size=10", "--set", "end_mode=all_books")
    code, out, _err = shoal(tmp_path, "play", "go-fish", "--bots", "1", *options, text=f"hand\n{moves}quit\n")
    assert code == 0
    assert "not your turn" not in out
    assert "You ask Coral for" in out, "ten cards are of three ranks at least"


def test_quitting_pauses_and_resume_goes_on_with_all_bots(tmp_path: Path) -> None:
    code, out, err = shoal(tmp_path, "play", "go-fish", "--bots", "2", *SMALL, text="quit\n")
    assert (code, err) == (0, "")
    (entry,) = json.loads(shoal(tmp_path, "games", "--json")[1])
    assert f"resume {entry['id']}" in out
    assert entry["state"] in ("running", "paused")
    assert len(list((tmp_path / "bots").iterdir())) == 2
    _code, again, _err = shoal(tmp_path, "play", "go-fish", "--bots", "1", *SMALL, text="quit\n")
    assert again.startswith("A game of Go Fish with its last move at ")
    assert f"resume {entry['id']}" in again.splitlines()[0]
    target = tmp_path / "half.shoal"
    assert shoal(tmp_path, "export", entry["id"][:4], str(target))[0] == 0
    code, out, _err = shoal(tmp_path, "verify", str(target), "--json")
    assert (code, json.loads(out)["finished"]) == (0, False)
    code, out, err = shoal(tmp_path, "resume", entry["id"], "--auto")
    assert (code, err) == (0, "")
    assert "Everyone has signed the result." in out
    games = json.loads(shoal(tmp_path, "games", "--json")[1])
    assert [each["state"] for each in games if each["id"] == entry["id"]] == ["finished"]


def read_until(process: subprocess.Popen[str], part: str) -> str:
    assert process.stdout is not None
    seen = ""
    while part not in seen:
        line = process.stdout.readline()
        assert line, seen
        seen += line
    return seen


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_pause_and_say_how_to_go_on(tmp_path: Path, number: signal.Signals) -> None:
    process = start(tmp_path, "play", "go-fish", "--bots", "1", *SMALL, stdin=subprocess.PIPE)
    read_until(process, "Shuffling")
    process.send_signal(number)
    _out, err = process.communicate(timeout=LIMIT)
    assert process.returncode == 130
    assert err.startswith("The game is paused; nothing is lost.\n  Next: ")
    assert f" --home {tmp_path} resume " in err
    assert "Traceback" not in err


def test_killed_with_all_its_bots_and_brought_back(tmp_path: Path) -> None:
    process = start(tmp_path, "play", "go-fish", "--bots", "2", *SMALL, stdin=subprocess.PIPE)
    read_until(process, "Dealing")
    process.kill()
    process.communicate()
    code, out, err = shoal(tmp_path, "resume", "--auto")
    assert (code, err) == (0, "")
    assert "Record: " in out


def test_host_and_join_over_the_loopback(tmp_path: Path) -> None:
    host = start(
        tmp_path / "ann", "host", "go-fish", "--seats", "3", "--bots", "1", "--here-only", "--port", "0",
        "--open", "--auto", "--name", "Ann", *SMALL,
    )  # fmt: skip
    shown = read_until(host, "At the table, 2 of 3")
    address = next(word for word in shown.split() if word.startswith("127.0.0.1:"))
    code, out, err = shoal(tmp_path / "ben", "join", address, "--auto", "--name", "Ben")
    host_out, host_err = host.communicate(timeout=LIMIT)
    assert (code, err, host.returncode, host_err) == (0, "", 0, "")
    words = [line for line in out.splitlines() if "Safety words" in line]
    assert words
    assert words[0] in host_out
    assert "Options: book_size=2, hand_size=1, ranks=4, suits=2" in out
    with Store.open(tmp_path / "ben") as store:
        assert [player.petname for player in store.players()] == ["Ann"]
    with Store.open(tmp_path / "ann") as store:
        assert [player.petname for player in store.players()] == ["Ben"]


def test_a_stranger_is_refused_without_a_terminal(tmp_path: Path) -> None:
    host = start(
        tmp_path / "ann", "host", "go-fish", "--seats", "2", "--here-only", "--port", "0", "--name", "Ann"
    )
    shown = read_until(host, "At the table, 1 of 2")
    address = next(word for word in shown.split() if word.startswith("127.0.0.1:"))
    code, _out, err = shoal(tmp_path / "ben", "join", address, "--name", "Ben")
    assert (code, err) == (3, "Error: Ann did not let you in.\n")
    code, _out, err = shoal(tmp_path / "ann", "join", address)
    assert code == 3
    assert "--home" in err
    host.terminate()
    assert host.communicate(timeout=LIMIT)[1] == "Stopped.\n"
    assert host.returncode == 130


def test_a_busy_port(tmp_path: Path) -> None:
    host = start(tmp_path / "a", "host", "go-fish", "--here-only", "--port", "0")
    shown = read_until(host, "At the table")
    port = next(word for word in shown.split() if word.startswith("127.0.0.1:")).rpartition(":")[2]
    code, _out, err = shoal(tmp_path / "b", "host", "go-fish", "--here-only", "--port", port)
    assert code == 3
    assert f"Port {port} is in use" in err
    host.terminate()
    host.communicate(timeout=LIMIT)


def test_nobody_answers(tmp_path: Path) -> None:
    code, _out, err = shoal(tmp_path, "join", "127.0.0.1:9")
    assert code == 3
    assert "Nobody answers at 127.0.0.1:9" in err


@pytest.mark.parametrize("address", ["nowhere:port", "127.0.0.1:0", "127.0.0.1:99999", "a b:1"])
def test_an_address_that_is_none(tmp_path: Path, address: str) -> None:
    code, _out, err = shoal(tmp_path, "join", address)
    assert code == 2
    assert "HOST:PORT" in err


def test_a_start_with_who_is_here(tmp_path: Path) -> None:
    host = start(
        tmp_path / "ann", "host", "go-fish", "--seats", "4", "--bots", "1", "--start-when", "2",
        "--here-only", "--port", "0", "--auto", *SMALL,
    )  # fmt: skip
    out, err = host.communicate(timeout=LIMIT)
    assert (host.returncode, err) == (0, "")
    assert "Record: " in out
