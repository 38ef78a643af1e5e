"""Players met at a table, kept for the next time."""

from __future__ import annotations

import time
from collections.abc import Sequence

from p2p.io.store import Store
from p2p.link import Known, KnownPlayer, Stranger, is_same_name, judge
from p2p.log import Charter
from p2p.session.setup import Roster

from .translation import gettext as _


def remember(store: Store, charter: Charter, me: int) -> None:
    """Keep the people of a table. Bots have new keys each time; a changed key is never taken over
    silently."""
    for number, seat in enumerate(charter.seats):
        if number == me or seat.keeper != number:
            continue
        if isinstance(judge(store.players(), seat.name, seat.public), Stranger):
            store.remember(KnownPlayer(seat.name, seat.public, int(time.time())))


def seats_line(known: Sequence[KnownPlayer], roster: Roster) -> str:
    """Who sits now; with the name that this player gave to somebody, where that is another one."""
    names = []
    for each in roster.taken:
        match judge(known, each.name, each.public):
            case Known(player) if not is_same_name(player.petname, each.name):
                names.append(
                    _("{name} (you call them {petname})").format(name=each.name, petname=player.petname)
                )
            case _:
                names.append(
                    _("{name} (on the host's machine)").format(name=each.name) if each.is_bot else each.name
                )
    return _("At the table, {n} of {of}: {names}").format(
        n=len(roster.taken), of=roster.seats, names=", ".join(names)
    )
