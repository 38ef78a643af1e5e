"""Who is waited for, for how long, and what can be done about it."""

from __future__ import annotations

import time
from collections.abc import Container
from typing import TYPE_CHECKING, Final

from .leaving import Leaving
from .reach import AWAY_AFTER
from .text import Speaker

if TYPE_CHECKING:
    from .plain import Playable

REMEDY: Final = 20.0
"""Seconds after which it is said what can be done about a player who is in reach and does nothing: most moves
take less, and nobody should be talked into impatience. Of one who is out of reach it is said at once."""


class Waited:
    """``here`` are the seats at this machine, who see for themselves that they are waited for."""

    def __init__(self, table: Playable, leaving: Leaving, say: Speaker, here: Container[int]) -> None:
        self._table = table
        self._leaving = leaving
        self._say = say
        self._here = here
        self._same: tuple[tuple[int, ...], list[int], float] = ((), [], 0.0)

    def others(self) -> tuple[tuple[int, ...], float]:
        """Who is waited for, and for how many seconds the very same; who comes back begins anew."""
        others = tuple(seat for seat in self._table.session.awaited if seat not in self._here)
        away = [seat for seat in others if self._is_away(seat)]
        if others != self._same[0] or not set(self._same[1]) <= set(away):
            self._same = others, away, time.monotonic()
        self._same = others, away, self._same[2]
        return others, time.monotonic() - self._same[2]

    def remedy(self) -> list[str]:
        """What can be done about them, once there is something to be done."""
        others, seconds = self.others()
        if not (seconds >= REMEDY or any(map(self._is_away, others))):
            return []
        remedy = self._leaving.remedy(others)
        return [remedy] if remedy else []

    def reminder(self) -> list[str]:
        """Who is waited for, said again after a long silence; nothing where nobody is."""
        others, seconds = self.others()
        missing = self._table.missing
        away = [self._say.away(seat, missing[seat]) for seat in others if seat in missing]
        return away or ([self._say.waited(others, seconds)] if others else [])

    def _is_away(self, seat: int) -> bool:
        return self._table.missing.get(seat, 0.0) >= AWAY_AFTER
