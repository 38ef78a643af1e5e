"""TOML with line numbers: where in the text each key stands, so that an error can say so."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Any, TypeAlias

from .message import Message

Path: TypeAlias = tuple[str | int, ...]

_HEADER = re.compile(r"\s*(\[\[?)\s*([^\[\]]+?)\s*\]")

MOST_DOTS = 16
"""Dots in one key: our files have at most two, and tomllib takes seconds for a key of thousands, on the event
loop of whoever is shown a table with such a deck."""

_DOTTED = re.compile(rf"(?<![\w-])(?:[\w-]++[ \t]*+\.[ \t]*+){{{MOST_DOTS + 1}}}")
_QUOTED = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+(?:"{3,5}|\Z)'
    r"|'''(?:[^']|'(?!''))*+(?:'{3,5}|\Z)"
    r'|"(?:[^"\\\n]|\\.)*+"?'
    r"|'[^'\n]*+'?|#[^\n]*+",
    re.DOTALL,
)
"""Strings and comments. One that does not end goes on to the end of its line or of the text, so that the text
is read once."""


class DataError(ValueError):
    """A file that cannot be used: its name, the line, and one sentence."""

    def __init__(self, name: str, line: int, problem: str) -> None:
        super().__init__(Message("{file}, line {line}: {problem}", file=name, line=line, problem=problem))
        self.line = line
        self.problem = problem


class Document:
    """A parsed TOML file that knows on which line each of its keys stands."""

    def __init__(self, text: str, name: str) -> None:
        """Raises ``DataError`` where the text is not TOML."""
        self.name = name
        if deep := _DOTTED.search(bare := _bare(text)):
            line = bare.count("\n", 0, deep.start()) + 1
            raise DataError(name, line, Message("a key has too many dots."))
        try:
            self.data: Mapping[str, Any] = tomllib.loads(text)
        except RecursionError:
            raise DataError(name, 1, Message("lists stand in lists too deeply.")) from None
        except ValueError as error:
            if not isinstance(error, tomllib.TOMLDecodeError):  # Python's limit for the digits of a number
                raise DataError(name, _line_of_digits(text), Message("a number is too long.")) from None
            place = re.search(r"line (\d+)", str(error))
            line = int(place.group(1)) if place else text.count("\n") + 1
            problem = re.sub(r" \(at .*\)$", "", str(error))
            raise DataError(name, line, f"{problem[0].lower()}{problem[1:]}.") from None
        self._text = text.replace("\r\n", "\n")  # as tomllib reads it, and Windows writes it
        self._found: dict[Path, int] | None = None

    @property
    def _lines(self) -> dict[Path, int]:
        """Made only where something is wrong: a sound text is not read a second time."""
        if self._found is None:
            self._found = _lines(self._text)
        return self._found

    def line(self, path: Path) -> int:
        """The line of the key or table at ``path``, or of the nearest one around it."""
        while path and path not in self._lines:
            path = path[:-1]
        return self._lines.get(path, 1)

    def error(self, path: Path, problem: str) -> DataError:
        """An error at ``path``."""
        return DataError(self.name, self.line(path), problem)


def _bare(text: str) -> str:
    """The text with one letter in the place of each string and comment, on the same lines."""
    return _QUOTED.sub(lambda found: "q" + "\n" * found.group().count("\n"), text)


def _line_of_digits(text: str) -> int:
    """The line with the longest row of digits."""
    rows = re.finditer(r"[\w+-]+", text)
    longest = max(rows, key=lambda row: sum(map(str.isdigit, row.group())))
    return text.count("\n", 0, longest.start()) + 1


def path_of(text: str) -> Path:
    """The path named at the end of a message of msgspec, such as ``$.cards[0].rank``."""
    place = re.search(r"`(?:key in )?\$([^`]*)`$", text)
    parts = re.findall(r"\.(\w+)|\[(\d+)\]", place.group(1)) if place else []
    return tuple(key or int(index) for key, index in parts)


def _lines(text: str) -> dict[Path, int]:
    """The line of every header and every key, for a text that is known to be TOML."""
    found: dict[Path, int] = {}
    arrays: dict[Path, int] = {}
    table: Path = ()
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        start, line = at, lines[at].strip()
        at += 1
        if not line or line.startswith("#"):
            continue
        if header := _HEADER.match(line):
            table = _table(header.group(2), header.group(1) == "[[", arrays)
            found[table] = start + 1
            continue
        # A value may run over several lines.
        depth, quote = _after(lines[start], 0, "")
        while depth or quote:
            depth, quote = _after(lines[at], depth, quote)
            at += 1
        keys = _keys("\n".join(lines[start:at]))
        for depth in range(1, len(keys) + 1):
            found.setdefault(table + keys[:depth], start + 1)
    return found


def _table(dotted: str, array: bool, arrays: dict[Path, int]) -> Path:
    path: Path = ()
    names = [name.strip().strip("\"'") for name in dotted.split(".")]
    for depth, name in enumerate(names, start=1):
        path += (name,)
        if array and depth == len(names):
            arrays[path] = arrays.get(path, -1) + 1
        if path in arrays:
            path += (arrays[path],)
    return path


_MARKS = re.compile(r'"""|\'\'\'|["\'#\[\]{}]')
_REST = {
    '"': re.compile(r'(?:[^"\\]|\\.)*"'),
    "'": re.compile(r"[^']*'"),
    '"""': re.compile(r'(?:[^"\\]|\\.|"(?!""))*"{3,5}'),
    "'''": re.compile(r"(?:[^']|'(?!''))*'{3,5}"),
}
"""What follows an opening quote, up to the closing one; two quotes may stand right before three."""


def _after(line: str, depth: int, quote: str) -> tuple[int, str]:
    """How many brackets are open behind a line of a statement, and the quote of a string that goes on."""
    at = 0
    while quote or at < len(line):
        found = (_REST[quote].match if quote else _MARKS.search)(line, at)
        if found is None:
            break
        at, mark = found.end(), found.group()
        if quote:
            quote = ""
        elif mark == "#":
            break
        elif mark in _REST:
            quote = mark
        else:
            depth += 1 if mark in "[{" else -1
    return depth, quote


def _keys(statement: str) -> tuple[str, ...]:
    value: Any = tomllib.loads(statement)
    keys: list[str] = []
    while isinstance(value, dict) and len(value) == 1:
        ((key, value),) = value.items()
        keys.append(key)
    return tuple(keys)
