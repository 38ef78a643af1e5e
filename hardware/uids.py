"""The identifier of a tag (its UID): how readers spell it, and when two spellings are one tag.

A UID is a string of bytes and is compared as one. Readers shorten it, turn it round, write it in decimal, and
print it as hexadecimal with or without separators; `parse` undoes the spelling and `forms` lists what other
readers would make of the same tag. Sources: ISO/IEC 14443-3 (lengths, cascade tag, random ids), ISO/IEC
15693-3 (byte order), the EM4100 and Wiegand formats.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import Enum, IntEnum, StrEnum

__all__ = [
    "Flaw",
    "Numbers",
    "Relation",
    "Technology",
    "Uid",
    "UnclearUid",
    "flaws",
    "forms",
    "parse",
    "unpadded",
]

MOST_BYTES = 62
"""Bytes of the longest UID: an EPC of 31 words, which is what the length field of Gen2 can say."""

_LENGTHS = frozenset({4, 5, 7, 8, 10})
_LONG = 12
"""Bytes of a UID printed as bare hexadecimal: 4, 7 or 10 (ISO 14443), 5 (EM4100), 8 (ISO 15693, FeliCa), 12
and more (EPC). Anything between has most likely lost a digit."""

_CASCADE_TAG = 0x88
"""What ISO 14443-3 puts in front of the first three bytes of a UID that has more than four."""

_RANDOM = 0x08
"""First byte of a four-byte id that a phone or bank card makes up anew each time (ISO 14443-3)."""

_MORE_BYTES = 0x04
"""Bit of SAK: the UID is not complete yet."""

_WIEGAND = re.compile(r"(\d{1,3})[,:](\d{5})")
_DECIMAL_BYTES = re.compile(r"\d{1,3}(?:[, ]\s*\d{1,3}){3,}")
_HEX_BYTES = re.compile(r"[0-9A-F]{1,2}(?:[ :.\-][0-9A-F]{1,2}){2,}")
_HEX = re.compile(r"[0-9A-F]+")
_TOO_MANY_DIGITS = 21
"""2^64 has twenty decimal digits; a longer number is hexadecimal that happens to have no letter."""


class Technology(StrEnum):
    """What kind of tag it is, as far as the reader tells."""

    UNKNOWN = "tag"
    EM4100 = "em4100"
    ISO14443A = "iso14443a"
    ISO14443B = "iso14443b"
    ISO15693 = "iso15693"
    FELICA = "felica"
    PROX = "prox"
    EPC = "epc"


class Numbers(Enum):
    """What a number without letters and separators is taken for."""

    EITHER = "either"
    HEXADECIMAL = "hexadecimal"
    DECIMAL = "decimal"


@dataclass(frozen=True, slots=True)
class Uid:
    """A tag's identifier. Two are equal if their bytes are: not every reader knows the technology.

    ``also`` are other bytes the same spelling can mean; ``sak`` is the answer of an ISO 14443 tag to its
    selection, where the reader gives it.
    """

    data: bytes
    technology: Technology = field(default=Technology.UNKNOWN, compare=False)
    also: tuple[bytes, ...] = field(default=(), compare=False)
    sak: int | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if not 0 < len(self.data) <= MOST_BYTES:
            raise ValueError(f"a UID has 1 to {MOST_BYTES} bytes, not {len(self.data)}")

    def __str__(self) -> str:
        """The canonical text, ``iso14443a:04A3C6CAE26180``, which `parse` reads back."""
        return f"{self.technology}:{self.data.hex().upper()}"


class UnclearUid(ValueError):
    """A text that may stand for a tag, but not for certain which. The message is one sentence."""

    def __init__(self, text: str, why: str) -> None:
        super().__init__(why)
        self.text = text


class Flaw(StrEnum):
    """What is wrong with a UID, as a sentence for people. ``EMPTY`` and ``RANDOM`` are of no use at all."""

    EMPTY = "No tag has an id of zeros or ones only: this is noise."
    RANDOM = "This is a phone or bank card, which shows another id each time."
    CUT = "The reader gives only the first three bytes of this tag's id; another tag may look the same."
    LIKE_CUT = "This id looks like the beginning of a longer one, but the tag says that it is complete."
    SHORTENED = "The reader gives only three bytes of this tag's id; another tag may look the same."


class Relation(IntEnum):
    """How one spelling of a tag relates to another; the smaller, the surer."""

    SAME = 0
    REVERSED = 1
    CHECK_BYTE = 2
    SHORTENED = 3
    CUT = 4


def parse(text: str, technology: Technology = Technology.UNKNOWN, numbers: Numbers = Numbers.EITHER) -> Uid:
    """The UID that ``text`` spells. Raises `UnclearUid` with the reason.

    Accepted: the canonical text; hexadecimal, bare or with spaces, colons, dots or hyphens between the bytes;
    decimal bytes with commas; decimal numbers with or without leading zeros; ``facility,number`` (Wiegand, 26
    bits). ``numbers`` says what a bare run of digits is taken for; where that is not certain, the other
    readings are in ``also``.
    """
    name, colon, rest = text.strip().partition(":")
    if colon and name in {each.value for each in Technology}:
        return _canonical(rest.strip(), text, Technology(name))
    body = text.strip().upper()
    if body.startswith("0X"):
        body, numbers = body[2:].replace(" 0X", " "), Numbers.HEXADECIMAL
    if match := _WIEGAND.fullmatch(body):
        facility, number = int(match[1]), int(match[2])
        if facility <= 0xFF and number <= 0xFFFF:
            return Uid(bytes([facility]) + number.to_bytes(2, "big"), technology)
    if _HEX_BYTES.fullmatch(body):
        data = bytes(int(part, 16) for part in re.split(r"[ :.\-]", body))
        return _sized(data, text, technology)
    if _DECIMAL_BYTES.fullmatch(body):
        parts = [int(part) for part in re.split(r"[, ]\s*", body)]
        if max(parts) <= 0xFF:
            return _sized(bytes(parts), text, technology)
    return _plain(body, text, technology, numbers)


def _canonical(body: str, text: str, technology: Technology) -> Uid:
    try:
        return Uid(bytes.fromhex(body), technology)
    except ValueError:
        raise UnclearUid(text, "After the kind of tag its id must follow, two digits a byte.") from None


def _sized(data: bytes, text: str, technology: Technology) -> Uid:
    if len(data) > MOST_BYTES:
        raise UnclearUid(text, f"An id of {len(data)} bytes is longer than any tag's.")
    return _unchecked(Uid(data, technology))


def _plain(body: str, text: str, technology: Technology, numbers: Numbers) -> Uid:
    if not _HEX.fullmatch(body):
        raise UnclearUid(text, "This is no tag's id, which is hexadecimal digits or a number.")
    decimal = _decimal(body) if body.isdecimal() and numbers is not Numbers.HEXADECIMAL else []
    hexadecimal = _hexadecimal(body, numbers)
    if numbers is Numbers.EITHER and hexadecimal and len(body) not in {8, 10}:
        # Readers that write decimal pad to ten digits, or to eight; other even lengths are bytes.
        found = hexadecimal + decimal
    else:
        found = decimal + hexadecimal
    if not found:
        raise UnclearUid(text, _why_unclear(body))
    also = tuple(dict.fromkeys(data for data in found[1:] if data != found[0]))
    return _unchecked(Uid(found[0], technology, also))


def _decimal(body: str) -> list[bytes]:
    if len(body) >= _TOO_MANY_DIGITS:
        return []
    value = int(body)
    size = next((size for size in (4, 5, 7, 8) if value < 256**size), 0)
    found = [value.to_bytes(size, "big")] if size and len(body) > 4 else []
    if len(body) == 8:
        facility, number = divmod(value, 100_000)
        if value < 256**3:
            found.append(value.to_bytes(3, "big"))
        if facility <= 0xFF and number <= 0xFFFF:
            found.append(bytes([facility]) + number.to_bytes(2, "big"))
    return found


def _hexadecimal(body: str, numbers: Numbers) -> list[bytes]:
    size, odd = divmod(len(body), 2)
    usual = size in _LENGTHS or _LONG <= size <= MOST_BYTES or (size == 3 and numbers is Numbers.EITHER)
    return [bytes.fromhex(body)] if usual and not odd else []


def _why_unclear(body: str) -> str:
    if len(body) % 2 and len(body) > 4:
        return (
            "This id has an odd number of digits: the reader's program prints bytes below 10 without their "
            "leading zero, and must be put right before its cards can be told apart."
        )
    return f"No tag has an id of {len(body)} digits: some are missing, or this is something else."


def _unchecked(uid: Uid) -> Uid:
    """Without the check byte that some programs print after a four-byte ISO 14443 id: its XOR."""
    data = uid.data
    if (
        len(data) != 5
        or data[0] ^ data[1] ^ data[2] ^ data[3] != data[4]
        or uid.technology is Technology.EM4100
    ):
        return uid
    if uid.technology is Technology.ISO14443A:
        return replace(uid, data=data[:4])
    return replace(uid, also=(*uid.also, data[:4]))


def flaws(uid: Uid) -> tuple[Flaw, ...]:
    """What makes this UID useless or doubtful as the name of a card."""
    data = uid.data
    if not any(data) or set(data) == {0xFF}:
        return (Flaw.EMPTY,)
    if len(data) == 3:
        return (Flaw.SHORTENED,)
    if len(data) != 4 or uid.technology not in {Technology.ISO14443A, Technology.UNKNOWN}:
        return ()
    if data[0] == _RANDOM:
        return (Flaw.RANDOM,)
    if data[0] == _CASCADE_TAG:
        whole = uid.sak is not None and not uid.sak & _MORE_BYTES
        return (Flaw.LIKE_CUT if whole else Flaw.CUT,)
    return ()


def forms(data: bytes) -> Iterator[tuple[bytes, Relation]]:
    """What readers make of the tag ``data``, the surest form first; a form may come more than once."""
    yield data, Relation.SAME
    yield data[::-1], Relation.REVERSED
    if len(data) == 4:
        check = bytes([data[0] ^ data[1] ^ data[2] ^ data[3]])
        yield data + check, Relation.CHECK_BYTE
        yield data[::-1] + check, Relation.CHECK_BYTE
    for size in (4, 3):  # Wiegand 34 and 26, and programs that keep 32 bits
        if len(data) > size:
            for part in (data[-size:], data[:size]):
                yield part, Relation.SHORTENED
                yield part[::-1], Relation.SHORTENED
    if len(data) in {7, 10}:
        yield bytes([_CASCADE_TAG]) + data[:3], Relation.CUT


def unpadded(data: bytes) -> str:
    """The id as a program prints it that forgets leading zeros: ``4e7b2a9`` for 04 E7 B2 A9, in lower
    case."""
    return "".join(f"{byte:x}" for byte in data)
