"""The host's and the guest's side of the waiting room on consoles of a test, drawn and in lines."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from cli.console import Left
from cli.ending import EndChoice
from cli.story import Line
from cli.waiting.drawing import RoomCover
from cli.waiting.guest import GuestRoom
from cli.waiting.host import HostRoom, Table
from p2p.io.lobby import Applicant
from p2p.session.setup import Roster, SetupError
from tests.cli.tui.stage import terminal
from tests.cli.waiting.rooms import ANN, BEN, KNOWN, SEATED

LIMIT = 60.0


class Lines:
    """A console of lines, fed through a queue."""

    is_interactive = True
    prompt_is_shown = True

    def __init__(self) -> None:
        self.prompt = "> "
        self.words: Callable[[], Iterable[str]] = tuple
        self.shown: list[str] = []
        self.typed: asyncio.Queue[str | None] = asyncio.Queue()

    def write(self, text: str) -> None:
        self.shown += text.split("\n")

    async def read(self) -> str | None:
        return await self.typed.get()

    def put(self, line: str) -> None:
        self.typed.put_nowait(line)


class Drawn(Lines):
    """A console that can draw the room."""

    def __init__(self) -> None:
        super().__init__()
        self.cover: Any = None
        self.choices: tuple[EndChoice, ...] = ()
        self.notice = ""
        self.pages: list[str] = []
        self.log: list[Line] = []

    def put_over(self, cover: Any) -> None:
        self.cover = cover

    def offer(self, choices: Sequence[EndChoice]) -> None:
        self.choices = tuple(choices)

    def reply(self, text: str) -> None:
        self.notice = text

    def page(self, title: str, lines: Sequence[str]) -> None:
        self.pages += [title, *lines]

    def tell(self, lines: Sequence[Line]) -> None:
        self.shown += [str(line) for line in lines]


class Hosting:
    """What a host's room needs of the gathering."""

    def __init__(self) -> None:
        self.starts = 0
        self.said: list[str] = []
        self.sent_away: list[bytes] = []

    async def send_away(self, public: bytes) -> bool:
        self.sent_away.append(public)
        return True

    def start_now(self) -> None:
        self.starts += 1
        if self.starts == 1:
            raise SetupError("At least two players are needed to start.")

    async def say(self, text: str) -> None:
        self.said.append(text)


class Gathering:
    """Seats that bots take and leave."""

    def __init__(self, free: int) -> None:
        self.free = free
        self.bots = 0

    async def add_bot(self, folder: Path, level: str) -> bool:
        if not self.free:
            return False
        self.free, self.bots = self.free - 1, self.bots + 1
        return True

    async def remove_bot(self) -> bool:
        if not self.bots:
            return False
        self.free, self.bots = self.free + 1, self.bots - 1
        return True


def host_room(console: Lines, **more: Any) -> tuple[HostRoom, Hosting, Gathering]:
    table = Table("Go Fish", ("192.0.2.1:7467",), 4, 4, ANN, Path("bots"), "random", ("about it",))
    room = HostRoom(console, KNOWN, table, **more)
    hosting, gathering = Hosting(), Gathering(1)
    room.attend(hosting, lambda _roster: None, gathering)
    room.welcome()
    return room, hosting, gathering


def roster(count: int) -> Roster:
    return Roster("go-fish", (), 4, SEATED[:count])


async def obeyed(room: HostRoom | GuestRoom, console: Lines, *lines: str) -> None:
    for line in (*lines, "quit"):
        console.typed.put_nowait(line)
    with pytest.raises(Left):
        async with asyncio.timeout(LIMIT):
            await room.keep()


async def test_what_a_host_types_on_a_screen_that_draws() -> None:
    console = Drawn()
    room, hosting, gathering = host_room(console)
    room.show(roster(2))
    room.ready(frozenset({BEN}))
    await obeyed(room, console, "+", "bot", "-", "-", '"hello', "start", "start", "who", "help", "dance", "")
    assert (gathering.free, gathering.bots) == (1, 0)
    assert hosting.said == ["hello"]
    assert hosting.starts == 2
    assert "Ann: hello" in console.shown
    assert "At the table, 2 of 4: Ann, Ben (you call them Ben from work)" in console.pages
    assert any(line.split()[:2] == ["start", "begin"] for line in console.pages)
    assert not any("At the table" in line for line in console.shown), "the seats stand on the screen"


