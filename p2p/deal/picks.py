"""Blind picks from a hand: positions committed to before the hand is mixed, and opened afterwards."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..log.codec import Malformed
from .hidden import SALT_SIZE, Committed, Origin

POSITION_SIZE = 2
"""Bytes of a position, big-endian: more than any deck has cards."""


class Picking(NamedTuple):
    """A pick under way: the commitment, then the hand as it was mixed (sealed cards, or ``Mixed``), then the
    positions."""

    committed: Committed | None = None
    mixed: Any = None
    positions: tuple[int, ...] = ()


def positions_from(origin: Origin, seed: bytes, size: int, count: int) -> tuple[bytes, tuple[int, ...]]:
    """Salt and ``count`` different positions below ``size``, uniform, from a seat's seed alone."""
    stream = origin.stream(seed)
    salt = stream.read(SALT_SIZE)
    positions: list[int] = []
    while len(positions) < count:
        at = stream.below(size)
        if at not in positions:
            positions.append(at)
    return salt, tuple(positions)


def encode_positions(positions: tuple[int, ...]) -> bytes:
    """The positions in the order in which they were picked."""
    return b"".join(at.to_bytes(POSITION_SIZE, "big") for at in positions)


def decode_positions(data: bytes, size: int, count: int) -> tuple[int, ...]:
    """Raises ``Malformed`` unless they are ``count`` different positions below ``size``."""
    positions = tuple(
        int.from_bytes(data[at : at + POSITION_SIZE], "big") for at in range(0, len(data), POSITION_SIZE)
    )
    if len(data) != count * POSITION_SIZE or len(set(positions)) != count or max(positions) >= size:
        raise Malformed(f"the picked positions are not {count} different ones of {size} cards")
    return positions
