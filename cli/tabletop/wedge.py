"""Tags in what is typed: a reader that poses as a keyboard types into the prompt. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from hardware.readers import Seen, Unclear, scan
from hardware.tags import Book, Found
from hardware.uids import Numbers, Technology

_AT_THE_END: Final = re.compile(
    r"(\d{3},\d{5}|[0-9A-F]{24}|[0-9A-F]{16}|[0-9A-F]{14}|\d{13}|[0-9A-F]{10}|\d{10}|[0-9A-F]{8}|\d{8})\s*$",
    re.IGNORECASE,
)
"""What readers type, the longest spelling first: a shorter one may be the end of it."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """How a table's reader spells its tags."""

    technology: Technology = Technology.UNKNOWN
    numbers: Numbers = Numbers.DECIMAL


def found_in(
    text: str, seconds: float | None, spelling: Spelling, book: Book
) -> tuple[str, Seen | Unclear] | None:
    """What a person typed before it, and the tag, if a reader has typed the end of this text.

    Without a time only a whole line, or a tag of the book, is taken for a tag: letters and digits of a person
    may stand directly before it.
    """
    whole = scan(text, seconds, spelling.technology, spelling.numbers)
    if whole is not None:
        return "", whole
    match = _AT_THE_END.search(text) if seconds is None else None
    if match is None:
        return None
    seen = scan(match[1], None, spelling.technology, spelling.numbers)
    if isinstance(seen, Seen) and isinstance(book.find(seen.uid), Found):
        return text[: match.start()], seen
    return None
