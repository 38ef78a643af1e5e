"""What may be done with the record of a game that has just ended: see all hands, save it elsewhere, verify it
here, replay it, and read what was proved."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

from engine.registry import game
from p2p.io.sodium import load_group
from p2p.verify import Report

from .commands.verify import MOST_BYTES, report_lines
from .console import Console
from .ending import EndChoice, Ending, Offering
from .errors import Failure, Interrupted
from .files import read_bytes, write_bytes
from .laid_open import Held, all_lines, closed_line, held_by_all, start_lines
from .loop import first_of
from .plain import PlainTable
from .replay.control import Place
from .replay.conversation import converse
from .replay.following import Recording, Stopped, open_recording
from .replay.frames import PUBLIC, Replay
from .story import Line
from .text import Glyphs
from .translation import gettext as _

AT_ONCE: Final = 3.0
"""Seconds that the choices wait for the hands, which take about one: they are read before the choices. After
that the hands are told when they are there."""

EVERY: Final = 3.0
"""Seconds between lines on how far a verification is, where there is no line to draw over."""


async def what_now(
    console: Console, screen: PlainTable, record: Path, at_end: Callable[[Ending], None] | None
) -> None:
    """Offer what may be done after a game until its player leaves the table. ``record`` is its file;
    ``at_end`` adds to the choices."""
    ending = Ending(console, screen)
    acts = RecordActs(ending, record, screen.glyphs)
    if at_end is not None:
        at_end(ending)
    try:
        await acts.lay_open()
        await first_of(ending.run(), acts.broken())
    except asyncio.CancelledError:
        raise Interrupted(_("Stopped; the game was over.")) from None
    finally:
        await acts.close()


class RecordActs:
    """The acts on the record that was written to ``path``."""

    def __init__(self, ending: Ending, path: Path, glyphs: Glyphs) -> None:
        self._ending = ending
        self._path = path
        self._glyphs = glyphs
        self._opening: asyncio.Task[None] | None = None
        self._recording: Recording | None = None
        self._found: tuple[Replay, tuple[Held, ...]] | None = None
        for choice, act in (
            (EndChoice("2", "hands", _("all hands"), _("all hands laid open")), self._hands),
            (EndChoice("3", "save", _("save record"), _("save the record elsewhere, too")), self._save),
            (EndChoice("4", "verify", _("verify"), _("verify the record here and now")), self._verify),
            (EndChoice("5", "replay", _("replay"), _("step through the game")), self._replay),
            (EndChoice("6", "proofs", _("proofs"), _("what was proved, and how")), self._proofs),
        ):
            ending.add(choice, act)

    # --- the hands ----------------------------------------------------------------------------------

    async def lay_open(self) -> None:
        """Begin to open the hands, which are told as soon as everything was verified; waits a moment for
        it."""
        self._opening = asyncio.create_task(self._open())
        await asyncio.wait([self._opening], timeout=AT_ONCE)

    async def _open(self) -> None:
        opened = await self._opened()
        if not isinstance(opened, Recording):
            return  # verify says what is wrong with it
        self._recording = opened
        replay = Replay(opened, self._glyphs)
        if opened.charter.reveal == "never":
            self._found = replay, ()
            self._ending.screen.tell([Line(closed_line(replay), "note")])
            return
        with contextlib.suppress(Stopped):
            await asyncio.to_thread(opened.follow)
            self._found = replay, await asyncio.to_thread(held_by_all, replay)
            self._ending.screen.tell(Line(text, "note") for text in start_lines(*self._found))

    async def broken(self) -> None:
        """Ends only by raising what broke the opening of the hands."""
        if self._opening is not None:
            await self._opening
        await asyncio.Event().wait()

    async def close(self) -> None:
        """The table is left; what is still computed is needed no more."""
        if self._recording is not None:
            self._recording.stop()
        if self._opening is not None:
            await asyncio.gather(self._opening, return_exceptions=True)

    async def _hands(self, _rest: str) -> bool:
        screen = self._ending.screen
        if self._opening is not None and not self._opening.done():
            screen.reply(_("The record is being verified first; a moment, please."))
            await asyncio.wait([self._opening])
        if self._found is None:
            screen.reply(_("Nothing of the record can be shown; verify says why."))
        else:
            screen.page(_("Hands"), all_lines(*self._found))
        return False

    # --- the file -----------------------------------------------------------------------------------

    def _bytes(self) -> bytes:
        return read_bytes(str(self._path), MOST_BYTES)

    async def _save(self, rest: str) -> bool:
        name = rest or await self._ending.ask(_("Save the record where?"), str(Path.cwd() / self._path.name))
        if name is None:
            self._ending.screen.reply(_("Not saved."))
            return False
        try:
            path = await asyncio.to_thread(self._copy, name)
        except Failure as failure:
            self._ending.screen.reply(failure.message)
        else:
            self._ending.screen.reply(_("Saved: {path}").format(path=path))
        return False

    def _copy(self, name: str) -> Path:
        """The file that was written; a folder gets one of the record's own name."""
        path = Path(os.path.expanduser(name))  # unlike those of Path, none of these three raises
        path = path / self._path.name if os.path.isdir(path) else path
        if os.path.exists(path):
            raise Failure(_("{path} is there already; nothing was written.").format(path=path))
        write_bytes(path, self._bytes())
        return path

    async def _verify(self, _rest: str) -> bool:
        opened = await self._opened()
        if opened is None:
            return False
        report, options = opened, {}
        if isinstance(opened, Recording):
            options = dict(opened.charter.options)
            report = await asyncio.to_thread(opened.follow, self._progress())
        assert isinstance(report, Report)
        if isinstance(self._ending.console, Offering):
            self._ending.screen.reply("")  # the progress has been seen
        self._ending.screen.page(_("Verdict"), report_lines(report, options))
        return False

    async def _opened(self) -> Recording | Report | None:
        try:
            return open_recording(await asyncio.to_thread(self._bytes), game, load_group())
        except Failure as failure:
            self._ending.screen.reply(failure.message)
            return None

    def _progress(self) -> Callable[[int, int], None]:
        """Tells, from a thread, how far a verification is."""
        loop = asyncio.get_running_loop()
        every = 0.0 if isinstance(self._ending.console, Offering) else EVERY
        told, at_time = 0, time.monotonic()

        def at(done: int, of: int) -> None:
            nonlocal told, at_time
            part = 100 * done // max(1, of)
            if part > told and time.monotonic() >= at_time + every:
                told, at_time = part, time.monotonic()
                text = _("Verifying: {n} %").format(n=part)
                loop.call_soon_threadsafe(self._ending.screen.reply, text)

        return at

    # --- to read ------------------------------------------------------------------------------------

    async def _replay(self, _rest: str) -> bool:
        opened = await self._opened()
        if opened is None or isinstance(opened, Report):
            self._ending.screen.reply(_("Nothing of the record can be shown; verify says why."))
            return False
        replay = Replay(opened, self._glyphs)
        console = self._ending.console
        if isinstance(console, Offering):
            await console.lend(partial(self._on_screen, replay, console.suits))
            return False
        await asyncio.to_thread(opened.follow, self._progress())
        await converse(replay, console, Place(), 0)
        console.write("\n".join(self._ending.lines()))
        return False

    @staticmethod
    async def _on_screen(replay: Replay, suits: str, source: Any, output: Any) -> None:
        from .replay.screen import show_replay  # plain lines need not wait for it

        await show_replay(replay, 0, PUBLIC, suits, (source, output))

    async def _proofs(self, _rest: str) -> bool:
        await self._ending.screen.obey("proofs")
        return False


__all__ = ["RecordActs"]
