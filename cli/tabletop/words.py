"""The words on command tags: what a player can say by tapping. Pure.

A tag's name is one of these words, or what the language chosen calls it. Words of the screen do what typing
them does; words of the game belong to an action.
"""

from __future__ import annotations

from typing import Final

from ..speech.verbs import commanded_in_english

OK: Final = "ok"
CANCEL: Final = "cancel"

FOUND: Final = "found"

ENTRY_WORDS: Final = (OK, CANCEL, FOUND)
"""Confirm what was tapped, begin again, or say that a printed card is where it belongs without a search."""

SCREEN_WORDS: Final = (
    "start", "bot", "no-bot", "ready", "wait", "yes", "no", "who", "hint", "hand", "table", "help", "log",
    "words", "rules", "books", "sets", "effects", "hands", "verify", "rematch", "begin", "leave", "quit",
)  # fmt: skip
"""Commands of the screen, before the game, in it and after it."""

WAITING_TAGS: Final = ("start", "bot", "ready", "yes", "no", "rematch", "leave", "quit")
"""What is needed at the door, in the waiting room and after a game, so that nobody has to type."""

DIGITS: Final = tuple("0123456789")

GAME_WORDS: Final = (
    "number", "colour", "star", "pick", "decline", "red", "blue", "yellow", "green",
    "deck", "pool", "hand", "table", "fill", "swap", "keep", "discard", "back", "pass", "expose", "conceal",
    "flip", "play", "drop", "down", "ask", "give", "lay", "take",
)  # fmt: skip
"""Words of actions. What the rules call by two words (``hand back``) has the last of them on its tag."""

COMMAND_TAGS: Final = tuple(dict.fromkeys((*ENTRY_WORDS, *GAME_WORDS, *DIGITS, *SCREEN_WORDS)))
"""Every name of a command tag that means something."""

FEWEST_TAGS: Final[dict[str, tuple[str, ...]]] = {
    "waiting": WAITING_TAGS,
    "go-fish": (OK, CANCEL, "hint"),
    # The values are for a hand of nothing but a star, which has no card of what is asked for.
    "one-fish": (
        OK, CANCEL, "hint", "number", "colour", "star", "pick", "decline",
        "red", "blue", "yellow", "green", "1", "2", "3", "4", "5", "6",
    ),
    "casino": (OK, CANCEL, "hint", "deck", "1", "2", "keep", "discard", "back", "hand", "table", "pass"),
    "discount-salmon": (OK, CANCEL, "hint", "flip", "pass"),
}  # fmt: skip
"""The command tags that each game needs, and what is around it."""

_SYNONYMS: Final = {"color": "colour", "confirm": OK, "undo": CANCEL, "hand back": "back", "yes": "yes"}


def command_word(name: str) -> str:
    """The word that a command tag of this name stands for, in English and in lower case."""
    folded = " ".join(name.casefold().split())
    english = commanded_in_english(folded)
    return _SYNONYMS.get(english, english)


def screen_word(name: str) -> str | None:
    """The command of the screen that a tag of this name stands for outside a game, if it is one. ``ok`` says
    that a guest is ready."""
    word = command_word(name)
    return word if word in (OK, *SCREEN_WORDS) else None
