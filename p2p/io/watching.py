"""Watching a game: a feed of one seat, and of another one where that goes away, verified as it comes."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ..identity import Identity
from ..link import LinkError
from ..log.charter import Charter
from ..log.codec import Malformed, encode
from ..log.record import Damaged
from ..log.wire import decode_message
from ..sealed import Group
from ..session.setup import Refused, SetupError, decode_setup
from ..session.watching import PausedSeat, Watch, is_for_strangers
from ..verify import (
    BadFeed,
    Begun,
    Cheated,
    Due,
    Ended,
    Follower,
    Heard,
    Report,
    RulesOf,
    Step,
    Undone,
    Verifier,
)
from .link import Link
from .tcp import dial

SEARCH_TIME = 120.0
"""Seconds for another seat's program to take over where one goes away: as long as a player may be away."""

SEARCH_PAUSE = 1.0
"""Seconds between two rounds of asking all seats."""

PATIENT_PAUSE = 3.0
"""The same where the game is paused, perhaps until tomorrow."""

AGAIN_PAUSE = 3.0
"""Seconds between two questions whether a table that was watched plays another game: its players take their
time, and each question costs the host's program a handshake."""

MAX_BEFORE = 3
"""Frames of a seat's own talk that may come before the answer, where a player of this table asks."""


class WatchRefused(SetupError):
    """Nobody watches there, or not this one. The message is one sentence."""


class StrangerRefused(WatchRefused):
    """Only those watch there who are known."""


class StillOver(Exception):
    """The table that was asked for its next game is still at the one that is over."""


@dataclass(frozen=True, slots=True)
class Watched:
    """A game that was watched to its end: what asks for more of it, and where its host's program is."""

    request: Watch
    charter: Charter
    places: tuple[str, ...]

    @property
    def host(self) -> bytes:
        """The key of who hosts the table."""
        return self.charter.seats[0].public


@dataclass(frozen=True, slots=True)
class Lost:
    """No seat sends any more; others are asked."""

    reason: str


@dataclass(frozen=True, slots=True)
class Found:
    """Another seat sends now, or the same one again; ``seat`` is the one that was found."""

    seat: int


@dataclass(frozen=True, slots=True)
class Judged:
    """The end: the verdict on all that came. ``is_whole`` is false where no seat sent the end of the game."""

    report: Report
    is_whole: bool


Seen: TypeAlias = Charter | Step | Undone | PausedSeat | Lost | Found | Judged


