"""All players stop in the middle of a game, and go on another day: with other clocks, and at other ports."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from engine.registry import game
from p2p.io.sodium import load_group
from p2p.verify import verify
from tests.e2e.players import ROOT, Running, shoal, table_of_three

pytestmark = [pytest.mark.slow, pytest.mark.network]

DAY = 24 * 3600

CLOCK = """
import time
_real, _real_ns = time.time, time.time_ns
time.time = lambda: _real() + {ahead}
time.time_ns = lambda: _real_ns() + {ahead} * 10**9
"""
"""What Python runs first: the clock of the wall as it is then. The steady clock goes on."""


def clock(folder: Path, ahead: int) -> str:
    """The ``PYTHONPATH`` of a program whose clock is ``ahead`` by so many seconds."""
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(CLOCK.format(ahead=ahead))
    return os.pathsep.join((str(folder), str(ROOT)))


def test_all_pause_and_go_on_another_day_whatever_their_clocks_say(tmp_path: Path) -> None:
    """One is killed, the other two are told to end; a day later for one, a year earlier for another."""
    with table_of_three(tmp_path) as programs:
        host, ben, cem = programs
        cem.kill()
        for each in (ben, host):
            each.process.terminate()
            assert each.code() == 130, each.output
            assert "The game is paused; nothing is lost." in each.output
        assert re.search(r"go-fish +can go on", shoal(tmp_path / "ann", "games").stdout)
        record = tmp_path / "later.shoal"
        later = [
            Running(tmp_path / "cem", "resume"),
            Running(tmp_path / "ann", "resume", "--record", str(record),
                    PYTHONPATH=clock(tmp_path / "next day", DAY)),
            Running(tmp_path / "ben", "resume", PYTHONPATH=clock(tmp_path / "long ago", -365 * DAY)),
        ]  # fmt: skip
        try:
            assert [each.code() for each in later] == [0, 0, 0], [each.output for each in later]
        finally:
            for each in later:
                each.kill()
    report = verify(record.read_bytes(), game, load_group())
    assert (report.verdict, report.finished, report.left) == ("sound", True, ())
