"""Where lines come from and go to: a prompt with editing on a terminal, bare lines everywhere else.

Ctrl-C, wherever it is noticed, becomes SIGINT, which cancels the running command (``asyncio.Runner``).
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shutil
import signal
import sys
import textwrap
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final, Protocol, runtime_checkable

import click

from .encoding import READABLE
from .options import ScreenChoice
from .program import call
from .translation import gettext as _
from .typed import LineQueue, StandardInput

if TYPE_CHECKING:
    from .story import Line
    from .text import Glyphs
    from .tui.scene import Scene

NARROWEST = 20
"""Columns below which nothing is broken between words any more: every word would stand alone."""


IDLE = "> "
"""The prompt where nothing is asked."""


QUIET = 0.3
QUIET_IDLE = 2.0
"""Seconds without output after which bare lines on a terminal end in a prompt: lines that come in one go are
not torn apart by prompts, and where nothing is asked other players' turns are not, either."""


class Left(Exception):  # no error: the player leaves, and the game waits
    """The player typed ``quit``, or the input ended."""


class TapFilter(Protocol):
    """Finds tags in what is typed: some readers pose as a keyboard."""

    @property
    def takes_figures(self) -> bool:
        """Whether figures may be the beginning of a tag, so that none is a choice."""

    @property
    def may_hear(self) -> bool:
        """Whether tags may come otherwise than in what is typed. Where that changes, ``taps`` is set anew."""

    def taken(self, text: str, seconds: float | None) -> str | None:
        """What a person typed of a text, which a tag's id ends; ``None`` where no tag does.

        The tag is dealt with. ``seconds`` is how long the typing took, where that is known.
        """

    def cut(self, text: str) -> None:
        """Something was typed as only a reader does it, and its end never came."""


class Console(Protocol):
    """Lines in, lines out."""

    is_interactive: bool
    """Whether a person can be asked."""
    prompt: str
    """What stands before the cursor, where ``prompt_is_shown``."""
    prompt_is_shown: bool
    """Whether this console draws a prompt."""
    words: Callable[[], Iterable[str]]
    """Whole lines that might be meant now, for completion."""
    taps: TapFilter | None
    """Who looks for tags in what is typed."""

    def put(self, line: str) -> None:
        """A line as if it had been typed."""

    def private(self, lines: Sequence[str]) -> bool:
        """Show lines that leave nothing behind when they are replaced, by none in the end. False where this
        console cannot."""

    def write(self, text: str) -> None:
        """One line, or several."""

    async def read(self) -> str | None:
        """The next line; ``None`` at the end of the input."""


@runtime_checkable
class Canvas(Protocol):
    """What a console has, besides, that shows the whole table all the time."""

    glyphs: Glyphs
    """How cards are written on it."""

    def tell(self, lines: Sequence[Line]) -> None:
        """Lines of the game's story."""

    def show(self, scene: Scene) -> None:
        """The table as it is now."""

    def reply(self, text: str, stays: bool = False) -> None:
        """What to say to the line that was typed last, until what it speaks of has changed; ``stays``: until
        the next line."""

    def page(self, title: str, lines: Sequence[str]) -> None:
        """Something to read that was asked for."""

    def ended(self) -> None:
        """The game is over for this screen, or its player leaves: what is written now has to stay."""


@contextlib.asynccontextmanager
async def open_console(plain: bool, screen: ScreenChoice | None = None) -> AsyncIterator[Console]:
    """The console that fits: on a capable terminal the full screen, or (``screen.lines``, or without
    ``screen``) a prompt with editing; else bare lines without any control codes."""
    opened = None
    try:
        if not plain and is_capable():
            opened = _rich(screen)
        elif not plain and _is_git_bash():
            click.echo(_no_screen(), err=True)  # what is read may be piped on to another program
    except Exception as error:
        if type(error).__name__ != "NoConsoleScreenBufferError":  # its class is there on Windows alone
            raise
        click.echo(_no_screen())
    if opened is not None:
        async with opened as console:
            yield console
        return
    bare = BareConsole()
    try:
        yield bare
    finally:
        bare.leave()


def _no_screen() -> str:
    return _("This window cannot show a full screen, as in Git Bash; plain lines are used instead.")


def _rich(screen: ScreenChoice | None) -> contextlib.AbstractAsyncContextManager[Console]:
    """Raises ``NoConsoleScreenBufferError`` in a window that is no Windows console."""
    from prompt_toolkit.output import create_output  # pipes need not wait for these

    create_output(stdout=sys.stdout)
    if screen is None or screen.lines:
        from .prompt import open_prompt  # it imports prompt_toolkit, as above

        return open_prompt()
    from .tui.opening import open_screen  # the same

    return open_screen(screen.suits, screen.has_bell, screen.has_mouse)


def is_capable() -> bool:
    """Whether the terminal understands control codes."""
    # A console of Windows, and Windows Terminal, set no TERM; prompt_toolkit asks the system about them.
    term = os.environ.get("TERM", "windows" if sys.platform == "win32" else "dumb")
    return sys.stdin.isatty() and sys.stdout.isatty() and term not in ("", "dumb")


def _is_git_bash() -> bool:
    """Whether this is the window of Git Bash on Windows, whose streams are pipes to a program of Windows."""
    is_piped = not sys.stdin.isatty() and not sys.stdout.isatty()
    return sys.platform == "win32" and bool(os.environ.get("MSYSTEM")) and is_piped


