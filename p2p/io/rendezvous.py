"""Seats of a running game that lost each other, found again by multicast DNS (RFC 6762, RFC 6763).

A router that starts anew gives everybody another address, and then no address that a seat remembers leads
to anybody. So a seat that misses another one announces itself, and asks for the one it misses, under names
that only the players of the table can work out. A name says nothing to anybody else, and what is found is a
place to dial and no identity.
"""

from __future__ import annotations

import asyncio
import contextlib
from hashlib import sha256
from typing import TYPE_CHECKING

from .addresses import join_address, usable_addresses

if TYPE_CHECKING:  # zeroconf takes a quarter of a second to import, which most games never need
    from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

SERVICE = "_shoal-seat._tcp.local."
"""At most 15 characters without the underscore (RFC 6763, section 7.2)."""

LABEL_SIZE = 16
"""Bytes of the digest in a name: nobody guesses them, and two seats never share them."""

ANSWER_TIME = 2.0
"""Seconds for an answer; on a LAN it takes milliseconds, and the next attempt follows anyway."""

GOODBYE_TIME = 1.0
"""Seconds for the goodbye to leave; without it the records expire by themselves."""

MAX_PLACES = 8
"""Addresses believed of one seat: as many as a seat may list itself."""


def label_of(table_id: bytes, public: bytes) -> str:
    """The name of a seat of a running game, known to whoever knows the table and the seat's public key."""
    return sha256(b"shoal/1/seat" + table_id + public).digest()[:LABEL_SIZE].hex()


class Rendezvous:
    """Announces one seat while it misses another, and asks where that one is. Nothing here ever raises."""

    def __init__(self, table_id: bytes, public: bytes, port: int) -> None:
        """``port`` is where this seat listens."""
        self._table_id = table_id
        self._label = label_of(table_id, public)
        self._port = port
        self._own: tuple[str, ...] = ()
        self._zeroconf: AsyncZeroconf | None = None
        self._info: AsyncServiceInfo | None = None
        self._lock = asyncio.Lock()

    @property
    def is_open(self) -> bool:
        """Whether this seat is announced now."""
        return self._zeroconf is not None

    async def places(self, public: bytes) -> tuple[str, ...]:
        """Where the seat of ``public`` says that it is now, as ``HOST:PORT``; empty where nobody answers."""
        from zeroconf.asyncio import AsyncServiceInfo  # noqa: PLC0415  # see above

        name = f"{label_of(self._table_id, public)}.{SERVICE}"
        try:
            async with self._lock:
                zeroconf = await self._opened()
            if zeroconf is None:
                return ()
            info = AsyncServiceInfo(SERVICE, name)
            if not await info.async_request(zeroconf.zeroconf, ANSWER_TIME * 1000) or not info.port:
                return ()
            found = info.parsed_addresses()[:MAX_PLACES]
        except Exception:  # noqa: BLE001  # zeroconf raises many kinds, and none may stop a game
            await self.close()
            return ()
        return tuple(join_address(address, info.port) for address in found)

    async def close(self) -> None:
        """Say goodbye and stop. ``places`` begins anew."""
        async with self._lock:
            await self._close()

    async def _opened(self) -> AsyncZeroconf | None:
        """The announcement with this machine's addresses as they are now, made anew where they changed."""
        own = await asyncio.to_thread(usable_addresses, loopback=False)
        if self._zeroconf is not None and own == self._own:
            return self._zeroconf
        await self._close()
        if not own:
            return None
        from zeroconf import IPVersion  # noqa: PLC0415  # see above
        from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf  # noqa: PLC0415  # the same

        self._own = own
        self._zeroconf = AsyncZeroconf(interfaces=list(own), ip_version=IPVersion.V4Only)
        self._info = AsyncServiceInfo(
            SERVICE,
            f"{self._label}.{SERVICE}",
            port=self._port,
            properties={},
            server=f"{self._label}.local.",
            parsed_addresses=list(own),
        )
        # Nobody else can want this name, so nobody is asked whether it is taken, which would take a second.
        await self._zeroconf.async_register_service(self._info, cooperating_responders=True)
        return self._zeroconf

    async def _close(self) -> None:
        zeroconf, self._zeroconf = self._zeroconf, None
        if zeroconf is None:
            return
        with contextlib.suppress(Exception):  # the network may be gone; there is nobody to tell
            async with asyncio.timeout(GOODBYE_TIME):
                await zeroconf.async_unregister_all_services()
        with contextlib.suppress(Exception):
            await zeroconf.async_close()
