"""Players met at a table, kept for the next time."""

from __future__ import annotations

import time

from p2p.io.store import Store
from p2p.link import KnownPlayer, Stranger, judge
from p2p.log import Charter


def remember(store: Store, charter: Charter, me: int) -> None:
    """Keep the people of a table. Bots have new keys each time; a changed key is never taken over
    silently."""
    for number, seat in enumerate(charter.seats):
        if number == me or seat.keeper != number:
            continue
        if isinstance(judge(store.players(), seat.name, seat.public), Stranger):
            store.remember(KnownPlayer(seat.name, seat.public, int(time.time())))
