"""Chances of hidden cards."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=4096)
def at_least_one(wanted: int, drawn: int, of: int) -> float:
    """The chance that ``drawn`` of ``of`` cards have one of the ``wanted`` (hypergeometric)."""
    none = 1.0
    for n in range(min(drawn, of)):
        none *= max(0.0, 1 - wanted / (of - n))
    return 1 - none
