"""Gathering a table over links: the host lists seats and proposes, guests apply and agree."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass

from ..identity import fingerprint
from ..link.known import clean_name
from ..log.charter import DEFAULT_GRACE
from ..log.codec import Malformed, encode
from ..sealed import Group
from ..session import AnyRules
from ..session.setup import (
    Agreed,
    GuestSetup,
    HostSetup,
    Join,
    JoinWithDeck,
    Opening,
    Refused,
    Roster,
    SetupError,
    SetupMessage,
    decode_setup,
)
from .addresses import BadAddress, split_address
from .link import Link
from .node import Node

ANSWER_TIME = 30.0
"""Seconds a seat has to open its nonce: its program does so by itself, so this only meets a hung machine."""

APPLY_TIME = 10.0
"""Seconds between a link and the application over it: a guest's program applies at once."""

MAX_APPLICANTS = 32
"""Links without a seat: more than any table seats, and few enough for this process's descriptors."""


class TableClosed(SetupError):
    """The host's program, or its link, has ended before the game began."""

    def __init__(self) -> None:
        reason = "The host closed the table before the game began."
        super().__init__(reason)


RulesOf = Callable[[str], AnyRules]


@dataclass(frozen=True, slots=True)
class Offer:
    """What the host wants to play.

    ``scanner`` is the seat whose machine scans a printed deck, the host's own (0) as a rule; ``None`` deals
    sealed cards. ``recovery``: the game goes on after a player has left; ``None``: from four players on.
    ``grace`` are the seconds that a player may be away. Printed cards need ``reveal = "end"``, and know no
    recovery: ``Hosting`` raises ``SetupError`` otherwise.
    """

    game: str
    options: dict[str, str]
    seats: int
    reveal: str = "end"
    scanner: int | None = None
    recovery: bool | None = None
    grace: int = DEFAULT_GRACE


@dataclass(frozen=True, slots=True)
class Applicant:
    """Someone who wants to sit down, before the host says yes or no."""

    name: str
    public: bytes
    words: tuple[str, ...]
    address: str


class Hosting:
    """One gathering. ``admit`` is asked about each guest; ``on_roster`` hears of each change, and
    ``on_refused`` of each link that does not keep to the protocol: its address and a sentence."""

    def __init__(
        self,
        node: Node,
        offer: Offer,
        rules: AnyRules,
        *,
        admit: Callable[[Applicant], Awaitable[bool]],
        on_roster: Callable[[Roster], None],
        on_refused: Callable[[str, str], None] = lambda _address, _reason: None,
    ) -> None:
        self._node = node
        self._on_refused = on_refused
        self._unseated = 0
        self._rules = rules
        self._admit = admit
        self._on_roster = on_roster
        self._bots: set[bytes] = set()
        self._links: dict[bytes, Link] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._ready = asyncio.Event()
        self._all_open = asyncio.Event()
        self._failure: SetupError | None = None
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
        )

    @property
    def roster(self) -> Roster:
        """Who sits now."""
        return self._setup.roster

    def expect_bot(self, public: bytes) -> None:
        """A bot of this program will apply: it is seated without asking, and kept by the host."""
        self._bots.add(public)

    def start_now(self) -> None:
        """Begin with who sits; at least two."""
        if len(self._setup.roster.taken) < 2:
            raise SetupError(
                "At least two players are needed to start; add bots or wait for someone to join."
            )
        self._ready.set()

    async def gather(self) -> Agreed:
        """Wait until all seats are taken or ``start_now`` is called, then agree on the charter."""
        accepting = self._spawn(self._accept())
        self._on_roster(self.roster)
        try:
            await self._ready.wait()
            self._raise_failure()
            accepting.cancel()
            return await self._agree()
        finally:
            for task in list(self._tasks):
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _agree(self) -> Agreed:
        await self._send_all(encode(self._setup.propose(self._rules)))
        try:
            async with asyncio.timeout(ANSWER_TIME):
                await self._all_open.wait()
        except TimeoutError:
            raise SetupError("A player did not answer in time; start the game again.") from None
        self._raise_failure()
        message, agreed = self._setup.agreement()
        await self._send_all(encode(message))
        for public in self._setup.guests:
            self._node.keep(self._links.pop(public))
        return agreed

    async def _accept(self) -> None:
        while True:
            link = await self._node.arrivals.get()
            self._spawn(self._serve(link))

    async def _serve(self, link: Link) -> None:
        """One guest, from its application to its nonce."""
        if self._unseated >= MAX_APPLICANTS:
            await link.close()
            return
        self._unseated += 1
        try:
            is_seated = await self._hear_application(link)
        finally:
            self._unseated -= 1
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
        if isinstance(message, Join):
            await self._apply(link, message)
            return self._links.get(link.peer) is link
        if message is not None:
            self._on_refused(link.address, "The program there sent something else than an application.")
        return False

    async def _hear_nonce(self, link: Link) -> bool:
        """Whether a seated guest opened its nonce; no other message is its to send."""
        message = await self._next(link)
        if isinstance(message, Opening):
            self._open(link.peer, message)
            return True
        if message is not None:
            self._on_refused(link.address, "A seated player's program sent something else than its nonce.")
        return False

    async def _next(self, link: Link) -> SetupMessage | None:
        """The next message, or ``None`` where the link ends or carries something else."""
        async for frame in link:
            try:
                return decode_setup(frame)
            except Malformed as error:
                self._on_refused(link.address, f"The program there sent no message of Shoal ({error}).")
                return None
        return None

    async def _apply(self, link: Link, join: Join) -> None:
        """Seat a guest, or say why not."""
        reason = self._setup.refusal(link.peer, join) or _bad_name(join.name) or _bad_address(join.addresses)
        is_bot = link.peer in self._bots
        if reason is None and self._is_other_deck(join):
            # Seated, it would leave when it reads the roster, perhaps from a table that is full already.
            reason = "This table plays with another deck than the one asked for."
            self._on_refused(
                link.address,
                f"{join.name} wants another deck than this table's; without --deck there is a seat.",
            )
            await link.send(encode(self.roster))
        if reason is None and not is_bot:
            applicant = Applicant(join.name, link.peer, fingerprint(link.peer), link.address)
            if not await self._admit(applicant):
                reason = "The host did not let this player in."
        # The answer of a person takes time; the table may have changed meanwhile.
        reason = reason or self._setup.refusal(link.peer, join)
        if reason is not None:
            await link.send(encode(Refused(reason)))
            await link.close()
            return
        if link.reason is not None:
            return  # it left while the host was asked: seating it would begin a game that cannot be set up
        self._setup.seat(link.peer, join, is_bot)
        self._links[link.peer] = link
        await self._changed()

    def _is_other_deck(self, join: Join) -> bool:
        """Whether a guest insists on a deck that is not played with here."""
        if not isinstance(join, JoinWithDeck):
            return False
        options = self._rules.options(dict(self._setup.options), self._setup.seats)
        return join.deck != self._rules.deck(options).digest

    async def _left(self, link: Link) -> None:
        if self._links.get(link.peer) is not link:
            await link.close()
            return
        del self._links[link.peer]
        try:
            if self._setup.leave(link.peer):
                await self._changed()
        except SetupError as error:
            self._fail(error)
        await link.close()

    async def _changed(self) -> None:
        self._on_roster(self.roster)
        await self._send_all(encode(self.roster))
        if self._setup.is_full:
            self._ready.set()

    def _open(self, public: bytes, opening: Opening) -> None:
        try:
            if self._setup.open_nonce(public, opening):
                self._all_open.set()
        except SetupError as error:
            self._fail(error)

    def _fail(self, error: SetupError) -> None:
        self._failure = error
        self._ready.set()
        self._all_open.set()

    def _raise_failure(self) -> None:
        if self._failure is not None:
            raise self._failure

    async def _send_all(self, data: bytes) -> None:
        for link in list(self._links.values()):
            await link.send(data)

    def _spawn(self, work: Awaitable[None]) -> asyncio.Task[None]:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


