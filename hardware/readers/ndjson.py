"""One JSON object per line, as boards with a little more memory print them.

Understood are ``uid`` or ``card_uid`` with ``type`` (or ``event``) ``card``, ``tag_on``, ``tag_off``,
``removed``, ``snapshot`` (with ``uids``), ``boot``, ``error``; ``antenna`` (or ``reader``) as a number,
``rssi``, ``sak``; and the objects ``RC522``, ``PN532`` and ``RDM6300`` of Tasmota. Unknown keys and types are
ignored, as other sensors may share the line. Our own protocol in its text form is another thing
(`hardware.protocol`).
"""

from __future__ import annotations

import json
from typing import Any

from ..uids import Numbers, Technology, UnclearUid, parse
from .base import Failed, Gone, Listing, Output, Presence, Profile, Reading, Remark, Restarted, Seen, Unclear
from .lines import Lines

LONGEST = 1024
"""Bytes of a line: a snapshot of thirty tags."""

NDJSON = Profile("ndjson", "a board that prints JSON lines", Presence.EDGE, 0.5, (115200, 9600))

_UID = ("uid", "card_uid", "rfid", "UID")
_LEFT = frozenset({"tag_off", "off", "removed", "gone", "remove"})
_NESTED = {"RC522": Technology.ISO14443A, "PN532": Technology.ISO14443A, "RDM6300": Technology.EM4100}
_MOST_ANTENNA = 255


class NdjsonReader:
    """A board that prints objects. ``presence`` says whether it repeats tags or reports departures."""

    def __init__(
        self, presence: Presence = Presence.EDGE, technology: Technology = Technology.UNKNOWN
    ) -> None:
        self.profile = Profile(
            NDJSON.name, NDJSON.title, presence, NDJSON.period, NDJSON.baud_rates, technology
        )
        self._lines = Lines(LONGEST)

    @property
    def wake(self) -> float | None:
        return self._lines.wake

    def start(self, now: float) -> list[Output]:
        self._lines.start(now)
        return []

    def tick(self, now: float) -> list[Output]:
        return [
            out for line in self._lines.tick(now) if line.whole
            for out in readings(line.text, self.profile.technology)
        ]  # fmt: skip

    def feed(self, data: bytes, now: float) -> list[Output]:
        return [
            out for line in self._lines.feed(data, now) if line.whole
            for out in readings(line.text, self.profile.technology)
        ]  # fmt: skip


def readings(line: str, technology: Technology = Technology.UNKNOWN) -> list[Reading]:
    """What a line says; nothing for a line that is no object."""
    if not line.startswith("{"):
        return []
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return []
    return meaning(value, technology) if isinstance(value, dict) else []


def meaning(value: dict[str, Any], technology: Technology = Technology.UNKNOWN) -> list[Reading]:
    """What an object says."""
    for name, nested in _NESTED.items():
        if isinstance(value.get(name), dict):
            return meaning(value[name], nested)
    kind = value.get("type", value.get("event"))
    what = kind.lower() if isinstance(kind, str) else ""
    antenna = _small(value, "antenna", "reader", "ant")
    if what == "boot":
        return [Restarted(f"The board has started anew ({_word(value.get('reason')) or 'no reason given'}).")]
    if what == "error":
        return [Remark(f"The board reports an error: {_word(value.get('message', value.get('code')))}.")]
    if what == "collision":
        return [Failed("several cards overlap", antenna)]
    if isinstance(value.get("uids"), list):
        return _snapshot(value["uids"], antenna, technology)
    spelled = next((value[name] for name in _UID if isinstance(value.get(name), str)), None)
    left = what in _LEFT or value.get("present") is False
    if spelled is None:
        return [Gone(None, antenna)] if left else []
    try:
        uid = parse(spelled, technology, Numbers.HEXADECIMAL)
    except UnclearUid as unclear:
        return [Unclear(_word(spelled), str(unclear), antenna)]
    if left:
        return [Gone(uid, antenna)]
    rssi = value.get("rssi")
    strength = rssi if isinstance(rssi, int) and not isinstance(rssi, bool) and -127 <= rssi < 0 else None
    return [Seen(uid, antenna, strength)]


def _snapshot(spelled: list[Any], antenna: int, technology: Technology) -> list[Reading]:
    if not all(isinstance(each, str) for each in spelled):
        return []
    try:
        uids = tuple(parse(each, technology, Numbers.HEXADECIMAL) for each in spelled)
    except UnclearUid as unclear:
        return [Unclear(_word(unclear.text), str(unclear), antenna)]
    return [Listing(uids, antenna, final=True)]


def _small(value: dict[str, Any], *names: str) -> int:
    for name in names:
        number = value.get(name)
        if isinstance(number, str) and number.isascii() and number.isdecimal() and len(number) <= 3:
            number = int(number)
        if isinstance(number, int) and not isinstance(number, bool) and 0 <= number <= _MOST_ANTENNA:
            return number
    return 0


def _word(value: Any) -> str:
    """A text from outside, safe to repeat: short and printable."""
    text = str(value) if isinstance(value, str | int) else ""
    return "".join(c if c.isprintable() else "?" for c in text[:60])
