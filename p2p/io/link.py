"""One authenticated link: frames both ways over TLS, with signs of life.

A link never makes its user wait for a slow peer and never raises because of one: frames to a link that is
down go nowhere, the iteration over it ends, and ``Link.reason`` says why. After the handshake a frame is one
byte of kind and a payload (docs/protocol_links.md, section 5).
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
from collections.abc import AsyncIterator, Callable
from typing import Any, Final

from ..link import (
    MAX_MESSAGE,
    Authenticated,
    FrameDecoder,
    LinkError,
    OwnIdentity,
    Responder,
    VersionMismatch,
    frame,
    place_of,
)
from .tls import channel_hash, client_context

MAX_PAYLOAD = 257 * 1024
"""Bytes of one payload: the largest contribution (256 KiB) and its envelope."""

HANDSHAKE_TIME = 5.0
"""Seconds for each of TLS and the handshake: a thousand times what a LAN needs, short for a stranger who
stalls."""

CLOSE_TIME = 1.0
"""Seconds a closing link may take to hand over its last frames; asyncio alone would wait 30 for a vanished
peer."""

BEAT_TIME = 3.0
SILENCE = 10.0
"""Seconds between signs of life, and without one until the peer counts as gone: three may be lost or late."""

MAX_UNSENT = 16 * 1024 * 1024
"""Bytes kept for a peer that does not read: the longest history a returning player asks for (12 MB) fits."""

MAX_BEHIND = 2 * 1024 * 1024
"""Bytes that a peer may be behind with reading before it is heard no further (``caught_up``): so questions
cost nobody more memory than two answers. Less than ``MAX_UNREAD``, so that two who are both behind still
read each other."""

MAX_UNASKED = 64 * 1024
"""Bytes of frames kept of a peer of which no second frame was asked for: one that has applied and waits for
an answer, or whom nobody hears. What it has proved is a key, and anybody can make one."""

MAX_UNREAD = 4 * 1024 * 1024
FRAME_COST = 100
"""Bytes of frames kept until they are asked for, and what each counts beyond its payload, since an empty one
takes memory as well; then we stop reading, and TCP makes the peer wait."""

READ_SIZE = 64 * 1024
"""Bytes read at once, and half of what may wait in a stream before TCP makes the peer wait: the default of
asyncio."""

_DATA, _BEAT, _BYE = b"\x00", b"\x01", b"\x02"

PASS_ON, PASSED_ON = b"\x03", b"\x04"
"""Kinds of frames between two others that do not reach each other: what the receiver is to pass on, and what
was passed on to it (``relay``)."""


class CutOff(LinkError):
    """The other side closed the connection before the handshake was over; ask what its player was told."""


class TooOften(LinkError):
    """Too many handshakes were begun from there; one more is answered in a moment."""


class Wire:
    """Frames over one TLS stream."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._loop = asyncio.get_running_loop()
        self._closing = False
        self.decoder: Final = FrameDecoder(MAX_MESSAGE)
        self.heard = self._loop.time()
        """When bytes last arrived."""
        writer.transport.set_write_buffer_limits(high=MAX_BEHIND)

    @classmethod
    async def accept(cls, connection: socket.socket, context: ssl.SSLContext) -> Wire:
        """The side that was dialled."""
        reader = asyncio.StreamReader(limit=READ_SIZE)
        protocol = asyncio.StreamReaderProtocol(reader)
        loop = asyncio.get_running_loop()
        transport, _ = await loop.connect_accepted_socket(
            lambda: protocol,
            connection,
            ssl=context,
            ssl_handshake_timeout=HANDSHAKE_TIME,
            ssl_shutdown_timeout=CLOSE_TIME,
        )
        return cls(reader, asyncio.StreamWriter(transport, protocol, reader, loop))

    @classmethod
    async def connect(cls, host: str, port: int) -> Wire:
        """The dialling side."""
        return await cls._dialled(host=host, port=port)

    @classmethod
    async def over(cls, connection: socket.socket) -> Wire:
        """The dialling side over a connection that is there already."""
        return await cls._dialled(sock=connection, server_hostname="")

    @classmethod
    async def _dialled(cls, **where: Any) -> Wire:
        reader, writer = await asyncio.open_connection(
            **where,
            limit=READ_SIZE,
            ssl=client_context(),
            ssl_handshake_timeout=HANDSHAKE_TIME,
            ssl_shutdown_timeout=CLOSE_TIME,
        )
        return cls(reader, writer)

    @property
    def channel(self) -> bytes:
        """The hash of the certificate the server showed (client side only)."""
        certificate = self._writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
        return channel_hash(certificate)

    @property
    def unsent(self) -> int:
        """Bytes that the operating system has not taken yet; none once the connection has ended."""
        try:
            return self._writer.transport.get_write_buffer_size()
        except AttributeError:  # a TLS transport that has ended has let go of what knew it
            return 0

    def write(self, content: bytes) -> None:
        """One frame; ``drain`` waits until it is gone."""
        self._writer.write(frame(content))

    async def read(self) -> bytes | None:
        """The next frame, or ``None`` at the end. Raises ``FrameRefused`` or ``OSError``."""
        while (content := self.decoder.next_frame()) is None:
            data = await self._reader.read(READ_SIZE)
            if not data:
                return None
            self.heard = self._loop.time()
            self.decoder.feed(data)
        return content

    def listen_again(self) -> None:
        """This side did not read, or its program was stopped, for a while: that is no silence of the peer."""
        self.heard = self._loop.time()

    async def drain(self) -> None:
        """Wait until no more than ``MAX_BEHIND`` bytes are unsent, or the connection is gone."""
        with contextlib.suppress(OSError):
            await self._writer.drain()

    async def expect(self) -> bytes:
        """The next message of the handshake. Raises ``CutOff`` where there is none."""
        content = await self.read()
        if content is None:
            raise CutOff
        return content

    def abort(self) -> None:
        """End it at once, whatever is still to be sent."""
        # In Python 3.11.2, which Debian 12 has, this fails where a TLS transport has ended: all is done
        with contextlib.suppress(AttributeError):
            self._writer.transport.abort()

    async def close(self) -> None:
        """Send what is there, and end it; after ``CLOSE_TIME`` seconds in any case."""
        if self._closing:
            return
        self._closing = True
        self._writer.close()
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(CLOSE_TIME):
                await self._writer.wait_closed()
        self.abort()


