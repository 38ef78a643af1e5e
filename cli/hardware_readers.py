"""The readers a command works with: those named on the command line, else those of the table file."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from hardware.io import (
    Link,
    MqttLink,
    PortError,
    ReaderLink,
    detect,
    find,
    is_mqtt,
    is_mqtt_name,
    list_ports,
    mqtt_link,
    port_name,
    require_mqtt,
    require_serial,
    serial_link,
)
from hardware.io.entries import WEDGE
from hardware.protocol import Pattern, Sound
from hardware.readers import PROFILES, Twn4Reader
from hardware.table_texts import ReaderEntry, TableFile
from hardware.uids import Numbers, Technology

from .errors import BAD, HARDWARE, USAGE, Failure
from .language import either, said
from .program import call_here
from .text import printable
from .translation import gettext as _

SHOWN_MS: Final = 700
"""Milliseconds that a light answers a tap: long enough to be seen by who looks at the card, and over before
the next one."""

_BEEPS: Final = {Sound.SHORT: b"04076460093C000000\r", Sound.DOUBLE: b"040764E80390010000\r"}
"""Beep of a TWN4: loudness 100, then in little endian hertz and the milliseconds on and off: 2,400 for 60,
and 1,000 for 400 where a tap was refused."""

Command = TypeVar("Command", bound=Callable[..., Any])


def reader_option(command: Command) -> Command:
    """``--reader``, repeated."""
    return click.option(
        "--reader",
        "named",
        metavar="PORT[:KIND]",
        multiple=True,
        help="The reader on this port, such as /dev/ttyUSB0 or usb:1a86:7523:text; repeat for several. "
        "Without a kind the port is asked what is there. Without this option: the readers of the table.",
    )(command)


@dataclass(frozen=True, slots=True)
class Named:
    """A reader as it was named: ``kind`` is empty where it has to be found out."""

    port: str
    kind: str


def parse_named(text: str) -> Named:
    """The port and the kind in ``PORT[:KIND]``. Raises ``Failure``."""
    text = text.strip()
    if is_mqtt_name(text):
        return Named(text, "mqtt")
    if text.lower() in {WEDGE, "keyboard"}:
        return Named("", WEDGE)
    port, colon, kind = text.rpartition(":")
    if colon and kind.lower() in PROFILES and kind.lower() != WEDGE:
        text = port
    else:
        _check_kind(kind if colon else "")
        kind = ""
    try:
        port_name(text)
    except PortError as error:
        raise Failure(
            said(str(error)), _("{command} lists the ports.").format(command=call_here("readers")), USAGE
        ) from None
    return Named(text, kind.lower())


def _check_kind(kind: str) -> None:
    """What stands behind a colon may be a part of the port's own name; what looks like a kind is a slip."""
    near = get_close_matches(kind.lower(), [*PROFILES, WEDGE], n=2)
    if near and not kind.isdecimal():
        text = _('There is no kind of reader "{kind}"; did you mean {kinds}?')
        raise Failure(text.format(kind=printable(kind, 40), kinds=either(near)), code=USAGE)


async def entries_of(
    named: Sequence[str], table: TableFile, tell: Callable[[str], None]
) -> list[ReaderEntry]:
    """The readers named on the command line, identified where their kind is missing, or those of the table.

    Raises ``Failure`` and ``PortError``.
    """
    if not named:
        return list(table.readers)
    entries: list[ReaderEntry] = []
    for each in map(parse_named, named):
        known = next((entry for entry in table.readers if each.port and entry.port == each.port), None)
        if known is not None and each.kind in {"", known.kind}:
            entries.append(known)
            continue
        name = unused_name(each, [entry.name for entry in (*table.readers, *entries)])
        entry = ReaderEntry(name, each.kind, each.port)
        entries.append(entry if each.kind else await identified(entry, tell))
    return entries


