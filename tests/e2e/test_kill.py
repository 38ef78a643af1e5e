"""A player killed again and again, also between storing and sending: the game goes on to its end."""

from __future__ import annotations

import asyncio
import os
import random
import sys
from pathlib import Path

import pytest

from cli.bench_seat import admit_all, play_to_end
from engine.registry import game
from p2p.identity import Identity
from p2p.io.lobby import Hosting, Offer, join
from p2p.io.node import Node
from p2p.io.sodium import load_group
from p2p.io.store import Store
from p2p.io.table import Table
from p2p.io.work import WorkPool
from p2p.verify import verify

SEAT = Path(__file__).with_name("seat.py")
ROOT = SEAT.parents[2]
GAME_TIME = 240
"""Seconds one game with all its restarts may take: far more than it needs, so that a hang shows as one."""


async def _victim(home: Path, address: str, rng: random.Random, most: int) -> int:
    """Run the victim until its game is over, killing it on the way. Returns how often it was killed."""
    kills = 0
    while True:
        at_append = kills < most and rng.random() < 0.5
        die_at = rng.randint(1, 6) if at_append else 0
        process = await asyncio.create_subprocess_exec(
            sys.executable, str(SEAT), str(home), "Victim", address, str(die_at),
            stdout=asyncio.subprocess.PIPE, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)},
        )  # fmt: skip
        assert process.stdout is not None
        if kills < most and not at_append:
            await process.stdout.readline()
            await asyncio.sleep(rng.uniform(0.0, 0.3))
            if process.returncode is None:
                process.kill()
        output = await process.stdout.read()
        code = await process.wait()
        if b"finished" in output:
            return kills
        assert code == -9, f"the victim ended by itself with {code}"
        kills += 1


async def _game(folder: Path, seed: int, most: int) -> tuple[int, list[bytes]]:
    group, rules, rng = load_group(), game("go-fish"), random.Random(seed)
    nodes = [await Node.open(Identity(os.urandom(32)), name, host="127.0.0.1") for name in ("Ann", "Ben")]
    offer = Offer("go-fish", {}, 3)
    hosting = Hosting(nodes[0], offer, rules, admit=admit_all, on_roster=lambda _: None)
    victim = asyncio.create_task(_victim(folder / "victim", nodes[0].addresses[0], rng, most))
    agreed = await asyncio.gather(
        hosting.gather(), join(nodes[1], nodes[0].addresses, game, group, on_roster=lambda _: None)
    )
    stores = [Store.open(folder / node.name) for node in nodes]
    async with WorkPool(1) as pool:
        tables = [
            await Table.sit(node, seat, os.urandom(32), rules, store, pool, group, answer_delay=0.0)
            for node, seat, store in zip(nodes, agreed, stores, strict=True)
        ]
        _, _, kills = await asyncio.gather(*(play_to_end(table) for table in tables), victim)
        records = [table.record() for table in tables]
        for table in tables:
            assert table.session.fault is None
            await table.close()
    for node in nodes:
        await node.close()
    return kills, [*records, (folder / "victim" / "game.shoal").read_bytes()]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_killed_at_random_moments_and_between_storing_and_sending(tmp_path: Path, seed: int) -> None:
    """Fifteen kills in each of four games: nobody is blamed, and all three records verify and agree."""
    kills, records = asyncio.run(asyncio.wait_for(_game(tmp_path, seed, 15), GAME_TIME))
    assert kills >= 13
    reports = [verify(record, game, load_group()) for record in records]
    assert [report.verdict for report in reports] == ["sound"] * 3
    assert all(report.closed for report in reports)
    assert len({report.events for report in reports}) == 1
