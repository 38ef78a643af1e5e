"""How late an event loop runs while a sealed game of six seats is played in its process."""

from __future__ import annotations

import asyncio
import os
import statistics
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
from p2p.io.work import WorkPool

PERIOD = 0.005


async def _watch(lags: list[float]) -> None:
    while True:
        due = time.perf_counter() + PERIOD
        await asyncio.sleep(PERIOD)
        lags.append((time.perf_counter() - due) * 1e3)


async def _main(seats: int = 6) -> None:
    group, rules = load_group(), game(GAME)
    nodes = [
        await Node.open(Identity(os.urandom(32)), f"Seat {seat}", host="127.0.0.1") for seat in range(seats)
    ]
    hosting = Hosting(nodes[0], Offer(GAME, {}, seats), rules, admit=admit_all, on_roster=lambda _: None)
    guests = [join(node, nodes[0].addresses, game, group, on_roster=lambda _: None) for node in nodes[1:]]
    agreed = await asyncio.gather(hosting.gather(), *guests)
    lags: list[float] = []
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
    ordered = sorted(lags)
    print(
        f"samples {len(lags)}, median {statistics.median(lags):.2f} ms, "
        f"99th percentile {ordered[int(len(ordered) * 0.99)]:.2f} ms, most {ordered[-1]:.2f} ms"
    )


if __name__ == "__main__":
    asyncio.run(_main())
