"""The full screen as rows of styled text, for any size. Pure: a sheet and a size in, rows out.

From the roomy to the tight the same things are shown in less space; what a player needs to move, the hand and
the question, goes last.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from ..translation import gettext as _
from . import parts, players
from .canvas import Row, cut_row, pad_row, translated, wrap
from .sheet import Panel, Sheet

WIDEST: Final = 150
"""Columns that are used; on a wider screen the eye would have to wander."""

TWO_COLUMNS: Final = 116
"""Columns from which the log stands beside the table."""

BESIDE: Final = (40, 64)
"""Least and most columns of a log beside the table."""

LEAST: Final = (20, 3)
"""Columns and rows, besides the line for typing, below which a hand and a question have no room."""

TALL: Final = 30
"""Rows from which there is room for cards drawn as cards."""

BOXED: Final = 18
"""Rows from which players have boxes: with fewer there would be room for them between two questions only, and
the table would jump."""


@dataclass(frozen=True, slots=True)
class Density:
    """How much room the parts take. ``log`` is the least number of rows of the log."""

    log: int
    boxes: bool = False
    rules: bool = False
    title: bool = True
    seats: bool = True
    middle: int = 99
    hand: int = 99
    ask: int = 99
    known: bool = False
    big_cards: bool = False
    footer: bool = True

    @property
    def is_tight(self) -> bool:
        """Whether the middle has hardly any room, and the seats only one row."""
        return not self.seats and self.middle > 0


DENSITIES: Final = (
    Density(8, boxes=True, rules=True, known=True, big_cards=True),
    Density(6, boxes=True, rules=True, known=True),
    Density(4, boxes=True, rules=True),
    Density(4, boxes=True),
    Density(4, rules=True, known=True),
    Density(3, rules=True),
    Density(3, ask=4),
    Density(1, ask=3, hand=2, middle=3),
    Density(1, title=False, ask=3, hand=2, middle=1),
    Density(2, ask=3, hand=2, middle=3, footer=False),
    Density(0, title=False, middle=1, hand=2, ask=3, footer=False),
    Density(1, title=False, middle=1, hand=2, ask=2, footer=False),
    Density(1, title=False, seats=False, middle=1, hand=1, ask=2, footer=False),
    Density(0, title=False, seats=False, middle=0, hand=1, ask=2, footer=False),
    Density(0, title=False, seats=False, middle=0, hand=1, ask=1, footer=False),
)

AFTER: Final = Density(0, seats=False)
"""After the end the scores name the players, too."""

FOOTED: Final = sum(density.footer for density in DENSITIES)
"""So many of them, the first ones, name keys at the bottom."""


def draw(sheet: Sheet, columns: int, rows: int) -> list[Row]:
    """Exactly ``rows`` rows of at most ``columns`` columns. The line for typing is not among them."""
    if rows < 1 or columns < 1:
        return []
    if columns < LEAST[0] or rows < LEAST[1]:
        return _too_small(columns, rows)
    width = min(columns, WIDEST)
    if sheet.cover is not None and sheet.panel is None:
        drawn = sheet.cover.draw(sheet, width, rows)
    elif sheet.scene is None or sheet.cover is not None:
        drawn = _lobby(sheet, width, rows)
    else:
        drawn = _table(sheet, width, rows)
    margin = (columns - width) // 2
    if margin:
        drawn = [[("", " " * margin), *row] for row in drawn]
    drawn = [cut_row(row, columns) for row in drawn]
    return [translated(row) for row in drawn] if sheet.is_ascii else drawn


def _too_small(columns: int, rows: int) -> list[Row]:
    """What to do, in the words that have room: nobody can play in there."""
    text = _("Too small: {columns} x {rows} at least.").format(columns=LEAST[0], rows=LEAST[1] + 1)
    lines: list[Row] = [[("class:strong", line)] for line in wrap(text, columns)[:rows]]
    return [*lines, *([[]] * (rows - len(lines)))]


def margin_of(columns: int) -> int:
    """Columns that are left free at either side."""
    return (columns - min(columns, WIDEST)) // 2


def log_rows(sheet: Sheet, columns: int, rows: int) -> int:
    """How many rows the whole log has at a size."""
    width = min(columns, WIDEST)
    if sheet.scene is not None and _is_wide(width, rows):
        width = _beside(width)
    return len(parts.log(replace(sheet, scroll=0), width, sys.maxsize))


def _is_wide(width: int, rows: int) -> bool:
    return width >= TWO_COLUMNS and rows >= TALL // 2


def _beside(width: int) -> int:
    """Columns of a log beside the table."""
    return max(BESIDE[0], min(BESIDE[1], width // 3))


def _lobby(sheet: Sheet, width: int, rows: int) -> list[Row]:
    """Before the game: what is said, from the bottom up, and what was asked for."""
    above = _panel(sheet.panel, width, rows) if sheet.panel is not None else None
    bottom = parts.private(sheet, width) + parts.notice(sheet, width)
    bottom = bottom[-rows:]
    space = rows - len(bottom)
    above = above[:space] if above is not None else _from_top(parts.log(sheet, width, space), space)
    return above + bottom


def _table(sheet: Sheet, width: int, rows: int) -> list[Row]:
    if _is_wide(width, rows) and sheet.panel is None:
        return _two_columns(sheet, width, rows)
    return _one_column(sheet, width, rows, has_log=True)


def _two_columns(sheet: Sheet, width: int, rows: int) -> list[Row]:
    beside = _beside(width)
    left = _one_column(sheet, width - beside - 3, rows, has_log=False)
    log = parts.log(sheet, beside, rows - 2)
    right = [
        [("class:label", _("What happened"))],
        parts.rule(beside),
        *_from_bottom(log, rows - 2),
    ]
    gap = ("class:line", " │ ")
    return [[*pad_row(one, width - beside - 3), gap, *other] for one, other in zip(left, right, strict=True)]


def _one_column(sheet: Sheet, width: int, rows: int, has_log: bool) -> list[Row]:
    told = parts.told_at_end(sheet, width) if has_log and sheet.panel is None else 0
    found = None
    if told and sheet.scene is not None:
        hands = min(told, len(sheet.scene.board.seats))
        for least in (told, hands):  # the hands come last
            found = found or _fitting(sheet, width, rows, (*DENSITIES[:FOOTED], AFTER), least)
    found = found or _fitting(sheet, width, rows, DENSITIES, 0, has_log)
    top, bottom = found or ([], _bottom(sheet, width, DENSITIES[-1])[-rows:])
    return _filled(sheet, width, rows, top, bottom, has_log)


def _fitting(
    sheet: Sheet, width: int, rows: int, densities: Sequence[Density], told: int, has_log: bool = True
) -> tuple[list[Row], list[Row]] | None:
    """What stands above and below the log in the roomiest way that leaves it ``told`` rows at least."""
    for density in densities:
        if (density.big_cards and rows < TALL) or (density.boxes and rows < BOXED):
            continue
        top = _top(sheet, width, density)
        bottom = _bottom(sheet, width, density)
        least = max(density.log, told) if has_log else 0
        room = rows - len(bottom) - least
        if room > 0 and density.is_tight and not told and sheet.scene is not None and sheet.scene.result:
            top = top[:room]  # who won and the best scores, rather than nothing of it
        if len(top) <= room:
            return top, bottom
    return None


def _filled(
    sheet: Sheet, width: int, rows: int, top: list[Row], bottom: list[Row], has_log: bool
) -> list[Row]:
    space = rows - len(top) - len(bottom)
    if sheet.panel is not None:
        above = len(top) + space
        if above < parts.LEAST_PANEL:
            return _panel(sheet.panel, width, rows)
        return [*_panel(sheet.panel, width, above), *bottom]
    if not has_log:
        return [*top, *([[]] * space), *bottom]
    return [*top, *_from_bottom(parts.log(sheet, width, space), space), *bottom]


def _top(sheet: Sheet, width: int, density: Density) -> list[Row]:
    """Title, the other players, and what lies in the middle."""
    assert sheet.scene is not None
    scene = sheet.scene
    rows = [parts.title(scene, width)] if density.title else []
    if density.title and density.rules and not density.boxes:
        rows.append(parts.rule(width))
    if density.boxes:
        rows += players.boxes(sheet, width, density.known)
    elif density.seats:
        rows += players.seats(sheet, width, density.known)
    elif not scene.result:
        rows += players.seats_in_a_row(sheet, width)
    middle = parts.middle(sheet, width)
    rows += middle if scene.result and density.middle else middle[: density.middle]
    if density.rules:
        rows.append(parts.rule(width))
    return rows


def _bottom(sheet: Sheet, width: int, density: Density) -> list[Row]:
    """One's own cards, and what is asked."""
    assert sheet.scene is not None
    rows: list[Row] = [parts.rule(width)] if density.rules else []
    rows += players.me(sheet, width) if density.seats else []
    hand = parts.big_hand(sheet.scene, width) if density.big_cards else parts.hand(sheet.scene, width)
    rows += _shortened(hand, density.hand, width)
    if density.rules and sheet.scene.me is not None:  # a screen for everybody shows no hand
        rows.append(parts.rule(width))
    rows += parts.ask(sheet, width, density.ask)
    rows += parts.private(sheet, width) + parts.notice(sheet, width)
    if density.footer:
        rows.append(parts.footer(sheet, width))
    return rows


def _shortened(rows: list[Row], most: int, width: int) -> list[Row]:
    """Rows of which only some have room; that there are more is seen."""
    if len(rows) <= most:
        return rows
    shown = rows[:most]
    shown[-1:] = [[*cut_row(shown[-1], max(0, width - 2)), ("class:quiet", " …")]] if shown else []
    return shown


def _panel(panel: Panel, width: int, rows: int) -> list[Row]:
    return parts.panel(panel, width, rows)


def _from_top(rows: Sequence[Row], space: int) -> list[Row]:
    return [*rows[-space:], *([[]] * (space - len(rows)))] if space else []


def _from_bottom(rows: Sequence[Row], space: int) -> list[Row]:
    return [*([[]] * (space - len(rows))), *rows[-space:]] if space else []
