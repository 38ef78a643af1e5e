"""Ed25519 identities (RFC 8032): signatures under purpose labels, and which public keys are admitted."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from ..sealed.hashing import VERSION, digest, framed
from .words import words

SEED_SIZE = 32
PUBLIC_SIZE = 32
SIGNATURE_SIZE = 64

FINGERPRINT_WORDS = 6
"""48 bits, more than the four words of a link: those are committed to first, but keys can be tried offline
until a fingerprint fits. At 20 microseconds a key, 2^48 of them take a core 178 years."""

# The curve of RFC 8032, section 5.1: -x^2 + y^2 = 1 + d x^2 y^2 over the integers modulo p, prime order L.
_P = 2**255 - 19
_L = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, -1, _P) % _P
_ROOT_OF_MINUS_ONE = pow(2, (_P - 1) // 4, _P)

_Point = tuple[int, int, int, int]


class BadPublicKey(ValueError):
    """The key is not one an honest player can have."""


class Identity:
    """A player's signing key, made from 32 bytes of entropy. Its ``repr`` shows the fingerprint, never the
    seed."""

    __slots__ = ("_key", "public")

    def __init__(self, seed: bytes) -> None:
        if len(seed) != SEED_SIZE:
            raise ValueError(f"an identity needs {SEED_SIZE} bytes of entropy, not {len(seed)}")
        self._key: Final = Ed25519PrivateKey.from_private_bytes(seed)
        self.public: Final[bytes] = self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

    def sign(self, purpose: str, data: bytes) -> bytes:
        """A signature (64 bytes) over ``data`` that is worth something for ``purpose`` alone."""
        return self._key.sign(_labelled(purpose, data))

    def __repr__(self) -> str:
        return f"<Identity {' '.join(fingerprint(self.public))}>"


def verify(public: bytes, purpose: str, data: bytes, signature: bytes) -> bool:
    """Whether the holder of ``public`` signed ``data`` for ``purpose``. False for every key ``check_public``
    refuses."""
    if len(signature) != SIGNATURE_SIZE or not _is_admitted(public):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, _labelled(purpose, data))
    except InvalidSignature:
        return False
    return True


def check_public(public: bytes) -> None:
    """Raise ``BadPublicKey`` unless ``public`` is the canonical encoding of a point of prime order.

    With a key of small order one signature is valid for many messages, so its holder could deny anything;
    OpenSSL accepts such keys. A second encoding of one point would be a second identity with the same key.
    """
    if not _is_admitted(public):
        raise BadPublicKey("The other player's identity key is not a valid one; do not play with it.")


def fingerprint(public: bytes) -> tuple[str, ...]:
    """Six words by which people compare a key in person or on the telephone."""
    return words(digest("fingerprint", public), FINGERPRINT_WORDS)


def _labelled(purpose: str, data: bytes) -> bytes:
    """The bytes under a signature: the label behind its length, then the data."""
    return framed(f"{VERSION}sig/{purpose}".encode("ascii")) + data


@lru_cache(maxsize=256)  # a table's few keys are checked for each entry, and a check takes about a ms
def _is_admitted(public: bytes) -> bool:
    point = _decode(public)
    return point is not None and not _is_identity(point) and _is_identity(_multiply(_L, point))


def _decode(public: bytes) -> _Point | None:
    """RFC 8032, section 5.1.3, with non-canonical encodings refused."""
    if len(public) != PUBLIC_SIZE:
        return None
    number = int.from_bytes(public, "little")
    sign, y = number >> 255, number & ((1 << 255) - 1)
    if y >= _P:
        return None
    square = (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P:
        x = x * _ROOT_OF_MINUS_ONE % _P
    if (x * x - square) % _P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = _P - x
    return x, y, 1, x * y % _P


def _add(a: _Point, b: _Point) -> _Point:
    """RFC 8032, section 5.1.4; complete, so it also doubles."""
    e = (a[1] - a[0]) * (b[1] - b[0]) % _P
    f = (a[1] + a[0]) * (b[1] + b[0]) % _P
    g = 2 * a[3] * b[3] * _D % _P
    h = 2 * a[2] * b[2] % _P
    return (f - e) * (h - g) % _P, (h + g) * (f + e) % _P, (h - g) * (h + g) % _P, (f - e) * (f + e) % _P


def _multiply(scalar: int, point: _Point) -> _Point:
    """Only for public values: its time depends on them."""
    result: _Point = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            result = _add(result, point)
        point = _add(point, point)
        scalar >>= 1
    return result


def _is_identity(point: _Point) -> bool:
    return point[0] == 0 and (point[1] - point[2]) % _P == 0
