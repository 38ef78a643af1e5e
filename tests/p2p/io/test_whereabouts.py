"""Where seats are looked for, and a game whose players do not all reach each other."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from cli.bench_seat import play_to_end
from engine.registry import game
from p2p.io.link import Link
from p2p.io.lobby import Offer
from p2p.io.node import Node
from p2p.io.rendezvous import SERVICE, Rendezvous, label_of
from p2p.io.table import Table
from p2p.io.tcp import MAX_DIALLED
from p2p.io.whereabouts import MAX_FOUND, Whereabouts
from p2p.io.work import WorkPool
from p2p.session.setup import MAX_ADDRESSES
from p2p.verify import verify
from tests.p2p.io.open_tables import GROUP, gather, open_node, open_nodes, sit

TABLE = bytes(32)
KEYS = [bytes([n]) * 32 for n in range(1, 4)]
SHORT = {"ranks": "5", "hand_size": "3"}


async def _whereabouts(listed: dict[int, tuple[str, ...]]) -> tuple[Whereabouts, Node]:
    node = await open_node("Ann")
    return Whereabouts(TABLE, KEYS, listed, node, 0), node


async def test_where_a_seat_came_from_last_is_tried_first_at_the_ports_it_listed() -> None:
    where, node = await _whereabouts({1: ("192.0.2.1:7467", "127.0.0.1:7467")})
    assert where.of(1) == ("192.0.2.1:7467", "127.0.0.1:7467")
    where.learn(1, "192.0.2.9:51234")
    assert where.of(1) == ("192.0.2.9:7467", "192.0.2.1:7467", "127.0.0.1:7467")
    where.learn(1, "[fe80::9]:40000")
    assert where.of(1)[0] == "[fe80::9]:7467"
    where.learn(1, "192.0.2.9:51299")
    assert where.of(1)[:2] == ("192.0.2.9:7467", "[fe80::9]:7467")
    assert where.of(2) == ()
    await node.close()


async def test_a_seat_that_moves_often_costs_no_memory_and_keeps_what_it_listed() -> None:
    listed = tuple(f"192.0.2.{n}:7467" for n in range(MAX_ADDRESSES))
    where, node = await _whereabouts({1: listed})
    for n in range(100):
        where.learn(1, f"198.51.100.{n}:40000")
    assert where.of(1) == (*(f"198.51.100.{n}:7467" for n in range(99, 99 - MAX_FOUND, -1)), *listed)
    assert len(where.of(1)) <= MAX_DIALLED
    await node.close()


async def test_a_game_of_one_machine_leaves_the_network_in_peace(monkeypatch: pytest.MonkeyPatch) -> None:
    async def asked(_self: Rendezvous, _public: bytes) -> tuple[str, ...]:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(Rendezvous, "places", asked)
    where, node = await _whereabouts({})
    await where.search(1)
    await where.rest()
    await where.close()
    assert where.of(1) == ()
    await node.close()


def test_the_name_of_a_seat_is_known_to_its_table_alone() -> None:
    names = {label_of(table, public) for table in (TABLE, b"\x01" * 32) for public in KEYS}
    assert len(names) == 6
    assert all(len(name) == 32 and KEYS[0].hex()[:8] not in name for name in names)
    assert len(SERVICE.split(".")[0]) <= 16


@pytest.mark.network
async def test_two_seats_find_each_other_by_their_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """On the loopback interface: the one that is asked first finds the other as soon as it asks as well."""
    monkeypatch.setattr("p2p.io.rendezvous.usable_addresses", lambda loopback: ("127.0.0.1",))
    table = os.urandom(32)
    one, other = Rendezvous(table, KEYS[0], 7001), Rendezvous(table, KEYS[1], 7002)
    stranger = Rendezvous(os.urandom(32), KEYS[1], 7003)
    try:
        async with asyncio.timeout(60):
            found: tuple[str, ...] = ()
            while not found:
                await other.places(KEYS[2])
                await stranger.places(KEYS[2])
                found = await one.places(KEYS[1])
        assert found == ("127.0.0.1:7002",)
        assert await one.places(KEYS[2]) == ()
    finally:
        for each in (one, other, stranger):
            await each.close()
    assert not one.is_open


async def test_without_a_network_nobody_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p.io.rendezvous.usable_addresses", lambda loopback: ())
    alone = Rendezvous(TABLE, KEYS[0], 7001)
    assert await alone.places(KEYS[1]) == ()
    assert not alone.is_open

    def broken(**_: object) -> None:
        raise OSError("the network went away")

    monkeypatch.setattr("p2p.io.rendezvous.usable_addresses", lambda loopback: ("127.0.0.1",))
    monkeypatch.setattr("zeroconf.asyncio.AsyncZeroconf", broken)
    assert await alone.places(KEYS[1]) == ()
    await alone.close()


def _part(table: Table, other: int) -> None:
    """From now on ``table`` and the seat ``other`` do not reach each other."""
    public = table.session.charter.seats[other].public
    redial, welcome = table._node.redial, table._welcome

    async def not_to_it(addresses: tuple[str, ...], wanted: bytes) -> Link | None:
        return None if wanted == public else await redial(addresses, wanted)

    def not_from_it(peer: bytes, link: Link) -> None:
        if peer == public:
            table._spawn(link.close())
        else:
            welcome(peer, link)

    table._node.redial = not_to_it
    table._welcome = not_from_it


async def test_two_who_do_not_reach_each_other_play_to_the_end_through_the_third(tmp_path: Path) -> None:
    nodes = await open_nodes(3)
    agreed = await gather(nodes, Offer("go-fish", SHORT, 3))
    async with WorkPool() as pool:
        tables = await sit(nodes, agreed, tmp_path, pool)
        ends = [asyncio.create_task(_play(table)) for table in tables]
        async with asyncio.timeout(60):
            while any(table.session.history.step < 4 for table in tables):  # noqa: ASYNC110  # it tells no step
                await asyncio.sleep(0.01)
        for one, other in ((1, 2), (2, 1)):
            _part(tables[one], other)
            if other in tables[one]._links:
                await tables[one]._links[other].close()
        async with asyncio.timeout(240):
            records = await asyncio.gather(*ends)
    for record in records:
        report = verify(record, game, GROUP)
        assert (report.verdict, report.finished) == ("sound", True)
    for node in nodes:
        await node.close()


async def _play(table: Table) -> bytes:
    """To the end, and leave at once, as a program does."""
    await play_to_end(table)
    record = table.record()
    await table.close()
    return record
