"""The byte-exact examples of `firmware_protocol.md`, read from the page, and a codec that shares nothing."""

import re
from collections.abc import Iterator
from pathlib import Path

PAGE = (Path(__file__).resolve().parents[3] / "firmware_protocol.md").read_text("utf-8")


def blocks(kind: str) -> list[dict[str, str]]:
    """The fenced blocks of a kind, each as its keys and values."""
    found = re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    return [dict(line.split(": ", 1) for line in block.splitlines()) for block in found]


def framings() -> Iterator[tuple[bytes, bytes]]:
    """Pairs of body and frame."""
    for block in re.findall(r"^```framing\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE):
        values = [bytes.fromhex(line.split(": ", 1)[1]) for line in block.splitlines()]
        yield from zip(values[::2], values[1::2], strict=True)


def crc_by_division(data: bytes) -> int:
    """CRC-16/IBM-3740 as its definition has it: the remainder of a long division, bit by bit."""
    remainder = 0xFFFF
    for byte in data:
        for bit in range(7, -1, -1):
            feed = (remainder >> 15) ^ (byte >> bit & 1)
            remainder = (remainder << 1 & 0xFFFF) ^ (0x1021 if feed else 0)
    return remainder


def frame_by_hand(body: bytes) -> bytes:
    """A frame by the steps of section 3."""
    data = body + crc_by_division(body).to_bytes(2, "big")
    stuffed = b"".join(bytes([len(piece) + 1]) + piece for piece in data.split(b"\0"))
    return b"\0" + stuffed + b"\0"
