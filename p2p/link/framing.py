"""Frames on a stream of bytes: a length of four bytes, big-endian, then that many bytes. No I/O."""

from __future__ import annotations

from .errors import FrameRefused

LENGTH_SIZE = 4


def frame(payload: bytes) -> bytes:
    """``payload`` (1 to 2^32 - 1 bytes) with its length in front."""
    if not payload:
        raise ValueError("a frame is never empty")
    return len(payload).to_bytes(LENGTH_SIZE, "big") + payload


class FrameDecoder:
    """Takes a stream in pieces of any size and gives back its frames.

    A length is checked as soon as it is there, before any of its bytes are waited for, so that a stranger
    cannot make us keep more than ``maximum`` bytes and one read. ``maximum`` may be raised between frames: it
    is small until the other side is authenticated.
    """

    def __init__(self, maximum: int) -> None:
        self.maximum = maximum
        self._buffer = bytearray()

    def feed(self, data: bytes) -> None:
        """Take bytes as they arrived."""
        self._buffer += data

    def next_frame(self) -> bytes | None:
        """The next whole frame, or ``None`` while bytes are missing. Raises ``FrameRefused`` for a bad
        length."""
        if len(self._buffer) < LENGTH_SIZE:
            return None
        size = int.from_bytes(self._buffer[:LENGTH_SIZE], "big")
        if not 0 < size <= self.maximum:
            raise FrameRefused(size=size, maximum=self.maximum)
        end = LENGTH_SIZE + size
        if len(self._buffer) < end:
            return None
        payload = bytes(self._buffer[LENGTH_SIZE:end])
        del self._buffer[:end]
        return payload
