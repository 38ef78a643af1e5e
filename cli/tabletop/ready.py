"""Whether a table has what its way of playing needs: looked at before anybody else sits down at it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.cards import Deck

from ..console import BareConsole, Console
from ..text import Glyphs
from .options import PRINTED

if TYPE_CHECKING:
    from .desk import Desk

__all__ = ["check_ready"]


def check_ready(
    desk: Desk | None, console: Console, people: Sequence[str], deck: Deck | None, glyphs: Glyphs
) -> None:
    """Raises ``Failure`` where the game could not begin, and writes what makes it hard to play.

    ``people`` play at this screen; ``deck`` is that of the game, ``None`` where it is not known yet.
    """
    if desk is None:
        return
    readers = desk.readers
    if desk.cards == PRINTED and deck is not None:
        from .printed_faces import faces_of

        faces_of(readers.book, deck, glyphs)
    elif desk.cards == "blank":
        from .blank_ready import check_blanks, looking

        check_blanks(readers.book, readers.pads, people)
        if len(people) > 1:
            console.write(looking(readers.pads, can_hide=not isinstance(console, BareConsole)))
