"""A replay on the full screen: keys lead from frame to frame while the rest is verified in a thread.

What is not verified yet is not shown. Nothing is written to the terminal while nothing changes.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import threading
from collections.abc import Callable
from functools import partial
from typing import Final

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input, create_input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import (
    BufferControl,
    ConditionalContainer,
    FormattedTextControl,
    HSplit,
    Layout,
    Window,
)
from prompt_toolkit.layout.processors import BeforeInput
from prompt_toolkit.output import Output, create_output
from prompt_toolkit.styles import DynamicStyle

from ..language import N_
from ..speech.verbs import in_own_words
from ..translation import gettext as _
from ..tui.breaking import telling_what_breaks
from ..tui.keyboard import ESCAPE, listen_quietly
from ..tui.look import SUITS, style_of
from ..tui.parts import panel_lines
from ..tui.sheet import Panel
from ..tui.stopping import Stopping
from .control import WORDS, Controller, NotThere, Place
from .following import Recording, Stopped
from .frames import Replay
from .lines import frame_lines
from .marks import ASK, BOOK
from .page import draw, page_of

PATIENCE: Final = 5.0
"""Seconds that the thread may take to notice that nobody wants to know any more: one step, on a slow
machine."""

LONGEST: Final = 80
"""Characters of a typed line: no command is longer."""

HELP: Final = (
    ("→ n Space", N_("the next thing that happened")),
    ("← p Backspace", N_("the one before")),
    (". ,", N_("one step of the record on, back")),
    ("a A", N_("next ask, ask before")),
    ("k K", N_("next book, book before")),
    ("t T", N_("next turn, turn before; of the player whose view this is")),
    ("1-9", N_("next turn of that player")),
    ("g", N_("go to the step of a number")),
    ("Home End", N_("the beginning, the end")),
    ("v V", N_("another view: everybody's, all hands, each player's")),
    ("F2 i", N_("what was verified of this step")),
    ("F4", N_("suits in two colours, four colours, letters")),
    (":", N_("type one of these words:")),
)
"""Keys and what they do."""


class ReplayScreen:
    """One replay on a terminal. ``start`` is the frame to begin with, ``wanted`` the view, once it is
    there."""

    def __init__(
        self, replay: Replay, source: Input, output: Output, start: int, wanted: int, suits: str
    ) -> None:
        self.replay: Final = replay
        self.place = Place()
        self.notice = ""
        self.panel: Panel | None = None
        self._control: Final = Controller(replay)
        self._start = start
        self._wanted: int | None = wanted
        self._is_at_end = False
        self._output = output
        self._suits = "ascii" if replay.glyphs.ascii_only else suits
        self._is_typing = False
        self.buffer: Final = Buffer(multiline=False, accept_handler=self._typed)
        self.buffer.on_text_changed += _cut
        self.app: Final = self._application(source, output)
        self.stopping: Final = Stopping(self.app)
        self.failure: Exception | None = None
        self.arrived()

    def _application(self, source: Input, output: Output) -> Application[None]:
        body = Window(
            FormattedTextControl(self._text, show_cursor=False), wrap_lines=False, always_hide_cursor=True
        )
        line = Window(
            BufferControl(self.buffer, input_processors=[BeforeInput(": ")], focusable=True),
            height=1,
        )
        depth = output.get_default_color_depth()
        listen_quietly(source)
        typing = ConditionalContainer(line, Condition(lambda: self._is_typing))
        app: Application[None] = Application(
            layout=Layout(HSplit([body, typing]), focused_element=line), key_bindings=_bindings(self),
            style=DynamicStyle(lambda: style_of(depth, self._suits)), full_screen=True, mouse_support=False,
            input=source, output=output,
        )  # fmt: skip
        app.ttimeoutlen = app.timeoutlen = ESCAPE
        return app

    # --- what is told from outside ----------------------------------------------------------------------

    def arrived(self) -> None:
        """More of the record is verified, or all of it."""
        if len(self.replay) == 0:
            return
        if self._wanted is not None and self.replay.report is not None:
            seat, self._wanted = self._wanted, None
            self._go(lambda: self._control.view(self.place, seat))
        if self._start and (len(self.replay) > self._start or self.replay.report is not None):
            start, self._start = self._start, 0
            self._go(lambda: self._control.number(self.place, start))
        if self._is_at_end:
            self.place = self._control.end(self.place)
        self.app.invalidate()

    # --- what the keys do -------------------------------------------------------------------------------

    @property
    def is_typing(self) -> bool:
        """Whether a line is being typed."""
        return self._is_typing

    def go(self, move: Callable[[Controller, Place], Place]) -> None:
        """A move, or the sentence why it is not possible."""
        self._start, self._is_at_end = 0, False
        self._go(lambda: move(self._control, self.place))

    def _go(self, move: Callable[[], Place]) -> None:
        self.notice, self.panel = "", None
        try:
            self.place = move()
        except NotThere as problem:
            self.notice = str(problem)

    def end(self) -> None:
        """To the last frame; as more come in, to those."""
        self.go(Controller.end)
        self._is_at_end = self.replay.report is None

    def own_turn(self, by: int) -> None:
        """The next turn of the player whose view this is, or of anybody."""
        seat = self.place.seat if self.place.seat >= 0 else None
        self.go(lambda control, place: control.turn(place, seat, by))

    def next_turn_of(self, seat: int) -> None:
        """The next turn of a player."""
        self.go(lambda control, place: control.turn(place, seat, 1))

    def leave(self) -> None:
        """Give the terminal back."""
        if self.app.is_running and not self.app.is_done:
            self.app.exit()

    def fail(self, error: Exception) -> None:
        """Give the terminal back because something broke."""
        self.failure = self.failure or error
        self.leave()

    def begin_typing(self, text: str = "") -> None:
        """Open the line."""
        self.notice, self._is_typing = "", True
        self.buffer.document = Document(text)

    def stop_typing(self) -> None:
        """Close the line, or the panel."""
        if not self._is_typing:
            self.notice, self.panel = "", None
        self._is_typing = False
        self.buffer.reset()

    def _typed(self, buffer: Buffer) -> bool:
        self._is_typing = False
        self.notice, self.panel = "", None
        try:
            found = self._control.obey(self.place, buffer.text.strip())
        except NotThere as problem:
            self.notice = str(problem)
            return False
        match found:
            case Place():
                self._start, self.place = 0, found
                is_last = found.at + 1 == len(self.replay)
                self._is_at_end = self.replay.report is None and is_last
            case "quit":
                self.leave()
            case "help":
                self.help()
            case _:
                self.proofs()
        return False

    def proofs(self) -> None:
        """What was verified of this step, and the table in words."""
        frame = self.replay.frame(self.place.at, self.place.seat)
        first, *rest = frame_lines(frame)
        self.panel = Panel(first, tuple(rest))
        self.app.invalidate()

    def help(self) -> None:
        """Keys and words."""
        size = max(len(key) for key, _about in HELP)
        lines = [f"{key:{size}}  {_(about)}" for key, about in HELP]
        lines += [f"    {in_own_words(word):{size - 4}}  {_(about)}" for word, about in WORDS.items()]
        self.panel = Panel(_("Keys"), tuple(lines))
        self.app.invalidate()

    def wind(self, pages: int) -> None:
        """A page of the panel; without one, ten things that happened."""
        if self.panel is None:
            for _n in range(10):
                self.go(lambda control, place: control.told(place, pages))
            return
        size = self._output.get_size()
        most = len(panel_lines(self.panel, size.columns)) - 1
        top = max(0, min(most, self.panel.top + pages * max(1, size.rows // 2)))
        self.panel = Panel(self.panel.title, self.panel.lines, top)

    def next_suits(self) -> None:
        """Another way to show suits."""
        if not self.replay.glyphs.ascii_only:
            self._suits = SUITS[(SUITS.index(self._suits) + 1) % len(SUITS)]

    # --- drawing ----------------------------------------------------------------------------------------

    def _text(self) -> StyleAndTextTuples:
        size = self._output.get_size()
        rows = size.rows - self._is_typing
        pieces: StyleAndTextTuples = []
        if len(self.replay) == 0:
            return [("", _("Nothing is verified yet; a moment, please."))]
        page = page_of(
            self.replay, self.place.at, self.place.seat, rows, self.notice, self.panel,
            self._suits == "ascii",
        )  # fmt: skip
        for number, row in enumerate(draw(page, size.columns, rows)):
            pieces += [("", "\n")] if number else []
            pieces += row
        return pieces


def _cut(buffer: Buffer) -> None:
    if len(buffer.text) > LONGEST:
        buffer.document = Document(buffer.text[:LONGEST])


def _bindings(screen: ReplayScreen) -> KeyBindings:
    keys = KeyBindings()
    is_typing = Condition(lambda: screen.is_typing)

    def bind(names: str, act: Callable[[], None]) -> None:
        def press(_event: KeyPressEvent) -> None:
            act()

        for name in names.split():
            keys.add(name, filter=~is_typing)(press)

    def move(names: str, act: Callable[[Controller, Place], Place]) -> None:
        bind(names, partial(screen.go, act))

    move("right n space enter", lambda control, place: control.told(place, 1))
    move("left p backspace", lambda control, place: control.told(place, -1))
    move(".", lambda control, place: control.step(place, 1))
    move(",", lambda control, place: control.step(place, -1))
    move("a", lambda control, place: control.marked(place, ASK, 1))
    move("A", lambda control, place: control.marked(place, ASK, -1))
    move("k", lambda control, place: control.marked(place, BOOK, 1))
    move("K", lambda control, place: control.marked(place, BOOK, -1))
    bind("t", partial(screen.own_turn, 1))
    bind("T", partial(screen.own_turn, -1))
    for seat in range(min(9, len(screen.replay.names))):
        bind(str(seat + 1), partial(screen.next_turn_of, seat))
    bind("g", partial(screen.begin_typing, "go "))
    bind(":", screen.begin_typing)
    move("home", Controller.start)
    bind("end G", screen.end)
    move("v tab", Controller.next_view)
    move("V s-tab", lambda control, place: control.next_view(place, -1))
    bind("f2 i", screen.proofs)
    bind("f4", screen.next_suits)
    bind("? f1", screen.help)
    bind("pagedown down", partial(screen.wind, 1))
    bind("pageup up", partial(screen.wind, -1))
    bind("q c-d", screen.leave)
    keys.add("escape")(lambda _event: screen.stop_typing())
    keys.add("c-c")(lambda _event: screen.leave())
    keys.add("c-z")(lambda _event: screen.stopping.suspend())
    keys.add("c-l")(lambda event: event.app.renderer.clear())
    keys.add("<bracketed-paste>", filter=~is_typing)(lambda _event: None)
    keys.add("<any>", filter=~is_typing)(lambda _event: None)  # else the line would take it unseen
    keys.add("<vt100-mouse-event>")(lambda _event: None)  # a pasted colour code, which the library breaks on
    return keys


async def show_replay(
    replay: Replay, start: int, wanted: int, suits: str, terminal: tuple[Input, Output] | None = None
) -> None:
    """Until its player leaves. Verifies in a thread meanwhile; what breaks that is raised. ``terminal`` is
    that of a screen in whose place this one stands for a while."""
    source, output = terminal or (create_input(), create_output(stdout=sys.stdout))
    screen = ReplayScreen(replay, source, output, start, wanted, suits)
    loop = asyncio.get_running_loop()
    recording = replay.recording
    assert isinstance(recording, Recording)

    def soon(act: Callable[[], object]) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(act)

    def follow() -> None:
        percent = -1

        def at(done: int, of: int) -> None:
            nonlocal percent
            if percent != 100 * done // max(1, of):
                percent = 100 * done // max(1, of)
                soon(screen.arrived)

        try:
            recording.follow(at)
        except Stopped:
            return
        except Exception as error:  # noqa: BLE001  # raised again by whoever waits for the screen
            screen.failure = error
            soon(screen.leave)
        soon(screen.arrived)

    # A daemon thread, so that a terminal that goes away is not waited for.
    thread = threading.Thread(target=follow, daemon=True, name="shoal-verify")
    thread.start()
    try:
        with screen.stopping.heeding_signals(), telling_what_breaks(screen.fail):
            await screen.app.run_async(handle_sigint=False, set_exception_handler=False)
    finally:
        recording.stop()
        thread.join(timeout=PATIENCE)
    if screen.failure is not None:
        raise screen.failure
