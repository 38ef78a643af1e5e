"""The end of a game: what its player may still do at the table, by one key or by a word, until it is left.

``cli.seats`` makes an ``Ending`` once the game is over and its record is written, lets others ``add`` what
they offer (such as a rematch), and waits for ``run``. Without a terminal, and where a bot plays, there is
none.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, runtime_checkable

from .boards.words import NotUnderstood, begun
from .console import IDLE, Console, Left
from .loop import first_of
from .speech.verbs import in_english, in_own_words
from .translation import gettext as _

if TYPE_CHECKING:
    from .story import Line

ENTER: Final = "enter"
ESCAPE: Final = "esc"
LEAVE: Final = "leave"
"""The word that leaves the table."""

LEAVE_KEY: Final = "q"
"""The key for it on the full screen. Enter and Esc are pressed without thinking, as answers to what stood
there a moment ago; they leave nothing."""

LEAVE_KEYS: Final = (LEAVE_KEY, "\u0459")
"""The second is the letter on that key of a Macedonian keyboard."""


@dataclass(frozen=True, slots=True)
class EndChoice:
    """One thing that may be done after a game: ``key`` chooses it on the full screen (one sign, ``ENTER`` or
    ``ESCAPE``), ``word`` is what is typed for it, in English, and ``label`` names it in a word or two;
    ``about`` says what it does, where the label does not."""

    key: str
    word: str
    label: str
    about: str = ""


Act: TypeAlias = Callable[[str], Awaitable[bool]]
"""Does what a choice says, given what was typed behind its word; whether the table is left by it."""


@runtime_checkable
class Offering(Protocol):
    """What a console has, besides, that shows the choices all the time and takes their keys."""

    suits: str
    """How suits are shown on it, for another screen in its place."""

    def offer(self, choices: Sequence[EndChoice]) -> None:
        """Show these choices; a key sends the word of one as a line. None: the table is left."""

    async def lend(self, use: Callable[[Any, Any], Awaitable[None]]) -> None:
        """Give the terminal to another screen until ``use`` is done, which gets prompt_toolkit's input and
        output."""


class Afterwards(Protocol):
    """What the screen of a game that is over still does."""

    async def obey(self, line: str) -> None:
        """A line that is no choice, such as chat, or a question about the game. Raises ``NotUnderstood`` and
        ``Left``."""

    async def listen_on(self) -> None:
        """Tell what the others say, for ever."""

    def reply(self, text: str) -> None:
        """Say something to the line that was typed last."""

    def tell(self, lines: Iterable[Line]) -> None:
        """Lines that belong to the story of the game."""

    def page(self, title: str, lines: Sequence[str]) -> None:
        """Something to read that was asked for."""


def stays(console: Console, auto: str) -> bool:
    """Whether somebody is there who can choose: not where lines come from a pipe or go into one, nor where a
    bot plays (``auto``)."""
    return console.is_interactive and console.prompt_is_shown and not auto


class Ending:
    """What may be done after one game, and doing it."""

    def __init__(self, console: Console, screen: Afterwards) -> None:
        self.console: Final = console
        self.screen: Final = screen
        self._acts: dict[EndChoice, Act] = {}
        self._is_asking = False
        self._finished = asyncio.Event()
        self.is_left = False
        """Whether the player has left the table, or the input has ended: that counts more than ``finish``."""

    def add(self, choice: EndChoice, act: Act) -> None:
        """Offer something more, at once where the choices are shown already. One key and one word belong to
        one choice: what had them is replaced."""
        self._acts = {
            each: done
            for each, done in self._acts.items()
            if choice.word != each.word and choice.key != each.key
        }
        self._acts[choice] = act
        self._show()

    def remove(self, word: str) -> None:
        """Offer something no more."""
        self._acts = {each: act for each, act in self._acts.items() if each.word != word}
        self._show()

    def finish(self) -> None:
        """The table is left as soon as nothing else is being done: nobody is taken out of a replay."""
        self._finished.set()

    def choose(self, word: str) -> None:
        """Do something as if its word had been typed."""
        self.console.put(word)

    @property
    def choices(self) -> tuple[EndChoice, ...]:
        """What is offered, in the order of the keys; to leave is the last."""
        found = sorted(self._acts, key=lambda choice: choice.key)
        return (*found, EndChoice(LEAVE_KEY, LEAVE, _("leave the table")))

    async def run(self) -> None:
        """Until the player leaves the table, or the input ends."""
        words = self.console.words
        self._is_asking = True
        self._show()
        if not isinstance(self.console, Offering):
            self.console.write("\n".join(self.lines()))
        try:
            await first_of(self._obey_lines(), self.screen.listen_on())
        finally:
            self._is_asking = False
            self.console.words = words
            if isinstance(self.console, Offering):
                self.console.offer(())

    async def ask(self, question: str, usual: str) -> str | None:
        """A line that an act needs; ``usual`` where Enter alone is pressed, ``None`` where it is called
        off."""
        back = EndChoice(ESCAPE, "back", _("back"))
        self._offer((EndChoice(ENTER, "", usual), back))
        if isinstance(self.console, Offering):
            self.screen.reply(question)
        else:
            text = _("Enter alone: {usual}; {back}: not at all")
            self.console.write(text.format(usual=usual, back=in_own_words(back.word)))
            self.console.prompt = f"{question}> "
        try:
            line = await self.console.read()
        finally:
            self._show()
        if line is None or in_english(line.strip()) == back.word:
            return None
        return line.strip() or usual

    def lines(self) -> tuple[str, ...]:
        """The choices where they do not stand on the screen."""
        width = max(len(in_own_words(choice.word)) for choice in self.choices)
        named = ((in_own_words(choice.word), choice.about or choice.label) for choice in self.choices)
        rows = (f"  {word:{width}}  {about}" for word, about in named)
        return (_("The game is over. What now?"), *rows)

    # --- one line after the other -------------------------------------------------------------------

    async def _obey_lines(self) -> None:
        while True:
            read = await first_of(self._read(), self._finish())
            if not read:
                return
            (line,) = read
            try:
                if line is not None and not await self._obey(line):
                    continue
                self.is_left |= line is None
            except Left:
                self.is_left = True
            return

    async def _read(self) -> tuple[str | None, ...]:
        return (await self.console.read(),)

    async def _finish(self) -> tuple[str | None, ...]:
        await self._finished.wait()
        return ()

    async def _obey(self, line: str) -> bool:
        """Whether the table is left."""
        first, _space, rest = line.strip().partition(" ")
        if not first:
            return False
        choice = self._chosen(first)
        if choice is None:
            await self._obey_other(line)
            return False
        if choice.word == LEAVE:
            self.is_left = True
            return True
        is_left = await self._acts[choice](rest.strip())
        self._show()
        return is_left

    async def _obey_other(self, line: str) -> None:
        if in_english(line.strip()).casefold() in ("help", "?"):
            self.screen.page("help", self.lines())
            return
        try:
            await self.screen.obey(line)
        except NotUnderstood as problem:
            self.screen.reply(str(problem))

    def _chosen(self, word: str) -> EndChoice | None:
        """The choice of a key, of a word, or of the beginning of one word."""
        by_key = [choice for choice in self.choices if choice.key == word]
        by_word = [choice for choice in self.choices if choice.word == in_english(word)]
        for words in ([choice.word for choice in self.choices], self._own_words()):
            found = begun(word, words)
            by_word += [choice for choice, each in zip(self.choices, words, strict=True) if found == [each]]
        return next(iter((*by_key, *by_word)), None)

    def _show(self) -> None:
        if self._is_asking:
            self._offer(self.choices)
            self.console.prompt = IDLE
            self.console.words = self._words

    def _own_words(self) -> list[str]:
        return [in_own_words(choice.word) for choice in self.choices]

    def _words(self) -> list[str]:
        return list(dict.fromkeys([*self._own_words(), *(choice.word for choice in self.choices)]))

    def _offer(self, choices: Sequence[EndChoice]) -> None:
        if isinstance(self.console, Offering):
            self.console.offer(choices)


__all__ = [
    "ENTER",
    "ESCAPE",
    "LEAVE",
    "LEAVE_KEYS",
    "Act",
    "Afterwards",
    "EndChoice",
    "Ending",
    "Offering",
    "stays",
]