class Spectator:
    """One who watches. Iterate over ``watch``; ``record`` is the game's file as far as it came."""

    def __init__(
        self,
        identity: Identity,
        name: str,
        rules_of: RulesOf,
        group: Group,
        before: Watched | None = None,
    ) -> None:
        """With ``before`` the next game of the same table is watched."""
        self._identity = identity
        self._name = name
        self._rules_of = rules_of
        self._group = group
        self._follower = Follower(rules_of, group)
        self._before = before
        self._link: Link | None = None
        self._refusing: set[bytes] = set()
        self._paused: set[int] = set()

    def next_game(self) -> Spectator:
        """One who watches the next game of the table whose game was watched here to its end."""
        follower = self._follower
        assert follower.charter is not None
        places = follower.places[0] if follower.places else ()
        before = Watched(follower.request(self._name), follower.charter, places)
        return Spectator(self._identity, self._name, self._rules_of, self._group, before)

    def record(self) -> bytes:
        """The game's file, as far as it was verified."""
        return self._follower.record()

    @property
    def has_begun(self) -> bool:
        """Whether the charter is here."""
        return self._follower.charter is not None

    @property
    def reached(self) -> int:
        """The step that was under way where the feed began."""
        return self._follower.reached

    @property
    def paused(self) -> tuple[int, ...]:
        """Seats whose players have paused the game, and did nothing in it since."""
        return tuple(sorted(self._paused))

    @property
    def verifier(self) -> Verifier:
        """What has verified all that was seen; there once the charter was."""
        return self._follower.verifier

    @property
    def address(self) -> str:
        """Where the feed comes from."""
        return self._link.address if self._link is not None else ""

    async def watch(
        self, addresses: Sequence[str], *, is_patient: bool = False
    ) -> AsyncGenerator[Seen, None]:
        """What is seen, in order; ``Judged`` is the last. Raises ``LinkError`` where nobody answers at
        ``addresses``, ``WatchRefused`` where one may not watch, ``BadFeed`` where what comes is no game. One
        whose feed goes wrong later is not asked again; the others are.

        Where the game is paused and no seat's program is there, one who ``is_patient`` waits for its players
        as long as it takes.

        For the next game of a table, ``addresses`` are more places of the host, who is waited for as long as
        its program is there.
        """
        link = await self._first_link(addresses)
        try:
            while True:
                self._link, reason = link, ""
                try:
                    async for seen in self._follow(link):
                        yield seen
                        if isinstance(seen, Judged):
                            return
                except WatchRefused as error:
                    if self._follower.charter is None:
                        raise
                    reason = str(error)
                    self._refusing.add(link.peer)
                except BadFeed as error:
                    if self._follower.charter is None:
                        raise
                    reason = str(error)
                    self._refusing.add(link.peer)
                except StillOver:
                    self._follower = Follower(self._rules_of, self._group)
                finally:
                    await link.close()
                if self._follower.charter is None and self._before is not None:
                    await asyncio.sleep(AGAIN_PAUSE)  # the host's table is closed, or opens anew
                    link = await self._first_link(addresses)
                    continue
                if self._follower.charter is None:
                    raise WatchRefused("The host closed the table before the game began.")
                yield Lost(reason or link.reason or "The connection is closed.")
                found = await self._next_link(is_patient=is_patient and bool(self._paused))
                if found is None:
                    yield Judged(self._follower.verifier.so_far(), is_whole=False)
                    return
                seat, link = found
                self._paused.discard(seat)
                yield Found(seat)
        finally:
            await link.close()

    async def _first_link(self, addresses: Sequence[str]) -> Link:
        if self._before is None:
            return await dial(self._identity, addresses)
        return await dial(self._identity, (*self._before.places, *addresses), expect=self._before.host)

    def _request(self) -> Watch:
        """Who watched the last game asks as one who has come to its end: while the table is still at it,
        there is nothing to send."""
        if self._before is not None and self._follower.charter is None:
            return self._before.request
        return self._follower.request(self._name)

    async def _follow(self, link: Link) -> AsyncIterator[Seen]:
        """One feed until its link ends, or the game does."""
        follower = self._follower
        follower.begin_feed()
        await link.send(encode(self._request()))
        before, is_begun = 0, False
        async for frame in link:
            before += 1
            if not is_begun and _is_talk(frame, before):
                continue
            is_begun = True
            try:
                async for seen in self._hear(frame):
                    yield seen
            except (Damaged, Cheated) as error:
                yield Judged(follower.verifier.failed(error), is_whole=True)
                return

    async def _hear(self, frame: bytes) -> AsyncIterator[Seen]:
        for heard in self._follower.hear(frame):
            for seen in await self._seen_of(heard):
                yield seen

    async def _seen_of(self, heard: Heard) -> list[Seen]:
        follower = self._follower
        match heard:
            case Begun(charter):
                if self._before is not None and charter == self._before.charter:
                    raise StillOver
                return [charter]
            case Due():
                taken = await asyncio.to_thread(follower.verify, heard)
                self._paused -= {*taken.signed, *taken.after.gone}
                return [taken]
            case PausedSeat(seat):
                is_new = seat not in self._paused
                self._paused.add(seat)
                return [heard] if is_new else []
            case Undone():
                return [heard]
            case Ended():
                step, report = await asyncio.to_thread(follower.conclude)
                return [*([] if step is None else [step]), Judged(report, is_whole=True)]

    async def _next_link(self, *, is_patient: bool) -> tuple[int, Link] | None:
        """A link to any seat, each asked for in turn; ``None`` where none answers in ``SEARCH_TIME``, but to
        one who ``is_patient``."""
        charter, places = self._follower.charter, self._follower.places
        assert charter is not None
        seats = tuple(zip(places, charter.seats, strict=False))
        if not any(self._may_ask(addresses, seat.public) for addresses, seat in seats):
            return None
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(None if is_patient else SEARCH_TIME):
                leaving = set(self._paused)  # their programs may still answer, and are about to end
                while True:
                    for seat, addresses in enumerate(places[: len(charter.seats)]):
                        if charter.seats[seat].keeper in leaving:
                            continue
                        link = await self._dial(addresses, charter.seats[seat].public)
                        if link is not None:
                            return seat, link
                    leaving.clear()
                    await asyncio.sleep(PATIENT_PAUSE if is_patient else SEARCH_PAUSE)
        return None

    def _may_ask(self, addresses: Sequence[str], public: bytes) -> bool:
        return bool(addresses) and public != self._identity.public and public not in self._refusing

    async def _dial(self, addresses: Sequence[str], public: bytes) -> Link | None:
        if not self._may_ask(addresses, public):
            return None
        try:
            return await dial(self._identity, addresses, expect=public)
        except (LinkError, ValueError):
            return None


def _is_talk(frame: bytes, number: int) -> bool:
    """Whether a frame is no part of a feed and may be left aside. Raises ``WatchRefused``."""
    with contextlib.suppress(Malformed):
        message = decode_setup(frame)
        if isinstance(message, Refused):
            kind = StrangerRefused if is_for_strangers(message.reason) else WatchRefused
            raise kind(message.reason)
        return True
    if number > MAX_BEFORE:
        return False
    try:
        decode_message(frame)
    except Malformed:
        return False
    return True


__all__ = [
    "BadFeed", "Found", "Judged", "Lost", "PausedSeat", "Seen", "Spectator", "StrangerRefused",
    "WatchRefused",
]  # fmt: skip
