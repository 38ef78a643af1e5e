"""Games in which nobody is left: they end at once, signed by nobody, and are finished for everyone who reads
them later."""

from __future__ import annotations

import pytest

from engine.games.go_fish import GoFish
from p2p.sealed import Group
from p2p.session import Finished, GameOver
from p2p.session.history import History
from tests.p2p.harness import SHORT, TINY, Ring


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_game_ends_with_the_only_person_at_the_table(small: Group, seats: int) -> None:
    """All others are bots of the one who goes: nobody is waited for."""
    ring = Ring(small, seats, options=TINY, keepers=(0,) * seats, choose=lambda move, rng: None)
    ring.start()
    ring.pump()
    (awaited,) = ring.sessions[0].awaited
    ring.run(awaited, ring.sessions[awaited].farewell(ring.now))
    ring.pump()
    assert ring.now == 0.0
    check_deserted(ring)


@pytest.mark.parametrize("keepers", [(0, 1), (0, 1, 2), (0, 1, 0, 1)])
def test_all_resign_in_one_step(small: Group, keepers: tuple[int, ...]) -> None:
    """Before the deal, where all owe something."""
    ring = Ring(small, len(keepers), options=TINY, keepers=keepers)
    for seat in set(keepers):
        ring.sessions[seat].farewell(ring.now)
    ring.start()
    ring.pump()
    check_deserted(ring)


@pytest.mark.parametrize("keepers", [(0, 0, 0), (0, 1, 2)])
def test_one_after_the_other(small: Group, keepers: tuple[int, ...]) -> None:
    """Each says farewell at its own moment: only the bots of one table leave it without anybody."""
    ring = Ring(small, 3, options=SHORT, keepers=keepers)
    said: set[int] = set()

    def reached() -> bool:
        for seat in range(3):
            if seat not in said and ring.sessions[0].history.step >= 6 + seat:
                said.add(seat)
                ring.run(seat, ring.sessions[seat].farewell(ring.now))
        return False

    ring.play_until(reached)
    if keepers == (0, 0, 0):
        check_deserted(ring)
        return
    for session in ring.sessions:  # the first farewell ended it, and the others signed that
        assert session.is_over
        assert len(session.history.progress.gone) == 1


def check_deserted(ring: Ring) -> None:
    """Each session is over with one finished record, and whoever reads that or the store finds its end."""
    everybody = set(range(len(ring.sessions)))
    assert len({session.history.head for session in ring.sessions}) == 1
    assert ring.drops == []
    for seat, session in enumerate(ring.sessions):
        assert session.is_over
        assert session.is_closed
        assert session.fault is None
        over, last = ring.told[seat][-2:]
        assert isinstance(over, GameOver)
        assert (over.outcome.reason, over.outcome.winners) == ("left", ())
        assert isinstance(last, Finished)
        report = ring.verdict(seat)
        assert (report.verdict, report.finished, report.reason) == ("sound", True, "")
        assert {each for _, each in report.left} == everybody
        assert (report.confirmed_by, report.awaited) == ((), ())
        stored = History(session.charter, GoFish(), session.history.progress.dealing.group)
        assert stored.restore(session.history.entries) == ({}, {})
        assert stored.head == session.history.head
        assert stored.progress.task is None
