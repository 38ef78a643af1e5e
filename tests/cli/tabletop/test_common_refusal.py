"""A screen that everybody looks at refuses what is not possible without telling what is in a hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cli.boards import board_of
from cli.presenter import Presenter
from cli.tabletop.base import EVERYBODY
from cli.tabletop.fronts import CommonTable
from cli.tabletop.kept import Kept
from cli.text import Glyphs
from engine.contract import Action, IllegalAction
from p2p.session import YourMove
from p2p.session.deciding import legal_deed
from tests.cli.open_table import OpenTable


class Screen:
    """A console of lines."""

    is_interactive = True
    prompt_is_shown = True
    prompt = ""

    def __init__(self) -> None:
        self.shown: list[str] = []

    def write(self, text: str) -> None:
        self.shown.append(text)


class Seat:
    """The table of one player, whose game does not move; the rules refuse as they do in every game."""

    def __init__(self, table: OpenTable) -> None:
        self.session = self
        self.seat = table.me
        self.view = table.view
        self._table = table

    async def act(self, action: Action) -> None:
        with pytest.raises(IllegalAction) as refused:
            legal_deed(self._table.position, self.seat, self.view().hand, action)
        raise refused.value


async def test_why_a_move_is_refused_is_not_told_to_all(tmp_path: Path) -> None:
    table = OpenTable("go-fish", seed=1)
    asked = next(telling for telling, _lines in table.play() if isinstance(telling, YourMove))
    names, glyphs = table.show.names, Glyphs(ascii_only=True)
    rules, screen = table.rules, Screen()
    seats: Any = {table.me: Seat(table)}
    boards = {table.me: board_of(rules, names, table.me, glyphs)}
    show = Presenter(rules, names, EVERYBODY, glyphs)
    common = CommonTable(seats, show, boards, screen, (), Kept(tmp_path / "kept"))  # type: ignore[arg-type]
    common._asked[table.me] = asked.actions
    held = {action.value for action in asked.actions}
    lacking = [rank for rank in "23456789JQKA" if rank not in held]
    for rank in lacking:
        await common.obey(f"ask Ben {rank}")
    assert lacking
    assert set(screen.shown) == {"That is not possible for Ann now; help lists what can be typed."}
    assert len(screen.shown) == len(lacking)
