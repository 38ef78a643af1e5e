"""The full screen as a console: the whole table all the time, and a line for typing below it.

Nothing is written to the terminal while nothing changes.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Final

from prompt_toolkit.application import Application, in_terminal
from prompt_toolkit.application.current import set_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.input import Input, create_input
from prompt_toolkit.layout import (
    BufferControl,
    Dimension,
    Float,
    FloatContainer,
    HSplit,
    Layout,
    Window,
)
from prompt_toolkit.layout.menus import CompletionsMenu
from prompt_toolkit.layout.processors import BeforeInput
from prompt_toolkit.output import Output
from prompt_toolkit.styles import DynamicStyle

from ..console import IDLE, TapFilter, interrupt
from ..ending import LEAVE, EndChoice
from ..language import N_
from ..manner import can_show_suits
from ..prompt import WholeLines
from ..speech.verbs import in_own_words
from ..story import Line
from ..text import Glyphs
from ..translation import gettext as _
from ..typed import MAX_AHEAD, MAX_LINE, LineQueue
from .bindings import bindings
from .body import Body
from .breaking import telling_what_breaks
from .canvas import Row, cut, width
from .commanding import Commands, bare_command
from .keyboard import ESCAPE, listen_quietly
from .keys import Choice, Chooser, without_figures
from .layout import draw, log_rows, margin_of
from .log import Log, without_question
from .look import SUITS, style_of
from .parts import panel_lines
from .picture import Picture
from .scene import Moment, Scene, is_under_way, moment_of
from .sheet import Cover, Panel, Sheet
from .stopping import Stopping

TO_READ: Final = 12.0
"""Seconds that four safety words stay over the table at least, spelled out: so long it takes to read them to
each other. The first warning ends it before that."""

_KEYS: Final = N_(
    "Figures choose, Esc goes back; / begins a command at any time, also where letters choose. F2 shows the "
    "proofs, F4 changes the suits, PageUp winds back what happened; F8 resigns, F9 gives up whoever is "
    "waited for, and both ask first; Ctrl-C pauses."
)
"""Stands above what ``help`` says."""

CLOSING: Final = 2.0
"""Seconds that the application may take to give the terminal back: it writes some bytes."""

SHORT: Final = 2
"""Lines of an answer that need no panel."""


class FullScreen:
    """See ``console.Console`` and ``console.Canvas``."""

    def __init__(
        self, suits: str, has_bell: bool, source: Input, output: Output, has_mouse: bool = False
    ) -> None:
        self.is_interactive = True
        self.prompt_is_shown = True
        self.glyphs: Final = Glyphs(ascii_only=not can_show_suits())
        self.words: Callable[[], Iterable[str]] = tuple
        self.suits = "ascii" if self.glyphs.ascii_only else suits
        self.log: Final = Log()
        self.panel: Panel | None = None
        self.cover: Cover | None = None
        self.chooser: Chooser | None = None
        self.scroll = 0
        self.notice = ""
        self._said_at: Moment | None = None
        self.choices: tuple[EndChoice, ...] = ()
        self.is_leaving = False
        self._is_left = False
        self.has_mouse: Final = has_mouse
        self._has_bell = has_bell
        self._output = output
        self._prompt = IDLE
        self._lines = LineQueue()
        self._ahead = 0
        self._failure: BaseException | None = None
        self.scene: Scene | None = None
        self._private: tuple[str, ...] = ()
        self._waiting: tuple[tuple[int, ...], float] = ((), 0.0)
        self._left: asyncio.Event = asyncio.Event()
        self._read_until: float | None = None
        self.buffer: Final = Buffer(
            completer=Commands(WholeLines(self)), complete_while_typing=False, multiline=False,
            accept_handler=self._accept,
        )  # fmt: skip
        self.buffer.on_text_changed += _cut
        from .taps import TapTyping  # it needs the buffer's module only here

        self._typing: Final = TapTyping(self.buffer, self.changed)
        self.picture: Final = Picture(self._drawn, self._redraw, output, kept=1)
        self.app: Final = self._application(source, output)
        self.stopping: Final = Stopping(self.app)

    def _application(self, source: Input, output: Output) -> Application[None]:
        body = Body(self.picture.shown)
        line = Window(
            BufferControl(self.buffer, input_processors=[BeforeInput(self._before)], focusable=True),
            height=Dimension.exact(1), wrap_lines=False,
        )  # fmt: skip
        menu = Float(
            xcursor=True,
            ycursor=True,
            content=CompletionsMenu(max_height=6, scroll_offset=1),
            transparent=True,
        )
        depth = output.get_default_color_depth()
        listen_quietly(source)
        app: Application[None] = Application(
            layout=Layout(FloatContainer(HSplit([body, line]), [menu]), focused_element=line),
            key_bindings=bindings(self), style=DynamicStyle(lambda: style_of(depth, self.suits)),
            full_screen=True, mouse_support=self.has_mouse, input=source, output=output,
        )  # fmt: skip
        app.ttimeoutlen = app.timeoutlen = ESCAPE
        return app

    # --- ``Console`` --------------------------------------------------------------------------------

    @property
    def prompt(self) -> str:
        """See ``Console.prompt``."""
        return self._prompt

    @prompt.setter
    def prompt(self, text: str) -> None:
        if text != self._prompt:
            self._prompt = text
            self.app.invalidate()

    @property
    def taps(self) -> TapFilter | None:
        """See ``Console.taps``."""
        return self._typing.filter

    @taps.setter
    def taps(self, found: TapFilter | None) -> None:
        self._typing.filter = found

    def write(self, text: str) -> None:
        """See ``Console.write``: into the log."""
        self._add(Line(each, "note") for each in text.split("\n"))

    def put(self, line: str) -> None:
        """See ``Console.put``."""
        self._lines.put(line)

    def private(self, lines: Sequence[str]) -> bool:
        """See ``Console.private``: above the line for typing; the log never has it."""
        self._private = tuple(lines)
        self.changed()
        return True

    async def read(self) -> str | None:
        """See ``Console.read``."""
        line = await self._lines.get()
        self._ahead = max(0, self._ahead - 1)
        if line is None and self._failure is not None:
            raise self._failure
        if self.scene is None:
            self.log.mark()
        return line

    # --- ``Canvas`` ---------------------------------------------------------------------------------

    def tell(self, lines: Sequence[Line]) -> None:
        """See ``Canvas.tell``: without what stands on the screen anyway."""
        kinds = {line.kind for line in lines}
        if "warning" in kinds:
            self._uncover()
        if "result" in kinds:
            self.log.mark_once()
        self._add(without_question(lines, self.scene.hand_line if self.scene is not None else ""))

    def show(self, scene: Scene) -> None:
        """See ``Canvas.show``."""
        before, self.scene, self.cover = self.scene, scene, None
        is_old = self._said_at is not None and moment_of(scene) != self._said_at
        if is_old or (before is not None and self.notice == before.waiting_text != scene.waiting_text):
            self.notice, self._said_at = "", None
        if before is None or (before.is_over and not scene.is_over):
            self.log.unmark()
        self._is_left = self._is_left and scene.is_over
        is_read = self._read_until is not None and time.monotonic() >= self._read_until
        if is_read and not scene.is_over and is_under_way(scene):
            self._uncover()
        if before is None or before.actions != scene.actions:
            chooser = Chooser(scene.game, scene.actions)
            self.chooser = None if chooser.is_empty else chooser
        if scene.waiting != self._waiting[0]:
            self._waiting = (scene.waiting, time.monotonic())
        if self._has_bell and scene.is_my_move and not (before is not None and before.is_my_move):
            self._output.bell()
            self._output.flush()
        self.changed()

    def reply(self, text: str, stays: bool = False) -> None:
        """See ``Canvas.reply``."""
        self.notice = text
        is_of_now = self.scene is not None and self.cover is None and not stays
        self._said_at = moment_of(self.scene) if is_of_now and self.scene is not None else None
        self.changed()

    def page(self, title: str, lines: Sequence[str]) -> None:
        """See ``Canvas.page``."""
        if len(lines) <= SHORT:
            self.reply("\n".join(lines))
            return
        keys = (_KEYS, "") if title == "help" else ()
        is_before = self.scene is None or self.scene.is_over or self.cover is not None
        self._read_until = time.monotonic() + TO_READ if is_before else None
        self.panel = Panel(in_own_words(title), (*map(_, keys), *lines))
        self.changed()

    def _uncover(self) -> None:
        """What was shown to be read before the game, as the safety words are, hides nothing of the game."""
        if self._read_until is not None:
            self.panel = self._read_until = None
            self.changed()

    def put_over(self, cover: Cover | None) -> None:
        """Draw something else than the table, until a scene is shown or ``None`` is given."""
        self.cover = cover
        self.changed()

    def offer(self, choices: Sequence[EndChoice]) -> None:
        """See ``ending.Offering``."""
        self.choices = tuple(choices)
        self.is_leaving = any(choice.word == LEAVE for choice in choices)
        self._is_left = not choices
        self.changed()

    async def lend(self, use: Callable[[Input, Output], Awaitable[None]]) -> None:
        """See ``ending.Offering``."""
        with set_app(self.app):
            async with in_terminal():
                await use(create_input(), self._output)
        self.app.renderer.clear()
        self.picture.forget()

    def ended(self) -> None:
        """See ``Canvas.ended``. What was read over the table makes way for the result."""
        self.chooser = self.panel = None
        self.log.mark_once()

    # --- what the keys do ---------------------------------------------------------------------------

    def send(self, line: str) -> None:
        """A line that was typed or chosen. Nobody has use for a book that was pasted line by line."""
        self.reply("")
        self.panel, self.scroll = None, 0
        if self._ahead >= MAX_AHEAD:
            self.reply(_("Too many lines at once; the rest is dropped."))
        else:
            self._ahead += 1
            self._lines.put_typed(line)
        self.changed()

    def end_of_input(self) -> None:
        """Ctrl-D on an empty line."""
        if not self.leave():
            self._lines.put(None)

    def leave(self) -> bool:
        """Leave the table after the end; whether it is the end."""
        if self.is_leaving and self.choices:
            self.send(LEAVE)
        elif self.is_leaving:
            self._left.set()
        return self.is_leaving

    def stop(self) -> None:
        """Ctrl-C."""
        if not self.leave():
            interrupt()

    @property
    def leaves_figures(self) -> bool:
        """Whether figures are left to a reader that types."""
        return self.taps is not None and self.taps.takes_figures

    def typed(self, text: str) -> None:
        """A key for the line."""
        if self.chooser is not None and self.chooser.reset():
            self.changed()
        self.buffer.insert_text(text)
        if self.taps is not None:
            self._typing.typed(text)

    def is_tap(self) -> bool:
        """Whether a reader typed what stands in the line."""
        return self.taps is not None and self._typing.taken()

    def wind(self, pages: int) -> None:
        """A page up (-1) or down (1) in the panel, or in the log."""
        self.roll(pages * max(1, self._output.get_size().rows // 2))

    def roll(self, rows: int) -> None:
        """The same by rows."""
        size = self._output.get_size()
        if self.panel is not None:
            most = len(panel_lines(self.panel, size.columns)) - 1
            top = max(0, min(most, self.panel.top + rows))
            self.panel = Panel(self.panel.title, self.panel.lines, top)
        else:
            most = log_rows(self.sheet(), size.columns, size.rows) - 1
            self.scroll = max(0, min(most, self.scroll - rows))
        self.changed()

    def next_suits(self) -> None:
        """Another way to show suits."""
        if self.glyphs.ascii_only:
            self.reply(_("This terminal shows letters only."))
            return
        self.suits = SUITS[(SUITS.index(self.suits) + 1) % len(SUITS)]
        names = {"two": _("two colours"), "four": _("four colours"), "ascii": _("letters")}
        self.reply(_("Suits: {way}").format(way=names[self.suits]))
        self.picture.forget()

    # --- drawing ------------------------------------------------------------------------------------

    def changed(self) -> None:
        """Draw soon, if what is to be seen is another than what is seen."""
        self.picture.changed()

    def _redraw(self) -> None:
        self.app.invalidate()

    def _drawn(self, columns: int, rows: int) -> list[Row]:
        return draw(self.sheet(), columns, rows)

    def sheet(self) -> Sheet:
        """All that there is to see now."""
        seats, since = self._waiting
        return Sheet(
            scene=self.scene,
            log=self.log.lines,
            choice=self._choice(),
            panel=self.panel,
            waited=int(time.monotonic() - since) if seats else 0,
            scroll=self.scroll,
            notice=self.notice,
            private=self._private,
            is_leaving=self.is_leaving,
            choices=self.choices,
            is_ascii=self.suits == "ascii",
            cover=self.cover,
        )

    def _choice(self) -> Choice | None:
        """What may be chosen; a figure that would choose nothing is not shown."""
        choice = None if self.chooser is None else self.chooser.choice
        return choice if choice is None or not self.leaves_figures else without_figures(choice)

    def _before(self) -> str:
        """The prompt, where it leaves room for typing."""
        columns = self._output.get_size().columns
        prompt = self._prompt if width(self._prompt) * 2 <= columns else IDLE
        return " " * margin_of(columns) + cut(prompt, max(0, columns - 2))

    def _add(self, lines: Iterable[Line]) -> None:
        self.log.add(lines)
        self.changed()

    def _accept(self, buffer: Buffer) -> bool:
        # Before a game what is typed may be the name of a file.
        # A path, where one is asked for, begins with the same sign.
        is_answer = self.scene is None or any(not choice.word for choice in self.choices)
        self.send(buffer.text if is_answer else bare_command(buffer.text))
        return False

    # --- from the beginning to the end --------------------------------------------------------------

    async def run(self) -> None:
        """Until it is closed. What breaks the screen is raised where the next line is read."""
        try:
            with telling_what_breaks(self._fail):
                await self.app.run_async(handle_sigint=False, set_exception_handler=False)
        except EOFError:
            self._lines.put(None)
        except Exception as error:  # noqa: BLE001  # nobody waits for this task, and nobody could type any more
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        self._failure = self._failure or error
        self.picture.close()  # it would break again
        self._lines.put(None)
        self._left.set()
        if self.app.is_running and not self.app.is_done:
            self.app.exit()

    async def linger(self) -> None:
        """After a whole game: until its player has seen the result."""
        scene = self.scene
        is_over = scene is not None and scene.is_over and not scene.is_watched
        if not is_over or self._is_left or not self.app.is_running:
            return
        self.is_leaving = True
        self.prompt = IDLE
        self.changed()
        await self._left.wait()

    async def close(self, task: asyncio.Task[None]) -> None:
        """Give the terminal back."""
        self.picture.close()
        if self.app.is_running and not self.app.is_done:
            self.app.exit()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.wait([task], timeout=CLOSING)
        if not task.done():
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


def _cut(buffer: Buffer) -> None:
    """No command is longer; laying out a pasted book at every key would stop the game."""
    if len(buffer.text) > MAX_LINE:
        buffer.document = Document(buffer.text[:MAX_LINE])
