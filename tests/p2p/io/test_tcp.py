"""Links over real TLS on the loopback interface, and what strangers may and may not do to a listener."""

import asyncio
import contextlib
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from p2p.identity import Identity
from p2p.io import link as link_module
from p2p.io import tcp
from p2p.io.link import CutOff, Wire
from p2p.io.tcp import CannotListen, Link, Listener, PortBusy, TooSlow, Unreachable, dial, listen
from p2p.io.tls import client_context, make_server
from p2p.link import (
    BadProof,
    Initiator,
    NotShoal,
    OwnIdentity,
    Responder,
    VersionMismatch,
    WrongPeer,
    frame,
)

pytestmark = pytest.mark.network

HOST = "127.0.0.1"
ADA, BEN, EVE = Identity(b"a" * 32), Identity(b"b" * 32), Identity(b"e" * 32)


class Door:
    """Ben's listener, with what came to it."""

    def __init__(self) -> None:
        self.links: asyncio.Queue[Link] = asyncio.Queue()
        self.refused: asyncio.Queue[str] = asyncio.Queue()
        self.listener: Listener
        self.made: list[Link] = []

    @property
    def address(self) -> str:
        return f"{HOST}:{self.listener.port}"

    async def arrived(self) -> Link:
        self.made.append(await self.links.get())
        return self.made[-1]

    async def dialled(self) -> tuple[Link, Link]:
        """Both ends of a new link: Ada's, who dialled, and Ben's."""
        mine = await dial(ADA, [self.address], expect=BEN.public)
        self.made.append(mine)
        while (his := await self.arrived()).session_id != mine.session_id:
            pass
        return mine, his

    async def is_unharmed(self) -> None:
        """It still lets an honest player in, and frames pass."""
        mine, his = await self.dialled()
        await mine.send(b"still there")
        assert await anext(his) == b"still there"


@pytest.fixture
async def door() -> AsyncIterator[Door]:
    it = Door()
    it.listener = await listen(
        BEN, HOST, on_link=it.links.put_nowait, on_refused=lambda _, reason: it.refused.put_nowait(reason)
    )
    yield it
    for each in it.made:
        await each.close()
    while not it.links.empty():
        await it.links.get_nowait().close()
    await it.listener.close()


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


async def authenticated_wire(door: Door) -> tuple[Wire, Link]:
    """Ada's end below the level of links, and Ben's link."""
    wire = await Wire.connect(HOST, door.listener.port)
    initiator = Initiator(ADA, wire.channel, bytes(32))
    wire.write(initiator.hello)
    step, proof = initiator.receive(await wire.expect())
    wire.write(proof)
    step.receive(await wire.expect())
    return wire, await door.arrived()


