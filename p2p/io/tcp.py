"""Links over TCP: waiting for them, and dialling."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import gc
import os
import socket
import ssl
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from ..identity import Identity
from ..link import (
    CONNECTIONS_AT_ONCE,
    CONNECTIONS_PER_SECOND,
    NONCE_SIZE,
    VERSIONS,
    Attempts,
    Initiator,
    LinkError,
    LocalError,
    Responder,
    place_of,
)
from .addresses import MAX_PORT, join_address, split_address
from .link import HANDSHAKE_TIME, Link, TooOften, Wire, respond
from .tls import ServerSide, make_server

__all__ = [
    "CannotListen",
    "Link",
    "LinkError",
    "Listener",
    "PortBusy",
    "TooSlow",
    "Unreachable",
    "dial",
    "listen",
]

PROOF_TIME = 2.0
"""Seconds one address may keep the others waiting once our proof has been sent there."""

MAX_STRANGERS = 64
MAX_STRANGERS_PER_ADDRESS = 16
"""Connections not yet authenticated: a table of six on one machine makes five, and each costs a socket and a
few kilobytes."""

COLLECT_EVERY = 32
COLLECT_PAUSE = 1.0
"""Connections until a full collection of garbage, and seconds until it comes. What is left of one is a ring
of objects that holds 10 KB to 1 MB of TLS and frames, of which Python's collector counts nothing. It takes
some milliseconds, so that more than one in a second would be felt."""

MAX_DIALLED = 16
"""Addresses dialled at once: twice what a seat may list."""


class PortBusy(LocalError):
    """Port {port} is in use by another program; take any free one with --port 0, or name another."""


class CannotListen(LocalError):
    """This machine does not let the program listen at {address} ({detail}); choose another address or
    port."""


class Unreachable(LocalError):
    """Nobody answers at {addresses} ({detail}); check the address, that the host waits there, and the
    firewall."""


class TooSlow(LinkError):
    """The other side did not finish the handshake within {seconds:g} seconds; try again, or check the
    address."""


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
        self._attempts = Attempts()
        self._connections = Attempts(CONNECTIONS_PER_SECOND, CONNECTIONS_AT_ONCE)
        self._left_behind = 0
        self._collecting: asyncio.TimerHandle | None = None
        self._accepting = [asyncio.create_task(self._accept(each)) for each in sockets]
        self._meeting: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        """Stop listening and drop whoever is not authenticated yet. Links already handed over stay."""
        if self._collecting is not None:
            self._collecting.cancel()
        loop = asyncio.get_running_loop()
        for each in self._sockets:
            # A connection that comes in this very moment is left to the system: asyncio would take it for a
            # task that is cancelled already. Windows' loop has no readers and no such moment, and a listener
            # that is closed twice has no sockets.
            with contextlib.suppress(NotImplementedError, ValueError):
                loop.remove_reader(each)
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
            await asyncio.sleep(0)  # where connections wait already, taking them gives nobody else a turn

    def _welcome(self, connection: socket.socket, host: str, address: str) -> None:
        host = place_of(host)
        if self._strangers[host] >= MAX_STRANGERS_PER_ADDRESS or self._strangers.total() >= MAX_STRANGERS:
            connection.close()
            self._refuse(address, "Too many unfinished connections; this one was closed unread.")
            return
        if not self._connections.take(host, asyncio.get_running_loop().time()):
            connection.close()
            self._refuse(address, str(TooOften()))
            return
        self._strangers[host] += 1
        task = asyncio.create_task(self._meet(connection, host, address))
        self._meeting.add(task)
        task.add_done_callback(lambda done: self._met(done, host))

    def _met(self, task: asyncio.Task[None], host: str) -> None:
        self._meeting.discard(task)
        self._strangers[host] -= 1
        if not self._strangers[host]:
            del self._strangers[host]
        self._left_behind += 1
        if self._left_behind >= COLLECT_EVERY and self._collecting is None:
            self._collecting = asyncio.get_running_loop().call_later(COLLECT_PAUSE, self._collect)
        if not task.cancelled() and (error := task.exception()):
            # A fault of ours or of a callback: loud, but the listener goes on.
            asyncio.get_running_loop().call_exception_handler(
                {"message": "meeting a peer failed", "exception": error}
            )

    def _collect(self) -> None:
        self._left_behind, self._collecting = 0, None
        gc.collect()

    async def _meet(self, connection: socket.socket, host: str, address: str) -> None:
        now = asyncio.get_running_loop().time
        responder = Responder(self._identity, self._server.channel, os.urandom(NONCE_SIZE), self._versions)
        try:
            async with asyncio.timeout(HANDSHAKE_TIME):
                wire = await Wire.accept(connection, self._server.context)
                with _aborting(wire):
                    proved = await respond(wire, responder, lambda: self._attempts.take(host, now()))
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
    if not 0 <= port <= MAX_PORT:
        raise CannotListen(address=join_address(host, port), detail=f"ports end at {MAX_PORT}")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family, backlog=MAX_STRANGERS)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise PortBusy(port=port) from None
        raise CannotListen(address=join_address(host, port), detail=error.strerror) from None
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
            wire = await Wire.connect(host, port)
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


@contextlib.contextmanager
def _aborting(wire: Wire) -> Iterator[None]:
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
