"""How the controller mode speaks to each player: in words on any screen, and by the lights of pads. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from engine.contract import Action
from hardware.events import Place

from .base import Feedback, Output, Say, Setting, Signal
from .scripts import Card, Tap, Token, Word


class Voice:
    """``places`` has where each seat tapped last: there it gets its light."""

    def __init__(self, setting: Setting) -> None:
        self.places: dict[int, Place] = {}
        self._setting = setting

    def say(self, seat: int, text: str) -> Say:
        """A sentence for one player, on whatever screen there is; it must not name hidden cards."""
        if self._setting.is_common:
            return Say(f"{self._setting.names[seat]}: {text}")
        return Say(text, seat)

    def no(self, seat: int, text: str) -> list[Output]:
        """Why what a player tapped does nothing."""
        return [self.say(seat, text), *self.light(seat, Feedback.REFUSED)]

    def light(self, seat: int, feedback: Feedback) -> list[Output]:
        """A light where the player tapped last."""
        place = self.places.get(seat)
        return [] if place is None else [Signal(place, feedback)]

    def tapped(self, taps: Sequence[Tap]) -> str:
        """Taps as they are told."""
        return " ".join(self._spoken(tap) for tap in taps)

    def named(self, action: Action) -> str:
        """An action as one would type it."""
        return self._setting.boards[self._setting.local[0]].action(action)

    def _spoken(self, tap: Tap) -> str:
        match tap:
            case Token(seat):
                return self._setting.names[seat]
            case Card(text):
                return self._setting.glyphs.card(text)
            case Word(name):
                return name
