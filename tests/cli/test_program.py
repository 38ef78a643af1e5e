"""The commands that are shown are commands that work where they are shown."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
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


WITHOUT_A_FOLDER = frozenset({"", "attack", "completion", "join", "rules", "verify"})
"""First words of commands that do the same in every folder, or that are for somebody else's machine."""


def first_words(source: Path) -> Iterator[tuple[str, str]]:
    """The function and the first word of what is shown to be typed, of every use in a module."""
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "call":
            text = ast.unparse(node.args[0]).lstrip("f").strip("'\"")
            yield f"{source.name}:{node.lineno}", text.partition(" ")[0]


def test_a_command_that_uses_the_players_folder_is_shown_with_it() -> None:
    """``call_here`` writes ``--home``; ``call`` is for those that need none."""
    found = [each for source in Path(program.__file__).parent.rglob("*.py") for each in first_words(source)]
    assert len(found) > 10
    kept = {"words", "again", "{name}"}  # not known before the program runs: --help, and what was simulated
    wrong = [
        each
        for each in found
        if each[1] not in WITHOUT_A_FOLDER | kept and "--help" not in each[1] and "program.py" not in each[0]
    ]
    assert wrong == []
