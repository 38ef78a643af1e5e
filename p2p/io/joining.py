"""A guest's side of gathering a table: it applies, waits with the others, and agrees."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from ..link.known import clean_name
from ..log.codec import Malformed, encode
from ..sealed import Group
from ..session import AnyRules
from ..session.room import MAX_TALK, Marks, Ready, Said, Say
from ..session.setup import (
    Agreed,
    Agreement,
    GuestSetup,
    Opening,
    Reopened,
    Roster,
    SetupError,
    Terms,
    decode_setup,
)
from .addresses import is_plain_address
from .handing import from_others
from .link import Link
from .node import Node

RulesOf: TypeAlias = Callable[[str], AnyRules]

ANSWER_TIME = 30.0
"""Seconds a seat has to open its nonce: its program does so by itself, so this only meets a hung machine."""

CHARTER_TIME = 1.5 * ANSWER_TIME
"""Seconds a guest waits for the charter once it has opened its nonce: those that the host waits for the
others, and half as many for a slow network."""

PACE = 0.25
PACE_BURST = 20
"""Seconds that one message of the waiting room takes its reader, and how many may run ahead: faster than
people press keys. Who sends more is read more slowly, and TCP makes it wait."""


OTHERS_TIME = 10.0
"""Seconds that another seat may take to dial this guest, after the host has closed the link: it waits
``links.DIAL_DOWN`` first, and tries again soon."""


class TableClosed(SetupError):
    """The host's program, or its link, has ended before the game began."""

    def __init__(self) -> None:
        reason = "The host closed the table before the game began."
        super().__init__(reason)


class NoCharter(SetupError):
    """The host has kept the charter back, or its machine hangs."""

    def __init__(self) -> None:
        reason = "The host began the game and then sent nothing more; nothing was played here. Join again."
        super().__init__(reason)


class Pace:
    """Keeps one sender of the waiting room to ``PACE``."""

    def __init__(self) -> None:
        self._used = 0.0

    async def wait(self) -> None:
        """Before the next message is read."""
        now = asyncio.get_running_loop().time()
        self._used = max(now, self._used) + PACE
        ahead = self._used - now - PACE * PACE_BURST
        if ahead > 0:
            await asyncio.sleep(ahead)


class Chair:
    """A guest's place in the waiting room.

    ``on_ready`` hears which identities are ready; ``on_said`` who said what. A guest is ready at once where
    ``is_ready``, or where it has no chair.
    """

    def __init__(
        self,
        on_ready: Callable[[frozenset[bytes]], None] = lambda _ready: None,
        on_said: Callable[[bytes, str], None] = lambda _public, _text: None,
        *,
        is_ready: bool = True,
    ) -> None:
        self._on_ready = on_ready
        self._on_said = on_said
        self._is_ready = is_ready
        self._link: Link | None = None

    async def ready(self, is_ready: bool) -> None:
        """Tell the host whether this player is ready, now or as soon as it is seated."""
        self._is_ready = is_ready
        if self._link is not None:
            await self._link.send(encode(Ready(is_ready)))

    async def say(self, text: str) -> None:
        """Say something to all who wait; what is too long is cut. Before one is seated nobody hears it."""
        if self._link is not None and text:
            await self._link.send(encode(Say(text[:MAX_TALK])))

    async def seated(self, link: Link) -> None:
        """The host has sent a roster: this guest is on it."""
        if self._link is None:
            self._link = link
            await self.ready(self._is_ready)

    def leave(self) -> None:
        """The game begins: from now on the link carries nothing of the waiting room."""
        self._link = None

    def hear(self, message: Marks | Said, roster: Roster | None) -> None:
        """Raises ``Malformed`` where marks and roster do not fit."""
        if isinstance(message, Said):
            self._on_said(message.public, message.text)
            return
        if roster is None or len(message.ready) != len(roster.taken):
            raise Malformed("there is one mark of readiness for each seat that is taken")
        marks = zip(roster.taken, message.ready, strict=True)
        self._on_ready(frozenset(seated.public for seated, is_ready in marks if is_ready))


