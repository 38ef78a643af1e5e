"""The SQLite file under the store: made private, opened durable, and its errors turned into sentences."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import sqlite3
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

from ..link import ExplainedError

if sys.platform != "win32":  # the module exists there alone
    import resource

SCHEMA_VERSION = 2

BUSY_TIME = 3.0
"""Seconds to wait for another program's transaction; ours take milliseconds."""

LITTLE_SPACE = 256 * 1024
"""Bytes. An I/O error with less left than the write-ahead log may grow by, on the disk or below a limit, is
that under another name."""

TRIAL = 32 * 1024
"""Bytes written to see what the system says: some pages of the store, and less than ``LITTLE_SPACE``."""

_SCHEMA = """
CREATE TABLE identities (
    name TEXT PRIMARY KEY, seed BLOB NOT NULL, created INTEGER NOT NULL
) STRICT;
CREATE TABLE players (
    public BLOB PRIMARY KEY, petname TEXT NOT NULL, first_seen INTEGER NOT NULL, verified INTEGER NOT NULL
) STRICT;
CREATE TABLE games (
    id INTEGER PRIMARY KEY, table_id BLOB NOT NULL, seat INTEGER NOT NULL, charter BLOB NOT NULL,
    state TEXT NOT NULL, started INTEGER NOT NULL, active INTEGER NOT NULL, meta TEXT NOT NULL,
    UNIQUE (table_id, seat)
) STRICT;
CREATE TABLE secrets (
    game INTEGER PRIMARY KEY REFERENCES games, data BLOB NOT NULL
) STRICT;
CREATE TABLE entries (
    number INTEGER PRIMARY KEY, game INTEGER NOT NULL REFERENCES games,
    epoch INTEGER NOT NULL, step INTEGER NOT NULL, author INTEGER NOT NULL,
    body BLOB NOT NULL, signature BLOB NOT NULL,
    UNIQUE (game, epoch, step, author)
) STRICT;
"""

_VERSION_2 = """
CREATE TABLE statements (
    number INTEGER PRIMARY KEY, game INTEGER NOT NULL REFERENCES games,
    epoch INTEGER NOT NULL, step INTEGER NOT NULL, keeper INTEGER NOT NULL, purpose TEXT NOT NULL,
    author INTEGER NOT NULL, have INTEGER NOT NULL, signature BLOB NOT NULL,
    UNIQUE (game, epoch, step, keeper, author)
) STRICT;
CREATE TABLE committed (
    game INTEGER PRIMARY KEY REFERENCES games, epoch INTEGER NOT NULL, step INTEGER NOT NULL,
    deed BLOB NOT NULL
) STRICT;
"""
"""Absence rounds, and the deed that the last commitment of a race stands for."""


class StoreError(ExplainedError):
    """The store cannot be used."""


class StoreFull(StoreError):
    """The disk that holds {path} is full; free some space and go on, what was stored before is safe."""


class StoreBusy(StoreError):
    """Another program keeps {path} locked; close it and try again."""


class StoreDamaged(StoreError):
    """The store {path} is damaged or its disk fails ({detail})."""


class StoreNoFile(StoreError):
    """{path}, where the store should be, is no file; move it away, or choose another folder with --home."""


class StoreReadOnly(StoreError):
    """The store {path} cannot be opened for writing; check the permissions of the file and of its folder."""


class StoreDiskReadOnly(StoreError):
    """The disk that holds {path} is read-only, perhaps since the system found a fault in it; look after it,
    or choose another folder with --home. What was stored before is safe."""


class StoreOutOfFiles(StoreError):
    """The system lets this program open no more files, so {path} cannot be used; close other programs, or
    raise the limit (ulimit -n), and go on: what was stored before is safe."""


class StoreOutOfSize(StoreError):
    """The system lets {path} grow no further; raise the limit on the size of files (ulimit -f) and go on:
    what was stored before is safe."""


class StoreUnusable(StoreError):
    """The store {path} cannot be used now ({detail}); see to the disk or network folder that it is on, and
    go on: what was stored before is safe."""


class StoreTooNew(StoreError):
    """The store {path} was written by a newer version of the program; update this one."""


class StoreConflict(StoreError):
    """{what} is already stored with other contents; {remedy}."""


class BadRow(ValueError):
    """What the store says about a game is not what this program writes there. The message is empty."""


def open_database(path: Path) -> sqlite3.Connection:
    """A connection to the file at ``path``, made with its folder where missing. Raises ``StoreError``."""
    with explained_files(path):
        _make_private(path.parent, path)
    with explained(path):
        connection = sqlite3.connect(path, timeout=BUSY_TIME, isolation_level=None, check_same_thread=False)
        try:
            _prepare(connection, path)
        except BaseException:
            connection.close()
            raise
    return connection


