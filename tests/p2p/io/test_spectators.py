"""Spectators of whole tables over real TLS on loopback: what they see, may not do, and cost."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from cli.bench_seat import admit_all, play_to_end
from engine.registry import game
from p2p.identity import Identity
from p2p.io import spectators, watching
from p2p.io.link import Link
from p2p.io.lobby import Hosting, Offer, join
from p2p.io.node import Node
from p2p.io.store import Store
from p2p.io.table import Table
from p2p.io.tcp import dial
from p2p.io.watching import Found, Judged, Lost, PausedSeat, Seen, Spectator, StrangerRefused, WatchRefused
from p2p.io.work import WorkPool
from p2p.link import LinkError
from p2p.link.known import KnownPlayer
from p2p.log import Charter, Chat, EntryFrame, Missing, encode, encode_message, read_game
from p2p.session import Agreed
from p2p.session.watching import Watch
from p2p.verify import Step, Undone, verify
from tests.p2p.io.open_tables import GROUP, gather, leave, open_node, sit

NAMES = ("Ann", "Ben", "Cem")
SHORT = {"ranks": "4", "hand_size": "2", "end_mode": "all_books"}
"""A game that is not over before somebody has come to watch, whatever is dealt: all ten cards of its pond
have to be drawn. One that ends with the first empty hand is over after the first question now and again."""

LIMIT = 120.0
"""Seconds for whatever a test waits for, on a machine that does much else."""


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(LIMIT):
        while not is_so():  # noqa: ASYNC110  # what is waited for has no event
            await asyncio.sleep(0.02)


class Room:
    """Tables of one game, and those who watch it."""

    def __init__(self, folder: Path, watchers: str = "any") -> None:
        self.folder = folder
        self.watchers = watchers
        self.nodes: list[Node] = []
        self.tables: list[Table] = []
        self.watching: list[asyncio.Task[list[Seen]]] = []
        self.seen: list[list[Seen]] = []
        self.pool = WorkPool()

    async def open(self) -> None:
        self.nodes = [await open_node(name) for name in NAMES]

    async def gather(self, recovery: bool | None = None, options: dict[str, str] = SHORT) -> list[Agreed]:
        offer = Offer("go-fish", options, len(NAMES), recovery=recovery, watchers=self.watchers)
        return await gather(self.nodes, offer)

    def store(self, seat: int) -> Store:
        return Store.open(self.folder / NAMES[seat])

    async def sit(self, agreed: list[Agreed]) -> None:
        self.tables += await sit(self.nodes, agreed, self.folder, self.pool)

    async def pause(self) -> None:
        """All pause at once, and their programs end."""
        await asyncio.gather(*(table.pause() for table in self.tables))
        for table in self.tables:
            await leave(table)
        for node in self.nodes:
            await node.close()

    async def resume(self) -> None:
        """All go on where they were."""
        self.nodes = [
            await Node.open(node.identity, node.name, host="127.0.0.1", port=node.port) for node in self.nodes
        ]
        for node in self.nodes:
            node.spectators.policy = self.watchers
        self.tables = []
        for seat, node in enumerate(self.nodes):
            store = self.store(seat)
            (saved,) = store.games()
            self.tables.append(
                await Table.resume(node, saved, game("go-fish"), store, self.pool, GROUP, answer_delay=0.0)
            )

    def watch(
        self,
        seat: int = 0,
        identity: Identity | None = None,
        name: str = "Gus",
        *,
        is_patient: bool = False,
    ) -> Spectator:
        spectator = Spectator(identity or Identity(os.urandom(32)), name, game, GROUP)
        addresses = self.nodes[seat].addresses

        seen: list[Seen] = []
        self.seen.append(seen)

        async def follow() -> list[Seen]:
            async for each in spectator.watch(addresses, is_patient=is_patient):
                seen.append(each)  # noqa: PERF401  # others look at it meanwhile
            return seen

        self.watching.append(asyncio.create_task(follow()))
        return spectator

    async def play(self) -> None:
        async with asyncio.timeout(LIMIT):
            await asyncio.gather(*(play_to_end(table) for table in self.tables))

    async def reach(self, step: int) -> asyncio.Task[None]:
        playing = asyncio.create_task(self.play())
        await until(lambda: self.tables[0].session.history.step >= step)
        return playing

    async def close(self) -> None:
        for task in self.watching:
            task.cancel()
        await asyncio.gather(*self.watching, return_exceptions=True)
        for table in self.tables:
            await leave(table)
        for node in self.nodes:
            await node.close()
        await self.pool.close()


@asynccontextmanager
async def a_room(folder: Path, watchers: str = "any", is_seated: bool = True) -> AsyncIterator[Room]:
    room = Room(folder, watchers)
    await room.open()
    try:
        if is_seated:
            await room.sit(await room.gather())
        yield room
    finally:
        await room.close()


def steps_of(seen: list[Seen]) -> list[int]:
    """The steps that stand: where a seat that is behind takes over, they are read anew."""
    steps: list[int] = []
    for each in seen:
        if isinstance(each, Step):
            steps.append(each.number)
        elif isinstance(each, Undone):
            del steps[each.step :]
    return steps


async def test_one_who_comes_late_verifies_everything_and_says_the_verdict(tmp_path: Path) -> None:
    async with a_room(tmp_path) as room:
        playing = await room.reach(12)
        gus = room.watch(seat=1)
        await playing
        seen = await asyncio.wait_for(room.watching[0], LIMIT)
        judged = seen[-1]
        assert isinstance(judged, Judged)
        assert judged.is_whole
        assert judged.report == verify(room.tables[1].record(), game, GROUP)
        assert judged.report.finished
        assert steps_of(seen) == list(range(room.tables[1].session.history.step))
        assert gus.record() == room.tables[1].record()


async def test_one_who_waits_for_the_game_sees_it_from_the_first_step(tmp_path: Path) -> None:
    async with a_room(tmp_path, is_seated=False) as room:
        room.watch()
        host = room.nodes[0]
        await room.sit(await _after_arrival(room, host))
        await until(lambda: host.spectators.names == ("Gus",))
        await room.play()
        seen = await asyncio.wait_for(room.watching[0], LIMIT)
        assert isinstance(seen[-1], Judged)
        assert seen[-1].report.finished


async def test_one_who_has_watched_a_game_watches_the_next_one_of_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It asks while the players still sit at the first one, who hear nothing of that."""
    monkeypatch.setattr(watching, "AGAIN_PAUSE", 0.05)
    async with a_room(tmp_path) as room:
        gus = room.watch(seat=1)
        await room.play()
        first = await asyncio.wait_for(room.watching[0], LIMIT)
        told: list[tuple[str, ...]] = []
        room.nodes[0].spectators._on_change = told.append
        arrived: list[Link] = []
        arrive = room.nodes[0].spectators.arrive

        def count(link: Link, request: Watch) -> None:
            arrived.append(link)
            arrive(link, request)

        monkeypatch.setattr(room.nodes[0].spectators, "arrive", count)
        seen: list[Seen] = []

        async def follow() -> None:
            seen.extend([each async for each in gus.next_game().watch(())])

        following = asyncio.create_task(follow())
        room.watching.append(following)
        await until(lambda: len(arrived) >= 3)
        assert not following.done()
        assert told == []
        for table in room.tables:
            await table.close()
        room.tables.clear()
        await room.sit(await _after_arrival(room, room.nodes[0]))
        await room.play()
        await asyncio.wait_for(following, LIMIT)
        charters = [each[0] for each in (first, seen)]
        assert all(isinstance(each, Charter) for each in charters)
        assert charters[0] != charters[1]
        assert steps_of(seen) == list(range(room.tables[0].session.history.step))
        assert isinstance(seen[-1], Judged)
        assert seen[-1].report == verify(room.tables[0].record(), game, GROUP)


