"""Programs that sit at one table of Go Fish over real TLS on loopback."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from cli.bench_seat import admit_all
from engine.registry import game
from p2p.identity import Identity
from p2p.io.link import Wire
from p2p.io.lobby import Hosting, Offer, join
from p2p.io.node import Node
from p2p.io.sodium import load_group
from p2p.io.store import Store
from p2p.io.table import Table
from p2p.io.work import WorkPool
from p2p.link import Initiator
from p2p.session import Agreed

NAMES = ("Ann", "Ben", "Cem", "Dot")
GROUP = load_group()


async def open_node(name: str) -> Node:
    """A program with a new identity."""
    return await Node.open(Identity(os.urandom(32)), name, host="127.0.0.1")


async def open_nodes(count: int) -> list[Node]:
    """As many of them."""
    return [await open_node(name) for name in NAMES[:count]]


async def gather(nodes: Sequence[Node], offer: Offer) -> list[Agreed]:
    """The first one hosts, and the others come, known or not."""
    hosting = Hosting(nodes[0], offer, game(offer.game), admit=admit_all, on_roster=lambda _: None)
    guests = [join(node, nodes[0].addresses, game, GROUP, on_roster=lambda _: None) for node in nodes[1:]]
    return list(await asyncio.gather(hosting.gather(), *guests))


async def sit(nodes: Sequence[Node], agreed: Sequence[Agreed], folder: Path, pool: WorkPool) -> list[Table]:
    """All sit down and answer at once; each has a store in ``folder``."""
    return [
        await Table.sit(
            node, seat, os.urandom(32), game("go-fish"), Store.open(folder / node.name), pool, GROUP,
            answer_delay=0.0,
        )
        for node, seat in zip(nodes, agreed, strict=True)
    ]  # fmt: skip


async def leave(table: Table) -> None:
    """A seat goes, and its store is closed: from Python 3.13 on an open one is a warning."""
    await table.close()
    table._store.close()


async def close(nodes: Sequence[Node], tables: Sequence[Table]) -> None:
    """Everybody goes."""
    for table in tables:
        await leave(table)
    for node in nodes:
        await node.close()


@asynccontextmanager
async def open_tables(
    nodes: Sequence[Node], folder: Path, options: dict[str, str] | None = None
) -> AsyncIterator[list[Table]]:
    """A table of these programs, and its end."""
    agreed = await gather(nodes, Offer("go-fish", options or {}, len(nodes)))
    async with WorkPool() as pool:
        tables = await sit(nodes, agreed, folder, pool)
        try:
            yield tables
        finally:
            await close(nodes, tables)


async def proved(wire: Wire) -> Wire:
    """The bare wire of a stranger, once it has proved some key."""
    initiator = Initiator(Identity(os.urandom(32)), wire.channel, os.urandom(32))
    wire.write(initiator.hello)
    step, proof = initiator.receive(await wire.expect())
    wire.write(proof)
    step.receive(await wire.expect())
    return wire
