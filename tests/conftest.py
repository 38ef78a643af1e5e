"""Which whole files are too long for `make test`, which has to stay under five minutes on two cores.

Their tests run with `make test-slow`, and those of them that are marked slow with `make soak`. And what no
test of ours asks for: that an example of Hypothesis is made or tried within a time.
"""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

HERE = Path(__file__).parent

# A shell lets what it runs in the background ignore Ctrl-C, and so would all programs that the tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# On a busy machine an example takes as long as it takes, and the first text of all takes seconds: Hypothesis
# then makes tables of all characters.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

LONG = frozenset(
    {
        "cli/replay/test_terminal.py",
        "cli/tabletop/test_blank_games.py",
        "cli/tabletop/test_every_action.py",
        "cli/tabletop/test_printed_games.py",
        "cli/test_readers.py",
        "cli/test_table_setup.py",
        "cli/test_tags.py",
        "e2e/test_blank_table.py",
        "e2e/test_printed_table.py",
        "e2e/test_tabletop.py",
        "e2e/test_tabletop_wiring.py",
        "fuzz/test_fuzz.py",
        "hardware/readers/test_fuzz.py",
        "p2p/attacks/test_gallery.py",
        "p2p/deal/test_printed_any_body.py",
        "p2p/deal/test_printed_equals_open.py",
        "p2p/session/test_departure.py",
        "p2p/session/test_leaving_setup.py",
        "p2p/session/test_printed.py",
        "p2p/session/test_printed_lies.py",
        "p2p/session/test_printed_scans.py",
        "p2p/session/test_printed_secrets.py",
        "p2p/session/test_recovery.py",
        "p2p/sim/test_sim.py",
    }
)
"""Suites of minutes: pure ones, and those of a table with real cards between programs (`make test-table`)."""

PROGRAMS = frozenset(
    {
        "e2e/test_disk.py",
        "e2e/test_rematch.py",
        "e2e/test_screen.py",
        "lan/test_avahi.py",
        "lan/test_lan.py",
        "p2p/io/test_whereabouts.py",
    }
)
"""Several real programs or machines for minutes: with `make soak`, every night."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of these files."""
    for item in items:
        if not item.path.is_relative_to(HERE):
            continue
        name = item.path.relative_to(HERE).as_posix()
        was_slow = item.get_closest_marker("slow") is not None
        if name in PROGRAMS or (was_slow and name in LONG):
            item.add_marker(pytest.mark.soak)
        elif name in LONG:
            item.add_marker(pytest.mark.slow)
