"""Completion in the shell, through a real bash, and the man pages."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import BashComplete

from cli.language import speaking
from cli.main import shoal
from cli.network import Found
from cli.options import Settings
from p2p.identity import Identity
from p2p.io.store import Store
from p2p.link import KnownPlayer

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = {**os.environ, "SHOAL_LANG": "en"}


def script(shell: str) -> str:
    command = [sys.executable, "-m", "cli", "completion", shell]
    return subprocess.run(
        command, cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True, check=True
    ).stdout


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("shoal pla", {"play", "players"}),
        ("shoal play ca", {"casino"}),
        ("shoal play go-fish --level ", {"random", "careful", "sharp"}),
        ("shoal verify --js", {"--json"}),
        ("shoal players re", {"rename"}),
    ],
)
def test_bash_completes(words: str, offered: set[str], tmp_path: Path) -> None:
    program = tmp_path / "shoal"
    program.write_text(f'#!/bin/sh\ncd {ROOT}\nexec {sys.executable} -m cli "$@"\n', "utf-8")
    program.chmod(0o755)
    typed = words.split(" ")
    asks = (
        f"{script('bash')}\n"
        f"COMP_WORDS=({' '.join(repr(word) for word in typed)}); COMP_CWORD={len(typed) - 1}\n"
        f"_shoal_completion {program}\n"
        'printf "%s\\n" "${COMPREPLY[@]}"\n'
    )
    ran = subprocess.run(
        ["bash", "-c", asks], env=ENVIRONMENT, capture_output=True, text=True, timeout=60, check=True
    )
    assert set(ran.stdout.split()) >= offered
    assert ran.stderr == ""


@pytest.mark.parametrize("language", ["en", "mk"])
def test_players_games_and_tables_are_offered(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def find(_limit: float) -> tuple[list[Found], str]:
        return [Found("Ben & Co", "", ()), Found("Cy", "", ())], ""

    def offered(*words: str) -> list[str]:
        asked = BashComplete(shoal, {"obj": Settings()}, "shoal", "_SHOAL_COMPLETE")
        with speaking(language):
            return [each.value for each in asked.get_completions(list(words), "")]

    monkeypatch.setattr("cli.network.find_tables", find)
    monkeypatch.setattr("cli.watching.finding.find_watched", find)
    monkeypatch.setenv("SHOAL_HOME", str(tmp_path))
    monkeypatch.setenv("_SHOAL_COMPLETE", "bash_complete")
    assert offered("resume") == offered("players", "forget") == []
    assert list(tmp_path.iterdir()) == [], "nothing is made by a Tab"
    me = Identity(bytes(range(32)))
    with Store.open(tmp_path) as store:
        store.remember(KnownPlayer("Ann from work", me.public, 1))
        store.create_game(bytes(range(32)), 0, b"charter", b"secrets", {})
    assert offered("resume") == offered("export") == offered("games", "--stop") == ["00010203"]
    assert offered("players", "forget") == [r"Ann\ from\ work"]
    assert offered("join") == offered("watch") == [r"Ben\ \&\ Co", "Cy"]
    monkeypatch.setenv("_SHOAL_COMPLETE", "fish_complete")
    assert offered("join") == ["Ben & Co", "Cy"], "other shells see to it themselves"


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_have_a_script(shell: str) -> None:
    assert "_SHOAL_COMPLETE" in script(shell)


def test_the_man_pages_are_up_to_date() -> None:
    ran = subprocess.run(
        [sys.executable, "scripts/man.py", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ran.returncode, ran.stdout) == (0, "")
