"""How the full screen behaves: when it is there, when a key shows its effect, what it does while it is idle.

A real ``shoal play go-fish --bots 5`` in a pseudo-terminal: six seats in one process. A key is pressed every
20 ms from the first drawing to the first turn, that is during the whole shuffle and deal; its time ends with
the first byte after which it stands in the line. Prints milliseconds, and the load of the machine.
"""

from __future__ import annotations

import argparse
import os
import select
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pyte

ROOT: Final = Path(__file__).resolve().parents[1]
ROWS, COLUMNS = 24, 80
EVERY: Final = 0.02
"""Seconds between two keys: nobody types faster."""

LETTERS: Final = "abcdefghijklmnopqrstuvwxyzabcdefghijklmn"
"""What is typed, one letter after another; then Ctrl-U empties the line."""

CLEAR: Final = "\x15"
GIVE_UP: Final = 120.0
"""Seconds after which what is waited for will not come."""

SETTLE: Final = 5.0
"""Seconds of peace before idling is measured: bots and links have done what they had to."""


@dataclass
class Recorded:
    """What came out of the terminal and when, and what was pressed and when; seconds since the start."""

    pid: int
    terminal: int
    begun: float
    out: list[tuple[float, bytes]] = field(default_factory=list)
    keys: list[tuple[float, str]] = field(default_factory=list)

    def now(self) -> float:
        """Seconds since the program was started."""
        return time.perf_counter() - self.begun

    def read_until(self, when: float) -> bytes:
        """Take in what comes until a moment; all of it."""
        found = []
        while (left := when - self.now()) > 0:
            if select.select([self.terminal], [], [], left)[0]:
                data = os.read(self.terminal, 65536)
                self.out.append((self.now(), data))
                found.append(data)
        return b"".join(found)

    def press(self, key: str) -> None:
        """Press a key now."""
        self.keys.append((self.now(), key))
        os.write(self.terminal, key.encode())


def _start(home: str, arguments: Sequence[str], is_first: bool) -> Recorded:
    import pty  # noqa: PLC0415  # not on Windows
    import termios  # noqa: PLC0415  # not on Windows

    begun = time.perf_counter()
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(
            SHOAL_HOME=home, TERM="xterm-256color", PROMPT_TOOLKIT_NO_CPR="1", LC_ALL="C.UTF-8",
            SHOAL_LANG="en", COLUMNS=str(COLUMNS), LINES=str(ROWS),
        )  # fmt: skip
        os.chdir(ROOT)
        if is_first:
            _put_first()
        os.execv(sys.executable, [sys.executable, "-m", "cli", *arguments])  # noqa: S606  # our own program
    termios.tcsetwinsize(terminal, (ROWS, COLUMNS))
    return Recorded(pid, terminal, begun)


def _put_first() -> None:
    """Let this session go before all others that the machine's processors are shared by (Linux, root)."""
    Path("/proc/self/autogroup").write_text("-20", encoding="ascii")


def _keys() -> Iterator[str]:
    while True:
        yield from LETTERS
        yield CLEAR


def _type_until(run: Recorded, holds: Callable[[str], bool]) -> None:
    """Press keys until the screen shows something, and for half a second after it."""
    screen = pyte.Screen(COLUMNS, ROWS)
    stream = pyte.ByteStream(screen)
    end = 0.0
    for key in _keys():
        run.press(key)
        stream.feed(run.read_until(run.keys[-1][0] + EVERY))
        if not end and holds("\n".join(screen.display)):
            end = run.now() + 0.5
        if end and run.now() > end and key == CLEAR:
            return
        if run.now() > GIVE_UP:
            raise SystemExit("The game has not begun:\n" + "\n".join(screen.display))


def _wait(run: Recorded, holds: Callable[[str], bool]) -> None:
    screen = pyte.Screen(COLUMNS, ROWS)
    stream = pyte.ByteStream(screen)
    for _, data in run.out:
        stream.feed(data)
    end = run.now() + GIVE_UP
    while not holds("\n".join(screen.display)):
        stream.feed(run.read_until(run.now() + 0.05))
        if run.now() > end:
            raise SystemExit("It never came:\n" + "\n".join(screen.display))


