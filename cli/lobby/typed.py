"""The lobby in plain lines: all that the full screen has, by typed words. For screen readers, for terminals
without control codes, and for who likes it.

A line is a figure, a word of this lobby, or the rest of any command of Shoal. Tables are told when they
appear and when they go.
"""

from __future__ import annotations

import asyncio
import shlex
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import click

from ..console import Console, open_console
from ..errors import FINE, Failure
from ..language import N_, said
from ..loop import run_async, was_told_to_end
from ..options import ScreenChoice, Settings
from ..speech.verbs import in_english, in_own_words
from ..text import printable
from ..translation import gettext as _
from . import tables
from .facts import Machine
from .state import Facts
from .tables import Host, Row
from .typed_form import EndOfInput, fill

if TYPE_CHECKING:
    from p2p.io.mdns import Advert, Browser

LOOK: Final = 1.0
"""Seconds between looks at whether tables can still be found: soon enough to be told."""

WORDS: Final = {
    "tables": N_("the tables on this network; a figure sits down at one"),
    "continue": N_("go on with a game that was paused or cut off; continue 2 takes the second"),
    "practice": N_("practice against bots: choose the game, then its options"),
    "host": N_("open a table: choose the game, then its options"),
    "join": N_("join a table by its address or its host's name: join 192.168.1.20:7467"),
    "games": N_("games that were finished here; replay 1 steps through the first"),
    "settings": N_("your settings and where each comes from"),
    "set": N_("change a setting: set name Ann"),
    "unset": N_("take a setting out of the file: unset name"),
    "rules": N_("the rules of a game: rules go-fish"),
    "help": N_("this list"),
    "quit": N_("leave"),
}
"""What can be typed, besides the commands of the program."""

SYNONYMS: Final = {
    "": "tables", "?": "help", "h": "host", "c": "continue", "resume": "continue", "p": "practice",
    "play": "practice", "s": "settings", "config": "settings", "r": "rules", "q": "quit", "exit": "quit",
    "t": "tables", "g": "games",
}  # fmt: skip


class Left(Exception):
    """The player leaves the lobby."""


def run_typed(ctx: click.Context, run: Callable[[list[str]], int], is_plain: bool) -> int:
    """The lobby in lines until its player leaves; the exit code."""
    settings = ctx.ensure_object(Settings)
    is_first = True
    while True:
        words = run_async(_stay(ctx, settings, is_plain, is_first))
        if words is None:
            return FINE
        code = run([*settings.args, *words])
        if was_told_to_end():
            return code
        is_first = False


async def _stay(
    ctx: click.Context, settings: Settings, is_plain: bool, is_first: bool
) -> tuple[str, ...] | None:
    async with open_console(is_plain, ScreenChoice(lines=True)) as console:
        console.words = lambda: dict.fromkeys([*map(in_own_words, WORDS), *WORDS])
        lobby = TypedLobby(console, Machine(ctx, settings.args))
        looking = asyncio.create_task(lobby.look())
        try:
            return await lobby.talk(is_first)
        except Left:
            return None
        finally:
            looking.cancel()
            await asyncio.gather(looking, return_exceptions=True)


