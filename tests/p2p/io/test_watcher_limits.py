"""What one who watches may cost a seat: one whose program is stopped, one who sends rubbish, and the pace at
which any is served. Real links on loopback, and the pace without any clock."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.registry import game
from p2p.io import link as link_module
from p2p.io import spectators as module
from p2p.io.link import MAX_PAYLOAD, Wire
from p2p.io.spectators import MAX_ASKING_PER_ADDRESS, RATE, TURN, Spectators
from p2p.io.tls import client_context
from p2p.log import encode
from p2p.session.watching import Watch
from p2p.verify import verify
from tests.p2p.io.open_tables import GROUP, proved
from tests.p2p.io.test_spectators import LIMIT, Room, a_room, until

pytestmark = pytest.mark.network

ROOT = Path(__file__).resolve().parents[3]


async def wire_of_watcher(room: Room) -> Wire:
    """The bare wire of somebody who has asked to watch at seat 0, and is being served."""
    wire = await proved(await Wire.connect("127.0.0.1", room.nodes[0].port))
    wire.write(b"\0" + encode(Watch("Eve", 0, b"")))
    await until(lambda: room.nodes[0].spectators.names == ("Eve",))
    return wire


def is_sound(room: Room) -> bool:
    """Whether every seat has the whole game, and nobody is blamed in it."""
    reports = [verify(table.record(), game, GROUP) for table in room.tables]
    return all((report.verdict, report.finished) == ("sound", True) for report in reports)


# --- rubbish ------------------------------------------------------------------------------------------------

RUBBISH = {
    "a frame of four gigabytes": b"\xff\xff\xff\xff",
    "an empty frame": bytes(4),
    "a frame of an unknown kind": b"\0\0\0\2\x09x",
    "a frame for another seat": b"\0\0\0\x0c\x03\x01" + bytes(8) + b"hi",
    "the largest frame there is": (MAX_PAYLOAD + 1).to_bytes(4, "big") + bytes(MAX_PAYLOAD + 1),
    "noise": bytes(range(1, 256)) * 40,
}


async def test_rubbish_from_a_watcher_ends_its_link_and_nothing_else(tmp_path: Path) -> None:
    async with a_room(tmp_path) as room:
        for rubbish in RUBBISH.values():
            wire = await wire_of_watcher(room)
            wire._writer.write(rubbish)  # below the level of frames
            await until(lambda: room.nodes[0].spectators.names == ())
            wire.abort()
        await room.play()
        assert is_sound(room)


async def test_half_a_frame_of_a_watcher_is_waited_for_no_longer_than_silence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link_module, "SILENCE", 1.0)
    monkeypatch.setattr(link_module, "BEAT_TIME", 0.2)
    async with a_room(tmp_path) as room:
        wire = await wire_of_watcher(room)
        wire._writer.write((MAX_PAYLOAD).to_bytes(4, "big") + bytes(1000))
        playing = asyncio.create_task(room.play())
        await until(lambda: room.nodes[0].spectators.names == ())
        await playing
        assert is_sound(room)
        wire.abort()


# --- those who ask for nothing ------------------------------------------------------------------------------


@pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux has the whole of 127/8 on its loopback interface"
)
async def test_one_address_that_asks_for_nothing_keeps_nobody_from_asking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "ASK_TIME", LIMIT)
    async with a_room(tmp_path) as room:
        silent = [await wire_from("127.0.0.9", room) for _ in range(2 * MAX_ASKING_PER_ADDRESS)]
        await until(lambda: room.nodes[0].spectators._asking.total() == MAX_ASKING_PER_ADDRESS)
        wire = await wire_of_watcher(room)
        for each in (wire, *silent):
            each.abort()
        await until(lambda: not room.nodes[0].spectators._asking)  # nothing is kept of who has gone
        await room.play()
        assert is_sound(room)


async def wire_from(address: str, room: Room) -> Wire:
    """The bare wire of somebody at another address, who has proved some key and says nothing."""
    reader, writer = await asyncio.open_connection(
        "127.0.0.1", room.nodes[0].port, ssl=client_context(), ssl_shutdown_timeout=0.1,
        local_addr=(address, 0),
    )  # fmt: skip
    return await proved(Wire(reader, writer))


# --- a program that is stopped ------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="no program can be stopped there")
async def test_a_watcher_that_is_stopped_is_dropped_and_sees_the_rest_when_it_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a laptop whose lid is closed. The real program watches; the table plays on without it."""
    monkeypatch.setattr(link_module, "SILENCE", 2.0)  # of the table's side
    async with a_room(tmp_path) as room:
        watching = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "cli", "watch", f"127.0.0.1:{room.nodes[0].port}", "--plain",
            "--name", "Gus",
            cwd=ROOT, env={**os.environ, "SHOAL_HOME": str(tmp_path / "gus"), "SHOAL_LANG": "en"},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
        )  # fmt: skip
        said = asyncio.create_task(watching.communicate())
        try:
            await until(lambda: room.nodes[0].spectators.names == ("Gus",))
            watching.send_signal(signal.SIGSTOP)
            held = [each.link for each in room.nodes[0].spectators._watching]
            playing = asyncio.create_task(room.play())
            await until(lambda: room.nodes[0].spectators.names == ())
            await playing
            assert is_sound(room)
            assert all(link.reason is not None and not link.unsent for link in held)
            watching.send_signal(signal.SIGCONT)
            output, _ = await asyncio.wait_for(said, LIMIT)
        finally:
            if watching.returncode is None:
                watching.kill()
                await watching.wait()
        assert watching.returncode == 0, output.decode()


# --- the pace -----------------------------------------------------------------------------------------------


class _Link:
    """A link that takes everything at once."""

    reason: str | None = None
    unsent = 0

    def __init__(self) -> None:
        self.sizes: list[int] = []

    async def send(self, frame: bytes) -> None:
        self.sizes.append(len(frame))

    async def close(self) -> None:
        self.reason = "closed"


@pytest.mark.parametrize("size", [200, 5_000, 75_000, MAX_PAYLOAD])
async def test_nobody_is_sent_more_than_the_rate_however_long_the_history(
    monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    """Twelve megabytes to one whose link takes everything: the pauses in between keep to the rate."""
    spectators, link = Spectators("Ann"), _Link()
    spectator = module._Spectator(link, None, "Gus")  # all of a link that is used
    left = [12 * 1024 * 1024 // size]
    turns: list[tuple[int, float]] = []

    def following(_spectator: Any) -> list[bytes]:
        left[0] -= 1
        spectator.is_told = left[0] <= 0
        return [bytes(size)] if left[0] >= 0 else []

    async def pause(seconds: float) -> None:
        turns.append((sum(link.sizes) - sum(sent for sent, _ in turns), seconds))

    monkeypatch.setattr(spectators, "_next", following)
    monkeypatch.setattr("p2p.io.spectators.asyncio.sleep", pause)
    await spectators._send(spectator)
    assert sum(link.sizes) == 12 * 1024 * 1024 // size * size
    assert len(turns) > 40
    for sent, seconds in turns:
        assert sent < RATE * TURN + size
        assert sent <= RATE * seconds + 1e-6
        assert seconds >= TURN
