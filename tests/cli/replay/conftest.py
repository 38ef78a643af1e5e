"""Real files for the command."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2p.io.sodium import load_group
from tests.cli.replay.records import record


@pytest.fixture(scope="session")
def game_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole game of Go Fish in the real group, with everything revealed."""
    path = tmp_path_factory.mktemp("records") / "game.shoal"
    path.write_bytes(record("go-fish", group=load_group()))
    return path
