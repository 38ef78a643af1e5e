"""Contributions to steps that this seat has not reached: kept within bounds until their step begins.

Nothing of them can be verified yet, so each link's frames are kept apart: none crowds out another's.
"""

from __future__ import annotations

from collections import Counter

from ..log.wire import EntryFrame

MAX_AHEAD = 64
"""Steps ahead of ours from which contributions are kept: a whole short game caught up in one go, and no
more."""

ENVELOPE = 128
"""Bytes that a kept contribution counts beyond its body: signature, numbers, and what holds them."""

MAX_KEPT = 4 << 20
"""Bytes of unverified contributions to later steps kept for each link: a few answers to a ``Want``."""


class Ahead:
    """What came early, by step and link."""

    def __init__(self) -> None:
        self._frames: dict[int, dict[tuple[int, EntryFrame], None]] = {}
        self._size: Counter[int] = Counter()

    def keep(self, step: int, peer: int, frame: EntryFrame) -> None:
        """Keep a frame for later than ``step``, the one under way here, where there is room."""
        size = len(frame.body) + ENVELOPE
        if frame.step - step > MAX_AHEAD or self._size[peer] + size > MAX_KEPT:
            return
        kept = self._frames.setdefault(frame.step, {})
        if (peer, frame) not in kept:
            kept[peer, frame] = None
            self._size[peer] += size

    def take(self, step: int) -> tuple[tuple[int, EntryFrame], ...]:
        """The frames kept for ``step``, each with the link it came from, in order of arrival."""
        taken = tuple(self._frames.pop(step, {}))
        for peer, frame in taken:
            self._size[peer] -= len(frame.body) + ENVELOPE
        return taken

    def of(self, seat: int) -> tuple[EntryFrame, ...]:
        """The contributions of ``seat`` that are kept, in order of their steps, each once."""
        found = {frame: None for step in sorted(self._frames) for _, frame in self._frames[step]}
        return tuple(frame for frame in found if frame.seat == seat)
