"""Games on the local network that one may watch: found, chosen, and announced while they are played."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence

from p2p.io.mdns import Advert, Advertiser, Browser
from p2p.io.node import Node
from p2p.log import ACQUAINTED, NOBODY_WATCHES, Charter

from ..console import Console, Left
from ..errors import NETWORK, Failure
from ..language import said
from ..network import GRACE, LOOK_TIME, Found, title_here
from ..program import call_here
from ..text import printable
from ..translation import gettext as _


@contextlib.asynccontextmanager
async def watchable(node: Node, charter: Charter) -> AsyncIterator[None]:
    """Announce a game that is played, where its host's program is the one to do so, for those who may
    watch."""
    is_mine = charter.seats[0].public == node.identity.public
    if charter.watchers == NOBODY_WATCHES or not is_mine or not node.is_reachable:
        yield
        return
    count = len(charter.seats)
    public = node.identity.public
    advertiser = Advertiser(
        node.name, charter.game, count, count, node.port, public, watchers=charter.watchers
    )
    try:
        yield
    finally:
        await advertiser.close()


async def find_watched(limit: float = LOOK_TIME) -> tuple[list[Found], str]:
    """Tables that one may watch, and a sentence where this machine cannot find any; after ``limit`` seconds
    at most."""
    is_there = asyncio.Event()

    def heard(adverts: Sequence[Advert]) -> None:
        if any(each.watchers != NOBODY_WATCHES for each in adverts):
            is_there.set()

    browser = Browser(heard)
    try:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(limit):
                await is_there.wait()
                await asyncio.sleep(GRACE)
        found = [_found(each) for each in browser.adverts if each.watchers != NOBODY_WATCHES]
        return found, said(browser.reason or "")
    finally:
        await browser.close()


def _found(advert: Advert) -> Found:
    text = _("{name}'s table of {game}, {taken} of {seats} seats taken")
    if advert.is_full:
        text = _("{name}'s table of {game}, {seats} players")
    about = text.format(
        name=printable(advert.name),
        game=title_here(advert.game),
        taken=advert.seats_taken,
        seats=advert.seats,
    )
    if advert.watchers == ACQUAINTED:
        about = _("{table}; those watch whom its players know").format(table=about)
    return Found(advert.name, about, advert.addresses)


async def watched_tables(wanted: str | None) -> list[Found]:
    """The tables on the network that one may watch, with ``wanted`` those of players whose names begin so.
    Raises ``Failure`` where there is none."""
    found, problem = await find_watched()
    if wanted is not None:
        found = [each for each in found if each.label.casefold().startswith(wanted.casefold())]
    if found:
        return found
    what = _("No game that one may watch was found on this network.")
    if wanted is not None:
        what = _('No game of "{name}" that one may watch was found on this network.')
        what = what.format(name=printable(wanted, 40))
    hint = _("Ask a player for the address that the host's screen shows, then: {command}")
    raise Failure(f"{problem} {what}".strip(), hint.format(command=call_here("watch HOST:PORT")), NETWORK)


def the_only_one(found: Sequence[Found]) -> Found:
    """The table that is meant where nobody can be asked. Raises ``Failure``."""
    if len(found) > 1:
        raise Failure(
            _("Several tables were found."), _("Name one: {command}").format(command=call_here("watch TABLE"))
        )
    return found[0]


async def choose(console: Console, found: Sequence[Found]) -> tuple[str, ...]:
    """The addresses of the table that is meant. Raises ``Left`` where the one who is asked leaves."""
    if len(found) == 1:
        console.write(_("Found {table}.").format(table=found[0].about))
        return found[0].addresses
    for number, each in enumerate(found, 1):
        console.write(f"  {number}  {each.about}")
    if not console.is_interactive:
        return the_only_one(found).addresses
    console.write(_("Which one? Type its number."))
    console.words = lambda: [str(number) for number in range(1, len(found) + 1)]
    while True:
        line = await console.read()
        if line is None or line.strip().casefold() in ("quit", "exit", "q"):
            raise Left
        if line.strip().isdecimal() and 1 <= int(line.strip()[:3]) <= len(found):
            return found[int(line.strip()[:3]) - 1].addresses
        console.write(_("Type a number from 1 to {n}, or quit.").format(n=len(found)))
