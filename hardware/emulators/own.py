"""A reader that speaks our own protocol (`firmware_protocol.md`), in its binary form: the reader's side.

```
            hello                            any valid frame of the host: the 10 s begin again
   SILENT ----------> IN SESSION ---+
     ^  any other         |   ^     |        hello: a new session, as from SILENT
     |  request:          |   +-----+
     |  refused           |
     +--- bye, 10 s without a valid frame, power cut
```

Written from the specification alone; the host's side in `hardware.protocol` is not used.
"""

from __future__ import annotations

from dataclasses import dataclass

from .base import EmulatedReader

__all__ = ["EmulatedShoal"]

PATIENCE = 10.0
"""Seconds without a valid frame after which a session ends (section 6)."""

REPEAT = 0.25
"""Seconds after which events are sent again that were not acknowledged (section 7)."""

WINDOW = 8
"""Events that it keeps while they are not acknowledged (section 7)."""

MOST_TAGS = 60
"""Tags that an antenna tells apart: those of a whole pile, as with ISO 15693."""

LONGEST_BODY = 94
LONGEST_FRAME = 97
"""Bytes of a body, and of a frame with check and COBS (section 12)."""

HELLO, DESCRIBE, SNAPSHOT, FEEDBACK, CONFIGURE, STATUS, ACK, BYE = range(1, 9)
UNSUPPORTED, MALFORMED, VERSION, NO_SESSION, NO_ANTENNA, NOT_ABLE = range(1, 7)
CAN_FEEDBACK, CAN_CONFIGURE = 1, 2
_FEATURES = 0b111
_PATTERNS = ("off", "green", "red", "blinking green", "blinking green and red", "blinking red")
_SOUNDS = ("no beep", "a short beep", "two beeps", "a long beep")
_LENGTHS = {HELLO: 8, DESCRIBE: 1, SNAPSHOT: 0, FEEDBACK: 7, CONFIGURE: 8, STATUS: 0, ACK: 4, BYE: 0}
"""Bytes of each request after its code and number."""


def crc16(data: bytes) -> int:
    """CRC-16/IBM-3740, bit by bit (section 3)."""
    rest = 0xFFFF
    for byte in data:
        rest ^= byte << 8
        for _ in range(8):
            rest = (rest << 1) ^ 0x1021 if rest & 0x8000 else rest << 1
            rest &= 0xFFFF
    return rest


def framed(body: bytes) -> bytes:
    """A body with its check, stuffed, between zeros (section 3)."""
    data = body + crc16(body).to_bytes(2, "big")
    return b"\x00" + b"".join(bytes([len(piece) + 1]) + piece for piece in data.split(b"\x00")) + b"\x00"


def unframed(stuffed: bytes) -> bytes | None:
    """The body of what stood between two zeros; ``None`` where it is damaged."""
    pieces = []
    at = 0
    while at < len(stuffed):
        end = at + stuffed[at]
        if end > len(stuffed):
            return None
        pieces.append(stuffed[at + 1 : end])
        at = end
    data = b"\x00".join(pieces)
    return data[:-2] if len(data) >= 4 and crc16(data) == 0 else None


@dataclass(slots=True)
class _Settings:
    """What ``configure`` sets, with the limits of this reader."""

    poll_ms: int = 60
    arrive_reads: int = 2
    leave_reads: int = 3
    leave_ms: int = 400
    heartbeat_ms: int = 1000

    LIMITS = ((20, 1000), (1, 10), (1, 20), (100, 5000), (250, 10_000))

    def values(self) -> list[int]:
        return [self.poll_ms, self.arrive_reads, self.leave_reads, self.leave_ms, self.heartbeat_ms]


@dataclass(slots=True)
class _Session:
    """``spoken``: when the host was last heard; ``again``: when events are sent again."""

    features: int
    spoken: float
    heartbeat: float
    again: float = 0.0


