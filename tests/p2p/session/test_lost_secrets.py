"""A seat whose secrets of the game are lost, and whose identity is not: it leaves by its own word, and
nothing else is ever made for it. The others go on, or end the game, as after any farewell."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from p2p.deal import FAREWELL, Close
from p2p.sealed import Group
from p2p.session import Left, Session
from tests.p2p.harness import SHORT, Ring
from tests.p2p.session.test_departure import check_end
from tests.p2p.session.test_recovery import GAMES, length, recovering, until_lost


def without_secrets(rebuilds: bool, *args: Any, **more: Any) -> Session:
    """A session like any other, but for the seat's root."""
    charter, rules, group, seat, identity, _root, entropy = args
    return Session(charter, rules, group, seat, identity, None, entropy, rebuilds=rebuilds, **more)


def come_back(ring: Ring, seat: int, rebuilds: bool = False) -> set[tuple[int, int]]:
    """The program of ``seat`` again, with its key and without its secrets; where it had contributed before,
    as (epoch, step)."""
    known = {(each.epoch, each.step) for each in ring.stored[seat] if each.seat == seat}
    if rebuilds:
        sent = {(epoch, step) for author, epoch, step in ring.own_bodies() if author == seat}
        known &= sent
        ring.stored[seat].clear()
        ring.statements[seat].clear()
    ring.committed[seat] = None
    ring.crash = lambda _seat, _persist: False
    ring.makers[seat] = partial(without_secrets, rebuilds)
    ring.cut.discard(seat)
    ring.restart(seat)
    return known


def is_over(ring: Ring) -> bool:
    return all(session.is_over for session in ring.sessions)


def bodies_since(ring: Ring, seat: int, known: set[tuple[int, int]]) -> list[bytes]:
    """What ``seat`` has contributed besides what it had before."""
    return [
        body
        for (author, epoch, step), bodies in ring.own_bodies().items()
        for body in bodies
        if author == seat and (epoch, step) not in known
    ]


@pytest.mark.parametrize("rebuilds", [False, True], ids=["secrets", "store"])
@pytest.mark.parametrize(
    "name", [GAMES[0], *(pytest.param(name, marks=pytest.mark.slow) for name in GAMES[1:])]
)
def test_the_others_play_on_in_every_game(small: Group, name: str, rebuilds: bool) -> None:
    count = length(name, 4)
    left = 0
    for part in (2, 3, 4):
        victim = part % 4
        ring = recovering(small, 4, name)
        if not until_lost(ring, victim, count * part // 6):
            continue
        known = come_back(ring, victim, rebuilds)
        assert ring.run_clock(partial(is_over, ring), 6000)
        check_end(ring, (victim,), None)
        told = [what for what in ring.told[(victim + 1) % 4] if isinstance(what, Left)]
        assert [(what.seats, what.farewell, what.by) for what in told] == [((victim,), (victim,), ())]
        assert bodies_since(ring, victim, known) == [FAREWELL]
        assert ring.sessions[victim].view().hand == {}, "it sees what the public sees"
        left += 1
    assert left


def test_of_two_players_the_other_is_told_and_the_game_ends(small: Group) -> None:
    ring = Ring(small, 2, options=SHORT)
    ring.play_until(lambda: ring.sessions[0].history.step >= 8)
    come_back(ring, 1)
    assert ring.run_clock(partial(is_over, ring), 600)
    check_end(ring, (1,))


def test_at_the_close_it_signs_the_result_and_reveals_nothing(small: Group) -> None:
    """The close needs its key alone. What it cannot reveal it does not, and nobody is blamed for that."""
    ring = Ring(small, 3, options=SHORT)
    ring.play_until(lambda: isinstance(ring.sessions[2].history.progress.task, Close))
    known = come_back(ring, 2)
    ring.pump()
    assert ring.run_clock(lambda: all(each.is_closed for each in ring.sessions), 600)
    assert all(session.fault is None for session in ring.sessions)
    assert FAREWELL not in bodies_since(ring, 2, known)
    report = ring.verdict(0)
    assert (report.verdict, report.closed, 2 in report.revealed) == ("sound", True, False)
