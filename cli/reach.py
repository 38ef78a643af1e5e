"""Lines about who is there: links that break and come back, pauses, players who left and those who watch.

Each is told once, until it changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from .story import Line
from .text import Speaker, printable
from .translation import gettext as _

AWAY_AFTER: Final = 2.0
"""Seconds a link may be gone before it is worth a line: a peer that restarts its program is back sooner."""

LONGEST_NAME: Final = 64
"""Characters of a spectator's name that are shown: our programs allow 32, others may send up to 128 bytes."""


class Reach:
    """``gone`` are the seats that have left the game for good."""

    def __init__(self, say: Speaker, names: Sequence[str]) -> None:
        self.gone: Final[set[int]] = set()
        self._say = say
        self._names = names
        self._away: dict[int, bool] = {}
        self._paused: set[int] = set()
        self._cut: set[int] = set()
        self._watching: dict[int, tuple[str, ...]] = {}

    def is_away(self, seat: int) -> bool:
        """Whether it was told that a seat is out of reach, or has paused."""
        return self._away.get(seat, False) or seat in self._paused

    @property
    def missed(self) -> list[int]:
        """The seats that have been out of reach and are, or pause."""
        return [seat for seat, is_away in self._away.items() if is_away or seat in self._paused]

    def notice(self, missing: Mapping[int, float], is_my_move: bool) -> list[Line]:
        """Lines for links that broke or came back; ``missing`` gives seconds by seat."""
        lines: list[Line] = []
        for seat in range(len(self._names)):
            if seat in self.gone:
                continue
            seconds = missing.get(seat)
            told = self._away.get(seat, False)
            if seconds is not None and seat in self._paused:
                self._paused.discard(seat)  # that the game waits for this player has been told
                self._away[seat] = True
            elif seconds is None and told:
                self._away[seat] = False
                lines.append(Line(self._say.back(seat), "note"))
            elif seconds is not None and seconds >= AWAY_AFTER and not told:
                self._away[seat] = True
                self._watching.pop(seat, None)  # they are gone with that program, and may ask another one
                lines.append(Line(self._say.away(seat, seconds, is_my_move), "warning"))
        return lines

    def played(self, seat: int) -> None:
        """A seat's program has taken part again."""
        self._paused.discard(seat)
        self._cut.discard(seat)

    def pauses(self, seat: int) -> list[Line]:
        """A player has paused."""
        if self._away.get(seat):
            return []
        self._paused.add(seat)
        return [Line(self._say.paused(seat), "warning")]

    def leave(self, seats: Sequence[int]) -> None:
        """Seats have left for good: nothing waits for them any more, in reach or not."""
        self.gone.update(seats)
        for seat in seats:
            self._away.pop(seat, None)
            self._paused.discard(seat)

    def cut(self, seat: int) -> list[Line]:
        """A link was cut. Told once until that seat has played again: its program may come back and do the
        same."""
        if seat in self._cut:
            return []
        self._cut.add(seat)
        text = _("{name}'s program sent something that is no message of this game; the link was cut.")
        return [Line(text.format(name=self._names[seat]), "warning")]

    def watched(self, seat: int, names: Sequence[str]) -> list[Line]:
        """Who began to watch, or stopped; asking another player's program is neither."""
        before = Counter(self.watching)
        self._watching[seat] = tuple(printable(name, LONGEST_NAME) for name in names)
        now = Counter(self.watching)
        lines = [
            _("{name} watches, and sees what everybody sees.").format(name=name) for name in now - before
        ]
        lines += [_("{name} watches no more.").format(name=name) for name in before - now]
        return [Line(text, "note") for text in lines]

    @property
    def watching(self) -> tuple[str, ...]:
        """Those who watch, at whichever seat."""
        return tuple(name for seat in sorted(self._watching) for name in self._watching[seat])
