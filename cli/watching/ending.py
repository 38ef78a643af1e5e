"""What one who has watched a game may do at its end: look on at the next one of the same table."""

from __future__ import annotations

from ..console import Console
from ..ending import EndChoice, Ending, stays
from ..translation import gettext as _
from .front import WatchFront

ON = "on"


async def watch_on(console: Console, front: WatchFront) -> bool:
    """Whether the next game of this table is to be watched. Nobody is asked where nobody can answer."""
    if not stays(console, ""):
        return False
    ending, is_wanted = Ending(console, front), False

    async def go_on(_rest: str) -> bool:
        nonlocal is_wanted
        is_wanted = True
        return True

    about = _("look on at the next game of this table, as soon as it begins")
    ending.add(EndChoice("1", ON, _("watch on"), about), go_on)
    await ending.run()
    return is_wanted