class Link:
    """An authenticated link. Made by ``listen`` and ``dial``; iterate over it for the frames of the peer."""

    def __init__(self, wire: Wire, proved: Authenticated, address: str) -> None:
        self.peer: Final = proved.peer
        self.version: Final = proved.version
        self.words: Final = proved.words
        self.session_id: Final = proved.session_id
        self.address: Final = address
        self.reason: str | None = None
        """Why the link is down, one sentence; ``None`` while it is up."""
        self.on_relayed: Callable[[bytes, bytes], object] | None = None
        """Gets the kind and the payload of each frame of ``relay``; without it they are left aside."""
        self._wire = wire
        self._unread: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._unread_bytes = 0
        self._is_heard: bool | None = None  # once one frame was asked for, false; then true
        self._room = asyncio.Event()
        self._room.set()
        self._ended = asyncio.Event()
        wire.decoder.maximum = MAX_PAYLOAD + 1
        self._tasks = [asyncio.create_task(self._read()), asyncio.create_task(self._beat())]

    @property
    def unsent(self) -> int:
        """Bytes that wait for the peer's side to take them."""
        return self._wire.unsent

    @property
    def heard(self) -> float:
        """When something last came from the peer, by the machine's steady clock."""
        return self._wire.heard

    @property
    def is_direct(self) -> bool:
        """Whether no other seat passes it on."""
        return bool(self.address)

    @property
    def place(self) -> str:
        """Where it comes from, as strangers are counted: see ``place_of``."""
        return place_of(self.address.rpartition(":")[0].strip("[]"))

    def __repr__(self) -> str:
        return f"<Link to {self.address}, {self.reason or 'up'}>"

    async def send(self, payload: bytes) -> None:
        """Send one frame of at most ``MAX_PAYLOAD`` bytes; does not wait for the peer.

        A peer that leaves more than ``MAX_UNSENT`` bytes unread is dropped. On a link that is down nothing
        happens.
        """
        if len(payload) > MAX_PAYLOAD:
            raise ValueError(f"a frame holds at most {MAX_PAYLOAD} bytes, not {len(payload)}")
        self._write(_DATA + payload)

    async def caught_up(self) -> None:
        """Wait for a peer that is far behind with reading what was sent to it."""
        self._hear_on()
        if self.is_behind:
            await self._wire.drain()

    @property
    def is_behind(self) -> bool:
        """Whether the peer has left more than ``MAX_BEHIND`` bytes unread."""
        return self.reason is None and self._wire.unsent > MAX_BEHIND

    def relay(self, kind: bytes, payload: bytes, most: int) -> bool:
        """Send a frame of ``relay``, unless more than ``most`` bytes are unsent then; whether it was sent."""
        if self.reason is not None or self._wire.unsent + len(payload) > most:
            return False
        self._write(kind + payload)
        return True

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        if self._is_heard is None:
            self._is_heard = False
        elif not self._is_heard:
            self._hear_on()
        payload = await self._unread.get()
        if payload is None:
            self._unread.put_nowait(None)  # so that asking again ends again
            raise StopAsyncIteration
        self._unread_bytes -= len(payload) + FRAME_COST
        self._make_room()
        return payload

    def _hear_on(self) -> None:
        """The owner of the link goes on to listen: more may wait for it than from a stranger."""
        self._is_heard = True
        self._make_room()

    @property
    def _most_unread(self) -> int:
        return MAX_UNREAD if self._is_heard else MAX_UNASKED

    def _make_room(self) -> None:
        if self._unread_bytes <= self._most_unread and not self._room.is_set():
            self._wire.listen_again()
            self._room.set()

    async def ended(self) -> None:
        """Wait until the link is down; what came before may still be read."""
        await self._ended.wait()

    async def close(self) -> None:
        """Hand over what was sent, as far as that goes within ``CLOSE_TIME``, and close. May be called
        twice."""
        if self.reason is None:
            self._write(_BYE)
        self._down("The link was closed here.", abort=False)
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._wire.close()

    def _write(self, content: bytes) -> None:
        if self.reason is not None:
            return
        if self._wire.unsent + len(content) > MAX_UNSENT:
            size = MAX_UNSENT // 2**20
            self._down(f"The other side left {size} MiB unread; its program or network has stopped.")
            return
        self._wire.write(content)

    def _down(self, reason: str, abort: bool = True) -> None:
        if self.reason is not None:
            return
        self.reason = reason
        self._ended.set()
        self._unread.put_nowait(None)
        for task in self._tasks:
            if task is not asyncio.current_task():
                task.cancel()
        if abort:
            self._wire.abort()

    async def _read(self) -> None:
        try:
            while True:
                await self._room.wait()
                content = await self._wire.read()
                if content is None:
                    self._down("The other side closed the connection.")
                    return
                match content[:1]:
                    case b"\x00":  # _DATA
                        self._keep(content[1:])
                    case b"\x01":  # _BEAT
                        pass
                    case b"\x02":  # _BYE
                        self._down("The other side closed the link.")
                        return
                    case (b"\x03" | b"\x04") as kind:  # PASS_ON, PASSED_ON
                        if self.on_relayed is not None:
                            self.on_relayed(kind, content[1:])
                    case _:
                        self._down("The other side sent a frame of an unknown kind; the link is closed.")
                        return
        except LinkError as error:
            self._down(str(error))
        except OSError as error:
            self._down(f"The connection broke ({error.strerror or type(error).__name__}).")

    def _keep(self, payload: bytes) -> None:
        self._unread.put_nowait(payload)
        self._unread_bytes += len(payload) + FRAME_COST
        if self._unread_bytes > self._most_unread:
            self._room.clear()

    async def _beat(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            began = loop.time()
            await asyncio.sleep(BEAT_TIME)
            if loop.time() - began > BEAT_TIME + SILENCE / 2:
                self._wire.listen_again()
            self._write(_BEAT)
            if self._room.is_set() and loop.time() - self._wire.heard > SILENCE:
                self._down(f"Nothing was heard from the other side for {SILENCE:g} seconds.")
                return


async def respond(
    wire: Wire, responder: Responder, answers: Callable[[], bool] = lambda: True
) -> Authenticated:
    """The listening side of the handshake. Raises ``LinkError`` or ``OSError``.

    ``answers`` is asked once there is something to answer; where it says no, this raises ``TooOften``.
    """
    hello = await wire.expect()
    if not answers():
        raise TooOften
    try:
        step, answer = responder.receive(hello)
    except (VersionMismatch, OwnIdentity) as refusal:
        wire.write(refusal.fields["reply"])
        await wire.close()
        raise
    wire.write(answer)
    proved, accept = step.receive(await wire.expect())
    wire.write(accept)
    return proved
