"""Commands and the first words of actions, as people may type them in the language chosen."""

from __future__ import annotations

from typing import Final

from ..translation import pgettext

PLACED: Final = frozenset({"draw", "take"})
"""Actions whose further words are places, which have names in the language chosen, too."""


def commanded_in_english(line: str) -> str:
    """A line whose command or action is named in the language chosen, with the word that is shown and that
    the rules read. ``прашај Бен 9`` becomes ``ask Бен 9``; every other line stays as it is.

    In English there is nothing to change.
    """
    first, _space, rest = line.partition(" ")
    names = _verbs()
    verb = names.get(first.casefold())
    if verb is None:
        return line
    if verb in PLACED:
        rest = " ".join(names.get(word.casefold(), word) for word in rest.split())
    return f"{verb} {rest}".rstrip()


def _verbs() -> dict[str, str]:
    """Names in the language chosen -> the words of the program; several names stand with bars between."""
    found: dict[str, str] = {}
    # Translators: What a player may type instead of the English word, in lower case; several words with bars.
    for word, spoken in (
        ("ask", pgettext("typed", "ask")),
        ("books", pgettext("typed", "books")),
        ("chat", pgettext("typed", "chat")),
        ("conceal", pgettext("typed", "conceal")),
        ("deck", pgettext("typed", "deck")),
        ("decline", pgettext("typed", "decline")),
        ("discard", pgettext("typed", "discard")),
        ("draw", pgettext("typed", "draw")),
        ("drop", pgettext("typed", "drop")),
        ("effects", pgettext("typed", "effects")),
        ("expose", pgettext("typed", "expose")),
        ("fill", pgettext("typed", "fill")),
        ("flip", pgettext("typed", "flip")),
        ("give", pgettext("typed", "give")),
        ("give up", pgettext("typed", "give up")),
        ("hand", pgettext("typed", "hand")),
        ("hand back", pgettext("typed", "hand back")),
        ("help", pgettext("typed", "help")),
        ("hint", pgettext("typed", "hint")),
        ("keep", pgettext("typed", "keep")),
        ("lay", pgettext("typed", "lay")),
        ("log", pgettext("typed", "log")),
        ("mute", pgettext("typed", "mute")),
        ("pass", pgettext("typed", "pass")),
        ("pick", pgettext("typed", "pick")),
        ("play", pgettext("typed", "play")),
        ("pool", pgettext("typed", "pool")),
        ("proofs", pgettext("typed", "proofs")),
        ("quit", pgettext("typed", "quit")),
        ("resign", pgettext("typed", "resign")),
        ("rules", pgettext("typed", "rules")),
        ("sets", pgettext("typed", "sets")),
        ("swap", pgettext("typed", "swap")),
        ("table", pgettext("typed", "table")),
        ("take", pgettext("typed", "take")),
        ("words", pgettext("typed", "words")),
    ):
        found |= {name: word for name in spoken.split("|") if name != word}
    return found
