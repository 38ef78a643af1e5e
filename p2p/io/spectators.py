"""Those who watch at one seat: each is sent the records of complete steps, and is never waited for.

What a spectator may cost is bounded. It asks once and is not heard after that: any other frame cuts its link.
What it is sent is made from the history that the seat holds anyway, a step at a time, as fast as ``RATE``
allows and its link takes; so one that does not read costs ``MAX_BEHIND`` bytes, and after ``STALLED`` seconds
its link. Nothing is sent while an effect of the session waits for the disk, so that no spectator sees what a
crash could still undo.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..link.known import Known, KnownPlayer, judge
from ..log.charter import DEFAULT_WATCHERS, NOBODY_WATCHES
from ..log.codec import encode
from ..log.wire import MAX_WATCHERS
from ..session.setup import Refused
from ..session.watching import Feed, PausedSeat, Visit, Watch, ending, refusal
from .link import Link

if TYPE_CHECKING:
    from ..session import Session

MAX_BEHIND = 512 * 1024
"""Bytes that wait for one spectator's link: the largest step of a usual table; more of them stay in the
history, which is there anyway."""

RATE = 2 * 1024 * 1024
"""Bytes per second for one spectator: the longest game, 12 MB, within six seconds, and a wireless network is
left to the players meanwhile."""

TURN = 0.1
"""Seconds between looks at a spectator that is owed more than a turn allows, or whose link takes no more."""

ASK_TIME = 5.0
"""Seconds for a stranger's request once its link is there: a program sends it at once."""

MAX_ASKING = 16
MAX_ASKING_PER_ADDRESS = 8
"""Strangers that may have a link and have asked for nothing yet: so few that they cost little, and of one
address so few that others can ask meanwhile. A program asks at once."""

STALLED = 20.0
"""Seconds in which a link may take nothing of what waits for it: a laptop whose lid was closed is not waited
for; it asks again where it stood."""

FULL = f"{MAX_WATCHERS} watch at this seat, and no more can; ask another player's program."


@dataclass(slots=True, eq=False)
class _Spectator:
    link: Link
    feed: Feed
    name: str
    news: asyncio.Event = field(default_factory=asyncio.Event)
    is_told: bool = False
    paused: frozenset[int] = frozenset()
    """Whose pause it was told of, and is not over yet."""
    is_late: bool = False
    """The game was over when this one came, and only asks perhaps whether there is another one: no news for
    those at the table."""


