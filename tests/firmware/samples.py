"""Identifiers of tags, and frames of the page of the protocol."""

from __future__ import annotations

from tests.hardware.protocol.spec import blocks

FOUR, SEVEN, TEN = "DEADBEEF", "04A3C6CAE26180", "04112233445566778899"
OTHER = "0463F80A4F5381"


def vector(name: str) -> bytes:
    """A frame of the page."""
    (found,) = [v for v in blocks("vector") if v["name"] == name]
    return bytes.fromhex(found["frame"])
