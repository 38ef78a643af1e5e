"""How far a long task is, on standard error, and only where a person looks at it."""

from __future__ import annotations

import os
import sys
from types import TracebackType
from typing import Self

import click


class Progress:
    """A line that is drawn over itself on a terminal, and nothing at all elsewhere or with ``TERM=dumb``."""

    def __init__(self, label: str, total: int) -> None:
        self._label = label
        self._total = max(total, 1)
        self._percent = -1
        self._shown = sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"

    def at(self, done: int, total: int | None = None) -> None:
        """Say that ``done`` of ``total`` are done."""
        percent = 100 * done // max(total or self._total, 1)
        if self._shown and percent != self._percent:
            self._percent = percent
            click.echo(f"\r{self._label} {percent} %", nl=False, err=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Clear the line."""
        if self._shown and self._percent >= 0:
            click.echo("\r" + " " * (len(self._label) + 6) + "\r", nl=False, err=True)
