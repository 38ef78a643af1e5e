"""Bots at a table: what they decide, and how long they seem to think."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from engine.bots import Bot, bot, thinking_time
from engine.contract import Action, IllegalAction
from engine.rng import Stream
from p2p.session import Fault, Finished, Stale, YourMove

Chooser: TypeAlias = Callable[[YourMove], Awaitable[Action]]
"""Decides for a seat, once it has thought."""


class Seat(Protocol):
    """What a bot needs of ``p2p.io.table.Table``."""

    tellings: asyncio.Queue[Any]

    async def act(self, action: Action) -> None:
        """The seat's decision. Raises ``IllegalAction``."""


def chooser(level: str, hurry: bool) -> Chooser:
    """A bot's decisions; with ``hurry`` it does not take the time that lets people follow. Raises
    ``UnknownBot``."""
    return _Thinker(bot(level), Stream(os.urandom(32)), hurry)


@dataclass(frozen=True, slots=True)
class _Thinker:
    decide: Bot
    rng: Stream
    hurry: bool

    async def __call__(self, move: YourMove) -> Action:
        """The action, after a while."""
        if not self.hurry:
            seconds = thinking_time(move.actions, self.rng)
            await asyncio.sleep(seconds if move.seconds is None else min(seconds, move.seconds / 2))
        return self.decide(move.view, move.actions, self.rng)


async def act_by(table: Seat, choose: Chooser, move: YourMove) -> None:
    """Let a bot make one decision."""
    action = await choose(move)
    try:
        await table.act(action)
    except IllegalAction:
        # Only an answer with a time limit may come too late; the session has given it then.
        if move.seconds is None:
            raise


async def run_bot(table: Seat, choose: Chooser) -> None:
    """Play one seat until its game is over. Raises what stops it."""
    while True:
        telling = await table.tellings.get()
        error = getattr(telling, "error", None)
        if isinstance(error, BaseException):
            raise error
        if isinstance(telling, Finished | Fault | Stale):
            return
        if isinstance(telling, YourMove):
            await act_by(table, choose, telling)
