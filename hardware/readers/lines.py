"""Lines in a stream of bytes, as boards print them: any line end, none at all, and garbage in between."""

from __future__ import annotations

from dataclasses import dataclass

IDLE = 0.2
"""Seconds of silence that end a line of a board that sends no line ends."""

STALE = 2.0
"""Seconds after which half a line is given up, of a board that does send line ends."""

SETTLE = 0.1
"""Seconds after the port was opened: a byte that comes earlier is in the middle of a line that began
before."""

LONGEST = 256
"""Bytes of a line. The longest line of the known programs has about 80."""

WINDOW = 1.0
FEWEST = 24
GARBLED = 0.3
"""A wrong speed shows as bytes outside ASCII: more than 30 % of at least 24 bytes within a second."""

_TAB, _LF, _CR, _DELETE = 0x09, 0x0A, 0x0D, 0x7F


@dataclass(frozen=True, slots=True)
class Line:
    """``whole`` is false for a piece next to bytes that are no text."""

    text: str
    whole: bool


class Lines:
    """Takes bytes, gives lines. Empty lines are left out; so are longer ones than ``longest``."""

    def __init__(self, longest: int = LONGEST) -> None:
        self._longest = longest
        self._reset(0.0)
        self._skipping = False

    def _reset(self, now: float) -> None:
        self._line = bytearray()
        self._whole = True
        self._ended = False
        self._skipping = True
        self._started = self._since = self._window = now
        self._bytes = 0
        self._odd = 0

    @property
    def wake(self) -> float | None:
        if not (self._line or self._skipping):
            return None
        return self._since + (STALE if self._ended and not self._skipping else IDLE)

    def start(self, now: float) -> None:
        """The port is open: what comes at once may be the end of a line."""
        self._reset(now)

    def tick(self, now: float) -> list[Line]:
        """The line that silence has ended, if any."""
        if self._skipping:
            if now >= self._since + IDLE:
                self._skipping = False
                self._line.clear()
            return []
        if not self._line or now < self._since + (STALE if self._ended else IDLE):
            return []
        if self._ended:
            # Half a line of seven bytes may look like a whole one of four.
            self._drop()
            return []
        return self._end()

    def feed(self, data: bytes, now: float) -> list[Line]:
        found = self.tick(now)
        if self._skipping and now >= self._started + SETTLE and self._since == self._started:
            self._skipping = False
        self._since = now
        self._count(data, now)
        for byte in data:
            if byte in {_LF, _CR}:
                self._ended = True
                if self._skipping:
                    self._skipping = False
                    self._drop()
                else:
                    found += self._end()
            elif (byte < 0x20 and byte != _TAB) or byte == _DELETE:
                self._whole = False
                found += self._end()
                self._whole = False
            else:
                self._line.append(byte)
                if len(self._line) > self._longest:
                    del self._line[:-1]
                    self._whole = False
        return found

    def garbled(self) -> bool:
        """Whether the last second looks like a wrong speed; asked once, it counts anew."""
        answer = self._bytes >= FEWEST and self._odd > GARBLED * self._bytes
        if answer:
            self._bytes = self._odd = 0
        return answer

    def _count(self, data: bytes, now: float) -> None:
        if now >= self._window + WINDOW:
            self._window, self._bytes, self._odd = now, 0, 0
        self._bytes += len(data)
        self._odd += sum(1 for byte in data if byte > 0x7E or (byte < 0x20 and byte not in {_TAB, _LF, _CR}))

    def _drop(self) -> None:
        self._line.clear()
        self._whole = True

    def _end(self) -> list[Line]:
        raw, whole = bytes(self._line), self._whole
        self._drop()
        try:
            text = raw.decode("utf-8").strip()
        except UnicodeDecodeError:
            text, whole = raw.decode("ascii", "replace").strip(), False
        return [Line(text, whole)] if text else []
