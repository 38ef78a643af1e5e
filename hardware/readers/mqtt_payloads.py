"""What the payloads of firmware behind an MQTT broker mean. Pure.

| name | from | payload |
|---|---|---|
| ``tasmota`` | Tasmota, its serial bridge too | ``{"Time":"…","RC522":{"UID":"BA839D07"}}`` |
| ``esphome`` | what people write in ``on_tag`` | ``6102437``, ``74-10-37-94``; ``not:ID`` for a departure |
| ``esp-rfid`` | esp-rfid | ``{"type":"access","uid":"f9c2f720",…}`` |
| ``homeassistant`` | events ``tag_scanned``, and its tag scanners | ``{"tag_id":"04-A3-C6-CA-E2-61-80"}`` |
| ``ndjson`` | boards that print objects | as `hardware.readers.ndjson` |
| ``text`` | iotempower, TeddyCloud, ESPEasy | an id; ``-ID`` or ``0`` for a departure |
| ``shoal`` | our own protocol | not here: it has sessions (`hardware.readers.mqtt`) |
| ``auto`` | any but ``shoal`` | by its look |

Each function returns the readings, none for what is no business of ours, or ``None`` for a payload that the
firmware it is meant for never sends.
"""

from __future__ import annotations

import json
import re
from enum import StrEnum
from typing import Any

from ..uids import Numbers, Technology, UnclearUid, parse
from .base import Gone, Reading, Restarted, Seen, Unclear
from .em4100 import Em4100Reader
from .ndjson import meaning

__all__ = ["Payloads", "as_object", "is_numbered", "pointed", "pointer", "readings", "spelled", "tag"]


class Payloads(StrEnum):
    """Which firmware sends the payloads."""

    AUTO = "auto"
    SHOAL = "shoal"
    TASMOTA = "tasmota"
    ESPHOME = "esphome"
    ESP_RFID = "esp-rfid"
    HOME_ASSISTANT = "homeassistant"
    NDJSON = "ndjson"
    TEXT = "text"


_TASMOTA = {
    "RC522": Technology.ISO14443A,
    "PN532": Technology.ISO14443A,
    "RDM6300": Technology.EM4100,
}
_BRIDGE = "SSerialReceived"
_FRAME = re.compile(r"[0-9A-F]{12}")
_ID_LIKE = re.compile(r"[0-9A-Fa-f][0-9A-Fa-f :.,\-]*")
_SILENT = frozenset({"", "unknown", "unavailable", "none", "nan", "online", "offline"})
"""What stands for "no tag" where a text is kept as a state."""

_TEMPLATE = re.compile(r"\{\{\s*value_json((?:\.\w+|\[\s*'[^'\]]*'\s*\]|\[\s*\"[^\"\]]*\"\s*\])+)\s*\}\}")
_STEP = re.compile(r"\.(\w+)|\[\s*'([^'\]]*)'\s*\]|\[\s*\"([^\"\]]*)\"\s*\]")
_PLAIN_TEMPLATE = re.compile(r"\{\{\s*value\s*\}\}|")
_NUMBERED = frozenset({"seq", "ts", "time", "Time", "et", "timestamp", "millis", "time_fired"})


def readings(kind: Payloads, text: str, technology: Technology = Technology.UNKNOWN) -> list[Reading] | None:
    """What one payload of the kind says; any kind but ``shoal``."""
    match kind:
        case Payloads.TASMOTA:
            return _with(_tasmota, text)
        case Payloads.ESP_RFID:
            return _with(_esp_rfid, text)
        case Payloads.HOME_ASSISTANT:
            return _with(_home_assistant, text)
        case Payloads.NDJSON:
            return _lines(text, technology)
        case Payloads.ESPHOME | Payloads.TEXT:
            return spelled(text, technology, Numbers.DECIMAL if kind is Payloads.ESPHOME else Numbers.EITHER)
    return _by_its_look(text, technology)


def as_object(text: str) -> dict[str, Any] | None:
    """The JSON object in a text, if it is one."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def is_numbered(text: str) -> bool:
    """Whether a payload has a number or time of its own, so that an equal one is the same one again."""
    value = as_object(text) if text.startswith("{") else None
    return value is not None and not _NUMBERED.isdisjoint(value)


def spelled(
    text: str, technology: Technology = Technology.UNKNOWN, numbers: Numbers = Numbers.EITHER
) -> list[Reading] | None:
    """A tag's id by itself, or its departure: ``not:ID``, ``-ID``, or ``0`` for whatever lay there."""
    if text.lower() in _SILENT:
        return []
    if text == "0":
        return [Gone(None)]
    left = text.startswith(("not:", "-"))
    body = text.removeprefix("not:").removeprefix("-").strip() if left else text
    found = tag(body, technology, numbers)
    if found is None or (left and isinstance(found, Unclear)):
        return None
    return [Gone(found.uid) if left and isinstance(found, Seen) else found]


