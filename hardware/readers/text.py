"""Lines of text that Arduino sketches and other small programs print for each tag.

Understood, each perhaps after ``Reader N:``, the number being the antenna:

| line | from |
|---|---|
| ``Card UID: 45 C5 25 83``, then ``Card SAK: 08`` and a dump | the MFRC522 library's examples |
| ``Tag UID:4e7b2a90``, ``UID: …``, ``Card serial: …``, ``TAG: …``, ``ID: …`` | sketches |
| ``70 d4 4f 53``, ``04:A3:C6:…``, ``04-A3-C6-…``, ``10,94,140,172`` | the id alone |
| ``04A3C6CAE26180``, ``0006102437`` | the same without separators, or in decimal |
| ``{"uid": "…"}`` | as `hardware.readers.ndjson` |
| ``not:74-10-37-94``, ``Card removed`` | departures |
| ``Firmware Version: 0x92 = v2.0`` | what the MFRC522 says of itself |

or what a pattern of one's own finds: a regular expression with the group ``uid`` and perhaps ``antenna`` and
``gone``. `patterns` matches it in bounded time, whatever it is.
"""

from __future__ import annotations

import re
from dataclasses import replace

from ..uids import Flaw, Numbers, Technology, UnclearUid, flaws, parse
from .base import Failed, Gone, Health, Output, Presence, Profile, Reading, Remark, Restarted, Seen, Unclear
from .lines import Line, Lines
from .ndjson import readings as json_readings
from .patterns import Pattern, Unusable

TEXT = Profile(
    "text", "an Arduino or similar that prints lines", Presence.EDGE, 0.5, (9600, 115200, 57600, 38400, 19200)
)

_READER = re.compile(r"(?:Reader|Antenna|Slot)\s*#?(\d{1,3})\s*[:,]\s*(.*)", re.IGNORECASE)
_LABEL = re.compile(
    r"(?P<kind>Card UID|Tag UID|UID(?: tag)?|NUID|Card serial|Serial|TAG|Card ID|Tag ID|Card|ID)"
    r"\s*[:=]\s*(?P<uid>[0-9A-F][^()\[\]]*)",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"[0-9A-F]{2}(?:(?: [0-9A-F]{2}){3,9}|(?::[0-9A-F]{2}){3,9}|(?:-[0-9A-F]{2}){3,9})"
    r"|[0-9A-F]{8}|[0-9A-F]{10}|[0-9A-F]{14}|[0-9A-F]{16}|[0-9A-F]{20}|[0-9A-F]{24}"
    r"|\d{1,3}(?:,\s?\d{1,3}){3,9}|\d{3},\d{5}",
    re.IGNORECASE,
)
_SAK = re.compile(r"(?:Card )?SAK:\s*(?:0x)?([0-9A-F]{2})\b.*", re.IGNORECASE)
_VERSION = re.compile(r"Firmware Version:\s*0x([0-9A-F]{1,2})\b.*", re.IGNORECASE)
_LEFT = re.compile(
    r"(?:not:|(?:Card|Tag) removed:?|(?:Card|Tag) left:?|Removed:)\s*(?P<uid>[0-9A-F][0-9A-F :.\-]*)?",
    re.IGNORECASE,
)
_FAILED = re.compile(
    r"(?:.*\b)?(collision detected|timeout in communication|the CRC_A does not match)\b.*", re.IGNORECASE
)
_BOOT = re.compile(
    r"ESP-IDF|\brst:0x|\bets [A-Z][a-z]{2} +\d|rst cause:"
    r"|Guru Meditation|^Rebooting|Brownout detector|boot mode:",
)
_DEAF = frozenset({0x00, 0xFF})
_WRONG_SPEED = "Most of what arrives is no text: is the speed (baud rate) right?"
_SK_PREFIX = frozenset({"card uid", "picc"})


class BadPattern(ValueError):
    """A pattern of one's own that cannot be used. The message is one sentence."""


