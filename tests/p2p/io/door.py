"""A listener on the loopback interface, and strangers at it."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable

from p2p.identity import Identity
from p2p.io.link import Wire
from p2p.io.tcp import Link, Listener, dial
from p2p.io.tls import make_server
from p2p.link import (
    Initiator,
)

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
