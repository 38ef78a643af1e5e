"""Authenticated links over TCP: TLS, the handshake of ``p2p.link``, then frames both ways with a sign of
life.

A link never makes its user wait for a slow peer and never raises because of one: frames to a link that is
down go nowhere, the iteration over it ends, and ``Link.reason`` says why. After authentication a frame is one
byte of kind and a payload (docs/protocol_links.md, section 5).
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import socket
import ssl
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Final

from ..identity import Identity
from ..link import (
    MAX_MESSAGE,
    NONCE_SIZE,
    VERSIONS,
    Authenticated,
    FrameDecoder,
    Initiator,
    LinkError,
    LocalError,
    OwnIdentity,
    Responder,
    VersionMismatch,
    frame,
)
from .addresses import join_address, split_address
from .tls import ServerSide, channel_hash, client_context, make_server

MAX_PAYLOAD = 257 * 1024
"""Bytes of one payload: the largest contribution (256 KiB) and its envelope."""

HANDSHAKE_TIME = 5.0
"""Seconds for each of TLS and the handshake: a thousand times what a LAN needs, short for a stranger who
stalls."""

PROOF_TIME = 2.0
"""Seconds one address may keep the others waiting once our proof has been sent there."""

CLOSE_TIME = 1.0
"""Seconds a closing link may take to hand over its last frames; asyncio alone would wait 30 for a vanished
peer."""

BEAT_TIME = 3.0
SILENCE = 10.0
"""Seconds between signs of life, and without one until the peer counts as gone: three may be lost or late."""

MAX_UNSENT = 16 * 1024 * 1024
"""Bytes kept for a peer that does not read: the longest history a returning player asks for (12 MB) fits."""

MAX_UNREAD = 4 * 1024 * 1024
"""Bytes of frames kept until they are asked for; then we stop reading, and TCP makes the peer wait."""

READ_SIZE = 64 * 1024
MAX_STRANGERS = 64
MAX_STRANGERS_PER_ADDRESS = 16
"""Connections not yet authenticated: a table of six on one machine needs five, and each costs a socket and 4
KiB."""

MAX_DIALLED = 16
"""Addresses dialled at once: twice what a seat may list."""

_DATA, _BEAT, _BYE = b"\x00", b"\x01", b"\x02"


class PortBusy(LocalError):
    """Port {port} is in use by another program; take any free one with --port 0, or name another."""


class CannotListen(LocalError):
    """This machine does not let the program listen at {address} ({detail}); choose another address or
    port."""


class Unreachable(LocalError):
    """Nobody answers at {addresses} ({detail}); check the address, that the host waits there, and the
    firewall."""


class TooSlow(NotShoal):
    """The other side did not finish the handshake within {seconds:g} seconds; try again, or check the
    address."""


class Link:
    """An authenticated link. Made by ``listen`` and ``dial``; iterate over it for the frames of the peer."""

    def __init__(self, wire: _Wire, proved: Authenticated, address: str) -> None:
        self.peer: Final = proved.peer
        self.version: Final = proved.version
        self.words: Final = proved.words
        self.session_id: Final = proved.session_id
        self.address: Final = address
        self.reason: str | None = None
        """Why the link is down, one sentence; ``None`` while it is up."""
        self._wire = wire
        self._unread: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._unread_bytes = 0
        self._room = asyncio.Event()
        self._room.set()
        wire.decoder.maximum = MAX_PAYLOAD + 1
        self._tasks = [asyncio.create_task(self._read()), asyncio.create_task(self._beat())]

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

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        payload = await self._unread.get()
        if payload is None:
            self._unread.put_nowait(None)  # so that asking again ends again
            raise StopAsyncIteration
        self._unread_bytes -= len(payload)
        if self._unread_bytes <= MAX_UNREAD:
            self._room.set()
        return payload

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
                    case _:
                        self._down("The other side sent a frame of an unknown kind; the link is closed.")
                        return
        except LinkError as error:
            self._down(str(error))
        except OSError as error:
            self._down(f"The connection broke ({error.strerror or type(error).__name__}).")

    def _keep(self, payload: bytes) -> None:
        self._unread.put_nowait(payload)
        self._unread_bytes += len(payload)
        if self._unread_bytes > MAX_UNREAD:
            self._room.clear()

    async def _beat(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(BEAT_TIME)
            self._write(_BEAT)
            if self._room.is_set() and loop.time() - self._wire.heard > SILENCE:
                self._down(f"Nothing was heard from the other side for {SILENCE:g} seconds.")
                return


class Listener:
    """Waits for links on one port. Made by ``listen``."""

    def __init__(
        self,
        identity: Identity,
        sockets: Sequence[socket.socket],
        server: ServerSide,
        versions: tuple[int, ...],
        on_link: Callable[[Link], object],
        on_refused: Callable[[str, str], object] | None,
    ) -> None:
        self.port: Final[int] = sockets[0].getsockname()[1]
        self._identity = identity
        self._sockets = sockets
        self._server = server
        self._versions = versions
        self._on_link = on_link
        self._on_refused = on_refused
        self._strangers: Counter[str] = Counter()
        self._accepting = [asyncio.create_task(self._accept(each)) for each in sockets]
        self._meeting: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        """Stop listening and drop whoever is not authenticated yet. Links already handed over stay."""
        tasks = [*self._accepting, *self._meeting]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for each in self._sockets:
            each.close()

    async def _accept(self, listening: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, peer = await loop.sock_accept(listening)
            except OSError as error:
                # The peer went away again, or this process is out of descriptors, which takes a moment to
                # pass.
                self._refuse("", f"A connection could not be taken ({error.strerror}).")
                await asyncio.sleep(0.1)
                continue
            self._welcome(connection, peer[0], join_address(peer[0], peer[1]))

    def _welcome(self, connection: socket.socket, host: str, address: str) -> None:
        if self._strangers[host] >= MAX_STRANGERS_PER_ADDRESS or self._strangers.total() >= MAX_STRANGERS:
            connection.close()
            self._refuse(address, "Too many unfinished connections; this one was closed unread.")
            return
        self._strangers[host] += 1
        task = asyncio.create_task(self._meet(connection, address))
        self._meeting.add(task)
        task.add_done_callback(lambda done: self._met(done, host))

    def _met(self, task: asyncio.Task[None], host: str) -> None:
        self._meeting.discard(task)
        self._strangers[host] -= 1
        if not self._strangers[host]:
            del self._strangers[host]
        if not task.cancelled() and (error := task.exception()):
            # A fault of ours or of a callback: loud, but the listener goes on.
            asyncio.get_running_loop().call_exception_handler({"message": "meeting a peer failed",
            "exception": error})

    async def _meet(self, connection: socket.socket, address: str) -> None:
        responder = Responder(self._identity, self._server.channel, os.urandom(NONCE_SIZE), self._versions)
        try:
            async with asyncio.timeout(HANDSHAKE_TIME):
                wire = await _Wire.accept(connection, self._server.context)
                with _aborting(wire):
                    proved = await _respond(wire, responder)
        except TimeoutError:
            self._refuse(address, str(TooSlow(seconds=HANDSHAKE_TIME)))
        except LinkError as error:
            self._refuse(address, str(error))
        except OSError as error:
            self._refuse(address, f"The connection broke before the handshake was over ({_detail(error)}).")
        else:
            self._on_link(Link(wire, proved, address))

    def _refuse(self, address: str, reason: str) -> None:
        if self._on_refused is not None:
            self._on_refused(address, reason)


async def listen(
    identity: Identity,
    host: str,
    port: int = 0,
    *,
    on_link: Callable[[Link], object],
    on_refused: Callable[[str, str], object] | None = None,
    versions: tuple[int, ...] = VERSIONS,
) -> Listener:
    """Listen at ``host`` and ``port`` (0: any free one). Raises ``PortBusy`` or ``CannotListen``.

    ``on_link`` gets each authenticated link; ``on_refused`` the address and a sentence for each connection
    that was not let in.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family, backlog=MAX_STRANGERS)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise PortBusy(port=port) from None
        raise CannotListen(address=join_address(host, port), detail=error.strerror) from None
    except OverflowError:
        raise CannotListen(address=join_address(host, port), detail="no such port") from None
    listening.setblocking(False)
    return Listener(identity, [listening], make_server(), versions, on_link, on_refused)


