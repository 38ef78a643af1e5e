"""An hour at a thousand events a second, on a clock that runs faster: none lost, and no memory taken."""

import binascii
import gc
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hardware.events import Placed, Removed
from hardware.presence import Tracker
from hardware.readers import OWN, Listing, OwnReader, Seen, Send
from hardware.tags import Book, Kind, Tag
from hardware.uids import Uid

from .table import PROFILES, make

HOUR = 3_600_000
CARDS = 40
NOTICE = bytes.fromhex("BB02220011CF3000E280699500005009F1286992620A6D7E")
SETTLED = 40_000
"""Events after which all that is kept is there."""

FLAT = 4_000_000
"""Bytes by which the memory of the process may move: the allocator gives back in chunks."""


def resident() -> int:
    """Bytes of memory that the process has, where the system tells; 0 elsewhere."""
    file = Path("/proc/self/statm")
    return int(file.read_text().split()[1]) * 4096 if file.exists() else 0


class Scales:
    """Weighs the process once it has settled, and at the end."""

    def __init__(self) -> None:
        gc.collect()
        self.blocks, self.bytes = sys.getallocatedblocks(), resident()

    def check(self) -> None:
        gc.collect()
        assert sys.getallocatedblocks() - self.blocks < 1_000
        assert resident() - self.bytes < FLAT


def notice(card: int) -> bytes:
    """The notice of a real module with another last byte of the id, and the checksum to it."""
    frame = bytearray(NOTICE)
    frame[19] = card
    frame[-2] = sum(frame[1:-2]) & 0xFF
    return bytes(frame)


def inventory(events: int) -> None:
    """A reader that says again and again what lies there: every ten seconds another card is away for two."""
    reader = make("r200")
    book = Book(Tag(Uid(notice(n)[8:20]), Kind.BLANK, str(n)) for n in range(CARDS))
    tracker = Tracker(book.known)
    tracker.add("a", PROFILES["r200"])
    reader.start(0.0)
    seen = placed = removed = 0
    scales = None
    frames = [notice(n) for n in range(CARDS)]
    for n in range(0, events, 20):
        now = n / 1000
        away = int(now / 10) % CARDS if now % 10 < 2 else -1
        chunk = b"".join(frames[m % CARDS] for m in range(n, n + 20) if m % CARDS != away)
        for out in reader.feed(chunk, now):
            if isinstance(out, Seen):
                seen += 1
                for event in tracker.take("a", out, now):
                    placed += isinstance(event, Placed)
                    removed += isinstance(event, Removed)
        if n == SETTLED:
            scales = Scales()
    assert scales is not None
    scales.check()
    absences = events // 10_000
    assert removed == absences - 1, "the first card is away from the start"
    assert placed == CARDS + removed
    assert seen == events - 50 * absences


def frame(body: bytes) -> bytes:
    """A frame of our own protocol, by the words of its page and not by the package's code."""
    data = body + binascii.crc_hqx(body, 0xFFFF).to_bytes(2, "big")
    return b"\0" + b"".join(bytes([len(part) + 1]) + part for part in data.split(b"\0")) + b"\0"


def bodies(data: bytes) -> list[bytes]:
    """The bodies of frames of the host, without a look at their checks."""
    found = []
    for piece in filter(None, data.split(b"\0")):
        body, rest = bytearray(), piece
        while rest:
            body += rest[1 : rest[0]] + b"\0"
            rest = rest[rest[0] :]
        found.append(bytes(body[:-3]))
    return [body for body in found if body]


class Board:
    """A reader with eight antennas, which answers requests and numbers its events."""

    def __init__(self) -> None:
        self.event = 0
        self.acknowledged = 0
        self._rest = b""

    def answers(self, data: bytes, now: float) -> bytes:
        return b"".join(frame(said) for body in bodies(data) if (said := self._answer(body, now)))

    def _answer(self, body: bytes, now: float) -> bytes:
        match body[0]:
            case 0x01:
                head = (
                    bytes([0x81, body[1], 1, 0, 0])
                    + body[6:10]
                    + bytes(8)
                    + bytes(3)
                    + b"\x29\x01\x08\x08\x60"
                )
                return head + (1000).to_bytes(2, "big") + self.event.to_bytes(4, "big") + b"\x00"
            case 0x02:
                return bytes([0x82, body[1], body[2], 1, 1, 1, 8, 1, 0])
            case 0x03:
                return bytes([0x83, body[1]]) + self.event.to_bytes(4, "big") + b"\x00\x01\x00"
            case 0x06:
                beat = int(now * 1000).to_bytes(4, "big") + self.event.to_bytes(4, "big") + bytes(4)
                return bytes([0x86, body[1]]) + beat + b"\x08" + b"\x01" * 8
            case 0x07:
                self.acknowledged = int.from_bytes(body[2:6], "big")
        return b""

    def tag(self, change: int, antenna: int, uid: bytes, now: float) -> bytes:
        self.event += 1
        head = b"\xc0\x00" + self.event.to_bytes(4, "big") + bytes([change, antenna, 1, 0x80])
        return frame(head + int(now * 1000).to_bytes(4, "big") + bytes([len(uid)]) + uid)


def own(events: int) -> None:
    """Our own protocol: a thousand cards a second put down or taken away, each told once and confirmed."""
    uids = [bytes((0x04, 0xA3, 0xC6, 0xCA, 0xE2, 0x61, n)) for n in range(CARDS)]
    tracker = Tracker(Book(Tag(Uid(uid), Kind.BLANK, uid.hex()) for uid in uids).known)
    tracker.add("a", OWN)
    board, reader = Board(), OwnReader(7)
    placed = removed = 0
    scales = None
    present: Callable[[int], bool] = lambda n: (n // CARDS) % 2 == 0  # noqa: E731 - 40 arrive, then they leave
    outputs, now = reader.start(0.0), 0.0
    for n in range(-1, events):
        while outputs:
            said = b""
            for out in outputs:
                if isinstance(out, Send):
                    said += board.answers(out.data, now)
                elif isinstance(out, Seen) or not isinstance(out, Listing):
                    for event in tracker.take("a", out, now):
                        placed += isinstance(event, Placed)
                        removed += isinstance(event, Removed)
            outputs = reader.feed(said, now) if said else []
        if n < 0:
            continue
        now = n / 1000
        card = n % CARDS
        outputs = reader.feed(board.tag(1 if present(n) else 2, card % 8, uids[card], now), now)
        if reader.wake is not None and reader.wake <= now:
            outputs += reader.tick(now)
        if n == SETTLED:
            scales = Scales()
    assert scales is not None
    scales.check()
    assert board.acknowledged >= events - 1
    assert reader.dropped == 0
    # The outputs of the last event are not carried out.
    assert (placed, removed) == (events // 2, events // 2 - 1)


@pytest.mark.slow
def test_an_hour_of_a_thousand_readings_a_second() -> None:
    inventory(HOUR)


@pytest.mark.slow
def test_six_minutes_of_a_thousand_events_a_second_in_our_own_protocol() -> None:
    own(HOUR // 10)


@pytest.mark.soak
def test_an_hour_of_a_thousand_events_a_second_in_our_own_protocol() -> None:
    own(HOUR)
