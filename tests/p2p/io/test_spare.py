"""Spare copies of what nobody else can give back, and what is saved from a damaged store."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from p2p.identity import Identity
from p2p.io.database import StoreDamaged
from p2p.io.rescue import is_sound, rescue
from p2p.io.spare import FOLDER, IDENTITIES
from p2p.io.store import FILE_NAME, SecretsLost, Store, UnknownGame

TABLE, OTHER = b"\x01" * 32, b"\x02" * 32
SEED, SECRET = b"s" * 32, b"r" * 32
META = {"addresses": {"0": ["127.0.0.1:7467"]}, "port": 7467, "game": "go-fish", "players": ["A", "B"]}
PAGE = 4096


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A store with an identity, a game under way with a hundred contributions, and one that is over."""
    with Store.open(tmp_path) as store:
        store.create_identity(SEED, "Ann")
        for table in (TABLE, OTHER):
            store.create_game(table, 1, b"charter", SECRET, META)
            for step in range(50):
                store.append(table, 1, [(0, step, author, os.urandom(900), b"x" * 64) for author in (0, 1)])
        store.finish(OTHER, 1)
        store.delete_secrets(OTHER, 1)
    return tmp_path


def erase(folder: Path) -> None:
    for each in folder.glob(f"{FILE_NAME}*"):
        each.unlink()


def test_a_store_that_is_gone_comes_back_with_its_identity_and_its_games_under_way(folder: Path) -> None:
    erase(folder)
    with Store.open(folder) as store:
        identity = store.identity()
        assert identity is not None
        assert identity.public == Identity(SEED).public
        (saved,) = store.games()
        assert (saved.table_id, saved.seat, saved.charter) == (TABLE, 1, b"charter")
        assert (saved.state, saved.is_lost, saved.meta["port"]) == ("running", True, 7467)
        assert store.secrets(TABLE, 1) == SECRET
        assert store.entries(TABLE, 1) == ()
        store.mark_lost(TABLE, 1, False)
        assert not store.games()[0].is_lost
    with Store.open(folder) as store:
        assert len(store.games()) == 1, "once, and not at every start"


def test_a_store_of_an_older_version_gets_its_spare_copy_of_the_identity(folder: Path) -> None:
    (folder / FOLDER / IDENTITIES).unlink()
    Store.open(folder).close()
    erase(folder)
    with Store.open(folder) as store:
        identity = store.identity()
        assert identity is not None
        assert identity.public == Identity(SEED).public


@pytest.mark.parametrize("harm", ["short", "changed", "empty", "garbage"])
def test_a_spare_copy_that_is_damaged_is_none(folder: Path, harm: str) -> None:
    for path in (folder / FOLDER).iterdir():
        data = path.read_bytes()
        changed = bytearray(data)
        changed[-1] ^= 1
        path.write_bytes(
            {"short": data[:-1], "changed": bytes(changed), "empty": b"", "garbage": os.urandom(60)}[harm]
        )
    erase(folder)
    with Store.open(folder) as store:
        assert store.identity() is None
        assert store.games() == ()


def test_the_secrets_of_a_game_that_is_over_are_in_no_spare_copy(folder: Path) -> None:
    assert [path.name for path in sorted((folder / FOLDER).iterdir())] == [
        f"{TABLE.hex()}-1.game",
        IDENTITIES,
    ]
    with Store.open(folder) as store:
        with pytest.raises(SecretsLost):
            store.secrets(OTHER, 1)
        store.delete_secrets(TABLE, 1)
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert not any(SECRET in path.read_bytes() for path in files)


def secrets_in(folder: Path) -> int:
    """Rows of secrets in the store of ``folder``."""
    connection = sqlite3.connect(folder / FILE_NAME)
    (count,) = connection.execute("SELECT count(*) FROM secrets").fetchone()
    connection.close()
    return int(count)


@pytest.mark.parametrize("state", ["finished", "cheated", "stopped"])
def test_secrets_that_outlived_their_game_go_at_the_next_start(folder: Path, state: str) -> None:
    """The program was killed, or had no file descriptor left, between the end of a game and the deletion."""
    with Store.open(folder) as store:
        store.finish(TABLE, 1, state)
    assert secrets_in(folder) == len(list((folder / FOLDER).glob("*.game"))) == 1
    with Store.open(folder) as store:
        assert sorted(each.state for each in store.games()) == sorted([state, "finished"])
    assert secrets_in(folder) == len(list((folder / FOLDER).glob("*.game"))) == 0


def test_neither_a_key_nor_a_secret_is_shown(folder: Path) -> None:
    with Store.open(folder) as store:
        for value in (*store._spare.identities(), *store._spare.games()):
            assert str(SEED) not in repr(value)
            assert str(SECRET) not in repr(value)


def test_pages_that_are_overwritten_cost_what_stood_there(folder: Path) -> None:
    path = folder / FILE_NAME
    data = bytearray(path.read_bytes())
    middle = len(data) // PAGE // 2 * PAGE
    data[middle : middle + 4 * PAGE] = os.urandom(4 * PAGE)
    path.write_bytes(data)
    assert not is_sound(folder)
    found = rescue(folder)
    assert found.aside.read_bytes() == data, "it is kept as it was"
    assert 0 < found.rows["entries"] < 200
    assert is_sound(folder)
    with Store.open(folder) as store:
        states = {saved.table_id: (saved.state, saved.is_lost) for saved in store.games()}
        assert states[TABLE] == ("running", True)
        assert states.get(OTHER, ("finished", False)) == ("finished", False)
        assert store.secrets(TABLE, 1) == SECRET
        store.forget_steps(TABLE, 1)
        assert store.entries(TABLE, 1) == ()
        with pytest.raises(UnknownGame):
            store.forget_steps(b"\x03" * 32, 1)


def test_a_second_damaged_store_does_not_replace_the_first(folder: Path) -> None:
    asides = []
    for _ in range(2):
        erase_to(folder, os.urandom(3 * PAGE))
        with pytest.raises(StoreDamaged, match="is damaged"):
            Store.open(folder)
        asides.append(rescue(folder).aside)
    assert [each.name for each in asides] == [f"{FILE_NAME}.damaged-1", f"{FILE_NAME}.damaged-2"]
    assert all(each.is_file() for each in asides)


def erase_to(folder: Path, data: bytes) -> None:
    erase_suffixes(folder)
    (folder / FILE_NAME).write_bytes(data)


def erase_suffixes(folder: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        (folder / f"{FILE_NAME}{suffix}").unlink(missing_ok=True)


def test_rows_that_make_no_sense_are_left_out(folder: Path) -> None:
    """A table of the same name with other columns, and rows that belong to no game."""
    erase_suffixes(folder)
    (folder / FOLDER / IDENTITIES).unlink()
    connection = sqlite3.connect(folder / FILE_NAME)
    connection.execute("CREATE TABLE identities (name, seed, created)")
    connection.execute("INSERT INTO identities VALUES ('Ann', 7, 'never'), ('Ben', x'01', 1)")
    connection.execute("CREATE TABLE entries (number, game)")
    connection.execute("CREATE TABLE secrets (game, data)")
    connection.execute("INSERT INTO secrets VALUES (77, x'02')")
    connection.commit()
    connection.close()
    found = rescue(folder)
    assert (found.rows["secrets"], found.rows["entries"]) == (0, 0)
    with Store.open(folder) as store:
        assert store.identity() is None
        assert [saved.table_id for saved in store.games()] == [TABLE]
