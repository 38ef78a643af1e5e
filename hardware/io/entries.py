"""From an entry of the table file to a reader that can be opened."""

from __future__ import annotations

import time
from enum import Enum
from typing import Final, TypeVar

from ..readers import PROFILES, BadPattern, Presence, UnknownReader, make
from ..table_texts import BadTable, Option, ReaderEntry
from ..uids import Numbers, Technology
from .errors import BadPort
from .ports import PortLister, list_ports, port_name
from .reader_link import ReaderLink
from .serial_port import Clock, Opener, open_serial

SERIAL_OPTIONS: Final = ("baud-rate", "dtr", "pattern", "presence", "technology", "numbers")
"""What a ``[[reader]]`` on a serial port may say besides its name, kind and port."""

FASTEST = 4_000_000
"""Baud of the fastest USB adapters."""

WEDGE = "wedge"
"""The kind of reader that has no port: it types into the prompt."""

E = TypeVar("E", bound=Enum)


def is_serial(entry: ReaderEntry) -> bool:
    """Whether the reader is one that `serial_link` opens; the others have shells of their own."""
    return entry.kind in PROFILES and entry.kind != WEDGE


def serial_link(
    entry: ReaderEntry,
    *,
    nonce: int = 0,
    ports: PortLister = list_ports,
    opener: Opener = open_serial,
    clock: Clock = time.monotonic,
) -> ReaderLink:
    """The link of a reader on a serial port, not opened yet. ``nonce``, best a random number, is for our own
    protocol. Raises `BadTable` with one sentence, which begins with the line of the entry where it has one.
    """
    _check(entry)
    options = entry.options
    try:
        reader = make(
            entry.kind,
            presence=_one_of(entry, "presence", Presence),
            technology=_one_of(entry, "technology", Technology),
            numbers=_one_of(entry, "numbers", Numbers),
            pattern=_text(entry, "pattern"),
            nonce=nonce,
        )
        port = port_name(entry.port)
    except (BadPattern, BadPort, UnknownReader) as error:
        raise _error(entry, str(error)) from None
    return ReaderLink(
        entry.name,
        port,
        reader,
        baud_rate=_baud_rate(entry),
        dtr=options.get("dtr") is True,
        ports=ports,
        opener=opener,
        clock=clock,
    )


def _check(entry: ReaderEntry) -> None:
    if not is_serial(entry):
        kinds = ", ".join(name for name in PROFILES if name != WEDGE)
        raise _error(entry, f"{entry.kind} is no kind of reader on a port; there are {kinds}.")
    if not entry.port:
        raise _error(entry, f"{entry.name} needs a port, such as /dev/ttyUSB0 or usb:1a86:7523.")
    for name in entry.options:
        if name not in SERIAL_OPTIONS:
            raise _error(
                entry,
                f"{name[:30]} is no option of a reader on a port; there are {', '.join(SERIAL_OPTIONS)}.",
            )
    if not isinstance(entry.options.get("dtr", False), bool):
        raise _error(entry, "dtr must be true or false.")


def _baud_rate(entry: ReaderEntry) -> int:
    value: Option = entry.options.get("baud-rate", 0)
    if not isinstance(value, int) or isinstance(value, bool) or not (value == 0 or 50 <= value <= FASTEST):
        raise _error(entry, "baud-rate must be a number, such as 9600 or 115200.")
    return value


def _text(entry: ReaderEntry, name: str) -> str:
    value = entry.options.get(name, "")
    if not isinstance(value, str):
        raise _error(entry, f"{name} must be a text.")
    return value


def _one_of(entry: ReaderEntry, name: str, kinds: type[E]) -> E | None:
    text = _text(entry, name)
    if not text:
        return None
    found = next((kind for kind in kinds if kind.value == text.lower()), None)
    if found is None:
        raise _error(entry, f"{name} must be one of {', '.join(str(kind.value) for kind in kinds)}.")
    return found


def _error(entry: ReaderEntry, why: str) -> BadTable:
    return BadTable(f"line {entry.line}: {why}" if entry.line else why)
