"""Colours. What they say is always said by a word, a mark or a shape as well.

The foreground and background are the terminal's own, so that dark and light ones are both served; the colours
of 256 were chosen to be legible on black and on white.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style

SUITS: Final = ("two", "four", "ascii")
"""Ways to show suits: two colours, four colours, or letters."""

PLAIN: Final = {
    "title": "bold reverse",
    "turn": "bold reverse",
    "box-turn": "bold",
    "name": "bold",
    "label": "bold",
    "strong": "bold",
    "headline": "bold reverse",
    "result": "bold reverse",
    "ask": "bold reverse",
    "countdown": "bold reverse",
    "key": "bold",
    "footkey": "bold",
    "marked": "underline bold",
    "card": "bold",
    "warning": "bold",
    "notice": "bold",
    "private": "reverse",
    "chat": "italic",
    "club": "", "diamond": "", "heart": "", "spade": "",
    "red": "", "blue": "", "yellow": "", "green": "", "star": "",
    "quiet": "", "line": "", "proof": "", "bar": "",
}  # fmt: skip
"""Without any colour: bold, reverse and underlined text is all there is."""

COLOURS: Final = {
    "red": "#d7414b", "blue": "#3f7fd7", "yellow": "#a87b00", "green": "#2f8f46", "grey": "#7f7f7f",
    "violet": "#9a63c8",
}  # fmt: skip
"""Colours that can be read on black as well as on white (a contrast of 3.5 and more with both)."""

ANSI: Final = {
    "red": "ansired", "blue": "ansibrightblue", "yellow": "ansiyellow", "green": "ansigreen", "grey": "",
    "violet": "ansimagenta",
}  # fmt: skip
"""The same where there are 16 colours, which every terminal has made legible on its background."""


@cache
def style_of(depth: ColorDepth, suits: str) -> Style:
    """The style for a number of colours and a way to show suits.

    Always the same object for the same question: it is asked for every style on the screen at every drawing,
    and a new one would have to be parsed, which takes longer than all the rest of drawing.
    """
    if depth == ColorDepth.DEPTH_1_BIT:
        return Style(list(PLAIN.items()))
    of = ANSI if depth == ColorDepth.DEPTH_4_BIT else COLOURS
    coloured = {
        "heart": of["red"], "diamond": of["blue"] if suits == "four" else of["red"],
        "club": of["green"] if suits == "four" else "",
        "red": of["red"], "blue": of["blue"], "yellow": of["yellow"], "green": of["green"],
        "star": of["violet"], "proof": of["green"], "quiet": of["grey"], "line": of["grey"],
        "bar": of["blue"], "box-turn": of["blue"], "chat": of["violet"], "warning": of["red"],
        "key": of["blue"], "footkey": of["grey"], "notice": of["blue"],
    }  # fmt: skip
    return Style([(name, f"{plain} {coloured.get(name, '')}".strip()) for name, plain in PLAIN.items()])