@contextlib.asynccontextmanager
async def serving(
    handle: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]], tls: bool = True
) -> AsyncIterator[tuple[str, bytes]]:
    """Some other server: its address, and the hash of its certificate."""
    side = make_server()
    tasks: set[asyncio.Task[None]] = set()

    async def served(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        try:
            with contextlib.suppress(OSError, asyncio.CancelledError):
                await handle(reader, writer)
        finally:
            writer.transport.abort()

    server = await asyncio.start_server(served, HOST, 0, ssl=side.context if tls else None)
    try:
        yield f"{HOST}:{server.sockets[0].getsockname()[1]}", side.channel
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


# --- honest players


async def test_both_ends_know_each_other_and_show_the_same_words(door: Door) -> None:
    mine, his = await door.dialled()
    assert (mine.peer, his.peer) == (BEN.public, ADA.public)
    assert mine.words == his.words
    assert mine.session_id == his.session_id
    assert mine.version == his.version == 1
    assert mine.address == door.address
    assert his.address.startswith(f"{HOST}:")


async def test_frames_arrive_whole_and_in_order(door: Door) -> None:
    mine, his = await door.dialled()
    sent = [bytes([number]) * size for number, size in enumerate([1, 70_000, tcp_max(), 3, 4096, 4097])]
    for payload in [*sent, b""]:
        await mine.send(payload)
        await his.send(payload)
    assert [await anext(his) for _ in range(7)] == [*sent, b""]
    assert [await anext(mine) for _ in range(7)] == [*sent, b""]


def tcp_max() -> int:
    return link_module.MAX_PAYLOAD


async def test_a_frame_above_the_maximum_is_the_callers_mistake(door: Door) -> None:
    mine, _ = await door.dialled()
    with pytest.raises(ValueError, match="at most 263168 bytes"):
        await mine.send(bytes(tcp_max() + 1))


async def test_the_largest_frame_of_the_protocol_fits() -> None:
    from p2p.log import MAX_FRAME

    assert MAX_FRAME <= link_module.MAX_PAYLOAD


async def test_what_was_sent_before_closing_arrives(door: Door) -> None:
    mine, his = await door.dialled()
    await mine.send(b"sorry, the table is full")
    await mine.close()
    assert [payload async for payload in his] == [b"sorry, the table is full"]
    assert [payload async for payload in his] == []
    assert his.reason == "The other side closed the link."
    assert mine.reason == "The link was closed here."
    await mine.send(b"into the void")
    await his.send(b"into the void")
    await mine.close()


async def test_a_frame_sent_with_the_last_message_of_the_handshake_is_not_lost(door: Door) -> None:
    """Ben sends 60,000 bytes at once with his acceptance, more than a stranger may."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        wire = Wire(reader, writer)
        step, answer = Responder(EVE, channel[0], bytes(32)).receive(await wire.expect())
        wire.write(answer)
        _, accept = step.receive(await wire.expect())
        writer.write(frame(accept) + frame(b"\x00" + bytes(60_000)))
        await asyncio.sleep(10)

    channel: list[bytes] = []
    async with serving(handle) as (address, hash_of_it):
        channel.append(hash_of_it)
        mine = await dial(ADA, [address])
        assert await anext(mine) == bytes(60_000)
        await mine.close()


async def test_of_several_addresses_one_link_comes_about(door: Door) -> None:
    async def stall(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(10)

    port = door.listener.port
    async with serving(stall) as (slow, _):
        places = [slow, f"{HOST}:1", f"localhost:{port}", door.address, f"127.0.0.2:{port}", "nonsense"]
        mine = await dial(ADA, places, expect=BEN.public)
    his = await door.arrived()
    await mine.send(b"one")
    assert await anext(his) == b"one"
    await asyncio.sleep(0.05)
    assert door.links.empty()
    await mine.close()


async def test_the_right_identity_wins_among_wrong_ones(door: Door) -> None:
    other = await listen(EVE, HOST, on_link=lambda _: None)
    mine = await dial(ADA, [f"{HOST}:{other.port}", door.address], expect=BEN.public)
    assert mine.peer == BEN.public
    await mine.close()
    await other.close()


async def test_links_outlive_their_listener(door: Door) -> None:
    mine, his = await door.dialled()
    await door.listener.close()
    await mine.send(b"on we play")
    assert await anext(his) == b"on we play"


async def test_a_connection_that_comes_while_the_listener_closes_is_no_error(door: Door) -> None:
    loop = asyncio.get_running_loop()
    errors: list[dict[str, object]] = []
    loop.set_exception_handler(lambda _, context: errors.append(context))
    await asyncio.sleep(0)  # it listens
    with socket.create_connection((HOST, door.listener.port)):
        # A task begins in the turn of the loop in which the connection is seen, and before that is told.
        await asyncio.create_task(door.listener.close())
    assert errors == []


async def test_a_cancelled_dial_leaves_nothing_behind(door: Door) -> None:
    before = len(asyncio.all_tasks())
    for milliseconds in range(12):
        task = asyncio.create_task(dial(ADA, [door.address]))
        await asyncio.sleep(milliseconds / 1000)
        task.cancel()
        for link in await asyncio.gather(task, return_exceptions=True):
            if isinstance(link, Link):
                await link.close()
    while len(asyncio.all_tasks()) > before:  # until Ben has noticed all of it
        while not door.links.empty():
            await door.links.get_nowait().close()
        await asyncio.sleep(0.01)
    await door.is_unharmed()


# --- nobody, or somebody else


async def test_where_nobody_listens() -> None:
    with pytest.raises(Unreachable, match=r"Nobody answers at 127\.0\.0\.1:1 \(connection refused\); check"):
        await dial(ADA, [f"{HOST}:1"])
    with pytest.raises(Unreachable, match="no address is known"):
        await dial(ADA, [])


async def test_where_something_without_tls_listens() -> None:
    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail.example ESMTP\r\n")
        await asyncio.sleep(10)

    async with serving(greet, tls=False) as (address, _):
        with pytest.raises(Unreachable, match="no TLS there"):
            await dial(ADA, [address])


async def test_where_another_program_with_tls_listens() -> None:
    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        await asyncio.sleep(10)

    async def say_something_else(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(frame(b"not MessagePack"))
        await asyncio.sleep(10)

    async with serving(say_something_else) as (address, _):
        with pytest.raises(NotShoal):
            await dial(ADA, [address])
    async with serving(greet) as (address, _):
        with pytest.raises(tcp.LinkError, match="where 1 to 4096 are allowed"):
            await dial(ADA, [address])


async def test_somebody_else_than_expected(door: Door) -> None:
    with pytest.raises(WrongPeer):
        await dial(ADA, [door.address], expect=EVE.public)
    await door.is_unharmed()


async def test_the_own_table(door: Door) -> None:
    with pytest.raises(OwnIdentity):
        await dial(BEN, [door.address])
    assert "your own identity" in await door.refused.get()
    await door.is_unharmed()


async def test_another_version(door: Door) -> None:
    with pytest.raises(VersionMismatch, match="speaks protocol version 1, this one 7, 8;"):
        await dial(ADA, [door.address], versions=(7, 8))
    assert "speaks protocol version 7, 8, this one 1;" in await door.refused.get()
    await door.is_unharmed()


async def test_a_port_in_use_is_named(door: Door) -> None:
    port = door.listener.port
    with pytest.raises(PortBusy, match=rf"^Port {port} is in use .* --port 0"):
        await listen(EVE, HOST, port, on_link=lambda _: None)


@pytest.mark.parametrize(("host", "port"), [("192.0.2.1", 0), (HOST, 70_000)])
async def test_an_address_that_cannot_be_listened_at(host: str, port: int) -> None:
    with pytest.raises(CannotListen, match=f"listen at {host}:{port}"):
        await listen(EVE, host, port, on_link=lambda _: None)


# --- attackers


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


# --- after the handshake


async def test_a_peer_that_does_not_read_is_dropped(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    wire, his = await authenticated_wire(door)
    monkeypatch.setattr(link_module, "MAX_UNSENT", 2**20)
    for _ in range(200):  # 50 MB, more than any socket buffers
        await his.send(bytes(tcp_max()))
        await asyncio.sleep(0)
    assert his.reason == "The other side left 1 MiB unread; its program or network has stopped."
    assert [payload async for payload in his] == []
    wire.abort()
    await door.is_unharmed()


async def test_a_peer_that_vanishes_is_noticed(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_module, "BEAT_TIME", 0.05)
    monkeypatch.setattr(link_module, "SILENCE", 0.3)
    wire, his = await authenticated_wire(door)
    assert [payload async for payload in his] == []
    assert his.reason == "Nothing was heard from the other side for 0.3 seconds."
    wire.abort()


async def test_signs_of_life_keep_an_idle_link_up(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_module, "BEAT_TIME", 0.05)
    monkeypatch.setattr(link_module, "SILENCE", 0.5)
    mine, his = await door.dialled()
    await asyncio.sleep(1)
    assert mine.reason is his.reason is None


async def test_a_slow_reader_of_ours_makes_the_peer_wait_and_loses_nothing(
    door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link_module, "MAX_UNREAD", 100_000)
    monkeypatch.setattr(link_module, "BEAT_TIME", 0.05)
    monkeypatch.setattr(link_module, "SILENCE", 0.3)
    mine, his = await door.dialled()
    for number in range(60):
        await mine.send(bytes([number]) * 200_000)
    await asyncio.sleep(0.6)  # longer than the silence that would end the link
    assert his._unread_bytes <= 100_000 + 200_000
    for number in range(60):
        assert await anext(his) == bytes([number]) * 200_000
    assert mine.reason is his.reason is None


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (frame(b"\x05?"), "a frame of an unknown kind"),
        ((2**20).to_bytes(4, "big"), "a frame of 1048576 bytes where 1 to 263169 are allowed"),
        (bytes(4), "a frame of 0 bytes"),
    ],
)
async def test_a_bad_frame_ends_the_link_and_nothing_else(door: Door, data: bytes, reason: str) -> None:
    wire, his = await authenticated_wire(door)
    wire._writer.write(data)
    assert [payload async for payload in his] == []
    assert his.reason is not None
    assert reason in his.reason
    wire.abort()
    await door.is_unharmed()


async def test_a_broken_connection_ends_the_link(door: Door) -> None:
    wire, his = await authenticated_wire(door)
    wire.abort()
    assert [payload async for payload in his] == []
    assert his.reason is not None


async def test_closing_does_not_wait_for_a_peer_that_has_stopped(door: Door) -> None:
    wire, his = await authenticated_wire(door)
    wire._writer.transport.pause_reading()
    await his.send(bytes(tcp_max()))
    async with asyncio.timeout(20):  # asyncio itself would wait for 30 seconds
        await his.close()
    wire.abort()


async def test_nothing_runs_on_after_everything_was_closed() -> None:
    links: asyncio.Queue[Link] = asyncio.Queue()
    listener = await listen(BEN, HOST, on_link=links.put_nowait)
    mine = await dial(ADA, [f"{HOST}:{listener.port}"])
    his = await links.get()
    await mine.close()
    await his.close()
    await listener.close()
    assert asyncio.all_tasks() == {asyncio.current_task()}
