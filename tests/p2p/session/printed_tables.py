"""Tables with printed cards, for the suites of sessions."""

from __future__ import annotations

from functools import partial
from typing import Any

import msgspec

from engine.contract import IllegalAction
from engine.registry import game
from engine.table import Draw
from p2p.log import (
    encode,
    pack,
)
from p2p.sealed import Group
from p2p.session import (
    Race,
    ScanWanted,
)
from tests.p2p.cheats import Cheater, Lie, Told
from tests.p2p.harness import TINY, Ring

SOME = {**TINY, "suits": "4", "hand_size": "2", "end_mode": "all_books"}


def race(ring: Ring, seat: int, told: Race) -> None:
    """A seat that is told of a race plays something, half of the time."""
    if len(told.actions) > 1 and ring.rng.random() < 0.5:
        try:
            effects = ring.sessions[seat].act(ring.now, ring.rng.choice(told.actions[1:]))
        except IllegalAction:  # its queue is full
            return
        ring.run(seat, effects)


def table(group: Group, seats: int, scanner: int = 0, name: str = "go-fish", **more: Any) -> Ring:
    """A table with a printed deck that has not begun."""
    more.setdefault("play", race)
    return Ring(group, seats, scanner=scanner, rules=game(name), **more)


def finish(ring: Ring) -> None:
    """Play to the end, and see that all agree and a stranger finds nothing to object to."""
    assert ring.run_clock(lambda: all(session.is_over for session in ring.sessions), 50_000)
    assert ring.drops == []
    assert [session.fault for session in ring.sessions] == [None] * len(ring.sessions)
    assert len({session.history.head for session in ring.sessions}) == 1
    assert all(len(bodies) == 1 for bodies in ring.own_bodies().values())
    reports = [ring.verdict(seat) for seat in (0, len(ring.sessions) - 1)]
    assert reports[0] == reports[1]
    assert (reports[0].verdict, reports[0].reason, reports[0].finished) == ("sound", "", True)


def waiting(group: Group, **more: Any) -> Ring:
    """A table that waits for the first scan."""
    ring = table(group, 3, options=SOME, **more)
    ring.on_wanted = lambda seat, what: None
    ring.play()
    assert isinstance(ring.sessions[0].history.progress.task, Draw)
    return ring


def first_cards(ring: Ring) -> list[Any]:
    wanted = next(what for what in ring.told[0] if isinstance(what, ScanWanted))
    return list(ring.pack.tap(wanted))


def lying_table(
    group: Group, liar: int, lie: Lie, name: str = "go-fish", salt: bytes = b"", **more: Any
) -> tuple[Ring, Told]:
    told = Told()
    more.setdefault("options", SOME)
    makers = {liar: partial(Cheater, lie, told)}
    return table(group, 3, name=name, makers=makers, salt=salt, **more), told


def asked(giver: Any, task: Any, deed: Any, body: bytes) -> bytes:
    """An ask for a rank that is not held."""
    hand = giver.dealing.own_hand(giver.position, giver.place.seat, giver.secrets)
    ranks = {face[0] for face in hand.values()}
    value = next(rank for rank in giver.dealing.deck.values("rank") if rank not in ranks)
    return pack([encode(msgspec.structs.replace(deed, value=value)), b""])
