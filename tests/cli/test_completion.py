"""Completion in the shell, through a real bash, and the man pages."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

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
