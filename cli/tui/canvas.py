"""Text in cells: widths as terminals show them, cutting, filling, wrapping, and rows of styled pieces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from prompt_toolkit.utils import get_cwidth

Piece: TypeAlias = tuple[str, str]
"""A style (class names as prompt_toolkit writes them) and a text without line ends."""

Row: TypeAlias = list[Piece]

IN_ASCII: Final = str.maketrans(
    {
        "♣": "C", "♦": "D", "♥": "H", "♠": "S", "✓": "+", "…": ".", "►": ">", "●": "o", "■": "#", "▲": "^",
        "◆": "%", "★": "*", "─": "-", "│": "|", "┌": "+", "┐": "+", "└": "+", "┘": "+", "├": "+", "┤": "+",
        "━": "=", "┃": "|", "┏": "+", "┓": "+", "┗": "+", "┛": "+", "█": "#", "░": ".", "·": "-", "–": "-",
        "←": "<", "→": ">", "↑": "^", "↓": "v",
    }
)  # fmt: skip
"""What stands for the signs of the screen where letters alone are wanted."""


def clean(text: str) -> str:
    """Text without anything that would move the cursor or could not be seen."""
    return text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)


def width(text: str) -> int:
    """Columns that a text takes."""
    return get_cwidth(text)


def cut(text: str, columns: int) -> str:
    """A text that fits into some columns; ``…`` stands for what had to go."""
    if width(text) <= columns:
        return text
    if columns < 1:
        return ""
    kept, used = [], 0
    for character in text:
        used += width(character)
        if used > columns - 1:
            break
        kept.append(character)
    return "".join(kept) + "…"


def pad(text: str, columns: int) -> str:
    """A text in exactly so many columns."""
    shown = cut(text, columns)
    return shown + " " * max(0, columns - width(shown))


def row_width(row: Iterable[Piece]) -> int:
    """Columns of a row."""
    return sum(width(text) for _style, text in row)


def cut_row(row: Sequence[Piece], columns: int) -> Row:
    """A row that fits into some columns."""
    if row_width(row) <= columns:
        return list(row)
    kept: Row = []
    left = columns
    for style, text in row:
        if width(text) > left - 1:
            kept.append((style, cut(text + "….", left)))
            break
        kept.append((style, text))
        left -= width(text)
    return [piece for piece in kept if piece[1]]


def pad_row(row: Sequence[Piece], columns: int) -> Row:
    """A row in exactly so many columns."""
    shown = cut_row(row, columns)
    rest = columns - row_width(shown)
    return [*shown, ("", " " * rest)] if rest > 0 else shown


def wrap(text: str, columns: int, indent: str = "") -> list[str]:
    """Lines of a text, broken between words where that is possible; further lines begin with ``indent``."""
    if columns < 1:
        return []
    if width(text) <= columns:
        return [text]
    stem = text[: len(text) - len(text.lstrip())]
    rest = (stem + indent) if width(stem + indent) * 2 <= columns else ""
    lines: list[str] = []
    line = stem if width(stem) * 2 <= columns else ""
    has_words = False
    for word in text.split(" "):
        if not word:
            line += " " if has_words and width(line) < columns else ""
            continue
        joined = f"{line} {word}" if has_words else line + word
        if width(joined) <= columns:
            line, has_words = joined, True
            continue
        if has_words:
            lines.append(line.rstrip())
            line = rest
        *whole, line = _split(line + word, columns)
        lines += whole
        has_words = True
    lines.append(line.rstrip())
    return lines


def _split(text: str, columns: int) -> list[str]:
    """A word that is too long for a line, in pieces."""
    parts, part = [], ""
    for character in text:
        if part and width(part + character) > columns:
            parts.append(part)
            part = ""
        part += character
    return [*parts, part]


def flow(items: Sequence[Sequence[Piece]], columns: int, gap: str = "  ", indent: int = 0) -> list[Row]:
    """Items one behind the other, each whole, in as many rows as that takes."""
    rows: list[Row] = []
    row: Row = []
    for item in items:
        used, size = row_width(row), row_width(item)
        if row and used + width(gap) + size > columns:
            rows.append(row)
            row = [("", " " * indent)] if indent and indent * 2 < columns else []
            row = [*row, *item]
        elif row:
            row = [*row, ("", gap), *item]
        else:
            row = list(item)
    return [cut_row(each, columns) for each in [*rows, row] if each]


def plain(row: Iterable[Piece]) -> str:
    """The text of a row."""
    return "".join(text for _style, text in row)


def translated(row: Iterable[Piece]) -> Row:
    """A row in letters alone."""
    return [(style, text.translate(IN_ASCII)) for style, text in row]
