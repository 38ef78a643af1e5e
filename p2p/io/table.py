"""One seat's running game: carries out the effects of its session over links, a store, threads and a
clock."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

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
    Rebuilds,
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
from ..session.rematch import OPENS, WISH
from ..session.setup import Agreed
from .links import Links
from .node import Node
from .store import SavedGame, SecretsLost, Store
from .work import WorkPool

LAST_STEPS = 2
"""Steps handed on at the end of a game: nobody ends it before all have contributed to the last but one."""

TALK_BURST = 30
TALK_TIME = 0.5
"""Lines of talk that one seat may send at once, and seconds until it may send one more: faster than people
read. What comes beyond that is not shown, so that nobody can bury the game under talk."""


@dataclass(frozen=True, slots=True)
class Broken:
    """The program itself cannot go on: a full disk, a damaged store, a bug. Nothing stored is lost."""

    error: BaseException


class Table(Links):
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
        super().__init__(node, session, addresses)
        self.tellings: asyncio.Queue[Telling | Broken] = asyncio.Queue()
        self._store = store
        self._pool = pool
        self._talked: dict[int, float] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._is_put_away = False
        self.is_at_work = False
        """Whether what the session has taken in is still being stored, sent and told."""

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
        resigns: bool = False,
    ) -> Table:
        """Go on with a stored game at the step where it stood.

        Of one that is marked as lost the other players hold what may be missing here. With ``resigns`` the
        seat leaves the game for good, for which its key alone is enough. Raises ``SecretsLost`` otherwise,
        where those are.
        """
        charter = decode_charter(saved.charter)
        store.claim(saved.table_id, saved.seat)
        root: bytes | None = None
        try:
            root = await asyncio.to_thread(store.secrets, saved.table_id, saved.seat)
        except SecretsLost:
            if not resigns:
                raise
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
        if resigns:
            await table.farewell()
        return table

    # --- for front ends -------------------------------------------------------------------------------------

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

    async def pause(self) -> None:
        """Tell the others, and those who watch, that this player stops for now."""
        self.paused.add(self.session.seat)
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
        await self._stop_tasks()
        await self._hand_on()
        await self._node.spectators.close()
        for link in list(self._links.values()) if opens_next else ():
            await link.send(OPENS)
        await self._close_links()
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
        self._miss_all()
        effects = await asyncio.to_thread(self.session.start, self._now(), *stored)
        await self._carry_out(effects)
        for public, link in self._node.take_links():
            self._welcome(public, link)
        known = await asyncio.to_thread(self._store.players)
        self._node.spectators.open(self.session, known, self._where.all, self._watched, self.paused)
        self._spawn(self._run())
        self._mend_links(at_once=resumed)

    async def _run(self) -> None:
        is_lost = self.session.is_rebuilding
        while True:
            step = await self._inbox.get()
            self._node.spectators.hold()
            self.is_at_work = True
            try:
                await self._carry_out(step())
            finally:
                self.is_at_work = False
            self._node.spectators.release()
            if is_lost and not self.session.is_rebuilding:  # the others have handed over all they hold
                is_lost = False
                place = (self.session.history.table_id, self.session.seat)
                await asyncio.to_thread(self._store.mark_lost, *place, is_lost)

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
        if isinstance(what, Talk | Paused | LinkCut | Watched | Rebuilds) and self._is_too_much(what.seat):
            return
        if isinstance(what, Paused):
            self.paused.add(what.seat)
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

    def _broke(self, error: BaseException) -> None:
        self.tellings.put_nowait(Broken(error))


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
