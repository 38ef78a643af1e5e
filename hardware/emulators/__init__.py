"""Readers that are not there, as pure machines: what a real one would put on the wire.

Tags are laid on their antennas, the host's bytes go in, their bytes come out. They are written from the
published formats and share nothing with the drivers, so that neither can hide the other's mistakes.
`hardware.io.emulators` puts them on a port.
"""

from __future__ import annotations

from .asked import EmulatedPn532, EmulatedR200, EmulatedTwn4
from .base import EmulatedReader, Unreadable
from .own import EmulatedShoal
from .passive import EmulatedId12, EmulatedNdjson, EmulatedRdm6300, EmulatedText, EmulatedWedge
from .script import HELP, BadScript, Step, Verb, fresh_uid, parse_line, parse_script

__all__ = [
    "EMULATORS",
    "HELP",
    "BadScript",
    "EmulatedId12",
    "EmulatedNdjson",
    "EmulatedPn532",
    "EmulatedR200",
    "EmulatedRdm6300",
    "EmulatedReader",
    "EmulatedShoal",
    "EmulatedText",
    "EmulatedTwn4",
    "EmulatedWedge",
    "Step",
    "Unreadable",
    "Verb",
    "fresh_uid",
    "parse_line",
    "parse_script",
]

EMULATORS: dict[str, type[EmulatedReader]] = {
    each.kind: each
    for each in (
        EmulatedShoal, EmulatedRdm6300, EmulatedId12, EmulatedPn532, EmulatedText, EmulatedNdjson,
        EmulatedTwn4, EmulatedR200, EmulatedWedge,
    )
}  # fmt: skip
"""One for each kind of reader in `hardware.readers.PROFILES`, by its name."""
