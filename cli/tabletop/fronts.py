"""The screens of a game as the desk sees them: one player's own, or one that all at the table look at."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from engine.contract import Action, IllegalAction, View
from p2p.io.table import Table
from p2p.session import Fault, Finished, Race, Stale, Unplayed, YourMove

from ..boards import Board, GameBoard, NotUnderstood
from ..console import IDLE, Console
from ..leaving import nothing_changes
from ..lines import Ask, read_line
from ..loop import first_of
from ..plain import End, PlainTable
from ..presenter import Presenter
from ..text import joined
from ..translation import gettext as _
from .base import EVERYBODY, is_asked
from .desk import Desk
from .kept import Kept
from .peeking import not_shown

if TYPE_CHECKING:
    from ..tui.scene import Scene

LINGER: Final = 10.0
"""Seconds that the other seats of a finished game may take to sign and store their own end of it."""


CATCH_UP: Final = 1.0
"""Seconds that a question waits at most for what came before it to be told: the seats of one machine are
milliseconds apart."""

REST: Final = 0.1
"""Seconds that a line waits at most for what comes with it: longer than a disk takes to store a step, and too
short to be noticed."""

LOOK: Final = 0.005
"""Seconds between looks at how far they are: nobody sees a hundredth of a second."""


class OwnScreen:
    """A player's own screen: what concerns that player may stand on it."""

    def __init__(self, screen: PlainTable, table: Table, console: Console, kept: Kept) -> None:
        self._screen = screen
        self._table = table
        self._console = console
        self._kept = kept

    async def act(self, seat: int, action: Action) -> None:
        """See ``desk.Front``."""
        await self._screen.act(seat, action)

    def say(self, text: str, seat: int) -> None:
        """See ``desk.Front``."""
        self._console.write(text)

    def peek(self, seat: int, lines: Sequence[str]) -> None:
        """See ``desk.Front``. One's own hand is in sight anyway."""
        self._console.private(lines)

    async def scan(self, faces: Sequence[str]) -> None:
        """See ``desk.Front``."""
        await scan(self._table, faces)

    async def scan_anew(self) -> None:
        """See ``desk.Front``."""
        await self._table.scan_anew()

    async def keep(self, data: bytes) -> None:
        """See ``desk.Front``."""
        await self._kept.write(data)

    async def forget(self) -> None:
        """See ``desk.Front``."""
        await self._kept.remove()


