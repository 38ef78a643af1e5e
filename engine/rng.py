"""A deterministic stream of random numbers: the same on every machine, Python version and hash seed.

SHAKE-256 (FIPS 202) in counter mode over a key derived from the seed and labels. For simulation, tests and
bots; entropy for anything secret comes from the operating system elsewhere.
"""

from __future__ import annotations

import hashlib
from collections.abc import MutableSequence, Sequence
from typing import TypeVar

T = TypeVar("T")

BLOCK = 1024  # bytes made at a time: a game of 300 operations needs about one

_MASKS = tuple([(1 << max(0, n - 1).bit_length()) - 1 for n in range(257)])
"""The bits that a number below ``n`` may have."""


class Stream:
    """Uniform numbers from ``seed`` and ``labels``; streams with different labels are independent."""

    __slots__ = ("_at", "_block", "_counter", "_key")

    def __init__(self, seed: bytes | int | str, *labels: int | str) -> None:
        if not isinstance(seed, bytes):
            seed = str(seed).encode()
        parts = [b"shoal stream", seed, *(str(label).encode() for label in labels)]
        text = b"".join(len(part).to_bytes(8, "big") + part for part in parts)
        self._key = hashlib.shake_256(text).digest(32)
        self._counter = 0
        self._block = b""
        self._at = 0

    def below(self, n: int) -> int:
        """A uniform number in ``range(n)``, by rejection. Raises ``ValueError`` for ``n`` < 1."""
        if n <= 256:
            if n < 2:
                if n < 1:
                    raise ValueError(f"there is no number below {n}.")
                return 0
            mask = _MASKS[n]
            while True:
                if self._at >= len(self._block):
                    self._refill()
                value = self._block[self._at] & mask
                self._at += 1
                if value < n:
                    return value
        bits = (n - 1).bit_length()
        while True:
            value = int.from_bytes(self.bytes((bits + 7) // 8), "big") & ((1 << bits) - 1)
            if value < n:
                return value

    def bytes(self, count: int) -> bytes:
        """The next ``count`` bytes."""
        while len(self._block) - self._at < count:
            self._refill()
        taken = self._block[self._at : self._at + count]
        self._at += count
        return taken

    def shuffle(self, items: MutableSequence[T]) -> None:
        """A uniformly random permutation, in place (Fisher-Yates)."""
        below = self.below
        for n in range(len(items) - 1, 0, -1):
            at = below(n + 1)
            items[n], items[at] = items[at], items[n]

    def choice(self, items: Sequence[T]) -> T:
        """One of ``items``, each equally likely; ``ValueError`` where there are none."""
        return items[self.below(len(items))]

    def _refill(self) -> None:
        block = hashlib.shake_256(self._key + self._counter.to_bytes(8, "big")).digest(BLOCK)
        self._block = self._block[self._at :] + block
        self._at = 0
        self._counter += 1
