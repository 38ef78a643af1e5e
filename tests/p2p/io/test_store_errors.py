"""What is said of a store when the system refuses something: the real refusals of a real system, in a program
of their own, since limits hold for a whole process."""

from __future__ import annotations

import errno
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from p2p.identity import Identity
from p2p.io.database import (
    StoreBusy,
    StoreDamaged,
    StoreDiskReadOnly,
    StoreError,
    StoreFull,
    StoreNoFile,
    StoreOutOfFiles,
    StoreOutOfSize,
    StoreReadOnly,
    StoreUnusable,
    explained,
    explained_files,
)
from p2p.io.rescue import is_sound, rescue
from p2p.io.store import FILE_NAME, Store
from p2p.link import KnownPlayer

ROOT = Path(__file__).resolve().parents[3]
TABLE = b"t" * 32
TIME = 120
"""Seconds for one program on a busy machine: many times what it needs."""

posix = pytest.mark.skipif(sys.platform == "win32", reason="these limits are those of POSIX systems")

MANY_FILES = """
import os, resource, sys
from pathlib import Path
from p2p.io.store import Store, StoreError
folder = Path(sys.argv[1])
Store.open(folder).close()
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
taken = []
try:
    while True:
        taken.append(os.open(os.devnull, os.O_RDONLY))
except OSError:
    pass
for spared in range(int(sys.argv[2])):
    os.close(taken.pop())
try:
    Store.open(folder)
    print("opened")
except StoreError as error:
    print(type(error).__name__, error)
for each in taken:
    os.close(each)
with Store.open(folder) as store:
    store.check()
    print("sound")
"""

LARGE_FILE = """
import resource, sys
from pathlib import Path
from p2p.io.store import Store, StoreError
store = Store.open(Path(sys.argv[1]))
store.create_game(b"t" * 32, 1, b"charter", b"secret", {})
resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, resource.RLIM_INFINITY))
stored = 0
try:
    while True:
        store.append(b"t" * 32, 1, [(0, stored, 0, bytes(9000), b"s" * 64)])
        stored += 1
except StoreError as error:
    print(type(error).__name__, error)
store.close()
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
with Store.open(Path(sys.argv[1])) as store:
    store.check()
    print(len(store.entries(b"t" * 32, 1)) == stored > 0)
"""


def program(code: str, *args: str) -> list[str]:
    """The lines that a program prints."""
    done = subprocess.run(
        [sys.executable, "-c", code, *args], cwd=ROOT, capture_output=True, text=True, timeout=TIME,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@posix
@pytest.mark.parametrize("spared", [0, 1, 2])
def test_a_program_without_file_descriptors_is_told_so(tmp_path: Path, spared: int) -> None:
    """SQLite calls it a file that cannot be opened; it is none of the permissions."""
    said, after = program(MANY_FILES, str(tmp_path), str(spared))
    assert said.startswith("StoreOutOfFiles The system lets this program open no more files"), said
    assert "permission" not in said
    assert after == "sound"


@posix
def test_a_limit_on_the_size_of_files_is_told_as_one_and_nothing_stored_is_lost(tmp_path: Path) -> None:
    """SQLite calls it an I/O error, as it does a disk that fails."""
    said, after = program(LARGE_FILE, str(tmp_path))
    assert said.startswith("StoreOutOfSize The system lets"), said
    assert after == "True"


ANOTHER = """
import sys
from pathlib import Path
from p2p.io.store import Store
with Store.open(Path(sys.argv[1])) as store:
    print(*store.identity_names())
"""


@posix
@pytest.mark.parametrize("looks", ["at an error", "at the file, as another store of this program"])
def test_what_is_stored_after_a_look_at_the_file_is_not_lost_when_another_program_closes_it(
    tmp_path: Path, looks: str
) -> None:
    """Closing any descriptor of a file gives up all locks that a program has on it, SQLite's too: the other
    program would take itself for the last one, and remove the write-ahead log."""
    with Store.open(tmp_path) as store:
        store.create_identity(b"\x05" * 32, "Ann")
        if looks == "at an error":
            error = sqlite3.DatabaseError("disk I/O error")
            error.sqlite_errorcode = sqlite3.SQLITE_IOERR
            with pytest.raises(StoreDamaged), explained(store.path):
                raise error
        else:
            Store.open(tmp_path).close()
        assert program(ANOTHER, str(tmp_path)) == ["Ann"]
        store.create_identity(b"\x06" * 32, "Ben")
        assert program(ANOTHER, str(tmp_path)) == ["Ann Ben"]


META = {"addresses": {}, "port": 7467, "game": "go-fish", "players": ["Ann", "Ben"]}

DAMAGE = {
    "a name that is no text": "UPDATE identities SET name = CAST(x'ff416e' AS TEXT)",
    "a key of another length": "UPDATE identities SET seed = x'0506'",
    "a player's name that is no text": "UPDATE players SET petname = CAST(x'ff' AS TEXT)",
    "a description that is no text": "UPDATE games SET meta = CAST(x'7bff7d' AS TEXT)",
    "a description cut off": "UPDATE games SET meta = substr(meta, 1, 9)",
    "a description of another kind": "UPDATE games SET meta = '[1]'",
    "a description without an end": "UPDATE games SET meta = replace(hex(zeroblob(4000)), '00', '[')",
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_row_that_sqlite_takes_and_that_says_nothing_is_damage_that_can_be_mended(
    tmp_path: Path, damage: str
) -> None:
    """Found by fuzzing: SQLite calls such a file sound, and commands ended without a sentence."""
    with Store.open(tmp_path) as store:
        store.create_identity(b"\x05" * 32, "Ann")
        store.remember(KnownPlayer("Ben", b"\x06" * 32, 7))
        store.create_game(b"t" * 32, 1, b"charter", b"secret", META)
        store.append(b"t" * 32, 1, [(0, 0, 0, b"body", b"s" * 64)])
    connection = sqlite3.connect(tmp_path / FILE_NAME)
    connection.execute(DAMAGE[damage])
    connection.commit()
    connection.close()
    assert not is_sound(tmp_path)
    with pytest.raises(StoreDamaged, match="is damaged") as told, Store.open(tmp_path) as store:
        store.check()
    assert str(told.value).isprintable()
    rescue(tmp_path)
    assert is_sound(tmp_path)
    with Store.open(tmp_path) as store:
        mine = store.identity()
        assert mine is not None
        assert mine.public == Identity(b"\x05" * 32).public
        assert [game.meta["game"] for game in store.games()] == ["go-fish"]


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo] if os.name == "posix" else [Path.mkdir])
def test_what_is_no_file_stays_as_it_is(tmp_path: Path, make: Callable[[Path], None]) -> None:
    path = tmp_path / FILE_NAME
    make(path)
    path.chmod(0o755)
    before = path.stat().st_mode
    with pytest.raises(StoreNoFile, match="where the store should be, is no file; move it away"):
        Store.open(tmp_path)
    assert path.stat().st_mode == before


