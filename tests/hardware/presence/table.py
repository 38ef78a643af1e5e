"""A table for the tests of presence: readers, a clock that is turned by hand, and the events so far."""

from collections.abc import Callable

from hardware.events import Event, Place, Placed, Removed
from hardware.presence import Tracker
from hardware.readers import PROFILES, Listing, Output, Reader, Reading, Seen, Send, make
from hardware.uids import Uid


def uid(text: str) -> Uid:
    return Uid(bytes.fromhex(text))


CARD = uid("13005D1DA5")
NINE = uid("04A3C6CAE26180")
FIVE = uid("45C52583")


def book(*uids: Uid) -> Callable[[Uid], Uid | None]:
    by_bytes = {each.data: each for each in uids}
    return lambda seen: by_bytes.get(seen.data)


class Table:
    """``a`` and ``b`` are readers of the kind ``kind``; time passes in steps no longer than 20 ms."""

    def __init__(self, kind: str = "rdm6300", *known: Uid) -> None:
        self.now = 100.0
        self.tracker = Tracker(book(*(known or (CARD, NINE, FIVE))))
        for name in ("a", "b"):
            self.tracker.add(name, PROFILES[kind])
        self.events: list[Event] = []

    def pass_time(self, seconds: float) -> None:
        end = self.now + seconds
        while self.now < end - 1e-9:
            self.now = min(end, self.now + 0.02)
            if self.tracker.wake is not None and self.tracker.wake <= self.now:
                self.events += self.tracker.tick(self.now)
                assert self.tracker.wake is None or self.tracker.wake > self.now

    def take(self, reading: Reading, reader: str = "a") -> None:
        self.events += self.tracker.take(reader, reading, self.now)

    def see(self, tag: Uid, reader: str = "a", strength: int | None = None) -> None:
        self.take(Seen(tag, 0, strength), reader)

    def listing(self, *tags: Uid, reader: str = "a", final: bool = False) -> None:
        self.take(Listing(tags, 0, final), reader)

    def feed(self, reader: Reader, data: bytes, name: str = "a") -> None:
        self.deliver(reader.feed(data, self.now), name)

    def deliver(self, outputs: list[Output], name: str = "a") -> None:
        for out in outputs:
            if not isinstance(out, Send):
                self.take(out, name)

    def names(self) -> list[str]:
        return [type(event).__name__ for event in self.events]

    def story(self) -> list[tuple[str, str]]:
        """Placed and removed, with the reader."""
        return [
            (type(event).__name__, event.place.reader)
            for event in self.events
            if isinstance(event, Placed | Removed)
        ]


A, B = Place("a"), Place("b")
__all__ = ["CARD", "FIVE", "NINE", "A", "B", "Table", "book", "make", "uid"]