async def test_one_who_waits_for_another_game_learns_that_the_host_has_gone(tmp_path: Path) -> None:
    async with a_room(tmp_path) as room:
        gus = room.watch()
        await room.play()
        await asyncio.wait_for(room.watching[0], LIMIT)
        for table in room.tables:
            await table.close()
        await room.nodes[0].close()
        seen = gus.next_game().watch(())
        with pytest.raises(LinkError):
            await anext(seen)


async def _after_arrival(room: Room, host: Node) -> list[Agreed]:
    offer = Offer("go-fish", SHORT, len(NAMES), watchers=room.watchers)
    hosting = Hosting(host, offer, game("go-fish"), admit=admit_all, on_roster=lambda _: None)
    gathering = asyncio.create_task(hosting.gather())
    await until(lambda: bool(host.spectators._waiting))
    guests = [join(node, host.addresses, game, GROUP, on_roster=lambda _: None) for node in room.nodes[1:]]
    return list(await asyncio.gather(gathering, *guests))


async def test_all_at_the_table_hear_who_watches(tmp_path: Path) -> None:
    async with a_room(tmp_path) as room:
        heard: list[list[tuple[str, ...]]] = [[] for _ in room.tables]

        def listen(number: int) -> Callable[[object], None]:
            tellings = room.tables[number].tellings
            put = tellings.put_nowait

            def keep(telling: object) -> None:
                if type(telling).__name__ == "Watched":
                    heard[number].append(telling.names)
                put(telling)

            return keep

        for number, table in enumerate(room.tables):
            table.tellings.put_nowait = listen(number)
        room.watch(seat=2)
        await until(lambda: all(each == [("Gus",)] for each in heard))
        room.watching[0].cancel()
        await until(lambda: all(each == [("Gus",), ()] for each in heard))
        await room.play()


