"""The controller of several people at one screen, on which a player's own token shows that player's cards.
Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.contract import Action, View
from hardware.tags import Kind as TagKind
from p2p.session import Telling

from ..translation import gettext as _
from .base import EVERYBODY, NOTHING, Lift, Outputs, Say, Setting, Touch, Trouble
from .controller import Controller
from .peeking import PEEK, Peeking, not_shown

__all__ = ["SharedController"]


class SharedController(Controller):
    """See the module's text."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self._peeking = Peeking(setting, self._hand)

    @property
    def wake(self) -> float | None:
        """See ``Mode``."""
        return min((time for time in (super().wake, self._peeking.wake) if time is not None), default=None)

    def opened(self, now: float) -> Outputs:
        """See ``Mode``; how cards are looked at is told before there are any."""
        how = _(
            "To see your cards, lay your own token on your pad; or, when it is your turn or nobody's here, "
            "on a pad for everybody. They are shown until you take it away, or for {n} seconds where the "
            "reader cannot tell."
        ).format(n=round(PEEK))
        return [*super().opened(now), Say(how if self.setting.can_hide else not_shown())]

    def touched(self, now: float, touch: Touch) -> Outputs:
        """See ``Mode``."""
        seat = self._asks_for_cards(touch)
        if seat == EVERYBODY:
            return super().touched(now, touch)
        return NOTHING if self._is_bounce(touch) else self._peeking.start(now, touch, seat)

    def lifted(self, now: float, lift: Lift) -> Outputs:
        """See ``Mode``."""
        return [*super().lifted(now, lift), *self._peeking.lifted(lift)]

    def troubled(self, now: float, trouble: Trouble) -> Outputs:
        """See ``Mode``."""
        return [*super().troubled(now, trouble), *self._peeking.troubled(trouble)]

    def ticked(self, now: float) -> Outputs:
        """See ``Mode``."""
        return [*super().ticked(now), *self._peeking.ticked(now)]

    def asked(
        self, now: float, seat: int, view: View[Any], actions: tuple[Action, ...], seconds: float | None
    ) -> Outputs:
        """See ``Mode``."""
        return [*super().asked(now, seat, view, actions, seconds), *self._peeking.again()]

    def raced(self, now: float, seat: int, view: View[Any], actions: tuple[Action, ...]) -> Outputs:
        """See ``Mode``."""
        outputs = super().raced(now, seat, view, actions)
        self._views[seat] = view
        return [*outputs, *self._peeking.again()]

    def told(self, now: float, seat: int, telling: Telling, view: View[Any]) -> Outputs:
        """See ``Mode``."""
        return [*super().told(now, seat, telling, view), *self._peeking.again()]

    def acted(self, now: float, seat: int, action: Action) -> Outputs:
        """See ``Mode``."""
        return [*super().acted(now, seat, action), *self._peeking.again()]

    def _asks_for_cards(self, touch: Touch) -> int:
        """Whose cards a token asks for; ``EVERYBODY`` where it is a part of somebody's answer. Nobody answers
        with an own token; that of somebody else is an answer wherever it can be one."""
        if touch.tag is None or touch.tag.kind is not TagKind.PLAYER:
            return EVERYBODY
        seat = self.setting.seat_of_token(touch.tag)
        if seat is None or seat not in self.setting.local:
            return EVERYBODY
        owner = self.setting.owner(touch.role)
        if owner is not None:
            return seat if owner == seat else EVERYBODY
        return seat if seat in self._entries or not self._entries else EVERYBODY

    def _hand(self, seat: int) -> tuple[str, ...]:
        """The cards of a seat, and what is possible with them where that is asked."""
        view, entry, name = self._views.get(seat), self._entries.get(seat), self.setting.names[seat]
        if view is None:
            return (f"{name}: " + _("The game has not begun."),)
        board = self.setting.boards[seat]
        lines: Sequence[str] = (board.hand_line(view),)
        if entry is not None and not entry.is_race:
            lines = board.asked(entry.view, entry.actions, None)
        return (f"{name}: {lines[0]}", *lines[1:])
