"""The host's door: who is asked about, and what happens where nobody can be asked."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import msgspec
import pytest

from cli.door import MOST_REFUSALS, Door, Refusals
from cli.plain import Left
from p2p.io.link import CutOff
from p2p.io.lobby import Applicant
from p2p.link import KnownPlayer
from p2p.session.setup import Roster, Seated, SetupError

BEN = KnownPlayer("Ben", b"b" * 32, 0)


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


def applicant(name: str, public: bytes = b"z" * 32) -> Applicant:
    return Applicant(name, public, ("one", "two", "three", "four", "five", "six"), "192.0.2.7:5000")


async def answered(door: Door, screen: Screen, who: Applicant, *answers: str) -> bool:
    keeping = asyncio.create_task(door.keep())
    asking = asyncio.create_task(door.admit(who))
    for answer in answers:
        await asyncio.sleep(0.01)
        screen.lines.put_nowait(answer)
    async with asyncio.timeout(2):
        result = await asking
    keeping.cancel()
    return result


@pytest.mark.parametrize(
    ("answers", "is_seated"),
    [(["y"], True), (["YES "], True), (["n"], False), ([""], False), (["maybe", "y"], True)],
)
async def test_a_stranger_is_asked_about(answers: list[str], is_seated: bool) -> None:
    screen = Screen()
    assert await answered(Door(screen, (BEN,), False, 3), screen, applicant("Zoe"), *answers) is is_seated
    assert "Zoe, whom you have not met, wants to sit down" in screen.shown[0]
    assert "one two three four five six" in screen.shown[0]
    assert any("yes seats Zoe" in text for text in screen.shown) == (answers[0] == "maybe")
    assert screen.prompt == "> "


async def test_a_known_player_comes_in_and_a_new_name_of_it_is_said() -> None:
    screen = Screen()
    door = Door(screen, (BEN,), False, 3)
    assert await door.admit(applicant("Ben", BEN.public))
    assert [text.split(" (")[0] for text in screen.shown] == [
        "Ben comes in: you have met before, but you have not verified the key"
    ]
    screen.shown.clear()
    door = Door(screen, (msgspec.structs.replace(BEN, verified=True),), False, 3)
    assert await door.admit(applicant("Ben", BEN.public))
    assert screen.shown == []
    assert await door.admit(applicant("Benjamin", BEN.public))
    assert screen.shown == ["Benjamin is at the door, known to you as Ben."]


async def test_the_roster_shows_the_name_that_one_gave_to_a_player() -> None:
    screen = Screen()
    friend = KnownPlayer("Ben from work", b"Ben", 0)
    door = Door(screen, (friend,), False, 3)
    door.show(roster("Ann", "Ben"))
    assert screen.shown == ["At the table, 2 of 4: Ann, Ben (you call them Ben from work)"]


async def test_a_table_of_this_machine_alone_is_not_called_one_of_the_network() -> None:
    screen = Screen()
    Door(screen, (), False, 3).welcome("Go Fish", ("127.0.0.1:7467",), is_here_only=True)
    text = "\n".join(screen.shown)
    assert "network" not in text
    assert "    shoal join 127.0.0.1:7467" in screen.shown


async def test_an_open_door_seats_strangers_but_asks_about_a_changed_key() -> None:
    screen = Screen()
    door = Door(screen, (BEN,), True, 3)
    assert await door.admit(applicant("Zoe"))
    assert not await answered(door, screen, applicant("ben"), "")
    assert any(text.startswith("WARNING: somebody calls itself Ben") for text in screen.shown)


async def test_without_a_person_strangers_are_refused_unless_the_door_is_open() -> None:
    screen = Screen(is_interactive=False)
    assert not await Door(screen, (), False, 3).admit(applicant("Zoe"))
    assert "--open" in screen.shown[0]
    assert await Door(screen, (), True, 3).admit(applicant("Zoe"))
    assert not await Door(screen, (BEN,), True, 3).admit(applicant("Ben"))


async def test_one_question_at_a_time() -> None:
    screen = Screen()
    door = Door(screen, (), False, 3)
    keeping = asyncio.create_task(door.keep())
    first, second = (asyncio.create_task(door.admit(applicant(name))) for name in ("Zoe", "Yan"))
    await asyncio.sleep(0.01)
    assert not any("Yan" in text for text in screen.shown)
    screen.lines.put_nowait("y")
    await asyncio.sleep(0.01)
    assert any("Yan" in text for text in screen.shown)
    screen.lines.put_nowait("n")
    assert (await first, await second) == (True, False)
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


async def test_start_when_and_the_hosts_commands() -> None:
    screen = Screen()
    heard: list[Roster] = []
    hosting = SimpleNamespace(start_now=lambda: heard.append("start"))
    door = Door(screen, (), False, 3)
    door.attend(hosting, heard.append)
    door.show(roster("Ann"))
    door.show(roster("Ann", "Coral"))
    assert "start" not in heard
    door.show(roster("Ann", "Coral", "Zoe"))
    assert heard[-1] == "start"
    assert screen.shown == [
        "At the table, 1 of 4: Ann", "At the table, 2 of 4: Ann, Coral (on the host's machine)",
        "At the table, 3 of 4: Ann, Coral (on the host's machine), Zoe",
    ]  # fmt: skip


async def test_what_the_host_types() -> None:
    screen = Screen()
    door = Door(screen, (), False, 4)
    door.attend(Hosting(), lambda _roster: None)
    door.show(roster("Ann"))
    for line in ("start", "start", "who", "dance", "", "quit"):
        screen.lines.put_nowait(line)
    with pytest.raises(Left):
        await door.keep()
    assert screen.shown[1] == "At least two players are needed to start."
    assert screen.shown[2] == "At the table, 1 of 4: Ann"
    assert screen.shown[4].startswith("start  begin")


async def test_the_address_to_paste_is_shown_whole() -> None:
    screen = Screen()
    Door(screen, (), False, 4).welcome("Go Fish", ("192.0.2.1:7467", "127.0.0.1:7467"))
    assert "    shoal join 192.0.2.1:7467" in screen.shown


def test_refused_connections_are_told_once_each_and_not_without_end() -> None:
    screen = Screen()
    refused = Refusals(screen)
    for _ in range(3):
        refused("192.0.2.9:1234", "It speaks\x1b another protocol.")
    assert screen.shown == ["A connection from 192.0.2.9 was refused: It speaks  another protocol."]
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
