"""Bots at a table: when they think, what they do in a race, and what stops them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from cli.bots import HURRIED, BotPlayer, Pace, run_bot
from engine.bots import UnknownBot
from engine.contract import Action, Event, IllegalAction, Reason
from p2p.session import Finished, Happened, Race, YourMove

WAIT = Action("wait")
PLAYS = (Action("play", cards=("sun",)), Action("play", cards=("lotion",)))
FAST = Pace(reaction=0.02)


LIMIT = 60.0
"""Seconds that anything may take on a busy machine."""


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(LIMIT):
        while not holds():  # noqa: ASYNC110  # a bot has no event for what it has done
            await asyncio.sleep(0.005)


class Seat:
    """A table that notes what is done."""

    def __init__(self) -> None:
        self.tellings: asyncio.Queue = asyncio.Queue()
        self.session = SimpleNamespace(view=lambda: None)
        self.acted: list[Action] = []
        self.refusal: Reason | None = None

    async def act(self, action: Action) -> None:
        if self.refusal is not None:
            raise IllegalAction(self.refusal)
        self.acted.append(action)


def player(pace: Pace, *decisions: Action) -> BotPlayer:
    """A bot whose decisions are given; after the last one it waits."""
    bot = BotPlayer("random", pace)
    left = list(decisions)
    bot._decide = lambda view, legal, rng: left.pop(0) if left else WAIT
    return bot


def race(*actions: Action) -> Race:
    return Race(None, (WAIT, *actions), 0.15)


async def test_a_bot_plays_in_a_race_after_its_reaction_and_again_when_something_changes() -> None:
    seat, bot = Seat(), player(FAST, PLAYS[0], PLAYS[1])
    await bot.hear(seat, race(*PLAYS))
    assert seat.acted == []  # nobody plays the moment a fish is seen
    await until(lambda: seat.acted)
    assert seat.acted == [PLAYS[0]]
    await bot.hear(seat, Happened((Event("play", 1, words=("sun",)),), ()))
    await until(lambda: len(seat.acted) > 1)
    assert seat.acted == list(PLAYS)
    await bot.stop()


async def test_to_wait_is_no_act_and_a_bot_looks_again() -> None:
    seat, bot = Seat(), player(FAST, WAIT, WAIT, PLAYS[0])
    loop = asyncio.get_running_loop()
    began = loop.time()
    await bot.hear(seat, race(*PLAYS))
    await until(lambda: seat.acted)
    assert loop.time() - began >= 2 * HURRIED, "it waited twice"
    assert seat.acted == [PLAYS[0]]
    await bot.stop()


async def test_a_race_that_is_over_is_left_until_the_next_one_is_told() -> None:
    seat, bot = Seat(), player(FAST, PLAYS[0], PLAYS[1], PLAYS[1])
    seat.refusal = Reason("not-your-turn")
    await bot.hear(seat, race(*PLAYS))
    await until(lambda: not bot._possible)
    seat.refusal = None
    await asyncio.sleep(0.1)
    assert seat.acted == []
    await bot.hear(seat, race(*PLAYS))
    await until(lambda: seat.acted)
    assert seat.acted == [PLAYS[1]]
    await bot.stop()


async def test_a_bot_in_a_hurry_decides_at_once() -> None:
    seat, bot = Seat(), player(Pace(hurry=True), PLAYS[0])
    await bot.hear(seat, YourMove(None, PLAYS))
    assert seat.acted == [PLAYS[0]]


async def test_only_an_answer_with_a_time_limit_may_come_too_late() -> None:
    seat, bot = Seat(), player(Pace(hurry=True), *PLAYS)
    seat.refusal = Reason("not-your-turn")
    await bot.hear(seat, YourMove(None, PLAYS, 3.0))
    with pytest.raises(IllegalAction):
        await bot.hear(seat, YourMove(None, PLAYS))


async def test_what_breaks_in_a_race_stops_the_bot() -> None:
    seat, bot = Seat(), player(FAST)

    def broken(view: object, legal: object, rng: object) -> Action:
        raise ZeroDivisionError

    bot._decide = broken
    seat.tellings.put_nowait(race(*PLAYS))
    running = asyncio.create_task(run_bot(seat, bot))
    await until(lambda: bot._race is not None and bot._race.done())
    seat.tellings.put_nowait(race(*PLAYS))
    with pytest.raises(ZeroDivisionError):
        await asyncio.wait_for(running, LIMIT)


async def test_a_bot_ends_with_its_game_and_its_race_with_it() -> None:
    seat, bot = Seat(), player(FAST)
    seat.tellings.put_nowait(race(*PLAYS))
    seat.tellings.put_nowait(Finished())
    await asyncio.wait_for(run_bot(seat, bot), LIMIT)
    assert bot._race is not None
    assert bot._race.cancelled()


def test_an_unknown_level_is_refused_at_once() -> None:
    with pytest.raises(UnknownBot, match="there are random, careful"):
        BotPlayer("brilliant", FAST)
