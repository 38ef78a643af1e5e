"""Tables on the local network, announced and found by multicast DNS (RFC 6762, RFC 6763).

What is learnt here is a list of places to try and never an identity: anybody can announce anything. Where
multicast does not work the program goes on, and ``reason`` says in one sentence why others do not see it.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from ..link import BadName, clean_name
from ..log.charter import ACQUAINTED, ANYBODY, NOBODY_WATCHES
from .addresses import MAX_PORT, join_address, usable_addresses

if TYPE_CHECKING:  # zeroconf takes a quarter of a second to import, which most commands never need
    from zeroconf import Zeroconf
    from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

SERVICE = "_shoal._tcp.local."
TXT_VERSION = "1"

MAX_LABEL = 63
"""Bytes of a DNS label (RFC 1035, section 2.3.4)."""

MAX_TXT = 200
"""Bytes of our TXT record: with it the whole answer fits one datagram (RFC 6763, section 6.2)."""

MAX_GAME = 32
MAX_SEATS = 99
"""Characters of a word, and seats, that a stranger's advert may claim: what fits on a line."""

ID_HINT_SIZE = 2
INSTANCE_SIZE = 4
"""Bytes of a host's key that tell whom it may be, and of a number that tells one start of its program from
another. Nothing rests on either: who a host is shows once there is a link."""

WATCH_TIME = 20.0
"""Seconds between looks at this machine's addresses, and at who is still there: people wait that long."""

RESOLVE_TIME = 3.0
"""Seconds for the records of an announced name to arrive; on a LAN they take milliseconds."""

GOODBYE_TIME = 2.0
"""Seconds for the goodbye to leave; without it others learn of our end when the records expire."""

MAX_ADVERTS = 100
"""Tables kept in a list: nobody reads more, and anyone can announce as many as they like."""

NO_DISCOVERY = (
    "Other players do not see this table by itself ({detail}); tell them the address, for shoal join."
)


_WATCHED: Final = {"k": ACQUAINTED, "a": ANYBODY}
"""Who may watch, in one letter: the longest name leaves no room for more."""


@dataclass(frozen=True, slots=True)
class Advert:
    """A table that somebody announces. Everything in it is a claim.

    ``addresses`` are ``HOST:PORT``, all to be dialled at once; ``id_hint`` is the beginning of the host's
    public key in hexadecimal; ``instance`` differs between two starts of one program.
    """

    name: str
    game: str
    seats_taken: int
    seats: int
    addresses: tuple[str, ...]
    id_hint: str
    instance: str
    watchers: str = NOBODY_WATCHES
    """Who may watch, as the charter has it; a full table may be playing already."""

    @property
    def is_full(self) -> bool:
        """Whether every seat is taken."""
        return self.seats_taken >= self.seats


