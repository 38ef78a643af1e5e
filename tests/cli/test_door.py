"""The host's door: who is asked about, and what happens where nobody can be asked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cli.console import Left
from cli.door import MOST_REFUSALS, Refusals
from cli.story import Line
from cli.waiting.host import HostRoom, Table
from p2p.io.link import CutOff
from p2p.io.lobby import Applicant
from p2p.link import KnownPlayer
from p2p.session.setup import Roster, Seated, SetupError

BEN = KnownPlayer("Ben", b"b" * 32, 0)
LIMIT = 60.0
"""Seconds that anything may take on a busy machine."""


class Screen:
    """A console fed through a queue."""

    prompt_is_shown = False

    def __init__(self, is_interactive: bool = True) -> None:
        self.is_interactive = is_interactive
        self.prompt = "> "
        self.words = tuple
        self.shown: list[str] = []
        self.lines: asyncio.Queue[str | None] = asyncio.Queue()

    def write(self, text: str) -> None:
        self.shown.append(text)

    async def read(self) -> str | None:
        return await self.lines.get()


class Drawing(Screen):
    """One that draws the room."""

    log: Sequence[Line] = ()

    def put_over(self, cover: object) -> None:
        """See ``Covering``."""

    def tell(self, lines: Sequence[Line]) -> None:
        self.shown += [str(line) for line in lines]

    def offer(self, choices: object) -> None:
        """See ``Covering``."""

    def reply(self, text: str) -> None:
        self.shown.append(text)

    def page(self, title: str, lines: Sequence[str]) -> None:
        self.shown += [title, *lines]


def applicant(name: str, public: bytes = b"z" * 32) -> Applicant:
    return Applicant(name, public, ("one", "two", "three", "four", "five", "six"), "192.0.2.7:5000")


def room_of(
    screen: Screen, known: Sequence[KnownPlayer] = (), is_open: bool = False, seats: int = 4, **more: Any
) -> HostRoom:
    addresses = more.pop("addresses", ("192.0.2.1:7467",))
    table = Table("Go Fish", addresses, seats, seats, b"Ann", Path("bots"), "random", **more)
    return HostRoom(screen, known, table, is_open=is_open)


async def answered(room: HostRoom, screen: Screen, who: Applicant, *answers: str) -> bool:
    keeping = asyncio.create_task(room.keep())
    asking = asyncio.create_task(room.door.admit(who))
    await until(lambda: room.door.is_asking)
    for answer in answers:
        screen.lines.put_nowait(answer)
    async with asyncio.timeout(LIMIT):
        result = await asking
    keeping.cancel()
    return result


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(LIMIT):
        while not holds():  # noqa: ASYNC110  # a console tells nothing
            await asyncio.sleep(0.01)


@pytest.mark.parametrize(
    ("answers", "is_seated"),
    [(["y"], True), (["YES "], True), (["n"], False), ([""], False), (["maybe", "y"], True)],
)
async def test_a_stranger_is_asked_about(answers: list[str], is_seated: bool) -> None:
    screen = Screen()
    assert await answered(room_of(screen, (BEN,)), screen, applicant("Zoe"), *answers) is is_seated
    assert "Zoe, whom you have not met, wants to sit down" in screen.shown[0]
    assert "Its key: one two three four five six" in screen.shown[0]
    assert any("yes seats Zoe" in text for text in screen.shown) == (answers[0] == "maybe")
    assert screen.prompt == "> "


@pytest.mark.parametrize("key", ["", "no"])
async def test_a_key_on_its_way_to_begin_the_game_sends_nobody_away(key: str) -> None:
    screen = Drawing()
    room = room_of(screen, (BEN,))
    keeping = asyncio.create_task(room.keep())
    asking = asyncio.create_task(room.door.admit(applicant("Zoe")))
    early = "Zoe has only just come; nobody has been sent away."
    async with asyncio.timeout(LIMIT):
        while not asking.done():
            if room.door.is_asking:
                screen.lines.put_nowait(key)
            await asyncio.sleep(0.05)
    assert not asking.result()
    assert early in screen.shown
    assert "Zoe was sent away." in screen.shown
    keeping.cancel()


async def test_it_is_said_who_was_let_in_and_what_the_words_are_for() -> None:
    screen = Screen()
    assert await answered(room_of(screen, (BEN,)), screen, applicant("Zoe"), "y")
    assert "Zoe was let in." in screen.shown
    assert "If they are the same when you read them to each other, it is really Zoe." in screen.shown[0]


async def test_a_known_player_comes_in_and_a_new_name_of_it_is_said() -> None:
    screen = Screen()
    door = room_of(screen, (BEN,)).door
    assert await door.admit(applicant("Ben", BEN.public))
    assert [text.split(" (")[0] for text in screen.shown] == [
        "Ben comes in: you have met before, but you have not verified the key"
    ]
    screen.shown.clear()
    door = room_of(screen, (msgspec.structs.replace(BEN, verified=True),)).door
    assert await door.admit(applicant("Ben", BEN.public))
    assert screen.shown == []
    assert await door.admit(applicant("Benjamin", BEN.public))
    assert screen.shown == ["Benjamin is at the door, known to you as Ben."]


async def test_the_roster_shows_the_name_that_one_gave_to_a_player() -> None:
    screen = Screen()
    friend = KnownPlayer("Ben from work", b"Ben", 0)
    room_of(screen, (friend,)).show(roster("Ann", "Ben"))
    assert screen.shown == ["At the table, 2 of 4: Ann, Ben (you call them Ben from work)"]


async def test_a_table_of_this_machine_alone_is_not_called_one_of_the_network() -> None:
    screen = Screen()
    room_of(screen, addresses=("127.0.0.1:7467",), is_here_only=True).welcome()
    text = "\n".join(screen.shown)
    assert "network" not in text
    assert "    shoal join 127.0.0.1:7467" in text.split("\n")


async def test_an_open_door_seats_strangers_but_asks_about_a_changed_key() -> None:
    screen = Screen()
    room = room_of(screen, (BEN,), is_open=True)
    assert await room.door.admit(applicant("Zoe"))
    assert not await answered(room, screen, applicant("ben"), "")
    assert any(text.startswith("WARNING: somebody calls itself Ben") for text in screen.shown)


async def test_without_a_person_strangers_are_refused_unless_the_door_is_open() -> None:
    screen = Screen(is_interactive=False)
    assert not await room_of(screen).door.admit(applicant("Zoe"))
    assert "--open" in screen.shown[0]
    assert await room_of(screen, is_open=True).door.admit(applicant("Zoe"))
    assert not await room_of(screen, (BEN,), is_open=True).door.admit(applicant("Ben"))


async def test_one_question_at_a_time() -> None:
    screen = Screen()
    room = room_of(screen)
    keeping = asyncio.create_task(room.keep())
    first, second = (asyncio.create_task(room.door.admit(applicant(name))) for name in ("Zoe", "Yan"))
    await until(lambda: any("Zoe" in text for text in screen.shown))
    assert not any("Yan" in text for text in screen.shown)
    screen.lines.put_nowait("y")
    await until(lambda: any("Yan" in text for text in screen.shown))
    screen.lines.put_nowait("n")
    assert (await first, await second) == (True, False)
    keeping.cancel()


async def test_a_question_is_withdrawn_and_an_answer_to_it_is_none_to_the_next() -> None:
    screen = Screen()
    room = room_of(screen, (BEN,))
    keeping = asyncio.create_task(room.keep())
    first, second = (asyncio.create_task(room.door.admit(applicant(name))) for name in ("Zoe", "Yan"))
    await until(lambda: room.door.is_asking)
    assert await room.door.admit(applicant("Ben", BEN.public))  # no friend waits behind a stranger
    first.cancel()
    screen.lines.put_nowait("y")
    await asyncio.wait([first])
    assert "Zoe is not at the door any more." in screen.shown
    await until(lambda: any("Yan, whom" in text for text in screen.shown))
    assert not second.done()
    screen.lines.put_nowait("n")
    assert not await second
    keeping.cancel()


def roster(*names: str) -> Roster:
    return Roster("go-fish", (), 4, tuple(Seated(name.encode(), name, name == "Coral") for name in names))


class Hosting:
    """Counts starts; refuses them at first."""

    def __init__(self) -> None:
        self.starts = 0

    def start_now(self) -> None:
        self.starts += 1
        if self.starts == 1:
            raise SetupError("At least two players are needed to start.")


async def test_what_the_host_types() -> None:
    screen = Screen()
    room = room_of(screen)
    room.attend(Hosting(), lambda _roster: None)
    room.show(roster("Ann"))
    for line in ("start", "start", "who", "dance", "", "quit"):
        screen.lines.put_nowait(line)
    with pytest.raises(Left):
        await room.keep()
    assert screen.shown[1] == "At least two players are needed to start."
    assert screen.shown[2].startswith("At the table, 1 of 4: Ann\n")
    assert screen.shown[3].split()[:2] == ["start", "begin"]


async def test_the_address_to_paste_is_shown_whole() -> None:
    screen = Screen()
    room_of(screen, addresses=("192.0.2.1:7467", "127.0.0.1:7467")).welcome()
    assert "    shoal join 192.0.2.1:7467" in screen.shown[0].split("\n")


def test_refused_connections_are_told_once_each_and_not_without_end() -> None:
    screen = Screen()
    refused = Refusals(screen)
    for _ in range(3):
        refused("192.0.2.9:1234", "It speaks\x1b another protocol.")
    assert screen.shown == ["A connection from 192.0.2.9 was refused: It speaks  another protocol."]
    for number in range(3):
        refused("192.0.2.8:1234", f"The other program sent a frame of {number} bytes.")
    assert len(screen.shown) == 2, "a number makes no other kind"
    for number in range(50):
        refused(f"192.0.2.{number}:1", "No.")
    assert len(screen.shown) == MOST_REFUSALS


def test_a_dial_of_this_machine_that_another_one_overtook_is_not_told() -> None:
    screen = Screen()
    refused = Refusals(screen)
    refused("127.0.0.1:1234", str(CutOff()))
    assert screen.shown == []
    refused("192.0.2.200:1234", str(CutOff()))
    assert len(screen.shown) == 1
    refused("127.0.0.1:1234", "It speaks another protocol.")
    assert len(screen.shown) == 2
