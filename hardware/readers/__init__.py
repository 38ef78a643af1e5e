"""Drivers of readers as pure machines: bytes and the time in, readings and commands out.

`make` builds one by name. `docs/readers.md` describes them.
"""

from __future__ import annotations

from ..uids import Numbers, Technology
from .base import (
    Failed,
    Gone,
    Health,
    LinkLost,
    LinkUp,
    Listing,
    Output,
    Presence,
    Profile,
    Reader,
    Reading,
    Remark,
    Restarted,
    Seen,
    Send,
    Unclear,
)
from .detect import Finding, Probe, heard, probes
from .em4100 import ID12, RDM6300, Em4100Reader
from .mqtt import MQTT, BadTopic, MqttReader, Payloads
from .ndjson import NDJSON, NdjsonReader
from .own import OWN, OwnReader
from .pn532 import PN532, Pn532Reader
from .r200 import R200, R200Reader
from .text import TEXT, BadPattern, TextReader
from .twn4 import TWN4, Twn4Reader
from .wedge import WEDGE, WedgeReader, scan

__all__ = [
    "ID12",
    "MQTT",
    "NDJSON",
    "OWN",
    "PN532",
    "PROFILES",
    "R200",
    "RDM6300",
    "TEXT",
    "TWN4",
    "WEDGE",
    "BadPattern",
    "BadTopic",
    "Em4100Reader",
    "Failed",
    "Finding",
    "Gone",
    "Health",
    "LinkLost",
    "LinkUp",
    "Listing",
    "MqttReader",
    "NdjsonReader",
    "Output",
    "OwnReader",
    "Payloads",
    "Pn532Reader",
    "Presence",
    "Probe",
    "Profile",
    "R200Reader",
    "Reader",
    "Reading",
    "Remark",
    "Restarted",
    "Seen",
    "Send",
    "TextReader",
    "Twn4Reader",
    "Unclear",
    "UnknownReader",
    "WedgeReader",
    "heard",
    "make",
    "probes",
    "scan",
]

PROFILES = {profile.name: profile for profile in (OWN, RDM6300, ID12, PN532, TEXT, NDJSON, TWN4, R200, WEDGE)}
"""What is known of each kind of reader, by its name."""


class UnknownReader(ValueError):
    """A name that is no kind of reader. The message is one sentence."""


def make(
    name: str,
    *,
    presence: Presence | None = None,
    technology: Technology | None = None,
    numbers: Numbers | None = None,
    pattern: str = "",
    nonce: int = 0,
) -> Reader:
    """A new reader of the kind ``name``, a key of `PROFILES`.

    The other arguments matter to readers whose format leaves them open: ``presence`` and ``technology`` to
    ``text`` and ``ndjson``, ``numbers`` to ``text`` and ``wedge``, ``pattern`` to ``text``; ``nonce``, best a
    random number, to ``shoal``. Raises `UnknownReader` and `BadPattern`.
    """
    if name not in PROFILES:
        raise UnknownReader(f"There is no reader called {name[:20]!r}; there are {', '.join(PROFILES)}.")
    kind = technology or Technology.UNKNOWN
    match name:
        case "shoal":
            return OwnReader(nonce)
        case "rdm6300" | "id12":
            return Em4100Reader(PROFILES[name])
        case "pn532":
            return Pn532Reader()
        case "twn4":
            return Twn4Reader()
        case "r200":
            return R200Reader()
        case "ndjson":
            return NdjsonReader(presence or NDJSON.presence, kind)
        case "wedge":
            return WedgeReader(kind, numbers or Numbers.DECIMAL)
    return TextReader(presence or TEXT.presence, kind, numbers or Numbers.HEXADECIMAL, pattern)