async def dial(
    identity: Identity,
    addresses: Sequence[str],
    *,
    expect: bytes | None = None,
    versions: tuple[int, ...] = VERSIONS,
) -> Link:
    """A link to whoever authenticates first at one of ``addresses`` (``HOST:PORT``), to ``expect`` alone if
    given.

    All are dialled at once, but our proof goes to one at a time, so that the other side never sees two links.
    Raises ``LinkError``: what the handshake found, if any got so far, else ``Unreachable``.
    """
    texts = list(dict.fromkeys(addresses))[:MAX_DIALLED]
    turn = asyncio.Semaphore(1)
    tasks = [asyncio.create_task(_dial_one(identity, text, expect, versions, turn)) for text in texts]
    errors: list[LinkError] = []
    winner: Link | None = None
    try:
        for done in asyncio.as_completed(tasks):
            try:
                winner = await done
            except LinkError as error:
                errors.append(error)
            else:
                return winner
    finally:
        for task in tasks:
            task.cancel()
        for left in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(left, Link) and left is not winner:  # made while we were being cancelled
                await left.close()
    for found in errors:
        if not isinstance(found, Unreachable):
            raise found
    details = ", ".join(dict.fromkeys(each.fields["detail"] for each in errors)) or "no address is known"
    raise Unreachable(addresses=", ".join(texts), detail=details)


