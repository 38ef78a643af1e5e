"""One's own blanks as keys: the controller, with what it says on a common screen kept free of faces. Pure."""

from __future__ import annotations

from engine.contract import Action

from ..translation import gettext as _
from .base import Output, Outputs, Setting, Touch
from .controller_voice import Voice
from .hand_keys import HandKeys
from .scripts import Card, Tap

__all__ = ["BlankKeys"]


class _BlankVoice(Voice):
    """On a screen that all look at, cards are called by the numbers of their blanks."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self.numbers: dict[str, str] = {}
        self.is_blank = False

    def no(self, seat: int, text: str) -> list[Output]:
        if self.is_blank and self._setting.is_common:
            text = _("That is not possible with this blank.")
        return super().no(seat, text)

    def named(self, action: Action) -> str:
        if action.cards and self._setting.is_common:
            return " ".join(self.numbers.get(card, "?") for card in action.cards)
        return super().named(action)

    def _spoken(self, tap: Tap) -> str:
        if isinstance(tap, Card) and self._setting.is_common and tap.text in self.numbers:
            return self.numbers[tap.text]
        return super()._spoken(tap)


class BlankKeys(HandKeys):
    """A controller whose cards are blanks."""

    def __init__(self, setting: Setting) -> None:
        self._blanks = _BlankVoice(setting)
        super().__init__(setting, self._blanks)

    def touched_blank(self, now: float, touch: Touch, owner: int, number: str) -> Outputs:
        """A blank was tapped that stands for the card that ``touch`` has for its tag, in the hand of
        ``owner`` (below 0: open to all)."""
        assert touch.tag is not None
        self._blanks.numbers[touch.tag.name] = number
        self._owner = owner if owner >= 0 else None
        self._blanks.is_blank = True
        try:
            return self.touched(now, touch)
        finally:
            self._owner, self._blanks.is_blank = None, False
