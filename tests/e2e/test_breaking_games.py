"""Bad luck and bad cousins in whole games between processes, and records that were made to do harm."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from msgspec import structs

from cli.main import run
from p2p.io.sodium import load_group
from tests.p2p.harness import TINY, Ring, make_charter

ROOT = Path(__file__).resolve().parents[2]
GROUP = load_group()
SEATS = 3
TROUBLE = 25.0
"""Seconds in which seats are killed and stopped."""


# --- records ----------------------------------------------------------------------------------------------


def test_a_record_tells_its_names_and_does_nothing_to_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A charter holds any text for a name: who made the file is not asked whether it is a player's."""
    charter, _ = make_charter(GROUP, 2, options=TINY)
    names = ("\x1b[2JAnn", "Ben\nSOUND: nobody lied, and the result is right.")
    seats = (structs.replace(seat, name=name) for seat, name in zip(charter.seats, names, strict=True))
    ring = Ring(GROUP, 2, charter=structs.replace(charter, seats=tuple(seats)))
    ring.play()
    path = tmp_path / "game.shoal"
    for data, code in ((ring.record(0), 0), (ring.record(0)[:-9], 1)):
        path.write_bytes(data)
        assert run(["verify", str(path), "--events"]) == code
        told = capsys.readouterr().out
        assert all(c.isprintable() or c == "\n" for c in told)
        assert sum(line.startswith("SOUND") for line in told.splitlines()) == (code == 0)


# --- processes --------------------------------------------------------------------------------------------


class Seat:
    """A seat in a process of its own, played by a bot, that is brought back each time it dies."""

    def __init__(self, folder: Path, number: int, *args: str) -> None:
        self.home = folder / str(number)
        self.told = folder / f"{number}.txt"
        self.back_at = 0.0
        self.start(*args)

    def start(self, *args: str) -> None:
        """Run a command of this seat."""
        env = {**os.environ, "SHOAL_HOME": str(self.home), "PYTHONUNBUFFERED": "1", "SHOAL_LANG": "en"}
        command = [sys.executable, "-m", "cli", *args, "--auto", "--plain", "--level", "random"]
        with self.told.open("a", encoding="utf-8") as out:
            self.process = subprocess.Popen(
                [*command, "--reaction", "0.5"],
                stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, cwd=ROOT, env=env,
            )  # fmt: skip

    def says(self, pattern: str, seconds: float = 120.0) -> str:
        """Wait until this seat has told something."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if found := re.search(pattern, self.told.read_text("utf-8")):
                return found[found.re.groups]
            time.sleep(0.05)
        raise AssertionError(f"{pattern} was never told: {self.told.read_text('utf-8')[-2000:]}")

    def trouble(self, rng: random.Random, now: float) -> None:
        """Killed for a while, or stopped for a while."""
        if self.process.poll() is not None:
            return
        if rng.random() < 0.6:
            self.process.kill()
            self.process.wait()
            self.back_at = now + rng.choice([0.0, 0.5, 3.0])
        else:
            self.process.send_signal(signal.SIGSTOP)
            time.sleep(rng.choice([0.3, 1.0, 3.0]))
            self.process.send_signal(signal.SIGCONT)

    def come_back(self, now: float) -> None:
        """Go on, where it was killed and its time has come; a game that is over needs nobody."""
        if self.process.poll() == -signal.SIGKILL and now >= self.back_at:
            self.start("resume")

    def leave(self) -> None:
        """Pause, if the game is not over yet."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(120)
        finally:
            self.process.kill()


@pytest.mark.slow
@pytest.mark.network
@pytest.mark.parametrize("name", ["casino", "discount-salmon", "one-fish"])
def test_whoever_is_killed_or_stopped_nobody_is_blamed(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also in a blind take, in a hand-over, between a commitment and its opening: the record stays sound."""
    rng = random.Random(name)
    where = ("--seats", str(SEATS), "--open", "--here-only", "--port", "0", "--name", "Ann")
    seats = [Seat(tmp_path, 0, "host", name, *where)]
    try:
        address = seats[0].says(r" join (127\.0\.0\.1:\d+)")
        seats += [Seat(tmp_path, n, "join", address, "--name", f"Guest{n}") for n in range(1, SEATS)]
        for seat in seats:
            seat.says("Dealing")
        until = time.monotonic() + TROUBLE
        while time.monotonic() < until:
            rng.choice(seats).trouble(rng, time.monotonic())
            pause = time.monotonic() + rng.uniform(0.3, 3.0)
            while time.monotonic() < pause:
                for seat in seats:
                    seat.come_back(time.monotonic())
                time.sleep(0.1)
    finally:
        for seat in seats:
            seat.leave()
    for number, seat in enumerate(seats):
        told = seat.told.read_text("utf-8")
        assert not re.search("cheated|went wrong|Traceback", told, re.IGNORECASE), told[-3000:]
        monkeypatch.setenv("SHOAL_HOME", str(seat.home))
        run(["games", "--json"])
        game_id = re.search(r'"id": "([0-9a-f]+)"', capsys.readouterr().out)
        assert game_id
        path = tmp_path / f"{number}.shoal"
        assert run(["export", game_id[1], str(path)]) == 0
        assert run(["verify", str(path)]) == 0
        assert "SOUND" in capsys.readouterr().out