class Advertiser:
    """Announces one table until it is closed. Registering takes seconds and happens in the background."""

    def __init__(
        self,
        name: str,
        game: str,
        seats_taken: int,
        seats: int,
        port: int,
        public: bytes,
        *,
        watchers: str = NOBODY_WATCHES,
        interfaces: Sequence[str] | None = None,
    ) -> None:
        """``watchers`` says who may watch; ``interfaces`` are this machine's IPv4 addresses to announce, all
        usable ones if ``None``."""
        self._interfaces = None if interfaces is None else tuple(interfaces)
        self._port = port
        self._advert = Advert(
            clean_name(name),
            game,
            seats_taken,
            seats,
            (),
            public[:ID_HINT_SIZE].hex(),
            os.urandom(INSTANCE_SIZE).hex(),
            watchers,
        )
        _txt(self._advert)
        self.instance: Final = self._advert.instance
        self.reason: str | None = None
        """Why others do not see this table, one sentence; ``None`` while all is well."""
        self.registered: Final = asyncio.Event()
        """Set once the table is announced."""
        self._zeroconf: AsyncZeroconf | None = None
        self._info: AsyncServiceInfo | None = None
        self._changed = asyncio.Event()
        self._task = asyncio.create_task(self._run())

    @property
    def label(self) -> str | None:
        """The name under which the table was registered, perhaps after a conflict; ``None`` before."""
        if self._info is None or not self.registered.is_set():
            return None
        return self._info.name.removesuffix(f".{SERVICE}")

    def update(self, seats_taken: int, seats: int | None = None) -> None:
        """Announce that the table has filled, or emptied."""
        advert = replace(self._advert, seats_taken=seats_taken, seats=seats or self._advert.seats)
        if advert != self._advert:
            _txt(advert)
            self._advert = advert
            self._changed.set()

    async def close(self) -> None:
        """Say goodbye and stop."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        if self._zeroconf is None:
            return
        with contextlib.suppress(OSError, TimeoutError):  # the network may be gone; there is nobody to tell
            async with asyncio.timeout(GOODBYE_TIME):
                if self._info is not None and self.registered.is_set():
                    await (await self._zeroconf.async_unregister_service(self._info))
        await self._zeroconf.async_close()

    async def _run(self) -> None:
        """Announce, again and again where the network was gone: a cable that is mended mends this, too."""
        while True:
            try:
                await self._register()
                self.reason = None
                while True:
                    await self._wait_for_change()
                    await self._announce_change()
            except Exception as error:  # noqa: BLE001  # zeroconf raises many kinds, and none may stop a game
                self.reason = NO_DISCOVERY.format(detail=_words(error))
            await self._drop()
            await self._wait_for_change()

    async def _drop(self) -> None:
        """Forget an announcement that broke."""
        broken, self._zeroconf, self._info = self._zeroconf, None, None
        self.registered.clear()
        if broken is not None:
            with contextlib.suppress(Exception):  # it is broken already, and another one follows
                await broken.async_close()

    async def _register(self) -> None:
        self._zeroconf = await _open(self._interfaces)
        self._info = self._make_info()
        await (await self._zeroconf.async_register_service(self._info, allow_name_change=True))
        self.registered.set()

    async def _wait_for_change(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(WATCH_TIME):
                await self._changed.wait()
        self._changed.clear()

    async def _announce_change(self) -> None:
        assert self._zeroconf is not None
        assert self._info is not None
        fresh = self._make_info(self._info.name)
        if fresh.addresses != self._info.addresses and self._interfaces is None:
            own = _own_addresses(None)
            if not own:
                raise OSError("this machine is on no network")
            await self._zeroconf.async_update_interfaces(list(own))
        elif fresh.properties == self._info.properties:
            return
        self._info = fresh
        await (await self._zeroconf.async_update_service(fresh))

    def _make_info(self, name: str | None = None) -> AsyncServiceInfo:
        from zeroconf.asyncio import AsyncServiceInfo  # noqa: PLC0415  # see above

        advert = self._advert
        return AsyncServiceInfo(
            SERVICE,
            name or f"{_label(advert, self._port)}.{SERVICE}",
            port=self._port,
            properties=_txt(advert),
            server=f"shoal-{advert.instance}.local.",
            parsed_addresses=list(_own_addresses(self._interfaces)),
        )


class Browser:
    """Keeps a list of the announced tables. ``on_change`` gets it, by name, whenever it differs, and where it
    turns out that none can be found (``reason``)."""

    def __init__(
        self, on_change: Callable[[tuple[Advert, ...]], object], *, interfaces: Sequence[str] | None = None
    ) -> None:
        self._on_change = on_change
        self._interfaces = None if interfaces is None else tuple(interfaces)
        self._adverts: dict[str, Advert] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._zeroconf: AsyncZeroconf | None = None
        self.reason: str | None = None
        """Why nothing can be found, one sentence; ``None`` while all is well."""
        self._spawn(self._start())

    @property
    def adverts(self) -> tuple[Advert, ...]:
        """The tables announced now."""
        return tuple(
            sorted(self._adverts.values(), key=lambda advert: (advert.name.casefold(), advert.instance))
        )

    async def close(self) -> None:
        """Stop listening."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._zeroconf is not None:
            await self._zeroconf.async_close()

    async def _start(self) -> None:
        try:
            from zeroconf.asyncio import AsyncServiceBrowser  # noqa: PLC0415  # see above

            self._zeroconf = await _open(self._interfaces)
            AsyncServiceBrowser(self._zeroconf.zeroconf, SERVICE, handlers=[self._heard])
            await self._watch(self._zeroconf.zeroconf)
        except Exception as error:  # noqa: BLE001  # zeroconf raises many kinds, and none may stop a game
            self.reason = (
                f"Tables on this network cannot be found ({_words(error)}); join by address instead."
            )
            self._on_change(self.adverts)

    def _heard(self, zeroconf: Zeroconf, service_type: str, name: str, state_change: object) -> None:
        from zeroconf import ServiceStateChange  # noqa: PLC0415  # see above

        if state_change is ServiceStateChange.Removed:
            if self._adverts.pop(name, None):
                self._on_change(self.adverts)
        elif name in self._adverts or len(self._adverts) + len(self._tasks) < MAX_ADVERTS:
            self._spawn(self._resolve(zeroconf, name))

    async def _watch(self, zeroconf: Zeroconf) -> None:
        """Drop who went without a goodbye: the address records of a killed program expire in two minutes."""
        while True:
            await asyncio.sleep(WATCH_TIME)
            for name in list(self._adverts):
                await self._resolve(zeroconf, name)

    async def _resolve(self, zeroconf: Zeroconf, name: str) -> None:
        from zeroconf.asyncio import AsyncServiceInfo  # noqa: PLC0415  # see above

        info = AsyncServiceInfo(SERVICE, name)
        advert = None
        if await info.async_request(zeroconf, RESOLVE_TIME * 1000):
            advert = read_advert(info.decoded_properties, info.parsed_addresses(), info.port)
        if self._adverts.get(name) == advert:
            return
        if advert is None:
            del self._adverts[name]
        else:
            self._adverts[name] = advert
        self._on_change(self.adverts)

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def browse(seconds: float, *, interfaces: Sequence[str] | None = None) -> tuple[Advert, ...]:
    """The tables announced within so many seconds; empty where multicast does not work."""
    browser = Browser(lambda _: None, interfaces=interfaces)
    try:
        await asyncio.sleep(seconds)
        return browser.adverts
    finally:
        await browser.close()