async def join(
    node: Node,
    addresses: Sequence[str],
    rules_of: RulesOf,
    group: Group,
    *,
    on_roster: Callable[[Roster], None],
    deck: bytes = b"",
) -> Agreed:
    """Apply at the table that listens at one of ``addresses``, and wait until it starts. With ``deck``, only
    a table will do that plays with the deck of this digest.

    Raises ``LinkError`` where nobody answers, ``SetupError`` where the table does not come about.
    """
    link = await node.connect(addresses)
    setup = GuestSetup(node.identity.public, node.name, node.addresses, node.entropy(), deck)
    return await _agree(node, link, setup, rules_of, group, on_roster)


async def _agree(
    node: Node,
    link: Link,
    setup: GuestSetup,
    rules_of: RulesOf,
    group: Group,
    on_roster: Callable[[Roster], None],
) -> Agreed:
    await link.send(encode(setup.application()))
    try:
        async for frame in link:
            answer = setup.receive(decode_setup(frame), rules_of, group)
            if isinstance(answer, Opening):
                await link.send(encode(answer))
            elif isinstance(answer, Agreed):
                _check_names(seat.name for seat in answer.charter.seats)
                node.keep(link)
                return answer
            elif setup.roster is not None:
                _check_names(seat.name for seat in setup.roster.taken)
                on_roster(setup.roster)
    except Malformed as error:
        await link.close()
        raise SetupError(f"The host sent something that is no message of Shoal ({error}).") from None
    except BaseException:
        await link.close()
        raise
    raise TableClosed


def _check_names(names: Iterable[str]) -> None:
    """A host shows its guests no name that it may not seat itself: names are printed as they are."""
    for name in names:
        reason = _bad_name(name)
        if reason is not None:
            raise Malformed(reason)


def _bad_name(name: str) -> str | None:
    try:
        cleaned = clean_name(name)
    except ValueError as error:
        return str(error)
    return None if cleaned == name else "The name is not in its normal form; choose another."


def _bad_address(addresses: Sequence[str]) -> str | None:
    """What the host may not pass on to the others, who dial it."""
    try:
        for each in addresses:
            split_address(each)
    except BadAddress as error:
        return str(error)
    return None
