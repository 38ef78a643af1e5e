"""The charter of a table from another seat, where the host gave it to some guests and kept it from others.

It is public among them and proves itself: it is the proposed one with nonces that fit. So a seat that plays
already hands it to a guest that lacks it as soon as the two are linked, and nobody that was never told is
waited for, or given up.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Coroutine
from typing import Any

from ..log.codec import Malformed
from ..session.setup import Agreed, SetupError
from ..session.setup_wire import LACKS
from .link import Link
from .node import Node

ASK_AFTER = 5.0
"""Seconds that the host's own copy may come later than the first link of a seat that plays already: links
that come before that belong to the game which begins here in a moment."""

ASK_TIME = 5.0
"""Seconds for the answer: a frame there and one back."""


async def from_others(node: Node, seats: Collection[bytes], read: Callable[[bytes], Agreed | None]) -> Agreed:
    """Ask each of the identities of ``seats`` that dials this guest, until one gives the charter; the links
    of others are closed. ``read`` takes one frame: the table, or ``None`` for any other message; it may raise
    ``Malformed`` or ``SetupError``."""
    await asyncio.sleep(ASK_AFTER)
    asked: dict[bytes, asyncio.Task[None]] = {}
    found: asyncio.Queue[Agreed] = asyncio.Queue()
    taking = asyncio.create_task(_take(node, seats, asked, lambda link: _ask(link, read, found)))
    try:
        return await found.get()
    finally:
        tasks = (taking, *asked.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _take(
    node: Node,
    seats: Collection[bytes],
    asked: dict[bytes, asyncio.Task[None]],
    ask: Callable[[Link], Coroutine[Any, Any, None]],
) -> None:
    """One question at a time to each, and to all at once: none keeps the others from answering."""
    while True:
        link = await node.arrivals.get()
        before = asked.get(link.peer)
        if link.peer not in seats or (before is not None and not before.done()):
            await link.close()
        else:
            asked[link.peer] = asyncio.create_task(ask(link))


async def _ask(link: Link, read: Callable[[bytes], Agreed | None], found: asyncio.Queue[Agreed]) -> None:
    """The link is closed in any case: what the other seat has said on it meanwhile was for a game, which asks
    again on the next one."""
    try:
        await link.send(LACKS)
        async with asyncio.timeout(ASK_TIME):
            async for frame in link:
                try:
                    agreed = read(frame)
                except Malformed:
                    continue  # a frame of the game
                if agreed is not None:
                    found.put_nowait(agreed)
                    return
    except (TimeoutError, SetupError):
        return  # the next one may have it
    finally:
        await link.close()
