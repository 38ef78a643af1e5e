"""A small group for bulk simulation. Logarithms in it can be computed: never for a real game."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from .group import Malformed, Point
from .hashing import WIDE, expand_message

_ORDER = 2**61 + 3297  # a prime ...
_MODULUS = 2 * _ORDER + 1  # ... for which this is prime too: the squares mod it are a group of that order
_SIZE = 8


def _encoded(value: int) -> Point:
    return value.to_bytes(_SIZE, "big")


def _value(point: Point) -> int:
    return int.from_bytes(point, "big")


class SmallGroup:
    """The squares mod a safe prime of 63 bits. A point is its residue in 8 bytes, big-endian."""

    name: Final = "test-group"
    order: Final = _ORDER
    base: Final = _encoded(4)
    identity: Final = _encoded(1)
    point_size: Final = _SIZE

    def decode(self, data: bytes, *, allow_identity: bool = False) -> Point:
        """See ``Group.decode``."""
        point = bytes(data)
        value = _value(point)
        if len(point) != _SIZE or not 0 < value < _MODULUS or pow(value, _ORDER, _MODULUS) != 1:
            raise Malformed("not the encoding of a point of the test group")
        if point == self.identity and not allow_identity:
            raise Malformed("the identity is refused here")
        return point

    def add(self, p: Point, q: Point) -> Point:
        """See ``Group.add``."""
        return _encoded(_value(p) * _value(q) % _MODULUS)

    def sub(self, p: Point, q: Point) -> Point:
        """See ``Group.sub``."""
        return _encoded(_value(p) * pow(_value(q), -1, _MODULUS) % _MODULUS)

    def mul(self, k: int, p: Point) -> Point:
        """See ``Group.mul``."""
        return _encoded(pow(_value(p), k % _ORDER, _MODULUS))

    def mul_base(self, k: int) -> Point:
        """See ``Group.mul_base``."""
        return self.mul(k, self.base)

    def sum(self, points: Sequence[Point]) -> Point:
        """See ``Group.sum``."""
        total = 1
        for point in points:
            total = total * _value(point) % _MODULUS
        return _encoded(total)

    def multi_mul(self, scalars: Sequence[int], points: Sequence[Point]) -> Point:
        """See ``Group.multi_mul``."""
        total = 1
        for k, point in zip(scalars, points, strict=True):
            total = total * pow(_value(point), k % _ORDER, _MODULUS) % _MODULUS
        return _encoded(total)

    def hash_to_group(self, label: bytes) -> Point:
        """See ``Group.hash_to_group``: the square of a wide hash."""
        return _hashed(label)


@lru_cache(maxsize=4096)
def _hashed(label: bytes) -> Point:
    # 1 + (x mod (p - 2)) is never zero; squares are never zero either.
    root = 1 + int.from_bytes(expand_message(label, b"shoal-v1-test-group", WIDE), "big") % (_MODULUS - 2)
    return _encoded(root * root % _MODULUS)
