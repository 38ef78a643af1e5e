"""The lobby on a terminal: keys and news in, rows out. Nothing is written while nothing changes.

The first screen comes before anything else is read: the disk, and what finds tables, are looked at when it
stands.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input, create_input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.output import Output, create_output
from prompt_toolkit.styles import DynamicStyle

from ..errors import Failure
from ..language import said
from ..tui.breaking import telling_what_breaks
from ..tui.keyboard import ESCAPE, listen_quietly
from ..tui.look import style_of
from ..tui.picture import Picture
from ..tui.stopping import Stopping
from .draw import draw
from .model import step
from .state import (
    Event,
    Facts,
    Key,
    Learnt,
    Leave,
    Paste,
    Refused,
    Rename,
    Resized,
    Run,
    Seen,
    State,
    Tick,
    Write,
)
from .tables import Table, next_expiry

if TYPE_CHECKING:
    from p2p.io.mdns import Advert, Browser

MOST_HELD: Final = 200
"""Keys that wait for what they ask about: a paste without its marks is no reason to be busy for minutes."""

AGAIN: Final = 20.0
"""Seconds until the network is looked at again where no table could be found: somebody fetches a cable."""

NAMES: Final = {
    "c-m": "enter", "c-j": "enter", "c-i": "tab", "c-h": "backspace", "c-space": "",
}  # fmt: skip
"""Keys by the names that the model knows."""


class Disk(Protocol):
    """What the shell needs of ``facts.Machine``."""

    def read(self) -> Facts:
        """See ``Machine.read``."""

    def keep_name(self, name: str) -> None:
        """See ``Machine.keep_name``."""

    def write(self, table: str, key: str, value: str | None) -> str:
        """See ``Machine.write``."""

    def tables(self, adverts: Sequence[Advert]) -> list[Table]:
        """See ``Machine.tables``."""


class LobbyScreen:
    """One stay in the lobby. ``chosen`` is the command to run when it ends, ``None`` for leaving."""

    def __init__(
        self, state: State, open_disk: Callable[[], Disk], source: Input, output: Output, finds: bool = True
    ) -> None:
        """``open_disk`` is called in a thread; without ``finds`` the network is left alone."""
        self.state = state
        self.chosen: tuple[str, ...] | None = None
        self.failure: BaseException | None = None
        self._open_disk = open_disk
        self._finds = finds
        self._disk: Disk | None = None
        self._output = output
        self._held: list[Event] = []
        self._expiry: asyncio.TimerHandle | None = None
        self._browser: Browser | None = None
        self._adverts: tuple[Advert, ...] = ()
        self._tasks: set[asyncio.Task[None]] = set()
        self._at_disk = asyncio.Lock()  # what was read before a change must not be told after it
        self._has_begun = asyncio.Event()
        self._has_drawn = asyncio.Event()
        self._is_broken = asyncio.Event()
        self._picture: Final = Picture(
            lambda columns, rows: draw(self.state, columns, rows), self._redraw, output
        )
        depth = output.get_default_color_depth()
        listen_quietly(source)
        self.app: Final[Application[None]] = Application(
            layout=Layout(
                Window(
                    FormattedTextControl(self._text, show_cursor=False, focusable=True),
                    wrap_lines=False, always_hide_cursor=True,
                )
            ),
            key_bindings=self._bindings(), style=DynamicStyle(lambda: style_of(depth, "two")),
            full_screen=True, mouse_support=False, input=source, output=output,
        )  # fmt: skip
        self._stopping: Final = Stopping(self.app)
        self.app.ttimeoutlen = self.app.timeoutlen = ESCAPE
        self.app.after_render += lambda _app: self._has_drawn.set()

    # --- events -------------------------------------------------------------------------------------------

    def happen(self, event: Event) -> None:
        """Take an event in. Keys that ask about what is not read yet wait."""
        if self.app.is_done:
            return
        if self.state.is_busy and isinstance(event, Key | Paste) and event not in (Key("c-c"), Key("c-d")):
            if len(self._held) < MOST_HELD:
                self._held.append(event)
            return
        size = self._output.get_size()
        if size.rows != self.state.rows:
            self.state, _none = step(self.state, Resized(size.rows))
        self.state, effects = step(self.state, event)
        for effect in effects:
            match effect:
                case Leave():
                    self._exit(None)
                case Run(words):
                    self._exit(words)
                case Rename(name):
                    self._spawn(self._rename(name))
                case Write(table, key, value):
                    self._spawn(self._write(table, key, value))
        self._await_expiry()
        self.changed()

    def _release(self) -> None:
        """Take the keys in that waited."""
        held, self._held = self._held, []
        for event in held:
            self.happen(event)

    def _exit(self, words: tuple[str, ...] | None) -> None:
        self.chosen = words
        if self.app.is_running and not self.app.is_done:
            self.app.exit()

    def _await_expiry(self) -> None:
        at = next_expiry(self.state.tables)
        if self._expiry is not None:
            self._expiry.cancel()
            self._expiry = None
        if at is not None:
            loop = asyncio.get_running_loop()
            self._expiry = loop.call_at(at, lambda: self.happen(Tick(time.monotonic())))

    # --- the disk and the network ---------------------------------------------------------------------------

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            self.failure = self.failure or task.exception()
            self._exit(None)

    async def _begin(self) -> None:
        await self._has_drawn.wait()
        async with self._at_disk:
            self._has_begun.set()
            self._disk = await asyncio.to_thread(self._open_disk)
            await self._learn()
        if self._finds:
            await self._look()

    async def _learn(self, notice: str = "") -> None:
        assert self._disk is not None
        facts = await asyncio.to_thread(self._disk.read)
        self.happen(Learnt(facts, notice))
        self._show_tables()
        self._release()

    async def _look(self) -> None:
        found = await asyncio.to_thread(browser_class)
        while True:
            self._browser = found(self._found)
            self._is_broken.clear()
            await self._is_broken.wait()
            await asyncio.sleep(AGAIN)  # a cable that is mended mends this, too
            await self._browser.close()

    def _found(self, adverts: tuple[Advert, ...]) -> None:
        self._adverts = adverts
        self._show_tables()

    def _show_tables(self) -> None:
        if self._disk is None or self._browser is None:
            return
        reason = self._browser.reason or ""
        if reason:
            self._is_broken.set()
        found = tuple(self._disk.tables(self._adverts))
        self.happen(Seen(found, time.monotonic(), said(reason)))

    async def _rename(self, name: str) -> None:
        await self._change(lambda disk: disk.keep_name(name))

    async def _write(self, table: str, key: str, value: str | None) -> None:
        await self._change(lambda disk: disk.write(table, key, value))

    async def _change(self, act: Callable[[Disk], str | None]) -> None:
        await self._has_begun.wait()
        async with self._at_disk:
            assert self._disk is not None
            try:
                notice = await asyncio.to_thread(act, self._disk)
            except Failure as failure:
                self.happen(Refused(failure.message))
                self._release()
                return
            await self._learn(notice or "")

    # --- drawing ----------------------------------------------------------------------------------------

    def changed(self) -> None:
        """Draw soon, if what is to be seen is another than what is seen."""
        self._picture.changed()

    def _redraw(self) -> None:
        self.app.invalidate()

    def _text(self) -> StyleAndTextTuples:
        pieces: StyleAndTextTuples = []
        for number, row in enumerate(self._picture.shown()):
            pieces += [("", "\n")] if number else []
            pieces += row
        return pieces

    # --- keys ---------------------------------------------------------------------------------------------

    def _bindings(self) -> KeyBindings:
        keys = KeyBindings()

        @keys.add(Keys.Any)
        def pressed(event: KeyPressEvent) -> None:
            key = event.key_sequence[0].key
            name = key.value if isinstance(key, Keys) else key
            name = NAMES.get(name, name)
            if len(name) == 1 and not name.isprintable():
                return
            if name:
                self.happen(Key(name))

        @keys.add(Keys.BracketedPaste)
        def pasted(event: KeyPressEvent) -> None:
            self.happen(Paste(event.data[:MOST_HELD]))

        @keys.add("<sigint>")
        def interrupted(event: KeyPressEvent) -> None:
            self.happen(Key("c-c"))

        @keys.add("c-l")
        def redraw(event: KeyPressEvent) -> None:
            event.app.renderer.clear()

        @keys.add("c-z")
        def suspend(event: KeyPressEvent) -> None:
            self._stopping.suspend()

        @keys.add(Keys.Vt100MouseEvent)
        @keys.add(Keys.CPRResponse)
        @keys.add(Keys.WindowsMouseEvent)
        @keys.add(Keys.ScrollUp)
        @keys.add(Keys.ScrollDown)
        @keys.add(Keys.Ignore)
        def ignored(event: KeyPressEvent) -> None:
            """Nothing here listens to a mouse; pasted colour codes look like one."""

        return keys

    # --- from the beginning to the end ------------------------------------------------------------------

    async def run(self) -> None:
        """Until something is chosen, or the player leaves. Raises what broke."""
        self._spawn(self._begin())
        try:
            with (
                contextlib.suppress(EOFError),
                self._stopping.heeding_signals(),
                telling_what_breaks(self._fail),
            ):
                await self.app.run_async(handle_sigint=False, set_exception_handler=False)
        finally:
            self._picture.close()
            if self._expiry is not None:
                self._expiry.cancel()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            if self._browser is not None:
                await self._browser.close()
        if self.failure is not None:
            raise self.failure

    def _fail(self, error: Exception) -> None:
        self.failure = self.failure or error
        self._exit(None)


def browser_class() -> type[Browser]:
    """Imports what takes a quarter of a second, in a thread."""
    import zeroconf.asyncio  # noqa: F401  # ``Browser`` needs it when it is made

    from p2p.io.mdns import Browser

    return Browser


async def show_lobby(state: State, open_disk: Callable[[], Disk]) -> tuple[State, tuple[str, ...] | None]:
    """One stay: the state at its end, and the command to run; ``None`` where the player leaves."""
    screen = LobbyScreen(state, open_disk, create_input(), create_output(stdout=sys.stdout))
    await screen.run()
    return screen.state, screen.chosen
