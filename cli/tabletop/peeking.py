"""A player's own cards on a screen that everybody looks at, for as long as the token asks for them. Pure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hardware.events import Place

from ..translation import gettext as _
from .base import EVERYBODY, Feedback, Kind, Lift, Output, Peek, Say, Setting, Signal, Touch, Trouble

__all__ = ["PEEK", "Peeking", "not_shown"]

PEEK: Final = 10.0
"""Seconds that cards are shown where the reader does not tell when the token is taken away: long enough to
read a hand, and not to forget it."""


class Peeking:
    """Whose cards are shown now, and until when. Mutable.

    ``lines`` says what is shown to a seat; of a screen that keeps what is written on it nothing is asked.
    """

    def __init__(self, setting: Setting, lines: Callable[[int], tuple[str, ...]]) -> None:
        self._setting = setting
        self._lines = lines
        self._place: Place | None = None
        self._told: tuple[str, ...] = ()
        self.seat = EVERYBODY
        self.wake: float | None = None

    def start(self, now: float, touch: Touch, seat: int) -> list[Output]:
        """The token of ``seat`` asks for its cards; tapped again on a reader that cannot tell when it is
        taken away, it asks for them no more."""
        if not self._setting.can_hide:
            return [Say(not_shown()), Signal(touch.place, Feedback.REFUSED)]
        if not touch.stays and self.seat == seat:
            return self.end()
        self.seat, self._place = seat, touch.place
        self.wake = None if touch.stays else now + PEEK
        self._told = self._lines(seat)
        return [Peek(seat, self._told), Signal(touch.place, Feedback.ACCEPTED)]

    def again(self, is_news: bool = False) -> list[Output]:
        """The cards as they are now, where they are shown and have changed; with ``is_news`` in any case."""
        if self.seat == EVERYBODY or (self._lines(self.seat) == self._told and not is_news):
            return []
        self._told = self._lines(self.seat)
        return [Peek(self.seat, self._told)]

    def lifted(self, lift: Lift) -> list[Output]:
        """A token was taken away."""
        is_it = lift.tag is not None and self._setting.seat_of_token(lift.tag) == self.seat != EVERYBODY
        return self.end() if is_it else []

    def troubled(self, trouble: Trouble) -> list[Output]:
        """Where it is not known whether the token still lies there, nothing is shown."""
        is_there = trouble.kind is Kind.UNSURE and trouble.place == self._place
        return self.end() if is_there and self.seat != EVERYBODY else []

    def ticked(self, now: float) -> list[Output]:
        """Time has passed."""
        return self.end() if self.wake is not None and now >= self.wake else []

    def end(self) -> list[Output]:
        """Show nothing any more."""
        seat, self.seat, self.wake, self._place = self.seat, EVERYBODY, None, None
        return [Peek(seat)]


def not_shown() -> str:
    """Why no cards are shown on a screen that keeps what is written on it."""
    return _(
        "Your cards are not shown: what is written on this screen stays there. Start without "
        "--plain, on a terminal that can hide them again."
    )
