"""The log of the full screen: what has happened, and from where on it stays when the screen has gone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from ..story import Line

LONGEST_LOG: Final = 2000
"""Lines that are kept for winding back: more than any game has."""


class Log:
    """Lines of the story, the last ``LONGEST_LOG`` of them, and a mark where the end begins."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self._mark: int | None = None

    def __len__(self) -> int:
        """How many lines there are: the waiting room draws those that come later."""
        return len(self.lines)

    def mark(self) -> None:
        """The end begins with the next line."""
        self._mark = len(self.lines)

    def mark_once(self) -> None:
        """The same, where it has not begun before."""
        if self._mark is None:
            self.mark()

    def unmark(self) -> None:
        """Another game: it is not the end."""
        self._mark = None

    def add(self, lines: Iterable[Line]) -> None:
        """Lines at the end; the oldest make room."""
        self.lines += lines
        drop = len(self.lines) - LONGEST_LOG
        if drop > 0:
            del self.lines[:drop]
            self._mark = None if self._mark is None else max(0, self._mark - drop)

    @property
    def epilogue(self) -> list[str]:
        """What was said since the mark: it stays when the screen has gone."""
        if self._mark is None:
            return []
        return [str(line) for line in self.lines[self._mark :] if line.kind != "step"]


def without_question(lines: Sequence[Line], hand: str) -> Iterator[Line]:
    """Without the question and the hand, which have their own places."""
    is_question = False
    for line in lines:
        if line.kind == "turn":
            is_question = line.text != hand  # what comes after the hand alone says how a race is played
        is_question = is_question and line.kind in ("turn", "note")
        if not is_question and line.text != hand:
            yield line
