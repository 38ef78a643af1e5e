"""Whole tables over real TLS on loopback: gathering, playing, cut links, a cheat, a full disk, a stranger."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from cli.bench_seat import admit_all, play_to_end
from engine.registry import game
from p2p.io.lobby import Applicant, Hosting, Offer, join
from p2p.io.store import Store, StoreFull
from p2p.io.table import Broken, Table
from p2p.io.work import WorkPool
from p2p.session import SetupError, YourMove
from p2p.session.jobs import ContributeJob
from p2p.verify import verify
from tests.p2p.io.open_tables import GROUP, NAMES, close, gather, open_node, open_nodes, open_tables

LIMIT = 240.0
"""Seconds that a game may take on a busy machine: many times what it needs."""


async def test_a_table_is_gathered_played_and_verified(tmp_path: Path) -> None:
    async with open_tables(await open_nodes(3), tmp_path) as tables:
        await asyncio.gather(*(play_to_end(table) for table in tables))
        reports = [verify(table.record(), game, GROUP) for table in tables]
        assert {report.verdict for report in reports} == {"sound"}
        assert all(report.finished and report.revealed == (0, 1, 2) for report in reports)
        for table, name in zip(tables, NAMES, strict=False):
            with Store.open(tmp_path / name) as store:
                (saved,) = store.games()
            assert saved.state == "finished"
            assert table.session.charter.table_id == saved.table_id


async def test_all_seats_agree_on_the_table_and_its_words() -> None:
    nodes = await open_nodes(3)
    agreed = await gather(nodes, Offer("go-fish", {}, len(nodes)))
    assert len({one.charter.table_id for one in agreed}) == 1
    assert [one.seat for one in agreed] == [0, 1, 2]
    for node in nodes:
        await node.close()


async def test_a_cut_link_is_mended_and_the_game_goes_on(tmp_path: Path) -> None:
    async with open_tables(await open_nodes(3), tmp_path) as tables:
        plays = [asyncio.create_task(play_to_end(table)) for table in tables]
        for _ in range(6):
            await asyncio.sleep(0.1)
            for link in list(tables[1]._links.values()):
                await link.close()
        await asyncio.wait_for(asyncio.gather(*plays), LIMIT)
        assert verify(tables[2].record(), game, GROUP).finished


async def test_who_falls_silent_is_missed_since_it_was_last_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not since it was noticed: that takes seconds."""
    monkeypatch.setattr("p2p.io.link.BEAT_TIME", 0.1)
    monkeypatch.setattr("p2p.io.link.SILENCE", 2.0)
    async with open_tables(await open_nodes(2), tmp_path) as (ann, ben):
        async with asyncio.timeout(LIMIT):
            while not ann.linked or not ben.linked:  # noqa: ASYNC110  # nothing tells of it
                await asyncio.sleep(0.01)
            ben._node.redial = ann._node.redial = _nowhere
            ben._links[0]._tasks[1].cancel()  # no signs of life any more
            while 1 in ann.linked:
                assert not ann.missing
                await asyncio.sleep(0.01)
        assert ann.missing[1] >= 2.0


async def _nowhere(_addresses: object, _public: bytes) -> None:
    return None


class _WrongAnswer:
    """Makes the contribution and then changes its last byte: the proof no longer holds."""

    def __init__(self, job: ContributeJob) -> None:
        self._job = job

    def run(self) -> tuple[bytes, Any]:
        body, passed = self._job.run()
        return body[:-1] + bytes([body[-1] ^ 1]), passed


async def test_a_cheat_is_named_by_everyone_and_by_the_record(tmp_path: Path) -> None:
    async with open_tables(await open_nodes(3), tmp_path) as tables:
        cheat = tables[2].session
        honest = cheat._contribute_job

        def lie() -> Any:
            work = honest()
            if cheat.history.step > 10:
                object.__setattr__(work, "job", _WrongAnswer(work.job))
            return work

        cheat._contribute_job = lie
        playing = asyncio.create_task(play_to_end(tables[2]))
        await asyncio.wait_for(asyncio.gather(*(play_to_end(table) for table in tables[:2])), LIMIT)
        playing.cancel()
        faults = [table.session.fault for table in tables[:2]]
        assert all(fault is not None and fault.seat == 2 for fault in faults)
        for table in tables[:2]:
            report = verify(table.record(), game, GROUP)
            assert (report.verdict, report.seat) == ("cheated", 2)
            assert table.session.fault is not None
            assert report.step == table.session.fault.step


