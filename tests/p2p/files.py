"""Files of whole games, and the same files with parts of them exchanged."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from engine.registry import game
from p2p.log import Entry, sign_entry, write_game
from p2p.sealed import Group
from p2p.sealed.testgroup import SmallGroup
from p2p.session.history import History
from p2p.verify import Report, verify
from tests.p2p.harness import TINY, Ring

SMALL = SmallGroup()
LITTLE = {"ranks": "3", "hand_size": "2"}


@lru_cache(maxsize=8)
def played(seats: int = 2, reveal: str = "end", **options: str) -> Ring:
    """A whole game; read only."""
    ring = Ring(SMALL, seats, options=options or TINY, reveal=reveal)
    ring.play()
    return ring


def verdict(data: bytes, group: Group = SMALL) -> Report:
    return verify(data, game, group)


def rewritten(ring: Ring, entries: Any = None, **changes: Any) -> bytes:
    """The file of a game with some of it exchanged, every checksum right."""
    history = ring.sessions[0].history
    given = {"head": history.head, "reason": "finished"} | changes
    return write_game(ring.charter, history.entries if entries is None else entries, **given)


def histories(ring: Ring) -> list[History]:
    """A history before each step, folded anew."""
    found = []
    steps = ring.sessions[0].history.steps
    for count in range(len(steps)):
        history = History(ring.charter, ring.rules, SMALL)
        for entries in steps[:count]:
            history.complete(
                {entry.seat: entry for entry in entries}, {e.seat: history.check(e) for e in entries}
            )
        found.append(history)
    return found


def resigned(ring: Ring, history: History, entry: Entry, body: bytes) -> Entry:
    """``body`` signed by the entry's own seat in its place."""
    identity = ring.identities[entry.seat]
    return sign_entry(identity, history.table_id, entry.epoch, entry.step, entry.seat, history.head, body)
