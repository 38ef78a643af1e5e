"""Words that people type: names of players, cards and their values as they are said. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from engine.cards import Deck, InvalidCard

from ..language import either
from ..text import LETTERS, printable
from ..translation import gettext as _

MYSELF = {"me", "myself"}
SMALL_WORDS = {"for", "a", "an", "any", "the", "your", "all"}


class NotUnderstood(ValueError):
    """What was typed means nothing here. The message says what would be right."""


def letters(word: str) -> str:
    """A word with suits as letters, as people may paste them."""
    return "".join(LETTERS.get(character, character) for character in word if character != "\ufe0f")


_LATIN: Final = str.maketrans(
    {
        "а": "a", "б": "b", "в": "v", "г": "g", "д": "d", "ѓ": "gj", "е": "e", "ж": "zh", "з": "z", "ѕ": "dz",
        "и": "i", "ј": "j", "к": "k", "л": "l", "љ": "lj", "м": "m", "н": "n", "њ": "nj", "о": "o", "п": "p",
        "р": "r", "с": "s", "т": "t", "ќ": "kj", "у": "u", "ф": "f", "х": "h", "ц": "c", "ч": "ch",
        "џ": "dzh", "ш": "sh",
    }
)  # fmt: skip
_HEARD: Final = str.maketrans("cqyw", "kkiv")
"""Letters of names that a Macedonian writes as they sound."""

LEAST_HEARD: Final = 3
"""Letters of a name in the other alphabet: fewer begin too many words."""


def heard(text: str) -> str:
    """A name as it sounds, whichever of the two alphabets it is written in; doubled letters count once."""
    latin = text.casefold().translate(_LATIN).translate(_HEARD)
    return "".join(sign for n, sign in enumerate(latin) if not n or latin[n - 1] != sign)


def find_seat(text: str, names: Sequence[str]) -> int | None:
    """The seat that a name, a number counted from 1, or the beginning of only one name means."""
    folded = [name.casefold() for name in names]
    text = text.casefold().rstrip(",:")
    if text in folded:
        return folded.index(text)
    if text.isascii() and text.isdecimal() and 1 <= int(text[:3]) <= len(names):
        return int(text[:3]) - 1
    fitting = [seat for seat, name in enumerate(folded) if name.startswith(text)]
    if not fitting and len(text) >= LEAST_HEARD:
        fitting = [
            seat
            for seat, name in enumerate(folded)
            if name.isascii() != text.isascii() and heard(name).startswith(heard(text))
        ]
    return fitting[0] if len(fitting) == 1 else None


def target(words: Sequence[str], names: Sequence[str], me: int) -> tuple[int, list[str]]:
    """The seat that the first words name (the longest name that fits), and the words that follow."""
    for count in range(len(words), 0, -1):
        seat = find_seat(" ".join(words[:count]), names)
        if seat is not None:
            rest = list(words[count:])
            while len(rest) > 1 and rest[0].casefold() in SMALL_WORDS:  # "a" alone is an ace
                rest = rest[1:]
            return seat, rest
    fitting = [name for name in names if name.casefold().startswith(words[0].casefold())]
    if len(fitting) > 1:
        raise NotUnderstood(
            _("{word} could be {names}; type one more letter.").format(
                word=printable(words[0], 32), names=either(fitting)
            )
        )
    if words[0].casefold() in MYSELF:
        return me, list(words[1:])
    others = ", ".join(name for seat, name in enumerate(names) if seat != me)
    raise NotUnderstood(
        _("There is no player {word} here; you can ask {names}.").format(
            word=printable(words[0], 32), names=others
        )
    )


def card(deck: Deck, words: Sequence[str]) -> str | None:
    """The one card that all the words together name: ``2C``, ``two of clubs``, ``2 clubs``, ``red two``."""
    parts = [letters(word) for word in words]
    for text in (" ".join(parts), "".join(parts), " of ".join(parts)):
        try:
            return deck.text(deck.parse(text))
        except InvalidCard:
            continue
    return None


def value(deck: Deck, attribute: str, words: Sequence[str]) -> str | None:
    """The one value of an attribute that all the words together name, also in the plural."""
    text = " ".join(letters(word) for word in words)
    for candidate in (text, text.removesuffix("s"), text.removesuffix("es")):
        try:
            return deck.parse_value(attribute, candidate)
        except InvalidCard:
            continue
    return None


def begun(word: str, texts: Iterable[str]) -> list[str]:
    """Those of ``texts`` that ``word`` is, or begins; a text that it is goes before all others."""
    folded = plain(word)
    found = [text for text in texts if plain(text).startswith(folded)]
    return [text for text in found if plain(text) == folded] or found


def plain(text: str) -> str:
    """A text without case, spaces and hyphens, so that ``dog mask`` and ``dogmask`` are one."""
    return "".join(character for character in text.casefold() if character.isalnum() or character == "*")
