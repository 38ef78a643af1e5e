"""What to do about a store that is damaged: set it aside, and save what can be read into a new one."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from .database import BadRow, StoreDamaged, explained_files, open_database
from .rows import read_meta
from .spare import Spare
from .store import FILE_NAME, STATES, Store

TABLES: Final = {
    "identities": ("name", "seed", "created"),
    "players": ("public", "petname", "first_seen", "verified"),
    "games": ("id", "table_id", "seat", "charter", "state", "started", "active", "meta"),
    "secrets": ("game", "data"),
    "entries": ("number", "game", "epoch", "step", "author", "body", "signature"),
    "statements": (
        "number", "game", "epoch", "step", "keeper", "purpose", "author", "have", "signature",
    ),
    "committed": ("game", "epoch", "step", "deed"),
}  # fmt: skip
"""What is saved, in an order in which everything a row refers to comes before it."""

SEED_SIZE: Final = 32
"""Bytes of the seed of an identity (RFC 8032)."""

SUFFIXES: Final = ("", "-wal", "-shm")
"""The files of one database."""


@dataclass(frozen=True, slots=True)
class Rescued:
    """What became of a damaged store: where it lies now, and how many rows of each table were saved from it.
    What the spare copies gave back is not counted."""

    aside: Path
    rows: dict[str, int]


def is_sound(folder: Path) -> bool:
    """Whether the store in ``folder`` can be read from end to end. Raises ``StoreError`` for what is wrong
    besides."""
    try:
        with Store.open(folder) as store:
            store.check()
    except StoreDamaged:
        return False
    return True


def rescue(folder: Path) -> Rescued:
    """Set the damaged store of ``folder`` aside, which is never deleted, and make a new one of what can be
    read of it and of the spare copies.

    Games that are not over are marked: their seats go on by what the other players hold. Raises
    ``StoreError``.
    """
    aside = _set_aside(folder)
    connection = open_database(folder / FILE_NAME)
    try:
        rows = _save(aside, connection, bool(Spare(folder).identities()))
    finally:
        connection.close()
    with Store.open(folder) as store:
        store.take_back(everything=True)
        for saved in store.games():
            if saved.state in ("running", "paused"):
                store.mark_lost(saved.table_id, saved.seat)
    return Rescued(aside, rows)


def _set_aside(folder: Path) -> Path:
    number = 1
    while (aside := folder / f"{FILE_NAME}.damaged-{number}").exists():
        number += 1
    with explained_files(folder / FILE_NAME):
        for suffix in SUFFIXES:
            with contextlib.suppress(FileNotFoundError):
                (folder / f"{FILE_NAME}{suffix}").rename(f"{aside}{suffix}")
    return aside


def _save(aside: Path, to: sqlite3.Connection, has_spare: bool) -> dict[str, int]:
    """``has_spare``: there is a sound copy of all identities, which have checksums there."""
    saved = dict.fromkeys(TABLES, 0)
    damaged = sqlite3.connect(aside)
    try:
        to.execute("BEGIN IMMEDIATE")
        for table, columns in TABLES.items():
            if table == "identities" and has_spare:
                continue
            places = ", ".join("?" * len(columns))
            statement = f"INSERT OR IGNORE INTO {table} ({', '.join(columns)}) VALUES ({places})"  # noqa: S608  # our own names
            for row in _readable(damaged, table, columns):
                if not _is_possible(table, row):
                    continue
                with contextlib.suppress(sqlite3.IntegrityError, sqlite3.InterfaceError, sqlite3.DataError):
                    saved[table] += to.execute(statement, row).rowcount
        to.execute("COMMIT")
    finally:
        damaged.close()
    return saved


def _is_possible(table: str, row: tuple[Any, ...]) -> bool:
    """Whether a row can be what it says: a key of another length would stop every command."""
    if table == "identities":
        return isinstance(row[1], bytes) and len(row[1]) == SEED_SIZE
    if table == "games":
        return isinstance(row[1], bytes) and row[4] in STATES and _is_meta(row[7])
    return True


def _is_meta(text: object) -> bool:
    try:
        found = read_meta(text) if isinstance(text, str) else {}
    except BadRow:
        return False
    return {"addresses", "port", "game", "players"} <= found.keys()


def _readable(damaged: sqlite3.Connection, table: str, columns: tuple[str, ...]) -> Iterator[tuple[Any, ...]]:
    """The rows of a table from its beginning as far as they go, then those from its end."""
    for order in ("ASC", "DESC"):
        statement = f"SELECT {', '.join(columns)} FROM {table} ORDER BY rowid {order}"  # noqa: S608  # our own names
        with contextlib.suppress(sqlite3.Error, OverflowError, UnicodeDecodeError):
            yield from damaged.execute(statement)
            return