class BareConsole:
    """Bare lines: for pipes, screen readers and dumb terminals. On a terminal a prompt stands at the end of
    what was written; it is text and no more."""

    def __init__(self) -> None:
        self.is_interactive = sys.stdin.isatty()
        self.prompt_is_shown = self.is_interactive and sys.stdout.isatty()
        self._prompt = IDLE
        self._has_prompt = False
        self._timer: asyncio.TimerHandle | None = None
        self.words: Callable[[], Iterable[str]] = tuple
        self._lines = LineQueue()
        self._stdin: StandardInput | None = None
        self._taps: TapFilter | None = None
        self._begun = ""

    def put(self, line: str) -> None:
        """See ``Console.put``."""
        self._lines.put(line)

    @property
    def taps(self) -> TapFilter | None:
        """See ``Console.taps``."""
        return self._taps

    @taps.setter
    def taps(self, found: TapFilter | None) -> None:
        self._taps = found
        self._lines.look_again()

    def private(self, lines: Sequence[str]) -> bool:
        """See ``Console.private``. What was written here stays."""
        return not lines

    def write(self, text: str) -> None:
        """See ``Console.write``."""
        if self._has_prompt:
            self._has_prompt = False
            click.echo("")
        click.echo(fitted(text) if sys.stdout.isatty() else text)
        self._prompt_soon()

    @property
    def prompt(self) -> str:
        """See ``Console.prompt``."""
        return self._prompt

    @prompt.setter
    def prompt(self, text: str) -> None:
        self._prompt = text
        if not self._has_prompt:
            self._prompt_soon()

    def leave(self) -> None:
        """End the line of the prompt: what comes now stands below it. Lines that nobody has read are for the
        next console of this process."""
        if self._timer is not None:
            self._timer.cancel()
        if self._stdin is not None:
            self._stdin.leave(self._lines.unread())
        if self._has_prompt:
            click.echo("")
        self.prompt_is_shown = self._has_prompt = False

    def _prompt_soon(self) -> None:
        if not self.prompt_is_shown:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(
            QUIET_IDLE if self._prompt == IDLE else QUIET, self._show_prompt
        )

    def _show_prompt(self) -> None:
        if self._stdin is not None and not self._has_prompt:
            self._has_prompt = True
            click.echo(self._prompt + self._begun, nl=False)

    def _take(self, line: str | None) -> None:
        """A typed line, or the end."""
        (self._lines.put if line is None else self._lines.put_typed)(line)

    def _waits(self) -> bool:
        """Where no person can type, tags go on when the input has ended."""
        return self.taps is not None and self.taps.may_hear and not self.is_interactive

    async def read(self) -> str | None:
        """See ``Console.read``."""
        if self._stdin is None:
            self._stdin = StandardInput.of_process()
            self._stdin.listen(asyncio.get_running_loop(), self._take)
        while True:
            self._prompt_soon()
            line, is_typed = await self._lines.get_with_origin(self._waits)
            if is_typed:
                self._has_prompt = False  # the Enter key has ended its line
                self._stdin.took_one()
            if line is None or not is_typed:
                return line
            rest = self.taps.taken(line, None) if self.taps is not None else None
            if rest is None:
                line, self._begun = self._begun + line, ""
                return line
            # Somebody was typing when a reader typed, too; the terminal has no way to give that back.
            self._begun += rest


def fitted(text: str) -> str:
    """Text whose long lines are broken between words for this terminal; long words stay whole.

    Signs that the encoding of the output lacks are replaced first: they may be longer then.
    """
    columns = shutil.get_terminal_size().columns
    with contextlib.suppress(LookupError):  # outside of the program nothing has registered the handler
        encoding = sys.stdout.encoding or "ascii"
        text = text.encode(encoding, READABLE).decode(encoding)
    return "\n".join(_broken(line, columns - 1) for line in text.split("\n"))


_EXPLAINED: Final = re.compile(r" *[a-zа-шѓѕјљњќџ]+ {2,}(?=[^ ]+( [^ ]+)*$)")
"""The head of a line that is one word, some spaces, and words that stand no further apart."""


def _broken(line: str, width: int) -> str:
    if len(line) <= width or width < NARROWEST:
        return line
    indent = " " * (len(line) - len(line.lstrip()))
    head, command, words = line.partition(call(""))
    if words:  # a command stays in one piece, for pasting
        return "\n".join(
            [*([_broken(head.rstrip(), width)] if head.strip() else []), f"    {command}{words}"]
        )
    explained = _EXPLAINED.match(line)
    if explained and explained.end() <= width // 2:  # a word of a list, and what it means
        return textwrap.fill(
            line, width, subsequent_indent=" " * explained.end(), break_long_words=False,
            break_on_hyphens=False, replace_whitespace=False,
        )  # fmt: skip
    return "\n".join(
        each
        for part in _between_groups(line, width)
        for each in textwrap.wrap(
            part, width, initial_indent="", subsequent_indent=indent, break_long_words=False,
            break_on_hyphens=False, replace_whitespace=False, drop_whitespace=True,
        )
    )  # fmt: skip


def _between_groups(line: str, width: int) -> list[str]:
    """A line broken where groups, such as cards, stand apart by several spaces; groups stay whole."""
    indent = " " * (len(line) - len(line.lstrip()))
    pieces = re.split(r"( {2,})", line.strip())
    lines = [indent + pieces[0]]
    for space, group in zip(pieces[1::2], pieces[2::2], strict=True):
        if len(lines[-1] + space + group) <= width:
            lines[-1] += space + group
        else:
            lines.append(indent + group)
    return lines


def interrupt() -> None:
    """What Ctrl-C does, where a terminal in raw mode hands it over as a key."""
    signal.raise_signal(signal.SIGINT)
