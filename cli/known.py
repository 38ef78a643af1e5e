"""Players met at a table, kept for the next time."""

from __future__ import annotations

import time
from collections.abc import Sequence

from p2p.io.store import Store
from p2p.link import ChangedKey, Known, KnownPlayer, Stranger, is_same_name, judge
from p2p.log import Charter
from p2p.session.setup import Roster, Seated

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
    return _("At the table, {n} of {of}: {names}").format(
        n=len(roster.taken),
        of=roster.seats,
        names=", ".join(_seated(known, each) for each in roster.taken),
    )


def _seated(known: Sequence[KnownPlayer], seated: Seated) -> str:
    name = seated.name
    match judge(known, name, seated.public):
        case Known(player) | ChangedKey(player) if seated.is_bot:
            text = _("{name} (on the host's machine, NOT the {petname} you know)")
            return text.format(name=name, petname=player.petname)
        case ChangedKey():
            return _("{name} (ANOTHER KEY than the one you know)").format(name=name)
        case Known(player) if not is_same_name(player.petname, name):
            return _("{name} (you call them {petname})").format(name=name, petname=player.petname)
        case _:
            return _("{name} (on the host's machine)").format(name=name) if seated.is_bot else name
