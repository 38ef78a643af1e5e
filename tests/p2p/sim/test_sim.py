"""Simulated tables with faults, and faulty programs that the simulator has to find."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from p2p.log.wire import Chat, encode_message
from p2p.sealed import Group
from p2p.session import Effect, Persist, Send, Session, Timer
from p2p.session.reach import Reach
from p2p.sim import Broken, World, make_departure, make_plan
from p2p.sim.plan import Crash, Sleep
from p2p.sim.seat import Disk

GAMES = ("casino", "discount-salmon", "go-fish", "one-fish")
SEEDS = tomllib.loads(Path(__file__).with_name("seeds.toml").read_text("utf-8"))["seed"]


@pytest.mark.parametrize("name", GAMES)
def test_games_with_faults_end_as_they_should(small: Group, name: str) -> None:
    totals: dict[str, int] = {}
    for seed in range(5):
        world = World(make_plan(seed, [name]), small)
        world.run()
        totals = {key: totals.get(key, 0) + count for key, count in world.counts.items()}
    assert min(totals[key] for key in ("lost", "crashes", "steps")) > 4


@pytest.mark.parametrize("name", GAMES)
def test_games_that_a_player_leaves_for_good(small: Group, name: str) -> None:
    departures = 0
    for seed in range(4):
        world = World(make_departure(seed, [name]), small)
        world.run()
        departures += world.counts["departures"]
    assert departures


@pytest.mark.parametrize("name", GAMES)
def test_two_who_never_reach_each_other_play_by_way_of_the_third(small: Group, name: str) -> None:
    """Also while that one crashes, sleeps and is cut off."""
    frames = 0
    for seed in range(40):
        plan = make_plan(seed, [name])
        if plan.seats < 3 or frames > 3:
            continue
        apart = frozenset(((seed % 3), (seed + 1) % 3))
        world = World(replace(plan, hidden=frozenset((apart,))), small)
        world.run()
        frames += 1
    assert frames


@pytest.mark.parametrize("name", GAMES)
def test_a_disk_that_is_lost_is_rebuilt_from_what_the_others_hold(small: Group, name: str) -> None:
    disks = 0
    for seed in range(200):
        plan = make_plan(seed, [name])
        if disks < 3 and any(crash.is_lost for crash in plan.crashes):
            world = World(plan, small)
            world.run()
            disks += world.counts["disks"]
    assert disks


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_many_games_that_players_leave_for_good(small: Group, name: str) -> None:
    for seed in range(100, 200):
        World(make_departure(seed, [name]), small).run()


def test_a_seat_that_falls_asleep_again_and_again_hears_things_in_order(small: Group) -> None:
    """Else "link up" and "link down" change places, and it waits for ever."""
    world = World(make_departure(7109, GAMES), small)
    world.run()
    assert world.counts["steps"]


@pytest.mark.parametrize("kept", SEEDS, ids=lambda kept: f"{kept['game']}-{kept['seed']}")
def test_seeds_that_once_failed(small: Group, kept: dict[str, Any]) -> None:
    World(make_plan(kept["seed"], [kept["game"]], most_seats=kept["seats"]), small).run()


def test_a_game_with_the_real_group(real: Group) -> None:
    World(make_plan(3, ["go-fish"]), real).run()


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_tables_of_every_size(small: Group, name: str) -> None:
    for seed in range(1000, 1060):
        World(make_plan(seed, [name], most_seats=6), small).run()


def test_one_seed_is_one_course(small: Group) -> None:
    worlds = [World(make_plan(7, GAMES), small) for _ in range(2)]
    for world in worlds:
        world.run()
    assert worlds[0].counts == worlds[1].counts
    assert worlds[0].now == worlds[1].now
    sessions = [seat.session for world in worlds for seat in world.seats if seat.session is not None]
    assert len({session.history.head for session in sessions}) == 1
    assert make_plan(7, GAMES).game in GAMES


def first_failure(small: Group, **faulty: Any) -> str:
    """What is wrong with the first of some seeds that shows anything."""
    for seed in range(60):
        plan = make_plan(seed, ["go-fish"])
        made = {key: dict.fromkeys(range(plan.seats), kind) for key, kind in faulty.items()}
        try:
            World(plan, small, **made).run()
        except Broken as found:
            return str(found)
    return ""


class ForgetfulDisk(Disk):
    """Says that it has synced, and has not."""

    __slots__ = ()

    def write(self, what: Persist) -> None:
        if len(self.entries) % 3:
            super().write(what)


class Talkative(Session):
    """Sends its secret as a line of chat."""

    def start(self, now: float, *stored: Any) -> list[Effect]:
        return [*super().start(now, *stored), Timer(0.5)]

    def tick(self, now: float) -> list[Effect]:
        chat = encode_message(Chat("hello"))
        return [*super().tick(now), Send(None, chat + self._secrets.seed)]


class Silent(Session):
    """Never asks again for what was lost."""

    def tick(self, now: float) -> list[Effect]:
        return [effect for effect in super().tick(now) if not isinstance(effect, Send)]


class Hasty(Session):
    """Signs before it has heard what the others hold of it."""

    def _own_turn(self, now: float) -> list[Effect]:
        self._desk.may_sign = True
        return self._contribute(now)

    def start(self, now: float, *stored: Any) -> list[Effect]:
        return super().start(now)


class Sleepless(Reach):
    """Takes it that this machine never sleeps."""

    def look(self, now: float) -> None:
        pass


class Impatient(Session):
    """Holds the time that its own machine slept against the others."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._reach = Sleepless()


def test_a_program_that_counts_its_own_sleep_as_the_absence_of_others_is_found(small: Group) -> None:
    """One is away for seconds, and the others close their lids: half of the clocks jump by hours."""
    found = 0
    for seed in range(24):
        plan = make_plan(seed, ["go-fish"])
        if plan.seats != 3:
            continue
        plan = replace(
            plan, keepers=(0, 1, 2), cuts=(), hidden=frozenset(), calm=20.0,
            crashes=(Crash(2.0, 0, 0, 12.0),),
            sleeps=(Sleep(5.0, 1, 4.0, True), Sleep(5.0, 2, 4.0, True)),
        )  # fmt: skip
        World(plan, small).run()
        try:
            World(plan, small, sessions=dict.fromkeys(range(3), Impatient)).run()
        except Broken as broken:
            found += "went on without" in str(broken)
    assert found


@pytest.mark.parametrize(
    ("faulty", "shown"),
    [
        ({"disks": ForgetfulDisk}, "old copy"),
        ({"sessions": Talkative}, "seed"),
        ({"sessions": Silent}, "does not end"),
        ({"sessions": Hasty}, ""),
    ],
    ids=["disk", "secret", "silence", "haste"],
)
def test_a_faulty_program_is_found(small: Group, faulty: dict[str, Any], shown: str) -> None:
    found = first_failure(small, **faulty)
    assert found
    assert shown in found
