"""The readers of a table: from the table file, or named on the command line for once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Final

from hardware.events import Place
from hardware.io import Link, PortError, Unsupported, load, load_table
from hardware.io.entries import WEDGE
from hardware.pads import Pads
from hardware.protocol import Pattern, Sound
from hardware.readers import Profile, Reading, Remark, Seen, Unclear, make
from hardware.table_texts import BadTable
from hardware.tags import BadTags, Book

from ..console import Console
from ..errors import BAD, HARDWARE, Failure
from ..folders import Folders
from ..hardware_readers import entries_of, light, links_of, typing
from ..language import said_of
from ..program import call_here
from ..translation import gettext as _
from .base import Feedback
from .wedge import Spelling

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
        self.is_in_vain = False

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
            self.is_in_vain = True
            yield Remark(str(error)), time.monotonic()
        await asyncio.Event().wait()


@dataclass(frozen=True, slots=True)
class Readers:
    """All that a physical table is made of."""

    links: tuple[Steady | TypedReader, ...]
    typed: TypedReader
    book: Book
    pads: Pads
    may_type: bool = True
    """Whether one of them types like a keyboard, or none is known, so that the one in use may."""

    @property
    def may_hear(self) -> bool:
        """Whether a tag may come from a port or a broker: from one that is not there it may yet."""
        return any(isinstance(link, Steady) and not link.is_in_vain for link in self.links)

    @property
    def most_tags(self) -> dict[Place, int]:
        """How many tags the reader of each pad tells apart."""
        most = {link.name: link.reader.profile.most_tags for link in self.links}
        return {place: most[place.reader] for place in self.pads if place.reader in most}

    async def show(self, place: Place, feedback: Feedback) -> None:
        """Light and sound of a pad, if its reader has any."""
        for link in self.links:
            if link.name == place.reader and isinstance(link, Steady):
                await light(link.link, place.antenna, *SHOWN[feedback])


async def open_readers(at: Folders, once: Sequence[str], console: Console) -> Readers:
    """The readers of the table file, or those named ``PORT[:KIND]``, not opened yet.

    A port without a kind is asked what it is. Raises ``Failure``.
    """
    try:
        table = await asyncio.to_thread(load_table, at.table)
        book = await asyncio.to_thread(load, at.tags)
        entries = await entries_of(once, table, console.write)
        links = links_of(entries, at.data)
    except (BadTable, BadTags) as error:
        raise Failure(said_of(error), code=BAD) from None
    except Unsupported as error:
        raise Failure(said_of(error), code=HARDWARE) from None
    except PortError as error:
        hint = _("{command} lists the ports of this machine.").format(command=call_here("readers"))
        raise Failure(said_of(error), hint, HARDWARE) from None
    names = {entry.name for entry in entries}
    pads = Pads({place: role for place, role in table.pads.items() if not once or place.reader in names})
    name = next((entry.name for entry in entries if entry.kind == WEDGE), KEYBOARD)
    typed = TypedReader(name, Spelling(*typing(entries)))
    may_type = not links or any(entry.kind == WEDGE for entry in entries)
    return Readers((*map(Steady, links), typed), typed, book, pads, may_type)
