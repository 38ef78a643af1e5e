"""The host's waiting room: what is seen, what is typed, and when the game begins."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, NoReturn

from p2p.io.lobby import Hosting
from p2p.link import KnownPlayer
from p2p.session.setup import Roster, SetupError

from ..boards import find_seat
from ..console import Console, Left
from ..door import Door
from ..known import seats_line
from ..language import said, said_of
from ..program import call
from ..text import duration, joined
from ..translation import gettext as _
from ..translation import ngettext
from .common import WaitingRoom
from .gathering import Gathering
from .lines import Typed, completions, help_lines, read, shown
from .room import REMOVE, Question, Room

COMING: Final = 10.0
"""Seconds after which who wanted another game is not on the way any more: a program looks every third of a
second, and dials at once."""


@dataclass(frozen=True, slots=True)
class Table:
    """What the host opens. ``aside`` are lines about it; ``start_at`` is the number of seats at which it
    begins by itself; ``me`` the host's identity. ``bots`` is the folder of bots, and ``level`` theirs."""

    title: str
    addresses: tuple[str, ...]
    seats: int
    start_at: int
    me: bytes
    bots: Path
    level: str
    aside: tuple[str, ...] = ()
    is_here_only: bool = False


class HostRoom(WaitingRoom):
    """The host's side of the waiting room."""

    def __init__(
        self,
        console: Console,
        known: Sequence[KnownPlayer],
        table: Table,
        *,
        is_open: bool = False,
        expected: frozenset[bytes] = frozenset(),
    ) -> None:
        """``known`` are the players met before; ``is_open`` and ``expected`` are those of ``Door``."""
        paste = tuple(f"{call('join')} {address}" for address in table.addresses)
        first = () if table.is_here_only else (call("join"),)
        room = Room(
            table.title,
            True,
            table.seats,
            table.start_at,
            paste=(*first, *paste),
            aside=table.aside,
            is_here_only=table.is_here_only,
        )
        super().__init__(console, known, table.me, room)
        self.door = Door(console, known, is_open, on_question=self._on_question, expected=expected)
        self._table = table
        self._hosting: Hosting | None = None
        self._gathering: Gathering | None = None
        self._announce: Callable[[Roster], None] = lambda _roster: None
        self._since = time.monotonic()

    def attend(
        self, hosting: Hosting, announce: Callable[[Roster], None], gathering: Gathering | None = None
    ) -> None:
        """The gathering that ``start`` starts, and who else has to hear of each change of the roster."""
        self._hosting = hosting
        self._announce = announce
        self._gathering = gathering

    # --- what the host sees -----------------------------------------------------------------------

    def welcome(self) -> None:
        """How others find the table."""
        if self._screen.is_drawn:
            self._screen.show(self._room)
            return
        self._console.write("\n".join(self._invitation()))
        for line in self._table.aside:
            self._console.write(line)
        if self._console.is_interactive:
            self._console.write(_("Type start to begin with who is here, bot for a bot, help for more."))

    def _invitation(self) -> list[str]:
        title, addresses = self._table.title, self._table.addresses
        if self._table.is_here_only:
            lines = [_("Your table of {title} is open on this machine alone. Join it with:")]
        else:
            lines = [
                _("Your table of {title} is open. Others on this network join with:"),
                f"    {call('join')}",
                _("or, where that finds nothing, with the first of these that works:"),
            ]
        lines = [line.format(title=title) for line in lines]
        for address in addresses:
            is_local = address.startswith("127.") and not self._table.is_here_only
            local = _("    (on this machine)") if is_local else ""
            lines.append(f"    {call('join')} {address}{local}")
        return lines

    def show(self, roster: Roster) -> None:
        """Who sits now."""
        self._roster = roster
        self._announce(roster)
        if not self._screen.is_drawn:
            self._console.write(seats_line(self._known, roster))
        self._draw()

    def reopened(self, reason: str) -> None:
        """Somebody spoilt the beginning, so the room is open again."""
        self._console.write(f"{said(reason)} {_('The room is open again.')}")

    async def tell_who_stays_away(self, wished: Mapping[bytes, str]) -> None:
        """``wished``: the identities and names of those who wanted another game; their programs come by
        themselves, unless their players have left meanwhile."""
        await asyncio.sleep(COMING)
        here = {each.public for each in self._seated}
        away = [name for public, name in wished.items() if public not in here]
        if away:
            text = ngettext(
                "{names} wanted another game, but has not come.",
                "{names} wanted another game, but have not come.",
                len(away),
            )
            self._console.write(text.format(names=joined(away)))

    def _on_question(self, question: Question | None) -> bool:
        self._room = replace(self._room, question=question)
        self._draw()
        return self._screen.is_drawn

    # --- what the host types ----------------------------------------------------------------------

    async def _keep(self) -> NoReturn:
        self._console.words = lambda: (
            (_("yes"), _("no"), "yes", "no") if self.door.is_asking else completions(self._room)
        )
        while True:
            line = await self._console.read()
            if line is None:
                if self._console.is_interactive:
                    raise Left
                await asyncio.Event().wait()  # nobody types here; guests may come all the same
                continue
            if self.door.is_asking:
                problem = self.door.reply(line)
                if problem:
                    self._screen.reply(problem)
                continue
            typed = read(line, self._room)
            if typed is not None:
                await self._obey(typed)

    async def _obey(self, typed: Typed) -> None:
        match typed.word:
            case "start":
                self._start()
            case "bot":
                await self._add_bot()
            case "no-bot":
                await self._remove_bot()
            case "who":
                self._screen.page(_("Who sits"), self._about())
            case "send away":
                await self._send_away(typed.text)
            case "mute" if self._roster is not None:
                self._mute(typed.text)
            case "chat":
                await self._say(typed.text)
            case "quit":
                raise Left
            case _:
                self._screen.page(_("The waiting room"), help_lines(self._room))

    def _start(self) -> None:
        if self._hosting is None:
            return
        try:
            self._hosting.start_now()
        except SetupError as error:
            self._screen.reply(said_of(error))

    async def _add_bot(self) -> None:
        if self._gathering is None:
            return
        if not await self._gathering.add_bot(self._table.bots, self._table.level):
            self._screen.reply(_("No seat is free for a bot."))

    async def _remove_bot(self) -> None:
        if self._gathering is not None and not await self._gathering.remove_bot():
            self._screen.reply(_("There is no bot to take away."))

    async def _send_away(self, name: str) -> None:
        if self._hosting is None or self._roster is None:
            return
        seat = find_seat(name, [each.name for each in self._seated]) if name else None
        guest = self._seated[seat] if seat else None
        if guest is None:
            self._screen.reply(_("Whom? send away NAME"))
        elif guest.is_bot:
            self._screen.reply(
                _("{name} is a bot; {word} takes one away.").format(name=guest.name, word=shown(REMOVE))
            )
        else:
            self.door.shut_out(guest.public)
            if await self._hosting.send_away(guest.public):
                self._console.write(_("{name} has been sent away from the table.").format(name=guest.name))

    async def _say(self, text: str) -> None:
        if self._hosting is not None and self._roster is not None and text:
            await self._hosting.say(text)
            self._screen.talk(self._roster.taken[0].name, text)

    def _about(self) -> list[str]:
        waited = duration(time.monotonic() - self._since)
        since = _("The table has been open for {time}.").format(time=waited)
        return [*self._who_sits(), since, *(self._invitation() if self._room.free else [])]
