"""A screen that everybody looks at refuses what is not possible without telling what is in a hand, and tells
what happened before what it leads to."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cli.boards import board_of
from cli.presenter import Presenter
from cli.tabletop.base import EVERYBODY
from cli.tabletop.fronts import CommonTable
from cli.tabletop.kept import Kept
from cli.text import Glyphs
from engine.contract import Action, IllegalAction
from engine.table import Slot
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


def common_table(table: OpenTable, seats: Any, screen: Screen, kept: Path) -> CommonTable:
    names, glyphs = table.show.names, Glyphs(ascii_only=True)
    boards = {table.me: board_of(table.rules, names, table.me, glyphs)}
    show = Presenter(table.rules, names, EVERYBODY, glyphs)
    return CommonTable(seats, show, boards, screen, (), Kept(kept))


async def test_why_a_move_is_refused_is_not_told_to_all(tmp_path: Path) -> None:
    table = OpenTable("go-fish", seed=1)
    asked = next(telling for telling, _lines in table.play() if isinstance(telling, YourMove))
    screen = Screen()
    common = common_table(table, {table.me: Seat(table)}, screen, tmp_path / "kept")
    common._asked[table.me] = asked.actions
    held = {action.value for action in asked.actions}
    lacking = [rank for rank in "23456789JQKA" if rank not in held]
    for rank in lacking:
        await common.obey(f"ask Ben {rank}")
    assert lacking
    assert set(screen.shown) == {"That is not possible for Ann now; help lists what can be typed."}
    assert len(screen.shown) == len(lacking)


async def test_a_question_waits_until_what_led_to_it_is_stored_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cli.tabletop.fronts.CATCH_UP", 60.0)

    def seat(number: int, step: int) -> Any:
        session = SimpleNamespace(seat=number, history=SimpleNamespace(step=step))
        return SimpleNamespace(session=session, tellings=asyncio.Queue(), is_at_work=False)

    first, other = seat(0, 6), seat(1, 7)
    common = common_table(OpenTable("go-fish", seed=1), {0: first, 1: other}, Screen(), tmp_path / "kept")
    waiting = asyncio.create_task(common._caught_up(1))

    async def still_waits() -> bool:
        await asyncio.sleep(0.05)
        return not waiting.done()

    assert await still_waits()
    first.session.history.step, first.is_at_work = 7, True
    assert await still_waits()
    first.tellings.put_nowait("what happened")
    first.is_at_work = False
    assert await still_waits()
    first.tellings.get_nowait()
    await waiting


async def test_all_that_happened_is_told_before_anything_is_done_about_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The scanner of printed cards knows all of it at the first word: what is to be moved would come before
    what was played."""
    monkeypatch.setattr("cli.tabletop.fronts.REST", 60.0)
    first = SimpleNamespace(
        session=SimpleNamespace(seat=0, history=SimpleNamespace(step=7)),
        tellings=asyncio.Queue(),
        is_at_work=True,
    )
    common: Any = common_table(OpenTable("go-fish", seed=1), {0: first}, Screen(), tmp_path / "kept")
    done: list[tuple[str, str]] = []
    common._show_to_all = lambda telling: done.append(("shown", telling))
    all_heard = asyncio.Event()

    def hear(_seat: int, telling: str) -> None:
        done.append(("heard", telling))
        if telling == "b":
            all_heard.set()

    common._heard = hear
    listening = asyncio.create_task(common._listen_to_first())
    first.tellings.put_nowait("a")
    await asyncio.sleep(0.02)
    first.tellings.put_nowait("b")
    first.is_at_work = False
    await all_heard.wait()
    assert done == [("shown", "a"), ("shown", "b"), ("heard", "a"), ("heard", "b")]
    listening.cancel()
    await asyncio.gather(listening, return_exceptions=True)


async def test_nobody_who_sits_here_is_waited_for_as_if_far_away(tmp_path: Path) -> None:
    table = OpenTable("go-fish", seed=1)
    asked = next(telling for telling, _lines in table.play() if isinstance(telling, YourMove))
    seat: Any = Seat(table)
    seat.awaited, seat.missing, seat.history = (table.me,), {}, SimpleNamespace(proved=())
    common = common_table(table, {table.me: seat}, Screen(), tmp_path / "kept")
    common._remedy = list
    common._view = table.view
    common._asked[table.me] = asked.actions
    scene = common._scene()
    assert (scene.waiting, scene.waiting_text) == ((), "")
    assert scene.idle == "It is the turn of Ann."
    assert common._waited.others()[0] == ()
    common._desk = SimpleNamespace(to_do=("Ann: Ask somebody.",), tapped=())
    scene = common._scene()
    assert (scene.to_do, scene.idle) == (("Ann: Ask somebody.",), "")
    seat.awaited = (1,)
    assert common._waited.others()[0] == (1,)


async def test_cards_that_are_tapped_while_they_are_dealt_count(tmp_path: Path) -> None:
    table = OpenTable("go-fish", seed=1)
    seat: Any = Seat(table)
    seat.awaited, seat.missing = (), {}
    common = common_table(table, {table.me: seat}, Screen(), tmp_path / "kept")
    common._view = table.view
    pond = table.view().state.table.slots("stock")
    assert pond
    before = common._board()
    tapped = ((pond[0], 1), (pond[1], 2), (pond[2], 1), (Slot("stock", 10_000), 1))
    common._desk = SimpleNamespace(tapped=tapped)
    after = common._board()
    assert [box.cards for box in after.seats] == [
        box.cards + more for box, more in zip(before.seats, (0, 2, 1), strict=True)
    ]
    assert [pile.size for pile in after.piles] == [
        pile.size - (3 if pile.name == "Pond" else 0) for pile in before.piles
    ]