class EmulatedShoal(EmulatedReader):
    """Up to 32 antennas that each tell a whole pile of tags apart, with lights and a buzzer."""

    kind = "shoal"
    title = "a reader that speaks our own protocol"
    lengths = tuple(range(4, 33))
    most_antennas = 32

    def __init__(self, antennas: int = 1, device: bytes = b"SHRemul\x01", boot: int = 0) -> None:
        """``device`` is its number of 8 bytes; ``boot`` counts its starts, this one not yet included."""
        super().__init__(antennas)
        self._device = device
        self._boot = boot
        self._settings = _Settings()
        self._believed: dict[int, tuple[bytes, ...]] = {}
        self._reset(0.0)

    def _reset(self, now: float) -> None:
        self._heard = bytearray()
        self._skipping = False
        self._session: _Session | None = None
        self._since = now
        self._event = 0
        self._kept: dict[int, bytes] = {}
        self._bad = self._lost = 0
        self._done: dict[int, int] = {}
        self._crowded: set[int] = set()

    @property
    def wake(self) -> float | None:
        session = self._session
        if not self.on or session is None:
            return None
        times = [session.heartbeat, session.spoken + PATIENCE]
        return min([*times, session.again] if self._kept else times)

    def started(self, now: float) -> None:
        self._boot = (self._boot + 1) % (1 << 32)
        self._settings = _Settings()
        self._reset(now)
        self._believed = dict.fromkeys(sorted(self.deaf), ())  # of a chip that was deaf from the start on
        super().started(now)

    # Tags.

    def arrived(self, uid: bytes, antenna: int, now: float) -> None:
        if len(self.tags[antenna]) > MOST_TAGS:
            self._crowded.add(antenna)
        elif antenna not in self.deaf:
            self._changed(1, uid, antenna, now)

    def left(self, uid: bytes, antenna: int, now: float) -> None:
        if antenna not in self.deaf:
            self._changed(2, uid, antenna, now)

    def listen(self, antenna: int, deaf: bool, now: float) -> None:
        last = self._present(antenna) if 0 <= antenna < len(self.tags) else ()
        super().listen(antenna, deaf, now)
        if deaf:
            self._believed.setdefault(antenna, last)
            return
        # What was changed meanwhile is noticed now. That a chip was deaf removed nothing.
        self._believed.pop(antenna, None)
        if self.on:
            for uid in [each for each in last if each not in self.tags[antenna]]:
                self._changed(2, uid, antenna, now)
            for uid in [each for each in self.tags[antenna] if each not in last]:
                self._changed(1, uid, antenna, now)

    def _changed(self, change: int, uid: bytes, antenna: int, now: float) -> None:
        self._event += 1
        body = b"".join(
            (
                bytes([0xC0, 0]),
                self._event.to_bytes(4, "big"),
                bytes([change, antenna, _technology(uid), 0x80]),
                self._uptime(now),
                bytes([len(uid)]) + uid,
            )
        )
        if self._session is None:
            return
        if len(self._kept) >= WINDOW:
            del self._kept[min(self._kept)]
            self._lost = (self._lost + 1) & 0xFFFF
        if not self._kept:
            self._session.again = now + REPEAT
        self._kept[self._event] = body
        self._say(body)

    # The line.

    def feed(self, data: bytes, now: float) -> None:
        if not self.on:
            return
        for byte in data:
            if byte == 0:
                if self._heard and not self._skipping:
                    self._frame(bytes(self._heard), now)
                self._heard.clear()
                self._skipping = False
            elif len(self._heard) < LONGEST_FRAME:
                self._heard.append(byte)
            elif not self._skipping:
                self._skipping = True
                self._count_bad()

    def _frame(self, stuffed: bytes, now: float) -> None:
        body = unframed(stuffed)
        if body is None:
            self._count_bad()
            return
        code, seq = body[0], body[1]
        if code >= 0x80 or (seq == 0) != (code == ACK):
            return  # an echo of its own, or a request without a number: not answered (section 11)
        if self._session is not None:
            self._session.spoken = now
        answer = self._answer(code, body[2:], now)
        for part in answer:
            self._say(bytes([part[0], seq]) + part[1:])

    def _answer(self, code: int, fields: bytes, now: float) -> list[bytes]:
        """The replies to a request, each without its ``seq``."""
        if code == HELLO:
            return self._hello(fields, now)
        if code == ACK:
            if self._session is not None and len(fields) == 4:
                self._acknowledged(int.from_bytes(fields, "big"), now)
            return []
        if self._session is None:
            return [_refused(code, NO_SESSION)]
        if code not in _LENGTHS:
            return [_refused(code, UNSUPPORTED)]
        if len(fields) != _LENGTHS[code]:
            return [_refused(code, MALFORMED)]
        match code:
            case 2:
                return [self._described(fields[0])]
            case 3:
                return self._listed()
            case 4:
                return [self._feedback(fields, self._session)]
            case 5:
                return [self._configured(fields, self._session, now)]
            case 6:
                return [self._status(now)]
        self._end_session()
        return [bytes([0x80, code])]

    def _hello(self, fields: bytes, now: float) -> list[bytes]:
        if len(fields) != _LENGTHS[HELLO] or not 1 <= fields[0] <= fields[1]:
            return [_refused(HELLO, MALFORMED)]
        if fields[0] > 1:
            return [_refused(HELLO, VERSION, 0x0101)]
        self._end_session()
        features = int.from_bytes(fields[2:4], "big") & _FEATURES
        self._session = _Session(features, now, now + self._settings.heartbeat_ms / 1000)
        name = b"shoal-emulator 1.0.0"
        return [
            b"".join(
                (
                    bytes([0x81, 1]),
                    features.to_bytes(2, "big"),
                    fields[4:8],
                    self._device,
                    self._boot.to_bytes(4, "big"),
                    bytes([1, len(self.tags), WINDOW, LONGEST_BODY + 2]),
                    self._settings.heartbeat_ms.to_bytes(2, "big"),
                    self._event.to_bytes(4, "big"),
                    bytes([len(name)]) + name,
                )
            )
        ]

    def _described(self, antenna: int) -> bytes:
        if antenna >= len(self.tags):
            return _refused(DESCRIBE, NO_ANTENNA)
        label = b"pad %d" % (antenna + 1)
        # No role; all technologies; notices removal, with light and buzzer.
        return bytes([0x82, antenna, 0, 0, 0b111111, MOST_TAGS, 0b111, len(label)]) + label

    def _listed(self) -> list[bytes]:
        entries = [
            bytes([antenna, _technology(uid), len(uid)]) + uid
            for antenna in range(len(self.tags))
            for uid in self._present(antenna)
        ]
        parts: list[list[bytes]] = [[]]
        room = LONGEST_BODY - 9
        for entry in entries:
            if sum(map(len, parts[-1])) + len(entry) > room:
                parts.append([])
            parts[-1].append(entry)
        return [
            b"\x83"
            + self._event.to_bytes(4, "big")
            + bytes([number, number == len(parts) - 1, len(part)])
            + b"".join(part)
            for number, part in enumerate(parts)
        ]

    def _present(self, antenna: int) -> tuple[bytes, ...]:
        """What the reader takes to lie there: for a deaf chip the last that it heard."""
        return self._believed.get(antenna, tuple(self.tags[antenna]))[:MOST_TAGS]

    def _feedback(self, fields: bytes, session: _Session) -> bytes:
        antenna, number = fields[0], int.from_bytes(fields[1:3], "big")
        pattern, sound = fields[3], fields[4]
        if not session.features & CAN_FEEDBACK:
            return _refused(FEEDBACK, NOT_ABLE)
        if number == 0 or pattern >= len(_PATTERNS) or sound >= len(_SOUNDS):
            return _refused(FEEDBACK, MALFORMED)
        if antenna != 0xFF and antenna >= len(self.tags):
            return _refused(FEEDBACK, NO_ANTENNA)
        antennas = range(len(self.tags)) if antenna == 0xFF else [antenna]
        if any(self._done.get(each) != number for each in antennas):
            numbers = "0 to " + str(len(self.tags) - 1) if antenna == 0xFF else str(antenna)
            light, beep = _PATTERNS[pattern], _SOUNDS[sound]
            if sound:
                self._shown.append(f"Antenna {numbers}: light {light}, with {beep}.")
            else:
                self._shown.append(f"Antenna {numbers}: light {light}.")
        self._done.update(dict.fromkeys(antennas, number))
        return bytes([0x80, FEEDBACK])

    def _configured(self, fields: bytes, session: _Session, now: float) -> bytes:
        if not session.features & CAN_CONFIGURE:
            return _refused(CONFIGURE, NOT_ABLE)
        wished = [int.from_bytes(fields[:2], "big"), fields[2], fields[3]]
        wished += [int.from_bytes(fields[4:6], "big"), int.from_bytes(fields[6:8], "big")]
        values = [
            min(max(wish, low), high) if wish else old
            for wish, old, (low, high) in zip(wished, self._settings.values(), _Settings.LIMITS, strict=True)
        ]
        self._settings = _Settings(*values)
        session.heartbeat = min(session.heartbeat, now + values[4] / 1000)
        return b"\x85" + values[0].to_bytes(2, "big") + bytes(values[1:3]) + b"".join(
            value.to_bytes(2, "big") for value in values[3:]
        )  # fmt: skip

    def _status(self, now: float) -> bytes:
        health = bytes(
            (antenna not in self.deaf) + 2 * (antenna in self._crowded) for antenna in range(len(self.tags))
        )
        return b"".join(
            (
                b"\x86",
                self._uptime(now),
                self._event.to_bytes(4, "big"),
                self._bad.to_bytes(2, "big"),
                self._lost.to_bytes(2, "big"),
                bytes([len(health)]) + health,
            )
        )

    def _acknowledged(self, event: int, now: float) -> None:
        if event > self._event:
            return
        for number in [each for each in self._kept if each <= event]:
            del self._kept[number]
        if self._session is not None:
            self._session.again = now + REPEAT

    def tick(self, now: float) -> None:
        session = self._session
        if not self.on or session is None:
            return
        if now >= session.spoken + PATIENCE:
            self._end_session()
            return
        if self._kept and now >= session.again:
            for body in self._kept.values():
                self._say(body)
            session.again = now + REPEAT
        if now >= session.heartbeat:
            status = self._status(now)
            self._say(status[:1] + b"\x00" + status[1:])
            self._crowded.clear()
            session.heartbeat = now + self._settings.heartbeat_ms / 1000

    def cut(self) -> None:
        super().cut()
        self._session = None

    def _end_session(self) -> None:
        self._session = None
        self._kept.clear()
        self._done.clear()

    def _say(self, body: bytes) -> None:
        self._out += framed(body)

    def _uptime(self, now: float) -> bytes:
        return (int((now - self._since) * 1000) % (1 << 32)).to_bytes(4, "big")

    def _count_bad(self) -> None:
        self._bad = (self._bad + 1) & 0xFFFF


def _refused(request: int, why: int, detail: int = 0) -> bytes:
    return bytes([0xFF, request, why]) + detail.to_bytes(2, "big")


def _technology(uid: bytes) -> int:
    """What a tag with an id of this length most likely is (section 5)."""
    if len(uid) == 5:
        return 5  # em4100
    if len(uid) == 8:
        return 3 if uid[0] == 0xE0 else 4  # iso15693, felica
    return 6 if len(uid) >= 12 else 1  # gen2, iso14443a
