"""A seat that asks without end and never reads: what it costs the one it asks, over real sockets."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest

from cli.bench_seat import play_to_end
from engine.registry import game
from p2p.io.link import MAX_BEHIND, MAX_PAYLOAD, Link
from p2p.io.lobby import Offer
from p2p.io.node import Node
from p2p.io.work import WorkPool
from p2p.log.wire import Want, encode_message
from p2p.session.hearing import MAX_REPLY
from p2p.verify import verify
from tests.p2p.io.open_tables import GROUP, close, gather, open_nodes, sit

LIMIT = 240
"""Seconds: many times what this takes on a busy machine."""

OPTIONS = {"ranks": "6", "hand_size": "3", "end_mode": "all_books"}
"""A game that is not over before there is something to ask for, whatever is dealt."""

MB = 1 << 20
ALLOWED = 64 * MB
"""Bytes that the process may grow by while it is flooded: what is kept for one peer, and what the game and
the flooding itself take. Where every question was answered, it was 440 MB within a minute."""


def memory() -> int:
    """Bytes of this process in memory."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGESIZE")


class Flood:
    """Asks seat 0 for the whole history again and again, over a link that it never reads. Where that is cut
    it makes another one."""

    def __init__(self, node: Node, addresses: tuple[str, ...]) -> None:
        self._node = node
        self._addresses = addresses
        self.links: list[Link] = []

    async def run(self) -> None:
        want = encode_message(Want(0, 0))
        while True:
            link = await self._node.connect(self._addresses)
            link._wire._reader._transport.pause_reading()
            self.links.append(link)
            while link.reason is None and not link._wire._writer.is_closing():
                for _ in range(20):
                    await link.send(want)
                await asyncio.sleep(0.01)


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is read from /proc")
async def test_who_asks_without_end_and_never_reads_costs_a_bounded_buffer_and_the_table_plays_on(
    tmp_path: Path,
) -> None:
    nodes = await open_nodes(3)
    agreed = await gather(nodes, Offer("go-fish", OPTIONS, 3))
    async with WorkPool() as pool:
        tables = await sit(nodes, agreed, tmp_path, pool)
        plays = [asyncio.create_task(play_to_end(table)) for table in tables]
        async with asyncio.timeout(LIMIT):
            while tables[0].session.history.step < 20:  # noqa: ASYNC110  # there is something to ask for
                await asyncio.sleep(0.01)
        before, most, unsent = memory(), 0, 0
        flood = Flood(nodes[2], nodes[0].addresses)
        flooding = asyncio.create_task(flood.run())
        async with asyncio.timeout(LIMIT):
            while not all(play.done() for play in plays):
                most = max(most, memory() - before)
                held = [*tables[0]._links.values(), *tables[0]._second.values()]
                unsent = max([unsent, *(link._wire.unsent for link in held)])
                await asyncio.sleep(0.01)
            await asyncio.gather(*plays)
        flooding.cancel()
        await asyncio.gather(flooding, return_exceptions=True)
        records = [table.record() for table in tables]
        await close(nodes, tables)
    for link in flood.links:
        await link.close()
    assert unsent > MB, "nothing was flooded"
    assert unsent <= MAX_BEHIND + MAX_REPLY + MAX_PAYLOAD
    assert most < ALLOWED, f"{most / MB:.0f} MB"
    for record in records:
        report = verify(record, game, GROUP)
        assert (report.verdict, report.finished) == ("sound", True)
