"""What the tests of real programs start, and end again."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.e2e.program import Program
from tests.e2e.screen_player import ScreenPlayer, Start


@pytest.fixture
def start_at() -> Iterator[Start]:
    """Start the program on a screen, with a home of its own as the first argument."""
    with contextlib.ExitStack() as opened:

        def begin(home: Path, *args: str, **more: object) -> ScreenPlayer:
            player = ScreenPlayer(home, *args, **more)
            return opened.enter_context(contextlib.closing(player))

        yield begin


@pytest.fixture
def start(start_at: Start, tmp_path: Path) -> Start:
    """The same in one home."""
    return partial(start_at, tmp_path / "home")


@pytest.fixture
def programs() -> Iterator[list[Program]]:
    """Programs in lines that a test has started; none is left in the end."""
    started: list[Program] = []
    try:
        yield started
    finally:
        for each in started:
            each.stop()
