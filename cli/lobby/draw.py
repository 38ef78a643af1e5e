"""The lobby as rows of styled text, for any size. Pure: a state and a size in, rows out.

On a small screen blank lines go first, then what happened last, then the words beside the letters; the tables
and the answer to the last key stay.
"""

from __future__ import annotations

from typing import Final

from ..translation import gettext as _
from ..tui.canvas import Row, clean, cut_row, translated, wrap
from .front import front
from .pages import address, filling, kept_row, listed, naming, reading, settings_rows
from .state import Address, Filling, Games, Main, Naming, Reading, Rules, Settings, State

WIDEST: Final = 110
"""Columns that are used: longer lines would not be read with more ease."""


def draw(state: State, columns: int, rows: int) -> list[Row]:
    """Exactly ``rows`` rows of at most ``columns`` columns."""
    if rows < 1 or columns < 1:
        return []
    size = min(columns, WIDEST)
    notice: list[Row] = []
    if state.notice:
        notice = [[("class:notice", line)] for line in wrap(clean(state.notice), size, "  ")][-3:]
    space = max(0, rows - len(notice))
    drawn = _page(state, size, space)[:space]
    drawn += [[]] * (space - len(drawn))
    margin = (columns - size) // 2
    whole = [*drawn, *notice][:rows]
    whole = [cut_row([("", " " * margin), *row] if margin and row else row, columns) for row in whole]
    return [translated(row) for row in whole] if state.is_ascii else whole


def _page(state: State, size: int, rows: int) -> list[Row]:
    match state.page:
        case Naming(line, problem):
            return naming(line, problem, size)
        case Reading(title, text, _under, top):
            return reading(title, text, top, size, rows)
    facts = state.facts
    if facts is None:
        return front(state, Main(), size, rows)
    match state.page:
        case Address(line):
            return address(line, size)
        case Games(finished, at):
            found = facts.finished if finished else facts.paused
            title = _("Games played here: which one?") if finished else _("Go on with which game?")
            return listed(title, [kept_row(one) for one in found], at, size, rows)
        case Rules(at):
            lines = [(each.title, each.summary) for each in facts.games]
            return listed(_("Rules of which game?"), lines, at, size, rows)
        case Filling(form):
            return filling(form, size, rows)
        case Settings() as page:
            return settings_rows(facts, page, size, rows)
        case Main() as main:
            return front(state, main, size, rows)
    raise AssertionError(state.page)
