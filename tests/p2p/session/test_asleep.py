"""A machine that slept, or whose program was stopped, holds that time against nobody."""

from __future__ import annotations

from engine.registry import game
from p2p.log.charter import DEFAULT_GRACE
from p2p.sealed import Group
from p2p.session import Left
from p2p.sim import small_pack
from tests.p2p.harness import Ring

SEATS = 3
DAY = 86_400.0


def waiting_for_one(small: Group) -> Ring:
    """A game of three in which seat 2 is away, and the others wait for it."""
    ring = Ring(small, SEATS, rules=game("go-fish"), options=small_pack("go-fish", SEATS))
    ring.play_until(lambda: ring.sessions[0].history.step >= 4)
    ring.cut.add(2)
    ring.crashed.add(2)
    for seat in (0, 1):
        ring.run(seat, ring.sessions[seat].link_down(ring.now, 2))
    ring.run_clock(lambda: False, DEFAULT_GRACE / 2)
    assert 2 in ring.sessions[0].awaited
    return ring


def left(ring: Ring) -> list[Left]:
    return [told for seat in (0, 1) for told in ring.told[seat] if isinstance(told, Left)]


def test_a_night_with_the_lid_closed_is_no_absence_of_the_others(small: Group) -> None:
    """Both others sleep, on machines whose steady clock runs on meanwhile, and wake before the third does."""
    ring = waiting_for_one(small)
    ring.now += DAY
    ring.run_clock(lambda: False, DEFAULT_GRACE / 4)
    assert not left(ring)
    ring.crashed.discard(2)
    ring.relink(2)
    ring.run_clock(lambda: all(session.is_over for session in ring.sessions))
    assert not left(ring)
    assert all(session.fault is None for session in ring.sessions)


def test_what_was_waited_before_and_after_a_night_counts_together(small: Group) -> None:
    ring = waiting_for_one(small)
    ring.now += DAY
    assert ring.run_clock(lambda: bool(left(ring)), DEFAULT_GRACE / 2 + 20)


def test_who_is_awake_waits_for_the_grace_time_and_no_longer(small: Group) -> None:
    ring = waiting_for_one(small)
    assert not ring.run_clock(lambda: bool(left(ring)), DEFAULT_GRACE / 2 - 20)
    assert ring.run_clock(lambda: bool(left(ring)), 40)