def test_a_database_with_other_tables_is_damaged(tmp_path: Path) -> None:
    Store.open(tmp_path).close()
    connection = sqlite3.connect(tmp_path / FILE_NAME)
    connection.execute("DROP TABLE games")
    connection.close()
    with Store.open(tmp_path) as store, pytest.raises(StoreDamaged, match="no such table: games"):
        store.games()


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (sqlite3.SQLITE_BUSY, StoreBusy),
        (sqlite3.SQLITE_LOCKED, StoreBusy),
        (sqlite3.SQLITE_PROTOCOL, StoreBusy),
        (sqlite3.SQLITE_FULL, StoreFull),
        (sqlite3.SQLITE_READONLY, StoreReadOnly),
        (sqlite3.SQLITE_PERM, StoreReadOnly),
        (sqlite3.SQLITE_CANTOPEN, StoreReadOnly),
        (sqlite3.SQLITE_CORRUPT, StoreDamaged),
        (sqlite3.SQLITE_NOTADB, StoreDamaged),
        (sqlite3.SQLITE_IOERR, StoreDamaged),
        (sqlite3.SQLITE_IOERR_READ, StoreDamaged),
        (sqlite3.SQLITE_NOLFS, StoreUnusable),
        (sqlite3.SQLITE_MISUSE, sqlite3.DatabaseError),
    ],
)
def test_each_result_of_sqlite_has_its_sentence(tmp_path: Path, code: int, kind: type[Exception]) -> None:
    error = sqlite3.DatabaseError("as it says")
    error.sqlite_errorcode = code
    (tmp_path / FILE_NAME).touch()
    with pytest.raises(kind), explained(tmp_path / FILE_NAME):
        raise error
    assert [each.name for each in tmp_path.iterdir()] == [FILE_NAME], "what was tried leaves nothing behind"


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (errno.ENOSPC, StoreFull),
        (errno.EDQUOT, StoreFull),
        (errno.EMFILE, StoreOutOfFiles),
        (errno.ENFILE, StoreOutOfFiles),
        (errno.EFBIG, StoreOutOfSize),
        (errno.EIO, StoreDamaged),
        (errno.EROFS, StoreDiskReadOnly),
        (errno.EACCES, StoreReadOnly),
        (errno.ESTALE, StoreUnusable),
        (errno.ENAMETOOLONG, StoreUnusable),
    ],
)
def test_each_refusal_of_the_system_has_its_sentence(
    tmp_path: Path, number: int, kind: type[StoreError]
) -> None:
    with pytest.raises(kind) as caught, explained_files(tmp_path / FILE_NAME):
        raise OSError(number, "as it says")
    assert str(tmp_path) in str(caught.value)
