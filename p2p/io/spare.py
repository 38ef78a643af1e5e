"""A second copy of what nobody else can give back: identities, and the secrets of games that are not over.

Small files in a folder beside the store, each written at once as a whole, with a checksum, and private as the
store is. They help against a store that is damaged or deleted, not against a lost disk. What changes during a
game is in the store alone: the other players hold it as well.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path

import msgspec

from .database import explained_files

FOLDER = "spare"
IDENTITIES = "identities"
CHECKSUM = 16
"""Bytes in front of a copy that show whether a disk has changed it; no protection against people."""


class SpareIdentity(msgspec.Struct, frozen=True, array_like=True):
    """An identity: its name, the seed of its key, and when it was made (Unix time)."""

    name: str
    seed: bytes
    created: int

    def __repr__(self) -> str:
        return f"SpareIdentity({self.name!r})"


class SpareGame(msgspec.Struct, frozen=True, array_like=True):
    """What a seat needs to go on with a game: its secret, the charter, and how the others are found
    (``Store.create_game``)."""

    table_id: bytes
    seat: int
    charter: bytes
    secrets: bytes
    started: int
    meta: bytes

    def __repr__(self) -> str:
        return f"SpareGame({self.table_id.hex()[:8]}, {self.seat})"


class Spare:
    """The copies beside one store. What writes raises ``StoreError``; a copy that is damaged is none."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / FOLDER

    def keep_identities(self, identities: tuple[SpareIdentity, ...]) -> None:
        """Take the place of all identities kept before."""
        self._write(IDENTITIES, msgspec.msgpack.encode(identities))

    def identities(self) -> tuple[SpareIdentity, ...]:
        """All identities, the first one made first; none where there is no sound copy."""
        data = self._read(self._folder / IDENTITIES)
        with contextlib.suppress(msgspec.DecodeError):
            return msgspec.msgpack.decode(data, type=tuple[SpareIdentity, ...])
        return ()

    def keep_game(self, game: SpareGame) -> None:
        """Keep a game until ``forget_game``."""
        self._write(_name(game.table_id, game.seat), msgspec.msgpack.encode(game))

    def games(self) -> tuple[SpareGame, ...]:
        """All games that are not over, in no order that means anything."""
        found = []
        for path in sorted(self._folder.glob("*.game")):
            with contextlib.suppress(msgspec.DecodeError):
                found.append(msgspec.msgpack.decode(self._read(path), type=SpareGame))
        return tuple(found)

    def places(self) -> frozenset[tuple[bytes, int]]:
        """Table and seat of each game of which there is a copy, sound or not."""
        found = set()
        for path in self._folder.glob("*.game"):
            table, _, seat = path.stem.rpartition("-")
            with contextlib.suppress(ValueError):
                found.add((bytes.fromhex(table), int(seat)))
        return frozenset(found)

    def forget_game(self, table_id: bytes, seat: int) -> None:
        """Overwrite and remove a game's copy. A solid-state disk may still keep the old blocks."""
        path = self._folder / _name(table_id, seat)
        with explained_files(path), contextlib.suppress(FileNotFoundError):
            with path.open("r+b") as file:
                file.write(bytes(path.stat().st_size))
                file.flush()
                os.fsync(file.fileno())
            path.unlink()

    # --- files ----------------------------------------------------------------------------------------------

    def _write(self, name: str, data: bytes) -> None:
        path = self._folder / name
        with explained_files(path):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            draft = path.with_suffix(".new")
            handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(_checksum(data) + data)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(path)
            _sync_folder(self._folder)

    @staticmethod
    def _read(path: Path) -> bytes:
        """The content of a copy, none at all where it is missing or damaged."""
        with contextlib.suppress(OSError):
            content = path.read_bytes()
            data = content[CHECKSUM:]
            if content[:CHECKSUM] == _checksum(data):
                return data
        return b""


def _checksum(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()[:CHECKSUM]


def _name(table_id: bytes, seat: int) -> str:
    return f"{table_id.hex()}-{seat}.game"


def _sync_folder(folder: Path) -> None:
    """So that the new name of a file outlives a power cut, where the system knows such a thing."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
