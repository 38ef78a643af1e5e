"""Practice in a race: bots keep the first flip back until the person is ready, and nobody is hurried."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from cli.bots import BotPlayer, Pace
from cli.plain import PlainTable
from cli.presenter import Presenter
from cli.readiness import Readiness, is_practice_of_race
from cli.text import Glyphs
from engine.contract import Action
from engine.table import Choose
from p2p.session import YourMove
from p2p.session.deciding import Decider
from p2p.session.effects import Tell
from tests.cli.test_bots import Seat
from tests.cli.test_plain import NAMES, RULES, WORDS, Screen
from tests.cli.test_plain import Seat as Table

FLIPS = (Action("flip", value="1"), Action("flip", value="2"))


def charter(keepers: list[int], pace: str = "realtime") -> Any:
    return SimpleNamespace(
        seats=[SimpleNamespace(keeper=keeper) for keeper in keepers], options=(("pace", pace),)
    )


async def until(holds: Any) -> None:
    async with asyncio.timeout(60):
        while not holds():  # noqa: ASYNC110  # what is waited for sets no event
            await asyncio.sleep(0.01)


async def test_a_bot_flips_first_when_the_person_is_ready_and_never_waits_again() -> None:
    ready, seat = Readiness(), Seat()
    asked: list[bool] = []
    ready.on_wait = lambda: asked.append(ready.is_awaited)
    bot = BotPlayer("random", Pace(hurry=True, ready=ready))
    bot._decide = lambda _view, legal, _rng: legal[0]
    put_away = Action("drop", cards=("sun",))
    await bot.hear(seat, YourMove(None, (put_away,)))
    assert seat.acted == [put_away], "only the flip begins a race"
    flipping = asyncio.create_task(bot.hear(seat, YourMove(None, FLIPS)))
    await until(lambda: asked)
    assert seat.acted == [put_away]
    ready.say()
    async with asyncio.timeout(60):
        await flipping
        await bot.hear(seat, YourMove(None, FLIPS))
    assert seat.acted == [put_away, FLIPS[0], FLIPS[0]]
    assert asked == [True]


@pytest.mark.parametrize(
    ("keepers", "pace", "is_one"),
    [([0, 0, 0], "realtime", True), ([0, 1, 0], "realtime", False), ([0, 0], "turns", False)],
)
def test_only_a_race_against_bots_alone_waits(keepers: list[int], pace: str, is_one: bool) -> None:
    assert is_practice_of_race(charter(keepers, pace), 0) is is_one


@pytest.mark.parametrize("line", ["", "ready"])
async def test_enter_or_the_word_says_so_on_plain_lines(line: str) -> None:
    table, ready = Table(), Readiness()
    screen = Screen(["hand", line, None])
    front = PlainTable(table, Presenter(RULES, NAMES, table.me, Glyphs()), screen, WORDS)
    front.keep_waiting(ready)
    waiting = asyncio.create_task(ready.wait(FLIPS))
    await until(lambda: ready.is_awaited)
    assert any("before you are ready" in text for text in screen.shown)
    assert screen.prompt == "Press Enter when you are ready> "
    await front.obey("hand")
    assert not waiting.done()
    await front.obey(line)
    async with asyncio.timeout(60):
        await waiting
    assert screen.prompt == "> "


def asked(is_unhurried: bool) -> tuple[Decider, YourMove]:
    position: Any = SimpleNamespace(choices=lambda _seat, _hand: FLIPS)
    progress: Any = SimpleNamespace(position=position, task=Choose((0,), "flip", limit=10))
    decider = Decider(0, lambda _progress: {}, lambda _progress: None, 3.0, waits=True)
    decider.is_unhurried = is_unhurried
    effects = decider.ask(100.0, progress)
    assert effects is not None
    (move,) = [each.what for each in effects if isinstance(each, Tell)]
    assert isinstance(move, YourMove)
    return decider, move


def test_a_limit_of_the_rules_ends_no_decision_of_a_seat_that_takes_its_time() -> None:
    hurried, move = asked(is_unhurried=False)
    assert (move.seconds, hurried.answer_at) == (10.0, 110.0)
    calm, move = asked(is_unhurried=True)
    assert (move.seconds, calm.answer_at) == (None, None)
    assert not calm.is_due(10_000.0)
