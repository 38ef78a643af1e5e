"""What becomes of the record of a watched game whose file cannot be written, and what is said of others."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cli.commands.watch import _write
from cli.errors import STORAGE, Failure
from cli.files import kept_game, write_bytes
from cli.folders import Folders
from p2p.sealed.testgroup import SmallGroup
from tests.p2p.harness import SHORT, Ring


def watched(has_begun: bool = True) -> Any:
    charter = Ring(SmallGroup(), 2, options=SHORT).charter
    verifier = SimpleNamespace(history=SimpleNamespace(charter=charter))
    return SimpleNamespace(has_begun=has_begun, record=lambda: b"the record", verifier=verifier)


def no_file(folder: Path) -> Path:
    """A path at which nothing can be written, for root neither."""
    (folder / "file").write_bytes(b"")
    return folder / "file" / "game.shoal"


def test_a_watched_game_is_written_elsewhere_and_nothing_is_said_to_be_kept(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    with pytest.raises(Failure, match="cannot be written") as raised:
        _write(Folders(home), no_file(tmp_path), watched())
    (path,) = (home / "records").iterdir()
    assert path.read_bytes() == b"the record"
    assert raised.value.hint == f"What was seen of the game was written to {path} instead."
    assert raised.value.code == STORAGE


def test_what_is_lost_is_said_to_be_lost(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "records").write_bytes(b"in the way")
    with pytest.raises(Failure) as raised:
        _write(Folders(home), no_file(tmp_path), watched())
    assert "is lost" in raised.value.hint
    assert "kept nowhere else" in raised.value.hint


def test_without_a_game_or_a_file_nothing_is_written(tmp_path: Path) -> None:
    _write(Folders(tmp_path), tmp_path / "game.shoal", watched(has_begun=False))
    _write(Folders(tmp_path), None, watched())
    assert list(tmp_path.iterdir()) == []


def test_the_next_step_is_one_that_works(tmp_path: Path) -> None:
    with pytest.raises(Failure) as raised:
        write_bytes(no_file(tmp_path), b"tags")
    assert raised.value.hint == "Name another file."
    assert "export 3fa2c81d FILE" in kept_game("3fa2c81d")
    assert "ID" not in kept_game("3fa2c81d").split()
