"""How a seat is shown, from the options of ``play``, ``host``, ``join`` and ``resume``."""

from __future__ import annotations

import sys
from pathlib import Path

from .errors import Failure
from .seats import Manner
from .text import SUITS, Glyphs
from .translation import gettext as _


def manner_of(auto: bool, level: str, ascii_only: bool, record: str | None) -> Manner:
    """Raises ``Failure`` where the record could not be written in the end."""
    path = record_path(record)
    # Where nobody watches, bots need not take their time.
    hurry = auto and not sys.stdout.isatty()
    return Manner(Glyphs(ascii_only or not can_show_suits()), level if auto else "", hurry, path)


def record_path(record: str | None) -> Path | None:
    """Where the record shall be written, if anywhere. Raises ``Failure`` where it could not."""
    path = Path(record) if record is not None else None
    if path is not None and (path.is_dir() or not path.absolute().parent.is_dir()):
        raise Failure(
            _("The record cannot be written to {path}: name a file in a folder that exists.").format(
                path=path
            )
        )
    return path


def numbered(path: Path | None, number: int) -> Path | None:
    """Where the record of a further game goes: a rematch never writes over the game before it."""
    return path if path is None or number == 1 else path.with_stem(f"{path.stem}-{number}")


def can_show_suits() -> bool:
    """Whether the encoding of the output has the suits and the check mark."""
    try:
        "".join([*SUITS.values(), "✓…"]).encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
