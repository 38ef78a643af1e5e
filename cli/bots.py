"""Bots at a table: what they decide, how long they seem to think, and how fast they play in a race."""

from __future__ import annotations

import asyncio
import contextlib
import os
from dataclasses import dataclass
from typing import Any, Final, Protocol

from engine.bots import bot, thinking_time
from engine.contract import Action, IllegalAction, View
from engine.rng import Stream
from p2p.session import Fault, Finished, Happened, Race, Stale, YourMove

from .options import REACTION
from .readiness import Readiness

HURRIED: Final = 0.3
"""Seconds after which even the fastest bot thinks again where nothing has changed: two ticks of a race."""


class Seen(Protocol):
    """What a bot reads of a session."""

    def view(self) -> View[Any]:
        """What its seat knows now."""


class Seat(Protocol):
    """What a bot needs of ``p2p.io.table.Table``."""

    tellings: asyncio.Queue[Any]

    @property
    def session(self) -> Seen:
        """The session of its seat."""

    async def act(self, action: Action) -> None:
        """The seat's decision. Raises ``IllegalAction``."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast bots are: in a ``hurry`` they take no time that is there for people to follow; ``reaction`` is
    the mean time in seconds until one plays in a race, 0 for at once. ``ready`` is whom they wait for before
    the first race, if for anybody."""

    hurry: bool = False
    reaction: float = REACTION
    ready: Readiness | None = None


class BotPlayer:
    """Plays one seat. ``hear`` it every telling of its table; ``stop`` it in the end."""

    def __init__(self, level: str, pace: Pace) -> None:
        """Raises ``UnknownBot``."""
        self._decide = bot(level)
        self._rng = Stream(os.urandom(32))
        self._pace = pace
        self._race: asyncio.Task[None] | None = None
        self._possible: tuple[Action, ...] = ()
        self._news = asyncio.Event()

    async def hear(self, table: Seat, telling: object) -> None:
        """Decide what ``telling`` asks for, after a while. Raises what stops the race of this bot."""
        if self._race is not None and self._race.done():
            self._race.result()
        match telling:
            case YourMove():
                self._possible = ()
                await self._move(table, telling)
            case Race(_, actions):
                self._possible = actions
                self._news.set()
                if self._race is None:
                    self._race = asyncio.create_task(self._run_race(table))
            case Happened(events) if events:
                self._news.set()
            case _:
                pass

    async def stop(self) -> None:
        """Think no more."""
        if self._race is not None:
            self._race.cancel()
            await asyncio.gather(self._race, return_exceptions=True)

    async def _move(self, table: Seat, move: YourMove) -> None:
        if not self._pace.hurry:
            seconds = thinking_time(move.actions, self._rng)
            await asyncio.sleep(seconds if move.seconds is None else min(seconds, move.seconds / 2))
        if self._pace.ready is not None:
            await self._pace.ready.wait(move.actions)
        try:
            await table.act(self._decide(move.view, move.actions, self._rng))
        except IllegalAction:
            # Only an answer with a time limit may come too late; the session has given it then.
            if move.seconds is None:
                raise

    async def _run_race(self, table: Seat) -> None:
        """Look, think, play, for all races of the game: what changes starts another thought."""
        while True:
            await self._news.wait()
            self._news.clear()
            while self._possible:
                await asyncio.sleep(self._reaction())
                await self._play(table)
                # Where nothing happens, a person looks again, too.
                again = max(HURRIED, 2 * self._pace.reaction)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(again):
                        await self._news.wait()
                self._news.clear()

    async def _play(self, table: Seat) -> None:
        if not self._possible:
            return
        action = self._decide(table.session.view(), self._possible, self._rng)
        if action == self._possible[0]:  # to wait needs no act
            return
        try:
            await table.act(action)
        except IllegalAction:
            self._possible = ()  # the race is over, or goes on with other cards: it is told then

    def _reaction(self) -> float:
        return self._pace.reaction * (600 + self._rng.below(800)) / 1000


async def run_bot(table: Seat, player: BotPlayer) -> None:
    """Play one seat until its game is over. Raises what stops it."""
    try:
        while True:
            telling = await table.tellings.get()
            error = getattr(telling, "error", None)
            if isinstance(error, BaseException):
                raise error
            if isinstance(telling, Finished | Fault | Stale):
                return
            await player.hear(table, telling)
    finally:
        await player.stop()
