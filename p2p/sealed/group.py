"""The prime-order group that cards and proofs are made of, its encodings, and its fixed points."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol, TypeAlias

from .hashing import VERSION

SCALAR_SIZE = 32
"""Bytes of an encoded scalar in every group, little-endian."""

Point: TypeAlias = bytes
"""A group element in its only valid encoding. Received bytes become one only by ``Group.decode``."""


class Malformed(ValueError):
    """Received bytes that are no valid encoding of what they should be."""


class ProofRejected(ValueError):
    """A proof that does not show what it should. ``equation`` names the check that failed."""

    def __init__(self, equation: str, reason: str | None = None) -> None:
        super().__init__(reason or f"the proof fails its check of the {equation}")
        self.equation = equation


class Group(Protocol):
    """A group of prime order, written additively. Scalars are plain integers and may be negative.

    Arguments that are points have passed ``decode`` or come from this object.
    """

    def __hash__(self) -> int:
        """A group is a key of caches; it equals only itself."""

    @property
    def name(self) -> str:
        """Part of every statement."""

    @property
    def order(self) -> int:
        """The prime order q."""

    @property
    def base(self) -> Point:
        """The generator G."""

    @property
    def identity(self) -> Point:
        """The neutral element."""

    @property
    def point_size(self) -> int:
        """Bytes of an encoded point."""

    def decode(self, data: bytes, *, allow_identity: bool = False) -> Point:
        """``data`` as a point. Raises ``Malformed`` unless it is the encoding of one."""

    def add(self, p: Point, q: Point) -> Point:
        """p + q."""

    def sub(self, p: Point, q: Point) -> Point:
        """p - q."""

    def mul(self, k: int, p: Point) -> Point:
        """k p."""

    def mul_base(self, k: int) -> Point:
        """k G."""

    def sum(self, points: Sequence[Point]) -> Point:
        """The sum of all; of none, the identity."""

    def multi_mul(self, scalars: Sequence[int], points: Sequence[Point]) -> Point:
        """The sum of k_i P_i. Raises ``ValueError`` unless there are as many scalars as points."""

    def hash_to_group(self, label: bytes) -> Point:
        """A point whose logarithm nobody knows (RFC 9380 for ristretto255)."""


def encode_scalar(k: int) -> bytes:
    """``k``, from 0 to 2^256 - 1, as 32 bytes."""
    return k.to_bytes(SCALAR_SIZE, "little")


def decode_scalar(group: Group, data: bytes) -> int:
    """The scalar in ``data``. Raises ``Malformed`` for a wrong length or a value not below the order."""
    if len(data) != SCALAR_SIZE:
        raise Malformed(f"a scalar has {SCALAR_SIZE} bytes, not {len(data)}")
    k = int.from_bytes(data, "little")
    if k >= group.order:
        raise Malformed("a scalar is not below the order of the group")
    return k


def encode_proof(points: Sequence[Point], scalars: Sequence[int]) -> bytes:
    """A proof as it travels: its points, then its scalars."""
    return b"".join(points) + b"".join(encode_scalar(k) for k in scalars)


def proof_size(group: Group, points: int, scalars: int) -> int:
    """Bytes of a proof with that many points and scalars."""
    return group.point_size * points + SCALAR_SIZE * scalars


def decode_proof(group: Group, data: bytes, points: int, scalars: int) -> tuple[list[Point], list[int]]:
    """The points and scalars of a proof. Raises ``Malformed``; a wrong length before any arithmetic."""
    size = proof_size(group, points, scalars)
    if len(data) != size:
        raise Malformed(f"this proof has {size} bytes, not {len(data)}")
    found, middle = decode_points(group, data, points), points * group.point_size
    cuts = range(middle, size, SCALAR_SIZE)
    return found, [decode_scalar(group, data[at : at + SCALAR_SIZE]) for at in cuts]


def decode_points(group: Group, data: bytes, count: int) -> list[Point]:
    """The first ``count`` points of ``data``, none of them the identity. Raises ``Malformed``."""
    size = group.point_size
    return [group.decode(data[at : at + size]) for at in range(0, count * size, size)]


def generator(group: Group, i: int) -> Point:
    """The i-th of the points whose logarithms nobody knows: H is number 0, H_i number i."""
    return group.hash_to_group(f"{VERSION}gen/{i}".encode())


class Generators(NamedTuple):
    """What a shuffle of n cards commits with: H, H_1 to H_n, and the sum of the latter."""

    h: Point
    each: tuple[Point, ...]
    total: Point


@lru_cache(maxsize=64)
def generators(group: Group, count: int) -> Generators:
    """The generators of a shuffle of ``count`` cards."""
    each = tuple(generator(group, i) for i in range(1, count + 1))
    return Generators(generator(group, 0), each, group.sum(each))


def attribute_point(group: Group, deck_id: str, attribute: str, value: str) -> Point:
    """The point that stands for one value of one attribute in one deck."""
    return group.hash_to_group(f"{VERSION}attr/{deck_id}/{attribute}/{value}".encode())
