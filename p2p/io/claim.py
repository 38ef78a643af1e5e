"""One program at a time plays a seat: a lock of the operating system on a file beside the store.

The system gives the lock back when its program ends, however it ends, so no lock is ever left behind. Where a
file system has no locks the program goes on without; the store itself refuses two contributions to one step.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

from .database import StoreError

if sys.platform == "win32":  # each module exists on one of the two systems alone
    import msvcrt
else:
    import fcntl


class SeatTaken(StoreError):
    """Another program plays this seat already; close it, or play there."""


class Claim:
    """The lock of one seat of one game. Made by ``take``; it lasts until ``release`` or the program's end."""

    def __init__(self, path: Path, handle: int) -> None:
        self._path = path
        self._handle = handle

    @staticmethod
    def is_held(folder: Path, table_id: bytes, seat: int) -> bool:
        """Whether a program plays the seat now; ``False`` also where a file system has no locks."""
        try:
            handle = os.open(_path(folder, table_id, seat), os.O_RDWR)
        except OSError:
            return False
        try:
            _lock(handle)
        except BlockingIOError:
            return True
        except OSError:
            return False
        finally:
            os.close(handle)
        return False

    @classmethod
    def take(cls, folder: Path, table_id: bytes, seat: int) -> Claim:
        """Claim a seat. Raises ``SeatTaken`` where another program holds it, ``OSError`` where no file can be
        made."""
        path = _path(folder, table_id, seat)
        while True:
            handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                _lock(handle)
            except BlockingIOError:
                os.close(handle)
                raise SeatTaken from None
            except OSError:
                return cls(path, handle)  # a file system without locks
            if _is_there(path, handle):
                return cls(path, handle)
            os.close(handle)  # its last holder has just removed the file: another one is locked from now on

    def release(self) -> None:
        """Give the seat back, and remove the file."""
        _remove(self._path)
        os.close(self._handle)


def _path(folder: Path, table_id: bytes, seat: int) -> Path:
    return folder / f"{table_id.hex()[:16]}-{seat}.lock"


if sys.platform == "win32":

    def _lock(handle: int) -> None:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError from error

    def _is_there(path: Path, handle: int) -> bool:
        return True  # a file that is open stays

    def _remove(path: Path) -> None:
        """It is open, and stays."""

else:

    def _lock(handle: int) -> None:
        """Raises ``BlockingIOError`` where it is locked, another ``OSError`` where it cannot be."""
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _is_there(path: Path, handle: int) -> bool:
        try:
            return os.path.samestat(os.fstat(handle), path.stat())
        except FileNotFoundError:
            return False

    def _remove(path: Path) -> None:
        """While it is locked, so that nobody else's is removed."""
        with contextlib.suppress(OSError):
            path.unlink()
