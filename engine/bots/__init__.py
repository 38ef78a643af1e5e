"""Players made of rules.

Pure functions of what their seat knows, their legal actions, and a stream of chance.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from ..contract import Action, View
from ..rng import Stream
from . import careful, random

Bot: TypeAlias = Callable[[View[Any], Sequence[Action], Stream], Action]
"""Chooses one of the legal actions, of which there is at least one."""

BOTS: Mapping[str, Bot] = {"random": random.choose, "careful": careful.choose}
"""The bots by name, weakest first."""


class UnknownBot(ValueError):
    """No bot has that name. The message is one sentence for a player."""


def bot(name: str) -> Bot:
    """The bot of that name. Raises ``UnknownBot``."""
    if name not in BOTS:
        raise UnknownBot(f"There is no bot of that name; there are {', '.join(BOTS)}.")
    return BOTS[name]


def thinking_time(legal: Sequence[Action], rng: Stream) -> float:
    """Seconds a bot should seem to think, so that people can follow: less where there is little to choose.

    Depends on the number of legal actions only through three steps, so that it tells nothing exact about a
    hand.
    """
    base = 0.4 if len(legal) <= 1 else 0.8 if len(legal) <= 6 else 1.1
    return base + rng.below(700) / 1000


__all__ = ["BOTS", "Bot", "UnknownBot", "bot", "thinking_time"]