class TypedLobby:
    """One stay."""

    def __init__(self, console: Console, machine: Machine) -> None:
        self._console = console
        self._machine = machine
        self._facts: Facts | None = None
        self._rows: tuple[Row, ...] = ()
        self._browser: Browser | None = None
        self._trouble = ""

    # --- the network ----------------------------------------------------------------------------------

    async def look(self) -> None:
        """Keep the list of tables, until cancelled."""
        from .shell import AGAIN, browser_class  # behind the first lines

        found = await asyncio.to_thread(browser_class)
        try:
            while True:
                self._browser = found(self._heard)
                while self._browser.reason is None:  # noqa: ASYNC110  # it has no event for that
                    await asyncio.sleep(LOOK)
                if not self._trouble:
                    self._trouble = said(self._browser.reason)
                    self._console.write(self._trouble)
                await asyncio.sleep(AGAIN)
                await self._browser.close()
        finally:
            if self._browser is not None:
                await self._browser.close()

    def _heard(self, adverts: tuple[Advert, ...]) -> None:
        if self._facts is None:
            return
        before = {row.table.instance: row for row in self._rows if row.gone is None}
        self._rows = tables.updated(self._rows, self._machine.tables(adverts), time.monotonic())
        for row in self._rows:
            old = before.pop(row.table.instance, None)
            if row.gone is not None and old is not None:
                text = _("Table {n} has gone: {about}.")
                self._console.write(text.format(n=row.figure, about=_about(row, is_short=True)))
            elif row.gone is None and (old is None or old.table.is_full != row.table.is_full):
                self._console.write(_line(row))

    def _catch_up(self) -> None:
        if self._browser is not None:
            self._heard(self._browser.adverts)

    # --- talking ----------------------------------------------------------------------------------------

    async def talk(self, is_first: bool) -> tuple[str, ...]:
        """The command that is chosen in the end. Raises ``Left``."""
        await self._learn()
        assert self._facts is not None
        if not self._facts.name:
            await self._ask_name(self._facts.offered_name)
        if is_first:
            text = _("Shoal, the lobby. You are {name}. Type help for what can be typed.")
            self._console.write(text.format(name=self._facts.name))
        else:
            self._console.write(_("You are in the lobby again. Type help for what can be typed."))
        self._show_paused()
        self._catch_up()
        while True:
            words = await self._obey(await self._read())
            if words:
                return words

    async def _learn(self) -> None:
        self._facts = await asyncio.to_thread(self._machine.read)

    async def _read(self) -> str:
        line = await self._console.read()
        if line is None:
            raise Left
        return line.strip()

    async def _ask_name(self, offered: str) -> None:
        self._console.write(
            _("Welcome. What is your name at the table? Enter alone takes {name}.").format(name=offered)
        )
        while True:
            name = await self._read() or offered
            try:
                await asyncio.to_thread(self._machine.keep_name, name)
            except Failure as failure:
                self._console.write(failure.message)
            else:
                await self._learn()
                return

    async def _obey(self, line: str) -> tuple[str, ...]:
        """What a line means: a command to run, or nothing where it was dealt with."""
        try:
            typed = shlex.split(line)
        except ValueError:
            self._console.write(_("A quotation mark is missing."))
            return ()
        typed[:1] = [in_english(word) for word in typed[:1]]
        word = SYNONYMS.get(typed[0].casefold(), typed[0].casefold()) if typed else "tables"
        rest = typed[1:]
        if word.isascii() and word.isdecimal() and not rest:
            return self._sit_down(int(word[:4]))
        match word:
            case "quit":
                raise Left
            case "help":
                self._help()
            case "tables":
                self._show_tables()
            case "continue":
                return self._go_on(rest)
            case "games" | "replay" if not rest or rest[0].isdecimal():
                return self._replay(rest)
            case "practice" | "host":
                return await self._fill("play" if word == "practice" else "host", rest)
            case "settings" if not rest:
                self._show_settings()
            case "set" | "unset":
                await self._set(word, rest)
            case "rules" if not rest:
                for one in self._known.games:
                    self._console.write(f"{one.id}: {one.title}. {one.summary}")
            case "rules" if rest[0] in self._known.rules:
                self._console.write(self._known.rules[rest[0]])
            case _:
                return self._other(typed)
        return ()

    @property
    def _known(self) -> Facts:
        assert self._facts is not None
        return self._facts

    def _other(self, typed: list[str]) -> tuple[str, ...]:
        """Any command of the program; ``settings path`` is its ``config path``."""
        from ..main import COMMANDS  # that module begins everything here

        if typed[0] in COMMANDS:
            return tuple(typed)
        self._console.write(
            _('"{word}" is no command; help lists them.').format(word=printable(typed[0], 20))
        )
        return ()

    def _help(self) -> None:
        own = {in_own_words(word): _(about) for word, about in WORDS.items()}
        size = max(map(len, own))
        for word, about in own.items():
            self._console.write(f"{word:{size}}  {about}")
        self._console.write(
            _("Any other command of Shoal, without its first word, can be typed as well: {command}").format(
                command="verify FILE"
            )
        )

    # --- tables and games -------------------------------------------------------------------------------

    def _show_tables(self) -> None:
        self._rows = tables.expired(self._rows, time.monotonic())
        there = [row for row in self._rows if row.gone is None]
        if not there:
            self._console.write(
                self._trouble or _("No table is open on this network. One that opens is told here by itself.")
            )
        for row in there:
            self._console.write(_line(row))

    def _sit_down(self, figure: int) -> tuple[str, ...]:
        row = next((row for row in self._rows if row.figure == figure and row.gone is None), None)
        if row is None:
            self._console.write(_("No table has the figure {n}.").format(n=figure))
        elif row.table.acquaintance is Host.OWN:
            self._console.write(_("That is your own table, opened by another window of yours."))
        elif row.table.own_game:
            return row.table.own_game
        elif row.table.is_full and row.table.is_watched:
            return ("watch", *row.table.addresses)
        elif row.table.is_full:
            self._console.write(_("Every seat of that table is taken."))
        else:
            return ("join", *row.table.addresses)
        return ()

    def _show_paused(self) -> None:
        for n, one in enumerate(self._known.paused, 1):
            text = _("Game {n} waits: {title} with {players}, left {when}. Type continue {n} to go on.")
            self._console.write(text.format(n=n, title=one.title, players=one.players, when=one.when))

    def _go_on(self, rest: list[str]) -> tuple[str, ...]:
        kept = self._known.paused
        if rest and not rest[0].isdecimal():
            return ("resume", *rest)
        number = int(rest[0][:4]) if rest else 1
        if not kept:
            self._console.write(_("No game waits to go on."))
        elif (not rest and len(kept) > 1) or not 1 <= number <= len(kept):
            self._console.write(_("Which one? Type its number."))
            self._show_paused()
        else:
            return kept[number - 1].words
        return ()

    def _replay(self, rest: list[str]) -> tuple[str, ...]:
        kept = self._known.finished
        if rest and 1 <= int(rest[0][:4]) <= len(kept):
            return kept[int(rest[0][:4]) - 1].words
        if not kept:
            self._console.write(_("No game has been finished here yet."))
        for n, one in enumerate(kept, 1):
            text = _("{n}: {title} with {players}, {when}")
            self._console.write(text.format(n=n, title=one.title, players=one.players, when=one.when))
        return ()

    async def _fill(self, command: str, rest: list[str]) -> tuple[str, ...]:
        """Choose the game, then its options; a whole command line is taken as it is."""
        if len(rest) > 1:
            return (command, *rest)
        try:
            return await fill(self._console, self._known, command, rest[0] if rest else "")
        except EndOfInput:
            raise Left from None
        finally:
            self._console.words = lambda: WORDS

    # --- settings ---------------------------------------------------------------------------------------

    def _show_settings(self) -> None:
        self._console.write(_("File: {path}").format(path=self._known.file))
        for one in self._known.settings:
            name = f"[{one.table}] {one.key}" if one.table else one.key
            self._console.write(
                _("{name} is {value} ({where}). {about}").format(
                    name=name, value=one.shown, where=one.where, about=one.about
                )
            )

    async def _set(self, word: str, rest: list[str]) -> None:
        if not rest or (word == "set" and len(rest) < 2):
            self._console.write(
                _("Type it like this: {sample}").format(
                    sample="set name Ann" if word == "set" else "unset name"
                )
            )
            return
        value = " ".join(rest[1:]) if word == "set" else None
        try:
            told = await asyncio.to_thread(self._machine.write, "", rest[0], value)
        except Failure as failure:
            self._console.write(failure.message)
            return
        self._console.write(told)
        await self._learn()


