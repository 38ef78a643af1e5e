"""Who may sit down at a table: how many links without a seat there may be, and what the host says to each."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from ..identity import fingerprint
from ..log.codec import encode
from ..session import AnyRules
from ..session.setup import HostSetup, Join, JoinWithDeck
from .addresses import BadAddress, is_plain_address, shown_address
from .joining import bad_name
from .link import Link
from .node import Node

MAX_APPLICANTS = 32
"""Links without a seat: more than any table seats, and few enough for this process's descriptors."""

MAX_APPLICANTS_PER_ADDRESS = 8
"""The same from one address, so that one machine alone does not keep all others out while the host is asked
about it; a table of six on one machine makes five."""


@dataclass(frozen=True, slots=True)
class Applicant:
    """Someone who wants to sit down, before the host says yes or no."""

    name: str
    public: bytes
    words: tuple[str, ...]
    address: str


class Admission:
    """The door of one gathering. ``admit`` asks the host; ``on_refused`` hears what else is refused here."""

    def __init__(
        self,
        node: Node,
        setup: HostSetup,
        rules: AnyRules,
        admit: Callable[[Applicant], Awaitable[bool]],
        on_refused: Callable[[str, str], None],
    ) -> None:
        self._node = node
        self._setup = setup
        self._rules = rules
        self._admit = admit
        self._on_refused = on_refused
        self.bots: dict[bytes, str] = {}
        """Bots of this program, with their names: they are seated without asking, and until then their seats
        and names are kept."""
        self._barred: set[bytes] = set()
        self._admitted: frozenset[bytes] = frozenset()
        self._unseated: Counter[str] = Counter()
        self._asked: dict[asyncio.Future[bool], tuple[Link, Join]] = {}

    def let_in(self, publics: Collection[bytes]) -> None:
        """The host is not asked about these any more."""
        self._admitted |= frozenset(publics)

    def send_away(self, public: bytes) -> None:
        """The host is asked about this one again."""
        self._admitted -= {public}

    def bar(self, publics: Collection[bytes]) -> None:
        """These do not get in any more."""
        self._barred |= frozenset(publics)

    @contextlib.contextmanager
    def counted(self, link: Link) -> Iterator[bool]:
        """Count a link without a seat; false where there are too many."""
        place = link.place
        if self._unseated[place] >= MAX_APPLICANTS_PER_ADDRESS or self._unseated.total() >= MAX_APPLICANTS:
            yield False
            return
        self._unseated[place] += 1
        try:
            yield True
        finally:
            self._unseated[place] -= 1
            if not self._unseated[place]:
                del self._unseated[place]

    async def refusal(self, link: Link, join: Join) -> str | None:
        """Why a guest may not sit, in a sentence; ``None`` where it may. The host is asked where it has to
        be."""
        reason = self._has_no_seat(link, join) or bad_name(join.name) or _bad_address(join.addresses)
        if reason is None and self._is_other_deck(join):
            # Seated, it would leave when it reads the roster, perhaps from a table that is full already.
            reason = "This table plays with another deck than the one asked for."
            self._on_refused(
                link.address,
                f"{join.name} wants another deck than this table's; without --deck there is a seat.",
            )
            await link.send(encode(self._setup.roster))
        if reason is None and link.peer in self._barred:
            reason = "The host did not let this player in."
        if reason is None and link.peer not in self.bots and link.peer not in self._admitted:
            applicant = Applicant(join.name, link.peer, fingerprint(link.peer), link.address)
            if not await self._is_admitted(link, join, applicant):
                reason = f"{self._node.name} did not let you in."
        # The answer of a person takes time; the table may have changed meanwhile.
        return self._has_no_seat(link, join) or reason

    def _has_no_seat(self, link: Link, join: Join) -> str | None:
        """Why there is no seat, or ``None``. A bot that is refused ends the program that waits for it, so no
        guest takes its place or its name."""
        reason = self._setup.refusal(link.peer, join)
        if reason is not None or link.peer in self.bots:
            return reason
        taken = {each.public for each in self._setup.roster.taken}
        coming = {name.casefold() for public, name in self.bots.items() if public not in taken}
        if join.name.casefold() in coming:
            return f"The name {join.name} is taken at this table; join with --name and another one."
        count = sum(public not in taken for public in self.bots)
        return "This table is full." if len(taken) + count >= self._setup.seats else None

    def look_again(self) -> None:
        """The roster has changed: ask no more about those who have no seat to hope for."""
        for asking, (link, application) in self._asked.items():
            if self._has_no_seat(link, application) is not None:
                asking.cancel()

    async def _is_admitted(self, link: Link, join: Join, applicant: Applicant) -> bool:
        """What the host says; it is not asked any more about one who has left, or has no seat to hope for."""
        asking = asyncio.ensure_future(self._admit(applicant))
        self._asked[asking] = (link, join)
        leaving = asyncio.create_task(link.ended())
        leaving.add_done_callback(lambda _done: asking.cancel())
        try:
            await asyncio.wait([asking])
            return not asking.cancelled() and asking.result()
        finally:
            del self._asked[asking]
            asking.cancel()
            leaving.cancel()

    def _is_other_deck(self, join: Join) -> bool:
        """Whether a guest insists on a deck that is not played with here."""
        if not isinstance(join, JoinWithDeck):
            return False
        options = self._rules.options(dict(self._setup.options), self._setup.seats)
        return join.deck != self._rules.deck(options).digest


def _bad_address(addresses: Sequence[str]) -> str | None:
    """What the host may not pass on to the others, who dial it."""
    for each in addresses:
        if not is_plain_address(each):
            return str(BadAddress(text=shown_address(each)))
    return None
