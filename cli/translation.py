"""Looks texts up in the catalogue of the language that is spoken.

It offers what ``gettext`` does, by the same names, so that ``scripts/messages.py`` finds the texts. The
module of the standard library looks for its catalogue on the disk at every text, which takes longer than
making the sentence and happens a hundred times for each drawing of the screen; here the catalogue is read
once, when a language is chosen.
"""

from __future__ import annotations

import gettext as standard
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Final

__all__ = [
    "DOMAIN",
    "FOLDER",
    "catalogue_of",
    "gettext",
    "ngettext",
    "own_gettext",
    "pgettext",
    "spoken",
    "use",
]

DOMAIN: Final = "shoal"
FOLDER: Final = Path(__file__).with_name("locale")
"""``LANGUAGE/LC_MESSAGES/shoal.mo`` lies below it, in the wheel too."""


@lru_cache(maxsize=64)
def catalogue_of(domain: str, folder: str, language: str) -> standard.NullTranslations:
    """The catalogue of a domain in a language, read once; one that changes nothing where there is none."""
    return standard.translation(domain, folder, [language], fallback=True)


class _Spoken:
    """What the whole process speaks: one language at a time, until one is chosen that of the source."""

    def __init__(self) -> None:
        self.language = ""
        self.catalogue: standard.NullTranslations = standard.NullTranslations()


_spoken: Final = _Spoken()


def use(language: str) -> None:
    """Look texts up in the catalogue of this language from now on; without one they stay as they are."""
    _spoken.language = language
    _spoken.catalogue = catalogue_of(DOMAIN, str(FOLDER), language)
    # click looks its own texts up with the standard library, in the domain of the process.
    standard.bindtextdomain(DOMAIN, str(FOLDER))
    standard.textdomain(DOMAIN)


def spoken() -> str:
    """The language that is spoken; empty before one was chosen, when it is that of the source."""
    return _spoken.language


def gettext(message: str) -> str:
    """A text in the language spoken. A catalogue keeps its own header under the empty text, which nobody
    should ever read: that stays empty."""
    return _spoken.catalogue.gettext(message) if message else ""


def ngettext(one: str, many: str, n: int) -> str:
    """The form of a text for the number ``n``."""
    return _spoken.catalogue.ngettext(one, many, n)


def pgettext(context: str, message: str) -> str:
    """A text that means something else in another context."""
    return _spoken.catalogue.pgettext(context, message)


def own_gettext(domain: str, folder: str) -> Callable[[str], str]:
    """Looks up in a catalogue of others, in the language spoken then; in ours what that one does not have."""

    def look_up(message: str) -> str:
        found = catalogue_of(domain, folder, _spoken.language).gettext(message) if message else ""
        return found if found != message else gettext(message)

    return look_up