async def test_a_stranger_never_reaches_the_game(tmp_path: Path) -> None:
    async with open_tables(await open_nodes(2), tmp_path) as tables:
        stranger = await open_node("Eve")
        link = await stranger.connect(tables[0]._node.addresses)
        await link.send(b"\x93anything")
        assert [frame async for frame in link] == []
        await asyncio.gather(*(play_to_end(table) for table in tables))
        assert tables[0].linked <= {1}
        await stranger.close()


async def test_a_full_disk_stops_the_seat_before_it_sends(tmp_path: Path) -> None:
    async with open_tables(await open_nodes(2), tmp_path) as tables:
        store = tables[1]._store

        def full(*_: object, **__: object) -> None:
            raise StoreFull

        store.append = full
        async with asyncio.timeout(LIMIT):
            while not isinstance(broken := await tables[1].tellings.get(), Broken):
                if isinstance(broken, YourMove):
                    await tables[1].act(broken.actions[0])
        assert isinstance(broken.error, StoreFull)
        assert tables[0].session.fault is None


@pytest.mark.parametrize(
    ("name", "said"),
    [("Ann", "is taken"), ("ANN", "is taken"), ("x" * 33, "32"), ("a\x07b", "control")],
)
async def test_a_bad_name_is_refused_with_a_sentence(name: str, said: str) -> None:
    host, guest = await open_nodes(2)
    guest.name = name
    offer = Offer("go-fish", {}, 2)
    hosting = Hosting(host, offer, game("go-fish"), admit=admit_all, on_roster=lambda _: None)
    gathering = asyncio.create_task(hosting.gather())
    with pytest.raises(SetupError, match=said):
        await join(guest, host.addresses, game, GROUP, on_roster=lambda _: None)
    gathering.cancel()
    await asyncio.gather(gathering, return_exceptions=True)
    await host.close()
    await guest.close()


async def test_a_stranger_whom_the_host_refuses_is_told(tmp_path: Path) -> None:
    host, guest = await open_nodes(2)

    async def nobody(applicant: Applicant) -> bool:
        assert applicant.public == guest.identity.public
        return False

    hosting = Hosting(host, Offer("go-fish", {}, 2), game("go-fish"), admit=nobody, on_roster=lambda _: None)
    gathering = asyncio.create_task(hosting.gather())
    with pytest.raises(SetupError, match="did not let"):
        await join(guest, host.addresses, game, GROUP, on_roster=lambda _: None)
    gathering.cancel()
    await asyncio.gather(gathering, return_exceptions=True)
    await host.close()
    await guest.close()


async def test_a_paused_game_goes_on_from_the_store(tmp_path: Path) -> None:
    nodes = await open_nodes(2)
    agreed = await gather(nodes, Offer("go-fish", {}, len(nodes)))
    rules = game("go-fish")
    async with WorkPool() as pool:
        stores = [Store.open(tmp_path / node.name) for node in nodes]
        tables = [
            await Table.sit(node, seat, os.urandom(32), rules, store, pool, GROUP, answer_delay=0.0)
            for node, seat, store in zip(nodes, agreed, stores, strict=True)
        ]
        plays = [asyncio.create_task(play_to_end(table)) for table in tables]
        await asyncio.sleep(0.5)
        before = tables[0].session.history.step
        for play in plays:
            play.cancel()
        for table in tables:
            await table.close()
        resumed = [
            await Table.resume(node, store.games()[0], rules, store, pool, GROUP, answer_delay=0.0)
            for node, store in zip(nodes, stores, strict=True)
        ]
        assert resumed[0].session.history.step >= before
        await asyncio.wait_for(asyncio.gather(*(play_to_end(table) for table in resumed)), LIMIT)
        assert verify(resumed[1].record(), game, GROUP).finished
        await close(nodes, resumed)
