"""The desk joins readers, a mode and a screen: what happened first counts as first, however late it is looked
at."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

from cli.loop import first_of
from cli.tabletop import Touch
from cli.tabletop.desk import Desk
from cli.tabletop.options import TableChoice
from hardware.tags import Kind
from p2p.session import YourMove

from .rig import PAD, acts
from .test_controller import GO_FISH, At


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
