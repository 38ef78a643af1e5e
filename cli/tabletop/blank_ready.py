"""What a table needs for blanks, and how people see their cards on a screen that they share. Pure."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from hardware.pads import HUB, Pads
from hardware.tags import Book
from hardware.tags import Kind as TagKind

from ..errors import HARDWARE, Failure
from ..program import call_here
from ..translation import gettext as _
from .peeking import not_shown

__all__ = ["check_blanks", "looking"]


def check_blanks(book: Book, pads: Pads, people: Sequence[str]) -> None:
    """Raises ``Failure`` where there are no blanks, two with one number, or a player has no pad."""
    numbers = [tag.name for tag in book.of(TagKind.BLANK)]
    if not numbers:
        raise Failure(
            _("No blanks are enrolled."),
            _("Enroll them: {command}").format(command=call_here("tags enroll --blanks 60")),
            HARDWARE,
        )
    twice = sorted({number for number in numbers if numbers.count(number) > 1})
    if twice:
        text = _("Several blanks have the number {number}.").format(number=twice[0])
        raise Failure(text, _("Give each blank a number of its own."), HARDWARE)
    all_of_them = " ".join(f"--player {shlex.quote(name)}" for name in people)
    for name in people:
        if not pads.seat(name):
            text = _("There is no pad for the cards of {who}.").format(who=name)
            raise Failure(
                text,
                _("Make one: {command}").format(command=call_here(f"table setup {all_of_them}")),
                HARDWARE,
            )


def looking(pads: Pads, *, can_hide: bool) -> str:
    """How people who share a screen see their own cards, or why they cannot."""
    if not can_hide:
        return not_shown()
    if HUB not in pads.roles:
        return _(
            "Nobody can see their cards on this screen: no pad is the hub, on which a token shows them. "
            "Leave the game, and make one: {command}"
        ).format(command=call_here("table setup --role hub"))
    return _("Lay your token on the hub to see your cards.")