class CommonTable(PlainTable):
    """A screen that everybody at the table looks at: it tells what an onlooker may know, and nothing that is
    in a hand. What is typed belongs to the player who has to decide, or to the one named in front of it."""

    def __init__(
        self,
        tables: Mapping[int, Table],
        presenter: Presenter,
        boards: Mapping[int, GameBoard],
        console: Console,
        words: Sequence[str],
        kept: Kept,
        is_resumed: bool = False,
        desk: Desk | None = None,
    ) -> None:
        """``tables`` are those of the people here, by seat, the screen's owner first; ``presenter`` is an
        onlooker's."""
        self._tables = tables
        self._boards = boards
        self._kept = kept
        self._following: list[asyncio.Task[None]] = []
        self._asked: dict[int, tuple[Action, ...]] = {}
        self._is_showing = False
        self._peeking = EVERYBODY
        self._peek: tuple[str, ...] = ()
        super().__init__(
            next(iter(tables.values())), presenter, console, words, is_resumed=is_resumed, desk=desk
        )

    async def play(self) -> End:
        """See ``PlainTable``."""
        _first, *others = self._tables
        self._following = [asyncio.create_task(self._follow(seat)) for seat in others]
        try:
            end = await super().play()
            if self._following:
                await asyncio.wait(self._following, timeout=LINGER)
            return end
        finally:
            for task in self._following:
                task.cancel()
            await asyncio.gather(*self._following, return_exceptions=True)

    # --- what happens -------------------------------------------------------------------------------

    async def _listen(self) -> End:
        return await first_of(self._listen_to_first(), self._broken_others())

    async def _listen_to_first(self) -> End:
        seat, first = self._table.session.seat, self._tables[self._table.session.seat]
        tellings = first.tellings
        while True:
            # All that waits is shown first: what has to be done on the table follows from the last of it.
            batch = [await tellings.get()]
            self._is_showing = True
            await _at_rest(first)
            while not tellings.empty():
                batch.append(tellings.get_nowait())
            for telling in batch:
                self._show_to_all(telling)
            ends = [self._heard(seat, telling) for telling in batch]
            self._is_showing = False
            if (end := next(filter(None, ends), None)) is not None:
                return end

    async def _follow(self, seat: int) -> None:
        while True:
            telling = await self._tables[seat].tellings.get()
            if isinstance(telling, YourMove):
                await self._caught_up(seat)
            if self._heard(seat, telling) is not None:
                return

    async def _caught_up(self, seat: int) -> None:
        """Wait until the seat whose story the screen tells is as far as this one, which has to decide."""
        first, step = self._tables[self._table.session.seat], self._tables[seat].session.history.step

        def is_behind() -> bool:
            # What a session has taken in is stored before it is told.
            is_told = first.tellings.empty() and not self._is_showing
            return first.session.history.step < step or first.is_at_work or not is_told

        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CATCH_UP):
                while is_behind():  # noqa: ASYNC110  # of these things none tells by itself
                    await asyncio.sleep(LOOK)

    async def _broken_others(self) -> End:
        """Ends only by raising what breaks the seat of one of the others."""
        await asyncio.gather(*self._following)
        await asyncio.Event().wait()
        raise AssertionError("never reached")

    def _show_to_all(self, telling: Any) -> None:
        """What the first seat is told, but what concerns its hand. Raises what breaks that seat."""
        error = getattr(telling, "error", None)
        if isinstance(error, BaseException):
            raise error
        if not isinstance(telling, YourMove | Race | Unplayed):
            self._print(self._lines_for(telling))

    def _heard(self, seat: int, telling: Any) -> End | None:
        """One telling of one seat; how it ended, if it did."""
        error = getattr(telling, "error", None)
        if isinstance(error, BaseException):
            raise error
        own = self._tables[seat].session.view()
        if isinstance(telling, YourMove | Race):
            self._asked[seat] = telling.actions
        self._forget(seat)
        if self._desk is not None:
            self._desk.hear(seat, telling, own)
        self._set_prompt()
        self._draw()
        match telling:
            case Finished():
                return End()
            case Fault():
                return End(fault=telling)
            case Stale():
                return End(is_stale=True)
            case _:
                return None

    def _forget(self, seat: int) -> None:
        """A seat whose time has passed is asked no more."""
        view = self._tables[seat].session.view()
        if seat in self._asked and not is_asked(self._show.rules, seat, view):
            del self._asked[seat]

    # --- what is wanted -----------------------------------------------------------------------------

    async def act(self, seat: int, action: Action) -> None:
        """See ``desk.Front``."""
        await self._tables[seat].act(action)
        if action.verb not in self._show.game.rules.info.wishes:
            self._asked.pop(seat, None)
        self._set_prompt()

    async def _obey(self, line: str) -> None:
        if self._leaving.is_asked and (said := await self._leaving.answer(line)) is not None:
            self._reply(said, stays=said != nothing_changes())
            return
        seat, line = self._addressed(line)
        board = self._boards[seat]
        actions = self._asked.get(seat, ())
        try:
            wish = read_line(line, board, self._tables[seat].session.view(), actions)
        except NotUnderstood:
            raise NotUnderstood(self._impossible(seat)) from None
        match wish:
            case Action():
                await self._act_for(seat, wish)
            case Ask("hand" | "hint"):
                self._reply(self._whose_turn())
            case Ask("resign" | "give up", name):
                self._reply(self._leaving.ask(wish.name, name, seat), stays=True)
            case _:
                await super()._obey(line)

    async def _act_for(self, seat: int, action: Action) -> None:
        try:
            await self.act(seat, action)
        except IllegalAction:
            self._reply(self._impossible(seat))
            return
        if self._desk is not None:
            self._desk.acted(seat, action)

    def _impossible(self, seat: int) -> str:
        """Without the reason: why, and what would be right, depends on the cards of a hand."""
        text = _("That is not possible for {name} now; help lists what can be typed.")
        return text.format(name=self._show.names[seat])

    def _addressed(self, line: str) -> tuple[int, str]:
        """Whom a line belongs to: ``Ben: ask Ann 9``, or else the only one who has to decide."""
        name, colon, rest = line.partition(":")
        for seat in self._tables:
            if colon and self._show.names[seat].casefold() == name.strip().casefold():
                return seat, rest.strip()
        asked = list(self._asked)
        return (asked[0] if len(asked) == 1 else self._table.session.seat), line

    def _whose_turn(self) -> str:
        names = ", ".join(self._show.names[seat] for seat in self._asked)
        if names:
            text = _("It is the turn of {names}. Cards of a hand are not shown on a screen for everybody.")
            return text.format(names=names)
        return _("Nobody at this table has to decide now.")

    # --- what is shown ------------------------------------------------------------------------------

    def say(self, text: str, seat: int) -> None:
        """See ``desk.Front``."""
        if seat == EVERYBODY:
            self._write(text)
        elif seat == self._peeking:
            self._console.private((*self._peek, text))

    def peek(self, seat: int, lines: Sequence[str]) -> None:
        """See ``desk.Front``."""
        self._peeking, self._peek = (seat, tuple(lines)) if lines else (EVERYBODY, ())
        if not self._console.private(lines):
            self._peeking = EVERYBODY
            self._write(not_shown())

    async def scan(self, faces: Sequence[str]) -> None:
        """See ``desk.Front``."""
        await scan(self._tables[self._table.session.seat], faces)

    async def scan_anew(self) -> None:
        """See ``desk.Front``."""
        await self._tables[self._table.session.seat].scan_anew()

    async def keep(self, data: bytes) -> None:
        """See ``desk.Front``."""
        await self._kept.write(data)

    async def forget(self) -> None:
        """See ``desk.Front``."""
        await self._kept.remove()

    def _local(self) -> Mapping[int, Table]:
        return self._tables

    def _view(self) -> View[Any]:
        return self._tables[self._table.session.seat].session.history.progress.position.view(EVERYBODY, {})

    def _board(self) -> Board:
        """Cards that are dealt count as they are tapped."""
        board: Board = super()._board()
        game, table = self._show.game, self._view().state.table
        tapped = () if self._desk is None else self._desk.tapped
        dealt = [(slot.zone, seat) for slot, seat in tapped if slot in table.slots(slot.zone)]
        gone = Counter(game.zone_name(zone) for zone, _seat in dealt)
        come = Counter(seat for _zone, seat in dealt)
        piles = (replace(pile, size=pile.size - gone[pile.name]) for pile in board.piles)
        seats = (replace(box, cards=box.cards + come[box.seat]) for box in board.seats)
        return replace(board, piles=tuple(piles), seats=tuple(seats))

    def _scene(self) -> Scene:
        """Those here are waited for by name and with what they have to do, and not from afar."""
        scene = super()._scene()
        waiting = tuple(seat for seat in scene.waiting if seat not in self._tables)
        if waiting == scene.waiting:
            return scene
        text = self._show.say.waiting(waiting) if waiting else ""
        return replace(scene, waiting=waiting, waiting_text=text, idle=self._called_on(scene))

    def _called_on(self, scene: Scene) -> str:
        """Whose turn it is, where nothing says what they have to do."""
        names = joined([self._show.names[seat] for seat in scene.waiting if seat in self._asked])
        return _("It is the turn of {names}.").format(names=names) if names and not scene.to_do else ""

    def _set_prompt(self) -> None:
        names = ", ".join(self._show.names[seat] for seat in self._asked)
        self._console.prompt = f"{names}> " if names else IDLE

    def _completions(self) -> list[str]:
        return [word for word in super()._completions() if word not in ("hand", "hint")]

    def _help(self) -> list[str]:
        return [_("Tap, or type for the player who has to decide: NAME: what is played"), *super()._help()]


async def _at_rest(table: Table) -> None:
    """Wait until a seat has told all that its session has taken in."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(REST):
            while table.is_at_work:  # noqa: ASYNC110  # it tells of no end
                await asyncio.sleep(LOOK)


async def scan(table: Table, faces: Sequence[str]) -> None:
    """Hand scanned cards to a table that is dealt from a printed deck. Raises ``ScanRefused``."""
    deck = table.session.view().deck
    await table.scan([deck.parse(text) for text in faces])


__all__ = ["CommonTable", "OwnScreen", "scan"]
