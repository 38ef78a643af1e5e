"""Rings in a race, seats that stop in the middle of it, and what has to hold at the end."""

from __future__ import annotations

from typing import Any

from engine.table import Tick
from p2p.log import (
    Certificate,
)
from p2p.sealed import Group
from p2p.session import Finished, Persist, Race, Session, Stale
from tests.p2p.harness import Ring
from tests.p2p.race import RaceRules

OPTIONS = {"fish": "2", "silence": "5"}


def play_some(ring: Ring, seat: int, race: Race, share: float = 0.35) -> None:
    """Now and then a card, at random."""
    if len(race.actions) > 1 and ring.rng.random() < share:
        ring.run(seat, ring.sessions[seat].act(ring.now, ring.rng.choice(race.actions[1:])))


def racing(group: Group, seats: int, seed: int = 1, **more: Any) -> Ring:
    more = {"options": OPTIONS, "play": play_some} | more
    ring = Ring(group, seats, seed=seed, rules=RaceRules(), **more)
    ring.start()
    return ring


def in_tick(session: Session, number: int, after: int = 1) -> bool:
    """Whether ``session`` is in round ``number`` of a tick, some ticks into a race."""
    progress = session.history.progress
    return (
        isinstance(progress.task, Tick)
        and progress.number == number
        and progress.position.state.ticks >= after
    )


def stop_at(ring: Ring, victim: int, number: int, how: str, after: int = 1) -> None:
    """Let ``victim`` go silent before its commitment (0) or opening (1) leaves it.

    ``killed``: its program ends once the contribution is stored. ``cut``: its links do.
    """
    done: list[int] = []

    def crash(seat: int, persist: Persist) -> bool:
        session = ring.sessions[seat]
        own = any(e.seat == seat and e.step == session.history.step for e in persist.entries)
        if done or seat != victim or not own or not in_tick(session, number, after):
            return False
        done.append(session.history.step)
        if how == "cut":
            ring.cut.add(victim)
        return how == "killed"

    ring.crash = crash
    assert ring.run_clock(lambda: bool(done)), "it never came to that"


def come_back(ring: Ring, victim: int) -> None:
    if victim in ring.crashed:
        ring.restart(victim)
    else:
        ring.relink(victim)


def finish(ring: Ring) -> None:
    assert ring.run_clock(lambda: all(session.is_over for session in ring.sessions), 300)
    check_one_history(ring)


def check_one_history(ring: Ring) -> None:
    """Everyone done with one history and nobody blamed; nothing signed twice; a stranger finds it sound."""
    assert ring.drops == []
    for seat, session in enumerate(ring.sessions):
        assert session.fault is None
        assert isinstance(ring.told[seat][-1], Finished)
        assert not any(isinstance(what, Stale) for what in ring.told[seat])
    assert len({session.history.head for session in ring.sessions}) == 1
    assert len({tuple(session.history.certificates.values()) for session in ring.sessions}) == 1
    assert all(len(bodies) == 1 for bodies in ring.own_bodies().values())
    assert all(len(said) == 1 for said in ring.own_statements().values())
    for seat in range(len(ring.sessions)):
        report = ring.verdict(seat)
        assert (report.verdict, report.finished, report.reason) == ("sound", True, "")
        assert report.outcome == ring.sessions[0].history.progress.outcome


def certificates(ring: Ring, seat: int) -> list[Certificate]:
    return list(ring.sessions[seat].history.certificates.values())
