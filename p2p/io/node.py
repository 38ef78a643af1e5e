"""One identity on the network: it listens, dials, and hands over authenticated links."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from typing import Final

from ..identity import Identity
from ..link.errors import LinkError
from .addresses import usable_addresses
from .link import Link
from .spectators import Spectators
from .tcp import Listener, dial, listen

DEFAULT_PORT = 7467
"""Port of the first program on a machine, so that one firewall rule serves; later ones take any free port."""


class Node:
    """Make one with ``open``. Links that others dialled wait in ``arrivals``."""

    def __init__(self, identity: Identity, name: str, host: str) -> None:
        self.identity: Final = identity
        self.name: Final = name
        self.arrivals: asyncio.Queue[Link] = asyncio.Queue()
        self._host = host
        self._listener: Listener | None = None
        self._kept: dict[bytes, Link] = {}
        self.spectators: Final = Spectators(name)

    @classmethod
    async def open(
        cls,
        identity: Identity,
        name: str,
        *,
        host: str = "0.0.0.0",  # noqa: S104  # a LAN game has to be reachable from the LAN
        port: int = 0,
        on_refused: Callable[[str, str], None] | None = None,
    ) -> Node:
        """Start to listen. Raises ``PortBusy``; port 0 takes any free one."""
        node = cls(identity, name, host)
        node._listener = await listen(
            identity, host, port, on_link=node.arrivals.put_nowait, on_refused=on_refused
        )
        return node

    @property
    def port(self) -> int:
        """The port it listens on."""
        assert self._listener is not None
        return self._listener.port

    @property
    def addresses(self) -> tuple[str, ...]:
        """Where others can reach it, as ``host:port``, loopback last."""
        if not self.is_reachable:
            return (f"{self._host}:{self.port}",)
        return tuple(f"{address}:{self.port}" for address in usable_addresses())

    @property
    def is_reachable(self) -> bool:
        """Whether it listens on all networks of this machine, and not at one address alone."""
        return self._host in ("0.0.0.0", "::")  # noqa: S104  # it is asked, not bound

    async def connect(self, addresses: Sequence[str], expect: bytes | None = None) -> Link:
        """A link to whoever listens at one of ``addresses``, or to the identity ``expect`` alone. Raises
        ``LinkError``."""
        return await dial(self.identity, addresses, expect=expect)

    async def redial(self, addresses: Sequence[str], public: bytes) -> Link | None:
        """A link to the identity ``public`` at one of ``addresses``, or ``None`` while it is not there."""
        try:
            return await dial(self.identity, addresses, expect=public)
        except LinkError:
            return None

    def keep(self, link: Link) -> None:
        """Hold a link of the set-up for the game that follows."""
        self._kept[link.peer] = link

    def take_links(self) -> list[tuple[bytes, Link]]:
        """The links held for the game, each handed over once."""
        taken = list(self._kept.items())
        self._kept.clear()
        return taken

    @staticmethod
    def entropy() -> bytes:
        """32 bytes of the operating system's randomness."""
        return os.urandom(32)

    async def close(self) -> None:
        """Stop listening and close every link that nobody took over."""
        if self._listener is not None:
            await self._listener.close()
        await self.spectators.close()
        for link in self._kept.values():
            await link.close()
        while not self.arrivals.empty():
            await self.arrivals.get_nowait().close()
