"""PN532 on a serial port (HSU, 115200 baud): the host asks, the chip answers.

```
 start --> waking --version--> configured --list--> acknowledged --answer--> pause --period--> list ...
              ^    no answer, three times: not well, and again from here       |
              +----------------------------------------------------------------+
```

The chip sleeps until it is woken and may swallow the first command (UM0701, 6.3.2.3), so each command is
repeated until it is acknowledged. It is never sent PowerDown, after which some boards do not wake. Up to two
tags are listed.
"""

from __future__ import annotations

from ..uids import Technology, Uid
from .base import Failed, Health, Listing, Output, Presence, Profile, Remark, Send
from .pn532_frames import Acknowledged, Answer, Frame, FrameDecoder, Rejected, command

WAKE_UP = bytes.fromhex("5555" + "00" * 14)
"""A long preamble: the chip needs up to 2 ms to wake, and these bytes take 1.4 ms (UM0701, 6.3.2.3)."""

GET_VERSION = 0x02
CONFIGURE_SAM = 0x14
CONFIGURE_FIELD = 0x32
LIST_TARGETS = 0x4A
AUTO_POLL = 0x60

SETUP = (
    command(GET_VERSION),
    command(CONFIGURE_SAM, 1, 0x14, 0),
    command(CONFIGURE_FIELD, 5, 0xFF, 1, 2),  # give up after two tries instead of waiting for ever
)
POLL = command(LIST_TARGETS, 2, 0)

ACK_TIME = 0.05
"""Seconds to wait for an acknowledgement. The chip takes 15 ms at most; USB adapters hold bytes for 16."""

ANSWER_TIME = 0.5
"""Seconds to wait for an answer: with two retries a listing takes less than 100 ms."""

TRIES = 3
"""Answers in a row that may stay away before the chip counts as gone: one may be lost on the wire."""

PAUSE = 0.08
"""Seconds between an answer and the next listing: a tap is on the screen after about 150 ms."""

REST = 1.0
"""Seconds before a chip that does not answer is woken again."""

PN532 = Profile(
    "pn532",
    "PN532 over UART (13.56 MHz)",
    Presence.POLLED,
    0.15,
    (115200,),
    Technology.ISO14443A,
    most_tags=2,
    commanded=True,
)

_HAS_ATS = 0x20
_TYPE_A = frozenset({0x00, 0x10, 0x20})
"""AutoPoll's types whose data is that of a tag of type A (UM0701, 7.3.13): generic, Mifare, ISO 14443-4A."""


class Pn532Reader:
    """Drives one chip. See the module for its states."""

    profile = PN532

    def __init__(self) -> None:
        self._frames = FrameDecoder()
        self._restart()
        self._deadline: float | None = None
        self._well: bool | None = None

    def _restart(self) -> None:
        self._step = 0
        self._tries = 0
        self._acknowledged = False
        self._asked = False

    @property
    def wake(self) -> float | None:
        return self._deadline

    def start(self, now: float) -> list[Output]:
        self._frames.clear()
        self._restart()
        self._well = None
        return self._ask(now)

    def feed(self, data: bytes, now: float) -> list[Output]:
        out: list[Output] = []
        for frame in self._frames.feed(data):
            out += self._take(frame, now)
        return out

    def tick(self, now: float) -> list[Output]:
        if self._deadline is None or now < self._deadline:
            return []
        out: list[Output] = []
        if self._frames.waiting and self._asked:
            for frame in self._frames.give_up():
                out += self._take(frame, now)
            if self._deadline > now:
                return out
        if not self._asked:
            return out + self._ask(now)
        return out + self._unanswered(now)

    def _command(self) -> bytes:
        return SETUP[self._step] if self._step < len(SETUP) else POLL

    def _ask(self, now: float) -> list[Output]:
        self._asked, self._acknowledged = True, False
        self._deadline = now + ACK_TIME
        wake_up = WAKE_UP if self._step == 0 else b""
        return [Send(wake_up + self._command())]

    def _unanswered(self, now: float) -> list[Output]:
        self._tries += 1
        polling = self._step == len(SETUP)
        out: list[Output] = [Failed("the reader did not answer")] if polling else []
        if self._tries < TRIES:
            return out + self._ask(now)
        out += self._judge(
            False, "The PN532 does not answer: check its wiring, and that its switches say HSU."
        )
        self._restart()
        self._deadline = now + REST
        return out

    def _judge(self, well: bool, why: str) -> list[Output]:
        if self._well is well:
            return []
        self._well = well
        return [Health(well, why)]

    def _take(self, frame: Frame, now: float) -> list[Output]:
        if not self._asked:
            return []
        match frame:
            case Acknowledged():
                self._acknowledged = True
                self._deadline = now + ANSWER_TIME
                return []
            case Rejected():
                return self._unanswered(now)
            case Answer(code=code, data=data) if code == self._command()[6] + 1:
                return self._answered(data, now)
            case Answer(code=code, data=data) if code == AUTO_POLL + 1:
                return [Listing(_auto_polled(data))]
        return []

    def _answered(self, data: bytes, now: float) -> list[Output]:
        self._tries, self._asked = 0, False
        if self._step < len(SETUP):
            out: list[Output] = []
            if self._step == 0 and len(data) >= 3:
                out = [Remark(f"PN5{data[0]:02X}, firmware {data[1]}.{data[2]}.")]
            self._step += 1
            return out + self._ask(now)
        self._deadline = now + PAUSE
        uids = _targets(data)
        if uids is None:
            return [Failed("the reader's answer makes no sense")]
        return [*self._judge(True, "The reader answers."), Listing(uids)]


def _targets(data: bytes) -> tuple[Uid, ...] | None:
    """The tags of an answer to InListPassiveTarget; ``None`` where its lengths do not fit."""
    if not data:
        return None
    found: list[Uid] = []
    rest = data[1:]
    for _ in range(data[0]):
        taken = _type_a(rest)
        if taken is None:
            return None
        uid, size = taken
        found.append(uid)
        rest = rest[size:]
    return tuple(found)


def _type_a(data: bytes) -> tuple[Uid, int] | None:
    """One tag, ``Tg SENS_RES(2) SEL_RES NFCIDLength NFCID [ATS]``, and how many bytes it takes."""
    if len(data) < 5 or not 0 < data[4] <= 10 or len(data) < 5 + data[4]:
        return None
    uid, sak, end = data[5 : 5 + data[4]], data[3], 5 + data[4]
    if sak & _HAS_ATS and len(data) > end:
        end += max(1, data[end])  # the length of an ATS counts itself
    return Uid(uid, Technology.ISO14443A, sak=sak), end


def _auto_polled(data: bytes) -> tuple[Uid, ...]:
    """The tags of an answer to InAutoPoll: ``NbTg {Type Length data}``."""
    found: list[Uid] = []
    rest = data[1:]
    while len(rest) >= 2 and len(rest) >= 2 + rest[1]:
        if rest[0] in _TYPE_A and (taken := _type_a(rest[2 : 2 + rest[1]])):
            found.append(taken[0])
        rest = rest[2 + rest[1] :]
    return tuple(found)