def unused_name(named: Named, taken: Iterable[str]) -> str:
    """A short name for a reader that has none yet: of its kind, else of its device."""
    used = set(taken)
    base = (
        named.kind or re.sub(r"[^A-Za-z0-9]+", "-", named.port.rpartition("/")[2]).strip("-")[:20] or "reader"
    )
    number = 1
    while (name := base if number == 1 else f"{base}-{number}") in used:
        number += 1
    return name


async def identified(entry: ReaderEntry, tell: Callable[[str], None]) -> ReaderEntry:
    """The entry with the kind and the speed that were found on its port.

    Raises ``Failure`` and ``PortError``.
    """
    tell(_("What is on {port}? This takes some seconds; hold a tag to the reader.").format(port=entry.port))
    found = await detect(port_device(entry.port), tell=lambda sentence: tell(f"  {said(sentence)}"))
    if found.finding is None or found.finding.profile is None:
        raise Failure(
            _("No reader that Shoal knows was found on {port}.").format(port=entry.port),
            _("If you know what it is, name it: {port}:KIND, the kind being one of {kinds}.").format(
                port=entry.port, kinds=", ".join(kind for kind in PROFILES if kind != WEDGE)
            ),
            HARDWARE,
        )
    profile, rate = found.finding.profile, found.finding.baud_rate
    usual = profile.baud_rates[0] if profile.baud_rates else 0
    options: dict[str, int] = {} if rate == usual else {"baud-rate": rate}
    return replace(entry, kind=profile.name, options=options)


def port_device(port: str) -> str:
    """The device that a port's name stands for now. Raises ``PortError``."""
    return find(port_name(port), list_ports)


def links_of(entries: Iterable[ReaderEntry], folder: Path) -> list[Link]:
    """The links of readers, not opened yet; ``folder`` is that of the table file. Keyboard readers have none.

    Raises ``BadTable``, and ``PortError`` where what such a reader needs is not installed: before anybody is
    asked to tap anything.
    """
    links: list[Link] = []
    for entry in entries:
        if is_mqtt(entry):
            require_mqtt()
            links.append(mqtt_link(entry, nonce=secrets.randbits(32), folder=folder))
        elif entry.kind != WEDGE:
            require_serial()
            links.append(serial_link(entry, nonce=secrets.randbits(32)))
    return links


def typing(entries: Iterable[ReaderEntry]) -> tuple[Technology, Numbers]:
    """How ids are typed: as the keyboard reader of the table says, else as most do. Raises ``Failure``."""
    entry = next((each for each in entries if each.kind == WEDGE), None)
    if entry is None:
        return Technology.UNKNOWN, Numbers.DECIMAL
    technology = entry.options.get("technology", Technology.UNKNOWN.value)
    numbers = entry.options.get("numbers", Numbers.DECIMAL.value)
    try:
        return Technology(str(technology)), Numbers(str(numbers))
    except ValueError:
        where = f"line {entry.line}: " if entry.line else ""
        text = _("{where}technology or numbers of {name} is not known.")
        raise Failure(text.format(where=where, name=entry.name), code=BAD) from None


async def signal(links: Iterable[Link], reader: str, antenna: int, good: bool) -> None:
    """Answer a tap by light and sound, where the reader has them."""
    pattern, sound = (Pattern.OK, Sound.SHORT) if good else (Pattern.WRONG, Sound.DOUBLE)
    for link in links:
        if link.name == reader:
            await light(link, antenna, pattern, sound, SHOWN_MS)


async def light(link: Link, antenna: int, pattern: Pattern, sound: Sound, milliseconds: int) -> None:
    """Light and sound of an antenna, where the reader has any; 0 ms: until something else is shown."""
    if isinstance(link, ReaderLink) and isinstance(link.reader, Twn4Reader):
        if sound in _BEEPS:
            await link.write(_BEEPS[sound])
    elif isinstance(link, ReaderLink | MqttLink):
        await link.show(antenna, pattern, sound, milliseconds)
