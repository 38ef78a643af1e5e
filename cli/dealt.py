"""How the cards of a table are dealt, against how they are held here."""

from __future__ import annotations

from gettext import gettext as _
from typing import Final

from p2p.log import Charter

from .errors import Failure

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
