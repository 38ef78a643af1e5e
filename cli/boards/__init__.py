"""What is particular to each game on the screen and in what is typed, one module for each game.

A game from elsewhere is shown and played by the generic board.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.contract import AnyRules

from ..text import Glyphs
from .casino import CasinoBoard
from .generic import GameBoard, HandGroup, Pile, SeatBox
from .go_fish import GoFishBoard
from .one_fish import OneFishBoard
from .salmon import SalmonBoard
from .table import Board, table_lines
from .words import NotUnderstood, find_seat

BOARDS: Mapping[str, type[GameBoard]] = {
    "go-fish": GoFishBoard,
    "one-fish": OneFishBoard,
    "casino": CasinoBoard,
    "discount-salmon": SalmonBoard,
}


def board_of(rules: AnyRules, names: Sequence[str], me: int, glyphs: Glyphs) -> GameBoard:
    """The board for a game, as the player of seat ``me`` sees it."""
    return BOARDS.get(rules.info.id, GameBoard)(rules, names, me, glyphs)


__all__ = [
    "BOARDS", "Board", "GameBoard", "HandGroup", "NotUnderstood", "Pile", "SeatBox", "board_of", "find_seat",
    "table_lines",
]  # fmt: skip
