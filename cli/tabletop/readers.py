"""The readers of a table: from the table file, or named on the command line for once."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from gettext import gettext as _
from typing import Final

from hardware.events import Place
from hardware.io import (
    Link,
    PortError,
    detect,
    find,
    is_mqtt,
    is_mqtt_name,
    is_serial,
    list_ports,
    load,
    load_table,
    mqtt_link,
    port_name,
    serial_link,
)
from hardware.pads import Pads
from hardware.protocol import Pattern, Sound
from hardware.readers import PROFILES, Profile, Reading, Remark, Seen, Unclear, make
from hardware.table_texts import BadTable, ReaderEntry
from hardware.tags import BadTags, Book
from hardware.uids import Numbers, Technology

from ..console import Console
from ..errors import BAD, HARDWARE, Failure
from ..folders import Folders
from ..language import said_of
from ..program import call
from .base import Feedback
from .wedge import Spelling

WEDGE: Final = "wedge"
KEYBOARD: Final = "keyboard"
"""The reader that types into the prompt, where the table file has no name for it."""

SHOWN: Final = {
    Feedback.ACCEPTED: (Pattern.OK, Sound.SHORT, 600),
    Feedback.REFUSED: (Pattern.WRONG, Sound.DOUBLE, 1200),
    Feedback.ATTENTION: (Pattern.YOUR_TURN, Sound.NONE, 0),
    Feedback.OFF: (Pattern.OFF, Sound.NONE, 0),
}
"""Light, sound and milliseconds (0: until another) for what a pad says."""


class _Machine:
    """The part of a reader that is there where nothing is read from a port."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile


class TypedReader:
    """The reader that types: what was found in the prompt, as the readings of a link."""

    def __init__(self, name: str, spelling: Spelling) -> None:
        self.name = name
        self.spelling = spelling
        self.reader = _Machine(make(WEDGE, technology=spelling.technology).profile)
        self._typed: asyncio.Queue[tuple[Reading, float]] = asyncio.Queue()

    def typed(self, reading: Seen | Unclear) -> None:
        """A tag was found in what was typed just now."""
        self._typed.put_nowait((reading, time.monotonic()))

    async def readings(self) -> AsyncIterator[tuple[Reading, float]]:
        """See ``hardware.io.Link``."""
        while True:
            yield await self._typed.get()


class Steady:
    """A link that never ends the others: where trying again is in vain, it says so and stays silent."""

    def __init__(self, link: Link) -> None:
        self.link = link

    @property
    def name(self) -> str:
        """See ``hardware.io.Link``."""
        return self.link.name

    @property
    def reader(self) -> _Machine:
        """See ``hardware.io.Link``."""
        return _Machine(self.link.reader.profile)

    async def readings(self) -> AsyncIterator[tuple[Reading, float]]:
        """See ``hardware.io.Link``."""
        try:
            async for timed in self.link.readings():
                yield timed
        except PortError as error:
            yield Remark(str(error)), time.monotonic()
        await asyncio.Event().wait()


@dataclass(frozen=True, slots=True)
class Readers:
    """All that a physical table is made of."""

    links: tuple[Steady | TypedReader, ...]
    typed: TypedReader
    book: Book
    pads: Pads

    @property
    def most_tags(self) -> dict[Place, int]:
        """How many tags the reader of each pad tells apart."""
        most = {link.name: link.reader.profile.most_tags for link in self.links}
        return {place: most[place.reader] for place in self.pads if place.reader in most}

    async def show(self, place: Place, feedback: Feedback) -> None:
        """Light and sound of a pad, if its reader has any."""
        for link in self.links:
            show = getattr(link.link, "show", None) if isinstance(link, Steady) else None
            if link.name == place.reader and show is not None:
                pattern, sound, milliseconds = SHOWN[feedback]
                await show(place.antenna, pattern, sound, milliseconds)


async def open_readers(at: Folders, once: Sequence[str], console: Console) -> Readers:
    """The readers of the table file, or those named ``PORT[:KIND]``, not opened yet.

    A port without a kind is asked what it is. Raises ``Failure``.
    """
    try:
        table = await asyncio.to_thread(load_table, at.table)
        book = await asyncio.to_thread(load, at.tags)
        named = [await _named(text, number, console) for number, text in enumerate(once, 1)]
        entries = named or list(table.readers)
        links = [
            mqtt_link(entry, nonce=secrets.randbits(32), folder=at.data)
            if is_mqtt(entry)
            else serial_link(entry, nonce=secrets.randbits(32))
            for entry in entries
            if is_mqtt(entry) or is_serial(entry)
        ]
    except (BadTable, BadTags) as error:
        raise Failure(said_of(error), code=BAD) from None
    unknown = [entry for entry in entries if entry.kind not in (*PROFILES, "mqtt")]
    if unknown:
        text = _("{name} is of no known kind: {kind}.").format(name=unknown[0].name, kind=unknown[0].kind)
        raise Failure(text, code=HARDWARE)
    typed = TypedReader(*_typing(entries))
    pads = table.pads if not named else Pads({})
    return Readers((*map(Steady, links), typed), typed, book, pads)


def _typing(entries: Sequence[ReaderEntry]) -> tuple[str, Spelling]:
    """Name and spelling of the reader that types, whether or not there is one."""
    entry = next((entry for entry in entries if entry.kind == WEDGE), None)
    if entry is None:
        return KEYBOARD, Spelling()
    technology = str(entry.options.get("technology", Technology.UNKNOWN.value))
    numbers = str(entry.options.get("numbers", Numbers.DECIMAL.value))
    try:
        return entry.name, Spelling(Technology(technology), Numbers(numbers))
    except ValueError:
        where = f"line {entry.line}: " if entry.line else ""
        raise Failure(
            _("{where}technology or numbers of {name} is not known.").format(where=where, name=entry.name),
            code=BAD,
        ) from None


async def _named(text: str, number: int, console: Console) -> ReaderEntry:
    """A reader named on the command line."""
    name = f"reader{number}"
    if is_mqtt_name(text):
        return ReaderEntry(name, "mqtt", text)
    port, _colon, kind = text.rpartition(":")
    if port and kind in PROFILES:
        return ReaderEntry(name, kind, port)
    if text == WEDGE:
        return ReaderEntry(KEYBOARD, WEDGE)
    console.write(_("Looking what is on {port} …").format(port=text))
    try:
        found = await detect(await asyncio.to_thread(find, port_name(text), list_ports))
    except PortError as error:
        raise Failure(said_of(error), _readers_hint(), HARDWARE) from None
    if found.finding is None or found.finding.profile is None:
        raise Failure(
            _("No reader was recognised on {port}.").format(port=text),
            _("Name its kind: --reader {port}:KIND with one of {kinds}.").format(
                port=text, kinds=", ".join(kind for kind in PROFILES if kind != WEDGE)
            ),
            HARDWARE,
        )
    profile, rate = found.finding.profile, found.finding.baud_rate
    console.write(_("On {port}: {title}.").format(port=text, title=profile.title))
    return ReaderEntry(name, profile.name, text, {"baud-rate": rate})


def _readers_hint() -> str:
    return _("{command} lists the ports of this machine.").format(command=call("readers"))