def pointer(template: str) -> tuple[str, ...] | None:
    """The way to the id that a ``value_template`` of Home Assistant names: ``{{ value_json.PN532.UID }}`` is
    ``("PN532", "UID")``, ``{{ value }}`` and no template are ``()``. ``None`` for a template that computes.
    """
    text = template.strip()
    if _PLAIN_TEMPLATE.fullmatch(text):
        return ()
    match = _TEMPLATE.fullmatch(text)
    return tuple(next(filter(None, step), "") for step in _STEP.findall(match[1])) if match else None


def pointed(
    text: str, way: tuple[str, ...], technology: Technology = Technology.UNKNOWN
) -> list[Reading] | None:
    """The tag at the end of ``way`` in a payload; nothing if the way ends early: other sensors share it."""
    if not way:
        return spelled(text, technology)
    value: Any = as_object(text)
    if value is None:
        return None
    for step in way:
        value = value.get(step) if isinstance(value, dict) else None
    return spelled(value, technology) if isinstance(value, str) else []


def _with(said: Any, text: str) -> list[Reading] | None:
    value = as_object(text)
    found: list[Reading] | None = None if value is None else said(value)
    return found


def tag(text: str, technology: Technology, numbers: Numbers = Numbers.HEXADECIMAL) -> Seen | Unclear | None:
    if not _ID_LIKE.fullmatch(text) or len(text) > 200:
        return None
    try:
        return Seen(parse(text, technology, numbers))
    except UnclearUid as unclear:
        return Unclear(text[:60], str(unclear))


def _tasmota(value: dict[str, Any]) -> list[Reading] | None:
    found: list[Reading] = []
    for name, technology in _TASMOTA.items():
        part = value.get(name)
        if part is None:
            continue
        uid = part.get("UID") if isinstance(part, dict) else None
        said = tag(uid, technology) if isinstance(uid, str) else None
        if said is None:
            return None
        found.append(said)
    bridged = value.get(_BRIDGE)
    if isinstance(bridged, str):
        found += _frames(bridged)
    return found


def _frames(text: str) -> list[Reading]:
    """The frames of a 125 kHz reader on Tasmota's serial bridge, several in one text, their ends perhaps
    taken for delimiters and lost."""
    reader = Em4100Reader()
    found: list[Reading] = []
    for piece in re.split("[\x02\x03]", text.upper()):
        if _FRAME.fullmatch(piece):
            outputs = reader.feed(b"\x02" + piece.encode("ascii") + b"\x03", 0.0)
            found += [out for out in outputs if isinstance(out, Seen)]
    return found


def _esp_rfid(value: dict[str, Any]) -> list[Reading] | None:
    kind, uid = value.get("type"), value.get("uid")
    if kind == "boot":
        return [Restarted("The reader has started anew.")]
    if kind != "access":
        return []
    # A card that its door would refuse is a card like any other.
    said = tag(uid, Technology.UNKNOWN) if isinstance(uid, str) else None
    return None if said is None else [said]


def _home_assistant(value: dict[str, Any]) -> list[Reading] | None:
    kind = value.get("event_type", "tag_scanned")
    if kind != "tag_scanned":
        return []
    data = value.get("event_data", value.get("data", value))
    uid = data.get("tag_id") if isinstance(data, dict) else None
    return spelled(uid) if isinstance(uid, str) else None


def _lines(text: str, technology: Technology) -> list[Reading] | None:
    found: list[Reading] = []
    for line in text.splitlines():
        value = as_object(line)
        if value is None:
            return None
        found += meaning(value, technology)
    return found


def _by_its_look(text: str, technology: Technology) -> list[Reading] | None:
    if not text.startswith("{"):
        return spelled(text, technology)
    value = as_object(text)
    if value is None:
        return _lines(text, technology) if "\n" in text else None
    if _BRIDGE in value or not _TASMOTA.keys().isdisjoint(value):
        return _tasmota(value)
    if value.get("type") == "access":
        return _esp_rfid(value)
    if "tag_id" in value or value.get("event_type") is not None:
        return _home_assistant(value)
    return meaning(value, technology)
