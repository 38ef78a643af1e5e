"""How soon two programs meet again on loopback: seconds from when the peer is back until each has its link.

``python -m benchmarks.links [TIMES]`` (5): a host and a guest, each a process, in the middle of a sealed game
in which nobody moves. What happens to them, in both directions:

- *cut*: the connection is closed under both, at any moment;
- *killed*: one is killed (SIGKILL), is away for a while, and is resumed; counted from the moment it is back,
  which is when its new process listens; the start of Python is told apart.

Fails where a median is above a second.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import statistics
import sys
import tempfile
import time
from pathlib import Path

from cli.bench_seat import admit_all
from engine.registry import game
from p2p.io.lobby import Hosting, Offer, join
from p2p.io.node import Node
from p2p.io.sodium import load_group
from p2p.io.store import Store
from p2p.io.table import Table
from p2p.io.work import WorkPool

TIMES = 5
AWAY = (0.5, 4.0, 12.0)
"""Seconds that a killed seat is away: a moment, until it is searched for, and until attempts are rare."""

ALLOWED = 1.0
"""Seconds."""

LOOK = 0.002


async def seat(home: Path, address: str) -> None:
    """Host (without an ``address``) or join, or go on with what is stored; print when each thing happened. A
    line on standard input cuts the link."""
    group, rules, name = load_group(), game("go-fish"), "Guest" if address else "Host"
    with Store.open(home) as store:
        identity = store.identity() or store.create_identity(os.urandom(32), name)
        saved = store.games()
        port = saved[0].meta["port"] if saved else 0
        node = await Node.open(identity, name, host="127.0.0.1", port=port)
        say("listening", node.addresses[0])
        async with WorkPool(1) as pool:
            if saved:
                table = await Table.resume(node, saved[0], rules, store, pool, group, answer_delay=0.0)
            elif address:
                agreed = await join(node, [address], game, group, on_roster=lambda _: None)
                table = await Table.sit(
                    node, agreed, os.urandom(32), rules, store, pool, group, answer_delay=0.0
                )
            else:
                hosting = Hosting(
                    node, Offer("go-fish", {}, 2), rules, admit=admit_all, on_roster=lambda _: None
                )
                agreed = await hosting.gather()
                table = await Table.sit(
                    node, agreed, os.urandom(32), rules, store, pool, group, answer_delay=0.0
                )
            asyncio.get_running_loop().add_reader(sys.stdin.fileno(), _cut, table)
            was = False
            while True:
                await asyncio.sleep(LOOK)
                if bool(table.linked) is not was:
                    was = not was
                    say("linked" if was else "parted")


def _cut(table: Table) -> None:
    os.read(sys.stdin.fileno(), 100)
    for link in [*table._links.values(), *table._second.values()]:  # noqa: SLF001  # as a cable would
        link._wire.abort()  # noqa: SLF001  # the same


def say(*words: str) -> None:
    """A line with the time of the clock that all processes of a machine share."""
    print(time.monotonic(), *words, flush=True)


class Seat:
    """A seat's process, and what it said."""

    def __init__(self, home: Path, address: str) -> None:
        self._home, self._address = home, address
        self.said: list[tuple[float, list[str]]] = []
        self.started = 0.0

    async def start(self) -> None:
        """Start it, or start it again."""
        self.started = time.monotonic()
        self.process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "benchmarks.links", "seat", str(self._home), self._address,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        assert self.process.stdout is not None
        async for line in self.process.stdout:
            when, *words = line.decode().split()
            self.said.append((float(when), words))

    async def when(self, word: str, after: float) -> float:
        """When it first said ``word`` after a time."""
        async with asyncio.timeout(60):
            while True:
                for when, words in self.said:
                    if when > after and words[0] == word:
                        return when
                await asyncio.sleep(LOOK)

    async def kill(self) -> None:
        """SIGKILL."""
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGKILL)
        await self.process.wait()
        await self._reading

    def cut(self) -> None:
        """Let it close its link without a word."""
        assert self.process.stdin is not None
        self.process.stdin.write(b"cut\n")


async def measure(folder: Path, times: int) -> dict[str, list[float]]:
    """Each thing so many times, in both directions."""
    host = Seat(folder / "host", "")
    seats = [host]
    found: dict[str, list[float]] = {}
    try:
        await host.start()
        await host.when("listening", 0.0)
        seats.append(Seat(folder / "guest", host.said[0][1][1]))
        await seats[1].start()
        for each in seats:
            await each.when("linked", 0.0)
        for number, one in enumerate(seats):
            other, name = seats[1 - number], ("the host", "the guest")[number]
            for _ in range(times):
                await asyncio.sleep(0.5)
                began = time.monotonic()
                one.cut()
                ends = [await each.when("linked", await each.when("parted", began)) for each in seats]
                found.setdefault(f"cut at {name}", []).append(max(ends) - began)
            for away in AWAY:
                began = time.monotonic()
                await one.kill()
                await other.when("parted", began)
                await asyncio.sleep(away)
                await one.start()
                back = await one.when("listening", began)
                ends = [await each.when("linked", back) for each in seats]
                found.setdefault(f"{name} killed", []).append(max(ends) - back)
                found.setdefault("start of a process, until it listens", []).append(back - one.started)
    finally:
        for each in seats:
            await each.kill()
    return found


def main(times: int) -> int:
    """Measure and report."""
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(measure(Path(folder), times))
    is_good = True
    for what, seconds in found.items():
        middle = statistics.median(seconds)
        is_good &= middle <= ALLOWED or "process" in what
        print(f"{what}: median {middle:.2f} s, at most {max(seconds):.2f} s ({len(seconds)})")
    return 0 if is_good else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["seat"]:
        asyncio.run(seat(Path(sys.argv[2]), sys.argv[3]))
    else:
        sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else TIMES))
