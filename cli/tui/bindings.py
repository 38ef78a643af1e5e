"""The keys of the full screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from ..ending import ESCAPE as ESC
from ..typed import MAX_LINE
from .choosing import choose_end, click, press
from .keys import ENTER
from .mouse import DOWN, LEFT, ROLL, UP, read

if TYPE_CHECKING:
    from .screen import FullScreen


def bindings(screen: FullScreen) -> KeyBindings:
    """All keys that are not those of editing a line."""
    keys = KeyBindings()
    is_empty = Condition(lambda: not screen.buffer.text)
    has_choice = Condition(lambda: screen.chooser is not None)
    has_panel = Condition(lambda: screen.panel is not None)
    _typing(keys, screen)
    _moving(keys, screen)
    _pointing(keys, screen)

    @keys.add("?", filter=is_empty)
    @keys.add("f1")
    def show_help(event: KeyPressEvent) -> None:
        screen.send("help")

    @keys.add("f2")
    def show_proofs(event: KeyPressEvent) -> None:
        screen.send("proofs")

    @keys.add("f4")
    def change_suits(event: KeyPressEvent) -> None:
        screen.next_suits()

    @keys.add("f8")
    def resign(event: KeyPressEvent) -> None:
        screen.send("resign")

    @keys.add("f9")
    def give_up(event: KeyPressEvent) -> None:
        """Whoever is waited for; both are asked about before they are done."""
        screen.send("give up")

    @keys.add("pageup")
    def wind_up(event: KeyPressEvent) -> None:
        screen.wind(-1)

    @keys.add("pagedown")
    def wind_down(event: KeyPressEvent) -> None:
        screen.wind(1)

    @keys.add("up", filter=is_empty & has_panel)
    def panel_up(event: KeyPressEvent) -> None:
        screen.wind(-1)

    @keys.add("down", filter=is_empty & has_panel)
    @keys.add(" ", filter=is_empty & has_panel)
    def panel_down(event: KeyPressEvent) -> None:
        screen.wind(1)

    @keys.add("right", filter=is_empty & has_choice)
    @keys.add("tab", filter=is_empty & has_choice)
    def mark_next(event: KeyPressEvent) -> None:
        _move(screen, 1)

    @keys.add("left", filter=is_empty & has_choice)
    @keys.add("s-tab", filter=is_empty & has_choice)
    def mark_last(event: KeyPressEvent) -> None:
        _move(screen, -1)

    return keys


def _move(screen: FullScreen, steps: int) -> None:
    if screen.chooser is not None:
        screen.chooser.move(steps)
        screen.changed()


def _typing(keys: KeyBindings, screen: FullScreen) -> None:
    is_empty = Condition(lambda: not screen.buffer.text)

    @keys.add(Keys.Any)
    def typed(event: KeyPressEvent) -> None:
        if len(event.data) != 1 or not event.data.isprintable():
            return  # a key without a sign of its own
        if not screen.buffer.text and press(screen, event.data):
            return
        screen.typed(event.data * max(1, event.arg))

    @keys.add(Keys.BracketedPaste)
    def pasted(event: KeyPressEvent) -> None:
        """Never a choice, and never more than one line."""
        text = event.data[:MAX_LINE].replace("\r\n", "\n")
        screen.typed("".join(c if c.isprintable() else " " for c in text))

    @keys.add("enter")
    @keys.add("c-j")
    def entered(event: KeyPressEvent) -> None:
        if screen.is_tap():
            screen.changed()
        elif screen.buffer.text:
            screen.buffer.validate_and_handle()
        elif screen.panel is not None:
            _close(screen)
        elif not choose_end(screen, ENTER) and not press(screen, ENTER) and screen.notice:
            screen.reply("")

    @keys.add("backspace", filter=is_empty)
    @keys.add("c-h", filter=is_empty)
    def undo_choice(event: KeyPressEvent) -> None:
        if screen.chooser is not None and screen.chooser.back():
            screen.changed()


def _pointing(keys: KeyBindings, screen: FullScreen) -> None:
    @keys.add(Keys.Vt100MouseEvent)
    def pointed(event: KeyPressEvent) -> None:
        """Pasted colour codes look like the mouse, too, so what is no report does nothing."""
        report = read(event.data) if screen.has_mouse else None
        if report is None:
            return
        if report.button == LEFT:
            click(screen, report.column, report.row)
        elif report.button in (UP, DOWN):
            screen.roll(ROLL if report.button == DOWN else -ROLL)

    @keys.add(Keys.CPRResponse)
    @keys.add(Keys.WindowsMouseEvent)
    @keys.add(Keys.ScrollUp)
    @keys.add(Keys.ScrollDown)
    def ignored(event: KeyPressEvent) -> None:
        """Nobody asked for these."""


def _moving(keys: KeyBindings, screen: FullScreen) -> None:
    is_empty = Condition(lambda: not screen.buffer.text)

    # Where a line is edited, a key right after Esc is one with Alt, as in every editor of lines. Elsewhere
    # there are no keys with Alt, so that Esc need not wait for a second key, nor takes it away.
    @keys.add("escape", filter=is_empty, eager=True)
    @keys.add("escape", filter=~is_empty)
    def back(event: KeyPressEvent) -> None:
        """What was begun last is left."""
        if screen.panel is not None:
            _close(screen)
        elif screen.buffer.text:
            screen.buffer.reset()
        elif screen.chooser is not None and screen.chooser.back():
            screen.changed()
        elif choose_end(screen, ESC):
            pass
        elif screen.notice or screen.scroll:
            screen.scroll = 0
            screen.reply("")

    @keys.add("c-c")
    @keys.add("<sigint>")
    def stop(event: KeyPressEvent) -> None:
        screen.stop()

    @keys.add("c-d", filter=is_empty)
    def end(event: KeyPressEvent) -> None:
        screen.end_of_input()

    @keys.add("c-l")
    def redraw(event: KeyPressEvent) -> None:
        event.app.renderer.clear()

    @keys.add("c-z")
    def suspend(event: KeyPressEvent) -> None:
        screen.stopping.suspend()


def _close(screen: FullScreen) -> None:
    screen.panel = None
    screen.changed()
