"""Players who leave a table with printed cards: the game ends cleanly, and the rest of it is judged."""

from __future__ import annotations

from functools import lru_cache
from typing import Any
from unittest import mock

import pytest

from engine.table import Choose
from p2p.deal.printed_giving import PrintedGiver
from p2p.sealed import Group
from p2p.sealed.testgroup import SmallGroup
from p2p.sim.plan import small_pack
from tests.p2p.cheats import at
from tests.p2p.harness import SHORT, Ring
from tests.p2p.session.printed_tables import asked, lying_table, table
from tests.p2p.session.test_departure import check_end, lose, until_gone

GAMES = ("go-fish", "one-fish", "casino", "discount-salmon")
SEATS = 3
SCANNER = 0


def printed(group: Group, name: str, **more: Any) -> Ring:
    options = {**small_pack(name, SEATS), **({"pace": "turns"} if name == "discount-salmon" else {})}
    return table(group, SEATS, SCANNER, name, options=options, **more)


@lru_cache
def length(name: str) -> int:
    ring = printed(SmallGroup(), name)
    ring.start()
    assert ring.run_clock(lambda: all(session.is_over for session in ring.sessions), 3000)
    return ring.sessions[0].history.step


def gone_at(ring: Ring, victim: int, step: int) -> bool:
    """Play until ``victim`` is to contribute to ``step`` or a later one, and end its program there."""
    ring.crash = lambda seat, persist: (
        seat == victim and any(e.seat == seat and e.step >= step for e in persist.entries)
    )
    ring.start()
    assert ring.run_clock(lambda: victim in ring.crashed or all(s.is_over for s in ring.sessions), 3000)
    if victim not in ring.crashed:
        return False
    lose(ring, victim)
    return True


@pytest.mark.slow
@pytest.mark.parametrize("victim", range(SEATS))
@pytest.mark.parametrize("name", GAMES)
def test_whoever_leaves_a_printed_table_ends_its_game(small: Group, name: str, victim: int) -> None:
    """At steps all over the game, the machine's player too: one history, nobody blamed, who left and why; and
    where the machine is still there, all that was said of hidden cards is judged."""
    count, reasons, judged = length(name), [], 0
    for step in range(victim, count, max(1, count // 7)):
        ring = printed(small, name)
        if not gone_at(ring, victim, step):
            continue
        until_gone(ring, victim, seconds=1000)
        check_end(ring, (victim,), None)
        report = ring.verdict((victim + 1) % SEATS)
        reasons.append(report.outcome.reason if report.outcome else "")
        assert report.scanner == SCANNER
        assert victim not in report.revealed
        if victim != SCANNER and report.outcome and step > 0:
            assert SCANNER in report.revealed
            judged += report.checks["judged"]
    assert "left" in reasons
    assert judged > 0 or victim == SCANNER


def test_a_player_resigns_at_a_printed_table(small: Group) -> None:
    ring = printed(small, "go-fish", choose=lambda move, rng: None)
    ring.start()
    ring.pump()
    (awaited,) = ring.sessions[0].awaited
    ring.run(awaited, ring.sessions[awaited].farewell(ring.now))
    until_gone(ring, awaited)
    check_end(ring, (awaited,))


def test_a_lie_before_the_departure_is_found_after_it(small: Group) -> None:
    """The table's machine says nothing about a false ask of its friend. A third player leaves, and the game
    ends: the machine's seed shows the lie all the same."""
    with mock.patch.object(PrintedGiver, "_confirm", return_value=(b"", None)):
        for number in range(20):
            ring, told = lying_table(small, 1, at(Choose, asked, 0), salt=bytes([number]), options=SHORT)
            if gone_at(ring, 2, 20) and told.step is not None:
                break
        assert told.step is not None
        assert ring.run_clock(lambda: bool(ring.faults(0)) or bool(ring.faults(1)), 1000)
    fault = next(iter(ring.faults(1) or ring.faults(0)))
    assert (fault.seat, fault.step) == (1, told.step)
    report = ring.verdict(0)
    assert (report.verdict, report.seat, report.step) == ("cheated", 1, told.step)
    assert report.left
