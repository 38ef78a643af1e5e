"""From a stream of bytes to messages: what stands between two ends, and never more of it than the longest."""

from __future__ import annotations

from collections.abc import Callable

from .errors import MalformedMessage
from .messages import Message


class StreamDecoder:
    """Takes a stream in pieces of any size and gives back its messages and what was wrong in between.

    Synchronised again at every ``end``. It holds at most ``most`` bytes: longer noise is thrown away, and
    ``too_long`` is then what was wrong. Nothing between two ends is nothing.
    """

    def __init__(self, end: bytes, most: int, decode: Callable[[bytes], Message], too_long: str) -> None:
        self._end = end
        self._most = most
        self._decode = decode
        self._too_long_text = too_long
        self._buffer = bytearray()
        self._too_long = False

    def feed(self, data: bytes) -> list[Message | MalformedMessage]:
        """Messages and errors in the order in which they ended."""
        found: list[Message | MalformedMessage] = []
        *ended, rest = data.split(self._end)
        for piece in ended:
            self._add(piece)
            if self._buffer or self._too_long:
                found.append(self._finish())
        self._add(rest)
        return found

    def _add(self, piece: bytes) -> None:
        if self._too_long or len(self._buffer) + len(piece) > self._most:
            self._too_long = True
            self._buffer.clear()
        else:
            self._buffer += piece

    def _finish(self) -> Message | MalformedMessage:
        content, too_long = bytes(self._buffer), self._too_long
        self._buffer.clear()
        self._too_long = False
        if too_long:
            return MalformedMessage(self._too_long_text)
        try:
            return self._decode(content)
        except MalformedMessage as error:
            return error
