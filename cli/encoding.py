"""Signs that an encoding does not have, written with those that every encoding has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

READABLE: Final = "shoal-readable"
"""The name under which ``readable`` handles the errors of the output streams."""

_ASCII: Final = {"\u2663": "C", "\u2666": "D", "\u2665": "H", "\u2660": "S", "\u2713": "+", "\u2026": "..."}

_C_LOCALES: Final = ("C", "POSIX")


def readable(error: UnicodeError) -> tuple[str, int]:
    """An error handler for ``codecs``: suits as letters, the check mark as ``+``, anything else as ``?``."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    bad = error.object[error.start : error.end]
    return "".join(_ASCII.get(character, "?") for character in bad), error.end


def is_ascii_locale(environ: Mapping[str, str]) -> bool:
    """Whether somebody chose a locale that has ASCII only. Python itself would write UTF-8 there (PEP 538,
    PEP 540), unless it was told what to write.

    A terminal where no locale is set at all is taken for one that can show UTF-8, as nearly all can.
    """
    if environ.get("PYTHONIOENCODING") or environ.get("PYTHONUTF8"):
        return False
    if environ.get("LC_ALL"):
        return environ["LC_ALL"] in _C_LOCALES
    # PEP 538 itself sets LC_CTYPE to C.UTF-8 where LANG is C, so that this value says nothing then.
    chosen = environ.get("LC_CTYPE", "")
    if chosen in ("", "C.UTF-8"):
        chosen = environ.get("LANG", "")
    return chosen in _C_LOCALES
