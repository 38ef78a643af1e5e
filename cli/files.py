"""Files that people name."""

from __future__ import annotations

import contextlib
import errno
import os
import tempfile
from pathlib import Path
from typing import Final

from .errors import STORAGE, USAGE, Failure, short_path
from .language import said
from .program import call_here
from .translation import gettext as _

_IN_THE_MIDDLE: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
"""What ends the writing of a file that was opened: it is cut off then."""


def read_bytes(name: str, most: int) -> bytes:
    """The content of a file. Raises ``Failure`` where it cannot be read or has more than ``most`` bytes."""
    try:
        with Path(name).open("rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        raise Failure(
            _("{name} cannot be read: {why}.").format(name=short_path(name), why=_why(error)), code=USAGE
        ) from None
    if len(data) > most:
        raise Failure(
            _("{name} is larger than {n} bytes, so it is none of ours.").format(name=short_path(name), n=most)
        )
    return data


def kept_game(name: str) -> str:
    """What to do where the record of a game of this machine cannot be written; ``name`` is the game's id."""
    command = call_here(f"export {name} FILE")
    return _("The game itself is kept; write it elsewhere with {command}.").format(command=command)


def write_bytes(path: Path, data: bytes, hint: str = "") -> None:
    """Write a file. Raises ``Failure``, with this ``hint`` if there is a better one than another file."""
    try:
        path.write_bytes(data)
    except (OSError, ValueError) as error:  # the latter of a name with a zero byte in it
        _leave_no_part(path, error)
        message = _("{path} cannot be written: {why}.").format(path=short_path(path), why=_why(error))
        raise Failure(message, hint or _("Name another file."), STORAGE) from None


def replace_bytes(path: Path, data: bytes) -> None:
    """Write a private file of the program's own: whatever happens, it is the old or the new one, and the new
    one is on the disk when this returns. Raises ``OSError``."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # mode 0600
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _leave_no_part(path: Path, error: OSError | ValueError) -> None:
    """A file that could not be written to its end would pass for a damaged record."""
    if (
        isinstance(error, OSError)
        and error.errno in _IN_THE_MIDDLE
        and path.is_file()
        and not path.is_symlink()
    ):
        with contextlib.suppress(OSError):
            path.unlink()


def _why(error: OSError | ValueError) -> str:
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return said((reason or type(error).__name__).lower())
