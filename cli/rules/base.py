"""What is said about a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.registry import game

from ..speech.base import own_lookup
from ..translation import gettext as _


@dataclass(frozen=True, slots=True)
class GameText:
    """Templates for the catalogue about one game.

    The ``title``; a ``summary``; what its ``usual`` options are, in a sentence that goes on behind a colon;
    ``paragraphs`` with headings; one line for each of the ``options``, and for their ``values`` by option and
    value; ``rulings``, each in one sentence; ``lookup`` finds the translation.
    """

    title: str
    summary: str = ""
    usual: str = ""
    paragraphs: tuple[tuple[str, str], ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[tuple[str, str], str] = field(default_factory=dict)
    rulings: tuple[str, ...] = ()
    lookup: Callable[[str], str] = _


def game_text(name: str) -> GameText:
    """What a game of others says about itself in its attribute ``words``; its title at least."""
    rules: Any = game(name)
    words: Mapping[str, Any] = getattr(rules, "words", {})
    values = {
        (option, value): text
        for option, meanings in words.get("values", {}).items()
        for value, text in meanings.items()
    }
    return GameText(
        title=rules.info.title,
        summary=words.get("summary", ""),
        usual=words.get("usual", ""),
        paragraphs=tuple(words.get("paragraphs", ())),
        options=words.get("options", {}),
        values=values,
        rulings=tuple(words.get("rulings", ())),
        lookup=own_lookup(rules),
    )
