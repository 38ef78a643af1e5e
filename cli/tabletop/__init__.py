"""Cards one can touch, joined to the game: `docs/table.md` for players, `base` for those who write a mode.

The modes, and all that they are made of, are pure; ``readers`` and ``desk`` do their I/O.
"""

from .base import (
    EVERYBODY,
    NOTHING,
    Act,
    Feedback,
    Keep,
    Kind,
    Lift,
    Mode,
    Output,
    Outputs,
    Peek,
    Say,
    ScanAnew,
    Scanned,
    Setting,
    Signal,
    Touch,
    Trouble,
    Typed,
)

__all__ = [
    "EVERYBODY",
    "NOTHING",
    "Act",
    "Feedback",
    "Keep",
    "Kind",
    "Lift",
    "Mode",
    "Output",
    "Outputs",
    "Peek",
    "Say",
    "ScanAnew",
    "Scanned",
    "Setting",
    "Signal",
    "Touch",
    "Trouble",
    "Typed",
]
