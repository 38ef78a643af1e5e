"""The mouse. What a cell of the screen stands for is said by the style of its text.

Such styles have no look; they go with the text through everything that cuts, joins and pads rows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from .canvas import Row, width

_PREFIX: Final = "class:on-"
_REPORT: Final = re.compile(r"\x1b\[<(\d{1,4});(\d{1,5});(\d{1,5})([Mm])")
"""Button, column, row, and whether it was pressed: the SGR way (1006), which terminals of today know."""

CHOICE: Final = "choice"
SEAT: Final = "seat"
CARD: Final = "card"
END: Final = "end"

LEFT: Final = 0
UP: Final = 64
DOWN: Final = 65

ROLL: Final = 3
"""Rows that one notch of the wheel winds: what most programs do."""


class Report(NamedTuple):
    """A button of the mouse that was pressed, and where; columns and rows begin with 0."""

    button: int
    column: int
    row: int


class Spot(NamedTuple):
    """What was clicked: a kind, and which one of them."""

    kind: str
    which: str


def read(data: str) -> Report | None:
    """What a terminal reports; ``None`` for what is no press of a button, or only looks like a report."""
    found = _REPORT.fullmatch(data)
    if found is None or found[4] == "m":
        return None
    return Report(int(found[1]), int(found[2]) - 1, int(found[3]) - 1)


def on(row: Row, kind: str, which: object) -> Row:
    """A row that stands for something."""
    return [(f"{style} {_PREFIX}{kind}-{which}".strip(), text) for style, text in row]


def spot(rows: Sequence[Row], column: int, row: int) -> Spot | None:
    """What stands at a place."""
    if not 0 <= row < len(rows):
        return None
    for style, text in rows[row]:
        column -= width(text)
        if column < 0:
            found = next((name for name in style.split() if name.startswith(_PREFIX)), None)
            return None if found is None else Spot(*found.removeprefix(_PREFIX).split("-", 1))
    return None
