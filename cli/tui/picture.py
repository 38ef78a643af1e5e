"""The picture on a terminal: made once for each change, drawn only where it is another."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from prompt_toolkit.data_structures import Size
from prompt_toolkit.output import Output

from .canvas import Row

SOON: Final = 0.02
"""Seconds in which several changes are drawn as one: less than an eye notices."""


class Picture:
    """``make`` gives the rows for so many columns and rows; ``redraw`` has the terminal ask for them again.
    ``kept`` rows at the bottom are another's."""

    def __init__(
        self,
        make: Callable[[int, int], list[Row]],
        redraw: Callable[[], None],
        output: Output,
        kept: int = 0,
    ) -> None:
        self._make = make
        self._redraw = redraw
        self._output = output
        self._kept = kept
        self._made: tuple[Size, list[Row]] | None = None
        self._seen: tuple[Size, list[Row]] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._is_closed = False

    @property
    def is_settled(self) -> bool:
        """Whether what is seen is what there is to see."""
        return self._timer is None and self._seen == self._wanted()

    def rows(self) -> list[Row]:
        """What there is to see: a key that only writes into the line for typing need not wait for it."""
        return self._wanted()[1]

    def shown(self) -> list[Row]:
        """The same, for the terminal, which shows it from now on."""
        self._seen = self._wanted()
        return self._seen[1]

    def changed(self) -> None:
        """Draw soon, if what is to be seen is another than what is seen."""
        self._made = None
        if self._timer is None and not self._is_closed:
            self._timer = asyncio.get_running_loop().call_later(SOON, self._draw_changes)

    def forget(self) -> None:
        """Draw now, whatever is seen: it may look otherwise, or something else stood on the terminal."""
        self._made = self._seen = None
        self._redraw()

    def close(self) -> None:
        """Draw no more."""
        self._is_closed = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _wanted(self) -> tuple[Size, list[Row]]:
        size = self._output.get_size()
        if self._made is None or self._made[0] != size:
            self._made = (size, self._make(size.columns, size.rows - self._kept))
        return self._made

    def _draw_changes(self) -> None:
        self._timer = None
        if self._wanted() != self._seen:
            self._redraw()