class Spectators:
    """The spectators of the node of ``owner``. They may come before the game: ``open`` begins to send,
    ``close`` ends."""

    def __init__(self, owner: str) -> None:
        self._owner = owner
        self._waiting: list[tuple[Link, Watch]] = []
        self._watching: list[_Spectator] = []
        self._refused: list[Link] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._session: Session | None = None
        self._places: Callable[[], Mapping[int, Sequence[str]]] = dict
        self._paused: AbstractSet[int] = frozenset()
        self._asking: Counter[str] = Counter()
        self.policy = DEFAULT_WATCHERS
        """Who may watch, as long as no charter says it."""
        self.known: Sequence[KnownPlayer] = ()
        """The players that were met here."""
        self._on_change: Callable[[tuple[str, ...]], object] = lambda names: None
        self._is_held = False
        self._is_closing = False

    @property
    def names(self) -> tuple[str, ...]:
        """Who watches, by the names they are known by here."""
        return tuple(each.name for each in self._watching if not each.is_late)

    def has(self, link: Link) -> bool:
        """Whether ``link`` is a spectator's: of one who watches, waits for the game, or is just refused."""
        links = (
            *(each for each, _ in self._waiting),
            *(each.link for each in self._watching),
            *self._refused,
        )
        return any(each is link for each in links)

    # --- who comes ------------------------------------------------------------------------------------------

    async def hear(self, link: Link) -> None:
        """A link of somebody who has no seat: what it asks for, within ``ASK_TIME``."""
        place = link.place
        if self._asking[place] >= MAX_ASKING_PER_ADDRESS or self._asking.total() >= MAX_ASKING:
            await link.close()
            return
        self._asking[place] += 1
        visit = Visit()
        try:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(ASK_TIME):
                    async for frame in link:
                        visit.hear(frame)
                        break
        finally:
            self._asking[place] -= 1
            if not self._asking[place]:
                del self._asking[place]
        if visit.request is None:
            await link.close()
        else:
            self.arrive(link, visit.request)

    def arrive(self, link: Link, request: Watch) -> None:
        """Somebody asks to watch; nothing but that was said over ``link``. Before the game it waits here."""
        reason = self._refusal(link, request)
        if reason is None and len(self._watching) + len(self._waiting) >= MAX_WATCHERS:
            reason = FULL
        if reason is not None:
            self._refuse(link, reason)
            return
        self._spawn(self._mind(link, Visit(request)))
        if self._session is None:
            self._waiting.append((link, request))
        else:
            self._admit(link, request, self._session)

    def open(
        self,
        session: Session,
        known: Sequence[KnownPlayer],
        places: Callable[[], Mapping[int, Sequence[str]]],
        on_change: Callable[[tuple[str, ...]], object],
        paused: AbstractSet[int],
    ) -> None:
        """The game begins, or goes on after a restart. ``known`` are the players that were met here,
        ``places`` gives the addresses of the seats; ``on_change`` hears who watches whenever that changes.
        ``paused`` holds the seats whose players have paused the game, at any time."""
        self._session, self.known, self._places, self._on_change = session, known, places, on_change
        self._paused = paused
        self._is_closing = self._is_held = False
        waiting, self._waiting = self._waiting, []
        for link, request in waiting:
            reason = self._refusal(link, request)
            if reason is not None:
                self._refuse(link, reason)
            elif link.reason is None:
                self._admit(link, request, session)

    def _refusal(self, link: Link, request: Watch) -> str | None:
        """Why this one may not watch."""
        if self._session is None:
            return refusal(self.policy, self.known, request.name, link.peer, owner=self._owner)
        charter, gone = self._session.charter, self._session.history.progress.gone
        seat = charter.seat_of(link.peer)
        if charter.watchers == NOBODY_WATCHES or seat is None:
            seated = [KnownPlayer(each.name, each.public, 0) for each in charter.seats]
            return refusal(charter.watchers, self.known, request.name, link.peer, seated, owner=self._owner)
        reason = "You sit at this table yourself; go on with shoal resume."
        return None if seat in gone else reason

    def _admit(self, link: Link, request: Watch, session: Session) -> None:
        """Begin to send. Who watches goes by the name at the table, or the one that is known here."""
        found, seat = judge(self.known, request.name, link.peer), session.charter.seat_of(link.peer)
        name = found.player.petname if isinstance(found, Known) else request.name
        name = name if seat is None else session.charter.seats[seat].name
        spectator = _Spectator(link, Feed(request), name, is_late=session.is_over)
        self._watching.append(spectator)
        self._spawn(self._send(spectator))
        if not spectator.is_late:
            self._on_change(self.names)

    def _refuse(self, link: Link, reason: str) -> None:
        self._refused.append(link)
        self._spawn(self._send_away(link, reason))

    async def _send_away(self, link: Link, reason: str) -> None:
        await link.send(encode(Refused(reason)))
        await link.close()
        self._refused.remove(link)

    # --- what they may not do -------------------------------------------------------------------------------

    async def _mind(self, link: Link, visit: Visit) -> None:
        """A spectator has nothing to say: whatever it sends ends its link, unread."""
        link.on_relayed = lambda _kind, _payload: self._spawn(link.close())
        async for frame in link:
            if visit.hear(frame) is not None:
                break
        await link.close()
        self._waiting = [each for each in self._waiting if each[0] is not link]
        for spectator in [each for each in self._watching if each.link is link]:
            self._watching.remove(spectator)
            spectator.news.set()
            if not spectator.is_late:
                self._on_change(self.names)

    # --- what they are sent ---------------------------------------------------------------------------------

    def hold(self) -> None:
        """The session works: what it holds now may not be durable yet."""
        self._is_held = True

    def release(self) -> None:
        """All that the session holds is durable."""
        self._is_held = False
        for each in self._watching:
            each.news.set()

    async def _send(self, spectator: _Spectator) -> None:
        """Send what there is, and wait for news; where the link takes nothing for too long, cut it."""
        link, loop = spectator.link, asyncio.get_running_loop()
        taken, behind = loop.time(), 0
        while link.reason is None and not spectator.is_told:
            spectator.news.clear()
            if link.unsent < behind or not link.unsent:
                taken = loop.time()
            sent, is_more = await self._send_some(spectator)
            behind = link.unsent
            if is_more and loop.time() - taken > STALLED:
                await link.close()
            elif is_more:
                await asyncio.sleep(max(TURN, sent / RATE))
            elif not spectator.is_told:
                await spectator.news.wait()
        if spectator.is_told:
            await link.close()

    async def _send_some(self, spectator: _Spectator) -> tuple[int, bool]:
        """Send what a turn and the link allow: how many bytes, and whether there is more to send."""
        link, sent = spectator.link, 0
        while not self._is_held:
            if sent >= RATE * TURN or link.unsent > MAX_BEHIND:
                return sent, True
            frames = self._next(spectator)
            if not frames:
                break
            for frame in frames:
                sent += len(frame)
                await link.send(frame)
        return sent, False

    def _next(self, spectator: _Spectator) -> list[bytes]:
        session, feed = self._session, spectator.feed
        assert session is not None
        if feed.step < 0:
            return feed.opening(session.history, self._places())
        frames = feed.following(session.history)
        if frames or spectator.is_told:
            return frames
        if session.is_over or (self._is_closing and session.is_closed):
            spectator.is_told = True
            return ending(session.last_records())
        return self._pauses(spectator)

    def _pauses(self, spectator: _Spectator) -> list[bytes]:
        """Who has paused the game since this one was told of it, once for all seats of a machine."""
        assert self._session is not None
        keepers = {seat for seat, each in enumerate(self._session.charter.seats) if each.keeper == seat}
        now, before = frozenset(self._paused & keepers), spectator.paused
        spectator.paused = now
        return [encode(PausedSeat(seat)) for seat in sorted(now - before)]

    # --- the end --------------------------------------------------------------------------------------------

    async def close(self) -> None:
        """The seat goes: hand over what each link takes at once, and close all of them."""
        self._is_closing = True
        for spectator in list(self._watching):
            if spectator.link.reason is None and self._session is not None:
                await self._send_some(spectator)
                for frame in self._pauses(spectator) if spectator.feed.step >= 0 else ():
                    await spectator.link.send(frame)  # also while steps wait for the disk
            await spectator.link.close()
        for link, _request in self._waiting:
            await link.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._watching, self._waiting, self._session = [], [], None

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task: asyncio.Task[None] = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
