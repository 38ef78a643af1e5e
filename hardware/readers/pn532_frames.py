"""Frames of the PN532 (NXP UM0701, section 6.2): ``00 00 FF LEN LCS TFI … DCS 00``, acknowledgements,
errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

HOST, CHIP = 0xD4, 0xD5
_START = b"\x00\xff"
_MOST = 265
"""Bytes from TFI on that an extended frame of the chip may hold (UM0701, 6.2.1.2)."""


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """The chip has the command."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """The chip wants the command again, or calls it wrong (an error frame)."""


@dataclass(frozen=True, slots=True)
class Answer:
    """``code`` is that of the command plus one."""

    code: int
    data: bytes


Frame: TypeAlias = Acknowledged | Rejected | Answer


def command(*payload: int) -> bytes:
    """A command frame: the code and its parameters, at most 254 bytes."""
    body = bytes([HOST, *payload])
    size = len(body)
    return bytes([0, 0, 0xFF, size, -size & 0xFF]) + body + bytes([-sum(body) & 0xFF, 0])


class FrameDecoder:
    """Takes the chip's bytes in pieces of any size and gives back its frames.

    Each start code is tried; where lengths or sums do not hold, the search goes on one byte further, so that
    noise costs nothing that came after it.
    """

    def __init__(self) -> None:
        self._buffer = bytearray()

    @property
    def waiting(self) -> bool:
        """Whether half a frame is there."""
        return _START in self._buffer

    def clear(self) -> None:
        self._buffer.clear()

    def feed(self, data: bytes) -> list[Frame]:
        self._buffer += data
        return self._drain()

    def give_up(self) -> list[Frame]:
        """Half a frame will not be completed: what stands behind its start code."""
        at = self._buffer.find(_START)
        if at < 0:
            return []
        del self._buffer[: at + 1]
        return self._drain()

    def _drain(self) -> list[Frame]:
        found: list[Frame] = []
        buffer = self._buffer
        while True:
            at = buffer.find(_START)
            if at < 0:
                # The last zero may be the first half of a start code.
                del buffer[: len(buffer) - buffer.endswith(b"\x00")]
                return found
            del buffer[:at]
            size, frame = _frame(bytes(buffer[: _MOST + 8]))
            if size == 0:
                return found
            del buffer[:size]
            if frame is not None:
                found.append(frame)


def _frame(data: bytes) -> tuple[int, Frame | None]:
    """The frame ``data`` begins with and its size; size 0: not all there; size 1 and ``None``: no frame."""
    if len(data) < 4:
        return 0, None
    if data[2:4] == b"\x00\xff":
        return 4, Acknowledged()
    if data[2:4] == b"\xff\x00":
        return 4, Rejected()
    head, size = 4, data[2]
    if data[2:4] == b"\xff\xff":
        if len(data) < 7:
            return 0, None
        head, size = 7, int.from_bytes(data[4:6], "big")
        if (data[4] + data[5] + data[6]) & 0xFF:
            return 1, None
    elif (data[2] + data[3]) & 0xFF:
        return 1, None
    if not 0 < size <= _MOST:
        return 1, None
    end = head + size + 1
    if len(data) < end:
        return 0, None
    if sum(data[head:end]) & 0xFF:
        return 1, None
    body = data[head : end - 1]
    if body == b"\x7f":
        return end, Rejected()
    if body[0] != CHIP or len(body) < 2:
        return end, None
    return end, Answer(body[1], body[2:])
