"""A race over real TLS on loopback, with stores and threads: its pace, a seat that ends, and its return."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.saved import record_of
from engine.registry import game
from engine.table import Tick
from p2p.identity import Identity
from p2p.io.lobby import Offer
from p2p.io.node import Node
from p2p.io.store import Store
from p2p.io.table import Broken, Table
from p2p.io.work import WorkPool
from p2p.log import read_game
from p2p.session import Race, Skipped, YourMove
from p2p.verify import verify
from tests.p2p.io.open_tables import GROUP, gather

GAME = "discount-salmon"
LIMIT = 120.0
"""Seconds that anything may take on a busy machine."""


async def play(table: Table, told: list[object]) -> None:
    """Decide what must be decided, play nothing, and keep what was told."""
    while True:
        what = await table.tellings.get()
        told.append(what)
        if isinstance(what, Broken):
            raise what.error
        if isinstance(what, YourMove):
            await table.act(what.actions[0])


async def until(reached: Callable[[], bool]) -> None:
    async with asyncio.timeout(LIMIT):
        while not reached():  # noqa: ASYNC110  # what is waited for tells nobody
            await asyncio.sleep(0.02)


async def open_node(seed: int) -> Node:
    return await Node.open(Identity(bytes([seed]) * 32), f"Seat {seed}", host="127.0.0.1")


@pytest.mark.slow
async def test_a_race_goes_on_without_a_seat_that_ends_and_takes_it_back(tmp_path: Path) -> None:
    nodes = [await open_node(seed) for seed in (1, 2, 3)]
    agreed = await gather(nodes, Offer(GAME, {"stale_seconds": "30"}, 3))
    told: list[list[object]] = [[], [], [], []]
    stores = [Store.open(tmp_path / str(seat)) for seat in range(3)]
    async with WorkPool() as pool:
        tables = [
            await Table.sit(node, seat, os.urandom(32), game(GAME), store, pool, GROUP)
            for node, seat, store in zip(nodes, agreed, stores, strict=True)
        ]
        players = [asyncio.create_task(play(*each)) for each in zip(tables, told, strict=False)]
        first = tables[0].session.history

        def ticks() -> int:
            state = first.progress.position.state
            return sum(1 for step in first.steps if len(step) in (2, 3)) if state and first.steps else 0

        await until(lambda: isinstance(first.progress.task, Tick) and ticks() > 20)
        await tables[2].close()
        players[2].cancel()
        await nodes[2].close()
        await until(lambda: all(table.session.history.epoch == 1 for table in tables[:2]))
        (certificate,) = first.certificates.values()
        assert (certificate.keeper, certificate.purpose) == (2, "skip")
        before = first.step
        await until(lambda: first.step > before + 6)
        assert any(isinstance(what, Skipped) and what.seats == (2,) for what in told[0])
        assert len([what for what in told[0] if isinstance(what, Race)]) <= 3
        again = await open_node(3)
        (saved,) = stores[2].games()
        back = await Table.resume(again, saved, game(GAME), stores[2], pool, GROUP)
        players.append(asyncio.create_task(play(back, told[3])))
        await until(lambda: back.session.history.epoch == 1)
        await until(lambda: back.session.history.step > before + 8)
        assert back.session.history.certificates == first.certificates
        for player in players:
            player.cancel()
        for table in (*tables[:2], back):
            assert table.session.fault is None
            report = verify(table.record(), game, GROUP)
            assert (report.verdict, report.reason) == ("sound", "")
            assert report.skipped == ((certificate.step, 2),)
            await table.close()
        for store in stores:
            (saved,) = store.games()
            stored = record_of(store, saved, GROUP)
            assert read_game(stored).certificates == (certificate,)
            assert verify(stored, game, GROUP).verdict == "sound"
            store.close()
    for node in (*nodes[:2], again):
        await node.close()
