"""ristretto255 in plain Python (RFC 9496): for where no libsodium can be loaded, and to test it.

Its running time depends on the scalars; ``docs/threats.md`` says what that means. Points inside are extended
coordinates (X, Y, Z, T) of edwards25519 with x = X/Z, y = Y/Z, xy = T/Z.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from .group import Malformed, Point
from .hashing import WIDE, expand_message

NAME = "ristretto255"
ORDER = 2**252 + 27742317777372353535851937790883648493
POINT_SIZE = 32
IDENTITY: Point = bytes(POINT_SIZE)
BASE: Point = bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76")
SEPARATION = b"shoal-v1-ristretto255_XMD:SHA-512_R255MAP_RO_"
"""Domain separation tag of hash_to_ristretto255, in the form RFC 9380, section 3.1, asks for."""

FIELD = 2**255 - 19
"""The prime of the coordinates; an encoding is a number below it."""

# RFC 9496, section 4.1.
_P = FIELD
_D = -121665 * pow(121666, -1, _P) % _P
_SQRT_M1 = pow(2, (_P - 1) // 4, _P)
_SQRT_AD_MINUS_ONE = 25063068953384623474111414158702152701244531502492656460079210482610430750235
_INVSQRT_A_MINUS_D = 54469307008909316920995813868745141605393597292927456921205312896311721017578
_ONE_MINUS_D_SQ = (1 - _D * _D) % _P
_D_MINUS_ONE_SQ = (_D - 1) ** 2 % _P

_Extended: TypeAlias = tuple[int, int, int, int]
_ZERO: _Extended = (0, 1, 1, 0)
_WINDOW = 4  # bits per step: 14 additions to prepare a point, one in four doublings to use it


def _sqrt_ratio(u: int, v: int) -> tuple[bool, int]:
    """Whether u/v is a square, and the non-negative root of it or of sqrt(-1) u/v (section 4.2)."""
    v3 = v * v % _P * v % _P
    r = u * v3 % _P * pow(u * v3 % _P * v3 % _P * v % _P, (_P - 5) // 8, _P) % _P
    check = v * r % _P * r % _P
    flipped = check == -u % _P
    if flipped or check == -u * _SQRT_M1 % _P:
        r = r * _SQRT_M1 % _P
    return check == u % _P or flipped, _absolute(r)


def _absolute(x: int) -> int:
    return _P - x if x & 1 else x


def _decoded(data: bytes) -> _Extended:
    """Section 4.3.1."""
    s = int.from_bytes(data, "little")
    if len(data) != POINT_SIZE or s >= _P or s & 1:
        raise Malformed("not the canonical encoding of a point of ristretto255")
    ss = s * s % _P
    u1, u2 = 1 - ss, 1 + ss
    v = (-_D * u1 * u1 - u2 * u2) % _P
    square, root = _sqrt_ratio(1, v * u2 * u2 % _P)
    den_x = root * u2 % _P
    x = _absolute(2 * s * den_x % _P)
    y = u1 * root % _P * den_x % _P * v % _P
    t = x * y % _P
    if not square or t & 1 or y == 0:
        raise Malformed("not the encoding of a point of ristretto255")
    return x, y, 1, t


def _encoded(point: _Extended) -> Point:
    """Section 4.3.2."""
    x, y, z, t = point
    u1 = (z + y) * (z - y) % _P
    u2 = x * y % _P
    _, root = _sqrt_ratio(1, u1 * u2 % _P * u2 % _P)
    den1, den2 = root * u1 % _P, root * u2 % _P
    z_inverse = den1 * den2 % _P * t % _P
    if t * z_inverse % _P & 1:
        x, y, den2 = y * _SQRT_M1 % _P, x * _SQRT_M1 % _P, den1 * _INVSQRT_A_MINUS_D % _P
    if x * z_inverse % _P & 1:
        y = -y
    return _absolute(den2 * (z - y) % _P).to_bytes(POINT_SIZE, "little")


def _mapped(data: bytes) -> _Extended:
    """The map of section 4.3.4 from 32 bytes."""
    t = (int.from_bytes(data, "little") & (2**255 - 1)) % _P
    r = _SQRT_M1 * t * t % _P
    u = (r + 1) * _ONE_MINUS_D_SQ % _P
    v = (-1 - r * _D) * (r + _D) % _P
    square, s = _sqrt_ratio(u, v)
    c = -1
    if not square:
        s, c = -_absolute(s * t % _P), r
    n = (c * (r - 1) * _D_MINUS_ONE_SQ - v) % _P
    w0, w1, w2, w3 = 2 * s * v % _P, n * _SQRT_AD_MINUS_ONE % _P, (1 - s * s) % _P, (1 + s * s) % _P
    return w0 * w3 % _P, w2 * w1 % _P, w1 * w3 % _P, w0 * w2 % _P


def _sum(p: _Extended, q: _Extended) -> _Extended:
    """Unified addition for a = -1 (Hisil, Wong, Carter, Dawson 2008)."""
    a = (p[1] - p[0]) * (q[1] - q[0]) % _P
    b = (p[1] + p[0]) * (q[1] + q[0]) % _P
    c = 2 * _D * p[3] * q[3] % _P
    d = 2 * p[2] * q[2] % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def _negative(p: _Extended) -> _Extended:
    return -p[0] % _P, p[1], p[2], -p[3] % _P


_lifted = lru_cache(maxsize=2048)(_decoded)  # every operation takes encodings; most of them again and again


@lru_cache(maxsize=2048)
def _multiples(point: Point) -> tuple[_Extended, ...]:
    """0 P to 15 P."""
    table = [_ZERO]
    for _ in range(1, 1 << _WINDOW):
        table.append(_sum(table[-1], _lifted(point)))
    return tuple(table)


def from_uniform(data: bytes) -> Point:
    """The one-way map from 64 uniform bytes (section 4.3.4)."""
    if len(data) != WIDE:
        raise ValueError(f"the one-way map takes {WIDE} bytes")
    return _encoded(_sum(_mapped(data[:32]), _mapped(data[32:])))


class Ristretto255:
    """The group of the real protocol, in plain Python."""

    name: Final = NAME
    order: Final = ORDER
    base: Final = BASE
    identity: Final = IDENTITY
    point_size: Final = POINT_SIZE

    def decode(self, data: bytes, *, allow_identity: bool = False) -> Point:
        """See ``Group.decode``."""
        point = bytes(data)
        _lifted(point)
        if point == IDENTITY and not allow_identity:
            raise Malformed("the identity is refused here")
        return point

    def add(self, p: Point, q: Point) -> Point:
        """See ``Group.add``."""
        return _encoded(_sum(_lifted(p), _lifted(q)))

    def sub(self, p: Point, q: Point) -> Point:
        """See ``Group.sub``."""
        return _encoded(_sum(_lifted(p), _negative(_lifted(q))))

    def mul(self, k: int, p: Point) -> Point:
        """See ``Group.mul``."""
        return self.multi_mul((k,), (p,))

    def mul_base(self, k: int) -> Point:
        """See ``Group.mul_base``."""
        return self.multi_mul((k,), (BASE,))

    def sum(self, points: Sequence[Point]) -> Point:
        """See ``Group.sum``."""
        total = _ZERO
        for point in points:
            total = _sum(total, _lifted(point))
        return _encoded(total)

    def multi_mul(self, scalars: Sequence[int], points: Sequence[Point]) -> Point:
        """See ``Group.multi_mul``. All points share the doublings (Straus)."""
        reduced = [k % ORDER for k in scalars]
        tables = [_multiples(point) for point in points]
        total = _ZERO
        for shift in range(ORDER.bit_length() // _WINDOW * _WINDOW, -1, -_WINDOW):
            for _ in range(_WINDOW):
                total = _sum(total, total)
            for k, table in zip(reduced, tables, strict=True):
                total = _sum(total, table[(k >> shift) & 15])
        return _encoded(total)

    def hash_to_group(self, label: bytes) -> Point:
        """See ``Group.hash_to_group``: hash_to_ristretto255 of RFC 9380, appendix B."""
        return _hashed(label)


@lru_cache(maxsize=4096)
def _hashed(label: bytes) -> Point:
    return from_uniform(expand_message(label, SEPARATION, WIDE))
