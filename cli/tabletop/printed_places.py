"""Where the cards of each zone lie on a table with a printed deck, and what that place is called. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.table import STOCK, Zone, hand_of
from hardware.pads import POOL, Role, RoleKind, is_same_name

from ..translation import gettext as _
from .base import Setting
from .physical_words import pad_name
from .printed_ledger import OPEN_DRAW

__all__ = ["A_HAND", "Places", "holder"]

A_HAND: Final = 5
"""Tags that a pad has to tell apart in order to show a hand: most games deal five cards. A smaller one is for
tapping, and the cards are held in the hand or lie in a box."""

_POOLED: Final = ("pool", "table")
"""Zones of Casino that lie open in the middle."""

_POND_GAMES: Final = ("go-fish", "one-fish")


def holder(zone: Zone | None) -> int | None:
    """The seat whose hand a zone is, if it is one."""
    kind, _dot, seat = (zone or "").partition(".")
    return int(seat) if kind == "hand" else None


class Places:
    """The places of one table."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._names: dict[Zone, str] = {}
        self.roles: dict[Zone, Role] = {}
        for seat, name in enumerate(setting.names):
            role = self._pad_of(name)
            if role is not None:
                self.roles[hand_of(seat)] = role
        if POOL in setting.pads.roles and setting.rules.info.id == "casino" and self._can_hold(POOL):
            self.roles |= dict.fromkeys(_POOLED, POOL)
        self.lying: Final = frozenset(self.roles.values())
        """The pads on which cards lie, and tell that they do."""

    def _pad_of(self, name: str) -> Role | None:
        for role in self._setting.pads.roles:
            if role.kind is RoleKind.SEAT and is_same_name(role.name, name) and self._can_hold(role):
                return role
        return None

    def _can_hold(self, role: Role) -> bool:
        places = self._setting.pads.places(role)
        return all(self._setting.most_tags.get(place, A_HAND) >= A_HAND for place in places)

    def role(self, zone: Zone | None) -> Role | None:
        """The pad on which the cards of a zone lie, where there is one that can tell."""
        return None if zone is None else self.roles.get(zone)

    def seat_of(self, role: Role | None) -> int | None:
        """The seat whose cards a pad is for, also of somebody who sits elsewhere."""
        if role is None or role.kind is not RoleKind.SEAT:
            return None
        return self._setting.seat_named(role.name)

    def is_local(self, zone: Zone) -> bool:
        """Whether it is the hand of somebody at this table."""
        return holder(zone) in self._setting.local

    def is_box(self, zone: Zone) -> bool:
        """Whether it is the hand of somebody elsewhere, which lies face down."""
        seat = holder(zone)
        return seat is not None and seat not in self._setting.local

    def name(self, zone: Zone | None) -> str:
        """What the place is called in a sentence."""
        if zone is None:
            return _("the pack")
        role = self.role(zone)
        if role is not None and role.kind is RoleKind.SEAT:
            return pad_name(role)
        kind, _dot, seat = zone.partition(".")
        if seat.isdecimal():
            return self._of_seat(zone, kind, self._setting.names[int(seat)])
        return self._in_the_middle(zone)

    def _of_seat(self, zone: Zone, kind: str, who: str) -> str:
        if kind == "hand":
            text = _("{who}'s hand") if self.is_local(zone) else _("{who}'s box")
        else:
            texts: Mapping[str, str] = {
                "books": _("what {who} has laid"),
                "won": _("what {who} has won"),
                "down": _("what {who} has put away, face down"),
            }
            text = texts.get(kind, _("the cards before {who}"))
        return text.format(who=who)

    def _in_the_middle(self, zone: Zone) -> str:
        if zone == STOCK:
            match self._setting.rules.info.id:
                case game if game in _POND_GAMES:
                    return _("the pond")
                case "casino":
                    return _("the deck")
                case _:
                    return _("the pack")
        texts = {
            OPEN_DRAW: _("the middle"),
            "pool": _("the pool"),
            "pile": _("the cards out of play"),
            "table": _("the middle"),
            "lake": _("the lake"),
            "fish": _("the middle"),
            "stack": _("the fish in the middle"),
            "discard": _("the discards"),
            "gone": _("the fish that are gone"),
            "pile.A": _("pile A"),
            "pile.B": _("pile B"),
        }
        board = self._setting.boards[self._setting.local[0]]
        return texts.get(zone) or board.zone_name(zone)
