"""Pads to roles, by tapping: what a tap or a typed word does, and how it is told."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import click

from hardware.events import Once, Place, Placed, Refused, Tapped
from hardware.io import Link, save_table
from hardware.pads import BadPads, BadRole, Pads, Role, RoleKind, parse_role
from hardware.readers import Seen, Unclear, scan
from hardware.table_texts import ReaderEntry, TableFile
from hardware.uids import Numbers, Technology

from .console import Console
from .hardware_live import Happened, Line, Quiet, Said, live, news_of
from .hardware_readers import signal
from .language import N_, said
from .translation import gettext as _

__all__ = ["KEYS", "MODES", "Setup", "pad_name", "place_name", "roles_for"]

KEYS: Final = "controller"
MODES: Final = {
    KEYS: N_("your own tagged cards are an input device; one pad for all, or one for each player"),
    "blank": N_("unprinted cards lie on the table, a pad for each player and pile"),
    "printed": N_("a printed deck lies on the table, a pad for each player and pile"),
}
"""How a table is played, by the word of ``--mode``."""

KEYBOARD: Final = "keyboard"
"""What a reader is called that types, if the table has no name for it."""

_PADS: Final = {
    RoleKind.POND: N_("the pond"),
    RoleKind.DISCARD: N_("the discard pile"),
    RoleKind.POOL: N_("the pool"),
    RoleKind.SEAT: N_("{name}'s pad"),
    RoleKind.ASK: N_("the pad on which {name} asks"),
    RoleKind.HUB: N_("the pad on which everybody taps"),
}


def pad_name(role: Role) -> str:
    """What the pad is called in a sentence."""
    return _(_PADS[role.kind]).format(name=role.name)


def place_name(place: Place) -> str:
    """Where a pad is, for people."""
    return _("{reader}, antenna {n}").format(reader=place.reader, n=place.antenna)


def roles_for(mode: str, players: Sequence[str], game: str = "") -> list[Role]:
    """The pads that a table of this mode can use, the needed ones first. Raises ``BadRole``.

    In controller mode there are no piles: each player taps on a pad of their own, or all on one. Cards that
    lie on the table need a place for each hand and pile; the pool is Casino's.
    """
    if mode == KEYS:
        return [Role(RoleKind.ASK, name) for name in players] or [Role(RoleKind.HUB)]
    piles = [RoleKind.POND, RoleKind.DISCARD] + ([RoleKind.POOL] if game == "casino" else [])
    hands = [Role(RoleKind.SEAT, name) for name in players]
    return [*hands, *map(Role, piles), Role(RoleKind.HUB)]


@dataclass(frozen=True, slots=True)
class _Before:
    """What ``back`` goes back to."""

    wanted: tuple[Role, ...]
    put_off: frozenset[Role]
    table: TableFile


@dataclass(slots=True)
class Setup:
    """Gives each role of ``wanted`` a pad; the table is kept in the file ``path`` after each tap.

    A role that has pads loses them when it gets its new one, unless ``add``.
    """

    table: TableFile
    wanted: list[Role]
    path: Path
    links: Sequence[Link]
    entries: Sequence[ReaderEntry]
    write: Callable[[str], None]
    as_json: bool
    add: bool = False
    typing: tuple[Technology, Numbers] = (Technology.UNKNOWN, Numbers.DECIMAL)
    _done: list[_Before] = field(default_factory=list)
    _put_off: frozenset[Role] = frozenset()
    """Roles that were skipped once: when all others are done they are asked for again."""
    _is_due: bool = False
    """Whether the question is still to be asked, or again, once the readers have said what they are: it is to
    stand below that."""

    async def run(self, console: Console | None) -> None:
        """Until each role has its pad or was skipped, or it is stopped."""
        self._is_due = bool(self.links) and not self.as_json
        if not self._is_due:
            self._next()
        if not self.wanted:
            return
        async with contextlib.aclosing(live(self.links, lambda uid: uid, console)) as stream:
            async for item in stream:
                match item:
                    case Happened():
                        await self._happened(item)
                    case Said(reader=reader, reading=Unclear(antenna=antenna)):
                        await self._tapped(Place(reader, antenna))
                    case Said():
                        if news := news_of(item):
                            self._say(news, event="reader", text=news)
                            self._is_due = not self.as_json
                    case Quiet() if self._is_due:
                        self._next()
                    case Line(text=text) if text is not None and not await self._typed(text.strip()):
                        return
                if not self.wanted:
                    return

    def _say(self, line: str, **facts: Any) -> None:
        if self.as_json:
            click.echo(json.dumps(facts, ensure_ascii=False))
        else:
            self.write(line)

    def _next(self) -> None:
        self._is_due = False
        if self.wanted:
            role = self.wanted[0]
            text = _("Tap any tag on {pad} ({role}).").format(pad=pad_name(role), role=role)
            self._say(text, event="next", role=str(role), left=len(self.wanted))

    async def _happened(self, item: Happened) -> None:
        match item.event:
            case Placed(place=place) if item.lay_there:
                text = _("{place}: a tag lay there already; lift it, and tap on the pad that is asked for.")
                text = text.format(place=place_name(place))
                self._say(text, event="lay-there", reader=place.reader, antenna=place.antenna)
            case Placed(place=place) | Tapped(place=place) | Once(place=place) | Refused(place=place):
                await self._tapped(place)

    async def _tapped(self, place: Place) -> None:
        role = self.wanted[0]
        known = self.table.pads.get(place)
        if known == role and not self.add:
            self._take(place, role)
        elif known is not None:
            text = _("That is {pad} ({role}): tap on another one, or type {role} to choose it anew.").format(
                pad=pad_name(known), role=known
            )
            facts = {"role": str(known), "reader": place.reader, "antenna": place.antenna}
            self._say(text, event="taken", text=text, **facts)
            await signal(self.links, place.reader, place.antenna, good=False)
            return
        else:
            self._take(place, role)
        await signal(self.links, place.reader, place.antenna, good=True)

    def _take(self, place: Place, role: Role) -> None:
        before = self.table
        pads = [(each, old) for each, old in before.pads.items() if self.add or old != role]
        pads = [(each, old) for each, old in pads if each != place]
        table = before
        for entry in self.entries:
            if entry.name == place.reader:
                table = table.with_reader(entry)
        if table.reader(place.reader) is None:
            table = table.with_reader(ReaderEntry(place.reader, "wedge"))
        try:
            table = table.with_pads(Pads([*pads, (place, role)]))
        except BadPads as error:
            self._say(said(str(error)), event="refused", text=said(str(error)))
            return
        self._remember()
        self.table = table
        save_table(self.path, table)
        self.wanted.pop(0)
        text = _("{place} is {pad}.").format(place=place_name(place), pad=pad_name(role))
        facts = {"role": str(role), "reader": place.reader, "antenna": place.antenna}
        self._say(text, event="assigned", **facts)
        self._next()

    async def _typed(self, line: str) -> bool:
        """Whether it goes on after this line."""
        word = line.casefold()
        if word in {"quit", "q", "stop"}:
            return False
        if not word:
            self._next()
        elif word in {"skip", "s"}:
            self._skip()
        elif word in {"back", "b", "undo"}:
            self._back()
        elif isinstance(scan(line, None, *self.typing), Seen | Unclear):
            entry = next((each for each in self.entries if each.kind == "wedge"), None)
            await self._tapped(Place(entry.name if entry is not None else KEYBOARD, 0))
        else:
            self._choose(line)
        return True

    def _remember(self) -> None:
        self._done.append(_Before(tuple(self.wanted), self._put_off, self.table))

    def _skip(self) -> None:
        """Until the end, where other pads are still to be asked for the first time; else for good."""
        self._remember()
        role = self.wanted.pop(0)
        if role not in self._put_off and any(each not in self._put_off for each in self.wanted):
            self.wanted.append(role)
        self._put_off |= {role}
        self._next()

    def _back(self) -> None:
        if self._done:
            before = self._done.pop()
            if before.table != self.table:
                save_table(self.path, before.table)
            self.wanted, self._put_off, self.table = list(before.wanted), before.put_off, before.table
        else:
            text = _("There is nothing to take back: type a role to choose its pad anew.")
            self._say(text, event="nothing", text=text)
        self._next()

    def _choose(self, line: str) -> None:
        """A role that was typed comes next; the pads it has are free again."""
        try:
            role = parse_role(line)
        except BadRole as error:
            text = _("{error} Or type skip, back or quit.").format(error=said(str(error)))
            self._say(text, event="unknown", text=text)
            return
        self._remember()
        if not self.add and self.table.pads.places(role):
            pads = {place: old for place, old in self.table.pads.items() if old != role}
            self.table = self.table.with_pads(Pads(pads))
            save_table(self.path, self.table)
        self.wanted = [role, *(each for each in self.wanted if each != role)]
        self._next()
