"""What all emulated readers have in common: tags on antennas, bytes out, and what they show."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

__all__ = ["EmulatedReader", "Unreadable", "sentence_of_lengths"]


class Unreadable(ValueError):
    """A tag that this reader cannot read, or an antenna it does not have. The message is one sentence."""


class EmulatedReader(ABC):
    """One reader on a port, without radio and without I/O: tags and the host's bytes go in, its bytes come
    out of `sent`.

    ``now`` is in seconds on a clock that never goes back. A reader is switched off until `power`.
    """

    kind: ClassVar[str]
    title: ClassVar[str]
    lengths: ClassVar[tuple[int, ...]] = ()
    """Bytes of the ids it can read; empty: any."""
    fresh: ClassVar[tuple[bytes, int]] = (b"\x04", 7)
    """How the id of a tag that was made for it begins, and its length."""
    most_antennas: ClassVar[int] = 1

    def __init__(self, antennas: int = 1) -> None:
        """Raises `Unreadable` for more ``antennas`` than such a reader has."""
        if not 1 <= antennas <= self.most_antennas:
            if self.most_antennas == 1:
                raise Unreadable(f"A {self.kind} has one antenna.")
            raise Unreadable(f"A {self.kind} has 1 to {self.most_antennas} antennas.")
        self.tags: list[list[bytes]] = [[] for _ in range(antennas)]
        self.deaf: set[int] = set()
        self.on = False
        self._out = bytearray()
        self._shown: list[str] = []

    @property
    def wake(self) -> float | None:
        """When `tick` wants to be called; ``None``: when there is nothing to wait for."""
        return None

    def sent(self) -> bytes:
        """What the reader has written since the last call."""
        data = bytes(self._out)
        self._out.clear()
        return data

    def shown(self) -> list[str]:
        """What its lights and its buzzer have done since the last call, as sentences."""
        told, self._shown = self._shown, []
        return told

    def power(self, now: float) -> None:
        """The reader gets power: it starts, and finds the tags that lie there."""
        self.on = True
        self._out.clear()
        self.started(now)

    def cut(self) -> None:
        """The reader loses its power; the tags stay where they are."""
        self.on = False
        self._out.clear()

    def check(self, uid: bytes, antenna: int) -> None:
        """Raises `Unreadable` where the reader could not read this tag there."""
        if not 0 <= antenna < len(self.tags):
            last = len(self.tags) - 1
            if last == 0:
                raise Unreadable(f"There is no antenna {antenna}: this reader has antenna 0 only.")
            raise Unreadable(f"There is no antenna {antenna}: this reader has antennas 0 to {last}.")
        if uid and self.lengths and len(uid) not in self.lengths:
            lengths, spelled = sentence_of_lengths(self.lengths), uid.hex().upper()
            raise Unreadable(f"A {self.kind} reads ids of {lengths} bytes, and {spelled} has {len(uid)}.")

    def place(self, uid: bytes, antenna: int, now: float) -> None:
        """A tag is laid on an antenna; wherever it lay before, it does so no more. Raises `Unreadable`."""
        self.check(uid, antenna)
        if uid in self.tags[antenna]:
            return
        self.remove(uid, None, now)
        self.tags[antenna].append(uid)
        if self.on:
            self.arrived(uid, antenna, now)

    def remove(self, uid: bytes | None, antenna: int | None, now: float) -> list[bytes]:
        """A tag is taken away: ``uid``, or whatever lies on ``antenna``, or everything. The tags that were
        there."""
        gone: list[bytes] = []
        for number, tags in enumerate(self.tags):
            if antenna not in {None, number}:
                continue
            for each in [tag for tag in tags if uid in {None, tag}]:
                tags.remove(each)
                gone.append(each)
                if self.on:
                    self.left(each, number, now)
        return gone

    def listen(self, antenna: int, deaf: bool, now: float) -> None:
        """The chip of an antenna dies or lives again. Raises `Unreadable`."""
        self.check(b"", antenna)
        (self.deaf.add if deaf else self.deaf.discard)(antenna)

    def audible(self, antenna: int) -> Sequence[bytes]:
        """The tags an antenna hears now."""
        return () if antenna in self.deaf else tuple(self.tags[antenna])

    def noise(self, data: bytes) -> None:
        """The line, or a loose plug, adds bytes of its own."""
        if self.on:
            self._out += data

    def feed(self, data: bytes, now: float) -> None:  # noqa: B027  # most readers do not listen
        """Bytes of the host have arrived."""

    def tick(self, now: float) -> None:  # noqa: B027  # most readers say something only when something happens
        """Time has passed."""

    def started(self, now: float) -> None:
        """The reader has started; by default it finds the tags that lie there one after the other."""
        for antenna, tags in enumerate(self.tags):
            for uid in tags:
                self.arrived(uid, antenna, now)

    @abstractmethod
    def arrived(self, uid: bytes, antenna: int, now: float) -> None:
        """A tag has come near."""

    def left(self, uid: bytes, antenna: int, now: float) -> None:  # noqa: B027  # most readers do not notice
        """A tag has gone."""


def sentence_of_lengths(lengths: Sequence[int]) -> str:
    """``4, 7 or 10``; a long row is told by its ends."""
    if len(lengths) > 4:
        return f"{lengths[0]} to {lengths[-1]}"
    *some, last = map(str, lengths)
    return f"{', '.join(some)} or {last}" if some else last
