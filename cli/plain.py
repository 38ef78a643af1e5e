"""Plain line mode: the presenter's lines as they come, and what the player types in between."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Protocol

from engine.contract import Action, IllegalAction, View
from p2p.session import Fault, Finished, Race, Session, Stale, Talk, Telling, Waiting, YourMove
from p2p.session import Left as HasLeft

from .answers import answer, help_lines
from .bots import BotPlayer
from .console import IDLE, Canvas, Console, Left
from .ending import ENTER, EndChoice, Offering
from .leaving import Leaving, nothing_changes
from .lines import COMMANDS, Ask, NotUnderstood, read_line
from .loop import first_of
from .muting import mute
from .presenter import Presenter
from .reach import AWAY_AFTER
from .readiness import READY, Readiness
from .speech.verbs import in_english, in_own_words
from .story import Line
from .translation import gettext as _
from .waited import Waited

if TYPE_CHECKING:
    from .tabletop.desk import Desk
    from .text import Glyphs
    from .tui.scene import Scene

WATCH: Final = 0.5
"""Seconds between looks at the links: soon enough for a person, and nothing for the machine."""

WATCH_RACE: Final = 0.2
"""The same in a race, where the last seconds of silence are counted down."""

REMIND: Final = 60.0
"""Seconds of silence after which a plain screen says again who is waited for."""


RECALLED: Final = 6
"""Lines of the story that are told again on a plain screen where a game goes on: a turn or two. ``log`` has
all of it."""


class Playable(Protocol):
    """What a front end needs of ``p2p.io.table.Table``."""

    tellings: asyncio.Queue[Any]

    @property
    def session(self) -> Session:
        """The session; the front end reads it and changes nothing."""

    @property
    def missing(self) -> dict[int, float]:
        """Seats out of reach, and for how many seconds."""

    async def act(self, action: Action) -> None:
        """The player's decision."""

    async def say(self, text: str) -> None:
        """A line of chat."""

    async def farewell(self) -> None:
        """Leave the game for good."""

    async def give_up(self, seat: int) -> None:
        """Wait no longer for a seat."""


@dataclass(frozen=True, slots=True)
class End:
    """How it ended for this seat: with a result, a proven fault, or a store that is too old."""

    fault: Fault | None = None
    is_stale: bool = False


