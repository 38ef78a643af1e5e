"""What the players of a table are told of those who may watch it."""

from __future__ import annotations

from p2p.log import ACQUAINTED, ANYBODY, Charter
from p2p.session.setup import Roster

from ..program import call_here
from ..translation import gettext as _


def about_watching(table: Charter | Roster) -> str:
    """Who may watch this game, by its charter or by what the host says of its table."""
    if table.watchers == ANYBODY:
        text = _("Everybody on the network may watch this game and sees what all see: {command}")
    elif table.watchers == ACQUAINTED:
        text = _("Those whom a player has met may watch this game and see what all see: {command}")
    else:
        return _("Nobody may watch this game.")
    return text.format(command=call_here("watch"))
