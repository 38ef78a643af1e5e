"""Everything that is hashed: labelled, framed by length, versioned. No other module calls a hash function.

``docs/protocol_proofs.md`` section 1 gives the same in bytes. Integers that enter a hash are 8 bytes,
big-endian; bytes that leave a hash and become a number are read little-endian.
"""

from __future__ import annotations

import hashlib
import hmac

import msgspec

VERSION = "shoal/1/"
"""In front of every label, so that another version of the protocol hashes nothing alike."""

WIDE = 64
"""Bytes that are reduced to a scalar: twice its size, so that the remainder is uniform to within 2^-250."""

_INTEGER = 8
_SAMPLE = 8
_FIRST_SQUEEZE = 1024  # one permutation of SHAKE-256 gives 136 bytes; most streams need a few hundred


class Header(msgspec.Struct, frozen=True):
    """Where a proof stands: which table, step, seat and contribution it belongs to. Part of every statement.

    ``index`` counts the proofs of one contribution from 0; ``head`` is the hash of the log before the step.
    """

    version: int
    table_id: bytes
    epoch: int
    step: int
    seat: int
    purpose: str
    index: int
    head: bytes


def integer(value: int) -> bytes:
    """``value`` as it enters a hash. Raises ``OverflowError`` for anything but 0 to 2^64 - 1."""
    return value.to_bytes(_INTEGER, "big")


def framed(*parts: bytes) -> bytes:
    """The parts one after another, each behind its length: different parts never give equal bytes."""
    return b"".join(integer(len(part)) + part for part in parts)


def _labelled(label: str, parts: tuple[bytes, ...]) -> bytes:
    return framed((VERSION + label).encode(), *parts)


def digest(label: str, *parts: bytes) -> bytes:
    """SHA-256 of the framed label and parts, 32 bytes: heads, table ids, commitments."""
    return hashlib.sha256(_labelled(label, parts)).digest()


def equal(left: bytes, right: bytes) -> bool:
    """Whether two hashes are equal, in time that does not depend on where they differ."""
    return hmac.compare_digest(left, right)


def statement(group_name: str, kind: str, header: Header, *parts: bytes | int) -> bytes:
    """What a proof of ``kind`` speaks of, as bytes: the group, the header, and everything in the relation."""
    return framed(
        (VERSION + "statement/" + kind).encode(),
        group_name.encode(),
        integer(header.version),
        header.table_id,
        integer(header.epoch),
        integer(header.step),
        integer(header.seat),
        header.purpose.encode(),
        integer(header.index),
        header.head,
        *(integer(part) if isinstance(part, int) else part for part in parts),
    )


def challenge(order: int, label: str, *parts: bytes) -> int:
    """SHA-512 of the framed label and parts, as a number mod ``order``."""
    return int.from_bytes(hashlib.sha512(_labelled(label, parts)).digest(), "little") % order


def challenges(order: int, label: str, count: int, *parts: bytes) -> list[int]:
    """``challenge(order, label, *parts, integer(i))`` for i from 1 to ``count``, absorbing the parts once."""
    prefix = hashlib.sha512(_labelled(label, parts))
    found = []
    for i in range(1, count + 1):
        state = prefix.copy()
        state.update(framed(integer(i)))
        found.append(int.from_bytes(state.digest(), "little") % order)
    return found


def expand_message(message: bytes, separation: bytes, length: int) -> bytes:
    """``expand_message_xmd`` with SHA-512 (RFC 9380, section 5.3.1). ``separation`` is its DST."""
    block, size = 128, 64
    count = -(-length // size)
    if count > 255 or length > 65535 or not 0 < len(separation) <= 255:
        raise ValueError("too many bytes asked of expand_message, or a separation tag of a wrong length")
    tag = separation + bytes([len(separation)])
    first = hashlib.sha512(bytes(block) + message + length.to_bytes(2, "big") + b"\0" + tag).digest()
    last = hashlib.sha512(first + b"\1" + tag).digest()
    blocks = [last]
    for i in range(2, count + 1):
        mixed = bytes(x ^ y for x, y in zip(first, last, strict=True))
        last = hashlib.sha512(mixed + bytes([i]) + tag).digest()
        blocks.append(last)
    return b"".join(blocks)[:length]


class Xof:
    """A SHAKE-256 stream over the framed label and parts. Reading goes on where the last read ended."""

    __slots__ = ("_at", "_bytes", "_shake")

    def __init__(self, label: str, *parts: bytes) -> None:
        self._shake = hashlib.shake_256(_labelled(label, parts))
        self._bytes = b""
        self._at = 0

    def read(self, count: int) -> bytes:
        """The next ``count`` bytes."""
        start, self._at = self._at, self._at + count
        if self._at > len(self._bytes):
            # hashlib squeezes from the start each time: doubling keeps the total linear.
            self._bytes = self._shake.digest(max(self._at, 2 * len(self._bytes), _FIRST_SQUEEZE))
        return self._bytes[start : self._at]

    def scalar(self, order: int) -> int:
        """A number from 1 to ``order`` - 1, uniform: 64 bytes mod ``order``; the next 64 if that is zero."""
        while True:
            value = int.from_bytes(self.read(WIDE), "little") % order
            if value:
                return value

    def scalars(self, order: int, count: int) -> list[int]:
        """``count`` results of ``scalar``."""
        return [self.scalar(order) for _ in range(count)]

    def below(self, bound: int) -> int:
        """A number from 0 to ``bound`` - 1, uniform: 8 bytes, refused where the remainder would be biased."""
        span = 1 << (8 * _SAMPLE)
        if not 0 < bound <= span:
            raise ValueError("the bound of a random number lies between 1 and 2^64")
        limit = span - span % bound
        while True:
            value = int.from_bytes(self.read(_SAMPLE), "little")
            if value < limit:
                return value % bound

    def permutation(self, count: int) -> tuple[int, ...]:
        """A uniform permutation of 0 to ``count`` - 1 (Fisher-Yates, from the last place down)."""
        order = list(range(count))
        for i in range(count - 1, 0, -1):
            j = self.below(i + 1)
            order[i], order[j] = order[j], order[i]
        return tuple(order)
