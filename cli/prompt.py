"""A prompt with editing, history and completion. Output appears above it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterable

import click
from prompt_toolkit import PromptSession
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.patch_stdout import patch_stdout

from .console import IDLE, MAX_LINE, LineQueue, fitted, interrupt


class PromptConsole:
    """See ``console.Console``. The history lasts as long as the program: it may hold talk."""

    def __init__(self) -> None:
        self.is_interactive = True
        self.prompt_is_shown = True
        self._prompt = IDLE
        self.words: Callable[[], Iterable[str]] = tuple
        self._lines = LineQueue()
        self._failure: Exception | None = None
        self._session: PromptSession[str] = PromptSession(
            lambda: self.prompt, completer=_WholeLines(self), complete_while_typing=False,
            key_bindings=_keys(),
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

    def leave(self) -> None:
        """Take the prompt off the screen when it ends: the last lines come after it."""
        self._session.app.erase_when_done = True


def _keys() -> KeyBindings:
    """A pasted colour code looks like the mouse to the library, which breaks on it; nothing here listens to a
    mouse."""
    keys = KeyBindings()

    @keys.add(Keys.Vt100MouseEvent)
    def ignore(event: KeyPressEvent) -> None:
        pass

    return keys


def _cut(buffer: Buffer) -> None:
    """Each key lays the whole line out anew, so that a pasted book would stop the game for minutes."""
    if len(buffer.text) > MAX_LINE:
        buffer.document = Document(buffer.text[:MAX_LINE])


class _WholeLines(Completer):
    """Completes the next word of the lines that are possible now."""

    def __init__(self, console: PromptConsole) -> None:
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
