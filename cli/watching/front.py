"""The table as a spectator sees it, on the full screen or in lines. What it types is answered here alone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Any, Final

from engine.contract import View
from engine.table import Tick
from p2p.deal import Progress
from p2p.identity import words
from p2p.io.watching import Found, Judged, Lost, PausedSeat, Seen, Spectator
from p2p.log import Charter
from p2p.session import Paused, PrintedTable, Telling
from p2p.verify import Step, Undone

from ..answers import word_line
from ..boards import Board
from ..commands.rules import page
from ..console import Canvas, Console, Left
from ..language import N_, said
from ..loop import first_of
from ..presenter import Presenter
from ..speech.verbs import commanded_in_english
from ..story import Line
from ..text import Glyphs, printable
from ..translation import gettext as _
from ..translation import ngettext
from .told import begins, told_of

WORDS: Final = {
    "table": N_("what lies on the table, and everyone's cards"),
    "log": N_("what has happened so far"),
    "proofs": N_("what has been proved so far, and by which proof"),
    "words": N_("the safety words of this table"),
    "rules": N_("how this game is played"),
    "help": N_("this list"),
    "quit": N_("stop watching; the game goes on"),
}
"""What one who watches may type."""

PATIENCE: Final = 1.5
"""Seconds without an answer after which it is most likely the game that is waited for."""

SHORT: Final = {"?": "help", "h": "help", "q": "quit", "exit": "quit"}


class WatchFront:
    """One game that is watched on a console."""

    def __init__(self, spectator: Spectator, console: Console, glyphs: Glyphs) -> None:
        self._spectator = spectator
        self._console = console
        self._glyphs = glyphs
        self._shown: Presenter | None = None
        self._charter: Charter | None = None
        self._progress: Progress | None = None
        self._step = 0
        self._before: tuple[Line, ...] = ()

    @property
    def presenter(self) -> Presenter | None:
        """What shows the game, once it has begun."""
        return self._shown

    @property
    def steps(self) -> int:
        """Steps that were verified so far."""
        return self._step

    async def watch(self, seen: AsyncIterator[Seen]) -> Judged:
        """Until the verdict. Raises ``Left`` where the one who watches leaves before."""
        self._console.words = lambda: tuple(WORDS)
        try:
            return await first_of(self._follow(seen), self._read(), self._wait())
        finally:
            if self._canvas is not None and self._shown is not None:
                self._canvas.ended()

    # --- what is seen -----------------------------------------------------------------------------

    async def _follow(self, seen: AsyncIterator[Seen]) -> Judged:
        async for each in seen:
            match each:
                case Charter():
                    self._begin(each)
                case Step():
                    self._on_step(each)
                case Undone(step):
                    self._on_undone(step)
                case PausedSeat(seat):
                    self._tell([Paused(seat)])
                case Lost(reason):
                    self._note(self._about_lost(reason), "warning")
                case Found(seat):
                    self._note(_("{who}'s program goes on.").format(who=self._show.names[seat]))
                case Judged():
                    return each
        raise AssertionError("what is watched ends with a verdict")

    def _about_lost(self, reason: str) -> str:
        if self._spectator.paused and self._console.is_interactive:
            return _("It goes on here as soon as a player's program can be reached; quit stops watching.")
        text = _("The player whose program was asked is gone: {reason} The others are asked …")
        return text.format(reason=said(printable(reason)))

    def _begin(self, charter: Charter) -> None:
        self._charter = charter
        self._progress = progress = self._spectator.verifier.history.progress
        # A stranger's table: its names are shown, and not done to the terminal.
        names = [printable(seat.name, 64) for seat in charter.seats]
        glyphs = self._canvas.glyphs if self._canvas is not None else self._glyphs
        self._shown = Presenter(progress.position.rules, names, -1, glyphs)
        if charter.scanner is not None:
            self._tell([PrintedTable(charter.scanner)])
        self._note(_("You watch; nobody sees what you type, and you see what everybody sees."))
        self._note(word_line(words(charter.table_id)))
        self._tell(begins(progress, 0))

    def _on_step(self, step: Step) -> None:
        """A verified step. Those before one came are not told one by one, except in the log."""
        self._step, self._progress = step.number + 1, step.after
        reached = self._spectator.reached
        if step.number < reached:
            for telling in told_of(step):
                self._before += self._show.hear(telling, self._view())
            if step.number == reached - 1:
                self._caught_up()
            return
        self._tell(told_of(step))

    def _caught_up(self) -> None:
        text = ngettext(
            "The game has been going on for {n} step; all of it is verified.",
            "The game has been going on for {n} steps; all of them are verified.",
            self._step,
        )
        if self._canvas is not None:
            self._canvas.tell(self._before)  # there one can leaf through what happened before
        self._before = ()
        self._note(text.format(n=self._step))
        if self._canvas is None:
            self._console.write("\n".join(self._table()))
        self._draw()

    def _on_undone(self, step: int) -> None:
        self._step = step
        self._progress = self._spectator.verifier.history.progress
        text = _("Those at the table went on without a player: what was shown since step {n} did not happen.")
        self._note(text.format(n=step), "warning")

    async def _wait(self) -> Judged:
        """A table that answers nothing has let this one in, and has not begun."""
        await asyncio.sleep(PATIENCE)
        if self._shown is None:
            self._note(_("Waiting for the game to begin …"))
        await asyncio.Event().wait()
        raise AssertionError("never reached")

    # --- after the end ----------------------------------------------------------------------------

    async def obey(self, line: str) -> None:
        """See ``ending.Afterwards``."""
        word = self._word(line)
        if word == "quit":
            raise Left
        if word is not None:
            self._page(word, list(self._answer(word)))

    async def listen_on(self) -> None:
        """See ``ending.Afterwards``. Nobody says anything to those who watch."""
        await asyncio.Event().wait()

    def reply(self, text: str) -> None:
        """See ``ending.Afterwards``."""
        self._reply(text)

    def tell(self, lines: Iterable[Line]) -> None:
        """See ``ending.Afterwards``."""
        self._print(tuple(lines))

    def page(self, title: str, lines: Sequence[str]) -> None:
        """See ``ending.Afterwards``."""
        self._page(title, lines)

    # --- what is typed ----------------------------------------------------------------------------

    async def _read(self) -> Judged:
        while True:
            line = await self._console.read()
            if line is None:
                if self._console.is_interactive:
                    raise Left
                await asyncio.Event().wait()  # nobody types here; the game is watched all the same
            await self.obey(line or "")

    def _word(self, line: str) -> str | None:
        typed = commanded_in_english(line.strip()).casefold()
        if not typed:
            return None
        word = SHORT.get(typed, typed)
        known = (*WORDS, *(self._shown.game.commands if self._shown is not None else ()))
        if word in known:
            return word
        self._reply(_("Those who watch say and play nothing; help lists the words that are understood."))
        return None

    def _answer(self, word: str) -> Iterable[str]:
        show = self._shown
        if word == "help" or show is None or self._charter is None:
            size = max(map(len, WORDS))
            return [f"{name:{size}}  {_(about)}" for name, about in WORDS.items()]
        match word:
            case "table":
                return self._table()
            case "log":
                return [str(line) for line in show.log]
            case "proofs":
                return show.ledger.lines()
            case "words":
                return [word_line(words(self._charter.table_id))]
            case "rules":
                return page(show.rules.info, with_options=False).split("\n")
            case _:
                return show.answer(word, self._view())

    # --- output -----------------------------------------------------------------------------------

    @property
    def _show(self) -> Presenter:
        assert self._shown is not None
        return self._shown

    @property
    def _canvas(self) -> Canvas | None:
        return self._console if isinstance(self._console, Canvas) else None

    def _tell(self, tellings: Sequence[Telling]) -> None:
        lines = [line for telling in tellings for line in self._show.hear(telling, self._view())]
        self._print(lines)
        self._draw()

    def _note(self, text: str, kind: Any = "note") -> None:
        line = Line(text, kind)
        if self._shown is not None:
            self._shown.log.append(line)
        self._print([line])

    def _print(self, lines: Sequence[Line]) -> None:
        if self._canvas is not None and self._shown is not None:
            self._canvas.tell(tuple(lines))
            return
        for line in lines:
            self._console.write(str(line))

    def _page(self, title: str, lines: Sequence[str]) -> None:
        if self._canvas is not None and self._shown is not None:
            self._canvas.page(title, lines)
        else:
            self._console.write("\n".join(lines))

    def _reply(self, text: str) -> None:
        if self._canvas is not None and self._shown is not None:
            self._canvas.reply(text)
        else:
            self._console.write(text)

    def _draw(self) -> None:
        if self._canvas is None or self._shown is None:
            return
        from ..tui.scene import scene_of  # lines alone need none of it

        self._canvas.show(scene_of(self._shown, self._view(), self._board(), (), None, is_watched=True))

    def _view(self) -> View[Any]:
        assert self._progress is not None
        return self._progress.position.view(-1, {})

    def _board(self) -> Board:
        assert self._progress is not None
        awaited = () if isinstance(self._progress.task, Tick) else self._progress.owed  # all race at once
        return self._show.board(self._view(), awaited)

    def _table(self) -> tuple[str, ...]:
        return self._show.table_lines(self._board())
