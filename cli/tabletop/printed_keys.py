"""The printed cards in a player's own hand as keys: the controller, with nothing on the common screen that
would tell what is in a hand. Pure."""

from __future__ import annotations

from engine.contract import Action

from ..translation import gettext as _
from .base import Output as Out
from .base import Outputs, Setting, Touch
from .controller import Controller
from .scripts import Card, Tap, Word

__all__ = ["PrintedKeys"]


class PrintedKeys(Controller):
    """See the module's text."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self._owner: int | None = None
        self._is_hidden = False

    @property
    def asked_seats(self) -> tuple[int, ...]:
        """The seats at this table that have something to decide."""
        return tuple(self._entries)

    @property
    def has_begun(self) -> bool:
        """Whether somebody has tapped a part of a decision."""
        return any(entry.taps or entry.again for entry in self._entries.values())

    def touched_card(self, now: float, touch: Touch, owner: int | None) -> Outputs:
        """A card was tapped that is in the hand of ``owner``, or (``None``) lies open."""
        self._owner, self._is_hidden = owner, owner is not None
        try:
            return self.touched(now, touch)
        finally:
            self._owner, self._is_hidden = None, False

    def forget(self, seat: int) -> None:
        """What this seat has tapped so far is forgotten, without a word."""
        entry = self._entries.get(seat)
        if entry is not None:
            entry.clear()

    def _seat_of(self, touch: Touch) -> int | None:
        return self._owner if self._owner is not None else super()._seat_of(touch)

    def _spoken(self, tap: Tap) -> str:
        return _("a card") if isinstance(tap, Card) else super()._spoken(tap)

    def _named(self, action: Action | None) -> str:
        if action is None or not action.cards:
            return super()._named(action)
        return super()._spoken(Word(action.verb))

    def _no(self, seat: int, text: str) -> list[Out]:
        if self._is_hidden and seat in self._entries:
            text = _("That is not possible with this card.")
        return super()._no(seat, text)
