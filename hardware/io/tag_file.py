"""A tag book in a file of its own, readable by its owner alone."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from ..tag_texts import from_csv, from_toml, to_csv, to_toml
from ..tags import BadTags, Book


def load(path: Path) -> Book:
    """The book in a TOML file, or a CSV file by its suffix; a file that is not there is an empty book.

    Raises `BadTags` with a sentence that names the file, ``OSError`` if it cannot be read.
    """
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return Book()
    except UnicodeDecodeError:
        raise BadTags(f"{path.name} is no text.") from None
    try:
        return from_csv(text) if path.suffix.lower() == ".csv" else from_toml(text)
    except BadTags as error:
        raise BadTags(f"{path.name}: {error}") from None


def save(path: Path, book: Book) -> None:
    """Write a book so that the file is the old or the new one, whatever happens in between."""
    write_whole(path, to_csv(book) if path.suffix.lower() == ".csv" else to_toml(book))


def write_whole(path: Path, text: str) -> None:
    """Write a text in one step, readable by its owner alone. An ``OSError`` names ``path``."""
    try:
        _write_whole(path, text)
    except OSError as error:  # it speaks of the draft, or of no file at all
        raise OSError(error.errno, error.strerror, str(path)) from error


def _write_whole(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # mode 0600
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
