"""Which seats are out of reach, and for how long, by the clock of a machine that may sleep."""

from __future__ import annotations

import pytest

from p2p.session.reach import ASLEEP, Reach

AWAKE = ASLEEP - 1


def begun(now: float = 100.0) -> Reach:
    reach = Reach()
    reach.start(now, (1, 2))
    reach.begin_step(now)
    return reach


def looked_until(reach: Reach, now: float, end: float) -> None:
    """Looks as a machine that does not sleep."""
    while now < end:
        now = min(end, now + AWAKE)
        reach.look(now)


def test_at_first_nobody_is_there_and_then_whoever_has_a_link() -> None:
    reach = begun()
    assert (reach.linked, reach.unlinked) == ((), frozenset({1, 2}))
    reach.up(100.0, 2)
    reach.up(100.0, 1)
    assert (reach.linked, reach.unlinked) == ((1, 2), frozenset())
    reach.down(130.0, 1)
    reach.down(140.0, 1)  # a second link that ends later makes it no shorter
    assert (reach.linked, reach.unlinked) == ((2,), frozenset({1}))
    assert reach.are_away((1,), 130.0)
    assert not reach.are_away((1,), 129.0)
    assert not reach.are_away((1, 2), 1000.0)


def test_a_step_lasts_from_its_beginning() -> None:
    reach = begun()
    looked_until(reach, 100.0, 160.0)
    assert reach.has_lasted(160.0, 60.0)
    reach.begin_step(160.0)
    assert not reach.has_lasted(160.0, 1.0)


@pytest.mark.parametrize("slept", [ASLEEP + 0.1, 60.0, 86_400.0])
def test_what_passed_while_the_machine_slept_is_nobodys_absence(slept: float) -> None:
    reach = begun()
    looked_until(reach, 100.0, 120.0)
    reach.look(120.0 + slept)
    now = 120.0 + slept
    assert not reach.has_lasted(now, 21.0)
    assert reach.has_lasted(now, 20.0)
    assert reach.are_away((1, 2), now - 20.0)
    assert not reach.are_away((1, 2), now - 21.0)


def test_a_machine_that_is_merely_slow_counts_all_of_it() -> None:
    reach = begun()
    reach.look(100.0 + ASLEEP)
    assert reach.has_lasted(100.0 + ASLEEP, ASLEEP)
    assert reach.are_away((1, 2), 100.0)