class PlainTable:
    """One game on a console."""

    def __init__(
        self,
        table: Playable,
        presenter: Presenter,
        console: Console,
        words: Sequence[str],
        bot: BotPlayer | None = None,
        is_resumed: bool = False,
        desk: Desk | None = None,
    ) -> None:
        """``words`` are the table's safety words; with a ``bot`` that plays the player watches. ``desk`` has
        the readers of a table with cards one can touch."""
        self._table = table
        self._show = presenter
        self._console = console
        self._words = words
        self._bot = bot
        self._is_resumed = is_resumed
        self._desk = desk
        self._leaving = Leaving(self._local(), presenter.say)
        self._spoke = time.monotonic()
        self._until: float | None = None
        self._waited: Final = Waited(table, self._leaving, presenter.say, self._local())
        self._ready: Readiness | None = None
        self._turn = asyncio.Event()

    def keep_waiting(self, ready: Readiness | None) -> None:
        """Say when bots wait for this player to be ready, and tell them when it is."""
        self._ready = ready
        if ready is not None:
            ready.on_wait = self._ask_ready

    def _recalled(self) -> tuple[Line, ...]:
        """What happened before; what a player drew only where the screen is its own."""
        session = self._table.session
        return self._show.recall(
            session.history.restored, session.view_after if self._show.me == session.seat else None
        )

    async def play(self) -> End:
        """Until the game is over for this seat. Raises ``Left`` when its player leaves before that."""
        self._console.words = self._completions
        before = self._recalled() if self._is_resumed else ()
        self._print(before if self._canvas is not None else before[-RECALLED:])
        self._set_prompt()
        self._draw()
        if self._is_resumed and self._canvas is None:
            self._write("\n".join(self._show.table_lines(self._board())))
        try:
            desk = () if self._desk is None else (self._desk.broken(),)
            return await first_of(self._listen(), self._read(), self._watch(), *desk)
        finally:
            if self._canvas is not None:
                self._canvas.ended()
            if self._bot is not None:
                await self._bot.stop()

    # --- three things at once ---------------------------------------------------------------------

    async def _listen(self) -> End:
        while True:
            telling = await self._table.tellings.get()
            error = getattr(telling, "error", None)
            if isinstance(error, BaseException):
                raise error
            told: Sequence[Line] = self._lines_for(telling)
            if self._bot is not None and isinstance(telling, YourMove | Race):
                told = self._for_watchers(told)
            self._draw()
            self._print(told)
            if self._desk is not None and self._bot is None:
                self._desk.hear(self._show.me, telling, self._view())
            if isinstance(telling, YourMove):
                self._until = None if telling.seconds is None else time.monotonic() + telling.seconds
            self._set_prompt()
            self._draw()
            if self._actions():
                self._turn.set()
            match telling:
                case Finished():
                    return End()
                case Fault():
                    return End(fault=telling)
                case Stale():
                    return End(is_stale=True)
                case _ if self._bot is not None:
                    await self._bot.hear(self._table, telling)
                case _:
                    pass

    def _lines_for(self, telling: Telling) -> tuple[Line, ...]:
        """The lines for what a session tells."""
        if isinstance(telling, Waiting) and self._is_awaited:
            return ()  # it is this player that all wait for
        lines, more = self._show.hear(telling, self._view()), self._leaving.hear(telling)
        self._show.log += more
        if isinstance(telling, HasLeft) and self._canvas is not None:
            self._canvas.reply("")  # what was noted is done
        return (*lines, *more)

    async def _read(self) -> End:
        while True:
            line = await self._console.read()
            if line is None:
                if self._bot is not None:
                    await asyncio.Event().wait()  # a bot plays: the game needs no input
                raise Left(_("The input has ended."))
            was_asked = self._leaving.is_asked
            desk = None if was_asked else self._desk  # a "yes" is no word of the readers then
            if desk is not None and await desk.understood(line):
                continue
            try:
                await self._obey_in_time(line)
            except NotUnderstood as problem:
                self._reply(nothing_changes() if was_asked else str(problem))

    async def _obey_in_time(self, line: str) -> None:
        """A script writes its moves ahead: what a pipe says and is no use yet waits for this player's turn,
        and what follows waits behind it. Who sits at a terminal is told at once."""
        try:
            await self._obey(line)
        except NotUnderstood:
            if self._console.is_interactive or self._bot is not None or self._desk is not None:
                raise
            if self._actions() or self._show.is_racing or self._leaving.is_asked:
                raise
            self._turn.clear()
            await self._turn.wait()
            await self._obey(line)

    async def _watch(self) -> End:
        while True:
            await asyncio.sleep(WATCH_RACE if self._show.is_racing else WATCH)
            noticed = self._show.notice(self._table.missing)
            self._print(noticed)
            if self._canvas is None and any(line.kind == "warning" for line in noticed):
                self._print(Line(text, "note") for text in self._remedy())
            if self._show.is_racing:
                passing = self._show.passing(self._view())
                self._print(() if self._canvas is not None else passing)  # there a bar runs out
            if self._until is not None:
                self._set_prompt()
            self._draw()
            if self._spoke + REMIND < time.monotonic():
                self._remind()

    def _remind(self) -> None:
        if self._canvas is not None or self._is_awaited:
            return  # it counts how long somebody is waited for; or it is this player
        for line in () if self._desk is None else self._desk.to_do:
            self._write(line)
        if reminder := self._waited.reminder():
            self._write(" ".join([*reminder, *self._remedy()]))
        self._spoke = time.monotonic()

    def _remedy(self) -> list[str]:
        """What can be done about those who are waited for, once there is something to be done."""
        remedy = self._waited.remedy()
        return [] if self._actions() or self._bot is not None else remedy

    # --- after the end ----------------------------------------------------------------------------

    @property
    def muted(self) -> set[int]:
        """Seats whose talk is not shown."""
        return self._show.muted

    @property
    def glyphs(self) -> Glyphs:
        """How cards are written here."""
        return self._show.say.glyphs

    async def obey(self, line: str) -> None:
        """See ``ending.Afterwards``."""
        await self._obey(line)

    async def listen_on(self) -> None:
        """See ``ending.Afterwards``."""
        while True:
            telling = await self._table.tellings.get()
            if isinstance(telling, Talk):
                self._print(self._show.hear(telling, self._view()))

    def reply(self, text: str) -> None:
        """See ``ending.Afterwards``."""
        self._reply(text)

    def tell(self, lines: Iterable[Line]) -> None:
        """See ``ending.Afterwards``."""
        self._print(lines)

    def page(self, title: str, lines: Sequence[str]) -> None:
        """See ``ending.Afterwards``."""
        if self._canvas is not None:
            self._canvas.page(title, lines)
        else:
            self._write("\n".join(lines))

    # --- what the player wants --------------------------------------------------------------------

    async def _obey(self, line: str) -> None:
        if self._leaving.is_asked and (said := await self._leaving.answer(line)) is not None:
            self._be_ready()  # who leaves keeps nobody waiting
            self._reply(said, stays=said != nothing_changes())
            return
        if self._is_awaited and in_english(line.strip()) in ("", READY):
            self._be_ready()
            return
        wish = read_line(line, self._show.game, self._view(), self._actions())
        match wish:
            case Action():
                await self._act(wish)
            case Ask("chat", text):
                await self._table.say(text)
                self._print([self._show.own_words(text)])
            case Ask("mute", name):
                show = self._show
                self._reply(mute(name, show.names, show.me, show.muted))
            case Ask("quit"):
                raise Left
            case Ask("resign" | "give up", name):
                self._reply(self._leaving.ask(wish.name, name, self._show.me), stays=True)
            case Ask(name):
                self.page(name, list(self._answer(name)))

    def _ask_ready(self) -> None:
        if isinstance(self._console, Offering):
            text = _("I am ready: flip the first fish")
            self._console.offer((EndChoice(ENTER, READY, text),))
        text = _("Nobody plays before you are ready. To see what each of your cards does, type effects.")
        self._print([Line(text, "note")])
        self._set_prompt()

    @property
    def _is_awaited(self) -> bool:
        """Whether bots wait for this player to be ready."""
        return self._ready is not None and self._ready.is_awaited

    def _be_ready(self) -> None:
        if self._ready is None or not self._ready.is_awaited:
            return
        self._ready.say()
        if isinstance(self._console, Offering):
            self._console.offer(())
        self._set_prompt()

    def _answer(self, name: str) -> Iterable[str]:
        if name == "help":
            return self._help()
        return answer(name, self._show, self._table.session, self._view(), self._board(), self._words)

    def _help(self) -> list[str]:
        return help_lines(self._show, self._view(), self._actions())

    async def _act(self, action: Action) -> None:
        try:
            await self.act(self._show.me, action)
        except IllegalAction as refusal:
            self._reply(self._show.say.reason(refusal.reason) + " " + _("hint lists what is possible."))
            return
        if self._desk is not None:
            self._desk.acted(self._show.me, action)

    async def act(self, seat: int, action: Action) -> None:
        """The decision of this player, typed or tapped. Raises ``IllegalAction``."""
        await self._table.act(action)
        if self._ready is not None:
            self._ready.say()
        if action.verb in self._show.game.rules.info.wishes and action not in self._actions():
            self._reply(_("Noted: it is done as soon as the rules allow it."))
            return
        self._show.acted()
        self._set_prompt()
        self._draw()

    def _for_watchers(self, lines: Iterable[Line]) -> list[Line]:
        """What is asked of a bot, without how a person would type it."""
        hand = self._show.hand_line(self._view())
        return [line for line in lines if line.kind == "warning" or line.text == hand]

    # --- output -----------------------------------------------------------------------------------

    @property
    def _canvas(self) -> Canvas | None:
        return self._console if isinstance(self._console, Canvas) else None

    def _draw(self) -> None:
        """Where the whole table is shown, show it as it is now."""
        self._show.ledger.follow(self._table.session.history.proved)
        if self._canvas is not None:
            self._canvas.show(self._scene())

    def _scene(self) -> Scene:
        from .tui.scene import scene_of  # lines alone need none of it

        left = None if self._until is None else max(0.0, self._until - time.monotonic())
        is_watched = self._bot is not None
        scene = scene_of(self._show, self._view(), self._board(), self._actions(), left, is_watched)
        to_do = () if self._desk is None else self._desk.to_do
        return replace(scene, remedy=" ".join(self._remedy()), to_do=to_do)

    def _reply(self, text: str, stays: bool = False) -> None:
        """Say something to the line that was typed last; see ``Canvas.reply``."""
        if self._canvas is not None:
            self._canvas.reply(text, stays)
        else:
            self._write(text)

    def _print(self, lines: Iterable[Line]) -> None:
        if self._canvas is not None:
            self._canvas.tell(tuple(lines))
            return
        for line in lines:
            self._write(str(line))

    def _write(self, text: str) -> None:
        self._spoke = time.monotonic()
        self._console.write(text)

    def _set_prompt(self) -> None:
        if not self._actions():
            self._until = None
            is_asked = self._is_awaited and self._canvas is None
            self._console.prompt = _("Press Enter when you are ready> ") if is_asked else IDLE
        elif self._until is None:
            self._console.prompt = self._show.game.prompt(self._view(), self._actions(), None)
        else:
            left = max(0.0, self._until - time.monotonic())
            self._console.prompt = self._show.game.prompt(self._view(), self._actions(), left)

    # --- helpers ----------------------------------------------------------------------------------

    def _actions(self) -> Sequence[Action]:
        return () if self._bot is not None else self._show.actions

    def _local(self) -> Mapping[int, Playable]:
        """The tables of the people at this machine, by their seats."""
        return {self._show.me: self._table}

    def _view(self) -> View[Any]:
        return self._table.session.view()

    def _board(self) -> Any:
        # A seat that is away for a moment is on its way, such as one's own bots when a game is resumed.
        missing = {seat: time for seat, time in self._table.missing.items() if time >= AWAY_AFTER}
        return self._show.board(self._view(), self._table.session.awaited, missing)

    def _completions(self) -> list[str]:
        game = self._show.game
        words = [*COMMANDS, *game.commands]
        own = [*map(in_own_words, words)]
        return [*game.completions(self._actions()), *own, *(each for each in words if each not in own)]


__all__ = ["End", "PlainTable", "Playable"]