def _about(row: Row, is_short: bool = False) -> str:
    table = row.table
    text = _("{host}'s table of {title}").format(host=table.host, title=table.title)
    if is_short:
        return text
    seats = _("{taken} of {seats} seats taken").format(taken=table.taken, seats=table.seats)
    known = {
        Host.KNOWN: _("a player you have met, by what it says"),
        Host.OTHER_KEY: _("WARNING: not the key of the player you know by that name"),
        Host.OWN: _("your own"),
        Host.STRANGER: _("not met yet"),
    }[table.acquaintance]
    return f"{text}, {seats}, {known}"


def _line(row: Row) -> str:
    """A table in one line, with what to type."""
    if row.table.own_game:
        text = _("Table {n}: {about}. Type {n} to go on with your game there.")
        return text.format(n=row.figure, about=_about(row))
    if row.table.is_full and row.table.is_watched:
        text = _("Table {n}: {about}. Type {n} to look on.")
        if row.table.needs_friend:
            text = _("Table {n}: {about}. Type {n} to look on if a player there knows you.")
        return text.format(n=row.figure, about=_about(row))
    if row.table.is_full or row.table.acquaintance is Host.OWN:
        return _("Table {n}: {about}.").format(n=row.figure, about=_about(row))
    return _("Table {n}: {about}. Type {n} to sit down.").format(n=row.figure, about=_about(row))
