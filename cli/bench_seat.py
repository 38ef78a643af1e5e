"""One automatic seat in its own process, with the times ``shoal bench`` asks for. Prints one JSON object at
the end.

``python -m cli.bench_seat HOME NAME host SEATS RECORD [GAME [SECONDS]]`` prints its address first;
``python -m cli.bench_seat HOME NAME join ADDRESS [SECONDS]`` sits down there. With SECONDS the game is left
so long after its first turn, and no record is written.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import time
from pathlib import Path
from typing import Any

import msgspec

from engine.contract import Action, Event
from engine.registry import game
from engine.table import Tick
from p2p.identity import Identity
from p2p.io.lobby import Applicant, Hosting, Offer, join
from p2p.io.node import Node
from p2p.io.sodium import load_group
from p2p.io.store import Store
from p2p.io.table import Broken, Table
from p2p.io.work import WorkPool, keep_loop_even
from p2p.session import Fault, Finished, Happened, Session, Stage, YourMove

from .bots import BotPlayer, Pace

GAME = "go-fish"

FIRST_TURNS = frozenset({"ask", "ready", "flip"})
"""Kinds of the first decision of a game: everything before it is setting up."""

LOOK_PAUSE = 500
"""Milliseconds that no tick takes but the first one after a flip."""

SAMPLE = 0.05
"""Seconds between looks at a race: often enough for every tick, and nothing for the machine."""

HURRIED = Pace(hurry=True, reaction=0.0)

RACING = Pace(reaction=2.0)
"""Slow enough that plays come one by one, after the look pause of a flip."""


async def admit_all(_: Applicant) -> bool:
    """Seat everyone."""
    return True


async def _run(home: Path, name: str, arguments: list[str]) -> dict[str, Any]:
    node = await Node.open(Identity(os.urandom(32)), name, host="127.0.0.1")
    group = load_group()
    keep_loop_even()
    is_host, rest = arguments[0] == "host", arguments[3:] if arguments[0] == "host" else arguments[2:]
    try:
        if is_host:
            offer = Offer(rest[0] if rest else GAME, {}, int(arguments[1]))
            hosting = Hosting(node, offer, game(offer.game), admit=admit_all, on_roster=lambda _: None)
            print(node.addresses[0], flush=True)
            agreed = await hosting.gather()
        else:
            agreed = await join(node, [arguments[1]], game, group, on_roster=lambda _: None)
        times = Times(time.monotonic(), agreed.seat)
        seconds = float(rest[-1]) if rest and rest[-1].isdecimal() else None
        store = Store.open(home)
        rules = game(agreed.charter.game)
        async with WorkPool() as pool:
            table = await Table.sit(node, agreed, os.urandom(32), rules, store, pool, group, answer_delay=0.0)
            try:
                await _play(table, times, seconds)
                if is_host and seconds is None:
                    await asyncio.to_thread(Path(arguments[2]).write_bytes, table.record())
            finally:
                await table.close()
        return times.report()
    finally:
        await node.close()


async def _play(table: Table, times: Times, seconds: float | None) -> None:
    """To the end, or for some seconds from the first turn on."""
    if seconds is None:
        await play_to_end(table, times)
        return
    playing = asyncio.ensure_future(play_to_end(table, times, RACING))
    sampling = asyncio.ensure_future(times.sample(table))
    started = asyncio.ensure_future(times.has_begun.wait())
    await asyncio.wait([playing, started], return_when=asyncio.FIRST_COMPLETED)
    started.cancel()
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(playing, seconds)
    sampling.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await sampling


class Times:
    """When the first turn came, how long answers took, when plays of a race were made and seen, and how many
    steps of races took how long.

    All times are of the machine's monotonic clock, in seconds; processes on one machine share it.
    """

    def __init__(self, agreed: float, seat: int) -> None:
        self.agreed = agreed
        self.seat = seat
        self.first_turn: float | None = None
        self.has_begun = asyncio.Event()
        self.answers: list[float] = []
        self.made: list[tuple[float, int]] = []
        self.seen: list[float] = []
        self.race_seconds = 0.0
        self.race_steps = 0
        self._asked: float | None = None
        self._acts: list[tuple[float, tuple[str, ...]]] = []

    def note(self, telling: object) -> None:
        """One telling, as it comes."""
        now = time.monotonic()
        match telling:
            case Stage(_, kind) if self.first_turn is None and kind in FIRST_TURNS:
                self.first_turn = now
                self.has_begun.set()
            case YourMove():
                self._asked = now
            case Happened(events):
                for event in events:
                    self._happened(now, event)

    def acted(self, action: Action) -> None:
        """This seat decides."""
        self._acts.append((time.monotonic(), action.cards))

    def _happened(self, now: float, event: Event) -> None:
        if event.verb == "play":  # the n-th play is the same one at every seat
            acts = [number for number, (_, cards) in enumerate(self._acts) if cards == event.words]
            if event.seat == self.seat and acts:
                self.made.append((self._acts[acts[0]][0], len(self.seen)))
                del self._acts[: acts[0] + 1]
            self.seen.append(now)
        if self._asked is not None and event.verb in ("give", "go fish", "none"):
            self.answers.append(now - self._asked)
            self._asked = None

    async def sample(self, table: Table) -> None:
        """Count the steps of races, look pauses left out, until cancelled."""
        before: tuple[float, int] | None = None
        while True:
            step, now, is_race = table.session.history.step, time.monotonic(), in_race(table)
            if before is not None and is_race:
                self.race_seconds += now - before[0]
                self.race_steps += step - before[1]
            before = (now, step) if is_race else None
            await asyncio.sleep(SAMPLE)

    def report(self) -> dict[str, Any]:
        """Everything, as JSON can hold it."""
        names = ("agreed", "seat", "first_turn", "answers", "made", "seen", "race_seconds", "race_steps")
        return {name: getattr(self, name) for name in names}


def in_race(table: Table) -> bool:
    """Whether a tick is under way that is not the look pause after a flip."""
    task = table.session.history.progress.task
    return isinstance(task, Tick) and task.wait_ms < LOOK_PAUSE


class Timed:
    """A table whose decisions are noted."""

    def __init__(self, table: Table, times: Times) -> None:
        self._table = table
        self._times = times
        self.tellings = table.tellings

    @property
    def session(self) -> Session:
        """The table's session."""
        return self._table.session

    async def act(self, action: Action) -> None:
        """See ``Table.act``. A play in a look pause waits for its end, which says nothing of the table."""
        is_waiting = not in_race(self._table)
        await self._table.act(action)
        if not is_waiting:
            self._times.acted(action)


async def play_to_end(table: Table, times: Times | None = None, pace: Pace = HURRIED) -> None:
    """Play at random until nothing is owed."""
    bot = BotPlayer("random", pace)
    seat = table if times is None else Timed(table, times)
    try:
        while True:
            telling = await table.tellings.get()
            if times is not None:
                times.note(telling)
            match telling:
                case Broken(error):
                    raise error
                case Fault() | Finished():
                    return
                case _:
                    await bot.hear(seat, telling)
    finally:
        await bot.stop()


if __name__ == "__main__":
    report = asyncio.run(_run(Path(sys.argv[1]), sys.argv[2], sys.argv[3:]))
    print(msgspec.json.encode(report).decode())
