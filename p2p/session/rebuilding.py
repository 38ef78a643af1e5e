"""Who at the table takes back from the others what its store has lost or may lack: told, so that nobody waits
for a word that cannot come, and everybody sees who keeps it from coming."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ..log.wire import Rebuilding, encode_message
from .effects import Effect, Rebuilds, Send, Tell


class RebuildDesk:
    """What one seat says of itself, and hears of others. It changes nothing else, and signs nothing."""

    def __init__(self, seat: int) -> None:
        self._seat = seat
        self._waiting: dict[int, tuple[int, ...]] = {}

    @property
    def waiting(self) -> Mapping[int, tuple[int, ...]]:
        """The seats that sign nothing now since they rebuild, this one too, and for whom each waits."""
        return self._waiting

    def wait_for(self, seats: Collection[int]) -> list[Effect]:
        """This seat waits for these, or (for none) no longer: tell all where that is news."""
        now = tuple(sorted(seats))
        if now == self._waiting.get(self._seat, ()):
            return []
        self._set(self._seat, now)
        return [Send(None, self._frame()), Tell(Rebuilds(self._seat, now))]

    def greet(self, peer: int) -> list[Effect]:
        """A link to ``peer`` is there, which has not heard it yet."""
        return [Send(peer, self._frame())] if self._seat in self._waiting else []

    def hear(self, peer: int, message: Rebuilding, seats: int) -> list[Effect]:
        """What ``peer`` says of itself, at a table of so many seats."""
        now = tuple(seat for seat in message.seats if seat < seats and seat != peer)
        if now == self._waiting.get(peer, ()):
            return []
        self._set(peer, now)
        return [Tell(Rebuilds(peer, now))]

    def lose(self, peer: int) -> list[Effect]:
        """The link to ``peer`` is gone: it may come back with its store whole. Who waits for it is told."""
        waits_for = self._waiting.pop(peer, ())
        return [Tell(Rebuilds(peer, waits_for, is_away=True))] if waits_for else []

    def _set(self, seat: int, waits_for: tuple[int, ...]) -> None:
        self._waiting.pop(seat, None)
        if waits_for:
            self._waiting[seat] = waits_for

    def _frame(self) -> bytes:
        return encode_message(Rebuilding(self._waiting.get(self._seat, ())))
