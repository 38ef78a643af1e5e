"""Players made of rules.

Pure functions of what their seat knows, their legal actions, and a stream of chance.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from ..contract import Action, View
from ..message import Message
from ..rng import Stream
from . import careful, random, sharp

Bot: TypeAlias = Callable[[View[Any], Sequence[Action], Stream], Action]
"""Chooses one of the legal actions, of which there is at least one."""

BOTS: Mapping[str, Bot] = {"random": random.choose, "careful": careful.choose, "sharp": sharp.choose}
"""The bots by name, weakest first."""


class UnknownBot(ValueError):
    """No bot has that name. The message is one sentence for a player."""


def bot(name: str) -> Bot:
    """The bot of that name. Raises ``UnknownBot``."""
    if name not in BOTS:
        raise UnknownBot(Message("There is no bot of that name; there are {names}.", names=", ".join(BOTS)))
    return BOTS[name]


def thinking_time(legal: Sequence[Action], rng: Stream) -> float:
    """Seconds a bot should seem to think, so that people can follow; less for an answer than for an ask.

    Depends on nothing but the kind of decision and chance: the number of legal actions would tell how many
    ranks a hand holds.
    """
    shortest = 0.4 if legal[0].cards else 0.8
    return shortest + rng.below(700) / 1000


__all__ = ["BOTS", "Bot", "UnknownBot", "bot", "thinking_time"]