def _first(run: Recorded, holds: Callable[[str], bool]) -> float:
    screen = pyte.Screen(COLUMNS, ROWS)
    stream = pyte.ByteStream(screen)
    for when, data in run.out:
        stream.feed(data)
        if holds("\n".join(screen.display)):
            return when
    return float("nan")


def _delays(run: Recorded) -> list[tuple[float, float]]:
    """When each key was pressed, and the seconds until it stood in the line."""
    states, text = [], ""
    for _, key in run.keys:
        text = "" if key == CLEAR else text + key
        states.append(text)
    screen = pyte.Screen(COLUMNS, ROWS)
    stream = pyte.ByteStream(screen)
    found, done = [], 0
    for when, data in run.out:
        stream.feed(data)
        line = screen.display[-1].rstrip()
        shown = line.partition("> ")[2] if "> " in line else ""
        pressed = sum(1 for at, _ in run.keys[done : done + len(LETTERS)] if at < when)
        match = [n for n in range(done, done + pressed) if states[n] == shown]
        if match and line.startswith(">"):
            found += [(run.keys[n][0], when - run.keys[n][0]) for n in range(done, match[0] + 1)]
            done = match[0] + 1
    return found


def _cpu(pid: int) -> float:
    stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
    return (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")


def _idle(run: Recorded, seconds: float) -> tuple[float, float]:
    """Percent of a processor, and bytes written per second, while nothing happens."""
    run.read_until(run.now() + SETTLE)
    cpu, begun = _cpu(run.pid), run.now()
    written = len(run.read_until(begun + seconds))
    taken = run.now() - begun
    return (_cpu(run.pid) - cpu) / taken * 100, written / taken


def _end(run: Recorded) -> None:
    os.kill(run.pid, signal.SIGTERM)
    end = run.now() + 30
    while run.now() < end:
        try:
            run.read_until(run.now() + 0.1)
        except OSError:
            break
    os.close(run.terminal)
    os.waitpid(run.pid, 0)


def _print(what: str, values: Sequence[float]) -> None:
    ordered = sorted(values)
    print(
        f"{what}: {len(ordered)} times, median {statistics.median(ordered):.1f} ms, "
        f"99th percentile {ordered[int(len(ordered) * 0.99)]:.1f} ms, most {ordered[-1]:.1f} ms"
    )


def _has_text(text: str) -> bool:
    return bool(text.strip())


def main() -> int:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bots", type=int, default=5)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument(
        "--idle", type=float, default=20.0, help="seconds of idling after the last run; 0: none"
    )
    parser.add_argument(
        "--slowest", type=int, default=0, help="print the slowest keys and when they were pressed"
    )
    parser.add_argument("--first", action="store_true", help="go before all other programs (Linux, root)")
    options = parser.parse_args()
    if options.first:
        _put_first()
    first, delays, lobby = [], [], []
    for number in range(options.runs):
        with tempfile.TemporaryDirectory() as home:
            run = _start(home, [], options.first)
            try:
                _wait(run, _has_text)
                lobby.append(_first(run, _has_text) * 1e3)
            finally:
                _end(run)
            game = ["play", "go-fish", "--bots", str(options.bots), "--name", "Ann", "--no-bell"]
            run = _start(home, game, options.first)
            try:
                _wait(run, _has_text)
                _type_until(run, lambda text: "TURN" in text)
                found = _delays(run)
                first.append(_first(run, _has_text) * 1e3)
                delays += [delay * 1e3 for _, delay in found]
                for at, delay in sorted(found, key=lambda each: -each[1])[: options.slowest]:
                    print(f"  run {number}: a key at {at:.3f} s took {delay * 1e3:.1f} ms")
                if options.idle and number == options.runs - 1:
                    _wait(run, lambda text: "Whom?" in text)
                    cpu, written = _idle(run, options.idle)
                    print(f"idle: {cpu:.2f} % of a processor, {written:.0f} bytes per second")
            finally:
                _end(run)
    _print("first drawing of shoal", lobby)
    _print("first drawing of shoal play", first)
    _print("from a key to its echo", delays)
    print("load of the machine: " + " ".join(f"{each:.1f}" for each in os.getloadavg()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
