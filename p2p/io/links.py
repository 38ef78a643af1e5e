"""The links of one seat's running game to the other seats: dialled, searched for, read and mended."""

from __future__ import annotations

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from ..log.codec import Malformed, encode
from ..log.wire import Want, encode_message
from ..session import Effect, Session
from ..session.rematch import read_again
from ..session.setup import Agreement
from ..session.setup_wire import LACKS
from ..session.watching import read_watch
from .link import Link
from .node import Node
from .relay import Relay
from .whereabouts import Whereabouts

REDIAL_FIRST = 0.2
REDIAL_MOST = 5.0
"""Seconds between attempts to reach a missing peer: soon at first, then no more than a LAN can ignore."""

DIAL_DOWN = 3.0
"""Seconds that a seat with a higher number has to dial us, as is its part, before we dial it as well: where
our own address changed, it cannot."""

RELAY_FIRST = 0.5
RELAY_MOST = 5.0
"""Seconds between questions to the seats in reach for what a seat out of reach contributed: soon in a new
step, and rarely where that seat is thinking or gone. So the game goes on through any player whom both
reach."""

DIRECT_FIRST = 1.0
"""Seconds that a missed seat may take to answer before it is dialled by way of the others as well: a firewall
that drops what comes makes us wait for many."""

DIRECT_AGAIN = 10.0
"""Seconds between attempts to reach a seat directly that is linked by way of another one."""

SEARCH_AFTER = 3.0
"""Seconds a seat is missed before the network is asked for it: until then its last address is the best
guess."""

MAX_UNHANDLED = 64
"""Frames of one link that wait for the session; then it is read no further, and TCP makes its peer wait."""

QUESTION = encode_message(Want(0, 0))[: -len(encode(0) + encode(0))]
"""How each ``Want`` begins: its answers are long."""


