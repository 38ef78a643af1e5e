"""Gathering a table over links: the host lists seats and proposes, guests apply, wait and agree."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from ..log.charter import DEFAULT_GRACE, DEFAULT_WATCHERS
from ..log.codec import Malformed, encode
from ..session import AnyRules
from ..session.room import MAX_TALK, Marks, Ready, Said, Say
from ..session.setup import (
    MAX_REASON,
    Agreed,
    HostSetup,
    Join,
    Opening,
    Refused,
    Roster,
    SetupError,
    SetupMessage,
    Terms,
    decode_setup,
)
from ..session.watching import Watch, read_watch
from .admission import Admission, Applicant
from .joining import ANSWER_TIME, Chair, Pace, TableClosed, join
from .link import Link
from .node import Node

__all__ = ["Applicant", "Chair", "Hosting", "Offer", "TableClosed", "join"]

APPLY_TIME = 10.0
"""Seconds between a link and the application over it: a guest's program applies at once."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What the host wants to play.

    ``scanner`` is the seat whose machine scans a printed deck, the host's own (0) as a rule; ``None`` deals
    sealed cards. ``recovery``: the game goes on after a player has left; ``None``: from four players on.
    ``grace`` are the seconds that a player may be away; ``watchers`` says who may watch. Printed
    cards need ``reveal = "end"``, and know no recovery: ``Hosting`` raises ``SetupError`` otherwise.
    """

    game: str
    options: dict[str, str]
    seats: int
    reveal: str = "end"
    scanner: int | None = None
    recovery: bool | None = None
    grace: int = DEFAULT_GRACE
    watchers: str = DEFAULT_WATCHERS

    @property
    def terms(self) -> Terms:
        """What guests are shown of it."""
        options = tuple(sorted(self.options.items()))
        fields = (self.reveal, self.recovery, self.grace, self.watchers, self.scanner)
        return Terms(self.game, options, self.seats, *fields)


class Hosting:
    """One gathering.

    ``admit`` is asked about each guest; ``on_roster`` hears of each change, ``on_ready`` which identities are
    ready, ``on_said`` what a guest says, ``on_reopened`` who spoilt the beginning, so that the room is open
    again, and ``on_refused`` of each link that does not keep to the protocol:
    its address and a sentence. It begins by itself when all seats are taken, or the first ``start_at`` of
    them; and, where it ``waits``, all guests are ready. The identities of ``order`` sit in that order, before
    all others.
    """

    def __init__(
        self,
        node: Node,
        offer: Offer,
        rules: AnyRules,
        *,
        admit: Callable[[Applicant], Awaitable[bool]],
        on_roster: Callable[[Roster], None],
        on_refused: Callable[[str, str], None] = lambda _address, _reason: None,
        on_ready: Callable[[frozenset[bytes]], None] = lambda _ready: None,
        on_said: Callable[[bytes, str], None] = lambda _public, _text: None,
        on_reopened: Callable[[str], None] = lambda _reason: None,
        waits: bool = False,
        start_at: int | None = None,
        order: Sequence[bytes] = (),
    ) -> None:
        self._node = node
        self._on_refused = on_refused
        self._on_ready = on_ready
        self._on_said = on_said
        self._on_reopened = on_reopened
        self._waits = waits
        self._start_at = start_at or offer.seats
        self._not_ready: set[bytes] = set()
        self._has_proposed = False
        self._rules = rules
        self._on_roster = on_roster
        self._links: dict[bytes, Link] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._ready = asyncio.Event()
        self._all_open = asyncio.Event()
        self._spoilers: set[bytes] = set()
        self._reason = ""
        self._awaited: set[bytes] = set()
        self._setup = HostSetup(
            offer.game,
            offer.options,
            offer.seats,
            offer.reveal,
            node.identity.public,
            node.name,
            node.addresses,
            node.entropy(),
            offer.scanner,
            offer.recovery,
            offer.grace,
            offer.watchers,
            order,
        )
        self._admission = Admission(node, self._setup, rules, admit, on_refused)
        node.spectators.policy = offer.watchers

    @property
    def roster(self) -> Roster:
        """Who sits now."""
        return self._setup.roster

    def expect_bot(self, public: bytes, name: str = "") -> None:
        """A bot of this program will apply: it is seated without asking, and kept by the host; a seat and the
        name are free for it."""
        self._admission.bots[public] = name
        self._admission.look_again()

    def forget_bot(self, public: bytes) -> None:
        """A bot of this program will not come, or leaves."""
        self._admission.bots.pop(public, None)

    @property
    def ready(self) -> frozenset[bytes]:
        """Who is ready to begin: the host, bots, and guests who have said so."""
        return frozenset(each.public for each in self.roster.taken) - self._not_ready

    async def say(self, text: str) -> None:
        """The host says something to all who wait; what is too long is cut."""
        if text:
            await self._pass_on(Said(self._node.identity.public, text[:MAX_TALK]))

    async def send_away(self, public: bytes) -> bool:
        """A guest loses its seat, and hears that; false where it has none, or where the game begins."""
        link = self._links.get(public)
        if link is None or self._has_proposed:
            return False
        self._admission.send_away(public)
        await link.send(encode(Refused(f"{self._node.name} has sent you away from this table.")))
        await self._left(link)
        return True

    def start_now(self) -> None:
        """Begin with who sits; at least two."""
        if len(self._setup.roster.taken) < 2:
            raise SetupError(
                "At least two players are needed to start; add bots or wait for someone to join."
            )
        self._ready.set()

    async def gather(self) -> Agreed:
        """Wait until all seats are taken or ``start_now`` is called, then agree on the charter; where a guest
        spoils that, say who, and wait again with its seat free."""
        self._on_roster(self.roster)
        try:
            while True:
                accepting = self._spawn(self._accept())
                await self._ready.wait()
                accepting.cancel()
                if len(self.roster.taken) < 2:  # somebody left at the very moment of the beginning
                    self._ready.clear()
                    continue
                agreed = await self._agree()
                if agreed is not None:
                    return agreed
                await self._reopen()
        finally:
            for task in list(self._tasks):
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _agree(self) -> Agreed | None:
        """``None`` where not all guests of the proposal are there to the end."""
        self._has_proposed = True
        await self._send_all(encode(self._setup.propose(self._rules)))
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(ANSWER_TIME):
                await self._all_open.wait()
        if not self._spoilers:
            # One that opened its nonce and left has no charter: it could never come back to the game.
            gone = {public for public, link in self._links.items() if link.reason is not None}
            silent = self._setup.unopened - gone
            if gone:
                names = self._setup.names(gone)
                self._spoil(gone, reason=f"{names} left while the table was being set up.")
            elif silent:
                self._admission.bar(silent)
                names = self._setup.names(silent)
                self._spoil(
                    silent, reason=f"No answer in time from {names} while the table was being set up."
                )
        if self._spoilers:
            return None
        message, agreed = self._setup.agreement()
        await self._send_all(encode(message))
        for public in self._setup.guests:
            self._node.keep(self._links.pop(public))
        return agreed

    def _spoil(self, publics: set[bytes] | frozenset[bytes], reason: str) -> None:
        """The proposal is worth nothing any more, through these guests; what is known first is said."""
        self._spoilers |= publics
        self._reason = self._reason or reason
        self._all_open.set()

    async def _reopen(self) -> None:
        """The room is open again. The others apply anew, at once and without being asked about."""
        links, self._links = self._links, {}
        reason, spoilers = self._reason, self._spoilers
        self._admission.let_in(self._setup.guests)
        self._awaited = set(self._setup.guests) - spoilers
        self._reason, self._spoilers, self._has_proposed = "", set(), False
        self._not_ready.clear()
        self._ready.clear()
        self._all_open.clear()
        self._setup.reopen(self._node.entropy())
        self._on_reopened(reason)
        if not self._awaited:  # else the others are back in a moment, and have not left
            self._on_roster(self.roster)
        self._spawn(self._await_no_longer(self._awaited))
        for link in links.values():
            self._spawn(_refuse(link, reason[:MAX_REASON]))

    async def _await_no_longer(self, awaited: set[bytes]) -> None:
        await asyncio.sleep(ANSWER_TIME)
        if awaited:
            awaited.clear()
            self._on_roster(self.roster)
            await self._tell_ready()

    async def _accept(self) -> None:
        while True:
            link = await self._node.arrivals.get()
            self._spawn(self._serve(link))

    async def _serve(self, link: Link) -> None:
        """One guest, from its application to its nonce."""
        with self._admission.counted(link) as has_room:
            if not has_room:
                await link.close()
                return
            is_seated = await self._hear_application(link)
        if is_seated and await self._hear_nonce(link):
            return
        await self._left(link)

    async def _hear_application(self, link: Link) -> bool:
        """Whether a guest came to sit."""
        try:
            async with asyncio.timeout(APPLY_TIME):
                message = await self._next(link)
        except TimeoutError:
            self._on_refused(link.address, "The program there connected and then said nothing.")
            return False
        if isinstance(message, Watch):
            self._node.spectators.arrive(link, message)
            return False
        if isinstance(message, Join):
            await self._apply(link, message)
            return self._links.get(link.peer) is link
        if message is not None:
            self._on_refused(link.address, "The program there sent something else than an application.")
        return False

    async def _hear_nonce(self, link: Link) -> bool:
        """Whether a seated guest opened its nonce, after whatever it said while it waited."""
        pace = Pace()
        while True:
            message = await self._next(link)
            if self._links.get(link.peer) is not link:
                return False  # sent away; what was on its way is not that of a seat any more
            match message:
                case Opening() if self._has_proposed:
                    self._open(link.peer, message)
                    return True
                case Ready(is_ready):
                    await self._mark(link.peer, is_ready)
                case Say(text):
                    await self._hear_talk(link.peer, text)
                case _:
                    if message is not None:
                        about = "A seated player's program sent something else than its nonce."
                        self._on_refused(link.address, about)
                    return False
            await pace.wait()

    async def _mark(self, public: bytes, is_ready: bool) -> None:
        before = self.ready
        if is_ready:
            self._not_ready.discard(public)
        else:
            self._not_ready.add(public)
        if self.ready != before:
            await self._tell_ready()

    async def _tell_ready(self) -> None:
        self._on_ready(self.ready)
        await self._pass_on(Marks(tuple(each.public in self.ready for each in self.roster.taken)))
        enough = len(self.roster.taken) >= self._start_at
        if enough and not self._awaited and not (self._waits and self._not_ready):
            self._ready.set()

    async def _hear_talk(self, public: bytes, text: str) -> None:
        if not self._has_proposed:
            self._on_said(public, text)
            await self._pass_on(Said(public, text))

    async def _pass_on(self, message: Marks | Said) -> None:
        """Tell the guests; from the proposal on they hear nothing of the waiting room any more."""
        if not self._has_proposed:
            await self._send_all(encode(message))

    async def _next(self, link: Link) -> SetupMessage | Watch | None:
        """The next message, or ``None`` where the link ends or carries something else."""
        async for frame in link:
            try:
                return read_watch(frame) or decode_setup(frame)
            except Malformed as error:
                self._on_refused(link.address, f"The program there sent no message of Shoal ({error}).")
                return None
        return None

    async def _apply(self, link: Link, join: Join) -> None:
        """Seat a guest, or say why not."""
        is_bot = link.peer in self._admission.bots
        reason = await self._admission.refusal(link, join)
        if reason is not None:
            await _refuse(link, reason)
            return
        if link.reason is not None:
            return  # it left while the host was asked: seating it would begin a game that cannot be set up
        self._setup.seat(link.peer, join, is_bot)
        if not is_bot:
            self._not_ready.add(link.peer)
        self._links[link.peer] = link
        self._awaited.discard(link.peer)
        await self._changed()

    async def _left(self, link: Link) -> None:
        if self._links.get(link.peer) is not link:
            if not self._node.spectators.has(link):
                await link.close()
            return
        if self._has_proposed:  # ``_reopen`` closes its link, too
            names = self._setup.names([link.peer])
            self._spoil({link.peer}, reason=f"{names} left while the table was being set up.")
            return
        del self._links[link.peer]
        self._not_ready.discard(link.peer)
        if self._setup.leave(link.peer):
            await self._changed()
        await link.close()

    async def _changed(self) -> None:
        self._admission.look_again()
        self._on_roster(self.roster)
        await self._send_all(encode(self.roster))
        await self._tell_ready()

    def _open(self, public: bytes, opening: Opening) -> None:
        try:
            if self._setup.open_nonce(public, opening):
                self._all_open.set()
        except SetupError as error:
            self._admission.bar({public})
            self._spoil({public}, str(error))

    async def _send_all(self, data: bytes) -> None:
        for link in list(self._links.values()):
            await link.send(data)

    def _spawn(self, work: Awaitable[None]) -> asyncio.Task[None]:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


async def _refuse(link: Link, reason: str) -> None:
    await link.send(encode(Refused(reason)))
    await link.close()
