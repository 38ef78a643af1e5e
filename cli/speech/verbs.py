"""Commands and the first words of actions, as people may type them in the language chosen."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from ..translation import pgettext, spoken

PLACED: Final = frozenset({"draw", "drop", "take"})
"""Actions whose further words are places, which have names in the language chosen, too."""


def commanded_in_english(line: str) -> str:
    """A line whose command or action is named in the language chosen, with the word that the rules read.
    ``прашај Бен 9`` becomes ``ask Бен 9``; every other line stays as it is.

    In English there is nothing to change.
    """
    first, _space, rest = line.partition(" ")
    verb = _verbs(spoken()).get(first.casefold())
    if verb is None:
        return line
    if verb in PLACED:
        rest = " ".join(map(in_english, rest.split()))
    return f"{verb} {rest}".rstrip()


def in_english(word: str) -> str:
    """One word that is a command, an action or a place in the language chosen, as the rules read it."""
    return _verbs(spoken()).get(word.casefold(), word)


def in_own_words(word: str) -> str:
    """A command, an action or a place as it is typed in the language chosen, so that it can be shown:
    ``ask`` becomes ``прашај``, and ``draw deck`` becomes ``влечи шпил``. What has no other name stays."""
    names = _names(spoken())
    if word in names:
        return names[word][0]
    return " ".join(names[each][0] if each in names else each for each in word.split())


@lru_cache(maxsize=4)
def _verbs(language: str) -> dict[str, str]:
    """Names in the language chosen -> the words of the program."""
    return {name: word for word, names in _names(language).items() for name in names if name != word}


@lru_cache(maxsize=4)
def _names(language: str) -> dict[str, tuple[str, ...]]:
    """The words of the program -> their names in the language that is spoken; the first is shown."""
    # Translators: What a player may type instead of the English word, in lower case; several words with bars.
    return {
        word: tuple(own.split("|"))
        for word, own in (
            ("all", pgettext("typed", "all")),
            ("ask", pgettext("typed", "ask")),
            ("back", pgettext("typed", "back")),
            ("begin", pgettext("typed", "begin")),
            ("book", pgettext("typed", "book")),
            ("books", pgettext("typed", "books")),
            ("cancel", pgettext("typed", "cancel")),
            ("chat", pgettext("typed", "chat")),
            ("conceal", pgettext("typed", "conceal")),
            ("continue", pgettext("typed", "continue")),
            ("deck", pgettext("typed", "deck")),
            ("decline", pgettext("typed", "decline")),
            ("discard", pgettext("typed", "discard")),
            ("down", pgettext("typed", "down")),
            ("draw", pgettext("typed", "draw")),
            ("drop", pgettext("typed", "drop")),
            ("effects", pgettext("typed", "effects")),
            ("end", pgettext("typed", "end")),
            ("expose", pgettext("typed", "expose")),
            ("fill", pgettext("typed", "fill")),
            ("flip", pgettext("typed", "flip")),
            ("games", pgettext("typed", "games")),
            ("give", pgettext("typed", "give")),
            ("give up", pgettext("typed", "give up")),
            ("go", pgettext("typed", "go")),
            ("hand", pgettext("typed", "hand")),
            ("hand back", pgettext("typed", "hand back")),
            ("hands", pgettext("typed", "hands")),
            ("help", pgettext("typed", "help")),
            ("hint", pgettext("typed", "hint")),
            ("host", pgettext("typed", "host")),
            ("join", pgettext("typed", "join")),
            ("keep", pgettext("typed", "keep")),
            ("lay", pgettext("typed", "lay")),
            ("leave", pgettext("typed", "leave")),
            ("list", pgettext("typed", "list")),
            ("log", pgettext("typed", "log")),
            ("mute", pgettext("typed", "mute")),
            ("next", pgettext("typed", "next")),
            ("pass", pgettext("typed", "pass")),
            ("pick", pgettext("typed", "pick")),
            ("play", pgettext("typed", "play")),
            ("pool", pgettext("typed", "pool")),
            ("practice", pgettext("typed", "practice")),
            ("proofs", pgettext("typed", "proofs")),
            ("public", pgettext("typed", "public")),
            ("quit", pgettext("typed", "quit")),
            ("rematch", pgettext("typed", "rematch")),
            ("replay", pgettext("typed", "replay")),
            ("resign", pgettext("typed", "resign")),
            ("rules", pgettext("typed", "rules")),
            ("save", pgettext("typed", "save")),
            ("seat", pgettext("typed", "seat")),
            ("set", pgettext("typed", "set")),
            ("sets", pgettext("typed", "sets")),
            ("settings", pgettext("typed", "settings")),
            ("star", pgettext("typed", "star")),
            ("start", pgettext("typed", "start")),
            ("step", pgettext("typed", "step")),
            ("swap", pgettext("typed", "swap")),
            ("table", pgettext("typed", "table")),
            ("tables", pgettext("typed", "tables")),
            ("take", pgettext("typed", "take")),
            ("turn", pgettext("typed", "turn")),
            ("unset", pgettext("typed", "unset")),
            ("via", pgettext("typed", "via")),
            ("verify", pgettext("typed", "verify")),
            ("words", pgettext("typed", "words")),
        )
    }
