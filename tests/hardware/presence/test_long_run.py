"""An hour at a thousand events a second, on a clock that runs faster: none lost, and no memory taken."""

import gc
import sys

import pytest

from hardware.events import Placed, Removed
from hardware.readers import Seen
from hardware.tags import Book, Kind, Tag
from hardware.uids import Uid

from .table import PROFILES, Tracker, make

CARDS = 40
NOTICE = bytes.fromhex("BB02220011CF3000E280699500005009F1286992620A6D7E")


def notice(card: int) -> bytes:
    """The notice of a real module with another last byte of the id, and the checksum to it."""
    frame = bytearray(NOTICE)
    frame[19] = card
    frame[-2] = sum(frame[1:-2]) & 0xFF
    return bytes(frame)


def run(events: int) -> None:
    reader = make("r200")
    book = Book(Tag(Uid(notice(n)[8:20]), Kind.BLANK, str(n)) for n in range(CARDS))
    tracker = Tracker(book.known)
    tracker.add("a", PROFILES["r200"])
    reader.start(0.0)
    seen = placed = removed = 0
    held = 0
    # Every ten seconds another card is away for two.
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
        if n == 40_000:
            gc.collect()
            held = sys.getallocatedblocks()
    gc.collect()
    grown = sys.getallocatedblocks() - held
    absences = events // 10_000
    assert removed == absences - 1, "the first card is away from the start"
    assert placed == CARDS + removed
    assert seen == events - 50 * absences
    assert grown < 1_000


@pytest.mark.slow
def test_six_minutes_of_a_thousand_events_a_second() -> None:
    run(360_000)


@pytest.mark.soak
def test_an_hour_of_a_thousand_events_a_second() -> None:
    run(3_600_000)
