"""Everything that must survive the program, in one SQLite file: identities, known players, games and their
secrets.

A transaction that returned is on the disk: write-ahead log, synchronous FULL. The file has mode 0600 and no
password. All methods block; call them in a thread. One lock guards the one connection, so any thread may.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from ..identity import SEED_SIZE, Identity
from ..link import KnownPlayer, clean_name, is_same_name
from .claim import Claim, SeatTaken
from .database import (
    StoreBusy,
    StoreConflict,
    StoreDamaged,
    StoreDiskReadOnly,
    StoreError,
    StoreFull,
    StoreOutOfFiles,
    StoreReadOnly,
    StoreTooNew,
    explained,
    explained_files,
    open_database,
)
from .rows import (
    LOST,
    CommittedRow,
    Row,
    SavedGame,
    StatementRow,
    UnknownGame,
    game_number,
    insert_entry,
    insert_statement,
    read_meta,
    saved_game,
    take_back_game,
)
from .spare import Spare, SpareGame, SpareIdentity

__all__ = [
    "STATES",
    "CommittedRow",
    "Row",
    "SavedGame",
    "SeatTaken",
    "SecretsLost",
    "StatementRow",
    "Store",
    "StoreBusy",
    "StoreConflict",
    "StoreDamaged",
    "StoreError",
    "StoreFull",
    "StoreReadOnly",
    "StoreTooNew",
    "UnknownGame",
]

FILE_NAME = "shoal.sqlite3"
STATES = ("running", "paused", "finished", "cheated", "stopped")


class SecretsLost(StoreError):
    """This seat's secrets of the game are lost, and its cards with them: nobody else has them. The others can
    go on without it."""


class Store:
    """Make one with ``open``; use it with ``with``, or call ``close``."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection
        self._lock = threading.Lock()
        self._claims: dict[tuple[bytes, int], Claim] = {}
        self._spare = Spare(path.parent)

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open the store in ``folder``, which belongs to the program; both are made where missing.

        A new one takes back what the spare copies hold of one that was there before.
        """
        path = folder / FILE_NAME
        store = cls(path, open_database(path))
        try:
            store._match_spare()
            store._forget_secrets_of_old_games()
        except BaseException:
            store.close()
            raise
        return store

    def close(self) -> None:
        """Close the file and give back all seats. Nothing is lost if this never happens."""
        for table_id, seat in list(self._claims):
            self.release(table_id, seat)
        with self._lock, explained(self.path):
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def check(self) -> None:
        """Read the whole file; raises ``StoreDamaged`` if it does not hold together."""
        found = [row[0] for row in self._read("PRAGMA quick_check(1)")]
        if found != ["ok"]:
            raise StoreDamaged(path=self.path, detail=found[0])
        # SQLite checks what it needs itself; whether each row says what it may is another thing.
        self.players()
        self.games()
        for name in self.identity_names():
            self.identity(name)

    # --- spare copies ---------------------------------------------------------------------------------------

    def take_back(self, *, everything: bool = False) -> None:
        """Take identities and games from the spare copies, where this store has none; with ``everything``
        whatever it lacks. Games are marked as ``LOST`` then."""
        with self._transaction() as connection:
            if not everything and connection.execute("SELECT 1 FROM identities").fetchone():
                return
            for each in self._spare.identities():
                values = (each.name, each.seed, each.created)
                connection.execute("INSERT OR REPLACE INTO identities VALUES (?, ?, ?)", values)
            for game in self._spare.games():
                take_back_game(connection, game)

    def mark_lost(self, table_id: bytes, seat: int, is_lost: bool = True) -> None:
        """Note that contributions of a game may be missing here, or that they are all there again."""
        with self._transaction() as connection:
            game = game_number(connection, table_id, seat)
            (text,) = connection.execute("SELECT meta FROM games WHERE id = ?", (game,)).fetchone()
            meta = {**read_meta(text), LOST: is_lost}
            connection.execute(
                "UPDATE games SET meta = ? WHERE id = ?", (json.dumps(meta, sort_keys=True), game)
            )

    def forget_steps(self, table_id: bytes, seat: int) -> None:
        """Forget all contributions of a game: they do not fit together, and the others hold them."""
        with self._transaction() as connection:
            game = game_number(connection, table_id, seat)
            for table in ("entries", "statements", "committed"):
                connection.execute(f"DELETE FROM {table} WHERE game = ?", (game,))  # noqa: S608  # our own names

    def _match_spare(self) -> None:
        """Make the store and its spare copies fit: after a loss, a crash in between, or an older version."""
        kept = self._spare.identities()
        rows = self._read("SELECT name, seed, created FROM identities ORDER BY rowid")
        own = tuple(SpareIdentity(*row) for row in rows)
        seeds = {each.name: each.seed for each in own}
        if any(seeds.get(each.name, each.seed) != each.seed for each in kept):
            # No identity ever changes; the copy has a checksum, and must not follow what is damaged.
            raise StoreDamaged(path=self.path, detail="the key of an identity is not the one that was made")
        if not own and kept:
            self.take_back()
        elif own != kept and own:
            # It is tried again at the next start.
            with contextlib.suppress(StoreFull, StoreReadOnly, StoreDiskReadOnly, StoreOutOfFiles):
                self._spare.keep_identities(own)

    def _forget_secrets_of_old_games(self) -> None:
        """Where the program ended between the end of a game and the deletion of its secrets: delete them."""
        with contextlib.suppress(StoreError):  # it is tried again at the next start
            rows = self._read(
                "SELECT table_id, seat, id IN (SELECT game FROM secrets) FROM games"
                " WHERE state NOT IN ('running', 'paused')"
            )
            kept = self._spare.places()
            for table_id, seat, has_secrets in rows:
                if has_secrets or (table_id, seat) in kept:
                    self.delete_secrets(table_id, seat)

    # --- seats in play --------------------------------------------------------------------------------------

    def claim(self, table_id: bytes, seat: int) -> None:
        """Play this seat here and nowhere else until ``release`` or ``close``. Raises ``SeatTaken``."""
        with explained_files(self.path):
            self._claims[table_id, seat] = Claim.take(self.path.parent, table_id, seat)

    def release(self, table_id: bytes, seat: int) -> None:
        """Another program may play this seat from now on."""
        claim = self._claims.pop((table_id, seat), None)
        if claim is not None:
            claim.release()

    def is_played(self, table_id: bytes, seat: int) -> bool:
        """Whether this program or another one plays the seat now."""
        return Claim.is_held(self.path.parent, table_id, seat)

    # --- identities ----------------------------------------------------------------------------------------

    def identity(self, name: str | None = None) -> Identity | None:
        """The identity called ``name``, or the first one made; ``None`` if there is none."""
        if name is None:
            rows = self._read("SELECT seed FROM identities ORDER BY rowid LIMIT 1")
        else:
            rows = self._read("SELECT seed FROM identities WHERE name = ?", name)
        if rows and len(rows[0][0]) != SEED_SIZE:
            raise StoreDamaged(path=self.path, detail="the key of an identity is none")
        return Identity(rows[0][0]) if rows else None

    def identity_names(self) -> tuple[str, ...]:
        """The names of all identities, the first one made first."""
        return tuple([row[0] for row in self._read("SELECT name FROM identities ORDER BY rowid")])

    def create_identity(self, seed: bytes, name: str) -> Identity:
        """Store a new identity. Raises ``BadName``, or ``StoreConflict`` where the name is taken."""
        identity = Identity(seed)
        name = clean_name(name)
        with self._transaction() as connection:
            if connection.execute("SELECT 1 FROM identities WHERE name = ?", (name,)).fetchone():
                raise StoreConflict(what=f"An identity called '{name}'", remedy="choose another name")
            connection.execute("INSERT INTO identities VALUES (?, ?, ?)", (name, seed, _now()))
            rows = connection.execute("SELECT name, seed, created FROM identities ORDER BY rowid").fetchall()
            self._spare.keep_identities(tuple(SpareIdentity(*row) for row in rows))
        return identity

    # --- known players -------------------------------------------------------------------------------------

    def players(self) -> tuple[KnownPlayer, ...]:
        """Everyone who was remembered, by petname."""
        rows = self._read("SELECT petname, public, first_seen, verified FROM players ORDER BY petname")
        return tuple(
            [KnownPlayer(name, public, seen, bool(verified)) for name, public, seen, verified in rows]
        )

    def remember(self, player: KnownPlayer) -> KnownPlayer:
        """Keep a player. One already known keeps its petname and date, and stays verified once it was.

        Raises ``BadName``, or ``StoreConflict`` where another key goes by that name.
        """
        petname = clean_name(player.petname)
        with self._transaction() as connection:
            row = connection.execute(
                "SELECT petname, first_seen, verified FROM players WHERE public = ?", (player.public,)
            ).fetchone()
            if row is None:
                _check_free(connection, petname, player.public)
                row = (petname, player.first_seen, False)
            kept = KnownPlayer(row[0], player.public, row[1], bool(row[2]) or player.verified)
            connection.execute(
                "INSERT OR REPLACE INTO players (petname, public, first_seen, verified) VALUES (?, ?, ?, ?)",
                (kept.petname, kept.public, kept.first_seen, kept.verified),
            )
        return kept

    def rename(self, public: bytes, petname: str) -> None:
        """Give a known player another petname. Raises ``BadName`` or ``StoreConflict``."""
        petname = clean_name(petname)
        with self._transaction() as connection:
            _check_free(connection, petname, public)
            connection.execute("UPDATE players SET petname = ? WHERE public = ?", (petname, public))

    def forget(self, public: bytes) -> None:
        """Do not know this player any more."""
        with self._transaction() as connection:
            connection.execute("DELETE FROM players WHERE public = ?", (public,))

    # --- games ---------------------------------------------------------------------------------------------

    def create_game(
        self, table_id: bytes, seat: int, charter: bytes, secrets: bytes, meta: dict[str, Any]
    ) -> None:
        """A new game of one seat, running. Raises ``StoreConflict`` if this table and seat are stored."""
        now = _now()
        with self._transaction() as connection:
            try:
                cursor = connection.execute(
                    "INSERT INTO games (table_id, seat, charter, state, started, active, meta)"
                    " VALUES (?, ?, ?, 'running', ?, ?, ?)",
                    (table_id, seat, charter, now, now, json.dumps(meta, sort_keys=True)),
                )
            except sqlite3.IntegrityError:
                raise StoreConflict(what="This game", remedy="resume it instead of starting it") from None
            connection.execute("INSERT INTO secrets VALUES (?, ?)", (cursor.lastrowid, secrets))
            text = json.dumps(meta, sort_keys=True).encode()
            self._spare.keep_game(SpareGame(table_id, seat, charter, secrets, now, text))

    def games(self) -> tuple[SavedGame, ...]:
        """All games, the one played last first, whatever the clock said: it may have been set back."""
        rows = self._read(
            "SELECT table_id, seat, charter, state, started, active, meta FROM games"
            " ORDER BY coalesce((SELECT max(number) FROM entries WHERE game = games.id), 0) DESC,"
            " active DESC, id DESC"
        )
        with explained(self.path):
            return tuple([saved_game(*row) for row in rows])

    def append(
        self,
        table_id: bytes,
        seat: int,
        entries: Sequence[Row],
        secrets: bytes | None = None,
        *,
        statements: Sequence[StatementRow] = (),
        committed: CommittedRow | None = None,
    ) -> None:
        """Store contributions and statements, and the seat's secrets as they are now, in one durable
        transaction.

        ``committed`` takes the place of the one before. A contribution or statement that is there already
        stays as it is, also if it comes with another signature over the same. Raises ``StoreConflict``, and
        stores nothing, if one is there with other contents.
        """
        with self._transaction() as connection:
            game = game_number(connection, table_id, seat)
            for row in entries:
                insert_entry(connection, game, row)
            for said in statements:
                insert_statement(connection, game, said)
            if committed is not None:
                connection.execute("INSERT OR REPLACE INTO committed VALUES (?, ?, ?, ?)", (game, *committed))
            if secrets is not None:
                connection.execute("UPDATE secrets SET data = ? WHERE game = ?", (secrets, game))
            connection.execute("UPDATE games SET active = ? WHERE id = ?", (_now(), game))

    def entries(self, table_id: bytes, seat: int) -> tuple[Row, ...]:
        """All contributions of a game in the order in which they were stored."""
        rows = self._read(
            "SELECT epoch, step, author, body, signature FROM entries"
            " JOIN games ON games.id = game WHERE table_id = ? AND seat = ? ORDER BY number",
            table_id,
            seat,
        )
        return tuple(
            [(epoch, step, author, body, signature) for epoch, step, author, body, signature in rows]
        )

    def statements(self, table_id: bytes, seat: int) -> tuple[StatementRow, ...]:
        """All statements in absence rounds of a game in the order in which they were stored."""
        rows = self._read(
            "SELECT epoch, step, keeper, purpose, author, have, signature FROM statements"
            " JOIN games ON games.id = game WHERE table_id = ? AND seat = ? ORDER BY number",
            table_id,
            seat,
        )
        return tuple(
            [
                (epoch, step, keeper, purpose, author, bool(have), signature)
                for epoch, step, keeper, purpose, author, have, signature in rows
            ]
        )

    def committed(self, table_id: bytes, seat: int) -> CommittedRow | None:
        """The deed behind the seat's last commitment, or ``None``."""
        rows = self._read(
            "SELECT epoch, step, deed FROM committed"
            " JOIN games ON games.id = game WHERE table_id = ? AND seat = ?",
            table_id,
            seat,
        )
        return (rows[0][0], rows[0][1], rows[0][2]) if rows else None

    def secrets(self, table_id: bytes, seat: int) -> bytes:
        """The seat's secrets as last stored. Raises ``UnknownGame``, or ``SecretsLost``, also after
        ``delete_secrets``."""
        rows = self._read(
            "SELECT data FROM secrets JOIN games ON games.id = game WHERE table_id = ? AND seat = ?",
            table_id,
            seat,
        )
        if not rows:
            with self._lock, explained(self.path):
                game_number(self._connection, table_id, seat)
            raise SecretsLost
        data: bytes = rows[0][0]
        return data

    def finish(self, table_id: bytes, seat: int, state: str = "finished") -> None:
        """Note how a game stands, one of ``STATES``."""
        if state not in STATES:
            raise ValueError(f"a game is one of {', '.join(STATES)}, not {state}")
        with self._transaction() as connection:
            game = game_number(connection, table_id, seat)
            connection.execute("UPDATE games SET state = ?, active = ? WHERE id = ?", (state, _now(), game))

    def delete_secrets(self, table_id: bytes, seat: int) -> None:
        """Delete a game's secrets and overwrite where they stood, in the file and in its write-ahead log.

        A solid-state disk or a snapshot may still keep the old blocks.
        """
        with self._transaction() as connection:
            game = game_number(connection, table_id, seat)
            connection.execute("DELETE FROM secrets WHERE game = ?", (game,))
            connection.execute("DELETE FROM committed WHERE game = ?", (game,))
        self._read("PRAGMA wal_checkpoint(TRUNCATE)")
        self._spare.forget_game(table_id, seat)

    # --- access --------------------------------------------------------------------------------------------

    def _read(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        with self._lock, explained(self.path):
            return self._connection.execute(statement, values).fetchall()

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._lock, explained(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:  # some errors have rolled back already
                    self._connection.execute("ROLLBACK")
                raise


def _check_free(connection: sqlite3.Connection, petname: str, public: bytes) -> None:
    for other, key in connection.execute("SELECT petname, public FROM players"):
        if key != public and is_same_name(other, petname):
            raise StoreConflict(
                what=f"Another player called '{other}'", remedy="choose another name for this one"
            )


def _now() -> int:
    return int(time.time())