SPOKEN = {
    "chat": encode_message(Chat("play the nine")),
    "contribution": encode_message(EntryFrame(0, 0, bytes(8), 0, b"body", bytes(64))),
    "absence": encode_message(Missing(0, 0, bytes(8), 1)),
    "request": encode(Watch("Gus", 0, b"")),
    "nonsense": b"\x00" * 10,
}


@pytest.mark.parametrize("said", SPOKEN)
async def test_one_who_speaks_is_cut_off_and_changes_nothing(tmp_path: Path, said: str) -> None:
    async with a_room(tmp_path) as room:
        session = room.tables[0].session
        receive, heard = session.receive, []
        session.receive = lambda now, peer, data: (heard.append(data), receive(now, peer, data))[1]
        link = await dial(Identity(os.urandom(32)), room.nodes[0].addresses)
        await link.send(encode(Watch("Eve", 0, b"")))
        await until(lambda: room.nodes[0].spectators.names == ("Eve",))
        await link.send(SPOKEN[said])
        await until(lambda: room.nodes[0].spectators.names == ())
        await until(lambda: link.reason is not None)
        await room.play()
        assert SPOKEN[said] not in heard
        assert verify(room.tables[0].record(), game, GROUP).finished
        await link.close()


async def test_one_that_never_reads_is_dropped_and_costs_little(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spectators, "STALLED", 1.0)
    monkeypatch.setattr(spectators, "MAX_BEHIND", 16 * 1024)
    async with a_room(tmp_path) as room:
        link = await dial(Identity(os.urandom(32)), room.nodes[0].addresses)
        await link.send(encode(Watch("Eve", 0, b"")))
        link._tasks[0].cancel()  # it sends signs of life, and reads nothing any more
        await until(lambda: bool(room.nodes[0].spectators._watching))
        server = [each.link for each in room.nodes[0].spectators._watching]
        most = 0

        async def measure() -> None:
            nonlocal most
            while True:
                most = max(most, server[0].unsent)
                await asyncio.sleep(0.005)

        measuring = asyncio.create_task(measure())
        _fill(link)
        await room.play()
        measuring.cancel()
        largest = max(len(encode(entry)) for entry in room.tables[0].session.history.entries)
        assert most <= 16 * 1024 + len(NAMES) * largest + 64 * 1024
        assert verify(room.tables[0].record(), game, GROUP).finished
        await link.close()


def _fill(link: Link) -> None:
    """The operating system takes no more for this side than it has to."""
    link._wire._reader._transport.pause_reading()


async def test_nobody_watches_where_the_host_says_so(tmp_path: Path) -> None:
    async with a_room(tmp_path, watchers="none") as room:
        room.watch()
        with pytest.raises(WatchRefused, match="Nobody watches"):
            await asyncio.wait_for(room.watching[0], LIMIT)
        await room.play()


async def test_those_watch_whom_the_player_has_met(tmp_path: Path) -> None:
    gus = Identity(os.urandom(32))
    with Store.open(tmp_path / NAMES[1]) as store:
        store.remember(KnownPlayer("Gustav", gus.public, 0, True))
    async with a_room(tmp_path, watchers="known") as room:
        room.watch(seat=0, identity=gus)
        with pytest.raises(StrangerRefused, match="lets only people watch who have played with"):
            await asyncio.wait_for(room.watching[0], LIMIT)
        room.watch(seat=1, identity=gus)
        await until(lambda: room.nodes[1].spectators.names == ("Gustav",))
        room.watch(seat=1, name="Gustav")  # the same name, and another key
        with pytest.raises(WatchRefused, match="another key"):
            await asyncio.wait_for(room.watching[2], LIMIT)
        await room.play()
        seen = await asyncio.wait_for(room.watching[1], LIMIT)
        assert isinstance(seen[-1], Judged)
        assert seen[-1].report.finished


async def test_a_player_does_not_watch_its_own_game_and_plays_on(tmp_path: Path) -> None:
    async with a_room(tmp_path) as room:
        room.watch(seat=0, identity=room.nodes[1].identity)
        with pytest.raises(WatchRefused, match="You sit at this table"):
            await asyncio.wait_for(room.watching[0], LIMIT)
        await room.play()
        assert verify(room.tables[0].record(), game, GROUP).finished


