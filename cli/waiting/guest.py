"""A guest's waiting room: what is seen and typed between the seat and the first shuffle."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NoReturn

from p2p.identity import fingerprint
from p2p.io.lobby import Chair
from p2p.link import KnownPlayer
from p2p.session.setup import Roster

from ..console import Console, Left
from ..known import seats_line
from ..translation import gettext as _
from .about import about_dealing, about_table, about_terms, title_of_table
from .common import WaitingRoom
from .lines import Typed, completions, help_lines, read
from .room import Room


class GuestRoom(WaitingRoom):
    """The guest's side of the waiting room."""

    def __init__(
        self,
        console: Console,
        known: Sequence[KnownPlayer],
        me: bytes,
        *,
        is_ready: bool = False,
        check: Callable[[Roster], None] = lambda _roster: None,
    ) -> None:
        """``me`` is this player's identity; ``is_ready`` where nobody is there to say so. ``check`` raises
        where the first roster is of no table to sit at."""
        super().__init__(
            console, known, me, Room(_("Joining a table"), False, 0, 0, own_words=fingerprint(me))
        )
        self.chair = Chair(self.ready, self.said, is_ready=is_ready)
        self._check = check
        if self._screen.is_drawn:
            self._screen.show(self._room)

    @property
    def is_seated(self) -> bool:
        """Whether the host has let this player in."""
        return self._roster is not None

    @property
    def is_drawn(self) -> bool:
        """Whether the room is seen all the time."""
        return self._screen.is_drawn

    def show(self, roster: Roster) -> None:
        """Who sits now."""
        is_first, self._roster = self._roster is None, roster
        if is_first:
            lines = (about_table(roster), *about_dealing(roster), *about_terms(roster))
            self._room = replace(self._room, title=title_of_table(roster), aside=lines)
            if not self._screen.is_drawn:
                self._console.write("\n".join(lines))
            self._check(roster)
        self._room = replace(self._room, seats=roster.seats, start_at=roster.seats)
        if not self._screen.is_drawn:
            self._console.write(seats_line(self._known, roster))
        self._draw()
        if is_first and not self._screen.is_drawn and self._console.is_interactive:
            self._console.write(_("Type ready, or press Enter, when you are ready to begin."))

    async def _keep(self) -> NoReturn:
        self._console.words = lambda: completions(self._room)
        while True:
            line = await self._console.read()
            if line is None:
                await asyncio.Event().wait()  # the game may need no input at all
                continue
            typed = read(line, self._room)
            if typed is not None:
                await self._obey(typed)

    async def _obey(self, typed: Typed) -> None:
        match typed.word:
            case "ready":
                await self.chair.ready(True)
            case "wait":
                await self.chair.ready(False)
            case "who":
                self._screen.page(_("Who sits"), self._who_sits())
            case "mute" if self.is_seated:
                self._mute(typed.text)
            case "chat" if self.is_seated:
                await self.chair.say(typed.text)
            case "quit":
                raise Left
            case "help" if self.is_seated:
                self._screen.page(_("The waiting room"), help_lines(self._room))
            case _:
                self._screen.reply(_("The game has not begun; wait, or type quit."))
