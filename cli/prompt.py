"""A prompt with editing, history and completion. Output appears above it."""

from __future__ import annotations

import asyncio
import contextlib
import string
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from typing import Final, Protocol

import click
from prompt_toolkit import PromptSession
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.patch_stdout import patch_stdout

from .console import IDLE, TapFilter, fitted, interrupt
from .typed import MAX_LINE, LineQueue

LONGEST_ID: Final = 70
"""Characters of what a reader may have typed: the id of a UHF tag has 24, the longest there is 62."""

PAUSE: Final = 0.25
"""Seconds between two keys that do not belong to one burst. A reader takes up to 0.02 s; the rest is for a
machine that stalls."""

STRAY: Final = 2
"""Keys of a person that may have come between the keys of a reader without a pause."""

CUT_AFTER: Final = 0.6
"""Seconds after which the end of a burst will not come any more."""

CUT_KEYS: Final = 6
CUT_PACE: Final = 0.05
"""So many digits, each within so many seconds, are typed by readers only."""

_OF_IDS: Final = frozenset(string.hexdigits + ",")


class Burst:
    """The keys typed last, with their times: a reader that poses as a keyboard is told by its speed."""

    def __init__(self) -> None:
        self._keys: deque[tuple[str, float]] = deque(maxlen=LONGEST_ID + STRAY)

    def key(self, text: str, now: float) -> None:
        """One more key."""
        if self._keys and now - self._keys[-1][1] > PAUSE:
            self._keys.clear()
        self._keys.append((text, now))

    def clear(self) -> None:
        """What was typed has been dealt with, or was edited."""
        self._keys.clear()

    def endings(self, now: float) -> Iterable[tuple[str, float]]:
        """What a reader may have typed at the end, and how long it took until now; a person's last keys may
        stand before it."""
        keys = list(self._keys)
        start = len(keys)
        while start and len(keys[start - 1][0]) == 1 and keys[start - 1][0] in _OF_IDS:
            start -= 1
        for first in range(start, min(start + STRAY + 1, len(keys))):
            yield "".join(text for text, _at in keys[first:]), now - keys[first][1]

    def cut(self) -> str:
        """Digits at the end that only a reader types so fast; empty where there are none."""
        for text, seconds in self.endings(self._keys[-1][1] if self._keys else 0.0):
            is_fast = seconds <= CUT_PACE * len(text)
            if len(text) >= CUT_KEYS and is_fast and any(key.isdecimal() for key in text):
                return text
        return ""


