"""What a player's own folder holds and a disk may have damaged: the store, and the copies beside it."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import msgspec

from p2p.io.rescue import rescue
from p2p.io.spare import FOLDER, IDENTITIES, Spare, SpareGame, SpareIdentity, _checksum
from p2p.io.store import FILE_NAME, Store, StoreError
from p2p.link.known import KnownPlayer
from p2p.log import encode, read_game
from tests.fuzz.games import recorded

SEED = b"\x05" * 32
META = {"addresses": {}, "port": 7467, "game": "go-fish", "players": ["Ann", "Ben"]}


@cache
def _shelf() -> Path:
    """A folder for all inputs; the memory of the machine where it has such a folder, as nothing is kept."""
    place = "/dev/shm" if os.path.isdir("/dev/shm") else None  # only for files of its own
    kept = tempfile.TemporaryDirectory(prefix="shoal-fuzz-", dir=place)
    _FOLDERS.append(kept)
    return Path(kept.name)


_FOLDERS: list[tempfile.TemporaryDirectory[str]] = []
"""Removed when the program ends."""


@contextlib.contextmanager
def _empty_folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=_shelf()) as folder:
        yield Path(folder)


# --- copies beside the store --------------------------------------------------------------------------------


def spare(data: bytes) -> None:
    """A copy with a right checksum, of identities or of a game; and without one it is none."""
    with _empty_folder() as folder:
        (folder / FOLDER).mkdir()
        name = IDENTITIES if data[:1] == b"i" else "00-0.game"
        path = folder / FOLDER / name
        path.write_bytes(data[1:])
        assert not Spare(folder).identities() + Spare(folder).games()
        path.write_bytes(_checksum(data[1:]) + data[1:])
        copies = Spare(folder)
        for each in (*copies.identities(), *copies.games()):
            assert SEED.hex() not in repr(each)


def copies() -> Iterable[bytes]:
    yield b"i" + msgspec.msgpack.encode((SpareIdentity("Ann", SEED, 7), SpareIdentity("Bot", SEED, 8)))
    yield b"g" + msgspec.msgpack.encode(SpareGame(bytes(32), 1, b"charter", SEED, 7, b"{}"))


# --- the store ----------------------------------------------------------------------------------------------


@cache
def _sound_store() -> bytes:
    """The file of a small store with a game that is under way."""
    played = read_game(recorded()[0])
    with _empty_folder() as folder:
        with Store.open(folder) as store:
            store.create_identity(SEED, "Ann")
            store.remember(KnownPlayer("Ben", b"\x06" * 32, 7))
            store.create_game(played.charter.table_id, 0, encode(played.charter), b"secret", META)
            for each in played.entries[:3]:
                row = (each.epoch, each.step, each.seat, each.body, each.signature)
                store.append(played.charter.table_id, 0, [row])
        return (folder / FILE_NAME).read_bytes()


def store(data: bytes) -> None:
    """Patches of a sound store: three bytes for a place, one for a length, and as many bytes. It is read, or
    the player is told that it is damaged; then what can be read of it goes into a new one."""
    file, at = bytearray(_sound_store()), 0
    while at + 4 <= len(data):
        place, size = int.from_bytes(data[at : at + 3], "big") % len(file), data[at + 3]
        patch = data[at + 4 : at + 4 + size]
        file[place : place + len(patch)] = patch
        at += 4 + size
    with _empty_folder() as folder:
        (folder / FILE_NAME).write_bytes(file)
        try:
            _read_all(folder)
        except StoreError:
            rescue(folder)
            _read_all(folder)


def _read_all(folder: Path) -> None:
    with Store.open(folder) as store:
        store.check()
        store.players()
        for name in store.identity_names():
            store.identity(name)
        for game in store.games():
            store.entries(game.table_id, game.seat)
            store.statements(game.table_id, game.seat)
            store.committed(game.table_id, game.seat)
            with contextlib.suppress(StoreError):
                store.secrets(game.table_id, game.seat)


def patches() -> Iterable[bytes]:
    """None, one in the header of the file, and one in each thing that it holds."""
    yield b""
    yield (18).to_bytes(3, "big") + b"\x01\x09"
    file = _sound_store()
    for held in (b"Ann", b"Ben", SEED, json.dumps(META)[:12].encode(), b"running"):
        place = file.find(held)
        if place >= 0:
            yield place.to_bytes(3, "big") + b"\x02xy"