class Links(ABC):
    """What comes over them goes to the session in the order of ``_inbox``, which a subclass works off."""

    def __init__(self, node: Node, session: Session, addresses: Mapping[int, tuple[str, ...]]) -> None:
        """``addresses`` are those that the seats had last."""
        self.session: Final = session
        self._node = node
        charter = session.charter
        publics = [each.public for each in charter.seats]
        self._where = Whereabouts(charter.table_id, publics, addresses, node, session.seat)
        self._relay = Relay(node.identity, publics, lambda link: self._welcome(link.peer, link))
        self._links: dict[int, Link] = {}
        self._second: dict[int, Link] = {}
        self._handed: dict[int, Link] = {}
        self._gone_since: dict[int, float] = {}
        self._directly: set[int] = set()
        self._inbox: asyncio.Queue[Callable[[], list[Effect]]] = asyncio.Queue()
        self._tasks: set[asyncio.Task[None]] = set()
        self.paused: Final[set[int]] = set()
        """Seats whose players have said that they stop for now, until there is a new link."""
        self.again: Final[dict[int, bool]] = {}
        """Seats whose players want another game after this one; true: that one's program opens it now."""

    @abstractmethod
    def _broke(self, error: BaseException) -> None:
        """A task has ended by an error."""

    @property
    def linked(self) -> frozenset[int]:
        """The seats with a working link."""
        return frozenset(self._links)

    @property
    def missing(self) -> dict[int, float]:
        """Seats whose link is gone, and for how many seconds nothing was heard of them; of those that were
        not heard in this run of the program, since its start."""
        now = time.monotonic()
        return {seat: now - since for seat, since in self._gone_since.items()}

    def reaches_directly(self, seat: int) -> bool:
        """Whether the last link to a seat did not go by way of another one."""
        return seat in self._directly

    def places(self, seat: int) -> tuple[str, ...]:
        """Where a seat can be reached, as far as is known here."""
        return self._where.of(seat)

    # --- from the first dial to the last word ---------------------------------------------------------------

    def _miss_all(self) -> None:
        """Nobody was heard in this run of the program yet."""
        now = time.monotonic()
        seats = range(len(self.session.charter.seats))
        self._gone_since = {seat: now for seat in seats if seat != self.session.seat}

    def _mend_links(self, at_once: bool) -> None:
        """From now on take links and dial; with ``at_once`` those too whose part it is to dial us."""
        self._spawn(self._accept())
        self._spawn(self._keep_asking())
        for seat in range(len(self.session.charter.seats)):
            if seat != self.session.seat:
                waits = 0.0 if at_once or seat < self.session.seat else DIAL_DOWN
                self._spawn(self._keep_linked(seat, waits))

    async def _stop_tasks(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _close_links(self) -> None:
        await self._relay.close()
        for link in [*self._links.values(), *self._second.values()]:
            await link.close()
        self._links.clear()
        self._second.clear()
        await self._where.close()

    # --- taking and reading ---------------------------------------------------------------------------------

    async def _accept(self) -> None:
        while True:
            link = await self._node.arrivals.get()
            self._welcome(link.peer, link)

    def _welcome(self, public: bytes, link: Link) -> None:
        """A link of a seated identity goes before an older one; anyone else may ask to watch.

        When both ends dial at once there are two links. Each end sends over the one it met last and reads
        both: if each closed the other one, neither would be left, and they would dial at once again.
        """
        seat = self.session.charter.seat_of(public)
        if seat is None or seat == self.session.seat:
            self._spawn(self._node.spectators.hear(link))
            return
        if link.is_direct:
            self._where.learn(seat, link.address)
            self._relay.attach(seat, link)
            self._directly.add(seat)
        else:
            self._directly.discard(seat)
        older = self._links.get(seat)
        self._links[seat] = link
        self._gone_since.pop(seat, None)
        self.paused.discard(seat)
        if older is not None:
            oldest = self._second.get(seat)
            self._second[seat] = older
            if oldest is not None:
                self._spawn(oldest.close())
        self._inbox.put_nowait(lambda: self.session.link_up(self._now(), seat))
        self._spawn(self._read(seat, link))

    async def _read(self, seat: int, link: Link) -> None:
        room = asyncio.Semaphore(MAX_UNHANDLED)
        is_first = True
        async for frame in link:
            if is_first and self._asks_to_watch(link, frame):
                break
            is_first = False
            await link.caught_up()
            await room.acquire()
            self._inbox.put_nowait(partial(self._receive, seat, frame, room))
        self._relay.detach(seat, link)
        if self._second.get(seat) is link:
            del self._second[seat]
        elif self._links.get(seat) is link and seat in self._second:
            self._links[seat] = left = self._second.pop(seat)
            if left.is_direct:
                self._relay.attach(seat, left)
            self._inbox.put_nowait(lambda: self.session.link_up(self._now(), seat))
        elif self._links.get(seat) is link:
            del self._links[seat]
            self._gone_since[seat] = link.heard  # seconds ago, where it fell silent
            self._inbox.put_nowait(lambda: self.session.link_down(self._now(), seat))

    def _asks_to_watch(self, link: Link, frame: bytes) -> bool:
        """Whether somebody of a seat, who has left the game perhaps, asks to watch and not to play."""
        try:
            request = read_watch(frame)
        except Malformed:
            return False
        if request is not None:
            self._node.spectators.arrive(link, request)
        return request is not None

    def _receive(self, seat: int, frame: bytes, room: asyncio.Semaphore) -> list[Effect]:
        room.release()
        link = self._links.get(seat)
        if link is not None and link.is_behind and frame.startswith(QUESTION):
            return []  # it has not read the last answer, and will ask again
        if frame == LACKS:
            self._hand_charter(seat)
            return []
        opens = read_again(frame)
        if opens is not None:
            self.again[seat] = opens or self.again.get(seat, False)
            return []
        return self.session.receive(self._now(), seat, frame)

    def _hand_charter(self, seat: int) -> None:
        """A guest to whom the host never gave it asks for the charter: once on each link."""
        link = self._links.get(seat)
        if link is not None and self._handed.get(seat) is not link:
            self._handed[seat] = link
            charter = self.session.charter
            agreement = Agreement(encode(charter), self._where.listed(len(charter.seats)))
            self._spawn(link.send(encode(agreement)))

    # --- dialling -------------------------------------------------------------------------------------------

    async def _keep_linked(self, seat: int, waits: float) -> None:
        """Dial a seat whenever it is out of reach, first after ``waits`` seconds; and look for it on the
        network where it is not found."""
        delay = REDIAL_FIRST
        while True:
            missed = self.missing.get(seat)
            if self.session.is_over:
                delay = REDIAL_FIRST
            elif missed is None:
                delay = REDIAL_FIRST if self._links[seat].is_direct else DIRECT_AGAIN
                if not self._links[seat].is_direct:
                    await self._dial(seat)
            elif missed < waits:
                pass
            elif not await self._reach(seat):
                delay = min(2 * delay, REDIAL_MOST)
                if missed > SEARCH_AFTER:
                    await self._where.search(seat)
            if not self._gone_since:
                await self._where.rest()
            await asyncio.sleep(delay)

    async def _reach(self, seat: int) -> bool:
        """Dial a seat, and where it does not answer soon, by way of others; whether it is linked then."""
        direct = self._spawn(self._dial(seat))
        await asyncio.wait([direct], timeout=DIRECT_FIRST)
        if seat in self._gone_since and (link := await self._relay.dial(seat)):
            self._welcome(link.peer, link)
        await direct
        return seat in self._links

    async def _dial(self, seat: int) -> None:
        public = self.session.charter.seats[seat].public
        if link := await self._node.redial(self._where.of(seat), public):
            self._welcome(public, link)

    async def _keep_asking(self) -> None:
        """While a seat whose contribution is awaited is out of reach, ask the others for it: they hold it, if
        they reach it, and its signature says whose it is."""
        delay, step = RELAY_FIRST, 0
        while True:
            await asyncio.sleep(delay)
            before, step = step, self.session.history.step
            delay = RELAY_FIRST if step != before else min(2 * delay, RELAY_MOST)
            if not self.session.is_over and set(self.session.awaited) & self._gone_since.keys():
                for seat in tuple(self._links):
                    self._inbox.put_nowait(partial(self._ask, seat))

    def _ask(self, seat: int) -> list[Effect]:
        return self.session.link_up(self._now(), seat) if seat in self._links else []

    # --- tasks ----------------------------------------------------------------------------------------------

    def _spawn(self, work: Any) -> asyncio.Task[None]:
        task: asyncio.Task[None] = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self._broke(error)

    @staticmethod
    def _now() -> float:
        return time.monotonic()
