"""R200, YRM100, JRD-4035 and M5Stack's unit for UHF tags (EPC Gen2): many tags at once, as a stream of
notices.

A frame is ``BB type command length(2) parameters checksum 7E``; the checksum is the low byte of the sum from
the type on. Both marks also occur inside, so a frame is read by its length, and where that does not hold the
search goes on one byte further. State: *asked* to poll many times; notices, and one "no tag" per empty round,
come until the rounds are used up; silence means that the module must be asked again.
"""

from __future__ import annotations

from ..uids import MOST_BYTES, Technology, Uid
from .base import Failed, Health, Output, Presence, Profile, Seen, Send

STOP = bytes.fromhex("BB00280000287E")
POLL_MANY = bytes.fromhex("BB0027000322FFFF4A7E")

SILENCE = 2.0
"""Seconds without a frame after which the module is asked again: a round takes less than 100 ms."""

PATIENCE = 0.3
"""Seconds after which half a frame is given up; the longest takes 7 ms on the wire."""

TRIES = 3
"""Times that a silent module is asked before it counts as gone: one question may be lost on the wire."""

R200 = Profile(
    "r200",
    "R200, YRM100 and similar (UHF)",
    Presence.REPEATED,
    0.2,
    (115200,),
    Technology.EPC,
    most_tags=50,
    commanded=True,
)

_HEAD, _END = 0xBB, 0x7E
_LONGEST = 128
"""Bytes of parameters: the longest notice has 67, and texts about the module are shorter than that."""
_NOTICE = (0x02, 0x22)
_ERROR = (0x01, 0xFF)
_NO_TAG = 0x15


class R200Reader:
    """Drives one module. See the module for its states."""

    profile = R200

    def __init__(self) -> None:
        self._reset()

    def _reset(self) -> None:
        self._buffer = bytearray()
        self._since = 0.0
        self._asked: float | None = None
        self._tries = 0
        self._well: bool | None = None

    @property
    def wake(self) -> float | None:
        waits = [self._since + PATIENCE] if self._buffer else []
        if self._asked is not None:
            waits.append(self._asked)
        return min(waits, default=None)

    def start(self, now: float) -> list[Output]:
        self._reset()
        self._asked = now + SILENCE
        return [Send(STOP + POLL_MANY)]

    def tick(self, now: float) -> list[Output]:
        out: list[Output] = []
        if self._buffer and now >= self._since + PATIENCE:
            while self._buffer:
                del self._buffer[:1]
                out += self._drain(now)
        if self._asked is not None and now >= self._asked:
            self._tries += 1
            self._asked = now + SILENCE
            if self._tries >= TRIES:
                out += self._judge(
                    False, "The UHF module does not answer: some need their EN or DTR line high."
                )
            out.append(Send(POLL_MANY))
        return out

    def feed(self, data: bytes, now: float) -> list[Output]:
        self._since = now
        self._buffer += data
        return self._drain(now)

    def _judge(self, well: bool, why: str) -> list[Output]:
        if self._well is well:
            return []
        self._well = well
        return [Health(well, why)]

    def _drain(self, now: float) -> list[Output]:
        out: list[Output] = []
        buffer = self._buffer
        at = 0
        while True:
            at = buffer.find(_HEAD, at)
            if at < 0:
                buffer.clear()
                return out
            size = _size(buffer, at)
            if size is None:
                del buffer[:at]
                return out
            if size == 0:
                at += 1
                continue
            out += self._frame(bytes(buffer[at : at + size]), now)
            at += size

    def _frame(self, frame: bytes, now: float) -> list[Output]:
        self._tries = 0
        if self._asked is not None:
            self._asked = now + SILENCE
        out = self._judge(True, "The reader answers.")
        kind, parameters = (frame[1], frame[2]), frame[5:-2]
        if kind == _NOTICE:
            seen = _notice(parameters)
            return [*out, seen] if seen is not None else out
        if kind == _ERROR and parameters and parameters[0] != _NO_TAG:
            out.append(Failed(f"the module reports error {parameters[0]:02X}"))
        return out


def _size(buffer: bytearray, at: int) -> int | None:
    """The size of the frame at ``at``; 0: there is none; ``None``: it is not all there."""
    if len(buffer) < at + 5:
        return None
    length = buffer[at + 3] << 8 | buffer[at + 4]
    if length > _LONGEST:
        return 0
    end = at + 5 + length + 2
    if len(buffer) < end:
        return None
    whole = buffer[end - 1] == _END and sum(buffer[at + 1 : end - 2]) & 0xFF == buffer[end - 2]
    return end - at if whole else 0


def _notice(parameters: bytes) -> Seen | None:
    """``RSSI PC(2) EPC CRC(2)``; the upper five bits of PC are the EPC's length in words."""
    if len(parameters) < 5:
        return None
    size = 2 * (parameters[1] >> 3)
    if not 0 < size <= MOST_BYTES or len(parameters) != 3 + size + 2:
        return None
    strength = parameters[0] - 256 if parameters[0] > 127 else parameters[0]
    return Seen(Uid(parameters[3 : 3 + size], Technology.EPC), strength=strength)
