"""What a host and a guest see of the same waiting room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NoReturn

from p2p.link import KnownPlayer
from p2p.session.setup import Roster, Seated

from ..boards import NotUnderstood
from ..console import Console, Left
from ..known import seats_line
from ..muting import keep, mute
from .room import Room, places_of
from .shown import RoomScreen

QUIT: Final = "quit"


class WaitingRoom:
    """Who sits, who is ready, and what is said; drawn anew whenever it changes."""

    def __init__(self, console: Console, known: Sequence[KnownPlayer], me: bytes, room: Room) -> None:
        """``known`` are the players met before; ``me`` is this player's identity."""
        self._console = console
        self._known = known
        self._me = me
        self._room = room
        self._screen = RoomScreen(console)
        self._roster: Roster | None = None
        self._ready: frozenset[bytes] = frozenset()
        self.muted: set[bytes] = set()
        self._has_left = False

    def ready(self, ready: frozenset[bytes]) -> None:
        """Who is ready now."""
        self._ready = ready
        self._draw()

    def said(self, public: bytes, text: str) -> None:
        """Somebody says something."""
        if public in self.muted:
            return
        names = {each.public: each.name for each in self._roster.taken} if self._roster else {}
        self._screen.talk(names.get(public, "?"), text)

    async def keep(self) -> NoReturn:
        """Obey the player's lines until cancelled. Raises ``Left`` for ``quit``; where the game begins in the
        same moment, it counts there."""
        try:
            await self._keep()
        except Left:
            self._has_left = True
            raise

    async def _keep(self) -> NoReturn:
        raise NotImplementedError

    def begun(self) -> None:
        """The game has begun."""
        if self._has_left:
            self._console.put(QUIT)

    def close(self) -> None:
        """The room is left: the game begins, or there is none."""
        self._screen.close()

    def _draw(self) -> None:
        if self._roster is not None:
            places = places_of(self._known, self._roster, self._ready, self._me)
            self._room = replace(self._room, places=places)
        names = [each.name for each in self._seated if each.public in self.muted]
        self._screen.show(self._room, names)

    @property
    def _seated(self) -> tuple[Seated, ...]:
        return self._roster.taken if self._roster is not None else ()

    def _mute(self, typed: str) -> None:
        """``mute`` or ``mute NAME``: of talk, and in lines of who is ready."""
        seated = [each.public for each in self._seated]
        muted = {seat for seat, public in enumerate(seated) if public in self.muted}
        try:
            told = mute(typed, [each.name for each in self._seated], seated.index(self._me), muted)
        except NotUnderstood as problem:
            self._screen.reply(str(problem))
            return
        keep(self.muted, seated, muted)
        self._screen.reply(told)

    def _who_sits(self) -> list[str]:
        """Who sits, what is known of them, and what is waited for."""
        lines = [seats_line(self._known, self._roster)] if self._roster is not None else []
        lines += [f"  {place.name}: {place.about}" for place in self._room.places if place.about]
        return [*lines, self._room.status]
