"""Who wants another game, as one player's program follows it after the end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cli.ending import Act, EndChoice
from cli.manner import numbered
from cli.waiting import again
from cli.waiting.again import REMATCH, WITHOUT, Rematch, offer_of
from tests.cli.waiting.test_gathering import ANN, BEN, CORAL, FINN, charter

LIMIT = 60.0


class Ending:
    """The choices after a game; ``screen`` is what replies to the player."""

    def __init__(self) -> None:
        self.acts: dict[str, Act] = {}
        self.replies: list[str] = []
        self.is_finished = self.is_left = False
        self.screen = SimpleNamespace(reply=self.replies.append)

    def add(self, choice: EndChoice, act: Act) -> None:
        self.acts[choice.word] = act

    def finish(self) -> None:
        self.is_finished = True


class Seat:
    """One player after a game of Ann, who hosted it, Ben, her bot Coral, and Finn."""

    def __init__(self, me: int, gone: tuple[int, ...]) -> None:
        seats = charter((ANN, 0), (BEN, 1), (CORAL, 0), (FINN, 3))
        self.wishes = 0
        self.is_direct = True
        self.table = SimpleNamespace(
            session=SimpleNamespace(
                charter=seats, seat=me,
                history=SimpleNamespace(progress=SimpleNamespace(gone=frozenset(gone))),
            ),
            again={}, missing={},
            play_again=self._play_again, reaches_directly=lambda _seat: self.is_direct,
            places=lambda _seat: ("10.0.0.1:7467",),
        )  # fmt: skip
        node = SimpleNamespace(identity=SimpleNamespace(public=seats.seats[me].public))
        self.written: list[str] = []
        party: Any = SimpleNamespace(me=SimpleNamespace(table=self.table, node=node))
        console: Any = SimpleNamespace(write=self.written.append)
        self.rematch = Rematch(party, console)
        self.ending = Ending()

    async def _play_again(self) -> None:
        self.wishes += 1

    async def say(self, word: str) -> bool:
        return await self.ending.acts[word]("")


@asynccontextmanager
async def seat(me: int, gone: tuple[int, ...] = ()) -> AsyncIterator[Seat]:
    one = Seat(me, gone)
    one.rematch.offer(one.ending)
    try:
        yield one
    finally:
        await one.rematch.close()


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(LIMIT):
        while not holds():  # noqa: ASYNC110  # many things are waited for
            await asyncio.sleep(0.01)


async def test_the_host_goes_on_when_all_have_said_so() -> None:
    async with seat(0) as ann:
        ann.table.again[1] = False
        await until(lambda: ann.written == ["Ben wants another game."])
        assert not await ann.say(REMATCH)
        assert ann.ending.replies == ["Finn has not decided yet."]
        assert not ann.ending.is_finished
        ann.table.again[3] = False
        await until(lambda: ann.ending.is_finished)
        assert ann.rematch.is_wanted
        assert ann.wishes == 1


async def test_who_leaves_when_the_next_game_opens_has_left() -> None:
    async with seat(1) as ben:
        assert not await ben.say(REMATCH)
        ben.table.again[0] = True
        await until(lambda: ben.ending.is_finished)
        assert ben.rematch.is_wanted
        ben.ending.is_left = True
        assert not ben.rematch.is_wanted


async def test_the_host_is_told_that_somebody_has_left_and_goes_on_without() -> None:
    async with seat(0) as ann:
        ann.table.again[1] = False
        assert not await ann.say(REMATCH)
        ann.table.missing[3] = 0.1
        await until(lambda: ann.ending.is_finished)
        assert "Finn has left the table." in ann.written


async def test_the_host_need_not_wait() -> None:
    async with seat(0) as ann:
        assert not await ann.say(REMATCH)
        assert ann.ending.replies == ["Ben and Finn have not decided yet."]
        assert await ann.say(WITHOUT)
        assert ann.rematch.is_wanted


async def test_who_has_resigned_is_not_asked_for_another_game_and_keeps_nobody_waiting() -> None:
    async with seat(3, gone=(3,)) as finn:
        assert not finn.ending.acts
    async with seat(0, gone=(3,)) as ann:
        assert not await ann.say(REMATCH)
        assert ann.ending.replies == ["Ben has not decided yet."]
        ann.table.again[1] = False
        await until(lambda: ann.ending.is_finished)
    async with seat(1, gone=(0, 2)) as ben:
        assert not await ben.say(REMATCH)
        assert ben.ending.replies[0].startswith("Ann, who hosted this table, has left;")


async def test_a_guest_waits_for_the_host_to_open_the_next_game() -> None:
    async with seat(1) as ben:
        assert not await ben.say(REMATCH)
        assert not await ben.say(REMATCH)
        assert ben.wishes == 1, "it is said once"
        assert ben.ending.replies[0] == "Noted. Ann opens the next game as soon as all have decided."
        ben.table.again[0] = False
        await until(lambda: "Ann wants another game." in ben.written)
        assert not ben.ending.is_finished
        ben.table.again[0] = True
        ben.table.missing[0] = ben.table.missing[3] = 0.1
        await until(lambda: ben.ending.is_finished)
        assert ben.rematch.is_wanted
        assert not any("has left" in line for line in ben.written), "they are on their way to the next game"


async def test_a_guest_that_reaches_the_host_by_way_of_others_is_told_what_to_do() -> None:
    async with seat(1) as ben:
        ben.is_direct = False
        assert not await ben.say(REMATCH)
        (told,) = ben.ending.replies
        assert told.startswith("Noted. Ann opens the next game")
        assert "reaches that of Ann by way of other players only" in told
        assert told.endswith("join 10.0.0.1:7467")


async def test_who_has_not_said_so_stays_and_may_still_come() -> None:
    async with seat(1) as ben:
        ben.table.again[0] = True
        await until(lambda: ben.written)
        assert ben.written == ["Ann has opened another game: rematch takes your seat there."]
        assert not ben.ending.is_finished
        assert await ben.say(REMATCH)
        assert ben.rematch.is_wanted


@pytest.mark.parametrize("is_first", [True, False])
async def test_a_guest_is_told_once_that_the_host_has_gone(is_first: bool) -> None:
    async with seat(3) as finn:
        if is_first:
            finn.table.missing[0] = 0.1
            await until(lambda: "Ann has left the table." in finn.written)
        assert not await finn.say(REMATCH)
        finn.table.missing[0] = 0.1
        await until(lambda: len(finn.ending.replies) == 2)
        assert finn.written == ["Ann has left the table."]
        assert finn.ending.replies[0].startswith("Ann, who hosted" if is_first else "Noted.")
        # in the place of it: "Noted. Ann opens the next game …" would not be true any more
        assert finn.ending.replies[1].startswith("Ann, who hosted this table, has left; nobody else can open")
        assert "host go-fish" in finn.ending.replies[1]
        assert not finn.rematch.is_wanted


async def test_a_host_whose_guests_have_all_left_opens_the_table_again_at_once() -> None:
    async with seat(0) as ann:
        ann.table.missing.update({1: 0.1, 3: 0.1})
        assert await ann.say(REMATCH)


def test_records_of_further_games_have_names_of_their_own() -> None:
    assert numbered(None, 2) is None
    assert numbered(Path("a/game.shoal"), 1) == Path("a/game.shoal")
    assert numbered(Path("a/game.shoal"), 3) == Path("a/game-3.shoal")


async def test_a_guest_sits_down_again_only_where_the_same_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is asked whether another game, or other options, would do; they are ready at once."""
    before = charter((ANN, 0), (BEN, 1), (CORAL, 0), (FINN, 3))
    asked: dict[str, Any] = {}

    async def sit_down(_party: Any, _console: Any, places: tuple[str, ...], **wanted: Any) -> None:
        asked.update(wanted, places=places)
        raise again.SetupError("The host changed the table.")

    monkeypatch.setattr(again, "sit_down", sit_down)
    party: Any = SimpleNamespace()
    with pytest.raises(again.SetupError):
        await again._join_again(party, party, party, before, ("10.0.0.1:7467",))
    terms = asked["terms"]
    assert (asked["expect"], asked["is_ready"]) == (ANN, True)
    assert (terms.game, terms.options, terms.seats) == (before.game, before.options, 4)
    assert (terms.reveal, terms.grace, terms.watchers) == (before.reveal, before.grace, before.watchers)
    assert terms == offer_of(before).terms
    assert terms.recovers(3) == before.recovery
