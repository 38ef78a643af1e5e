"""What a mode has to remember of an unfinished game, in a file that its owner alone can read."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Sequence
from pathlib import Path

from p2p.io.store import SavedGame

from ..files import replace_bytes
from ..saved import RESUMABLE


def forget_over(folder: Path, games: Sequence[SavedGame]) -> None:
    """Remove what is kept in ``folder`` of those of the ``games`` that are over: the program may have ended
    between the end of one and the removal, or the game was stopped without its table."""
    over = {each.table_id.hex() for each in games if each.state not in RESUMABLE}
    with contextlib.suppress(OSError):  # a folder that cannot be written; it is tried again the next time
        for path in sorted(folder.iterdir()):
            if path.name.lstrip(".").partition(".")[0] in over:
                path.unlink(missing_ok=True)


class Kept:
    """One file for one table and mode. It is the old or the new one, whatever happens in between."""

    def __init__(self, path: Path) -> None:
        self._path = path
        # For the threads that write: one whose waiting task was cancelled goes on, also past ``remove``.
        self._writing = threading.Lock()
        self._is_over = False

    async def read(self) -> bytes:
        """What was kept; empty where nothing was."""
        return await asyncio.to_thread(self._read)

    async def write(self, data: bytes) -> None:
        """Keep this from now on; it is on the disk when this returns. Nothing is kept after ``remove``."""
        await asyncio.to_thread(self._write, data)

    async def remove(self) -> None:
        """The game is over: nothing is left of it, nor of what a killed program was writing."""
        await asyncio.to_thread(self._remove)

    def _read(self) -> bytes:
        return self._path.read_bytes() if self._path.is_file() else b""

    def _remove(self) -> None:
        with self._writing:
            self._is_over = True
            for each in (self._path, *self._path.parent.glob(f".{self._path.name}.*")):
                each.unlink(missing_ok=True)

    def _write(self, data: bytes) -> None:
        with self._writing:
            if not self._is_over:
                replace_bytes(self._path, data)
