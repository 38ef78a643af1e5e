"""What a command leaves on the normal screen, kept for the lobby that comes back."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Any, Final, TextIO

MOST: Final = 64 * 1024
"""Characters that are kept: far more than the result of a game."""


class Echo:
    """A stream that hears what is printed as text. What draws the full screen writes to its ``buffer``, and
    is not heard."""

    def __init__(self, stream: TextIO, heard: list[str]) -> None:
        self._stream = stream
        self._heard = heard

    def write(self, text: str) -> int:
        """See ``io.TextIOBase.write``."""
        written = self._stream.write(text)  # refuses bytes: that is how others find out what kind it is
        self._heard.append(text)
        return written

    def write_broken(self, broken: str, whole: str) -> None:
        """Write text that was broken into lines for this terminal; the lobby, which breaks what it shows
        anew, hears it whole."""
        self._stream.write(broken)
        self._stream.flush()
        self._heard.append(whole)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextlib.contextmanager
def overheard() -> Iterator[list[str]]:
    """Pieces of what is printed while the block runs."""
    heard: list[str] = []
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = Echo(before[0], heard), Echo(before[1], heard)
    try:
        yield heard
    finally:
        sys.stdout, sys.stderr = before


def lines_of(heard: list[str]) -> tuple[str, ...]:
    """What was heard, in lines; without empty ones at both ends."""
    text = "".join(heard)[-MOST:].replace("\r\n", "\n").strip("\n")
    return tuple(line.rstrip() for line in text.split("\n")) if text else ()
