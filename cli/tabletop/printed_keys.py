"""The printed cards in a player's own hand as keys: the controller, with nothing on the common screen that
would tell what is in a hand. Pure."""

from __future__ import annotations

from collections.abc import Container

from engine.contract import Action

from ..translation import gettext as _
from .base import Output as Out
from .base import Outputs, Setting, Touch
from .controller_voice import Voice
from .hand_keys import HandKeys
from .scripts import Card, Tap, Word

__all__ = ["PrintedKeys"]


class _PrintedVoice(Voice):
    """Names no card. ``asked`` has the seats that have something to decide."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self.asked: Container[int] = ()
        self.is_hidden = False

    def no(self, seat: int, text: str) -> list[Out]:
        if self.is_hidden and seat in self.asked:
            text = _("That is not possible with this card.")
        return super().no(seat, text)

    def named(self, action: Action) -> str:
        return super()._spoken(Word(action.verb)) if action.cards else super().named(action)

    def _spoken(self, tap: Tap) -> str:
        return _("a card") if isinstance(tap, Card) else super()._spoken(tap)


class PrintedKeys(HandKeys):
    """A controller whose cards are printed ones."""

    def __init__(self, setting: Setting) -> None:
        self._cards = _PrintedVoice(setting)
        super().__init__(setting, self._cards)
        self._cards.asked = self._entries

    def touched_card(self, now: float, touch: Touch, owner: int | None) -> Outputs:
        """A card was tapped that is in the hand of ``owner``, or (``None``) lies open."""
        self._owner, self._cards.is_hidden = owner, owner is not None
        try:
            return self.touched(now, touch)
        finally:
            self._owner, self._cards.is_hidden = None, False
