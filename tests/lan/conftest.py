"""A network for a test, or one loud line on why there is none."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest

from tests.lan.lan import Lan, lan, obstacle

_obstacle = cache(obstacle)


@pytest.fixture
def network(tmp_path: Path) -> Iterator[Callable[[int], Lan]]:
    """Makes a network of so many hosts, and takes it down in any case."""
    why = _obstacle()
    if why is not None:
        pytest.skip(f"NO REAL NETWORK WAS TESTED: {why}")
    before = signal.signal(signal.SIGTERM, _interrupt)  # how a time limit ends the tests
    try:
        with ExitStack() as stack:
            yield lambda hosts: stack.enter_context(lan(tmp_path, hosts))
    finally:
        signal.signal(signal.SIGTERM, before)


def _interrupt(number: int, frame: object) -> None:
    raise KeyboardInterrupt
