"""Two games of one table over real TLS on loopback: what is told between them, and that nothing of the first
one is worth anything in the second."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from cli.bench_seat import admit_all, play_to_end
from engine.registry import game
from p2p.identity import Identity
from p2p.io.lobby import Hosting, Offer, join
from p2p.io.node import Node
from p2p.io.sodium import load_group
from p2p.io.store import Store
from p2p.io.table import Table
from p2p.io.work import WorkPool
from p2p.log.codec import encode
from p2p.log.wire import encode_message, frame_of
from p2p.session.rematch import OPENS, WISH, Again, read_again
from p2p.session.setup import Agreed, Agreement, GuestSetup, HostSetup, Opening, Proposal, SetupError
from p2p.verify import verify

pytestmark = pytest.mark.network

GROUP = load_group()
NAMES = ("Ann", "Ben", "Cem")
SMALL = {"ranks": "3", "suits": "2", "book_size": "2", "hand_size": "1"}
LIMIT = 120.0
"""Seconds that something may take on a busy machine."""


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(LIMIT):
        while not holds():  # noqa: ASYNC110  # many things are waited for
            await asyncio.sleep(0.01)


class Players:
    """Seats of one process, each with an identity, a store and a link of its own."""

    def __init__(self, nodes: Sequence[Node], stores: Sequence[Store], pool: WorkPool) -> None:
        self.nodes, self.stores, self.pool = nodes, stores, pool

    async def gather(self, order: Sequence[bytes] = (), come: Sequence[int] = (1, 2)) -> list[Agreed]:
        """Guests come in the order of ``come``; the result is in the order of ``nodes``."""
        host = self.nodes[0]
        hosting = Hosting(
            host, Offer("go-fish", dict(SMALL), 3), game("go-fish"), admit=admit_all,
            on_roster=lambda _: None, order=order,
        )  # fmt: skip
        gathering = asyncio.create_task(hosting.gather())
        guests: dict[int, asyncio.Task[Agreed]] = {}
        for number in come:
            guests[number] = asyncio.create_task(
                join(
                    self.nodes[number], host.addresses, game, GROUP, on_roster=lambda _: None,
                    expect=host.identity.public,
                )
            )  # fmt: skip
            await until(lambda: len(hosting.roster.taken) == len(guests) + 1 or gathering.done())
        return [await gathering, *[await guests[number] for number in sorted(guests)]]

    async def sit(self, agreed: Sequence[Agreed]) -> list[Table]:
        return [
            await Table.sit(
                node, each, os.urandom(32), game("go-fish"), store, self.pool, GROUP, answer_delay=0.0
            )
            for node, each, store in zip(self.nodes, agreed, self.stores, strict=True)
        ]


@asynccontextmanager
async def players(folder: Path) -> AsyncIterator[Players]:
    nodes = [await Node.open(Identity(os.urandom(32)), name, host="127.0.0.1") for name in NAMES]
    stores = [Store.open(folder / name) for name in NAMES]
    async with WorkPool(1) as pool:
        try:
            yield Players(nodes, stores, pool)
        finally:
            for node in nodes:
                await node.close()
            for store in stores:
                store.close()


async def test_the_wish_for_another_game_and_its_opening_are_told(tmp_path: Path) -> None:
    async with players(tmp_path) as here:
        tables = await here.sit(await here.gather())
        await asyncio.gather(*(play_to_end(table) for table in tables))
        await until(lambda: all(len(table.linked) == 2 for table in tables))
        await tables[1].play_again()
        await until(lambda: tables[0].again == {1: False} and tables[2].again == {1: False})
        await tables[0].close(opens_next=True)
        await until(lambda: all(table.again.get(0) for table in tables[1:]))
        assert tables[1].places(0)[0] == here.nodes[0].addresses[0]
        for table in tables[1:]:
            await table.close()


async def test_seats_of_a_rematch_are_those_of_the_game_before_it(tmp_path: Path) -> None:
    async with players(tmp_path) as here:
        first = await here.gather()
        order = [seat.public for seat in first[0].charter.seats]
        for node in here.nodes:
            for _public, link in node.take_links():
                await link.close()
        second = await here.gather(order, come=(2, 1))
        assert [seat.public for seat in second[0].charter.seats] == order
        assert [each.seat for each in second] == [0, 1, 2]
        assert second[0].charter.table_id != first[0].charter.table_id
        assert not set(first[0].charter.nonces) & set(second[0].charter.nonces)


async def test_contributions_of_the_first_game_are_refused_in_the_rematch(tmp_path: Path) -> None:
    """Everything that was signed in the first game is sent once more: each frame costs its sender the link,
    blames nobody, and the second game goes on to a sound end."""
    async with players(tmp_path) as here:
        tables = await here.sit(await here.gather())
        await asyncio.gather(*(play_to_end(table) for table in tables))
        history = tables[1].session.history
        order = [seat.public for seat in tables[0].session.charter.seats]
        for table in tables:
            await table.close()
        assert len(history.steps) > 5
        tables = await here.sit(await here.gather(order))
        host, replayer = tables[0], tables[1]
        cut: list[int] = []
        tell = host._tell

        async def noting(what: object) -> None:
            if type(what).__name__ == "LinkCut":
                cut.append(what.seat)
            await tell(what)

        host._tell = noting

        async def replay() -> None:
            """As they were sent, which is another history and left aside, and as parts of this history."""
            session = replayer.session
            while not session.is_over:
                await until(lambda: 0 in replayer._links or session.is_over)
                step = session.history.step
                link = replayer._links.get(0)
                if link is not None and step < len(history.steps):
                    for entry in history.steps[step]:
                        await link.send(encode_message(frame_of(entry, history.heads[step])))
                        await link.send(encode_message(frame_of(entry, session.history.heads[step])))
                await asyncio.sleep(0.02)

        replaying = asyncio.create_task(replay())
        async with asyncio.timeout(LIMIT):
            await asyncio.gather(*(play_to_end(table) for table in tables))
        replaying.cancel()
        await asyncio.gather(replaying, return_exceptions=True)
        assert cut
        assert set(cut) == {1}
        for table in tables:
            report = verify(table.record(), game, GROUP)
            assert report.verdict == "sound"
            assert report.finished
        old = {entry.signature for entries in history.steps for entry in entries}
        assert not any(entry.signature in old for entries in host.session.history.steps for entry in entries)
        for table in tables:
            await table.close()


def setups(nonces: tuple[bytes, bytes], people: tuple[Identity, Identity]) -> tuple[HostSetup, GuestSetup]:
    host = HostSetup(
        "go-fish", SMALL, 2, "end", people[0].public, "Ann", ("h:1",), nonces[0],
        order=[each.public for each in people],
    )  # fmt: skip
    guest = GuestSetup(people[1].public, "Ben", ("g:1",), nonces[1])
    host.seat(people[1].public, guest.application(), is_bot=False)
    guest.receive(host.roster, game, GROUP)
    return host, guest


def agreed(host: HostSetup, guest: GuestSetup, public: bytes) -> tuple[Proposal, Agreement]:
    proposal = host.propose(game("go-fish"))
    opening = guest.receive(proposal, game, GROUP)
    assert isinstance(opening, Opening)
    host.open_nonce(public, opening)
    return proposal, host.agreement()[0]


def test_a_host_cannot_lead_a_guest_back_to_the_first_table() -> None:
    """Its charter holds no nonce that the guest has made for the rematch."""
    people = (Identity(os.urandom(32)), Identity(os.urandom(32)))
    old_proposal, old_charter = agreed(*setups((b"1" * 32, b"2" * 32), people), people[1].public)
    _host, guest = setups((b"3" * 32, b"4" * 32), people)
    with pytest.raises(SetupError, match="left out this seat"):
        guest.receive(old_proposal, game, GROUP)
    host, guest = setups((b"3" * 32, b"4" * 32), people)
    guest.receive(host.propose(game("go-fish")), game, GROUP)
    with pytest.raises(SetupError, match=r"does not fit its commitment|changed the table"):
        guest.receive(old_charter, game, GROUP)


def test_bytes() -> None:
    """As docs/protocol_links.md, section 10, has them."""
    assert WISH.hex() == "92a5616761696ec2"
    assert OPENS.hex() == "92a5616761696ec3"
    assert read_again(WISH) is False
    assert read_again(OPENS) is True
    assert read_again(encode(Again(True)) + b"\x00") is None
    assert read_again(b"\x92\xa5again\x01") is None
