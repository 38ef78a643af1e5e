"""A replay as a terminal recording: the asciicast format, version 2, of asciinema.

The file is JSON lines: a header (``version``, ``width``, ``height``, ``title``), then events ``[seconds,
"o", text]`` of what is written to the terminal (docs.asciinema.org/manual/asciicast/v2). How long people
thought is not in a game's record, so the pace is a steady one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import BaseStyle

from ..tui.canvas import Row
from ..tui.look import style_of
from .frames import PUBLIC, Replay
from .lines import Span, heading
from .page import draw, page_of

PACE: Final = 1.5
"""Seconds that each frame stays: time to read two lines."""

COLUMNS, ROWS = 80, 24
"""The size that every terminal has."""

RESET: Final = "\x1b[0m"


def cast(
    replay: Replay,
    seat: int = PUBLIC,
    span: Span | None = None,
    pace: float = PACE,
    columns: int = COLUMNS,
    rows: int = ROWS,
) -> Iterator[str]:
    """The lines of the file: all frames of which there is something to tell. Everything is verified by
    now."""
    span = span or Span()
    header = {"version": 2, "width": columns, "height": rows, "title": heading(replay, seat)[0]}
    yield json.dumps(header, ensure_ascii=False)
    style = style_of(ColorDepth.DEPTH_24_BIT, "two")
    yield _event(0.0, "\x1b[?25l\x1b[2J")
    shown = [""] * rows
    count = 0
    for at in range(len(replay)):
        moment = replay.moment(at)
        if not moment.is_told or not span.has(moment.step):
            continue
        page = page_of(replay, at, seat, rows, is_ascii=replay.glyphs.ascii_only)
        drawn = [_coloured(row, style) for row in draw(page, columns, rows)]
        changed = "".join(
            f"\x1b[{number};1H{new}\x1b[K"
            for number, (old, new) in enumerate(zip(shown, drawn, strict=True), 1)
            if old != new
        )
        yield _event(count * pace, changed)
        shown, count = drawn, count + 1
    yield _event(count * pace, f"\x1b[{rows};1H\x1b[?25h")


def _event(seconds: float, text: str) -> str:
    return json.dumps([round(seconds, 6), "o", text], ensure_ascii=False)


def _coloured(row: Row, style: BaseStyle) -> str:
    """A row with the control sequences of ECMA-48 (SGR) that make its styles."""
    parts = []
    for name, text in row:
        codes = _codes(name, style)
        parts.append(f"\x1b[{codes}m{text}{RESET}" if codes else text)
    return "".join(parts)


def _codes(name: str, style: BaseStyle) -> str:
    attrs = style.get_attrs_for_style_str(name)
    codes = [code for code, is_on in (("1", attrs.bold), ("3", attrs.italic), ("4", attrs.underline),
                                      ("7", attrs.reverse)) if is_on]  # fmt: skip
    if attrs.color and len(attrs.color) == 6:
        codes.append("38;2;" + ";".join(str(int(attrs.color[at : at + 2], 16)) for at in (0, 2, 4)))
    return ";".join(codes)
