"""The desk joins readers, a mode and a screen: what happened first counts as first, however late it is looked
at."""

from __future__ import annotations

import asyncio
import os
from types import SimpleNamespace
from typing import Any, cast

import pytest

from cli.console import BareConsole
from cli.loop import first_of
from cli.tabletop import Touch
from cli.tabletop.desk import Desk
from cli.tabletop.options import TableChoice
from cli.tabletop.readers import Readers, Steady, TypedReader
from cli.tabletop.wedge import Spelling
from hardware.io import BadPort
from hardware.pads import Pads
from hardware.readers import LinkLost, LinkUp, Listing, Reading, Remark, Restarted, make
from hardware.tags import Book, Kind
from hardware.uids import Numbers, Technology
from p2p.session import YourMove

from .controller_at import GO_FISH, At
from .rig import PAD, acts


class Screen:
    """A front end and a console, of which the desk needs no more here."""

    def __init__(self) -> None:
        self.acted: asyncio.Queue[Any] = asyncio.Queue()
        self.taps: Any = None

    async def act(self, seat: int, action: Any) -> None:
        self.acted.put_nowait(action)

    def say(self, text: str, seat: int) -> None:
        """Nobody reads it."""

    def write(self, text: str) -> None:
        """Nobody reads it."""

    def private(self, lines: Any) -> bool:
        return False


async def _play() -> tuple[Any, At]:
    """Asked at 1 s; tapped at 2 s and 3 s; the machine looks at all that only at 5 s."""
    at, now, screen = At(GO_FISH), SimpleNamespace(time=0.0), Screen()

    async def dark(_place: Any, _feedback: Any) -> None:
        """No reader here has lights."""

    readers = SimpleNamespace(
        book=at.mode.setting.book, pads={}, links=(), typed=SimpleNamespace(name="pads"), show=dark
    )
    desk = Desk(cast(Any, readers), cast(Any, screen), TableChoice(cards="controller"), lambda: now.time)
    desk.start()
    try:
        desk.begin(at.mode, cast(Any, screen))
        now.time = 1.0
        view = at.view()
        desk.hear(0, YourMove(view, at.position.rules.legal(view)), view)
        for time, kind, name in ((2.0, Kind.PLAYER, "Ben"), (3.0, Kind.CARD, "9C")):
            tag = next(tag for tag in at.mode.setting.book.of(kind) if tag.name == name)
            touch = Touch(tag.uid, tag, PAD, None, time)
            desk._put(lambda looked, touch=touch: at.mode.touched(looked, touch))
        now.time = 5.0
        async with asyncio.timeout(60):
            return await first_of(screen.acted.get(), desk.broken()), at
    finally:
        await desk.close()


def test_a_tap_after_the_question_is_an_answer_however_late_the_machine_looks_at_both() -> None:
    action, at = asyncio.run(_play())
    assert action in at.position.rules.legal(at.view())
    assert (action.verb, action.target, action.value) == ("ask", 1, "9")


def test_a_tap_before_the_question_is_none() -> None:
    at = At(GO_FISH)
    at.ask()
    tag = next(tag for tag in at.mode.setting.book.of(Kind.PLAYER) if tag.name == "Ben")
    early = Touch(tag.uid, tag, PAD, None, at.hand.now - 0.001)
    assert acts(at.mode.touched(at.hand.now + 1, early)) == []
    assert acts(at.taps("9C")) == []  # the token is still missing


# --- what becomes of a reader ------------------------------------------------------------------------------


class Port:
    """A link whose readings are told here; ``why``: then trying again is in vain."""

    name = "left"

    def __init__(self, *readings: Reading, why: str = "") -> None:
        self.reader = make("shoal", nonce=1)
        self.baud_rate = 9600
        self._readings, self._why = readings, why
        self.goes_on = asyncio.Event()

    async def readings(self) -> Any:
        for reading in self._readings:
            yield reading, 0.0
        await self.goes_on.wait()
        if self._why:
            raise BadPort(self._why)
        await asyncio.Event().wait()


def readers_of(*ports: Port) -> Readers:
    typed = TypedReader("keyboard", Spelling(Technology.UNKNOWN, Numbers.DECIMAL))
    return Readers((*map(Steady, cast(Any, ports)), typed), typed, Book(()), Pads({}))


@pytest.mark.parametrize("count", [0, 1, 2])
async def test_the_end_of_the_input_counts_once_no_reader_can_be_heard(
    count: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a reader that may yet come the game waits; with none that ever will, nobody can play."""
    with open(os.devnull, encoding="ascii") as nothing:  # noqa: ASYNC230  # the null device never blocks
        monkeypatch.setattr("sys.stdin", nothing)
        console = BareConsole()
        ports = [Port(why=f"Port {number} is no serial port.") for number in range(count)]
        desk = Desk(readers_of(*ports), console, TableChoice("controller"))
        desk.start()
        try:
            reading = asyncio.create_task(console.read())
            for port in ports:
                console.put("from a tag")
                async with asyncio.timeout(60):
                    assert await reading == "from a tag"
                reading = asyncio.create_task(console.read())
                await asyncio.wait([reading], timeout=0.05)
                assert not reading.done()
                port.goes_on.set()
            async with asyncio.timeout(60):
                assert await reading is None
                assert await console.read() is None
        finally:
            await desk.close()
            console.leave()
    assert capsys.readouterr().out.count("is no serial port.") == count


async def test_a_reader_that_is_plugged_in_again_is_said_to_be_back_once() -> None:
    port = Port(
        LinkUp("/dev/ttyUSB0"), Restarted("The reader has started anew."), Listing((), 0),
        LinkLost("It was unplugged."),
        LinkUp("/dev/ttyUSB0"), Restarted("The reader has started anew."), Listing((), 0),
        Remark("That was all."),
    )  # fmt: skip
    screen = Screen()
    said: asyncio.Queue[str] = asyncio.Queue()
    screen.write = said.put_nowait
    desk = Desk(readers_of(port), cast(Any, screen), TableChoice("controller"))
    desk.start()
    try:
        lines = []
        async with asyncio.timeout(60):
            while "That was all." not in (line := await said.get()):
                lines.append(line)
    finally:
        await desk.close()
    assert [line.partition(":")[0] for line in lines if not line.startswith("No reader is set up")] == [
        "The reader left is open.", "The reader left does not answer", "The reader left is back.",
    ]  # fmt: skip
