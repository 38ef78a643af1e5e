"""The words of each game: what its events, refusals, endings and proofs say, as templates for "
"the catalogue."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from engine.registry import UnknownGame, game

from . import casino, go_fish, one_fish, salmon
from .base import PLAIN, Speech, plugged_in

__all__ = ["PLAIN", "SPEECHES", "Speech", "speech_of"]

SPEECHES: Final = {
    "go-fish": go_fish.SPEECH,
    "one-fish": one_fish.SPEECH,
    "casino": casino.SPEECH,
    "discount-salmon": salmon.SPEECH,
}
"""Our games. Others bring their words along (docs/writing_a_game.md)."""


@lru_cache(maxsize=32)
def speech_of(name: str) -> Speech:
    """The words of the game with that id; of an unknown one, none but what all games have."""
    if name in SPEECHES:
        return SPEECHES[name]
    try:
        return plugged_in(game(name))
    except UnknownGame:
        return PLAIN