async def test_no_more_than_so_many_watch_at_one_seat(tmp_path: Path) -> None:
    async with a_room(tmp_path) as room:
        for number in range(spectators.MAX_WATCHERS):
            room.watch(name=f"Gus {number}")
        await until(lambda: len(room.nodes[0].spectators.names) == spectators.MAX_WATCHERS)
        room.watch(name="One More")
        with pytest.raises(WatchRefused, match="no more can"):
            await asyncio.wait_for(room.watching[-1], LIMIT)
        await room.play()
        for watching in room.watching[:-1]:
            seen = await asyncio.wait_for(watching, LIMIT)
            assert isinstance(seen[-1], Judged)
            assert seen[-1].report.finished


async def test_another_seat_takes_over_where_the_first_goes_away(tmp_path: Path) -> None:
    async with a_room(tmp_path) as room:
        playing = await room.reach(8)
        room.watch(seat=0)
        await until(lambda: bool(room.nodes[0].spectators.names))
        for each in list(room.nodes[0].spectators._watching):
            await each.link.close()
        room.nodes[0].spectators.policy = "none"
        await playing
        seen = await asyncio.wait_for(room.watching[0], LIMIT)
        assert any(isinstance(each, Lost) for each in seen)
        assert any(isinstance(each, Found) for each in seen)
        assert steps_of(seen) == list(range(room.tables[0].session.history.step))
        assert isinstance(seen[-1], Judged)
        assert seen[-1].report.finished


