"""All that the screen shows at one moment: the table, and what its player is doing with the keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ..ending import EndChoice
from ..story import Line
from .canvas import Row
from .keys import Choice
from .scene import Scene

SHOWN_WAIT = 3
"""Seconds of waiting before they are counted on the screen: shorter ones would only flicker."""


@dataclass(frozen=True, slots=True)
class Panel:
    """A text that lies over the table until it is closed; ``top`` is its first line in sight."""

    title: str
    lines: tuple[str, ...]
    top: int = 0


class Cover(Protocol):
    """What takes the place of the table before a game, and between two games."""

    def draw(self, sheet: Sheet, columns: int, rows: int) -> list[Row]:
        """Exactly ``rows`` rows of at most ``columns`` columns."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """``waited`` are whole seconds since the same players are waited for; ``scroll`` rows the log is wound
    back; ``notice`` answers the last key; ``private`` is shown for a moment and leaves nothing behind;
    ``choices`` are what may be done after the end; a ``cover`` is drawn instead of the table."""

    scene: Scene | None
    log: Sequence[Line]
    choice: Choice | None = None
    panel: Panel | None = None
    waited: int = 0
    scroll: int = 0
    notice: str = ""
    private: tuple[str, ...] = ()
    is_leaving: bool = False
    choices: tuple[EndChoice, ...] = ()
    is_ascii: bool = False
    cover: Cover | None = None
