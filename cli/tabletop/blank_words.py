"""What blanks and the pads of their players are called. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from hardware.pads import Pads, Role, RoleKind, is_same_name
from hardware.pads import seat as seat_role
from hardware.uids import Uid

from ..text import joined
from ..translation import ngettext
from .physical_words import pad_name

__all__ = ["NamedBlanks", "role_of"]


class NamedBlanks:
    """Blanks by the numbers printed on them, which says nothing of their faces, so that anybody may hear it.

    ``face`` adds them, where a single player reads the screen.
    """

    def __init__(self, numbers: Mapping[Uid, str], face: Callable[[Uid], str] | None = None) -> None:
        self._numbers = numbers
        self._face = face

    def tags(self, uids: Sequence[Uid]) -> str:
        """See `physical_words.Naming`."""
        listed = joined([self._named(uid) for uid in uids])
        return ngettext("blank {numbers}", "blanks {numbers}", len(uids)).format(numbers=listed)

    def _named(self, uid: Uid) -> str:
        face = self._face(uid) if self._face else ""
        return f"{self._numbers[uid]} ({face})" if face else self._numbers[uid]

    def few(self, role: Role, count: int) -> str:
        """See `physical_words.Naming`."""
        if role.kind is not RoleKind.SEAT:
            return ngettext(
                "For the card that lies open: put a free blank on {pad}.",
                "For the cards that lie open: put {n} free blanks on {pad}.",
                count,
            ).format(pad=pad_name(role), n=count)
        return ngettext(
            "{who}: take a free blank and put it on your pad.",
            "{who}: take {n} free blanks and put them on your pad.",
            count,
        ).format(who=role.name, n=count)


def role_of(pads: Pads, name: str) -> Role:
    """The pad of a player, as the table's file spells the name."""
    return next(
        (role for role in pads.roles if role.kind is RoleKind.SEAT and is_same_name(role.name, name)),
        seat_role(name),
    )