async def test_who_paused_is_told_and_one_who_is_patient_goes_on_with_the_players(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two at one seat, the other one stops looking after a while."""
    monkeypatch.setattr(watching, "SEARCH_TIME", 1.0)
    monkeypatch.setattr(watching, "PATIENT_PAUSE", 0.05)
    async with a_room(tmp_path) as room:
        playing = await room.reach(8)
        gus, eve = room.watch(is_patient=True), room.watch(name="Eve")
        await until(lambda: len(room.nodes[0].spectators.names) == 2)
        await until(lambda: all(steps_of(seen) for seen in room.seen))
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        await room.pause()
        given_up = await asyncio.wait_for(room.watching[1], LIMIT)
        assert isinstance(given_up[-1], Judged)
        assert not given_up[-1].is_whole
        assert 0 in eve.paused
        assert PausedSeat(0) in room.seen[0]
        assert not room.watching[0].done()
        await room.resume()
        await room.play()
        seen = await asyncio.wait_for(room.watching[0], LIMIT)
        assert isinstance(seen[-1], Judged)
        assert seen[-1].is_whole
        assert seen[-1].report.finished
        assert steps_of(seen) == list(range(room.tables[0].session.history.step))
        assert gus.paused == ()
        assert len([each for each in seen if isinstance(each, PausedSeat)]) == len(
            {each.seat for each in seen if isinstance(each, PausedSeat)}
        ), "nobody is told twice of the same pause"


async def test_who_watches_at_another_seat_hears_who_paused_once_and_who_comes_later_too(
    tmp_path: Path,
) -> None:
    async with a_room(tmp_path) as room:
        playing = [asyncio.create_task(play_to_end(table)) for table in room.tables[1:]]  # it waits for Ann
        gus = room.watch(seat=1)
        await until(lambda: bool(steps_of(room.seen[0])))
        await room.tables[0].pause()
        await until(lambda: PausedSeat(0) in room.seen[0])
        eve = room.watch(seat=1, name="Eve")
        await until(lambda: PausedSeat(0) in room.seen[1])
        async with asyncio.timeout(LIMIT):
            await asyncio.gather(*playing, play_to_end(room.tables[0]))  # she plays on all the same
        for watching_ in room.watching:
            seen = await asyncio.wait_for(watching_, LIMIT)
            assert isinstance(seen[-1], Judged)
            assert seen[-1].report.finished
            assert seen.count(PausedSeat(0)) == 1
        assert gus.paused == eve.paused == ()


async def test_a_cheat_is_seen_by_those_who_watch(tmp_path: Path) -> None:
    async with a_room(tmp_path) as room:
        room.watch()
        cheat = room.tables[2].session
        honest = cheat._contribute_job

        def lie() -> object:
            work = honest()
            if cheat.history.step > 10:
                object.__setattr__(work, "job", _Wrong(work.job))
            return work

        cheat._contribute_job = lie
        playing = [asyncio.create_task(play_to_end(table)) for table in room.tables]
        async with asyncio.timeout(LIMIT):
            await asyncio.gather(*playing[:2])
        playing[2].cancel()
        seen = await asyncio.wait_for(room.watching[0], LIMIT)
        judged = seen[-1]
        assert isinstance(judged, Judged)
        assert (judged.report.verdict, judged.report.seat) == ("cheated", 2)
        assert read_game(room.tables[0].record()).rejected


class _Wrong:
    """Makes the contribution and then changes its last byte: the proof no longer holds."""

    def __init__(self, job: object) -> None:
        self._job = job

    def run(self) -> tuple[bytes, object]:
        body, passed = self._job.run()
        return body[:-1] + bytes([body[-1] ^ 1]), passed


async def test_who_has_left_the_game_may_watch_the_rest(tmp_path: Path) -> None:
    async with a_room(tmp_path, is_seated=False) as room:
        await room.sit(await room.gather(recovery=True, options={}))  # a long game
        playing = [asyncio.create_task(play_to_end(table)) for table in room.tables]
        await until(lambda: room.tables[0].session.history.step > 14)
        playing.pop(1).cancel()  # its player decides nothing more
        await room.tables[1].farewell()
        await until(lambda: 1 in room.tables[0].session.history.progress.gone)
        room.watch(seat=0, identity=room.nodes[1].identity, name=NAMES[1])
        await until(lambda: room.nodes[0].spectators.names == (NAMES[1],))
        async with asyncio.timeout(LIMIT):
            await asyncio.gather(*playing)
        seen = await asyncio.wait_for(room.watching[0], LIMIT)
        judged = seen[-1]
        assert isinstance(judged, Judged)
        assert (judged.report.verdict, judged.is_whole) == ("sound", True)
        assert [seat for _, seat in judged.report.left] == [1]


async def test_nothing_is_sent_that_a_crash_could_undo(tmp_path: Path) -> None:
    """The disk of the seat that is watched stands still while it stores its own contribution."""
    async with a_room(tmp_path) as room:
        table = room.tables[0]
        store, history = table._store, table.session.history
        append, goes_on, stands = store.append, threading.Event(), threading.Event()

        def slow(table_id: bytes, seat: int, entries: Sequence[Any], *more: Any, **named: Any) -> None:
            is_built_upon = any(row[1] >= 12 and row[2] == 0 and row[1] < history.step for row in entries)
            if is_built_upon and not goes_on.is_set():
                stands.set()
                goes_on.wait(LIMIT)
            append(table_id, seat, entries, *more, **named)

        store.append = slow
        room.watch(seat=0)
        playing = asyncio.create_task(room.play())
        try:
            await until(stands.is_set)
            durable = {row[1] for row in store.entries(history.table_id, 0) if row[2] == 0}
            room.watch(seat=0, name="Hal")
            await until(lambda: len(room.nodes[0].spectators.names) == 2)
            await until(lambda: any(isinstance(each, Step) for some in room.seen for each in some))
            await asyncio.sleep(1.0)  # time for whatever would be sent
            seen = [each for some in room.seen for each in some if isinstance(each, Step)]
            assert {each.number for each in seen if 0 in each.signed} <= durable
        finally:
            goes_on.set()
        await playing
        assert isinstance((await asyncio.wait_for(room.watching[0], LIMIT))[-1], Judged)


async def test_before_the_game_strangers_take_no_place_from_those_who_are_known(tmp_path: Path) -> None:
    gus = Identity(os.urandom(32))
    async with a_room(tmp_path, watchers="known", is_seated=False) as room:
        host = room.nodes[0]
        host.spectators.known = [KnownPlayer("Gus", gus.public, 0)]
        with Store.open(tmp_path / NAMES[0]) as store:
            store.remember(KnownPlayer("Gus", gus.public, 0))
        gathering = asyncio.create_task(_after_arrival(room, host))
        for _ in range(3):
            room.watch(name="Eve")
            with pytest.raises(StrangerRefused, match="lets only people watch who have played with"):
                await asyncio.wait_for(room.watching[-1], LIMIT)
        room.watch(identity=gus)
        await room.sit(await gathering)
        await until(lambda: host.spectators.names == ("Gus",))
        await room.play()
        assert isinstance((await asyncio.wait_for(room.watching[-1], LIMIT))[-1], Judged)


async def test_nobody_watches_under_the_name_of_a_player(tmp_path: Path) -> None:
    async with a_room(tmp_path) as room:
        room.watch(name="ben")
        with pytest.raises(WatchRefused, match="has this name"):
            await asyncio.wait_for(room.watching[0], LIMIT)
        await room.play()
