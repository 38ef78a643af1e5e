"""A laptop that is suspended in the middle of a game, and wakes before its time is up."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from engine.registry import game
from p2p.io.sodium import load_group
from p2p.verify import verify
from tests.e2e.players import GAME, Running, table_of_three

pytestmark = [pytest.mark.slow, pytest.mark.network]

GRACE = 60
"""Seconds that a player may be away at this table."""

ASLEEP = GRACE * 0.6
"""Seconds that one is: more than half of them, and long enough for the others to take it for gone."""


@pytest.mark.skipif(sys.platform == "win32", reason="no program can be stopped and continued there")
@pytest.mark.parametrize("sleeper", [0, 2], ids=["the host", "a guest"])
def test_a_suspended_program_is_missed_and_goes_on_when_it_wakes(tmp_path: Path, sleeper: int) -> None:
    options = (*GAME, "--recovery", "--grace", str(GRACE))
    with table_of_three(tmp_path, options) as programs:
        names = ("Ann", "Ben", "Cem")
        asleep = programs[sleeper]
        awake = [each for each in programs if each is not asleep]
        asleep.process.send_signal(signal.SIGSTOP)
        began = time.monotonic()
        try:
            for each in awake:
                each.until(rf"{names[sleeper]} .*out of reach")
            time.sleep(max(0.0, began + ASLEEP - time.monotonic()))
        finally:
            asleep.process.send_signal(signal.SIGCONT)
        assert [each.code() for each in programs] == [0, 0, 0], [each.output for each in programs]
    assert not any("has left" in each.output for each in programs)
    report = verify((tmp_path / "Ann.shoal").read_bytes(), game, load_group())
    assert (report.verdict, report.finished) == ("sound", True)


SHORT = 10
"""The least grace that a table takes."""

LONG = SHORT * 2.5
"""Seconds with the lid closed: far more than the grace."""


def wake(programs: Sequence[Running]) -> None:
    for each in programs:
        each.process.send_signal(signal.SIGCONT)


@pytest.mark.skipif(sys.platform == "win32", reason="no program can be stopped and continued there")
def test_two_who_sleep_at_once_for_longer_than_the_grace_stay_in_the_game(tmp_path: Path) -> None:
    """Nobody can leave two out; and whoever slept holds that time against nobody."""
    with table_of_three(tmp_path, (*GAME, "--recovery", "--grace", str(SHORT))) as programs:
        host, *guests = programs
        for each in (host, guests[0]):
            each.process.send_signal(signal.SIGSTOP)
        began = time.monotonic()
        try:
            guests[1].until(r"Ann .*out of reach")
            guests[1].until(r"Ben .*out of reach")
            time.sleep(max(0.0, began + LONG - time.monotonic()))
        finally:
            wake((host, guests[0]))
        assert [each.code() for each in programs] == [0, 0, 0], [each.output for each in programs]
    assert not any("has left" in each.output for each in programs)
    report = verify((tmp_path / "Ann.shoal").read_bytes(), game, load_group())
    assert (report.verdict, report.finished) == ("sound", True)


@pytest.mark.skipif(sys.platform == "win32", reason="no program can be stopped and continued there")
def test_one_who_sleeps_for_longer_than_the_grace_wakes_as_one_who_watches(tmp_path: Path) -> None:
    with table_of_three(tmp_path, (*GAME, "--recovery", "--grace", str(SHORT))) as programs:
        host, ben, cem = programs
        cem.process.send_signal(signal.SIGSTOP)
        try:
            for each in (host, ben):
                each.until(r"have signed that nothing came from Cem in time|Cem has left the game")
        finally:
            wake((cem,))
        assert [each.code() for each in programs] == [0, 0, 0], [each.output for each in programs]
    assert "You may watch the rest of the game." in cem.output
    report = verify((tmp_path / "Ann.shoal").read_bytes(), game, load_group())
    assert (report.verdict, report.finished) == ("sound", True)
    assert [report.players[seat] for _step, seat in report.left] == ["Cem"]