class PromptConsole:
    """See ``console.Console``. The history lasts as long as the program: it may hold talk."""

    def __init__(self) -> None:
        self.is_interactive = True
        self.prompt_is_shown = True
        self._prompt = IDLE
        self.words: Callable[[], Iterable[str]] = tuple
        self._lines = LineQueue()
        self._failure: Exception | None = None
        self.taps: TapFilter | None = None
        self._burst = Burst()
        self._cut_timer: asyncio.TimerHandle | None = None
        self._private: tuple[str, ...] = ()
        self._session: PromptSession[str] = PromptSession(
            lambda: self.prompt, completer=WholeLines(self), complete_while_typing=False,
            key_bindings=self._keys(), bottom_toolbar=self._toolbar,
        )  # fmt: skip
        self._session.default_buffer.on_text_changed += _cut

    @property
    def prompt(self) -> str:
        """See ``Console.prompt``."""
        return self._prompt

    @prompt.setter
    def prompt(self, text: str) -> None:
        if text != self._prompt:
            self._prompt = text
            self._session.app.invalidate()

    def write(self, text: str) -> None:
        """See ``Console.write``."""
        click.echo(fitted(text))

    def put(self, line: str) -> None:
        """See ``Console.put``."""
        self._lines.put(line)

    def private(self, lines: Sequence[str]) -> bool:
        """See ``Console.private``: below the prompt, where nothing scrolls away."""
        self._private = tuple(lines)
        self._session.app.invalidate()
        return True

    def _toolbar(self) -> str | None:
        return "\n".join(self._private) or None

    async def read(self) -> str | None:
        """See ``Console.read``."""
        line = await self._lines.get()
        if line is None and self._failure is not None:
            raise self._failure
        return line

    async def run(self) -> None:
        """Read lines until the input ends. What breaks the prompt is raised where the next line is read."""
        try:
            await self._read_lines()
        except Exception as error:  # noqa: BLE001  # nobody waits for this task, and nobody could type any more
            self._failure = error
            self._lines.put(None)

    async def _read_lines(self) -> None:
        while True:
            try:
                # SIGINT stays with the program; as a key Ctrl-C arrives as KeyboardInterrupt.
                line = await self._session.prompt_async(handle_sigint=False)
            except EOFError:
                self._lines.put(None)
                return
            except KeyboardInterrupt:
                interrupt()
                return
            self._lines.put(line)

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()
        looks = Condition(lambda: self.taps is not None)

        @keys.add(Keys.Vt100MouseEvent)
        def ignore(event: KeyPressEvent) -> None:
            """A pasted colour code looks like the mouse to the library, which breaks on it; nothing here
            listens to a mouse."""

        @keys.add(Keys.Any, filter=looks)
        def typed(event: KeyPressEvent) -> None:
            event.current_buffer.insert_text(event.data * event.arg)
            self._burst.key(event.data, time.monotonic())
            self._await_end()

        @keys.add("enter", filter=looks)
        def entered(event: KeyPressEvent) -> None:
            if not self._take_tap(event.current_buffer):
                event.current_buffer.validate_and_handle()

        return keys

    def _take_tap(self, buffer: Buffer) -> bool:
        """Whether what was typed last was a tag; then the line is as the person left it."""
        endings = list(self._burst.endings(time.monotonic()))
        self._burst.clear()
        for text, seconds in endings:
            is_there = buffer.document.text_before_cursor.endswith(text)
            rest = self.taps.taken(text, seconds) if is_there and self.taps is not None else None
            if rest is not None:
                buffer.delete_before_cursor(len(text) - len(rest))
                return True
        return False

    def _await_end(self) -> None:
        if self._cut_timer is not None:
            self._cut_timer.cancel()
        self._cut_timer = asyncio.get_running_loop().call_later(CUT_AFTER, self._take_cut)

    def _take_cut(self) -> None:
        """A reader was interrupted: its digits are no part of what a person types."""
        text, buffer = self._burst.cut(), self._session.default_buffer
        if text and self.taps is not None and buffer.document.text_before_cursor.endswith(text):
            self._burst.clear()
            buffer.delete_before_cursor(len(text))
            self._session.app.invalidate()
            self.taps.cut(text)

    def leave(self) -> None:
        """Take the prompt off the screen when it ends: the last lines come after it."""
        self._session.app.erase_when_done = True


def _cut(buffer: Buffer) -> None:
    """Each key lays the whole line out anew, so that a pasted book would stop the game for minutes."""
    if len(buffer.text) > MAX_LINE:
        buffer.document = Document(buffer.text[:MAX_LINE])


class Worded(Protocol):
    """Who knows the lines that are possible."""

    words: Callable[[], Iterable[str]]


class WholeLines(Completer):
    """Completes the next word of the lines that are possible now."""

    def __init__(self, console: Worded) -> None:
        self._console = console

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """The words that may follow what stands before the cursor."""
        typed = document.text_before_cursor
        head, _space, begun = typed.rpartition(" ")
        start = f"{head} " if _space else ""
        seen = set()
        for line in self._console.words():
            if not line.casefold().startswith(start.casefold()):
                continue
            word = line[len(start) :].partition(" ")[0]
            if word and word not in seen and word.casefold().startswith(begun.casefold()):
                seen.add(word)
                yield Completion(word, start_position=-len(begun))


@contextlib.asynccontextmanager
async def open_prompt() -> AsyncIterator[PromptConsole]:
    """A prompt at the bottom of the terminal for as long as the block runs."""
    with patch_stdout():
        console = PromptConsole()
        task = asyncio.create_task(console.run())
        try:
            yield console
        finally:
            console.leave()
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
