"""The commands that are shown are commands that work where they are shown."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cli import program


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a program in ``.venv/bin``, and nothing on PATH."""
    started = tmp_path / ".venv" / "bin" / "shoal"
    started.parent.mkdir(parents=True)
    started.write_text("#!/bin/sh\n")
    started.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    monkeypatch.setattr("sys.argv", [str(started)])
    return started


def test_a_program_that_is_not_on_the_path_is_named_by_its_own(checkout: Path) -> None:
    assert program.call("resume 04cb53d5") == os.path.join(".venv", "bin", "shoal") + " resume 04cb53d5"


def test_from_elsewhere_the_whole_path_is_needed(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/")
    assert program.call("resume") in (f"{checkout} resume", f"{str(checkout)[1:]} resume")


def test_on_the_path_the_name_is_enough(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(checkout.parent))
    assert program.call("resume") == "shoal resume"


def test_another_program_of_that_name_is_not_taken_for_this_one(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other" / "shoal"
    other.parent.mkdir()
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    monkeypatch.setenv("PATH", str(other.parent))
    assert program.call("games").endswith(os.path.join("bin", "shoal") + " games")


def test_as_a_module(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sys.argv", [str(Path(program.__file__).with_name("__main__.py"))])
    assert program.call("games").endswith(" -m cli games")
