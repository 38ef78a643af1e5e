"""All that the screen shows at one moment: the table, and what its player is doing with the keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..ending import EndChoice
from ..presenter import Line
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


@dataclass(frozen=True, slots=True)
class Sheet:
    """``waited`` are whole seconds since the same players are waited for; ``scroll`` rows the log is wound
    back; ``notice`` answers the last key; ``private`` is shown for a moment and leaves nothing behind;
    ``choices`` are what may be done after the end."""

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
