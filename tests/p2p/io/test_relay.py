"""Two seats that never reach each other, and what others can do with what they pass on."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from cli.bench_seat import play_to_end
from engine.registry import game
from p2p.io.link import PASS_ON, PASSED_ON, Link
from p2p.io.node import Node
from p2p.io.relay import CHUNK, MAX_HELD, MOST_CALLS, NUMBER, Relay
from p2p.io.table import Table
from p2p.link import Attempts
from p2p.verify import verify
from tests.p2p.io.open_tables import GROUP, open_nodes, open_tables

SHORT = {"ranks": "5", "hand_size": "3"}
LIMIT = 240
"""Seconds: many times what anything here takes on a busy machine."""


def hide(one: Node, other: Node) -> None:
    """The two do not reach each other, as behind a firewall that refuses."""
    for node, away in ((one, other.identity.public), (other, one.identity.public)):
        redial = node.redial

        async def not_to_it(addresses: tuple[str, ...], public: bytes, away=away, redial=redial):
            return None if public == away else await redial(addresses, public)

        node.redial = not_to_it


async def until(condition: object) -> None:
    async with asyncio.timeout(LIMIT):
        while not condition():  # noqa: ASYNC110  # nothing tells of it
            await asyncio.sleep(0.02)


@asynccontextmanager
async def tables(folder: Path, count: int, hidden: list[tuple[int, int]]) -> AsyncIterator[list[Table]]:
    nodes = await open_nodes(count)
    for one, other in hidden:
        hide(nodes[one], nodes[other])
    async with open_tables(nodes, folder, SHORT) as made:
        yield made


async def test_seats_that_never_reach_each_other_play_from_the_first_step(tmp_path: Path) -> None:
    async with tables(tmp_path, 3, [(1, 2)]) as (ann, ben, cem):
        async with asyncio.timeout(LIMIT):
            await asyncio.gather(*(play_to_end(table) for table in (ann, ben, cem)))
        for table in (ann, ben, cem):
            report = verify(table.record(), game, GROUP)
            assert (report.verdict, report.finished) == ("sound", True)
        assert not ben._links[2].is_direct
        assert not cem._links[1].is_direct


async def test_whoever_passes_on_may_go_and_another_one_does_it(tmp_path: Path) -> None:
    """The nearest seat passes on first; when its link to one of the two breaks, they meet by another way."""
    async with tables(tmp_path, 4, [(2, 3)]) as (_, ben, cem, dot):
        await until(lambda: 3 in cem.linked and 2 in dot.linked)
        first = cem._links[3]
        relay = cem._relay
        await until(lambda: {0, 1} <= relay._direct.keys())
        assert {key[0] for key in relay._pipes} == {0}
        forget = cem.session.charter.seats[0].public
        redial = cem._node.redial

        async def not_to_the_first(addresses: tuple[str, ...], public: bytes) -> Link | None:
            return None if public == forget else await redial(addresses, public)

        cem._node.redial = not_to_the_first
        await cem._links[0].close()
        await until(lambda: first.reason is not None)
        await until(lambda: 3 in cem.linked and 2 in dot.linked)
        assert ben.session.fault is None


async def _pair(count: int = 2) -> tuple[list[Node], list[Link]]:
    """Nodes, and links of all others to the first one, from its side and from theirs."""
    nodes = await open_nodes(count)
    links = []
    for node in nodes[1:]:
        theirs = await node.connect(nodes[0].addresses)
        links += [await nodes[0].arrivals.get(), theirs]
    return nodes, links


async def _close(nodes: list[Node], links: list[Link], *relays: Relay) -> None:
    for relay in relays:
        await relay.close()
    for link in links:
        await link.close()
    for node in nodes:
        await node.close()


async def test_frames_of_no_connection_open_nothing_and_end_nothing() -> None:
    nodes, (link, theirs) = await _pair()
    publics = [node.identity.public for node in nodes] + [bytes(32)]
    relay = Relay(nodes[0].identity, publics, lambda _: None)
    relay.attach(1, link)
    for payload in (b"", b"\x01", bytes([1]) + bytes(NUMBER), bytes([200]) + bytes(NUMBER) + b"x"):
        for kind in (PASS_ON, PASSED_ON):
            assert theirs.relay(kind, payload, MAX_HELD)
    await theirs.send(b"the last")
    assert await anext(link) == b"the last"
    assert not relay._pipes
    assert link.reason is None
    await _close(nodes, [link, theirs], relay)


async def test_a_seat_that_dials_without_end_costs_a_few_connections() -> None:
    nodes, (link, theirs) = await _pair()
    publics = [node.identity.public for node in nodes] + [bytes(32)]
    met: list[Link] = []
    relay = Relay(nodes[0].identity, publics, met.append)
    relay.attach(1, link)
    for _ in range(100):
        theirs.relay(PASSED_ON, bytes([2]) + os.urandom(NUMBER) + b"no TLS", MAX_HELD)
    await theirs.send(b"the last")
    assert await anext(link) == b"the last"
    assert len(relay._pipes) <= MOST_CALLS
    await until(lambda: not relay._pipes)
    assert not met
    await _close(nodes, [link, theirs], relay)


async def test_a_seat_that_dials_again_and_again_is_answered_a_few_times_a_second() -> None:
    """Each answer costs a handshake of TLS, and what that leaves in memory."""
    nodes, (link, theirs) = await _pair()
    relay = Relay(nodes[0].identity, [node.identity.public for node in nodes] + [bytes(32)], lambda _: None)
    relay.attach(1, link)
    relay._attempts = Attempts(0.001, 5)
    answered: set[bytes] = set()
    theirs.on_relayed = lambda _kind, payload: answered.add(payload[1 : 1 + NUMBER])
    for number in range(20):
        theirs.relay(PASSED_ON, bytes([2]) + number.to_bytes(NUMBER, "big") + b"no TLS", MAX_HELD)
        await theirs.send(b"the last")
        assert await anext(link) == b"the last"
        await until(lambda: not relay._pipes)
    await link.send(b"that was all")
    assert await anext(theirs) == b"that was all"
    assert len(answered) == 5
    await _close(nodes, [link, theirs], relay)


@pytest.mark.parametrize("is_liar", [True, False])
async def test_whoever_passes_on_cannot_answer_in_the_place_of_another(is_liar: bool) -> None:
    """Who is to pass on to seat 2 answers itself. Where seat 2 is its own it may."""
    nodes, (link, theirs) = await _pair()
    middle = nodes[1].identity
    publics = [nodes[0].identity.public, middle.public, bytes(32) if is_liar else middle.public]
    met: list[Link] = []
    caller = Relay(nodes[0].identity, publics, met.append)
    caller.attach(1, link)
    answering = Relay(middle, [publics[0]] * 3, met.append)
    answering.attach(0, theirs)
    theirs.on_relayed = lambda _, payload: answering._take((0, 2, payload[1:9]), payload[9:])
    relay = theirs.relay
    theirs.relay = lambda kind, payload, most: relay(PASSED_ON, payload, most)
    found = await caller.dial(2)
    if is_liar:
        assert found is None
        assert not met
    else:
        assert found is not None
        await until(lambda: met)
        await asyncio.gather(found.close(), met[0].close())
    await _close(nodes, [link, theirs], caller, answering)


async def test_what_is_passed_on_to_one_who_does_not_read_is_bounded_and_the_link_stays() -> None:
    nodes, links = await _pair(3)
    publics = [node.identity.public for node in nodes]
    relay = Relay(nodes[0].identity, publics, lambda _: None)
    relay.attach(1, links[0])
    relay.attach(2, links[2])
    links[3]._wire._reader._transport.pause_reading()
    data = bytes([2]) + bytes(NUMBER) + bytes(CHUNK)
    most = 0
    for _ in range(1000):  # eight times what is kept
        await until(lambda: links[1].relay(PASS_ON, data, MAX_HELD))
        most = max(most, links[2]._wire.unsent)
        await asyncio.sleep(0)
    await links[1].send(b"the last")
    assert await anext(links[0]) == b"the last"
    assert CHUNK < links[2]._wire.unsent <= MAX_HELD + 2 * CHUNK
    assert max(most, links[2]._wire.unsent) <= MAX_HELD + 2 * CHUNK
    assert links[2].reason is None
    links[3]._wire._reader._transport.resume_reading()
    await _close(nodes, links, relay)


@pytest.mark.parametrize("size", [1, CHUNK + 1, 3_000_000])
async def test_a_frame_of_any_size_arrives_whole(size: int) -> None:
    nodes, links = await _pair(3)
    publics = [node.identity.public for node in nodes]
    met: asyncio.Queue[Link] = asyncio.Queue()
    middle = Relay(nodes[0].identity, publics, lambda _: None)
    one = Relay(nodes[1].identity, publics, met.put_nowait)
    other = Relay(nodes[2].identity, publics, met.put_nowait)
    middle.attach(1, links[0])
    middle.attach(2, links[2])
    one.attach(0, links[1])
    other.attach(0, links[3])
    dialled = await one.dial(2)
    assert dialled is not None
    answered = await met.get()
    assert (dialled.peer, answered.peer) == (publics[2], publics[1])
    assert dialled.words == answered.words
    sent = [os.urandom(min(CHUNK * 7, size - at)) for at in range(0, size, CHUNK * 7)]
    for each in sent:
        await dialled.send(each)
    async with asyncio.timeout(LIMIT):
        assert [await anext(answered) for _ in sent] == sent
    await answered.close()
    await until(lambda: dialled.reason is not None)
    assert [frame async for frame in dialled] == []
    await dialled.close()
    await until(lambda: not one._pipes and not other._pipes)
    await _close(nodes, links, middle, one, other)