async def join(
    node: Node,
    addresses: Sequence[str],
    rules_of: RulesOf,
    group: Group,
    *,
    on_roster: Callable[[Roster], None],
    deck: bytes = b"",
    chair: Chair | None = None,
    expect: bytes | None = None,
    terms: Terms | None = None,
    is_bot: bool = False,
    on_reopened: Callable[[str], None] = lambda _reason: None,
    on_proposed: Callable[[Roster], None] = lambda _roster: None,
) -> Agreed:
    """Apply at the table that listens at one of ``addresses``, and wait until it starts. With ``deck``, only
    a table will do that plays with the deck of this digest; with ``expect``, only a host of this identity;
    with ``terms``, only a table that has them. ``is_bot``: the host keeps this seat.
    Where somebody spoils the beginning, ``on_reopened`` hears who, and this guest applies once more, for the
    same table. ``on_proposed`` hears who is to play, and raises where this guest leaves rather than that.

    Raises ``LinkError`` where nobody answers, ``SetupError`` where the table does not come about.
    """
    chair = chair or Chair()
    while True:
        link = await node.connect(addresses, expect)
        own = (node.identity.public, node.name, node.addresses, node.entropy())
        setup = GuestSetup(*own, deck, terms, is_bot)
        try:
            agreed = await _agree(node, link, setup, rules_of, group, on_roster, on_proposed, chair)
        except Reopened as error:
            await link.close()
            on_reopened(str(error))
            expect, terms = link.peer, setup.terms
            await asyncio.sleep(PACE)
            continue
        except Malformed as error:
            await link.close()
            raise SetupError(f"The host sent something that is no message of Shoal ({error}).") from None
        except BaseException:
            await link.close()
            raise
        finally:
            chair.leave()
        node.keep(link)
        return agreed


async def _agree(
    node: Node,
    link: Link,
    setup: GuestSetup,
    rules_of: RulesOf,
    group: Group,
    on_roster: Callable[[Roster], None],
    on_proposed: Callable[[Roster], None],
    chair: Chair,
) -> Agreed:
    pace = Pace()
    await link.send(encode(setup.application()))
    async for frame in link:
        message = decode_setup(frame)
        await pace.wait()
        if isinstance(message, Marks | Said):
            chair.hear(message, setup.roster)
            continue
        answer = setup.receive(message, rules_of, group)
        if isinstance(answer, Opening):
            chair.leave()
            assert setup.roster is not None  # or the proposal would have been refused
            on_proposed(setup.roster)
            await link.send(encode(answer))
            return await _charter(node, link, setup, rules_of, group)
        if setup.roster is not None:
            _check_names(seat.name for seat in setup.roster.taken)
            on_roster(setup.roster)
            await chair.seated(link)
    raise TableClosed


async def _charter(node: Node, link: Link, setup: GuestSetup, rules_of: RulesOf, group: Group) -> Agreed:
    """After the nonce was opened: from the host, or from another seat that has it already."""

    def read(frame: bytes) -> Agreed | None:
        message = decode_setup(frame)
        if isinstance(message, Marks | Said):
            return None  # they may have been on their way
        answer = setup.receive(message, rules_of, group)
        if not isinstance(answer, Agreed):
            return None
        _check_addresses(answer.addresses.values())
        return answer

    def read_handed(frame: bytes) -> Agreed | None:
        return read(frame) if isinstance(decode_setup(frame), Agreement) else None

    host = asyncio.create_task(_from_host(link, read))
    others = asyncio.create_task(from_others(node, setup.seats, read_handed))
    try:
        async with asyncio.timeout(CHARTER_TIME):
            await asyncio.wait([host, others], return_when=asyncio.FIRST_COMPLETED)
            if others.done():
                return others.result()
            try:
                return host.result()
            except TableClosed:
                await asyncio.wait([others], timeout=OTHERS_TIME)
                if others.done():
                    return others.result()
                raise
    except TimeoutError:
        raise NoCharter from None
    finally:
        host.cancel()
        others.cancel()
        await asyncio.gather(host, others, return_exceptions=True)


async def _from_host(link: Link, read: Callable[[bytes], Agreed | None]) -> Agreed:
    async for frame in link:
        agreed = read(frame)
        if agreed is not None:
            return agreed
    raise TableClosed


def _check_addresses(listed: Iterable[Sequence[str]]) -> None:
    """A host passes no address on that it may not take from a guest."""
    if not all(is_plain_address(each) for addresses in listed for each in addresses):
        raise Malformed("an address is written as HOST:PORT")


def _check_names(names: Iterable[str]) -> None:
    """A host shows its guests no name that it may not seat itself: names are printed as they are."""
    for name in names:
        reason = bad_name(name)
        if reason is not None:
            raise Malformed(reason)


def bad_name(name: str) -> str | None:
    """Why nobody can sit under a name, or ``None``."""
    try:
        cleaned = clean_name(name)
    except ValueError as error:
        return str(error)
    return None if cleaned == name else "The name is not in its normal form; choose another."