def _make_private(folder: Path, path: Path) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.stat().st_mode & 0o1077 and not folder.stat().st_mode & 0o1000:  # never tighten a shared /tmp
        folder.chmod(0o700)
    # A file that is there is not opened: see ``_tried``.
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode):  # somebody else's folder, pipe or device: it stays as it is
        raise StoreNoFile(path=path)
    if mode & 0o077:
        path.chmod(0o600)


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Settings of the connection, and the schema where the file is new."""
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA fullfsync = ON")  # macOS: fsync alone leaves the data in the drive's cache
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("BEGIN IMMEDIATE")  # two programs may start at once
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > SCHEMA_VERSION:
        raise StoreTooNew(path=path)
    for number, schema in enumerate((_SCHEMA, _VERSION_2), start=1):
        if version < number:
            for statement in schema.split(";"):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number}")
    connection.execute("COMMIT")


@contextlib.contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into sentences, and what stands in a row and cannot."""
    try:
        yield
    except BadRow as error:
        raise StoreDamaged(path=path, detail="what it says about a game cannot be read") from error
    except UnicodeDecodeError as error:
        raise StoreDamaged(path=path, detail="a text in it cannot be read") from error
    except sqlite3.Error as error:
        found = _of_sqlite(path, getattr(error, "sqlite_errorcode", 0) & 0xFF, str(error))
        if found is None:
            raise
        raise found from error


@contextlib.contextmanager
def explained_files(path: Path) -> Iterator[None]:
    """Turn the system's errors about files of the store into sentences."""
    try:
        yield
    except OSError as error:
        raise _of_system(path, error) from error


def _of_sqlite(path: Path, code: int, detail: str) -> StoreError | None:
    """What a primary result code of SQLite means to a player; ``None`` for what can only be a bug of ours."""
    match code:
        case sqlite3.SQLITE_OK if "UTF-8" in detail:  # of Python's module, which names the text itself
            return StoreDamaged(path=path, detail="a text in it cannot be read")
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED | sqlite3.SQLITE_PROTOCOL:
            return StoreBusy(path=path)
        case sqlite3.SQLITE_FULL:
            return StoreFull(path=path)
        case sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_IOERR:
            # SQLite tells neither what the system said, nor a disk that fails from one that lets nothing in.
            cause = _tried(path)
            if cause is not None:
                return _of_system(path, cause)
            if _is_full(path):
                return StoreFull(path=path)
            if _is_at_limit(path):
                return StoreOutOfSize(path=path)
            is_closed = code == sqlite3.SQLITE_CANTOPEN
            return StoreReadOnly(path=path) if is_closed else StoreDamaged(path=path, detail=detail)
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM | sqlite3.SQLITE_AUTH:
            cause = _tried(path)
            is_disk = cause is not None and cause.errno == errno.EROFS
            return StoreDiskReadOnly(path=path) if is_disk else StoreReadOnly(path=path)
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB | sqlite3.SQLITE_FORMAT:
            return StoreDamaged(path=path, detail=detail)
        case sqlite3.SQLITE_ERROR:  # our statements are fixed: the tables are not those that they speak of
            return StoreDamaged(path=path, detail=detail)
        case sqlite3.SQLITE_NOMEM | sqlite3.SQLITE_NOLFS:
            return StoreUnusable(path=path, detail=detail)
        case _:
            return None


def _of_system(path: Path, error: OSError) -> StoreError:
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return StoreFull(path=path)
        case errno.EMFILE | errno.ENFILE:
            return StoreOutOfFiles(path=path)
        case errno.EFBIG:
            return StoreOutOfSize(path=path)
        case errno.EIO:
            return StoreDamaged(path=path, detail=_said(error))
        case errno.EROFS:
            return StoreDiskReadOnly(path=path)
        case errno.EACCES | errno.EPERM | errno.ENOENT | errno.ENOTDIR | errno.EISDIR:
            return StoreReadOnly(path=path)
        case _:  # a network folder that is gone, a name too long, a loop of links, no memory
            return StoreUnusable(path=path, detail=_said(error))


def _said(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()


def _tried(path: Path) -> OSError | None:
    """What the system says when as many files as the store has are opened and one is written, as SQLite does
    it.

    The store's own file is not opened: to close it gives up the locks that all connections of this process
    have on it (fcntl(2)). Another program would then remove the write-ahead log, and what is stored with it.
    """
    trial = path.with_name(f"{path.name}-trial")
    with contextlib.ExitStack() as stack:
        try:
            path.stat()
            for _ in range(3 if os.name == "posix" else 0):  # Windows opens no folders
                stack.callback(os.close, os.open(path.parent, os.O_RDONLY))
            handle = os.open(trial, os.O_RDWR | os.O_CREAT, 0o600)
            stack.callback(trial.unlink, missing_ok=True)
            stack.callback(os.close, handle)
            os.write(handle, bytes(TRIAL))
            os.fsync(handle)
        except OSError as error:
            return error
    if not os.access(path, os.R_OK | os.W_OK):
        return PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return None


def _is_full(path: Path) -> bool:
    return shutil.disk_usage(path.parent).free < LITTLE_SPACE


def _is_at_limit(path: Path) -> bool:
    """Whether a file of the store is about as large as the system lets this program write one."""
    if sys.platform == "win32":
        return False
    most, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
    files = (path, path.with_name(f"{path.name}-wal"))
    largest = max((each.stat().st_size for each in files if each.exists()), default=0)
    return most != resource.RLIM_INFINITY and largest + LITTLE_SPACE >= most
