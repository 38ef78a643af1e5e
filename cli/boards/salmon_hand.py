"""A hand of Discount Salmon whose cards have numbers, and the words that mean a card: its number, its name,
or how the name begins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

from engine.contract import View

from ..language import either
from ..speech.words import KINDS
from ..text import printable
from ..translation import gettext as _
from .words import NotUnderstood, begun, plain

MOST_WORDS: Final = 3
"""Words that a card's name has at most, in either language."""


class NumberedHand:
    """``name`` gives a card as people call it."""

    def __init__(self, name: Callable[[str], str]) -> None:
        self._name = name
        self._places: list[str] = []

    def places(self, view: View[Any]) -> list[str]:
        """The cards of one's own hand by number: those that stayed where they were, new ones in the gaps, and
        empty texts for gaps that are not filled yet."""
        left = Counter(view.deck.text(face) for face in view.deck.sorted(view.hand.values()))
        kept: list[str] = []
        for text in self._places:
            has = left[text] > 0
            kept.append(text if has else "")
            left[text] -= has
        new = iter((+left).elements())
        self._places = [text or next(new, "") for text in kept] + list(new)
        return self._places

    def numbers(self, view: View[Any], cards: Sequence[str]) -> list[str] | None:
        """The numbers of cards, as they are typed fastest; ``None`` where one of them is not in the hand."""
        left = list(enumerate(self.places(view), 1))
        numbers = []
        for text in cards:
            at = next((n for n, each in left if each == text), None)
            if at is None:
                return None
            left.remove((at, text))
            numbers.append(str(at))
        return numbers

    # --- what is typed ------------------------------------------------------------------------------

    def may_begin(self, words: Sequence[str], view: View[Any]) -> bool:
        """Whether the first word is a number, or may be that of a card."""
        return words[0].isdecimal() or bool(self.fitting(words[0], view))

    def read(self, words: Sequence[str], view: View[Any]) -> tuple[str, ...]:
        """Cards by number (``1 3`` or ``13``), by name, or by the beginning of one. Raises
        ``NotUnderstood``."""
        places = self.places(view)
        used: list[int] = []
        found = []
        at = 0
        while at < len(words):
            word = words[at].strip(",+.")
            taken = 1
            if word.isascii() and word.isdecimal():
                for number in _numbers_of(word, places):
                    found.append(places[number - 1])
                    if number in used:
                        raise NotUnderstood(_("Card {n} is there only once.").format(n=number))
                    used.append(number)
            else:
                text, taken = self._named(words[at:], view)
                found.append(text)
            at += taken
        return tuple(found)

    def fitting(self, word: str, view: View[Any]) -> list[str]:
        """The cards whose name begins with a word: of one's own hand, or else of the deck."""
        if not plain(word):
            return []
        for texts in (dict.fromkeys(filter(None, self.places(view))), _all(view)):
            found = [text for text in texts if any(begun(word, [name]) for name in self._spellings(text))]
            exact = [text for text in found if plain(word) in self._spellings(text)]
            if found:
                return exact or found
        return []

    def _named(self, words: Sequence[str], view: View[Any]) -> tuple[str, int]:
        """The card that the first words name, and how many words that took; the longest name first."""
        for count in range(MOST_WORDS, 1, -1):
            joined = " ".join(words[:count])
            exact = [text for text in _all(view) if plain(joined) in self._spellings(text)]
            if count <= len(words) and exact:
                return exact[0], count
        fitting = self.fitting(words[0], view)
        if len(fitting) == 1:
            return fitting[0], 1
        shown = printable(words[0], 20)
        if fitting:
            names = either([self._name(text) for text in fitting])
            raise NotUnderstood(
                _("{word} could be {names}; type one more letter.").format(word=shown, names=names)
            )
        raise NotUnderstood(_('"{word}" is no card of this game.').format(word=shown))

    def _spellings(self, text: str) -> set[str]:
        return {plain(text), plain(self._name(text)), plain(KINDS.get(text, text))}


def _numbers_of(word: str, places: Sequence[str]) -> list[int]:
    digits = [int(digit) for digit in word]
    there = [number for number, text in enumerate(places, 1) if text]
    if all(digit in there for digit in digits):
        return digits
    if not there:
        raise NotUnderstood(_("You have no cards."))
    numbers = " ".join(map(str, there))
    raise NotUnderstood(_("Your cards have the numbers {numbers}.").format(numbers=numbers))


def _all(view: View[Any]) -> list[str]:
    return [text for text in map(view.deck.text, view.deck.faces) if text in KINDS]
