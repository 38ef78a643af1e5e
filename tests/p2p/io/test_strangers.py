"""Whoever knocks at a listener and is no honest player: found, bounded, and cut off; others still get in."""

import asyncio
import contextlib
import socket
import sys

import pytest

from p2p.identity import Identity
from p2p.io import tcp
from p2p.io.link import CutOff
from p2p.io.tcp import TooSlow, dial, listen
from p2p.io.tls import client_context
from p2p.link import (
    BadProof,
    NotShoal,
    frame,
)
from tests.p2p.io.door import ADA, BEN, HOST, Door, serving

pytestmark = pytest.mark.network


async def raw(door: Door) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A TLS connection without any handshake of ours."""
    return await asyncio.open_connection(
        HOST, door.listener.port, ssl=client_context(), ssl_shutdown_timeout=0.1
    )


async def raw_in_time(door: Door) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """The same where there is little time for TLS, in which a busy machine may not get through with it."""
    while True:
        try:
            return await raw(door)
        except OSError:
            await door.refused.get()


async def test_a_man_in_the_middle_with_his_own_certificate_is_found(door: Door) -> None:
    """He passes every message on unchanged."""

    async def pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        while data := await source.read(65536):
            sink.write(data)
            await sink.drain()
        sink.write_eof() if sink.can_write_eof() else sink.close()

    async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        onward = await raw(door)
        try:
            await asyncio.gather(pump(reader, onward[1]), pump(onward[0], writer))
        finally:
            onward[1].transport.abort()

    async with serving(relay) as (address, _):
        with pytest.raises(CutOff):
            await dial(ADA, [address], expect=BEN.public)
    assert "could not prove its identity on this channel" in await door.refused.get()
    assert door.links.empty()
    await door.is_unharmed()


class Liar(Identity):
    """Signs with its own key under the public key of somebody else."""

    __slots__ = ()

    def __init__(self, seed: bytes, public: bytes) -> None:
        super().__init__(seed)
        object.__setattr__(self, "public", public)


async def test_the_right_certificate_with_the_wrong_key_is_found(door: Door) -> None:
    with pytest.raises(CutOff):
        await dial(Liar(b"e" * 32, ADA.public), [door.address])
    assert "could not prove its identity" in await door.refused.get()
    assert door.links.empty()
    liar = await listen(Liar(b"e" * 32, BEN.public), HOST, on_link=door.links.put_nowait)
    with pytest.raises(BadProof):
        await dial(ADA, [f"{HOST}:{liar.port}"], expect=BEN.public)
    await liar.close()
    await door.arrived()  # the liar's end, which the fixture closes


async def test_a_mirror_is_found() -> None:
    async def mirror(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(4096):
            writer.write(data)

    async with serving(mirror) as (address, _):
        with pytest.raises(NotShoal):
            await dial(ADA, [address])


async def test_garbage_instead_of_tls(door: Door) -> None:
    _, writer = await asyncio.open_connection(HOST, door.listener.port)
    writer.write(b"GET / HTTP/1.1\r\n\r\n" * 100)
    assert "no TLS there" in await door.refused.get()
    writer.close()
    await door.is_unharmed()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (frame(b"\xc1garbage"), "an unknown message"),
        (b"\xff\xff\xff\xff", "a frame of 4294967295 bytes"),
        ((4097).to_bytes(4, "big"), "a frame of 4097 bytes"),
        (bytes(4), "a frame of 0 bytes"),
        (frame(b"\x91\xa5hello"), "an unknown message"),
    ],
)
async def test_garbage_after_tls(door: Door, data: bytes, reason: str) -> None:
    reader, writer = await raw(door)
    writer.write(data)
    assert reason in await door.refused.get()
    assert await reader.read() == b""
    writer.close()
    await door.is_unharmed()


async def test_an_end_after_tls(door: Door) -> None:
    _, writer = await raw(door)
    writer.close()
    assert "closed the connection before" in await door.refused.get()
    await door.is_unharmed()


@pytest.mark.parametrize("with_tls", [False, True])
async def test_silence_is_cut_off(door: Door, with_tls: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tcp, "HANDSHAKE_TIME", 0.3)
    if with_tls:
        reader, writer = await raw_in_time(door)
    else:
        reader, writer = await asyncio.open_connection(HOST, door.listener.port)
    assert await door.refused.get() == str(TooSlow(seconds=0.3))
    with contextlib.suppress(OSError):
        assert await reader.read() == b""
    writer.transport.abort()
    monkeypatch.undo()
    await door.is_unharmed()


async def test_a_silent_server_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tcp, "HANDSHAKE_TIME", 0.3)

    async def stall(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(10)

    async with serving(stall) as (address, _):
        with pytest.raises(TooSlow):
            await dial(ADA, [address])


@pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux has the whole of 127/8 on its loopback interface"
)
async def test_a_hundred_stalled_connections_do_not_keep_others_out(door: Door) -> None:
    stalled = []
    for _ in range(100):
        each = socket.create_connection((HOST, door.listener.port), source_address=("127.0.0.9", 0))
        stalled.append(each)
        await asyncio.sleep(0)
    for _ in range(100 - tcp.MAX_STRANGERS_PER_ADDRESS):
        assert "Too many unfinished connections" in await door.refused.get()
    assert door.refused.empty()
    await door.is_unharmed()
    for each in stalled:
        each.close()


async def test_a_place_is_free_again_when_a_stranger_has_gone(door: Door) -> None:
    for _ in range(tcp.MAX_STRANGERS_PER_ADDRESS + 5):
        _, writer = await raw(door)
        writer.transport.abort()
        await door.refused.get()
    await door.is_unharmed()
