"""Bots that come and go while a table fills, over real links; and what a rematch is made of."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from cli.driver import LOOPBACK, Party, open_party
from cli.errors import Failure
from cli.waiting.about import about_kept, only_known, same_people, show_words
from cli.waiting.again import offer_of
from cli.waiting.gathering import Gathering
from cli.waiting.joining import check_keys
from engine.registry import game
from p2p.io.lobby import Applicant, Hosting, Offer
from p2p.link import KnownPlayer
from p2p.log import Charter, PrintedCharter, SeatInfo
from p2p.log.charter import GraceCharter
from p2p.session.setup import Roster, Seated

pytestmark = pytest.mark.network

LIMIT = 60.0
SMALL = {"ranks": "3", "suits": "2", "book_size": "2", "hand_size": "1"}


async def nobody(_applicant: Applicant) -> bool:
    return False


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(LIMIT):
        while not holds():  # noqa: ASYNC110  # many things are waited for
            await asyncio.sleep(0.01)


@asynccontextmanager
async def opened(
    tmp_path: Path, seats: int, **more: object
) -> AsyncIterator[tuple[Party, Hosting, Gathering]]:
    (tmp_path / "bots").mkdir()
    async with open_party() as party:
        me = await party.open_player(tmp_path / "ann", "Ann", LOOPBACK, (0,))
        hosting = Hosting(
            me.node, Offer("go-fish", dict(SMALL), seats), game("go-fish"), admit=nobody,
            on_roster=lambda _: None, **more,
        )  # fmt: skip
        yield party, hosting, Gathering(party, hosting, LOOPBACK)


async def test_bots_come_and_go_and_leave_nothing_behind(tmp_path: Path) -> None:
    async with opened(tmp_path, 3, start_at=9) as (party, hosting, gathering):
        running = asyncio.create_task(gathering.run(game("go-fish")))
        bots = tmp_path / "bots"
        assert not await gathering.remove_bot()
        assert await gathering.add_bot(bots, "random")
        assert await gathering.add_bot(bots, "random")
        assert not await gathering.add_bot(bots, "random"), "three seats are three"
        await until(lambda: len(hosting.roster.taken) == 3)
        names = [each.name for each in hosting.roster.taken]
        assert len(set(names)) == 3
        assert await gathering.remove_bot()
        await until(lambda: [each.name for each in hosting.roster.taken] == names[:2])
        assert len(list(bots.iterdir())) == 1
        assert await gathering.add_bot(bots, "random")
        await until(lambda: len(hosting.roster.taken) == 3)
        hosting.start_now()
        async with asyncio.timeout(LIMIT):
            await running
        assert party.me.table is not None
        assert len(party.me.table.session.charter.seats) == 3
        assert all(each.table is not None for each in party.members)


async def test_a_bot_on_its_way_has_no_part_in_a_game_that_begins_without_it(tmp_path: Path) -> None:
    async with opened(tmp_path, 4) as (party, hosting, gathering):
        running = asyncio.create_task(gathering.run(game("go-fish")))
        assert await gathering.add_bot(tmp_path / "bots", "random")
        await until(lambda: len(hosting.roster.taken) == 2)
        adding = asyncio.create_task(gathering.add_bot(tmp_path / "bots", "random"))
        hosting.start_now()
        async with asyncio.timeout(LIMIT):
            await asyncio.gather(running, adding, return_exceptions=False)
        assert party.me.table is not None
        assert len(party.me.table.session.charter.seats) == 2
        assert len([each for each in party.members if each.table is not None]) == 2


async def test_what_stops_the_host_is_raised_and_everybody_is_called_off(tmp_path: Path) -> None:
    async with opened(tmp_path, 3) as (_party, hosting, gathering):
        running = asyncio.create_task(gathering.run(game("go-fish")))
        assert await gathering.add_bot(tmp_path / "bots", "random")
        await until(lambda: len(hosting.roster.taken) == 2)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running


# --- what a rematch is made of ------------------------------------------------------------------------------


def charter(*seats: tuple[bytes, int], **more: object) -> Charter:
    infos = tuple(SeatInfo(public, public.decode(), keeper) for public, keeper in seats)
    nonces = tuple(b"n" * 32 for _ in infos)
    fields = (1, "ristretto255", "go-fish", 1, b"d" * 32, (("deck", "52"),), infos, False, "end", nonces)
    return msgspec.structs.replace(Charter(*fields), **more)


ANN, BEN, CORAL, FINN = b"Ann", b"Ben", b"Coral", b"Finn"


def test_the_same_people_are_told_from_others() -> None:
    before = charter((ANN, 0), (BEN, 1), (CORAL, 0))
    assert same_people(before, charter((ANN, 0), (BEN, 1), (CORAL, 0)))
    assert same_people(before, charter((ANN, 0), (BEN, 1))), "Coral was a bot of Ann's"
    assert same_people(before, charter((ANN, 0), (BEN, 1), (FINN, 0))), "bots are their keeper's"
    assert not same_people(before, charter((ANN, 0), (FINN, 1)))
    assert not same_people(before, charter((BEN, 0), (b"Eve", 1)))


def test_a_bot_in_the_place_of_a_guest_makes_other_people() -> None:
    """Nobody new sits there, but it is not said that the same ones do."""
    before = charter((ANN, 0), (BEN, 1), (CORAL, 2))
    after = charter((ANN, 0), (BEN, 1), (FINN, 0))
    assert not same_people(before, after)
    assert only_known(before, after)
    assert only_known(before, charter((ANN, 0), (BEN, 1)))
    assert not only_known(before, charter((ANN, 0), (BEN, 1), (FINN, 2)))
    said: list[str] = []
    for now in (before, after, charter((ANN, 0), (BEN, 1), (FINN, 2))):
        show_words(SimpleNamespace(write=said.append), now, 0, before)
    advice = [text for text in said if "words again" in text or "Read them" in text]
    assert [text.partition(":")[0].split(",")[0] for text in advice] == [
        "The same players as before",
        "Nobody new sits at this table",
        "Read them to each other",
    ]


def test_who_plays_on_the_machine_of_another_is_told_from_the_charter() -> None:
    seats = charter((ANN, 0), (BEN, 1), (CORAL, 0), (FINN, 0), (b"Eve", 1))
    of_ann = "Coral and Finn are played on Ann's machine, which holds those hands as well."
    of_ben = "Eve is played on Ben's machine, which holds that hand as well."
    said: list[str] = []
    show_words(SimpleNamespace(write=said.append), seats, 0)
    assert of_ben in said
    assert of_ann not in said, "one's own bots"
    assert about_kept(seats, 1) == (of_ann,)
    assert not about_kept(charter((ANN, 0), (BEN, 1)), 1)


@pytest.mark.parametrize(
    ("is_bot", "key", "problem"),
    [
        (True, b"another", "Coral at this table is played on Ann's machine, and is not the Coral you know"),
        (True, CORAL, "Coral at this table is played on Ann's machine, and is not the Coral you know"),
        (False, b"another", "Coral at this table has another key than the Coral you know"),
        (False, CORAL, ""),
    ],
)
def test_a_known_player_has_the_known_key_and_a_machine_of_its_own(
    is_bot: bool, key: bytes, problem: str
) -> None:
    known = (KnownPlayer("Coral", key, 0, verified=True), KnownPlayer("Ben", b"another of Ben", 0))
    taken = (Seated(ANN, "Ann", False), Seated(BEN, "Ben", False), Seated(CORAL, "Coral", is_bot))
    roster = Roster("go-fish", (), 3, taken)
    if not problem:
        check_keys(known, roster, BEN)
        return
    with pytest.raises(Failure, match=problem):
        check_keys(known, roster, BEN)


def test_what_was_played_is_offered_again() -> None:
    two = charter((ANN, 0), (BEN, 1), reveal="never")
    assert offer_of(two) == Offer("go-fish", {"deck": "52"}, 2, "never")
    four = charter((ANN, 0), (BEN, 1), (CORAL, 2), (FINN, 3), recovery=True)
    assert offer_of(four).recovery is None, "as is usual for four players"
    assert offer_of(msgspec.structs.replace(four, recovery=False)).recovery is False
    own = GraceCharter(*msgspec.structs.astuple(four), 30)
    assert offer_of(own).grace == 30
    printed = PrintedCharter(*msgspec.structs.astuple(two), "printed", 0)
    assert (offer_of(printed).scanner, offer_of(printed).recovery) == (0, None)
