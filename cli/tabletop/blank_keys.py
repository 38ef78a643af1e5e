"""One's own blanks as keys: the controller, with what it says on a common screen kept free of faces. Pure."""

from __future__ import annotations

from engine.contract import Action

from ..translation import gettext as _
from .base import Output, Outputs, Setting, Touch
from .controller import Controller
from .scripts import Card, Tap

__all__ = ["BlankKeys"]


class BlankKeys(Controller):
    """A controller whose cards are blanks: on a screen that all look at, they are called by their numbers."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self._numbers: dict[str, str] = {}
        self._owner: int | None = None
        self._is_blank = False

    @property
    def asked_seats(self) -> tuple[int, ...]:
        """The seats at this table that have something to decide."""
        return tuple(self._entries)

    def touched_blank(self, now: float, touch: Touch, owner: int, number: str) -> Outputs:
        """A blank was tapped that stands for the card that ``touch`` has for its tag, in the hand of
        ``owner`` (below 0: open to all)."""
        assert touch.tag is not None
        self._numbers[touch.tag.name] = number
        self._owner = owner if owner >= 0 else None
        self._is_blank = True
        try:
            return self.touched(now, touch)
        finally:
            self._owner, self._is_blank = None, False

    def forget(self, seat: int) -> None:
        """What this seat has tapped so far is forgotten, without a word."""
        entry = self._entries.get(seat)
        if entry is not None:
            entry.clear()

    def _seat_of(self, touch: Touch) -> int | None:
        return self._owner if self._owner is not None else super()._seat_of(touch)

    def _spoken(self, tap: Tap) -> str:
        if isinstance(tap, Card) and self.setting.is_common and tap.text in self._numbers:
            return self._numbers[tap.text]
        return super()._spoken(tap)

    def _named(self, action: Action | None) -> str:
        if action is not None and action.cards and self.setting.is_common:
            return " ".join(self._numbers.get(card, "?") for card in action.cards)
        return super()._named(action)

    def _no(self, seat: int, text: str) -> list[Output]:
        if self._is_blank and self.setting.is_common:
            text = _("That is not possible with this blank.")
        return super()._no(seat, text)
