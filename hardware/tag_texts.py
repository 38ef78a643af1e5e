"""A tag book as text: TOML, and CSV for spreadsheets. Strings in, strings out."""

from __future__ import annotations

import csv
import io
import json
import tomllib
from collections.abc import Mapping
from typing import Any

from .tags import BadTags, Book, Kind, Tag, quoted
from .uids import Uid, UnclearUid, parse

__all__ = ["from_csv", "from_toml", "to_csv", "to_toml"]

MOST_TEXT = 1_000_000
"""Characters of a file: a thousand tags take 80,000, and a mistaken file shall not fill the memory."""

_FORMAT = 1
_COLUMNS = ["uid", "kind", "name"]
_HEAD = "# Which tag is which card. The ids are yours alone: keep this file on this computer."


def to_toml(book: Book) -> str:
    """The book as TOML; `from_toml` reads it back."""
    lines = [_HEAD, f"shoal-tags = {_FORMAT}"]
    for tag in book.tags:
        # A JSON string is a basic string of TOML, but for the delete character, which is not printable.
        name = json.dumps(tag.name, ensure_ascii=False)
        lines += ["", "[[tag]]", f'uid = "{tag.uid}"', f"{tag.kind} = {name}"]
    return "\n".join(lines) + "\n"


def from_toml(text: str) -> Book:
    """A book from TOML. Raises `BadTags` with a sentence that names the tag, counted from 1."""
    try:
        document = tomllib.loads(_bounded(text))
    except tomllib.TOMLDecodeError as error:
        raise BadTags(f"This is no TOML: {error}.") from None
    except (RecursionError, ValueError):  # of nested lists, and of numbers with thousands of digits
        raise BadTags("This is no TOML of ours: it is nested too deeply, or a number is too long.") from None
    if document.get("shoal-tags") != _FORMAT:
        raise BadTags(f"This is no tag book of this version: it needs the line shoal-tags = {_FORMAT}.")
    entries = document.get("tag", [])
    if set(document) - {"shoal-tags", "tag"} or not isinstance(entries, list):
        raise BadTags("A tag book has nothing but [[tag]] tables.")
    return Book(_entry(entry, f"tag {n}") for n, entry in enumerate(entries, 1))


def _entry(entry: Any, where: str) -> Tag:
    if not isinstance(entry, dict) or len(entry) != 2 or "uid" not in entry:
        raise BadTags(f"{where} needs a uid and one of {', '.join(Kind)}.")
    kind = next(key for key in entry if key != "uid")
    return _tag({"uid": entry["uid"], "kind": kind, "name": entry[kind]}, where)


def _tag(values: Mapping[str, Any], where: str) -> Tag:
    if not all(isinstance(value, str) for value in values.values()):
        raise BadTags(f"{where}: its values must be texts.")
    if values["kind"] not in {kind.value for kind in Kind}:
        raise BadTags(f"{where}: {quoted(values['kind'])} is none of {', '.join(Kind)}.")
    try:
        uid = parse(values["uid"])
    except UnclearUid as unclear:
        raise BadTags(f"{where}: {quoted(values['uid'])}: {unclear}") from None
    return Tag(Uid(uid.data, uid.technology), Kind(values["kind"]), values["name"].strip())


def to_csv(book: Book) -> str:
    """The book as CSV with the columns uid, kind and name."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_COLUMNS)
    writer.writerows([str(tag.uid), tag.kind.value, tag.name] for tag in book.tags)
    return out.getvalue()


def from_csv(text: str) -> Book:
    """A book from CSV; any spelling of an id will do. Raises `BadTags` with a sentence that names the
    line."""
    reader = csv.reader(io.StringIO(_bounded(text).removeprefix("\ufeff"), newline=""))
    tags = []
    try:
        if [column.strip().lower() for column in next(reader, [])] != _COLUMNS:
            raise BadTags(f"The first line must name the columns {', '.join(_COLUMNS)}.")
        for row in reader:
            if not any(cell.strip() for cell in row):
                continue
            if len(row) != len(_COLUMNS):
                raise BadTags(f"line {reader.line_num} has {len(row)} columns instead of {len(_COLUMNS)}.")
            cells = [cell.strip() for cell in row]
            tags.append(_tag(dict(zip(_COLUMNS, cells, strict=True)), f"line {reader.line_num}"))
    except csv.Error as error:
        raise BadTags(f"line {reader.line_num} is no CSV: {error}.") from None
    return Book(tags)


def _bounded(text: str) -> str:
    if len(text) > MOST_TEXT:
        raise BadTags(f"A tag book is at most {MOST_TEXT} characters long.")
    return text
