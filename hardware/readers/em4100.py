"""RDM630, RDM6300, ID-2, ID-12 and ID-20 (LA), and others that send EM4100 ids over 9600 baud.

A frame is STX, ten hexadecimal digits (a version byte and four of the id), a checksum (the XOR of the five
bytes) and ETX. The checksum is two digits, or one raw byte; ID-12 and ID-20 put CR LF before the ETX.

State: *idle* until an STX; *digits* while hexadecimal digits come; *tail* after the tenth. Anything
unexpected ends the frame; an STX among the digits starts a new one, so half a frame costs nothing but itself.
Only the place of the raw checksum may hold any byte, STX included, and is then read both ways.
"""

from __future__ import annotations

from ..uids import Technology, Uid
from .base import Output, Presence, Profile, Seen

STX, ETX = 0x02, 0x03
_DIGITS = frozenset(b"0123456789ABCDEFabcdef")
_ID = 10
_LONGEST = 16
"""Bytes of the longest frame: STX, ten digits, two of the checksum, CR, LF, ETX."""

PATIENCE = 0.5
"""Seconds after which half a frame is given up. Its bytes take 15 ms; adapters were seen to pause for 200."""

RDM6300 = Profile(
    "rdm6300",
    "RDM6300 and similar (125 kHz)",
    Presence.REPEATED,
    0.065,
    (9600,),
    Technology.EM4100,
)
ID12 = Profile(
    "id12",
    "ID-12LA and ID-20LA (125 kHz)",
    Presence.EDGE,
    0.065,
    (9600,),
    Technology.EM4100,
)


class Em4100Reader:
    """A reader that sends frames by itself. Which of the two profiles it has, its frames do not tell for
    sure."""

    def __init__(self, profile: Profile = RDM6300) -> None:
        self.profile = profile
        self._frame = bytearray()
        self._since = 0.0

    @property
    def wake(self) -> float | None:
        return self._since + PATIENCE if self._frame else None

    def start(self, now: float) -> list[Output]:
        self._frame.clear()
        return []

    def tick(self, now: float) -> list[Output]:
        if self._frame and now >= self._since + PATIENCE:
            self._frame.clear()
        return []

    def feed(self, data: bytes, now: float) -> list[Output]:
        self.tick(now)
        self._since = now
        out: list[Output] = []
        for byte in data:
            uid = self._take(byte)
            if uid is not None:
                out.append(Seen(Uid(uid, Technology.EM4100)))
        return out

    def _take(self, byte: int) -> bytes | None:
        frame = self._frame
        if not frame:
            if byte == STX:
                frame.append(byte)
            return None
        frame.append(byte)
        if len(frame) <= _ID + 1:
            if byte not in _DIGITS:
                self._restart(byte)
            return None
        if byte == ETX and len(frame) > _ID + 2:
            found = _decoded(bytes(frame))
            # A raw checksum may itself be 03, so a frame that does not hold is given the rest of its length.
            if found is not None or len(frame) >= _LONGEST:
                frame.clear()
            return found
        if len(frame) > _ID + 2 and byte == STX:
            self._restart(byte)
        elif len(frame) >= _LONGEST:
            self._resume()
        return None

    def _restart(self, byte: int) -> None:
        self._frame.clear()
        if byte == STX:
            self._frame.append(byte)

    def _resume(self) -> None:
        """Not a frame: look for the beginning of one in what was taken for its tail."""
        tail = bytes(self._frame[1:])
        self._frame.clear()
        at = tail.find(STX)
        if at >= 0:
            for byte in tail[at:]:
                self._take(byte)


def _decoded(frame: bytes) -> bytes | None:
    """The five bytes of a whole frame, or ``None`` if its checksum does not hold."""
    data = bytes.fromhex(frame[1 : _ID + 1].decode("ascii"))
    wanted = 0
    for byte in data:
        wanted ^= byte
    rest = frame[_ID + 1 : -1]
    tail = rest.removesuffix(b"\r\n")
    if len(tail) == 2 and all(byte in _DIGITS for byte in tail):
        return data if int(tail, 16) == wanted else None
    raw = next((form for form in (rest, tail) if len(form) == 1), None)
    return data if raw is not None and raw[0] == wanted else None
