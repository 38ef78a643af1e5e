"""A sealed game of each kind between separate processes, played by bots and judged from its file."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from cli.main import run

ROOT = Path(__file__).resolve().parents[2]
GAMES = {"go-fish": 3, "one-fish": 3, "casino": 3, "discount-salmon": 3}
"""Each game with its number of seats."""

GAME_TIME = 240
"""Seconds that a game of three seats may take on a busy machine: many times what it needs."""

pytestmark = [pytest.mark.slow, pytest.mark.network]


def start(home: Path, *args: str) -> subprocess.Popen[str]:
    """A command in a process of its own, with a folder of its own."""
    env = {**os.environ, "SHOAL_HOME": str(home), "PYTHONUNBUFFERED": "1", "SHOAL_LANG": "en"}
    command = [sys.executable, "-m", "cli", *args, "--auto", "--plain", "--level", "random"]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, cwd=ROOT, env=env
    )


def address_of(host: subprocess.Popen[str]) -> str:
    """Where the host's table is, from what it prints first."""
    assert host.stdout is not None
    for line in host.stdout:
        found = re.search(r" join (127\.0\.0\.1:\d+)", line)
        if found:
            return found[1]
    raise AssertionError("the host ended before it opened a table")


@pytest.mark.parametrize("name", GAMES)
def test_a_sealed_game_between_processes_is_sound(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seats = GAMES[name]
    records = [tmp_path / f"{number}.shoal" for number in range(seats)]
    opened = ("--seats", str(seats), "--open", "--here-only", "--port", "0", "--name", "Ann")
    host = start(tmp_path / "home0", "host", name, *opened, "--record", str(records[0]))
    address = address_of(host)
    guests = [
        start(tmp_path / f"home{n}", "join", address, "--name", f"Guest{n}", "--record", str(records[n]))
        for n in range(1, seats)
    ]
    ends = [process.communicate(timeout=GAME_TIME)[0] for process in (host, *guests)]
    assert [process.returncode for process in (host, *guests)] == [0] * seats, ends
    assert all("Everyone has signed the result." in text for text in ends)
    for record in records:
        assert run(["verify", str(record)]) == 0
        assert "SOUND: nobody lied, and the result is right." in capsys.readouterr().out
    # What is told is the same story at every seat.
    assert len({record.stat().st_size for record in records}) == 1
