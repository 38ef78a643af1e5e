"""Rows of the store that make up a game, and how they go in: none takes the place of one that says something
else."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from .database import BadRow, StoreConflict, StoreError
from .spare import SpareGame

Row: TypeAlias = tuple[int, int, int, bytes, bytes]
"""A contribution: epoch, step, seat of its author, body, signature."""

StatementRow: TypeAlias = tuple[int, int, int, str, int, bool, bytes]
"""A statement in an absence round: epoch, step, missing keeper, purpose, author, "have", signature."""

CommittedRow: TypeAlias = tuple[int, int, bytes]
"""The deed behind the seat's last commitment in a race: epoch and step of the commitment, the deed."""


class UnknownGame(StoreError):
    """No game of this table and seat is in the store; list those that are with: shoal games."""


LOST = "lost"
"""In a game's ``meta``: contributions of it may be missing here, and the other players have to hand them
over."""


@dataclass(frozen=True, slots=True)
class SavedGame:
    """One seat's game. Times are in seconds of Unix time; ``meta`` is what ``create_game`` was given, and
    ``LOST`` where that is so."""

    table_id: bytes
    seat: int
    charter: bytes = field(repr=False)
    state: str
    started: int
    active: int
    meta: dict[str, Any]

    @property
    def is_lost(self) -> bool:
        """Whether this store may lack contributions, its seat's own among them."""
        return bool(self.meta.get(LOST))


def game_number(connection: sqlite3.Connection, table_id: bytes, seat: int) -> int:
    """The key of a game in the other tables of the store. Raises ``UnknownGame``."""
    row = connection.execute(
        "SELECT id FROM games WHERE table_id = ? AND seat = ?", (table_id, seat)
    ).fetchone()
    if row is None:
        raise UnknownGame
    number: int = row[0]
    return number


def insert_entry(connection: sqlite3.Connection, game: int, row: Row) -> None:
    """A contribution; one that is there stays. Raises ``StoreConflict`` where that has another body."""
    epoch, step, author, body, signature = row
    there = connection.execute(
        "SELECT body FROM entries WHERE game = ? AND epoch = ? AND step = ? AND author = ?",
        (game, epoch, step, author),
    ).fetchone()
    if there is None:
        connection.execute(
            "INSERT INTO entries (game, epoch, step, author, body, signature) VALUES (?, ?, ?, ?, ?, ?)",
            (game, epoch, step, author, body, signature),
        )
    elif there[0] != body:
        raise StoreConflict(
            what=f"A contribution of seat {author} to step {step}",
            remedy="if another program plays this seat, close it, then resume the game",
        )


def insert_statement(connection: sqlite3.Connection, game: int, row: StatementRow) -> None:
    """A statement; one that is there stays. Raises ``StoreConflict`` where that says something else."""
    epoch, step, keeper, purpose, author, have, signature = row
    there = connection.execute(
        "SELECT purpose, have FROM statements"
        " WHERE game = ? AND epoch = ? AND step = ? AND keeper = ? AND author = ?",
        (game, epoch, step, keeper, author),
    ).fetchone()
    if there is None:
        connection.execute(
            "INSERT INTO statements (game, epoch, step, keeper, purpose, author, have, signature)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (game, epoch, step, keeper, purpose, author, int(have), signature),
        )
    elif there != (purpose, int(have)):
        raise StoreConflict(
            what=f"A statement of seat {author} about step {step}",
            remedy="if another program plays this seat, close it, then resume the game",
        )


def take_back_game(connection: sqlite3.Connection, game: SpareGame) -> None:
    """A game that the store lacks, or whose secrets it lacks, from its spare copy."""
    meta = json.dumps({**read_meta(game.meta), LOST: True}, sort_keys=True)
    connection.execute(
        "INSERT OR IGNORE INTO games (table_id, seat, charter, state, started, active, meta)"
        " VALUES (?, ?, ?, 'running', ?, ?, ?)",
        (game.table_id, game.seat, game.charter, game.started, game.started, meta),
    )
    number = game_number(connection, game.table_id, game.seat)
    connection.execute("INSERT OR REPLACE INTO secrets VALUES (?, ?)", (number, game.secrets))


def saved_game(
    table_id: bytes, seat: int, charter: bytes, state: str, started: int, active: int, meta: str
) -> SavedGame:
    """A row of all columns of a game but its key. Raises ``BadRow``."""
    return SavedGame(table_id, seat, charter, state, started, active, read_meta(meta))


def read_meta(text: str | bytes) -> dict[str, Any]:
    """The ``meta`` of a game. Raises ``BadRow``."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):  # no JSON, or nested deeper than any
        found = None
    if not isinstance(found, dict):
        raise BadRow
    return found
