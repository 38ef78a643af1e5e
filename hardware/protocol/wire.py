"""How messages become bytes on a link, and how a host finds out which form its reader speaks."""

from __future__ import annotations

from typing import Protocol

from .binary import FrameDecoder, encode
from .errors import MalformedMessage
from .messages import Message
from .text import LineDecoder, encode_line


class Wire(Protocol):
    """One form of the protocol on one link."""

    def encode(self, message: Message) -> bytes:
        """The bytes of a message; raises ``InvalidMessage``."""

    def feed(self, data: bytes) -> list[Message | MalformedMessage]:
        """What bytes that arrived complete, in order."""


class BinaryWire:
    """COBS frames."""

    def __init__(self) -> None:
        self._decoder = FrameDecoder()

    def encode(self, message: Message) -> bytes:
        """See ``Wire``."""
        return encode(message)

    def feed(self, data: bytes) -> list[Message | MalformedMessage]:
        """See ``Wire``."""
        return self._decoder.feed(data)


class LineWire:
    """Lines of JSON. ``check``: with a CRC, as on a serial line; without, as over MQTT."""

    def __init__(self, check: bool = True) -> None:
        self._check = check
        self._decoder = LineDecoder(check)

    def encode(self, message: Message) -> bytes:
        """See ``Wire``."""
        return encode_line(message, self._check)

    def feed(self, data: bytes) -> list[Message | MalformedMessage]:
        """See ``Wire``."""
        return self._decoder.feed(data)


class DetectingWire:
    """Speaks both forms until a message arrives in one of them, and that one from then on.

    Each form is noise to the other: a frame has a zero of its own at each end, and the line has a line end
    before it, as the next one has. What cannot be decoded before the form is known is noise, and no error.
    """

    def __init__(self) -> None:
        self._binary, self._line = BinaryWire(), LineWire()
        self.known: Wire | None = None

    def encode(self, message: Message) -> bytes:
        """See ``Wire``."""
        if self.known is not None:
            return self.known.encode(message)
        return b"\n" + self._line.encode(message) + self._binary.encode(message) + b"\n"

    def feed(self, data: bytes) -> list[Message | MalformedMessage]:
        """See ``Wire``."""
        if self.known is not None:
            return self.known.feed(data)
        for wire in (self._binary, self._line):
            found = wire.feed(data)
            start = next((at for at, item in enumerate(found) if isinstance(item, Message)), None)
            if start is not None:
                self.known = wire
                return found[start:]
        return []
