"""The table file: the readers of a table and what their antennas are, as TOML. Strings in, strings out.

```toml
shoal-table = 1

[[reader]]
name = "nano"
kind = "text"
port = "usb:1a86:7523"
baud-rate = 115200

[[pad]]
reader = "nano"
antenna = 0
role = "seat:Ben"
```

``port`` is any spelling that `hardware.io.port_name` reads; a reader that has none, such as one behind MQTT,
leaves it out. Everything else in a ``[[reader]]`` is an option of its kind, and is kept as it is: what a kind
makes of it is checked where the reader is opened, and `ReaderEntry.line` lets that error name the line.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from .events import Place
from .pads import LONGEST_NAME, BadPads, BadRole, Pads, Role, is_name, parse_role

__all__ = ["BadTable", "Option", "ReaderEntry", "TableFile", "from_toml", "to_toml"]

Option: TypeAlias = str | int | float | bool
"""The value of an option of a reader."""

MOST_TEXT = 200_000
"""Characters of a file: a hundred pads take 8,000, and a mistaken file shall not fill the memory."""

MOST_READERS = 50
"""A reader is a port; no table has as many."""

_FORMAT = 1
_HEAD = "# The readers of the table, and what their pads are. Written by shoal table setup; may be edited."
_HEADER = re.compile(r"\s*\[\[\s*(?:(reader|pad)|\"(?:reader|pad)\"|'(?:reader|pad)')\s*\]\]")
_KEY = re.compile(r"\s*(?:\"([^\"]*)\"|'([^']*)'|([A-Za-z0-9_-]+))\s*=")
_OWN = ("name", "kind", "port")
_PAD = ("reader", "antenna", "role")


class BadTable(ValueError):
    """A text that is no table. The message is one sentence that begins with the line, where it is known."""


@dataclass(frozen=True, slots=True)
class ReaderEntry:
    """One reader: its ``name`` on this table, its ``kind`` (a key of `hardware.readers.PROFILES` or another
    kind), its ``port`` as it was written, and the options of its kind in the order of the file."""

    name: str
    kind: str
    port: str = ""
    options: Mapping[str, Option] = field(default_factory=dict)
    line: int = field(default=0, compare=False)
    """Where it stands in the file, counted from 1; 0: in none."""


@dataclass(frozen=True, slots=True)
class TableFile:
    """A table: its readers, and the roles of their antennas. Raises `BadTable` where a name stands for two
    readers, or a pad is of a reader that is not there."""

    readers: tuple[ReaderEntry, ...] = ()
    pads: Pads = field(default_factory=Pads)

    def __post_init__(self) -> None:
        names = [entry.name for entry in self.readers]
        if len(names) > MOST_READERS:
            raise BadTable(f"A table has at most {MOST_READERS} readers.")
        for name in self.pads.readers:
            if name not in names:
                raise BadTable(f"A pad is of the reader {name}, which the table does not have.")
        for entry in self.readers:
            if not is_name(entry.name):
                raise BadTable(f"A reader needs a name of 1 to {LONGEST_NAME} printable characters.")
            if names.count(entry.name) > 1:
                raise BadTable(f"Two readers are called {entry.name}.")

    def reader(self, name: str) -> ReaderEntry | None:
        """The reader called ``name``."""
        return next((entry for entry in self.readers if entry.name == name), None)

    def with_reader(self, entry: ReaderEntry) -> TableFile:
        """The table with this reader, in the place of the one that has its name, if any."""
        if self.reader(entry.name) is None:
            return TableFile((*self.readers, entry), self.pads)
        readers = tuple(entry if each.name == entry.name else each for each in self.readers)
        return TableFile(readers, self.pads)

    def with_pads(self, pads: Pads) -> TableFile:
        """The table with these pads and no others."""
        return TableFile(self.readers, pads)


def to_toml(table: TableFile) -> str:
    """The table as TOML; `from_toml` reads it back. The order is that of the table, so that a file that is
    written again changes only where the table did."""
    lines = [_HEAD, f"shoal-table = {_FORMAT}"]
    for entry in table.readers:
        lines += ["", "[[reader]]", f"name = {_value(entry.name)}", f"kind = {_value(entry.kind)}"]
        if entry.port:
            lines.append(f"port = {_value(entry.port)}")
        lines += [f"{_key(name)} = {_value(value)}" for name, value in entry.options.items()]
    for place, role in table.pads.items():
        lines += ["", "[[pad]]", f"reader = {_value(place.reader)}"]
        lines += [f"antenna = {place.antenna}", f"role = {_value(str(role))}"]
    return "\n".join(lines) + "\n"


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _value(name)


def _value(value: Option) -> str:
    # A JSON string is a basic string of TOML, but for the delete character; "inf" and "nan" are TOML's, too.
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return json.dumps(value) if isinstance(value, bool) else repr(value)


def from_toml(text: str) -> TableFile:
    """A table from TOML. Raises `BadTable` with the line and one sentence."""
    if len(text) > MOST_TEXT:
        raise BadTable(f"A table file is at most {MOST_TEXT} characters long.")
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _syntax(text, error) from None
    except (RecursionError, ValueError):  # of nested lists, and of numbers with thousands of digits
        raise BadTable("This is no TOML of ours: it is nested too deeply, or a number is too long.") from None
    if document.get("shoal-table") != _FORMAT:
        raise BadTable(f"This is no table of this version: it needs the line shoal-table = {_FORMAT}.")
    wrong = next((key for key in document if key not in {"shoal-table", "reader", "pad"}), None)
    where = _Lines(text, {key: _tables(document, key) for key in ("reader", "pad")})
    if wrong is not None:
        raise BadTable(f"{wrong[:30]!r} stands for nothing here: a table has [[reader]] and [[pad]].")
    readers = [_reader(entry, where, n) for n, entry in enumerate(_tables(document, "reader"))]
    _check_names(readers, where)
    return TableFile(tuple(readers), _pads(document, readers, where))


def _tables(document: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    tables = document.get(key, [])
    if not isinstance(tables, list) or not all(isinstance(each, dict) for each in tables):
        raise BadTable(f"{key} must be written as tables: [[{key}]] on a line of its own.")
    return tables


def _syntax(text: str, error: ValueError) -> BadTable:
    place = re.search(r" \(at (?:line (\d+)|end of document).*\)$", str(error))
    line = int(place[1]) if place and place[1] else text.rstrip("\n").count("\n") + 1
    why = str(error)[: place.start()] if place else str(error)
    return BadTable(f"line {line}: {why[:1].lower()}{why[1:]}.")


class _Lines:
    """The lines of the entries and their keys. Where a text has its tables in another form than ours, in one
    line for instance, no line is named rather than a wrong one."""

    def __init__(self, text: str, tables: Mapping[str, Sequence[object]]) -> None:
        self._found: dict[str, list[dict[str, int]]] = {"reader": [], "pad": []}
        keys: dict[str, int] = {}
        for number, line in enumerate(text.split("\n"), 1):
            if match := _HEADER.match(line):
                keys = {"": number}
                self._found["pad" if "pad" in match[0] else "reader"].append(keys)
            elif line.lstrip().startswith("["):
                keys = {}
            elif match := _KEY.match(line):
                keys.setdefault(match[1] or match[2] or match[3] or "", number)
        if any(len(self._found[key]) != len(entries) for key, entries in tables.items()):
            self._found = {"reader": [], "pad": []}

    def number(self, table: str, n: int, key: str = "") -> int:
        """The line of a key of entry ``n``, or of its header; 0: not known."""
        found = self._found[table]
        return found[n].get(key, found[n][""]) if n < len(found) else 0

    def error(self, table: str, n: int, key: str, why: str) -> BadTable:
        line = self.number(table, n, key)
        return BadTable(f"line {line}: {why}" if line else f"{table} {n + 1}: {why}")


def _reader(entry: Mapping[str, Any], where: _Lines, n: int) -> ReaderEntry:
    for key in ("name", "kind"):
        if not isinstance(entry.get(key), str) or not is_name(entry[key]):
            long = f"1 to {LONGEST_NAME} printable characters"
            raise where.error("reader", n, key, f"a reader needs a {key}, a text of {long}.")
    if "port" in entry and not (isinstance(entry["port"], str) and entry["port"].strip()):
        raise where.error("reader", n, "port", 'port must be a text, such as "/dev/ttyUSB0".')
    options: dict[str, Option] = {}
    for key, value in entry.items():
        if key in _OWN:
            continue
        if not isinstance(value, str | int | float | bool):
            raise where.error("reader", n, key, f"{key[:30]} must be a text, a number, true or false.")
        options[key] = value
    port = entry.get("port", "").strip()
    return ReaderEntry(entry["name"], entry["kind"], port, options, where.number("reader", n))


def _check_names(readers: Sequence[ReaderEntry], where: _Lines) -> None:
    seen: dict[str, int] = {}
    for n, entry in enumerate(readers):
        if entry.name in seen:
            raise where.error("reader", n, "name", f"another reader is called {entry.name} already.")
        seen[entry.name] = n


def _pads(document: Mapping[str, Any], readers: Sequence[ReaderEntry], where: _Lines) -> Pads:
    names = {entry.name for entry in readers}
    pads: list[tuple[Place, Role]] = []
    taken: set[Place] = set()
    for n, entry in enumerate(_tables(document, "pad")):
        place, role = _pad(entry, names, where, n)
        if place in taken:
            why = f"antenna {place.antenna} of {place.reader} has a role already."
            raise where.error("pad", n, "antenna", why)
        taken.add(place)
        pads.append((place, role))
        try:
            Pads(pads)
        except BadPads as error:
            raise where.error("pad", n, "", str(error)) from None
    return Pads(pads)


def _pad(entry: Mapping[str, Any], names: set[str], where: _Lines, n: int) -> tuple[Place, Role]:
    wrong = next((key for key in entry if key not in _PAD), None)
    if wrong is not None:
        raise where.error("pad", n, wrong, f"a pad has {', '.join(_PAD)}, and no {wrong[:30]!r}.")
    reader, antenna, text = entry.get("reader"), entry.get("antenna", 0), entry.get("role")
    if not isinstance(reader, str) or reader not in names:
        there = ", ".join(sorted(names)) or "none"
        raise where.error("pad", n, "reader", f"reader must be one of those above: {there}.")
    if not isinstance(antenna, int) or isinstance(antenna, bool):
        raise where.error("pad", n, "antenna", "antenna must be a number, from 0 on.")
    if not isinstance(text, str):
        raise where.error("pad", n, "role", 'a pad needs a role, such as "pond" or "seat:Ben".')
    try:
        return Place(reader, antenna), parse_role(text)
    except BadRole as error:
        raise where.error("pad", n, "role", str(error)) from None
