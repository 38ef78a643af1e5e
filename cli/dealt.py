"""Tables that are dealt from a printed deck: what is told of them, and who can scan it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from p2p.log import Charter

from .errors import Failure
from .translation import gettext as _

PRINTED: Final = "printed"


def check_dealing(charter: Charter, seat: int, cards: str | None) -> None:
    """Raises ``Failure`` where a printed deck has nobody to scan it, or a sealed game is given one.

    ``cards`` is how the cards of ``seat`` are held, ``None`` on the screen alone.
    """
    if charter.scanner == seat and cards != PRINTED:
        raise Failure(
            _("This game is dealt from a printed deck, and this machine scans it."),
            _("Go on with --cards printed."),
        )
    if cards == PRINTED and charter.scanner is None:
        raise Failure(
            _("This game is dealt with sealed cards: a printed deck cannot be put into it."),
            _("Go on with --cards screen, controller or blank."),
        )
    if cards == PRINTED and charter.scanner != seat:
        raise Failure(
            _("The printed deck lies at the table of {name}: there is nothing to scan here.").format(
                name=charter.seats[charter.scanner or 0].name
            ),
            _("Go on with --cards screen."),
        )


def trusted(names: Sequence[str], me: int, scanner: int) -> tuple[str, ...]:
    """What has to be trusted where a printed deck is dealt, and what has not. ``me``: below 0 for an
    onlooker."""
    who = names[scanner]
    lines = [
        _(
            "The cards are printed ones on {who}'s table, whose machine scans them: it sees every card. "
            "Trust that table to keep them to itself, and to shuffle and cut as it is told."
        ).format(who=who),
        _(
            "It cannot change a card: each is committed to as it is tapped, and sealed to whoever may see "
            "it. In the end all are opened, and verify checks that none came twice or was swapped, and that "
            "every answer was true."
        ),
    ]
    if 0 <= me != scanner:
        lines.append(_("Your cards lie face down at {who}'s table; here you see them.").format(who=who))
    return tuple(lines)


def cut_line(pile: str, at: int, of: int) -> str:
    """Where a pack is cut, for players who do not sit at it."""
    text = _("{pile}: cut by a number that all have drawn; the top {n} of {of} cards go beneath.")
    return text.format(pile=pile, n=at, of=of)
