"""What the players of a table are told of those who may watch it."""

from __future__ import annotations

from p2p.log import ACQUAINTED, ANYBODY, Charter

from ..translation import gettext as _


def about_watching(charter: Charter) -> str:
    """Who may watch this game, by its charter."""
    if charter.watchers == ANYBODY:
        return _("Everybody on the network may watch this game (shoal watch) and sees what all see.")
    if charter.watchers == ACQUAINTED:
        return _("Those whom a player has met may watch this game (shoal watch) and see what all see.")
    return _("Nobody may watch this game.")
