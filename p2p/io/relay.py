"""Links between two seats that do not reach each other, by way of a third whom both reach.

The two speak TLS and the handshake of every other link through frames that the third passes on unread: it
learns how much they say and when, and can keep it back, which a cut cable does as well, but neither read it
nor say anything in their place (docs/protocol_links.md, section 5a). One step only: what came by way of a
third is passed on no further.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final, TypeAlias

from ..identity import Identity
from ..link import NONCE_SIZE, Attempts, Initiator, LinkError, Responder
from .link import HANDSHAKE_TIME, PASS_ON, PASSED_ON, Link, Wire, respond
from .tls import ServerSide, make_server

NUMBER = 8
"""Bytes that tell one connection by way of a third from an earlier one: random, chosen by who dials."""

CHUNK = 32 * 1024
"""Bytes of a connection in one frame: few enough that other frames need not wait for long."""

MAX_HELD = 4 * 1024 * 1024
"""Bytes that wait at one place for the next: four answers to a question for history. Who does not read them
loses this connection, and neither the link they go through nor anybody's memory."""

MOST_CALLS = 4
"""Connections of one seat by way of one other at a time: both ends may dial at once, and a lost one may not
have been noticed."""

REMEMBERED = 64
"""Connections that ended last: what is still on its way for one of them opens none anew."""

Key: TypeAlias = tuple[int, int, bytes]
"""The seat by whose way a connection goes, the seat at its other end, and its number."""


class Relay:
    """One seat's connections by way of others, and those of others by way of it.

    ``attach`` and ``detach`` tell it which seats are linked directly. ``on_link`` gets each link that another
    seat has dialled.
    """

    def __init__(
        self, identity: Identity, publics: Sequence[bytes], on_link: Callable[[Link], object]
    ) -> None:
        self._identity = identity
        self._publics = tuple(publics)
        self._on_link = on_link
        self._direct: dict[int, Link] = {}
        self._pipes: dict[Key, _Pipe] = {}
        self._ended: deque[Key] = deque(maxlen=REMEMBERED)
        self._attempts = Attempts()
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: ServerSide | None = None

    def attach(self, seat: int, link: Link) -> None:
        """``seat`` is linked directly: others may be reached by way of it, and it by way of us."""
        self._direct[seat] = link
        link.on_relayed = lambda kind, payload: self._arrived(seat, link, kind, payload)

    def detach(self, seat: int, link: Link) -> None:
        """A direct link is gone, and what went through it."""
        link.on_relayed = None
        if self._direct.get(seat) is link:
            del self._direct[seat]
            for key in [each for each in self._pipes if each[0] == seat]:
                self._pipes.pop(key).end()

    async def dial(self, seat: int) -> Link | None:
        """A link to ``seat`` by way of one of those linked directly, or ``None`` where nobody reaches it."""
        for via in sorted(self._direct.keys() - {seat}):
            if link := await self._dial_through(via, seat):
                return link
        return None

    async def close(self) -> None:
        """End every connection that goes by way of others, and pass on nothing more."""
        for link in self._direct.values():
            link.on_relayed = None
        for task in self._tasks:
            task.cancel()
        for pipe in self._pipes.values():
            pipe.end()
        self._pipes.clear()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # --- one's own connections ------------------------------------------------------------------------------

    async def _dial_through(self, via: int, seat: int) -> Link | None:
        far = self._open((via, seat, os.urandom(NUMBER)), PASS_ON)
        public = self._publics[seat]
        wire: Wire | None = None
        try:
            async with asyncio.timeout(HANDSHAKE_TIME):
                wire = await Wire.over(far)
                initiator = Initiator(self._identity, wire.channel, os.urandom(NONCE_SIZE), public)
                wire.write(initiator.hello)
                step, proof = initiator.receive(await wire.expect())
                wire.write(proof)
                return Link(wire, step.receive(await wire.expect()), "")
        except (LinkError, OSError):  # TimeoutError and ssl.SSLError among them
            _end(wire, far)
            return None
        except BaseException:
            _end(wire, far)
            raise

    async def _answer(self, key: Key, far: socket.socket) -> None:
        """A seat dials by way of another one."""
        self._server = self._server or make_server()
        responder = Responder(self._identity, self._server.channel, os.urandom(NONCE_SIZE))
        wire: Wire | None = None
        try:
            async with asyncio.timeout(HANDSHAKE_TIME):
                wire = await Wire.accept(far, self._server.context)
                proved = await respond(wire, responder)
            if proved.peer != self._publics[key[1]]:
                raise ConnectionError("somebody else is at the other end")
        except (LinkError, OSError):
            _end(wire, far)
        except BaseException:
            _end(wire, far)
            raise
        else:
            self._on_link(Link(wire, proved, ""))

    def _open(self, key: Key, kind: bytes) -> socket.socket:
        """A connection whose bytes travel in frames; returns its end for TLS."""
        near, far = socket.socketpair()
        for each in (near, far):
            each.setblocking(False)
        via, seat, number = key

        def send(data: bytes) -> bool:
            link = self._direct.get(via)
            return link is not None and link.relay(kind, bytes([seat]) + number + data, MAX_HELD)

        pipe = self._pipes[key] = _Pipe(near, send)
        self._spawn(pipe.run(lambda: self._forget(key, pipe)))
        return far

    def _forget(self, key: Key, pipe: _Pipe) -> None:
        self._ended.append(key)
        if self._pipes.get(key) is pipe:
            del self._pipes[key]

    # --- frames ---------------------------------------------------------------------------------------------

    def _arrived(self, via: int, link: Link, kind: bytes, payload: bytes) -> None:
        if len(payload) <= NUMBER or payload[0] >= len(self._publics):
            return
        seat, number, data = payload[0], payload[1 : 1 + NUMBER], payload[1 + NUMBER :]
        if kind == PASS_ON:
            self._pass_on(via, link, seat, number + data)
        else:
            self._take((via, seat, number), data)

    def _pass_on(self, origin: int, link: Link, seat: int, rest: bytes) -> None:
        """Between two others: on to ``seat``, or back that this cannot be. Nothing is kept here."""
        target = self._direct.get(seat)
        passed = target is not None and target.relay(PASSED_ON, bytes([origin]) + rest, MAX_HELD)
        if not passed and len(rest) > NUMBER:
            link.relay(PASSED_ON, bytes([seat]) + rest[:NUMBER], MAX_HELD)

    def _take(self, key: Key, data: bytes) -> None:
        """For this seat, of a connection that it has dialled or that another one dials."""
        pipe = self._pipes.get(key)
        if pipe is None and data and key not in self._ended and self._has_room(key):
            far = self._open(key, PASS_ON)
            self._spawn(self._answer(key, far))
            pipe = self._pipes[key]
        if pipe is not None:
            pipe.feed(data)

    def _has_room(self, key: Key) -> bool:
        """Whether one more connection is answered; how many at a time, and how often, as of any address."""
        if sum(each[:2] == key[:2] for each in self._pipes) >= MOST_CALLS:
            return False
        return self._attempts.take(f"seat {key[1]} by way of {key[0]}", asyncio.get_running_loop().time())

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task: asyncio.Task[None] = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


