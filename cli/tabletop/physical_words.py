"""Differences between the pads and the game, put into words with the way to put them right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from hardware.pads import Role, RoleKind
from hardware.uids import Uid

from ..translation import gettext as _
from .physical import Difference, Doubt, Few, Missing, Surplus, Told

__all__ = ["Naming", "news_to_put_right", "pad_name", "put_right", "right_again"]


class Naming(Protocol):
    """What the tags of a table are called by those who may hear it."""

    def tags(self, uids: Sequence[Uid]) -> str:
        """Some tags in a list: ``blanks 17 and 31``, ``the 9♠``."""
        ...

    def few(self, role: Role, count: int) -> str:
        """The sentence that asks for further tags on a pad."""
        ...


def pad_name(role: Role) -> str:
    """What a pad is called in a sentence."""
    match role.kind:
        case RoleKind.SEAT:
            return _("{who}'s pad").format(who=role.name)
        case RoleKind.ASK:
            return _("{who}'s asking pad").format(who=role.name)
        case RoleKind.POND:
            return _("the pond")
        case RoleKind.DISCARD:
            return _("the discard pad")
        case RoleKind.POOL:
            return _("the pool")
        case RoleKind.HUB:
            return _("the hub")


def put_right(differences: Iterable[Difference], naming: Naming) -> tuple[str, ...]:
    """One sentence for each thing to be done; tags that go the same way share one."""
    lines: list[str] = []
    moves: dict[tuple[Role | None, Role | None, bool], list[Uid]] = {}
    few: list[str] = []
    for difference in differences:
        match difference:
            case Doubt(role, overlap):
                lines.append(_doubt(role, overlap))
            case Missing(uid, role, now, was_there):
                moves.setdefault((now, role, was_there), []).append(uid)
            case Surplus(uid, role):
                moves.setdefault((role, None, False), []).append(uid)
            case Few(role, count):
                few.append(naming.few(role, count))
    return (*lines, *(_move(*way, uids, naming) for way, uids in moves.items()), *few)


def news_to_put_right(told: Told, naming: Naming) -> tuple[str, ...]:
    """The same for what was not told before; a sentence that was said stands."""
    old = put_right([each for each in told.differences if each not in told.news], naming)
    return tuple(line for line in put_right(told.differences, naming) if line not in old)


def _move(source: Role | None, to: Role | None, is_back: bool, uids: Sequence[Uid], naming: Naming) -> str:
    what = naming.tags(uids)
    if to is None:
        assert source is not None
        return _("Take {what} off {pad}.").format(what=what, pad=pad_name(source))
    if source is None:
        text = _("Put {what} back on {pad}.") if is_back else _("Put {what} on {pad}.")
        return text.format(what=what, pad=pad_name(to))
    text = (
        _("Move {what} from {source} back to {pad}.") if is_back else _("Move {what} from {source} to {pad}.")
    )
    return text.format(what=what, source=pad_name(source), pad=pad_name(to))


def _doubt(role: Role, overlap: bool) -> str:
    text = (
        _("Nothing certain is read on {pad}: lay the cards there apart.")
        if overlap
        else _("The reader of {pad} is not heard: leave what lies there, and look at its cable.")
    )
    return text.format(pad=pad_name(role))


def right_again() -> str:
    """What is said when a told difference is gone."""
    return _("The table is right again; the game goes on.")