async def test_quit_counts_where_the_game_begins_in_the_same_moment() -> None:
    console = Drawn()
    room, _hosting, _gathering = host_room(console)
    room.begun()
    assert console.typed.empty()
    await obeyed(room, console)
    room.begun()
    assert console.typed.get_nowait() == "quit"


async def test_the_host_hears_who_wanted_another_game_and_does_not_come(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("cli.waiting.host.COMING", 0.0)
    console = Drawn()
    room, _hosting, _gathering = host_room(console)
    room.show(roster(2))
    await room.tell_who_stays_away({BEN: "Ben"})
    assert not console.shown
    await room.tell_who_stays_away({BEN: "Ben", b"z" * 32: "Zoe"})
    assert console.shown == ["Zoe wanted another game, but has not come."]


async def test_the_host_hears_who_spoilt_the_beginning() -> None:
    console = Drawn()
    room, _hosting, _gathering = host_room(console)
    room.reopened("Zoe left while the table was being set up.")
    assert console.shown == ["Zoe left while the table was being set up. The room is open again."]


async def test_the_room_on_the_screen_follows_roster_marks_and_questions() -> None:
    console = Drawn()
    room, _hosting, _gathering = host_room(console)
    assert isinstance(console.cover, RoomCover)
    room.show(roster(2))
    assert console.cover.room.not_ready == ("Ben",)
    room.ready(frozenset({BEN}))
    assert console.cover.room.not_ready == ()
    room.show(roster(1))
    assert console.shown == ["Ben has left the table."]
    room.show(roster(2))
    keeping = asyncio.create_task(room.keep())
    words = ("one", "two", "three", "four", "five", "six")
    asking = asyncio.create_task(room.door.admit(Applicant("Zoe", b"z" * 32, words, "192.0.2.7:5000")))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert console.cover.room.question.name == "Zoe"
    assert console.cover.room.question.words == words
    assert [choice.key for choice in console.choices] == ["y", "n", "enter"]
    console.typed.put_nowait("maybe")
    async with asyncio.timeout(LIMIT):
        while "Please answer yes or no" not in console.notice:  # noqa: ASYNC110  # a console tells nothing
            await asyncio.sleep(0)
        while not asking.done():
            console.typed.put_nowait("no")  # too early at first
            await asyncio.sleep(0.05)
        assert await asking is False
    assert console.cover.room.question is None
    assert console.prompt == "> "
    keeping.cancel()
    room.close()
    assert console.cover is None
    assert console.choices == ()


async def test_those_of_the_last_game_are_let_in_without_asking() -> None:
    console = Lines()
    room, _hosting, _gathering = host_room(console, expected=frozenset({b"z" * 32}))
    assert await room.door.admit(Applicant("Zoe", b"z" * 32, ("one",) * 6, "192.0.2.7:5000"))
    assert not any("Zoe" in line for line in console.shown)


async def test_a_host_in_lines() -> None:
    console = Lines()
    room, hosting, _gathering = host_room(console)
    room.show(roster(2))
    room.ready(frozenset({BEN}))
    room.said(BEN, "hi\x1b[2J")
    room.said(b"?" * 32, "who am I")
    await obeyed(room, console, "bot", "bot", "no-bot", "no-bot", "chat hello", "", "start")
    assert "    shoal join 192.0.2.1:7467" in console.shown
    assert "about it" in console.shown
    assert "Ben is ready." in console.shown
    assert "Ben: hi [2J" in console.shown
    assert "?: who am I" in console.shown
    assert "No seat is free for a bot." in console.shown
    assert "There is no bot to take away." in console.shown
    assert "At least two players are needed to start." in console.shown
    assert hosting.said == ["hello"]


@pytest.mark.parametrize("is_open", [True, False])
@pytest.mark.parametrize("kind", [Lines, Drawn])
async def test_a_guest_who_bothers_the_others_is_muted_or_sent_away(kind: type[Lines], is_open: bool) -> None:
    console = kind()
    room, hosting, _gathering = host_room(console, is_open=is_open, expected=frozenset({BEN}))
    room.show(roster(3))
    replies = console.shown if not isinstance(console, Drawn) else []
    await obeyed(room, console, "mute ben")
    for ready in (frozenset({BEN}), frozenset()) * 3:
        room.said(BEN, "ZZZ")
        room.ready(ready)
    assert not any("ZZZ" in line or "Ben is" in line for line in replies)
    assert room.muted == {BEN}, "the game that follows knows it, too"
    await obeyed(
        room, console, "mute ben", "send away", "send away Ann", "send away nobody", "send away Coral"
    )
    assert hosting.sent_away == []
    room.said(BEN, "heard again")
    assert "Ben: heard again" in console.shown
    await obeyed(room, console, "send away Ben")
    assert hosting.sent_away == [BEN]
    assert "Ben has been sent away from the table." in console.shown
    assert not await room.door.admit(Applicant("Benjamin", BEN, ("one",) * 6, "192.0.2.7:5000"))
    if replies:
        assert replies.count("Whom? send away NAME") == 3
        assert "Coral is a bot; no-bot takes one away." in replies


@pytest.mark.parametrize("console", [Lines(), Drawn()], ids=["lines", "drawn"])
async def test_a_guest(console: Lines) -> None:
    room = GuestRoom(console, KNOWN, BEN)
    sent: list[object] = []

    async def ready(is_ready: bool) -> None:
        sent.append(is_ready)

    async def say(text: str) -> None:
        sent.append(text)

    room.chair.ready, room.chair.say = ready, say
    await obeyed(room, console, "ready", "", '"too early', "help")
    assert sent == [], "there is no seat yet"
    room.show(roster(3))
    await obeyed(room, console, "", '"hi', "who", "help", "nonsense")
    assert sent == [True, "hi"]
    room.ready(frozenset({BEN}))
    await obeyed(room, console, "", "wait")
    assert sent == [True, "hi", False]
    room.said(ANN, "welcome")
    assert "Ann: welcome" in console.shown
    text = "\n".join([*console.shown, *getattr(console, "pages", ())])
    assert "At the table, 3 of 4: Ann, Ben (you call them Ben from work), Coral" in text
    assert "ready  you are ready to begin" in text
    if isinstance(console, Drawn):
        assert console.cover.room.title == "Go Fish"
    else:
        assert "Type ready, or press Enter, when you are ready to begin." in console.shown
        assert "You are ready." in console.shown


async def test_a_guest_leaves_a_table_that_will_not_do_after_it_has_read_what_it_is() -> None:
    console = Lines()

    def check(_roster: Roster) -> None:
        raise SetupError("Not this one.")

    room = GuestRoom(console, (), BEN, check=check)
    with pytest.raises(SetupError):
        room.show(roster(2))
    assert console.shown[0].startswith("Table of Go Fish")


async def test_the_end_of_the_input_leaves_a_guest_waiting() -> None:
    console = Lines()
    room = GuestRoom(console, (), BEN)
    keeping = asyncio.create_task(room.keep())
    console.typed.put_nowait(None)
    for _ in range(5):
        await asyncio.sleep(0)
    assert not keeping.done()
    keeping.cancel()


@pytest.mark.parametrize(
    ("terms", "told"),
    [
        ({}, []),
        ({"reveal": "never"}, ["The hands stay closed after the game."]),
        ({"grace": 10}, ["Who is away for 10 seconds may be given up by the others."]),
        ({"recovery": False}, ["If a player leaves for good, the game ends, however many play."]),
        ({"recovery": True}, ["split among the others"]),
        ({"watchers": "any"}, ["Everybody on the network may watch"]),
        ({"watchers": "none", "reveal": "never"}, ["The hands stay closed", "Nobody may watch"]),
    ],
)
def test_a_guest_is_told_once_what_is_unusual_about_a_table(terms: dict[str, Any], told: list[str]) -> None:
    """It is what the guest agrees to with its readiness, and the charter has to keep."""
    for console in (Lines(), Drawn()):
        room = GuestRoom(console, (), SEATED[1].public)
        for count in (2, 3):
            room.show(Roster("go-fish", (), 4, SEATED[:count], **terms))
        shown = list(room._room.aside) if isinstance(console, Drawn) else console.shown
        lines = [line for line in shown if not line.startswith(("Table of", "At the table", "Type ready"))]
        assert len(lines) == len(told)
        assert all(part in line for part, line in zip(told, lines, strict=True))


async def test_the_room_opens_on_the_full_screen_and_leaves_what_was_said_before_out() -> None:
    async with terminal() as shown:
        shown.screen.log.add([Line("said before", "note")])
        room = GuestRoom(shown.screen, (), SEATED[1].public)
        room.show(Roster("go-fish", (), 4, SEATED[:2]))
        shown.screen.log.add([Line("said since", "note")])
        shown.screen.app.invalidate()
        lines = await shown.settle()
        assert any("said since" in line for line in lines)
        assert not any("said before" in line for line in lines)
        room.close()
