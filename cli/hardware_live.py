"""What happens at the readers and what is typed, as one stream."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from hardware.events import Event, Place, Placed
from hardware.io import Link, Read, watch
from hardware.presence import Tracker
from hardware.readers import Gone, Health, LinkLost, LinkUp, Listing, Reading, Remark, Restarted
from hardware.uids import Uid

from .console import Console
from .language import said
from .translation import gettext as _

__all__ = ["Happened", "Item", "Line", "Quiet", "Said", "live", "news_of"]


@dataclass(frozen=True, slots=True)
class Happened:
    """An event at a reader. ``lay_there``: the tag was there when the reader was first heard, so that nobody
    has put it there now; events of one reading have one ``number``."""

    event: Event
    lay_there: bool
    number: int


@dataclass(frozen=True, slots=True)
class Said:
    """A reading of a reader itself."""

    reader: str
    reading: Reading


@dataclass(frozen=True, slots=True)
class Line:
    """A line that was typed; ``None``: nothing more will be typed."""

    text: str | None


@dataclass(frozen=True, slots=True)
class Quiet:
    """The readers have told of themselves what there was to tell, for now: what is asked comes after it."""


Item: TypeAlias = Happened | Said | Line | Quiet

QUIET: Final = 0.5
"""Seconds without a word of a reader: our own board takes less to say what it is once its port is open."""


async def live(
    links: Sequence[Link], known: Callable[[Uid], Uid | None], console: Console | None
) -> AsyncGenerator[Item, None]:
    """All that happens, until it is closed; without ``links``, until nothing more is typed. After the opening
    of readers, and after each word of one, comes a `Quiet`.

    Raises what ended a link.
    """
    inbox: asyncio.Queue[Item | BaseException] = asyncio.Queue()
    tasks = [asyncio.create_task(_follow(links, known, inbox), name="readers")] if links else []
    if console is not None:
        tasks.append(asyncio.create_task(_listen(console, inbox), name="lines"))
    try:
        is_stirred = bool(links)
        while tasks:
            try:
                async with asyncio.timeout(QUIET if is_stirred else None):
                    item = await inbox.get()
            except TimeoutError:
                is_stirred = False
                yield Quiet()
                continue
            is_stirred = is_stirred or (isinstance(item, Said) and bool(news_of(item)))
            if isinstance(item, BaseException):
                raise item
            yield item
            if isinstance(item, Line) and item.text is None and not links:
                return
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _listen(console: Console, inbox: asyncio.Queue[Item | BaseException]) -> None:
    text: str | None = ""
    while text is not None:
        text = await console.read()
        inbox.put_nowait(Line(text))


async def _follow(
    links: Sequence[Link], known: Callable[[Uid], Uid | None], inbox: asyncio.Queue[Item | BaseException]
) -> None:
    before = _Before()
    number = 0
    try:
        async for what, _at in watch(links, Tracker(known)):
            if isinstance(what, Read):
                number += 1
                before.read(what.reader, what.reading)
                inbox.put_nowait(Said(what.reader, what.reading))
            else:
                inbox.put_nowait(Happened(what, before.lay_there(what), number))
    except asyncio.CancelledError:
        raise
    except BaseException as error:  # noqa: BLE001  # whoever reads the stream is to meet it
        inbox.put_nowait(error)


class _Before:
    """What lay on the antennas when their reader was first heard, by readers that list what they see."""

    def __init__(self) -> None:
        self._tags: dict[Place, set[bytes]] = {}

    def read(self, reader: str, reading: Reading) -> None:
        match reading:
            case Listing(uids=uids, antenna=antenna):
                here = {uid.data for uid in uids}
                # What has gone since, and comes again, was put there now.
                self._tags[Place(reader, antenna)] = here & self._tags.get(Place(reader, antenna), here)
            case Gone(uid=None, antenna=antenna):
                self._tags[Place(reader, antenna)] = set()
            case Gone(uid=Uid(data=data), antenna=antenna):
                self._tags.get(Place(reader, antenna), set()).discard(data)
            case LinkUp() | LinkLost():
                self._tags = {place: tags for place, tags in self._tags.items() if place.reader != reader}

    def lay_there(self, event: Event) -> bool:
        return isinstance(event, Placed) and event.uid.data in self._tags.get(event.place, ())


def news_of(said_by: Said) -> str:
    """What people should know of a reading that is about the reader and not about a tag; else empty."""
    name = said_by.reader
    match said_by.reading:
        case LinkUp(device=device):
            return _("{reader}: connected, on {port}.").format(reader=name, port=device)
        case LinkLost(why=why):
            return _("{reader}: {why} It is looked for again.").format(reader=name, why=said(why))
        case Restarted(why=why) | Remark(text=why):
            return f"{name}: {said(why)}"
        case Health(well=well, why=why) if not well:
            return f"{name}: {said(why)}"
    return ""