async def _dial_one(
    identity: Identity,
    text: str,
    expect: bytes | None,
    versions: tuple[int, ...],
    turn: asyncio.Semaphore,
) -> Link:
    host, port = split_address(text)
    try:
        async with asyncio.timeout(HANDSHAKE_TIME):
            wire = await _Wire.connect(host, port)
    except OSError as error:  # TimeoutError and ssl.SSLError among them
        raise Unreachable(addresses=text, detail=_detail(error)) from None
    initiator = Initiator(identity, wire.channel, os.urandom(NONCE_SIZE), expect, versions)
    try:
        with _aborting(wire):
            async with asyncio.timeout(HANDSHAKE_TIME):
                wire.write(initiator.hello)
                step, proof = initiator.receive(await wire.expect())
            await turn.acquire()
            try:
                async with asyncio.timeout(PROOF_TIME):
                    wire.write(proof)
                    return Link(wire, step.receive(await wire.expect()), text)
            except BaseException:
                turn.release()  # only then: after a success nobody else gets a turn
                raise
    except TimeoutError:
        raise TooSlow(seconds=HANDSHAKE_TIME) from None
    except OSError as error:
        raise Unreachable(addresses=text, detail=_detail(error)) from None


async def _respond(wire: _Wire, responder: Responder) -> Authenticated:
    try:
        step, answer = responder.receive(await wire.expect())
    except (VersionMismatch, OwnIdentity) as refusal:
        wire.write(refusal.fields["reply"])
        await wire.close()
        raise
    wire.write(answer)
    proved, accept = step.receive(await wire.expect())
    wire.write(accept)
    return proved


class _Wire:
    """Frames over one TLS stream."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._loop = asyncio.get_running_loop()
        self.decoder: Final = FrameDecoder(MAX_MESSAGE)
        self.heard = self._loop.time()
        """When bytes last arrived."""

    @classmethod
    async def accept(cls, connection: socket.socket, context: ssl.SSLContext) -> _Wire:
        reader, protocol = _stream()
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
    async def connect(cls, host: str, port: int) -> _Wire:
        reader, writer = await asyncio.open_connection(
            host,
            port,
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
        """Bytes that the operating system has not taken yet."""
        return self._writer.transport.get_write_buffer_size()

    def write(self, content: bytes) -> None:
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

    async def expect(self) -> bytes:
        """The next message of the handshake. Raises ``CutOff`` where there is none."""
        content = await self.read()
        if content is None:
            raise CutOff
        return content

    def abort(self) -> None:
        self._writer.transport.abort()

    async def close(self) -> None:
        self._writer.close()
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(CLOSE_TIME):
                await self._writer.wait_closed()
        self.abort()


def _stream() -> tuple[asyncio.StreamReader, asyncio.StreamReaderProtocol]:
    reader = asyncio.StreamReader(limit=READ_SIZE)
    return reader, asyncio.StreamReaderProtocol(reader)


@contextlib.contextmanager
def _aborting(wire: _Wire) -> Iterator[None]:
    """Leave no connection behind when the block fails."""
    try:
        yield
    except BaseException:
        wire.abort()
        raise


def _detail(error: BaseException) -> str:
    """A few words on why a connection did not come about."""
    if isinstance(error, TimeoutError):
        return "no answer in time"
    if isinstance(error, ssl.SSLError):
        return "no TLS there"
    if isinstance(error, socket.gaierror):
        return "no such host"
    number = getattr(error, "errno", None)
    return os.strerror(number).lower() if number else "connection closed"
