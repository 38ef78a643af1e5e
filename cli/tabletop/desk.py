"""Joins the readers, a mode and a screen: runs beside the prompt from the beginning of a command to its end.

One queue holds what the readers tell, what the sessions tell and what the keyboard decides, so that a mode
hears everything in the order in which it happened, and the outputs of one input are carried out before the
next one is looked at.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, Final, NoReturn, Protocol, TypeAlias

from engine.cards import Face
from engine.contract import Action, IllegalAction, View
from engine.table import Slot
from hardware.events import Event
from hardware.io import Read, watch
from hardware.presence import Tracker
from hardware.readers import (
    Gone,
    Health,
    LinkLost,
    LinkUp,
    Listing,
    Remark,
    Restarted,
    Seen,
    Unclear,
)
from hardware.tags import Kind as TagKind
from p2p.session import Race, ScanRefused, YourMove

from ..console import Console
from ..folders import Folders
from ..language import said
from ..program import call_here
from ..translation import gettext as _
from .base import (
    Act,
    Feedback,
    Keep,
    Kind,
    Lift,
    Mode,
    Output,
    Outputs,
    Peek,
    Say,
    ScanAnew,
    Scanned,
    Signal,
    Touch,
    Trouble,
    Typed,
)
from .options import TableChoice
from .readers import KEYBOARD, Readers, open_readers
from .taps import News, meaning, tag_of, unclear
from .wedge import found_in
from .words import screen_word

Clock: TypeAlias = Callable[[], float]
Witness: TypeAlias = Callable[[int], "tuple[tuple[Slot, Face], ...] | None"]
Input: TypeAlias = Callable[[float], Outputs]


class Front(Protocol):
    """What the desk needs of the screen of a game."""

    async def act(self, seat: int, action: Action) -> None:
        """The decision of a local seat. Raises ``IllegalAction``."""

    def say(self, text: str, seat: int) -> None:
        """A sentence for everybody, or for the player of one seat."""

    def peek(self, seat: int, lines: Sequence[str]) -> None:
        """See ``base.Peek``."""

    async def scan(self, faces: Sequence[str]) -> None:
        """Printed cards that the scanner read, as texts of the deck. Raises ``ScanRefused``."""

    async def scan_anew(self) -> None:
        """See ``base.ScanAnew``."""

    async def keep(self, data: bytes) -> None:
        """See ``base.Keep``."""

    async def forget(self) -> None:
        """The game is over: nothing of it is kept."""


class Desk:
    """See the module's text. Make one with ``open_desk``."""

    def __init__(
        self, readers: Readers, console: Console, choice: TableChoice, clock: Clock = time.monotonic
    ) -> None:
        self.readers: Final = readers
        self.choice: Final = choice
        self._console = console
        self._clock = clock
        self._inbox: asyncio.Queue[Input] = asyncio.Queue()
        self._tracker = Tracker(readers.book.known)
        self._mode: Mode | None = None
        self._front: Front | None = None
        self._witness: Witness = _sees_nothing
        self._lost: set[str] = set()
        self._met: set[str] = set()
        self._opened: set[str] = set()
        self._remarked: dict[str, str] = {}
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def cards(self) -> str:
        """The name of the mode."""
        return self.choice.cards

    @property
    def to_do(self) -> tuple[str, ...]:
        """What has to be done on the pads before the game can go on; empty where nothing has."""
        return () if self._mode is None else self._mode.to_do

    @property
    def tapped(self) -> tuple[tuple[Slot, int], ...]:
        """See ``base.Mode.tapped``."""
        return () if self._mode is None else self._mode.tapped

    # --- from the command ---------------------------------------------------------------------------

    def start(self) -> None:
        """Open the readers."""
        self._tasks = [asyncio.create_task(self._watch()), asyncio.create_task(self._serve())]
        self._console.taps = self
        if len(self.readers.links) == 1 and self.readers.typed.name == KEYBOARD and not self.choice.readers:
            text = _(
                "No reader is set up. One that types like a keyboard works all the same; "
                "for others: {command}"
            )
            self._write(text.format(command=call_here("table setup")))

    async def close(self) -> None:
        """Close the readers."""
        self._console.taps = None
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def broken(self) -> NoReturn:
        """Ends only by raising what broke the desk."""
        await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in self._tasks:
            if task.done():
                task.result()
        raise AssertionError("the desk has been closed under a game")

    def begin(self, mode: Mode, front: Front, witness: Witness | None = None) -> None:
        """The game begins: from now on the mode understands the taps. ``witness``: what the session of a seat
        knows of a printed deck, if it is the one that scans it."""
        self._mode, self._front = mode, front
        self._witness = witness or _sees_nothing
        self._put(mode.opened)
        self._put(lambda now: self._lying(mode, now))

    def end(self) -> None:
        """The mode hears no more: the game is over for this screen, or its player leaves."""
        self._console.private(())
        self._mode = None

    async def forget(self) -> None:
        """The game is over: nothing of it is kept."""
        if self._front is not None:
            await self._front.forget()

    # --- from the game ------------------------------------------------------------------------------

    def hear(self, seat: int, telling: Any, view: View[Any]) -> None:
        """What the session of a local seat tells."""

        cards, told = self._witness(seat), self._clock()

        def take(now: float) -> Outputs:
            if self._mode is None:
                return ()
            seen = () if cards is None else self._mode.saw(now, view, cards)
            match telling:
                case YourMove(_, actions, seconds):
                    # The question is on the screen since ``told``: a tap after that is an answer to it.
                    return (*seen, *self._mode.asked(told, seat, view, actions, seconds))
                case Race(_, actions):
                    return (*seen, *self._mode.raced(now, seat, view, actions))
                case _:
                    return (*seen, *self._mode.told(now, seat, telling, view))

        self._inbox.put_nowait(take)

    def acted(self, seat: int, action: Action) -> None:
        """A seat decided by the keyboard."""
        self._put(lambda now: () if self._mode is None else self._mode.acted(now, seat, action))

    async def understood(self, line: str) -> bool:
        """Whether a typed line was for the mode."""
        answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

        def take(now: float) -> Outputs:
            outputs = self._mode.typed(now, line) if self._mode is not None else None
            answer.set_result(outputs is not None)
            return outputs or ()

        self._put(take)
        return await answer

    # --- tags in what is typed (``console.TapFilter``) -----------------------------------------------

    @property
    def takes_figures(self) -> bool:
        """See ``console.TapFilter``."""
        return self.readers.may_type

    @property
    def may_hear(self) -> bool:
        """See ``console.TapFilter``."""
        return self.readers.may_hear

    def taken(self, text: str, seconds: float | None) -> str | None:
        """See ``console.TapFilter``."""
        typed = self.readers.typed
        found = found_in(text, seconds, typed.spelling, self.readers.book)
        if found is None:
            return None
        rest, reading = found
        typed.typed(reading)
        return rest

    def cut(self, text: str) -> None:
        """See ``console.TapFilter``."""
        why = "A tag was read, but some of its digits are missing: tap it again."
        self.readers.typed.typed(Unclear(text, why))

    # --- from the readers ---------------------------------------------------------------------------

    async def _watch(self) -> None:
        async for what, at in watch(self.readers.links, self._tracker, self._clock):
            if isinstance(what, Read):
                self._read(what)
            else:
                self._happened(what, at)

    def _read(self, read: Read) -> None:
        """The state of a reader in words; what it says of tags comes as events."""
        name, reading = read.reader, read.reading
        if isinstance(reading, LinkUp):
            self._opened.add(name)
        elif name in self._opened and isinstance(reading, Restarted):
            return  # many boards start anew when their port is opened, and that has been said
        elif isinstance(reading, LinkLost | Restarted | Seen | Listing | Gone):
            self._opened.discard(name)
        match reading:
            case LinkLost(why=why) | Restarted(why=why):
                if name not in self._lost:
                    self._lost.add(name)
                    text = _("The reader {name} does not answer: {why} Type meanwhile; it is looked for.")
                    self._write(text.format(name=name, why=said(why)))
            case LinkUp() | Seen() | Listing() | Gone():
                if name in self._lost:
                    self._lost.discard(name)
                    self._write(_("The reader {name} is back.").format(name=name))
                elif name not in self._met and isinstance(reading, LinkUp):
                    self._write(_("The reader {name} is open.").format(name=name))
                self._met.add(name)
                self._remarked.pop(name, None)
            case Health(well=well, why=why) if not well:
                self._remark(name, said(why))
            case Remark(text=text):
                self._remark(name, said(text))
                if not self.may_hear:
                    self._console.taps = self
            case Unclear():
                self._news(unclear(reading, name, self.readers.pads))
            case _:
                pass

    def _remark(self, name: str, text: str) -> None:
        if self._remarked.get(name) != text:
            self._remarked[name] = text
            self._write(_("Reader {name}: {text}").format(name=name, text=text))

    def _happened(self, event: Event, at: float) -> None:
        if self._mode is not None:
            self._put(lambda now: () if self._mode is None else self._mode.heard(now, event))
        news = meaning(event, self.readers.book, self.readers.pads)
        if news is not None:
            self._news(news)

    def _news(self, news: News) -> None:
        self._put(lambda now: self._understand(now, news))

    def _understand(self, now: float, news: News) -> Outputs:
        if self._mode is None:
            return self._outside_the_game(news)
        match news:
            case Touch():
                return self._mode.touched(now, news)
            case Lift():
                return self._mode.lifted(now, news)
            case Trouble():
                return self._mode.troubled(now, news)

    def _lying(self, mode: Mode, now: float) -> Outputs:
        """What lies on the pads already, and which of them cannot be relied on."""
        outputs: list[Output] = []
        for place, role in self.readers.pads.items():
            for uid in self._tracker.present(place):
                touch = Touch(uid, tag_of(self.readers.book, uid), place, role, now, stays=True)
                outputs += mode.found(now, touch)
            if not self._tracker.is_sure(place):
                outputs += mode.troubled(now, Trouble(Kind.UNSURE, place, role))
        return outputs

    @staticmethod
    def _outside_the_game(news: News) -> Outputs:
        """Command tags say what the door, the waiting room and the end of a game ask; nothing else has a
        meaning there."""
        if not isinstance(news, Touch):
            return ()
        if news.tag is None:
            return [Say(_("This tag is not enrolled.")), Signal(news.place, Feedback.REFUSED)]
        if news.tag.kind is TagKind.BLANK:
            return ()  # people may lay down their cards, or left them there
        word = screen_word(news.tag.name) if news.tag.kind is TagKind.COMMAND else None
        if word is None:
            return [Say(_("No game is being played now.")), Signal(news.place, Feedback.REFUSED)]
        return [Typed(word), Signal(news.place, Feedback.ACCEPTED)]

    # --- one thing after the other ------------------------------------------------------------------

    def _put(self, take: Input) -> None:
        self._inbox.put_nowait(take)

    async def _serve(self) -> None:
        while True:
            wake = self._mode.wake if self._mode is not None else None
            wait = None if wake is None else max(0.0, wake - self._clock())
            try:
                # Not `wait_for`: under Python 3.11 it loses a cancellation that meets an arrival.
                async with asyncio.timeout(wait):
                    take = await self._inbox.get()
            except TimeoutError:
                take = self._tick
            await self._carry_out(take(self._clock()))

    def _tick(self, now: float) -> Outputs:
        return () if self._mode is None else self._mode.ticked(now)

    async def _carry_out(self, outputs: Outputs) -> None:
        for out in outputs:
            match out:
                case Act(seat, action):
                    await self._carry_out(await self._act(seat, action))
                case Say(text, seat):
                    self._say(text, seat)
                case Signal(place, feedback):
                    await self.readers.show(place, feedback)
                case Typed(line):
                    self._console.put(line)
                case Peek(seat, lines) if self._front is not None:
                    self._front.peek(seat, lines)
                case Keep(data) if self._front is not None:
                    await self._front.keep(data)
                case Scanned(faces) if self._front is not None:
                    await self._carry_out(await self._scan(faces))
                case ScanAnew() if self._front is not None:
                    await self._front.scan_anew()
                case _:
                    pass

    async def _act(self, seat: int, action: Action) -> Outputs:
        if self._front is None or self._mode is None:
            return ()
        try:
            await self._front.act(seat, action)
        except IllegalAction as refusal:
            return self._mode.refused(self._clock(), seat, action, refusal.reason)
        return self._mode.acted(self._clock(), seat, action)

    async def _scan(self, faces: tuple[str, ...]) -> Outputs:
        assert self._front is not None
        try:
            await self._front.scan(faces)
        except ScanRefused as refusal:
            return () if self._mode is None else self._mode.scan_refused(self._clock(), faces, refusal)
        return ()

    def _say(self, text: str, seat: int) -> None:
        if self._front is None:
            self._write(text)
        else:
            self._front.say(text, seat)

    def _write(self, text: str) -> None:
        self._console.write(text)


def _sees_nothing(_seat: int) -> None:
    """The witness of a table whose cards nobody scans."""


@contextlib.asynccontextmanager
async def open_desk(at: Folders, console: Console, choice: TableChoice) -> AsyncIterator[Desk]:
    """The table's readers, open for as long as the block runs. Raises ``Failure``."""
    desk = Desk(await open_readers(at, choice.readers, console), console, choice)
    desk.start()
    try:
        yield desk
    finally:
        await desk.close()


__all__ = ["Desk", "Front", "open_desk"]
