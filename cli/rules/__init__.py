"""The rules of the games in our own words: how to play, each option, and what we decided."""

from __future__ import annotations

from typing import Final

from .base import GameText, game_text
from .casino import CASINO
from .go_fish import GO_FISH
from .one_fish import ONE_FISH
from .salmon import DISCOUNT_SALMON

__all__ = ["TEXTS", "GameText", "text_of", "title_of"]

TEXTS: Final = {
    "go-fish": GO_FISH,
    "one-fish": ONE_FISH,
    "casino": CASINO,
    "discount-salmon": DISCOUNT_SALMON,
}


def text_of(name: str) -> GameText:
    """The texts of the game with that id, one of ours or not; it exists."""
    return TEXTS.get(name) or game_text(name)


def title_of(name: str) -> str:
    """The title of a game in the language chosen."""
    text = text_of(name)
    return text.lookup(text.title)
