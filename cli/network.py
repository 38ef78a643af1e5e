"""Tables on the local network, announced and found by mDNS. What it says is a hint and never an identity."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import Final

from engine.registry import UnknownGame, game
from p2p.io.addresses import join_address, split_address
from p2p.io.lobby import Offer
from p2p.io.mdns import Advert, Advertiser, Browser
from p2p.io.node import DEFAULT_PORT, Node
from p2p.session.setup import Roster

from .console import Console
from .errors import Failure
from .language import said
from .rules import title_of
from .text import printable
from .translation import gettext as _

LOOK_TIME: Final = 3.0
"""Seconds to look for tables: answers on a LAN take well under one, and a new announcement takes two."""

GRACE: Final = 0.7
"""Seconds to go on looking after the first table: others that are there answer at once, too."""

COMPLAIN_AFTER: Final = 4.0
"""Seconds after which the host is told that its table cannot be announced; announcing takes about two."""


MOST_PLACES: Final = 32
"""Addresses of one table that are dialled at once: a machine with more network interfaces is no player's."""


def places_named(words: Sequence[str]) -> tuple[str | None, tuple[str, ...]]:
    """The name of a table, or the addresses of one, from what was typed. Raises ``BadAddress``,
    ``Failure``."""
    full = [join_address(each.strip("[]"), DEFAULT_PORT) if is_bare_address(each) else each for each in words]
    if len(full) < 2 and not any(":" in each for each in full):
        return (full[0] if full else None), ()
    if len(full) > MOST_PLACES:
        raise Failure(_("A table has at most {n} addresses.").format(n=MOST_PLACES))
    for each in full:
        split_address(each)
    return None, tuple(full)


def is_bare_address(where: str) -> bool:
    """Whether this can only be an address that lacks its port; any other word is the name of a table."""
    if where.casefold() == "localhost":
        return True
    try:
        ipaddress.ip_address(where.strip("[]"))
    except ValueError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class Found:
    """A table that somebody announces: whose, what, and where to try."""

    label: str
    about: str
    addresses: tuple[str, ...]


@contextlib.asynccontextmanager
async def announced(
    node: Node, offer: Offer, console: Console, *, is_quiet: bool
) -> AsyncIterator[Callable[[Roster], None]]:
    """Announce a table while the block runs; what it yields has to hear of each change of the roster."""
    if is_quiet:
        yield lambda _roster: None
        return
    advertiser = Advertiser(
        node.name, offer.game, 1, offer.seats, node.port, node.identity.public, watchers=offer.watchers
    )
    complaint = asyncio.create_task(_complain(advertiser, console))
    try:
        yield lambda roster: advertiser.update(len(roster.taken))
    finally:
        complaint.cancel()
        await asyncio.gather(complaint, return_exceptions=True)
        await advertiser.close()


async def _complain(advertiser: Advertiser, console: Console) -> None:
    await asyncio.sleep(COMPLAIN_AFTER)
    if advertiser.reason is not None:
        console.write(said(advertiser.reason))


async def find_tables(limit: float = LOOK_TIME) -> tuple[list[Found], str]:
    """Tables with a free seat, and a sentence where this machine cannot find any; after ``limit`` seconds at
    most."""
    is_there = asyncio.Event()
    browser = Browser(lambda adverts: is_there.set() if any(not each.is_full for each in adverts) else None)
    try:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(limit):
                await is_there.wait()
                await asyncio.sleep(GRACE)
        return [_found(each) for each in browser.adverts if not each.is_full], said(browser.reason or "")
    finally:
        await browser.close()


def title_here(name: str) -> str:
    """What a game is called; one that is not known here by its name."""
    try:
        return title_of(game(name).info.id)
    except UnknownGame:
        return printable(name, 32)


def _found(advert: Advert) -> Found:
    about = _("{name}'s table of {game}, {taken} of {seats} seats taken").format(
        name=printable(advert.name),
        game=title_here(advert.game),
        taken=advert.seats_taken,
        seats=advert.seats,
    )
    return Found(advert.name, about, advert.addresses)
