"""What kind of reader is on a port: what to ask, and what the answers look like. No I/O."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .base import Listing, Profile, Reader, Restarted, Seen, Send, Unclear
from .em4100 import ID12, RDM6300, Em4100Reader
from .lines import GARBLED
from .ndjson import NDJSON, NdjsonReader
from .own import OWN, OwnReader
from .pn532 import PN532, SETUP, WAKE_UP
from .pn532_frames import Answer, FrameDecoder
from .r200 import R200, R200Reader
from .text import TEXT, TextReader
from .twn4 import TWN4

SHOWN = 24
"""Bytes quoted of what was seen."""

SLOWER_OWN = 38400
"""Baud of boards with our own protocol that cannot do 115,200."""

_FEWEST = 8
"""Bytes below which a wrong speed cannot be told from a spike on the line."""


@dataclass(frozen=True, slots=True)
class Probe:
    """Something to send at a speed, and how many seconds to wait for what comes. An empty ``data`` only
    listens.

    ``recognise`` is given everything that came and answers with the profile and a sentence, or ``None``.
    """

    name: str
    baud_rate: int
    data: bytes
    seconds: float
    recognise: Callable[[bytes], Finding | None]


@dataclass(frozen=True, slots=True)
class Finding:
    """``profile`` is ``None`` where nothing was recognised. ``saw`` is a sentence for people either way."""

    profile: Profile | None
    baud_rate: int
    saw: str


TWN4_VERSION = b"\r0004FF\r"
"""The carriage return in front ends what the questions before it have left in the reader's line."""


def probes(nonce: int = 0) -> tuple[Probe, ...]:
    """All probes in order: questions, then listening, which is longest at 9600 baud, where a person has to
    hold a tag to the reader. ``nonce`` is for our own protocol, best a random number.

    Our own protocol is asked for twice, because opening the port may have reset the board, which then needs
    two seconds; and at its second speed, for boards that cannot do 115,200 (`firmware_protocol.md`, section
    2). A TWN4 on a UART may be set to 9600.
    """
    return (
        _own("Shoal reader", nonce, 115200),
        Probe("PN532", 115200, WAKE_UP + SETUP[0], 0.4, _pn532),
        Probe("R200", 115200, bytes.fromhex("BB000300010004 7E"), 0.3, _r200),
        Probe("TWN4", 115200, TWN4_VERSION, 0.3, lambda data: _twn4(data, 115200)),
        Probe("lines", 115200, b"", 1.5, lambda data: heard(data, 115200)),
        _own("Shoal reader again", nonce, 115200),
        _own("Shoal reader, slower", nonce, SLOWER_OWN),
        Probe("TWN4, slower", 9600, TWN4_VERSION, 0.4, lambda data: _twn4(data, 9600)),
        Probe("tags", 9600, b"", 3.0, lambda data: heard(data, 9600)),
    )


def _own(name: str, nonce: int, baud_rate: int) -> Probe:
    asked = b"".join(out.data for out in OwnReader(nonce).start(0.0) if isinstance(out, Send))

    def recognise(data: bytes) -> Finding | None:
        reader = OwnReader(nonce)
        reader.start(0.0)
        reader.feed(data, 0.0)
        found = reader.host.reader
        return None if found is None else Finding(OWN, baud_rate, f"{found.firmware} answered")

    return Probe(name, baud_rate, asked, 0.4, recognise)


def _pn532(data: bytes) -> Finding | None:
    for frame in FrameDecoder().feed(data):
        match frame:
            case Answer(code=3, data=version) if len(version) >= 3:
                saw = f"a PN5{version[0]:02X} with firmware {version[1]}.{version[2]} answered"
                return Finding(PN532, 115200, saw)
    return None


def _r200(data: bytes) -> Finding | None:
    at = data.find(b"\xbb\x01\x03")
    while at >= 0:
        length = int.from_bytes(data[at + 3 : at + 5], "big")
        body, tail = data[at + 1 : at + 5 + length], data[at + 5 + length : at + 7 + length]
        if len(tail) == 2 and tail[1] == 0x7E and sum(body) & 0xFF == tail[0]:
            version = _quoted(body[5:])
            return Finding(R200, 115200, f"a UHF module answered, version {version}")
        at = data.find(b"\xbb\x01\x03", at + 1)
    return None


def _twn4(data: bytes, baud_rate: int) -> Finding | None:
    """``00``, a length, and the version as a text that begins with TWN4, all in hexadecimal."""
    for line in data.split(b"\r"):
        try:
            answer = bytes.fromhex(line.decode("ascii"))
        except ValueError:
            continue
        if len(answer) > 2 and answer[0] == 0 and b"TWN4" in answer:
            return Finding(TWN4, baud_rate, f"a TWN4 answered, version {_quoted(answer[2:])}")
    return None


def heard(data: bytes, baud_rate: int) -> Finding | None:
    """What a port that was only listened to is, by what came from it at ``baud_rate``."""
    if not data:
        return None
    if b"\r\n\x03" in data and _sees(Em4100Reader(), data):
        return Finding(ID12, baud_rate, "frames of an ID-12 or ID-20 came")
    if _sees(Em4100Reader(), data):
        return Finding(RDM6300, baud_rate, "frames of an RDM6300 came")
    if _sees(R200Reader(), data):
        return Finding(R200, baud_rate, "notices of a UHF module came")
    if _sees(NdjsonReader(), data) and b"{" in data:
        return Finding(NDJSON, baud_rate, f"JSON lines came: {_quoted(data)}")
    if _sees(TextReader(), data):
        return Finding(TEXT, baud_rate, f"lines with a tag's id came: {_quoted(data)}")
    odd = sum(1 for byte in data if byte > 0x7E or (byte < 0x20 and byte not in b"\t\r\n"))
    if len(data) >= _FEWEST and odd > GARBLED * len(data):
        return Finding(
            None, baud_rate, f"{len(data)} bytes came that are no text: another speed, or no reader of ours"
        )
    return Finding(None, baud_rate, f"{_quoted(data)} came, which no reader of ours says")


def _sees(reader: Reader, data: bytes) -> bool:
    outputs = [*reader.feed(data, 0.0), *reader.tick(1.0)]
    return any(
        isinstance(out, Seen | Listing | Unclear | Restarted) and not isinstance(out, Send) for out in outputs
    )


def _quoted(data: bytes) -> str:
    text = data[:SHOWN].decode("ascii", "replace")
    more = "…" if len(data) > SHOWN else ""
    return '"' + "".join(c if c.isprintable() else "·" for c in text).strip("· ") + more + '"'
