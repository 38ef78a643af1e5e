"""The waiting room over real TLS on loopback: who is ready, talk, a flood of it, and when the game begins."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from cli.bench_seat import admit_all
from cli.loop import first_of
from engine.registry import game
from p2p.identity import Identity
from p2p.io import handing, joining
from p2p.io.joining import PACE_BURST, Chair, NoCharter
from p2p.io.link import Link
from p2p.io.lobby import Applicant, Hosting, Offer, join
from p2p.io.node import Node
from p2p.io.sodium import load_group
from p2p.io.store import Store
from p2p.io.table import Table
from p2p.io.work import WorkPool
from p2p.link import LinkError
from p2p.log.codec import Malformed, encode
from p2p.session.room import MAX_TALK, Marks, Ready, Said, Say
from p2p.session.setup import (
    Agreed,
    Agreement,
    GuestSetup,
    HostSetup,
    Join,
    Opening,
    Proposal,
    Refused,
    Roster,
    Seated,
    SetupError,
    SetupMessage,
    decode_setup,
)
from p2p.session.setup_wire import LACKS

pytestmark = pytest.mark.network

GROUP = load_group()
LIMIT = 60.0
"""Seconds that something may take on a busy machine."""


@asynccontextmanager
async def nodes(*names: str) -> AsyncIterator[list[Node]]:
    opened = [await Node.open(Identity(os.urandom(32)), name, host="127.0.0.1") for name in names]
    try:
        yield opened
    finally:
        for node in opened:
            await node.close()


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(LIMIT):
        while not holds():  # noqa: ASYNC110  # many things are waited for
            await asyncio.sleep(0.01)


class Room:
    """What the host hears."""

    def __init__(self, node: Node, seats: int, **more: object) -> None:
        self.ready: list[frozenset[bytes]] = []
        self.said: list[tuple[bytes, str]] = []
        self.refused: list[str] = []
        self.hosting = Hosting(
            node, Offer("go-fish", {}, seats), game("go-fish"), on_roster=lambda _: None,
            on_ready=self.ready.append, on_said=lambda public, text: self.said.append((public, text)),
            on_refused=lambda _address, reason: self.refused.append(reason),
            **{"admit": admit_all, **more},
        )  # fmt: skip
        self.task = asyncio.create_task(self.hosting.gather())

    @property
    def taken(self) -> int:
        return len(self.hosting.roster.taken)

    async def close(self) -> None:
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)


def sitting(node: Node, host: Node, chair: Chair) -> asyncio.Task[object]:
    return asyncio.create_task(join(node, host.addresses, game, GROUP, on_roster=lambda _: None, chair=chair))


async def test_a_full_table_waits_until_all_guests_are_ready() -> None:
    async with nodes("Ann", "Ben", "Cem") as (ann, ben, cem):
        room = Room(ann, 3, waits=True)
        seen: list[frozenset[bytes]] = []
        first = Chair(seen.append, is_ready=False)
        tasks = [sitting(ben, ann, first), sitting(cem, ann, Chair())]
        await until(lambda: room.taken == 3 and cem.identity.public in room.hosting.ready)
        assert not room.task.done()
        assert ben.identity.public not in room.hosting.ready
        await first.ready(True)
        await until(room.task.done)
        agreed = [room.task.result(), *[await task for task in tasks]]
        assert len({each.charter.table_id for each in agreed}) == 1
        everybody = {node.identity.public for node in (ann, ben, cem)}
        assert room.ready[-1] == everybody
        assert seen[-1] == everybody


async def test_readiness_is_taken_back_and_the_host_starts_all_the_same() -> None:
    async with nodes("Ann", "Ben") as (ann, ben):
        room = Room(ann, 3, waits=True)
        chair = Chair(is_ready=True)
        task = sitting(ben, ann, chair)
        await until(lambda: ben.identity.public in room.hosting.ready)
        await chair.ready(False)
        await until(lambda: ben.identity.public not in room.hosting.ready)
        room.hosting.start_now()
        await until(room.task.done)
        assert (await task) is not None
        assert len(room.task.result().charter.seats) == 2


async def test_it_starts_at_the_number_of_seats_that_is_wanted() -> None:
    async with nodes("Ann", "Ben") as (ann, ben):
        room = Room(ann, 4, start_at=2)
        await sitting(ben, ann, Chair(is_ready=False))
        assert len((await room.task).charter.seats) == 2


async def test_talk_reaches_all_with_its_author() -> None:
    async with nodes("Ann", "Ben", "Cem") as (ann, ben, cem):
        room = Room(ann, 4)
        heard: list[tuple[bytes, str]] = []
        talker, listener = Chair(), Chair(on_said=lambda public, text: heard.append((public, text)))
        tasks = [sitting(ben, ann, talker), sitting(cem, ann, listener)]
        await until(lambda: room.taken == 3)
        await until(lambda: len(room.hosting.ready) == 3)
        await talker.say("hello" * 200)
        await until(lambda: heard)
        await room.hosting.say("welcome")
        await until(lambda: len(heard) == 2)
        assert heard == [
            (ben.identity.public, ("hello" * 200)[:MAX_TALK]), (ann.identity.public, "welcome")
        ]  # fmt: skip
        assert room.said == heard[:1]
        room.hosting.start_now()
        await asyncio.gather(room.task, *tasks)
        await talker.say("too late")  # on this link now the game speaks
        ((_public, link),) = ben.take_links()
        assert link.reason is None
        await link.close()


async def test_a_flood_of_talk_is_read_slowly_and_the_table_goes_on() -> None:
    async with nodes("Ann", "Ben", "Cem") as (ann, ben, cem):
        room = Room(ann, 3)
        chair = Chair()
        flood = sitting(ben, ann, chair)
        await until(lambda: room.taken == 2)
        await until(lambda: len(room.hosting.ready) == 2)
        for _ in range(50 * PACE_BURST):
            await chair.say("x")
        await until(lambda: len(room.said) >= PACE_BURST - 2)
        third = sitting(cem, ann, Chair())
        await until(lambda: room.taken == 3)
        assert len(room.said) < 10 * PACE_BURST
        for task in (flood, third):
            task.cancel()
        await asyncio.gather(flood, third, return_exceptions=True)
        await room.close()


async def test_nobody_is_asked_about_who_has_left_or_finds_no_seat_any_more() -> None:
    """Else whoever knocks and runs away, again and again, keeps all others out."""
    asked: list[str] = []

    async def admit(applicant: Applicant) -> bool:
        asked.append(applicant.name)
        if applicant.name in ("Ben", "Cem"):
            try:
                await asyncio.Event().wait()
            finally:
                asked.remove(applicant.name)
        return True

    async with nodes("Ann", "Ben", "Cem", "Dora") as (ann, ben, cem, dora):
        room = Room(ann, 2, admit=admit, waits=True)
        tasks = [sitting(each, ann, Chair(is_ready=False)) for each in (ben, cem)]
        await until(lambda: len(asked) == 2)
        tasks[0].cancel()
        await until(lambda: asked == ["Cem"])
        tasks.append(sitting(dora, ann, Chair(is_ready=False)))
        with pytest.raises(SetupError, match="full"):
            await asyncio.wait_for(tasks[1], LIMIT)
        assert (asked, room.taken) == (["Dora"], 2)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await room.close()


async def test_a_guest_dials_one_host_alone_where_it_wants_that_one() -> None:
    async with nodes("Ann", "Ben", "Eve") as (ann, ben, eve):
        room = Room(eve, 2)
        with pytest.raises(LinkError):
            await join(ben, eve.addresses, game, GROUP, on_roster=lambda _: None, expect=ann.identity.public)
        assert room.taken == 1
        await room.close()


async def test_what_a_seated_guest_may_not_send_is_refused() -> None:
    async with nodes("Ann", "Ben") as (ann, ben):
        room = Room(ann, 3)
        link = await ben.connect(ann.addresses)
        setup = GuestSetup(ben.identity.public, "Ben", ben.addresses, ben.entropy())
        await link.send(encode(setup.application()))
        await until(lambda: room.taken == 2)
        await link.send(encode(Said(ann.identity.public, "Ann says this")))
        await until(lambda: room.refused)
        await until(lambda: room.taken == 1)
        assert room.said == []
        await link.close()
        await room.close()


@pytest.mark.parametrize(
    "message",
    [
        Say(""),
        Say("x" * (MAX_TALK + 1)),
        Said(b"short", "x"),
        Said(b"a" * 32, ""),
        Marks(()),
        Marks((True,) * 7),
    ],
)
def test_wrong_sizes_are_refused(message: Say | Said | Marks) -> None:
    with pytest.raises(Malformed):
        decode_setup(encode(message))


@pytest.mark.parametrize(
    ("message", "data"),
    [
        (Ready(True), "92a57265616479c3"),
        (Ready(False), "92a57265616479c2"),
        (Marks((True, False)), "92ab7265616479207365617473" + "92c3c2"),
        (Say("hi"), "92a3736179a26869"),
        (Said(b"\x01" * 32, "hi"), "93a473616964c420" + "01" * 32 + "a26869"),
    ],
)
def test_bytes(message: Ready | Marks | Say | Said, data: str) -> None:
    """As docs/protocol_links.md, section 9, has them."""
    assert encode(message).hex() == data
    assert decode_setup(bytes.fromhex(data)) == message


SEAT = Seated(b"a" * 32, "Ann", False)


@pytest.mark.parametrize(("seats", "taken"), [(4, 0), (1, 2), (7, 1), (7, 7), (-1, 1), (2**40, 1)])
def test_a_roster_of_impossible_sizes_is_refused(seats: int, taken: int) -> None:
    with pytest.raises(Malformed):
        decode_setup(encode(Roster("go-fish", (), seats, (SEAT,) * taken)))


def test_marks_and_roster_have_to_fit() -> None:
    chair = Chair()
    roster = Roster("go-fish", (), 4, ())
    with pytest.raises(Malformed):
        chair.hear(Marks((True,)), roster)
    with pytest.raises(Malformed):
        chair.hear(Marks((True,)), None)
    assert not isinstance(roster, Proposal)


async def test_who_is_sent_away_hears_that_and_the_seat_is_free_however_much_it_goes_on() -> None:
    async with nodes("Ann", "Ben", "Cem") as (ann, ben, cem):
        room = Room(ann, 3, waits=True)
        chair = Chair(is_ready=False)
        task = sitting(ben, ann, chair)
        await until(lambda: room.taken == 2)
        assert not await room.hosting.send_away(cem.identity.public), "nobody of that name sits here"
        for number in range(3 * PACE_BURST):
            await chair.ready(number % 2 == 0)
        assert await room.hosting.send_away(ben.identity.public)
        assert room.taken == 1
        with pytest.raises(SetupError, match="sent you away"):
            await task
        assert ben.identity.public not in room.hosting.ready
        others = [sitting(cem, ann, Chair())]
        await until(lambda: room.taken == 2)
        room.hosting.start_now()
        await asyncio.gather(room.task, *others)
        assert not await room.hosting.send_away(cem.identity.public), "the game has begun"


class Spoiler:
    """A guest of another program: it sits down, is ready, and opens its nonce only when it ``opens``."""

    def __init__(self, node: Node, host: Node) -> None:
        self._node, self._host = node, host
        self.heard: list[object] = []
        self.has_seen = asyncio.Event()
        self.opens, self.leaves = asyncio.Event(), asyncio.Event()
        self.task = asyncio.create_task(self._sit())

    async def _sit(self) -> None:
        link = await self._node.connect(self._host.addresses)
        setup = GuestSetup(self._node.identity.public, self._node.name, (), self._node.entropy())
        await link.send(encode(setup.application()))
        await link.send(encode(Ready(True)))
        leaving = asyncio.create_task(self._leave(link))
        async for frame in link:
            message = decode_setup(frame)
            self.heard.append(message)
            if isinstance(message, Roster):
                setup.receive(message, game, GROUP)
            if isinstance(message, Proposal):
                self.has_seen.set()
                await first_of(self.opens.wait(), self.leaves.wait())
                opening = setup.receive(message, game, GROUP)
                if self.opens.is_set() and isinstance(opening, Opening):
                    await link.send(encode(opening))
        leaving.cancel()
        await link.close()

    async def _leave(self, link: Link) -> None:
        await self.leaves.wait()
        await link.close()


@pytest.mark.parametrize("leaves", [True, False])
async def test_who_spoils_the_beginning_is_named_and_the_others_sit_in_the_open_room(
    leaves: bool,
) -> None:
    """By leaving, or by saying nothing: neither ends the table for all."""
    asked: list[str] = []
    told: list[str] = []
    heard: list[str] = []

    async def admit(applicant: Applicant) -> bool:
        asked.append(applicant.name)
        return True

    async with nodes("Ann", "Ben", "Zo", "Dora") as (ann, ben, zo, dora):
        room = Room(ann, 3, admit=admit, on_reopened=told.append)
        task = asyncio.create_task(
            join(ben, ann.addresses, game, GROUP, on_roster=lambda _: None, on_reopened=heard.append)
        )
        await until(lambda: room.taken == 2)
        spoiler = Spoiler(zo, ann)
        await until(spoiler.has_seen.is_set)
        await until(lambda: room.hosting._setup.unopened == {zo.identity.public})
        if leaves:
            spoiler.leaves.set()
        else:
            room.hosting._all_open.set()  # as after the time for an answer
        await until(lambda: told and heard and room.taken == 2)
        assert not room.task.done()
        assert told == heard
        assert "Zo" in told[0]
        assert [each.name for each in room.hosting.roster.taken] == ["Ann", "Ben"]
        if not leaves:  # whose program is silent does not do it a second time
            again = Spoiler(zo, ann)
            await until(again.task.done)
            assert isinstance(again.heard[-1], Refused)
        spoiler.leaves.set()
        await until(spoiler.task.done)
        third = sitting(dora, ann, Chair())
        agreed = await asyncio.wait_for(room.task, LIMIT)
        assert (await task).charter.table_id == agreed.charter.table_id
        await third
        assert [each.name for each in agreed.charter.seats] == ["Ann", "Ben", "Dora"]
        assert sorted(asked) == ["Ben", "Dora", "Zo"]  # nobody is asked about twice


async def test_who_will_not_play_with_the_others_leaves_before_it_opens_its_nonce() -> None:
    """So no game begins that would wait for it, and the others sit in the open room."""
    told: list[str] = []
    proposed: list[Roster] = []

    class Unwilling(Exception):
        pass

    def refuse(roster: Roster) -> None:
        proposed.append(roster)
        raise Unwilling

    async with nodes("Ann", "Ben", "Zo") as (ann, ben, zo):
        room = Room(ann, 3, on_reopened=told.append)
        stays = sitting(zo, ann, Chair())
        await until(lambda: room.taken == 2)
        with pytest.raises(Unwilling):
            async with asyncio.timeout(LIMIT):
                await join(ben, ann.addresses, game, GROUP, on_roster=lambda _: None, on_proposed=refuse)
        assert [each.name for each in proposed[0].taken] == ["Ann", "Zo", "Ben"]
        await until(lambda: told and room.taken == 2)
        assert told == ["Ben left while the table was being set up."]
        assert [each.name for each in room.hosting.roster.taken] == ["Ann", "Zo"]
        assert not room.task.done()
        await room.close()
        stays.cancel()
        await asyncio.gather(stays, return_exceptions=True)


async def test_who_leaves_after_opening_its_nonce_spoils_the_beginning_too() -> None:
    """It has no charter, so it could never come back to the game."""
    told: list[str] = []
    async with nodes("Ann", "Ben", "Zo") as (ann, ben, zo):
        room = Room(ann, 3, on_reopened=told.append)
        late, gone = Spoiler(ben, ann), Spoiler(zo, ann)
        await until(lambda: late.has_seen.is_set() and gone.has_seen.is_set())
        gone.opens.set()
        await until(lambda: room.hosting._setup.unopened == {ben.identity.public})
        gone.leaves.set()
        await until(lambda: room.hosting._links[zo.identity.public].reason is not None)
        late.opens.set()
        await until(lambda: told)
        assert told == ["Zo left while the table was being set up."]
        assert not room.task.done()
        assert room.taken == 1
        await until(lambda: late.task.done() and gone.task.done())
        await room.close()


async def test_a_nonce_before_the_proposal_costs_its_seat_and_nobody_else_any() -> None:
    """Else all nonces seem to be there as soon as the table is proposed, and who has come since is barred."""
    told: list[str] = []
    async with nodes("Ann", "Zo", "Ben", "Cem") as (ann, zo, ben, cem):
        room = Room(ann, 3, on_reopened=told.append)
        link = await zo.connect(ann.addresses)
        setup = GuestSetup(zo.identity.public, "Zo", (), nonce := zo.entropy())
        await link.send(encode(setup.application()))
        await until(lambda: room.taken == 2)
        await link.send(encode(Ready(True)))
        await link.send(encode(Opening(nonce)))
        await until(lambda: room.taken == 1)
        assert room.refused == ["A seated player's program sent something else than its nonce."]
        agreed = await asyncio.wait_for(
            asyncio.gather(*(sitting(n, ann, Chair()) for n in (ben, cem))), LIMIT
        )
        assert {each.charter.table_id for each in agreed} == {(await room.task).charter.table_id}
        assert told == []
        await link.close()


@pytest.mark.parametrize(
    "addresses",
    [
        tuple(" " * 32_860 + f"127.0.0.1:{n + 1}" for n in range(8)),
        (" 127.0.0.1:7467",),
        ("127.0.0.1:07467",),
        ("[127.0.0.1]:7467",),
    ],
)
async def test_addresses_that_are_padded_are_refused_at_the_door(addresses: tuple[str, ...]) -> None:
    """All of them go to every guest in one frame, and into every store."""
    async with nodes("Ann", "Zo", "Ben") as (ann, zo, ben):
        room = Room(ann, 2)
        link = await zo.connect(ann.addresses)
        await link.send(encode(Join("Zo", bytes(32), addresses)))
        heard = [decode_setup(frame) async for frame in link]
        assert all(isinstance(each, Refused) for each in heard)
        assert len(heard) == 1 or any("wrong sizes" in each for each in room.refused)
        await asyncio.wait_for(sitting(ben, ann, Chair()), LIMIT)
        assert len((await room.task).charter.seats) == 2


class FalseHost:
    """A host of another program: it seats whoever comes, and goes on as its ``script`` says."""

    def __init__(self, node: Node, *tables: HostSetup) -> None:
        self.node, self.tables = node, tables
        self.opened = 0
        self.task = asyncio.create_task(self._host())

    @staticmethod
    def offering(node: Node, seats: int = 2, **terms: object) -> HostSetup:
        own = (node.identity.public, node.name, node.addresses, node.entropy())
        return HostSetup("go-fish", {}, seats, "end", *own, **terms)

    async def _host(self) -> None:
        """Each table in turn: the roster, the proposal, and behind the nonce a refusal; the last one is
        silent then."""
        for number, table in enumerate(self.tables, 1):
            link = await self.node.arrivals.get()
            application = await self.hears(link, Join)
            table.seat(link.peer, application, is_bot=False)
            await link.send(encode(table.roster))
            await link.send(encode(table.propose(game(table.game))))
            table.open_nonce(link.peer, await self.hears(link, Opening))
            self.opened += 1
            if number < len(self.tables):
                await link.send(encode(Refused("Cem left while the table was being set up.")))
        await asyncio.Event().wait()

    @staticmethod
    async def hears(link: Link, kind: type[SetupMessage]) -> object:
        async for frame in link:
            if isinstance(message := decode_setup(frame), kind):
                return message
        raise AssertionError(link.reason)

    async def close(self) -> None:
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)


async def test_a_room_that_opens_again_is_the_same_one() -> None:
    """A guest applies there by itself, and is as ready as it was."""
    async with nodes("Zo", "Ben") as (zo, ben):
        host = FalseHost(zo, FalseHost.offering(zo), FalseHost.offering(zo, watchers="any"))
        heard: list[str] = []
        shown: list[Roster] = []
        with pytest.raises(SetupError, match="after showing it"):
            async with asyncio.timeout(LIMIT):
                await join(ben, zo.addresses, game, GROUP, on_roster=shown.append, on_reopened=heard.append)
        assert (len(shown), len(heard), host.opened) == (1, 1, 1)
        await host.close()


async def test_who_is_given_no_charter_leaves_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """The others may have it, and wait; they see that this guest has gone."""
    monkeypatch.setattr(joining, "CHARTER_TIME", 0.5)
    async with nodes("Zo", "Ben") as (zo, ben):
        host = FalseHost(zo, FalseHost.offering(zo))
        with pytest.raises(NoCharter, match="nothing was played here"):
            async with asyncio.timeout(LIMIT):
                await join(ben, zo.addresses, game, GROUP, on_roster=lambda _: None)
        assert host.opened == 1
        await host.close()


async def test_a_host_passes_no_address_on_that_it_may_not_take() -> None:
    async with nodes("Zo", "Ben") as (zo, ben):
        table = FalseHost.offering(zo)

        async def hand_out() -> None:
            link = await zo.arrivals.get()
            table.seat(link.peer, await FalseHost.hears(link, Join), is_bot=False)
            await link.send(encode(table.roster))
            await link.send(encode(table.propose(game("go-fish"))))
            table.open_nonce(link.peer, await FalseHost.hears(link, Opening))
            charter = table.agreement()[0].charter
            await link.send(encode(Agreement(charter, ((" 10.0.0.1:80",), ()))))

        handing = asyncio.create_task(hand_out())
        with pytest.raises(SetupError, match="HOST:PORT"):
            await asyncio.wait_for(join(ben, zo.addresses, game, GROUP, on_roster=lambda _: None), LIMIT)
        await handing


async def gives_the_charter_to_the_first(host: Node, table: HostSetup) -> list[Link]:
    """A host that takes the nonces of all, and keeps the charter from all guests but one."""
    links = []
    while not table.is_full:
        links.append(link := await host.arrivals.get())
        table.seat(link.peer, await FalseHost.hears(link, Join), is_bot=False)
        await link.send(encode(table.roster))
    for link in links:
        await link.send(encode(table.roster))
        await link.send(encode(table.propose(game("go-fish"))))
    for link in links:
        table.open_nonce(link.peer, await FalseHost.hears(link, Opening))
    await links[0].send(encode(table.agreement()[0]))
    return links


@pytest.mark.parametrize("is_cut", [False, True])
async def test_a_guest_from_whom_the_charter_is_kept_gets_it_from_another_one(
    is_cut: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether the host says nothing more or closes the link: else the others wait for one that never knew."""
    monkeypatch.setattr(handing, "ASK_AFTER", 0.0)
    monkeypatch.setattr(joining, "OTHERS_TIME", LIMIT)
    async with nodes("Zo", "Ben", "Cem") as (zo, ben, cem), WorkPool(1) as pool:
        table = FalseHost.offering(zo, 3)
        hosting = asyncio.create_task(gives_the_charter_to_the_first(zo, table))
        told = sitting(ben, zo, Chair())
        await until(lambda: len(table.roster.taken) == 2)
        untold = sitting(cem, zo, Chair())
        links = await asyncio.wait_for(hosting, LIMIT)
        agreed = await asyncio.wait_for(told, LIMIT)
        assert isinstance(agreed, Agreed)
        if is_cut:
            await links[1].close()
        store = Store.open(tmp_path)
        seat = await Table.sit(ben, agreed, os.urandom(32), game("go-fish"), store, pool, GROUP)
        late = await asyncio.wait_for(untold, LIMIT)
        assert isinstance(late, Agreed)
        assert (late.charter, late.seat, late.addresses) == (agreed.charter, 2, agreed.addresses)
        await seat.close()
        store.close()
        for link in links:
            await link.close()


