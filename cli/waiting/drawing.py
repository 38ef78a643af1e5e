"""The waiting room and the safety words as rows for the full screen, for any size. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ..ending import EndChoice
from ..story import Line
from ..translation import gettext as _
from ..tui.canvas import Row, clean, cut_row, flow, pad, row_width, width, wrap
from ..tui.parts import notice_rows
from ..tui.sheet import Sheet
from .room import Place, Question, Room

READY: Final = "✓"
NOT_READY: Final = "…"

ROOMY: Final = 22
"""Rows from which empty lines set the parts apart."""

MOST_PASTE: Final = 3
"""Commands to paste that are shown: a machine with more networks says so, and ``who`` lists all."""


@dataclass(frozen=True, slots=True)
class View:
    """What is drawn: the room, and the last of what was said in it."""

    room: Room
    log: Sequence[Line] = ()
    notice: str = ""
    choices: Sequence[EndChoice] = ()


@dataclass(frozen=True, slots=True)
class RoomCover:
    """See ``tui.sheet.Cover``. The log begins with the line number ``since``."""

    room: Room
    since: int = 0

    def draw(self, sheet: Sheet, columns: int, rows: int) -> list[Row]:
        """The room with what was said in it."""
        log = sheet.log[self.since :]
        log = log[: len(log) - sheet.scroll] if sheet.scroll else log
        return draw(View(self.room, log, sheet.notice, sheet.choices), columns, rows)


def draw(view: View, columns: int, rows: int) -> list[Row]:
    """Exactly ``rows`` rows. What has to be answered goes last when there is no room."""
    room = view.room
    bottom: list[Row] = []
    for gap in (True, False):
        top = _top(room, columns, gap and rows >= ROOMY)
        bottom = _bottom(view, columns, gap and rows >= ROOMY, gap)
        if len(top) + len(bottom) + 1 <= rows:
            break
    else:
        top = _tight(room, columns)
        if len(top) + len(bottom) > rows:
            bottom = bottom[-rows:]
            top = top[: rows - len(bottom)]
    space = rows - len(top) - len(bottom)
    log = _log(view.log, columns, space)
    return [cut_row(row, columns) for row in [*top, *log, *([[]] * (space - len(log))), *bottom]]


def _top(room: Room, columns: int, has_gaps: bool) -> list[Row]:
    gap: list[Row] = [[]] if has_gaps else []
    rows = [_title(room, columns)]
    rows += [[("class:quiet", line)] for text in room.aside for line in wrap(clean(text), columns)]
    rows += gap
    rows += seats(room, columns)
    rows += gap
    if room.is_host and room.free:
        rows += _paste(room, columns)
        rows += gap
    return rows


def _tight(room: Room, columns: int) -> list[Row]:
    """The same in as few rows as possible."""
    names = [_short(place) for place in room.places]
    rows = [_title(room, columns), *flow(names, columns)]
    if room.is_host and room.free:
        rows += _commands(room.paste[:2], columns)
    return rows


def _short(place: Place) -> Row:
    mark = READY if place.is_ready else NOT_READY
    return [
        ("class:proof" if place.is_ready else "class:quiet", f"{mark} "),
        ("class:name", clean(place.name)),
    ]


def _title(room: Room, columns: int) -> Row:
    left: Row = [("class:title", f" {clean(room.title)} ")]
    right = _("{n} of {of} seats").format(n=len(room.places), of=room.seats) if room.places else ""
    free = columns - row_width(left) - width(right)
    if not right or free < 1:
        return cut_row(left, columns)
    return [*left, ("", " " * free), ("class:label", right)]


def seats(room: Room, columns: int) -> list[Row]:
    """Who sits, one in a row, and who is ready."""
    names = min(max((width(clean(place.name)) for place in room.places), default=0), max(8, columns // 3))
    rows = [_seat(place, names, columns) for place in room.places]
    if room.places and room.free:
        rows.append([("class:quiet", "  · " + _("free") + (f" × {room.free}" if room.free > 1 else ""))])
    return rows


def _seat(place: Place, names: int, columns: int) -> Row:
    mark = READY if place.is_ready else NOT_READY
    state = _("ready") if place.is_ready else _("not ready yet")
    about = f"  {place.about}" if place.about else ""
    row: Row = [
        ("class:proof" if place.is_ready else "class:quiet", f"  {mark} "),
        ("class:name", pad(clean(place.name), names)),
    ]
    if not (place.is_bot or place.is_host):
        row.append(("class:proof" if place.is_ready else "class:strong", f"  {state}"))
    row.append(("class:proof" if place.is_known else "class:quiet", clean(about)))
    return cut_row(row, columns)


def _paste(room: Room, columns: int) -> list[Row]:
    text = _("On this machine they join with:") if room.is_here_only else _("Others join with:")
    rows: list[Row] = [[("class:label", line)] for line in wrap(text, columns)]
    return rows + _commands(room.paste[:MOST_PASTE], columns, "  ")


def _commands(commands: Sequence[str], columns: int, indent: str = "") -> list[Row]:
    """Whole, on two rows where need be: what is cut nobody can type."""
    return [
        [("class:strong", line)] for command in commands for line in wrap(indent + command, columns, "  ")
    ]


def _log(log: Sequence[Line], columns: int, most: int) -> list[Row]:
    rows: list[Row] = []
    for line in log:
        style = {"warning": "class:warning", "chat": "class:chat"}.get(line.kind, "class:quiet")
        rows += [[(style, part)] for part in wrap(clean(str(line)), columns, "  ")]
    return rows[-most:] if most > 0 else []


def _bottom(view: View, columns: int, has_gaps: bool, has_advice: bool) -> list[Row]:
    room = view.room
    rows: list[Row] = []
    if room.question is not None:
        rows += question(room.question, columns, has_advice)
    else:
        rows += [[("class:ask", f" {line} ")] for line in wrap(clean(room.status), columns - 2)]
        if has_gaps or (has_advice and not room.is_host and room.me is None):
            rows += [[("class:quiet", line)] for line in wrap(clean(room.advice), columns)]
    items: list[Row] = [
        [("class:key", f"[{choice.key.capitalize()}]"), ("", f" {clean(choice.label)}")]
        for choice in view.choices
        if choice.label
    ]
    rows += flow(items, columns)
    rows += notice_rows(view.notice, columns)
    keys = [("?", _("help")), ('"', _("talk")), ("^C", _("leave"))]
    footer: list[Row] = [[("class:footkey", key), ("class:quiet", f" {about}")] for key, about in keys]
    return rows + flow(footer, columns, gap="   ")[:1]


def question(asked: Question, columns: int, has_advice: bool = True) -> list[Row]:
    """Somebody at the door: what is known of that player, and the words of its key, large."""
    style = "class:warning" if asked.is_warning else ""
    rows: list[Row] = [[("class:line", "─" * columns)]]
    rows += [[(style, line)] for text in asked.lines for line in wrap(clean(text), columns)]
    if asked.words:
        items: list[Row] = [[("class:strong", word)] for word in asked.words]
        rows += flow(items, columns, gap="  ")
        if has_advice:
            rows += [[("class:quiet", line)] for line in wrap(clean(asked.advice), columns)]
    return rows
