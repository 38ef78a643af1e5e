"""A laptop that is suspended in the middle of a game, and wakes before its time is up."""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path

import pytest

from engine.registry import game
from p2p.io.sodium import load_group
from p2p.verify import verify
from tests.e2e.players import GAME, table_of_three

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