async def test_only_seats_are_asked_for_the_charter_and_only_one_that_fits_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A stranger's link is closed; a seat that answers with something else is asked again when it dials."""
    monkeypatch.setattr(handing, "ASK_AFTER", 0.0)
    async with nodes("Cem", "Ben", "Eve") as (cem, ben, eve):
        right = Agreed(None, 2, {})

        def read(frame: bytes) -> Agreed | None:
            if frame == b"false":
                raise SetupError("The nonce of Ben does not fit its commitment; do not play here.")
            if frame == b"game":
                raise Malformed("no message of the set-up")
            return right if frame == b"right" else None

        handing_on = asyncio.create_task(handing.from_others(cem, {ben.identity.public}, read))
        stranger = await eve.connect(cem.addresses)
        await until(lambda: stranger.reason is not None)
        for answers in ((b"false",), (b"game", b"other", b"right")):
            link = await ben.connect(cem.addresses)
            assert await anext(aiter(link)) == LACKS
            for answer in answers:
                await link.send(answer)
            await until(lambda: link.reason is not None)  # noqa: B023  # awaited in the same turn
        assert await asyncio.wait_for(handing_on, LIMIT) is right


async def test_nobody_takes_the_seat_or_the_name_of_a_bot_that_is_on_its_way() -> None:
    """A bot that is refused would end the host's program."""
    async with nodes("Ann", "Coral", "Ben", "Coral") as (ann, bot, ben, other):
        room = Room(ann, 3, waits=True)
        room.hosting.expect_bot(bot.identity.public, "Coral")
        with pytest.raises(SetupError, match="The name Coral is taken"):
            await asyncio.wait_for(sitting(other, ann, Chair()), LIMIT)
        tasks = [sitting(ben, ann, Chair(is_ready=False))]
        await until(lambda: room.taken == 2)
        async with nodes("Dora") as (dora,):
            with pytest.raises(SetupError, match="full"):
                await asyncio.wait_for(sitting(dora, ann, Chair()), LIMIT)
        tasks.append(
            asyncio.create_task(join(bot, ann.addresses, game, GROUP, on_roster=lambda _: None, is_bot=True))
        )
        await until(lambda: room.taken == 3)
        room.hosting.start_now()
        await asyncio.wait_for(asyncio.gather(room.task, *tasks), LIMIT)
        assert [seat.name for seat in room.task.result().charter.seats] == ["Ann", "Ben", "Coral"]