def read_advert(
    properties: Mapping[str, str | None], addresses: Sequence[str], port: int | None
) -> Advert | None:
    """The advert in somebody's TXT record, ``None`` if it is not one of ours or says nonsense."""
    taken, slash, seats = (properties.get("seats") or "").partition("/")
    numbers = [
        text.isascii() and text.isdigit() and 0 <= int(text[:3]) <= MAX_SEATS for text in (taken, seats)
    ]
    texts = [properties.get(key) or "" for key in ("game", "id", "inst")]
    if (
        properties.get("v") != TXT_VERSION
        or not slash
        or not all(numbers)
        or not port
        or not 0 < port <= MAX_PORT
    ):
        return None
    if not all(0 < len(text) <= MAX_GAME and text.isascii() and text.isprintable() for text in texts):
        return None
    try:
        name = clean_name(properties.get("name") or "")
    except BadName:
        return None
    places = tuple(sorted(join_address(address, port) for address in addresses))
    watchers = _WATCHED.get(properties.get("w") or "", NOBODY_WATCHES)
    return Advert(name, texts[0], int(taken), int(seats), places, texts[1], texts[2], watchers)


def _txt(advert: Advert) -> dict[str, str]:
    """The TXT record (docs/protocol_links.md, section 6). Raises ``ValueError`` if it is too long."""
    record = {
        "v": TXT_VERSION,
        "name": advert.name,
        "game": advert.game,
        "seats": f"{advert.seats_taken}/{advert.seats}",
        "id": advert.id_hint,
        "inst": advert.instance,
    }
    for sign, who in _WATCHED.items():
        if who == advert.watchers:
            record["w"] = sign
    size = sum(1 + len(f"{key}={value}".encode()) for key, value in record.items())
    if size > MAX_TXT:
        raise ValueError(f"the announcement has {size} bytes, {MAX_TXT} are the most; choose a shorter name")
    return record


def _label(advert: Advert, port: int) -> str:
    """Name, key hint and port, cut to a DNS label; the number that a conflict adds must still fit.

    The port tells two programs of one machine apart, whose probes may not hear each other.
    """
    ending = f" {advert.id_hint} {port}"
    room = MAX_LABEL - len(ending) - len("-99")
    return advert.name.encode()[:room].decode(errors="ignore") + ending


def _own_addresses(interfaces: tuple[str, ...] | None) -> tuple[str, ...]:
    return usable_addresses(loopback=False) if interfaces is None else interfaces


async def _open(interfaces: tuple[str, ...] | None) -> AsyncZeroconf:
    from zeroconf import IPVersion  # noqa: PLC0415  # see above
    from zeroconf.asyncio import AsyncZeroconf  # noqa: PLC0415  # the same

    own = _own_addresses(interfaces)
    if not own:
        raise OSError("this machine is on no network")
    return AsyncZeroconf(interfaces=list(own), ip_version=IPVersion.V4Only)


def _words(error: Exception) -> str:
    """A few words on an error of zeroconf, whose own texts are often empty."""
    text = str(getattr(error, "strerror", None) or str(error)).strip()
    return text.lower() if text else type(error).__name__
