"""One seat's running game: carries out the effects of its session over links, a store, threads and a
clock."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeAlias

import msgspec

from ..log.absence import Statement
from ..log.charter import Charter, decode_charter
from ..log.codec import Malformed, encode
from ..log.entry import Entry
from ..log.wire import Want, encode_message
from ..sealed import Group
from ..session import (
    Action,
    AnyRules,
    CommittedDeed,
    Drop,
    Effect,
    Face,
    Fault,
    Finished,
    LinkCut,
    Paused,
    Persist,
    Send,
    Session,
    Talk,
    Tell,
    Telling,
    Timer,
    Watched,
    Work,
    committed_deed,
)
from ..session.history import History
from ..session.rematch import OPENS, WISH, read_again
from ..session.setup import Agreed
from ..session.watching import read_watch
from .link import Link
from .node import Node
from .relay import Relay
from .store import SavedGame, Store
from .whereabouts import Whereabouts
from .work import WorkPool

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

LAST_STEPS = 2
"""Steps handed on at the end of a game: nobody ends it before all have contributed to the last but one."""

MAX_UNHANDLED = 64
"""Frames of one link that wait for the session; then it is read no further, and TCP makes its peer wait."""

QUESTION = encode_message(Want(0, 0))[: -len(encode(0) + encode(0))]
"""How each ``Want`` begins: its answers are long."""

TALK_BURST = 30
TALK_TIME = 0.5
"""Lines of talk that one seat may send at once, and seconds until it may send one more: faster than people
read. What comes beyond that is not shown, so that nobody can bury the game under talk."""


@dataclass(frozen=True, slots=True)
class Broken:
    """The program itself cannot go on: a full disk, a damaged store, a bug. Nothing stored is lost."""

    error: BaseException


class Table:
    """A seat's session at work. Make one with ``sit`` or ``resume``; read ``tellings``; call ``close`` in
    the end."""

    def __init__(
        self,
        node: Node,
        session: Session,
        store: Store,
        pool: WorkPool,
        addresses: Mapping[int, tuple[str, ...]],
    ) -> None:
        self.session: Final = session
        self.tellings: asyncio.Queue[Telling | Broken] = asyncio.Queue()
        self._node = node
        self._store = store
        self._pool = pool
        charter = session.charter
        self._where = Whereabouts(
            charter.table_id, [seat.public for seat in charter.seats], addresses, node, session.seat
        )
        publics = [each.public for each in charter.seats]
        self._relay = Relay(node.identity, publics, lambda link: self._welcome(link.peer, link))
        self._links: dict[int, Link] = {}
        self._second: dict[int, Link] = {}
        self._gone_since: dict[int, float] = {}
        self._talked: dict[int, float] = {}
        self._inbox: asyncio.Queue[Callable[[], list[Effect]]] = asyncio.Queue()
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_put_away = False
        self.again: Final[dict[int, bool]] = {}
        """Seats whose players want another game after this one; true: that one's program opens it now."""

    @classmethod
    async def sit(
        cls,
        node: Node,
        agreed: Agreed,
        root: bytes,
        rules: AnyRules,
        store: Store,
        pool: WorkPool,
        group: Group,
        *,
        answer_delay: float = 3.0,
        waits: bool = True,
        dials: bool = False,
    ) -> Table:
        """Take the seat agreed on. The game, and the seat's secret, are stored before anything is sent."""
        charter = agreed.charter
        meta = {
            "addresses": {str(seat): list(at) for seat, at in agreed.addresses.items()},
            "port": node.port,
            "game": charter.game,
            "players": [seat.name for seat in charter.seats],
            "public": node.identity.public.hex(),
        }
        await asyncio.to_thread(store.create_game, charter.table_id, agreed.seat, encode(charter), root, meta)
        store.claim(charter.table_id, agreed.seat)
        session = Session(
            charter,
            rules,
            group,
            agreed.seat,
            node.identity,
            root,
            node.entropy(),
            answer_delay=answer_delay,
            waits=waits,
        )
        table = cls(node, session, store, pool, agreed.addresses)
        await table._open(((), (), None), resumed=dials)
        return table

    @classmethod
    async def resume(
        cls,
        node: Node,
        saved: SavedGame,
        rules: AnyRules,
        store: Store,
        pool: WorkPool,
        group: Group,
        *,
        answer_delay: float = 3.0,
        waits: bool = True,
    ) -> Table:
        """Go on with a stored game at the step where it stood.

        Of one that is marked as lost the other players hold what may be missing here. Raises ``SecretsLost``.
        """
        charter = decode_charter(saved.charter)
        store.claim(saved.table_id, saved.seat)
        root = await asyncio.to_thread(store.secrets, saved.table_id, saved.seat)
        stored = await asyncio.to_thread(_stored, store, saved)
        if saved.is_lost and not await asyncio.to_thread(_fits, charter, rules, group, stored):
            await asyncio.to_thread(store.forget_steps, saved.table_id, saved.seat)
            stored = ((), (), None)
        session = Session(
            charter,
            rules,
            group,
            saved.seat,
            node.identity,
            root,
            node.entropy(),
            answer_delay=answer_delay,
            waits=waits,
            rebuilds=saved.is_lost,
        )
        addresses = {int(seat): tuple(at) for seat, at in saved.meta["addresses"].items()}
        table = cls(node, session, store, pool, addresses)
        await table._open(stored, resumed=True)
        return table

    # --- for front ends -------------------------------------------------------------------------------------

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

    async def act(self, action: Action) -> None:
        """The player's decision. Raises ``IllegalAction``; nothing has changed then."""
        await self._asked(lambda: self.session.act(self._now(), action))

    async def scan(self, faces: Sequence[Face]) -> None:
        """Printed cards that were tapped. Raises ``ScanRefused``; nothing has changed then."""
        await self._asked(lambda: self.session.scan(self._now(), faces))

    async def scan_anew(self) -> None:
        """Ask again for the cards that were tapped and not contributed yet."""
        await self._asked(lambda: self.session.scan_anew(self._now()))

    async def say(self, text: str) -> None:
        """A line of chat to everyone."""
        await self._asked(lambda: self.session.say(text))

    async def farewell(self) -> None:
        """The player leaves the game for good, with all its seats, when this seat owes something next."""
        await self._asked(lambda: self.session.farewell(self._now()))

    async def give_up(self, seat: int) -> None:
        """The player will not wait for ``seat`` any longer, though its link is there."""
        await self._asked(lambda: self.session.give_up(self._now(), seat))

    async def play_again(self) -> None:
        """Tell the others that this player wants another game at this table."""
        for link in list(self._links.values()):
            await link.send(WISH)

    def places(self, seat: int) -> tuple[str, ...]:
        """Where a seat can be reached, as far as is known here."""
        return self._where.of(seat)

    async def pause(self) -> None:
        """Tell the others that this player stops for now."""
        await self._asked(self.session.pause)

    def record(self) -> bytes:
        """The game file as it stands."""
        return self.session.record()

    async def close(self, *, opens_next: bool = False) -> None:
        """Stop at once; the store already holds everything that matters. With ``opens_next`` the others hear
        that their applications for another game are taken from now on."""
        if self._timer is not None:
            self._timer.cancel()
        if self.session.is_closed and not self._is_put_away and self.session.seat not in self.session.awaited:
            await self._put_away("finished")
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._hand_on()
        await self._node.spectators.close()
        for link in list(self._links.values()) if opens_next else ():
            await link.send(OPENS)
        await self._relay.close()
        for link in [*self._links.values(), *self._second.values()]:
            await link.close()
        self._links.clear()
        self._second.clear()
        await self._where.close()
        self._store.release(self.session.history.table_id, self.session.seat)

    async def _hand_on(self) -> None:
        """Before leaving a game that is over: the last contributions, to who may not reach their authors."""
        if not self.session.is_over:
            return
        history = self.session.history
        want = encode_message(Want(history.epoch, max(0, history.step - LAST_STEPS)))
        for seat, link in self._links.items():
            for effect in self.session.receive(self._now(), seat, want):
                if isinstance(effect, Send) and effect.to == seat:
                    await link.send(effect.data)

    # --- running --------------------------------------------------------------------------------------------

    async def _open(self, stored: Stored, resumed: bool) -> None:
        charter = self.session.charter
        now = time.monotonic()
        self._gone_since = {seat: now for seat in range(len(charter.seats)) if seat != self.session.seat}
        effects = await asyncio.to_thread(self.session.start, self._now(), *stored)
        await self._carry_out(effects)
        for public, link in self._node.take_links():
            self._welcome(public, link)
        known = await asyncio.to_thread(self._store.players)
        self._node.spectators.open(self.session, known, self._where.all, self._watched)
        self._spawn(self._run())
        self._spawn(self._accept())
        self._spawn(self._keep_asking())
        for seat in range(len(charter.seats)):
            if seat != self.session.seat:
                waits = 0.0 if resumed or seat < self.session.seat else DIAL_DOWN
                self._spawn(self._keep_linked(seat, waits))

    async def _run(self) -> None:
        is_lost = self.session.is_rebuilding
        while True:
            step = await self._inbox.get()
            self._node.spectators.hold()
            await self._carry_out(step())
            self._node.spectators.release()
            if is_lost and not self.session.is_rebuilding:  # the others have handed over all they hold
                is_lost = False
                place = (self.session.history.table_id, self.session.seat)
                await asyncio.to_thread(self._store.mark_lost, *place, is_lost)

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
        older = self._links.get(seat)
        self._links[seat] = link
        self._gone_since.pop(seat, None)
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
        opens = read_again(frame)
        if opens is not None:
            self.again[seat] = opens or self.again.get(seat, False)
            return []
        return self.session.receive(self._now(), seat, frame)

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

    def _watched(self, names: tuple[str, ...]) -> None:
        self._inbox.put_nowait(lambda: self.session.watched(names))

    # --- effects --------------------------------------------------------------------------------------------

    async def _carry_out(self, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case Persist():
                    await asyncio.to_thread(self._persist, effect)
                case Send(None, data):
                    for link in list(self._links.values()):
                        await link.send(data)
                case Send(to, data) if to is not None and to in self._links:
                    await self._links[to].send(data)
                case Drop(peer, reason):
                    await self._tell(LinkCut(peer, reason))
                    for links in (self._second, self._links):
                        if peer in links:
                            await links[peer].close()
                case Work(number, job):
                    self._spawn(self._work(number, job))
                case Timer(delay):
                    self._wake_in(delay)
                case Tell(what):
                    await self._tell(what)

    def _persist(self, effect: Persist) -> None:
        committed = effect.committed
        self._store.append(
            self.session.history.table_id,
            self.session.seat,
            [msgspec.structs.astuple(entry) for entry in effect.entries],
            statements=[msgspec.structs.astuple(statement) for statement in effect.statements],
            committed=None
            if committed is None
            else (committed.epoch, committed.step, encode(committed.deed)),
        )

    async def _work(self, number: int, job: Any) -> None:
        value = await self._pool.run(job)
        self._inbox.put_nowait(lambda: self.session.done(self._now(), number, value))

    def _wake_in(self, delay: float) -> None:
        """One timer for the whole session: the earliest wish counts, later ones are asked for again."""
        loop = asyncio.get_running_loop()
        when = loop.time() + delay
        if self._timer is not None and not self._timer.cancelled() and self._timer.when() <= when:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer = loop.call_at(when, self._wake)

    def _wake(self) -> None:
        self._timer = None
        self._inbox.put_nowait(lambda: self.session.tick(self._now()))

    async def _tell(self, what: Telling) -> None:
        if isinstance(what, Talk | Paused | LinkCut | Watched) and self._is_too_much(what.seat):
            return
        if isinstance(what, Finished | Fault):
            await self._put_away("cheated" if isinstance(what, Fault) else "finished")
        self.tellings.put_nowait(what)

    def _is_too_much(self, seat: int) -> bool:
        """Count one line of talk of ``seat``: each takes ``TALK_TIME``, and ``TALK_BURST`` may run ahead."""
        now = self._now()
        used = max(now, self._talked.get(seat, now)) + TALK_TIME
        if used > now + TALK_BURST * TALK_TIME:
            return True
        self._talked[seat] = used
        return False

    async def _put_away(self, state: str) -> None:
        """The game is over: its record stays, this seat's secrets go."""
        self._is_put_away = True
        table_id, seat = self.session.history.table_id, self.session.seat
        await asyncio.to_thread(self._store.finish, table_id, seat, state)
        await asyncio.to_thread(self._store.delete_secrets, table_id, seat)

    # --- helpers --------------------------------------------------------------------------------------------

    async def _asked(self, step: Callable[[], list[Effect]]) -> None:
        """Run one input of the player in its turn, and hand an error of it back to the caller."""
        answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def run() -> list[Effect]:
            try:
                effects = step()
            except Exception as error:  # noqa: BLE001  # handed to the caller, whose input it was
                answer.set_exception(error)
                return []
            answer.set_result(None)
            return effects

        self._inbox.put_nowait(run)
        await answer

    def _spawn(self, work: Any) -> asyncio.Task[None]:
        task: asyncio.Task[None] = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self.tellings.put_nowait(Broken(error))

    @staticmethod
    def _now() -> float:
        return time.monotonic()


Stored: TypeAlias = tuple[tuple[Entry, ...], tuple[Statement, ...], CommittedDeed | None]
"""What ``Session.start`` takes from a store."""


def _stored(store: Store, saved: SavedGame) -> Stored:
    committed = store.committed(saved.table_id, saved.seat)
    return (
        tuple(Entry(*row) for row in store.entries(saved.table_id, saved.seat)),
        tuple(Statement(*row) for row in store.statements(saved.table_id, saved.seat)),
        None if committed is None else committed_deed(*committed),
    )


def _fits(charter: Charter, rules: AnyRules, group: Group, stored: Stored) -> bool:
    """Whether what a store holds of a game is one history."""
    try:
        History(charter, rules, group).restore(*stored[:2])
    except Malformed:
        return False
    return True