class _Pipe:
    """The near end of a connection: what TLS writes goes out in frames, what comes in frames goes to TLS."""

    def __init__(self, near: socket.socket, send: Callable[[bytes], bool]) -> None:
        self._near = near
        self._send = send
        self._waiting: Final[asyncio.Queue[bytes]] = asyncio.Queue()
        self._size = 0
        self._is_ended = False

    def feed(self, data: bytes) -> None:
        """Bytes for TLS; none at all are the end."""
        if not data or self._size + len(data) > MAX_HELD:
            self.end()
        elif not self._is_ended:
            self._size += len(data)
            self._waiting.put_nowait(data)

    def end(self) -> None:
        """Take no more; what waits already still arrives."""
        if not self._is_ended:
            self._is_ended = True
            self._waiting.put_nowait(b"")

    async def run(self, ended: Callable[[], None]) -> None:
        """Until either side ends the connection."""
        loop = asyncio.get_running_loop()
        sides = [loop.create_task(self._out(loop)), loop.create_task(self._in(loop))]
        try:
            await asyncio.wait(sides, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for side in sides:
                side.cancel()
            try:
                await asyncio.gather(*sides, return_exceptions=True)
            finally:
                self._near.close()
                self._send(b"")
                ended()

    async def _out(self, loop: asyncio.AbstractEventLoop) -> None:
        with contextlib.suppress(OSError):
            while (data := await loop.sock_recv(self._near, CHUNK)) and self._send(data):
                pass

    async def _in(self, loop: asyncio.AbstractEventLoop) -> None:
        with contextlib.suppress(OSError):
            while data := await self._waiting.get():
                await loop.sock_sendall(self._near, data)
                self._size -= len(data)


def _end(wire: Wire | None, far: socket.socket) -> None:
    """Leave nothing open where no link came about."""
    if wire is not None:
        wire.abort()
    else:
        far.close()
