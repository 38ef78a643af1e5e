"""Links over real TLS on the loopback interface: honest players, other servers, and how a link ends."""

import asyncio
import socket

import pytest

from p2p.io import link as link_module
from p2p.io import tcp
from p2p.io.link import Wire
from p2p.io.tcp import CannotListen, Link, PortBusy, Unreachable, dial, listen
from p2p.link import (
    NotShoal,
    OwnIdentity,
    Responder,
    VersionMismatch,
    WrongPeer,
    frame,
)
from tests.p2p.io.door import ADA, BEN, EVE, HOST, Door, authenticated_wire, serving

pytestmark = pytest.mark.network


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
