"""Sentences of peers, recognised by their templates so that they can be said in another language.

The peer-to-peer layer writes plain English: into game files, which are the same everywhere, and to peers,
who may speak another language. ``scripts/messages.py`` collects its templates.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from ..language import N_, said
from ..translation import FOLDER
from ..translation import gettext as _

TEMPLATES: Final = "sentences.txt"
"""One template in each line, its fields in braces."""

LONGEST: Final = 1000
"""Characters of the longest text that is looked at; what a peer sends is shorter."""

SYSTEM: Final = (
    N_("address already in use"),
    N_("cannot assign requested address"),
    N_("connection refused"),
    N_("connection reset by peer"),
    N_("connection timed out"),
    N_("file exists"),
    N_("input/output error"),
    N_("is a directory"),
    N_("name or service not known"),
    N_("network is unreachable"),
    N_("no route to host"),
    N_("no space left on device"),
    N_("no such file or directory"),
    N_("not a directory"),
    N_("operation not permitted"),
    N_("permission denied"),
    N_("read-only file system"),
    N_("too many open files"),
)
"""What operating systems say, in small letters."""

_FIELD: Final = re.compile(r"\{(\w+)\}")


def recognised(text: str) -> str:
    """The text in the language chosen if it fits a template, else as it is. Fields may be sentences, too."""
    if len(text) > LONGEST:
        return text
    if text in _plain():
        return _(text)
    if text.lower() in SYSTEM:
        return _(text.lower())
    for template, pattern in _patterns():
        found = pattern.fullmatch(text)
        if found:
            return _(template).format(**{name: said(value) for name, value in found.groupdict().items()})
    return text


@lru_cache(maxsize=1)
def templates() -> tuple[str, ...]:
    """All templates of the peer-to-peer layer."""
    return tuple((FOLDER / TEMPLATES).read_text("utf-8").splitlines())


@lru_cache(maxsize=1)
def _plain() -> frozenset[str]:
    return frozenset(each for each in templates() if not _FIELD.search(each))


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Templates with fields, the one with the most fixed text first, so that the closest fit is found."""
    with_fields = [each for each in templates() if _FIELD.search(each)]
    with_fields.sort(key=lambda each: -len(_FIELD.sub("", each)))
    return tuple((each, re.compile(_pattern(each), re.DOTALL)) for each in with_fields)


def _pattern(template: str) -> str:
    parts = _FIELD.split(template)
    return "".join(f"(?P<{part}>.*?)" if number % 2 else re.escape(part) for number, part in enumerate(parts))