class TextReader:
    """A program that prints lines. ``presence``: most print a tag once, some again and again.

    Raises `BadPattern` for a ``pattern`` that is no regular expression or lacks the group ``uid``.
    """

    def __init__(
        self,
        presence: Presence = Presence.EDGE,
        technology: Technology = Technology.UNKNOWN,
        numbers: Numbers = Numbers.HEXADECIMAL,
        pattern: str = "",
    ) -> None:
        self.profile = Profile(TEXT.name, TEXT.title, presence, TEXT.period, TEXT.baud_rates, technology)
        self._numbers = numbers
        self._pattern = _compiled(pattern) if pattern else None
        self._lines = Lines()
        self._last: Seen | None = None

    @property
    def wake(self) -> float | None:
        return self._lines.wake

    def start(self, now: float) -> list[Output]:
        self._lines.start(now)
        self._last = None
        return []

    def tick(self, now: float) -> list[Output]:
        return self._read(self._lines.tick(now))

    def feed(self, data: bytes, now: float) -> list[Output]:
        out = self._read(self._lines.feed(data, now))
        if self._lines.garbled():
            out.append(Remark(_WRONG_SPEED))
        return out

    def _read(self, lines: list[Line]) -> list[Output]:
        return [reading for line in lines for reading in self._line(line)]

    def _line(self, line: Line) -> list[Reading]:
        if _BOOT.search(line.text):
            self._last = None
            return [Restarted("The board has started anew.")]
        if not line.whole:
            return []
        if self._pattern is not None:
            return self._own(self._pattern, line.text)
        antenna, text = 0, line.text
        if match := _READER.fullmatch(text):
            antenna, text = int(match[1]), match[2].strip()
        return self._said(text, antenna)

    def _said(self, text: str, antenna: int) -> list[Reading]:
        if text.startswith("{"):
            return json_readings(text, self.profile.technology)
        if match := _SAK.fullmatch(text):
            return self._sak(int(match[1], 16))
        if match := _VERSION.fullmatch(text):
            return _version(int(match[1], 16), antenna)
        if match := _FAILED.fullmatch(text):
            return [Failed(match[1].lower(), antenna)]
        if match := _LEFT.fullmatch(text):
            return self._left(match["uid"], antenna)
        if match := _LABEL.fullmatch(text):
            kind = match["kind"].lower()
            technology = Technology.ISO14443A if kind in _SK_PREFIX else None
            return self._tag(match["uid"].strip(), antenna, technology)
        if _BARE.fullmatch(text):
            return self._tag(text, antenna, None)
        return []

    def _tag(self, spelled: str, antenna: int, technology: Technology | None) -> list[Reading]:
        known = self.profile.technology
        kind = known if technology is None or known is not Technology.UNKNOWN else technology
        try:
            seen = Seen(parse(spelled, kind, self._numbers), antenna)
        except UnclearUid as unclear:
            return [Unclear(spelled[:60], str(unclear), antenna)] if any(map(str.isdecimal, spelled)) else []
        self._last = seen
        return [seen]

    def _sak(self, sak: int) -> list[Reading]:
        """The line after an id: it says more only where the id may be the start of a longer one.

        To report the others again would make one reading look like two.
        """
        last, self._last = self._last, None
        if last is None or Flaw.CUT not in flaws(last.uid):
            return []
        return [Seen(replace(last.uid, sak=sak), last.antenna)]

    def _left(self, spelled: str | None, antenna: int) -> list[Reading]:
        if not spelled:
            return [Gone(None, antenna)]
        try:
            return [Gone(parse(spelled.strip(), self.profile.technology, self._numbers), antenna)]
        except UnclearUid as unclear:
            return [Unclear(spelled[:60], str(unclear), antenna)]

    def _own(self, pattern: Pattern, text: str) -> list[Reading]:
        groups = pattern.search(text)
        if groups is None:
            return []
        uid = (groups["uid"] or "").strip()
        number = (groups.get("antenna") or "").strip()
        antenna = int(number) if number.isascii() and number.isdecimal() and len(number) <= 3 else 0
        if groups.get("gone"):
            return self._left(uid, antenna)
        return self._tag(uid, antenna, None) if uid else []


def _compiled(pattern: str) -> Pattern:
    try:
        compiled = Pattern(pattern)
    except Unusable as error:
        raise BadPattern(f"The pattern cannot be used: {error}.") from None
    if "uid" not in compiled.groups:
        raise BadPattern("The pattern needs a group named uid, such as (?P<uid>[0-9A-F]+).")
    return compiled


def _version(code: int, antenna: int) -> list[Reading]:
    if code in _DEAF:
        return [
            Health(
                False,
                f"Reader {antenna} is not wired rightly, or has died: its chip does not answer.",
                antenna,
            )
        ]
    clone = "; it is a clone, which may miss some tags" if code == 0x88 else ""
    return [Health(True, f"Reader {antenna} answers, version {code:02X}{clone}.", antenna)]
