"""A printed deck over real TLS on loopback: two seats at the table and one far away, and a restart."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from cli.bench_seat import admit_all
from engine.match import Position
from engine.registry import game
from p2p.identity import Identity
from p2p.io.lobby import Hosting, Offer, join
from p2p.io.node import Node
from p2p.io.sodium import load_group
from p2p.io.store import Store
from p2p.io.table import Broken, Table
from p2p.io.work import WorkPool
from p2p.session import (
    CutWanted,
    Fault,
    Finished,
    PrintedTable,
    Roster,
    ScanRefused,
    ScanWanted,
    SetupError,
    YourMove,
)
from p2p.verify import verify
from tests.p2p.harness import Pack

GROUP = load_group()
OPTIONS = {"ranks": "4", "hand_size": "3"}
LIMIT = 120.0


class Person:
    """Decides the first thing possible, and at the machine cuts and taps what is wanted, card by card."""

    def __init__(self, pack: Pack | None) -> None:
        self.pack = pack
        self.told: list[Any] = []
        self.scans = 0

    async def play(self, table: Table, scans: int = 1_000_000) -> None:
        """To the end, or until so many cards were tapped."""
        while True:
            what = await table.tellings.get()
            self.told.append(what)
            match what:
                case Broken(error):
                    raise error
                case Fault() | Finished():
                    return
                case YourMove(_, actions):
                    await table.act(actions[0])
                case CutWanted() if self.pack is not None:
                    self.pack.cut(what)
                case ScanWanted(draws) if draws and self.pack is not None:
                    if self.scans >= scans:
                        return
                    self.scans += 1
                    await table.scan(self.pack.tap(ScanWanted(draws[:1])))


async def test_a_printed_table_is_played_resumed_and_verified(tmp_path: Path) -> None:
    rules = game("go-fish")
    names = ("Ann", "Ben", "Cem")
    nodes = [await Node.open(Identity(os.urandom(32)), name, host="127.0.0.1") for name in names]
    rosters: list[Roster] = []
    offer = Offer("go-fish", OPTIONS, 3, scanner=0)
    hosting = Hosting(nodes[0], offer, rules, admit=admit_all, on_roster=lambda _: None)
    hosting.expect_bot(nodes[1].identity.public)  # kept by the host: a person at the table
    gathering = asyncio.create_task(hosting.gather())
    beside = asyncio.create_task(
        join(nodes[1], nodes[0].addresses, game, GROUP, on_roster=lambda _: None, is_bot=True)
    )
    async with asyncio.timeout(LIMIT):
        while len(hosting.roster.taken) < 2:  # noqa: ASYNC110  # what is waited for tells nobody
            await asyncio.sleep(0.02)
        far = await join(nodes[2], nodes[0].addresses, game, GROUP, on_roster=rosters.append)
        agreed = [await gathering, await beside, far]
    assert {(roster.dealing, roster.scanner) for roster in rosters} == {("printed", 0)}
    charter = agreed[2].charter
    assert (charter.dealing, charter.scanner, charter.reveal) == ("printed", 0, "end")
    assert [seat.keeper for seat in charter.seats] == [0, 0, 2]
    pack = Pack(Position.start(rules, dict(charter.options), 3), 5)
    people = [Person(pack), Person(None), Person(None)]
    stores = [Store.open(tmp_path / name) for name in names]
    async with WorkPool() as pool:
        tables = [
            await Table.sit(node, seat, os.urandom(32), rules, store, pool, GROUP, answer_delay=0.0)
            for node, seat, store in zip(nodes, agreed, stores, strict=True)
        ]
        others = [
            asyncio.create_task(person.play(table))
            for person, table in zip(people[1:], tables[1:], strict=True)
        ]
        async with asyncio.timeout(LIMIT):
            await people[0].play(tables[0], scans=11)
        with pytest.raises(ScanRefused):
            await tables[0].scan(tuple(pack.tapped.values())[:1])
        with pytest.raises(ScanRefused):
            await tables[2].scan(tuple(pack.tapped.values())[:1])
        await tables[0].close()
        tables[0] = await Table.resume(
            nodes[0], stores[0].games()[0], rules, stores[0], pool, GROUP, answer_delay=0.0
        )
        async with asyncio.timeout(LIMIT):
            await asyncio.gather(people[0].play(tables[0]), *others)
        reports = [verify(table.record(), game, GROUP) for table in tables]
        for table in tables:
            await table.close()
    for node in nodes:
        await node.close()
    assert all((report.verdict, report.finished) == ("sound", True) for report in reports)
    assert all(person.told[0] == PrintedTable(0) for person in people)
    assert reports[2].checks["scans"] >= 2


async def test_printed_cards_cannot_stay_hidden_for_good() -> None:
    node = await Node.open(Identity(os.urandom(32)), "Ann", host="127.0.0.1")
    offer = Offer("go-fish", {}, 2, reveal="never", scanner=0)
    with pytest.raises(SetupError, match="revealed at the end"):
        Hosting(node, offer, game("go-fish"), admit=admit_all, on_roster=lambda _: None)
    await node.close()
