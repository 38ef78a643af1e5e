"""Elatec TWN4 with its Simple Protocol: hexadecimal lines that end in CR; the host asks, the reader answers.

``050010`` (SearchTag, room for 16 bytes) is answered ``0000``, no tag, or ``0001 TT BB LL id``: type, bits,
bytes, id. Bits need not fill the bytes. Another first byte than 00 is an error. State: *asked* until an
answer or the time is over, then a *pause*; three times without an answer mean that the reader is not well.
"""

from __future__ import annotations

import re

from ..uids import Technology, Uid, UnclearUid, parse
from .base import Failed, Health, Listing, Output, Presence, Profile, Remark, Send
from .lines import Lines

SEARCH = b"050010\r"
ANSWER_TIME = 0.5
"""Seconds to wait for an answer: a search over all kinds of tags takes up to 200 ms."""

PAUSE = 0.05
"""Seconds between an answer and the next search: a tap is on the screen after about 150 ms."""

TRIES = 3
"""Answers in a row that may stay away before the reader counts as gone: one may be lost on the wire."""

TWN4 = Profile("twn4", "Elatec TWN4, Simple Protocol", Presence.POLLED, 0.15, (115200, 9600), commanded=True)

_ANSWER = re.compile(r"00(?:00|01(?P<type>..)(?P<bits>..)(?P<size>..)(?P<id>(?:..)*))", re.IGNORECASE)
_TYPES = {
    0x40: Technology.EM4100,
    0x80: Technology.ISO14443A,
    0x81: Technology.ISO14443B,
    0x82: Technology.ISO15693,
    0x85: Technology.FELICA,
}
_HEX = re.compile(r"(?:[0-9A-F]{2})+", re.IGNORECASE)


class Twn4Reader:
    """Drives one reader. See the module for its states."""

    profile = TWN4

    def __init__(self) -> None:
        self._reset()

    def _reset(self) -> None:
        self._lines = Lines()
        self._deadline: float | None = None
        self._asked = False
        self._tries = 0
        self._well: bool | None = None
        self._told = False

    @property
    def wake(self) -> float | None:
        return self._deadline

    def start(self, now: float) -> list[Output]:
        self._reset()
        return self._ask(now)

    def tick(self, now: float) -> list[Output]:
        out = [out for line in self._lines.tick(now) for out in self._line(line.text, line.whole, now)]
        if self._deadline is None or now < self._deadline:
            return out
        if self._asked:
            self._tries += 1
            out.append(Failed("the reader did not answer"))
            if self._tries >= TRIES:
                out += self._judge(False, "The TWN4 does not answer: is it set to the Simple Protocol?")
        return out + self._ask(now)

    def feed(self, data: bytes, now: float) -> list[Output]:
        return [out for line in self._lines.feed(data, now) for out in self._line(line.text, line.whole, now)]

    def _ask(self, now: float) -> list[Output]:
        self._asked = True
        self._deadline = now + ANSWER_TIME
        return [Send(SEARCH)]

    def _judge(self, well: bool, why: str) -> list[Output]:
        if self._well is well:
            return []
        self._well = well
        return [Health(well, why)]

    def _line(self, text: str, whole: bool, now: float) -> list[Output]:
        if not whole or not _HEX.fullmatch(text):
            return []
        match = _ANSWER.fullmatch(text)
        if match is None or not self._asked:
            return self._other(text)
        uids = () if match["type"] is None else _tag(match)
        if uids is None:
            return self._other(text)
        self._tries, self._asked = 0, False
        self._deadline = now + PAUSE
        return [*self._judge(True, "The reader answers."), Listing(uids)]

    def _other(self, text: str) -> list[Output]:
        if len(text) == 2 and text != "00":
            return [Failed(f"the reader answers with error {text}")]
        if self._told:
            return []
        try:
            parse(text)
        except UnclearUid:
            return []
        self._told = True
        return [
            Remark("This TWN4 prints ids by itself: use the text reader for it, or load the Simple Protocol.")
        ]


def _tag(match: re.Match[str]) -> tuple[Uid, ...] | None:
    kind, bits, size = (int(match[name], 16) for name in ("type", "bits", "size"))
    data = bytes.fromhex(match["id"])
    if not data or len(data) != size or not 8 * (size - 1) < bits <= 8 * size:
        return None
    return (Uid(data, _TYPES.get(kind, Technology.UNKNOWN)),)
