"""The table file: which readers a table has and what their pads are."""

from __future__ import annotations

from pathlib import Path

from ..table_texts import BadTable, TableFile, from_toml, to_toml
from .tag_file import write_whole


def load_table(path: Path) -> TableFile:
    """The table in a file; a file that is not there is a table without readers.

    Raises `BadTable` with a sentence that names the file and the line, ``OSError`` if it cannot be read.
    """
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return TableFile()
    except UnicodeDecodeError:
        raise BadTable(f"{path.name} is no text.") from None
    try:
        return from_toml(text)
    except BadTable as error:
        raise BadTable(f"{path.name}, {error}") from None


def save_table(path: Path, table: TableFile) -> None:
    """Write a table so that the file is the old or the new one, whatever happens in between."""
    write_whole(path, to_toml(table))
