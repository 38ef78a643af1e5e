"""Tags that a reader types as a keyboard does, found in the line for typing of the full screen."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from prompt_toolkit.buffer import Buffer

from ..console import TapFilter
from ..prompt import CUT_AFTER, Burst


class TapTyping:
    """See ``prompt.Burst``. ``filter`` looks at what was typed."""

    def __init__(self, buffer: Buffer, changed: Callable[[], None]) -> None:
        self.filter: TapFilter | None = None
        self._buffer = buffer
        self._changed = changed
        self._burst = Burst()
        self._timer: asyncio.TimerHandle | None = None

    def typed(self, text: str) -> None:
        """A key that was typed and inserted."""
        self._burst.key(text, time.monotonic())
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(CUT_AFTER, self._take_cut)

    def taken(self) -> bool:
        """Whether what was typed last was a tag; then the line is as the person left it."""
        endings = list(self._burst.endings(time.monotonic()))
        self._burst.clear()
        for text, seconds in endings:
            is_there = self._buffer.document.text_before_cursor.endswith(text)
            rest = self.filter.taken(text, seconds) if is_there and self.filter is not None else None
            if rest is not None:
                self._buffer.delete_before_cursor(len(text) - len(rest))
                return True
        return False

    def _take_cut(self) -> None:
        text = self._burst.cut()
        if text and self.filter is not None and self._buffer.document.text_before_cursor.endswith(text):
            self._burst.clear()
            self._buffer.delete_before_cursor(len(text))
            self.filter.cut(text)
            self._changed()
