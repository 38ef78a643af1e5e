"""Readers that speak by themselves: RDM6300, ID-12, programs that print lines, and keyboard wedges.

Their bytes are made here from the published formats; nothing is shared with the drivers that read them.
"""

from __future__ import annotations

import json

from .base import EmulatedReader

__all__ = ["EmulatedId12", "EmulatedNdjson", "EmulatedRdm6300", "EmulatedText", "EmulatedWedge"]

EVERY = 0.065
"""Seconds between two frames of an RDM6300 while a tag lies there."""


def _em4100(uid: bytes) -> bytes:
    """The ten digits of an id and its checksum, the exclusive or of its bytes."""
    total = 0
    for byte in uid:
        total ^= byte
    return b"%s%02X" % (uid.hex().upper().encode("ascii"), total)


class EmulatedRdm6300(EmulatedReader):
    """A frame every 65 ms while a tag lies there; two tags silence each other."""

    kind = "rdm6300"
    title = "RDM6300, 125 kHz"
    lengths = (5,)
    fresh = (b"\x13\x00", 5)

    def __init__(self, antennas: int = 1) -> None:
        super().__init__(antennas)
        self._next: float | None = None

    @property
    def wake(self) -> float | None:
        return self._next

    def arrived(self, uid: bytes, antenna: int, now: float) -> None:
        if self._next is None:
            self._next = now
            self.tick(now)

    def tick(self, now: float) -> None:
        if not self.on or self._next is None or now < self._next:
            return
        tags = self.audible(0)
        if len(tags) == 1:
            self._out += b"\x02" + _em4100(tags[0]) + b"\x03"
        self._next = now + EVERY if self.tags[0] else None

    def cut(self) -> None:
        super().cut()
        self._next = None


class EmulatedId12(EmulatedReader):
    """One frame when a tag comes near, and nothing else."""

    kind = "id12"
    title = "ID-12LA or ID-20LA, 125 kHz"
    lengths = (5,)
    fresh = (b"\x05\x00", 5)

    def arrived(self, uid: bytes, antenna: int, now: float) -> None:
        if self.audible(0) == (uid,):
            self._out += b"\x02" + _em4100(uid) + b"\r\n\x03"


class EmulatedText(EmulatedReader):
    """A sketch with the MFRC522 library that prints a line when a tag comes near; several chips are numbered.

    One chip reads one tag: with two, it reads none.
    """

    kind = "text"
    title = "an Arduino that prints lines"
    lengths = (4, 5, 7, 8, 10, 12)
    most_antennas = 8

    def started(self, now: float) -> None:
        self._out += b"Starting.\r\n"
        for antenna in range(len(self.tags)):
            self._version(antenna)
        super().started(now)

    def _version(self, antenna: int) -> None:
        code = b"0x00 = (unknown)" if antenna in self.deaf else b"0x92 = v2.0"
        self._out += b"%sFirmware Version: %s\r\n" % (self._number(antenna), code)

    def _number(self, antenna: int) -> bytes:
        return b"Reader %d: " % antenna if len(self.tags) > 1 else b""

    def arrived(self, uid: bytes, antenna: int, now: float) -> None:
        if antenna in self.deaf:
            return
        if len(self.tags[antenna]) > 1:
            self._out += b"%sTimeout in communication.\r\n" % self._number(antenna)
            return
        spelled = " ".join(f"{byte:02X}" for byte in uid).encode("ascii")
        self._out += b"%sCard UID: %s\r\n" % (self._number(antenna), spelled)

    def listen(self, antenna: int, deaf: bool, now: float) -> None:
        super().listen(antenna, deaf, now)
        if self.on:
            self._version(antenna)


class EmulatedNdjson(EmulatedReader):
    """A board that prints an object when a tag comes, and another one when it goes."""

    kind = "ndjson"
    title = "a board that prints JSON lines"
    most_antennas = 16

    def _say(self, **values: object) -> None:
        self._out += json.dumps(values, separators=(",", ":")).encode("ascii") + b"\n"

    def started(self, now: float) -> None:
        self._say(type="boot", fw_version="emulated", reason="power on")
        super().started(now)

    def arrived(self, uid: bytes, antenna: int, now: float) -> None:
        if antenna not in self.deaf:
            self._say(type="tag_on", antenna=antenna, uid=uid.hex().upper())

    def left(self, uid: bytes, antenna: int, now: float) -> None:
        if antenna not in self.deaf:
            self._say(type="tag_off", antenna=antenna, uid=uid.hex().upper())


class EmulatedWedge(EmulatedReader):
    """A reader that types like a keyboard: ten decimal digits of the last four bytes, as is usual at 125 kHz,
    or the whole id in hexadecimal where it is longer than five bytes."""

    kind = "wedge"
    title = "a reader that types like a keyboard"
    lengths = (4, 5, 7, 8, 12)
    fresh = (b"\x13\x00", 5)

    def arrived(self, uid: bytes, antenna: int, now: float) -> None:
        if len(uid) > 5:
            self._out += uid.hex().upper().encode("ascii") + b"\n"
        else:
            self._out += b"%010d\n" % int.from_bytes(uid[-4:], "big")
