"""Practice in a race: the first fish is flipped once the only person at the table has read what is there.

The rules know nothing of it. At such a table only bots are waited for, so that nobody is kept waiting: they
keep their first flip back, and no seat is hurried where the rules set a time for its own decisions alone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

from engine.contract import Action
from p2p.log import Charter, keepers

READY: Final = "ready"
"""What Enter says, as a word."""

FLIP: Final = "flip"
"""The decision that begins a race."""


class Readiness:
    """Whether the person has said to be ready. Bots ``wait``; ``on_wait`` is called when one does."""

    def __init__(self) -> None:
        self.on_wait: Callable[[], None] | None = None
        self.is_awaited = False
        self._said = asyncio.Event()

    def say(self) -> None:
        """The person is ready, or plays, or leaves: nobody waits any more."""
        self.is_awaited = False
        self._said.set()

    async def wait(self, actions: Sequence[Action]) -> None:
        """Where ``actions`` are to begin a race, until the person is ready; else no time at all."""
        if self._said.is_set() or actions[0].verb != FLIP:
            return
        self.is_awaited = True
        if self.on_wait is not None:
            self.on_wait()
        await self._said.wait()


def is_practice_of_race(charter: Charter, me: int) -> bool:
    """Whether all at a table are bots of this seat's player, and time runs in the game that they play."""
    return keepers(charter) == (me,) and dict(charter.options).get("pace") == "realtime"
