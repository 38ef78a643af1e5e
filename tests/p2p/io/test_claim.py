"""One program at a time plays a seat."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from p2p.io.claim import Claim, SeatTaken
from p2p.io.store import Store, StoreReadOnly

TABLE = b"t" * 32
ROOT = Path(__file__).resolve().parents[3]

HOLDER = """
import sys, time
from pathlib import Path
from p2p.io.store import Store
store = Store.open(Path(sys.argv[1]))
store.claim(b"t" * 32, 0)
print("held", flush=True)
time.sleep(600)
"""


def test_a_seat_is_claimed_once_and_given_back(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.claim(TABLE, 0)
        with Store.open(tmp_path) as second:
            with pytest.raises(SeatTaken, match="Another program plays this seat already"):
                second.claim(TABLE, 0)
            second.claim(TABLE, 1)  # another seat, and another table, are free
            second.claim(b"u" * 32, 0)
            store.release(TABLE, 0)
            second.claim(TABLE, 0)
            second.release(TABLE, 5)  # never held
        store.claim(TABLE, 0)
    assert list(tmp_path.glob("*.lock")) == []


def test_a_program_that_is_killed_gives_its_seat_back(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLDER, str(tmp_path)]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) as holder:
        try:
            assert holder.stdout is not None
            assert holder.stdout.readline() == "held\n"
            with Store.open(tmp_path) as store:
                with pytest.raises(SeatTaken):
                    store.claim(TABLE, 0)
                holder.kill()
                holder.wait(60)
                store.claim(TABLE, 0)
        finally:
            holder.kill()


@pytest.mark.skipif(os.name != "posix", reason="there an open file cannot be removed")
def test_a_lock_whose_file_was_removed_meanwhile_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its last holder gives the seat back between our opening of the file and our lock on it."""
    first = Claim.take(tmp_path, TABLE, 0)
    held = [first]

    def slow(handle: int) -> None:
        if held:
            held.pop().release()
        lock(handle)

    from p2p.io import claim

    lock = claim._lock
    monkeypatch.setattr(claim, "_lock", slow)
    second = Claim.take(tmp_path, TABLE, 0)
    monkeypatch.undo()
    with pytest.raises(SeatTaken):
        Claim.take(tmp_path, TABLE, 0)
    second.release()


def test_a_file_system_without_locks_is_played_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(_handle: int) -> None:
        raise OSError("no locks available")

    monkeypatch.setattr("p2p.io.claim._lock", none)
    Claim.take(tmp_path, TABLE, 0).release()


def test_where_no_file_can_be_made_there_is_a_sentence(tmp_path: Path) -> None:
    with Store.open(tmp_path / "store") as store:
        store.path = tmp_path / "gone" / "shoal.sqlite3"
        with pytest.raises(StoreReadOnly, match="check the permissions"):
            store.claim(TABLE, 0)
