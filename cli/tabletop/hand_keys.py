"""Cards in the players' own hands as keys: the controller, told in whose hand each of them is. Pure."""

from __future__ import annotations

from .base import Setting, Touch
from .controller import Controller
from .controller_voice import Voice


class HandKeys(Controller):
    """What `blank_keys` and `printed_keys` have in common. ``_owner`` is whose card is being tapped, where it
    is in a hand."""

    def __init__(self, setting: Setting, voice: Voice) -> None:
        super().__init__(setting, voice)
        self._owner: int | None = None

    @property
    def asked_seats(self) -> tuple[int, ...]:
        """The seats at this table that have something to decide."""
        return tuple(self._entries)

    @property
    def has_begun(self) -> bool:
        """Whether somebody has tapped a part of a decision."""
        return any(entry.is_begun for entry in self._entries.values())

    def forget(self, seat: int) -> None:
        """What this seat has tapped so far is forgotten, without a word."""
        entry = self._entries.get(seat)
        if entry is not None:
            entry.clear()

    def _seat_of(self, touch: Touch) -> int | None:
        return self._owner if self._owner is not None else super()._seat_of(touch)
