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

from engine.contract import Event
from engine.registry import game
from p2p.identity import Identity
from p2p.io.lobby import Applicant, Hosting, Offer, join
from p2p.io.node import Node
from p2p.io.sodium import load_group
from p2p.io.store import Store
from p2p.io.table import Broken, Table
from p2p.io.work import WorkPool, keep_loop_even
from p2p.session import Fault, Finished, Happened, Stage, YourMove

from .bots import BotPlayer, Pace

GAME = "go-fish"

FIRST_TURNS = frozenset({"ask", "ready", "flip"})
"""Kinds of the first decision of a game: everything before it is setting up."""

HURRIED = Pace(hurry=True)

RACING = Pace(hurry=False, reaction=0.5)
"""In a race bots that take no time at all would waste all their cards at once."""


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
    started = asyncio.ensure_future(times.has_begun.wait())
    await asyncio.wait([playing, started], return_when=asyncio.FIRST_COMPLETED)
    started.cancel()
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(playing, seconds)


class Times:
    """When the first turn came, how long answers took, and when the plays of a race were seen.

    All times are of the machine's monotonic clock, in seconds; processes on one machine share it.
    """

    def __init__(self, agreed: float, seat: int) -> None:
        self.agreed = agreed
        self.seat = seat
        self.first_turn: float | None = None
        self.has_begun = asyncio.Event()
        self.answers: list[float] = []
        self.plays: dict[int, tuple[float, float, tuple[int, ...]]] = {}
        self.ticks: list[float] = []
        self._asked: float | None = None
        self._step = 0
        self._began: dict[int, float] = {}

    def note(self, telling: object) -> None:
        """One telling, as it comes."""
        now = time.monotonic()
        match telling:
            case Stage(step, kind):
                self._step = step
                self._began = {step: now, step - 1: self._began.get(step - 1, now)}
                if self.first_turn is None and kind in FIRST_TURNS:
                    self.first_turn = now
                    self.has_begun.set()
                if kind == "tick-commit":
                    self.ticks.append(now)
            case YourMove():
                self._asked = now
            case Happened(events):
                self._happened(now, events)

    def _happened(self, now: float, events: tuple[Event, ...]) -> None:
        players = tuple(event.seat for event in events if event.verb == "play")
        if players:  # the step before the last one is that of the commitments
            self.plays[self._step] = (self._began.get(self._step - 1, now), now, players)
        if self._asked is not None and any(event.verb in ("give", "go fish", "none") for event in events):
            self.answers.append(now - self._asked)
            self._asked = None

    def report(self) -> dict[str, Any]:
        """Everything, as JSON can hold it."""
        return {
            "agreed": self.agreed,
            "seat": self.seat,
            "first_turn": self.first_turn,
            "answers": self.answers,
            "plays": {str(step): play for step, play in self.plays.items()},
            "ticks": self.ticks,
        }


async def play_to_end(table: Table, times: Times | None = None, pace: Pace = HURRIED) -> None:
    """Play at random until nothing is owed."""
    bot = BotPlayer("random", pace)
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
                    await bot.hear(table, telling)
    finally:
        await bot.stop()


if __name__ == "__main__":
    report = asyncio.run(_run(Path(sys.argv[1]), sys.argv[2], sys.argv[3:]))
    print(msgspec.json.encode(report).decode())
