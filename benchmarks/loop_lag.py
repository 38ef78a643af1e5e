"""How late an event loop runs while a sealed game of six seats is played in its process.

Two figures: the lag of a sleeping task, which also counts what other programs of the machine take, and the
processor time of each callback of the loop, which does not. ``--profile`` names the longest callbacks.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

from cli.bench_seat import GAME, admit_all, play_to_end
from engine.registry import game
from p2p.identity import Identity
from p2p.io.lobby import Hosting, Offer, join
from p2p.io.node import Node
from p2p.io.sodium import load_group
from p2p.io.store import Store
from p2p.io.table import Table
from p2p.io.work import WorkPool, keep_loop_even

PERIOD = 0.005


class Callbacks:
    """Processor and wall time of each callback that the loop runs, in milliseconds, with its name."""

    def __init__(self) -> None:
        self.taken: list[tuple[float, float, str]] = []

    def install(self) -> None:
        """Measure from now on, in this process."""
        run, taken = asyncio.Handle._run, self.taken  # noqa: SLF001  # the one place all callbacks pass

        def measured(handle: asyncio.Handle) -> None:
            cpu, wall = time.thread_time(), time.perf_counter()
            run(handle)
            cpu, wall = time.thread_time() - cpu, time.perf_counter() - wall
            taken.append((cpu * 1e3, wall * 1e3, _name(handle) if cpu > NAMED_FROM else ""))

        asyncio.Handle._run = measured  # type: ignore[assignment, method-assign]  # noqa: SLF001

    def longest(self, count: int) -> list[str]:
        """The callbacks that took the most processor time."""
        found = sorted(self.taken, reverse=True)[:count]
        return [f"{cpu:6.2f} ms processor, {wall:6.2f} ms wall: {name}" for cpu, wall, name in found]


NAMED_FROM = 0.001
"""Seconds of processor time from which a callback is worth its name."""


def _name(handle: asyncio.Handle) -> str:
    callback = getattr(handle, "_callback", None)
    task = getattr(callback, "__self__", None)
    if isinstance(task, asyncio.Task):
        return str(getattr(task.get_coro(), "__qualname__", "a task"))
    return str(getattr(callback, "__qualname__", callback))


async def _watch(lags: list[float]) -> None:
    while True:
        due = time.perf_counter() + PERIOD
        await asyncio.sleep(PERIOD)
        lags.append((time.perf_counter() - due) * 1e3)


async def _main(seats: int = 6) -> None:
    group, rules = load_group(), game(GAME)
    keep_loop_even()
    nodes = [
        await Node.open(Identity(os.urandom(32)), f"Seat {seat}", host="127.0.0.1") for seat in range(seats)
    ]
    hosting = Hosting(nodes[0], Offer(GAME, {}, seats), rules, admit=admit_all, on_roster=lambda _: None)
    guests = [join(node, nodes[0].addresses, game, group, on_roster=lambda _: None) for node in nodes[1:]]
    agreed = await asyncio.gather(hosting.gather(), *guests)
    lags: list[float] = []
    callbacks = Callbacks()
    callbacks.install()
    watch = asyncio.create_task(_watch(lags))
    with tempfile.TemporaryDirectory() as folder:
        async with WorkPool() as pool:
            tables = await asyncio.gather(
                *(
                    Table.sit(
                        node, seat, os.urandom(32), rules, Store.open(Path(folder) / str(number)), pool, group
                    )
                    for number, (node, seat) in enumerate(zip(nodes, agreed, strict=True))
                )
            )
            await asyncio.gather(*(play_to_end(table) for table in tables))
            for table in tables:
                await table.close()
    watch.cancel()
    for node in nodes:
        await node.close()
    _print("lag", lags)
    _print("processor time of a callback", [cpu for cpu, _, _ in callbacks.taken])
    if "--profile" in sys.argv:
        print("\n".join(callbacks.longest(20)))


def _print(what: str, values: list[float]) -> None:
    ordered = sorted(values)
    print(
        f"{what}: samples {len(values)}, median {statistics.median(values):.2f} ms, "
        f"99th percentile {ordered[int(len(ordered) * 0.99)]:.2f} ms, most {ordered[-1]:.2f} ms"
    )


if __name__ == "__main__":
    asyncio.run(_main())
