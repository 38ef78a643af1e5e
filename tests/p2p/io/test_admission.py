"""Limits met through real sockets: handshakes begun anew, and how much a seat may contribute."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.bench_seat import play_to_end
from engine.registry import game
from p2p.io.link import TooOften, Wire
from p2p.link import Initiator
from p2p.link import attempts as attempts_module
from p2p.log import MAX_BODY
from p2p.log.codec import pack
from p2p.log.entry import sign_entry
from p2p.log.wire import encode_message, frame_of
from p2p.verify import verify
from tests.p2p.io.open_tables import GROUP, open_nodes, open_tables
from tests.p2p.io.test_tcp import ADA, HOST, Door, door

__all__ = ["door"]

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
    monkeypatch.setattr(attempts_module, "PER_SECOND", 0.2)
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
