"""Limits met through real sockets: handshakes begun anew, and how much a seat may contribute."""

from __future__ import annotations

import asyncio
import gc
import sys
from asyncio.sslproto import SSLProtocol
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.bench_seat import play_to_end
from engine.registry import game
from p2p.io import tcp
from p2p.io.link import FRAME_COST, MAX_UNASKED, TooOften, Wire
from p2p.link import Attempts, Initiator
from p2p.link import attempts as attempts_module
from p2p.log import MAX_BODY
from p2p.log.codec import pack
from p2p.log.entry import sign_entry
from p2p.log.wire import encode_message, frame_of
from p2p.verify import verify
from tests.p2p.io.door import ADA, HOST, Door, authenticated_wire
from tests.p2p.io.open_tables import GROUP, open_nodes, open_tables

pytestmark = pytest.mark.network

LIMIT = 60.0
"""Seconds that anything here may take on a busy machine."""


async def until(reached: Callable[[], bool]) -> None:
    while not reached():  # noqa: ASYNC110  # sessions have no event for it
        await asyncio.sleep(0.01)


async def begun(door: Door) -> bool:
    """Begin a handshake, look at the words, and break off: whether there were any to look at."""
    wire = await Wire.connect(HOST, door.listener.port)
    initiator = Initiator(ADA, wire.channel, bytes(32))
    wire.write(initiator.hello)
    answer = await wire.read()
    wire.abort()
    return answer is not None


async def test_whoever_begins_handshakes_again_and_again_gets_no_more_words(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attempts_module, "AT_ONCE", 5)
    monkeypatch.setattr(attempts_module, "PER_SECOND", 0.001)
    async with asyncio.timeout(LIMIT):
        assert [await begun(door) for _ in range(8)] == [True] * 5 + [False] * 3
        told = [await door.refused.get() for _ in range(8)]
        assert told.count(str(TooOften())) == 3


@pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux has the whole of 127/8 on its loopback interface"
)
async def test_another_address_is_let_in_meanwhile(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts_module, "AT_ONCE", 1)
    monkeypatch.setattr(attempts_module, "PER_SECOND", 0.001)
    taken = door.listener._attempts
    while taken.take("127.0.0.9", asyncio.get_running_loop().time()):
        pass
    async with asyncio.timeout(LIMIT):
        await door.is_unharmed()


@pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux has the whole of 127/8 on its loopback interface"
)
async def test_whoever_connects_again_and_again_is_closed_unread_and_others_are_let_in(door: Door) -> None:
    door.listener._connections = Attempts(0.001, 5)
    async with asyncio.timeout(LIMIT):
        for _ in range(8):
            _, writer = await asyncio.open_connection(HOST, door.listener.port, local_addr=("127.0.0.9", 0))
            writer.transport.abort()
        told = [await door.refused.get() for _ in range(8)]
        assert told.count(str(TooOften())) == 3
        await door.is_unharmed()


async def test_what_strangers_leave_behind_is_collected(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program in a game hardly ever collects all its garbage, and a broken connection holds 10 KB."""
    monkeypatch.setattr(tcp, "COLLECT_EVERY", 10)
    monkeypatch.setattr(tcp, "COLLECT_PAUSE", 0.0)
    gc.collect()
    gc.disable()
    try:
        async with asyncio.timeout(LIMIT):
            for _ in range(60):
                _, writer = await asyncio.open_connection(HOST, door.listener.port)
                writer.write(b"no TLS at all")
                await door.refused.get()
                writer.transport.abort()
        left = sum(isinstance(each, SSLProtocol) for each in gc.get_objects())
    finally:
        gc.enable()
    assert left <= 20


async def test_a_stranger_of_whom_no_second_frame_is_asked_costs_little(door: Door) -> None:
    """Anybody can prove some key: whoever has applied and waits for an answer must not fill our memory."""
    frames = 60
    async with asyncio.timeout(LIMIT):
        wire, link = await authenticated_wire(door)
        for number in range(frames):
            wire.write(b"\0" + bytes([number]) * 100_000)
        assert await anext(link) == bytes(100_000)
        await until(lambda: link._unread_bytes > MAX_UNASKED)
        for _ in range(100):
            await asyncio.sleep(0.01)
            assert link._unread_bytes <= MAX_UNASKED + 100_000 + FRAME_COST
        assert [(await anext(link))[0] for _ in range(frames - 1)] == list(range(1, frames))
        wire.abort()


async def test_nothing_is_unsent_over_a_link_that_is_down(door: Door) -> None:
    """Found under load: a spectator whose link went down while it was served left a task with an error."""
    async with asyncio.timeout(LIMIT):
        wire, link = await authenticated_wire(door)
        wire.abort()
        await link.ended()
        await link.close()
        assert link.unsent == 0
        assert not link.is_behind


async def test_a_contribution_as_large_as_any_may_be_is_named_and_grows_no_transcript(tmp_path: Path) -> None:
    """256 KiB of nothing, signed: it is evidence, and not part of the history."""
    async with asyncio.timeout(4 * LIMIT), open_tables(await open_nodes(3), tmp_path) as tables:
        liar, honest = tables[2], tables[:2]
        playing = asyncio.gather(*(play_to_end(table) for table in tables), return_exceptions=True)
        await until(lambda: liar.session.history.step >= 6)
        history = liar.session.history
        before = len(honest[0].record())
        body = pack([bytes(MAX_BODY - 16)])
        entry = sign_entry(
            liar._node.identity, history.table_id, history.epoch, history.step, 2, history.head, body
        )
        for link in liar._links.values():
            await link.send(encode_message(frame_of(entry, history.head)))
        await until(lambda: all(table.session.fault is not None for table in honest))
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        for table in honest:
            report = verify(table.record(), game, GROUP)
            assert (report.verdict, report.seat) == ("cheated", 2)
            assert len(table.record()) < before + 2 * MAX_BODY
