"""Commitments that are opened in a later round of the same operation, and the secrets behind them.

A seat stores nothing for such a commitment: its salt, and whatever else is drawn for it, come from the seat's
seed and from the place where the commitment stood, which everybody remembers.
"""

from __future__ import annotations

from typing import NamedTuple

from ..sealed import Xof, digest
from ..sealed.hashing import equal, integer

SALT_SIZE = 32
"""Bytes of a salt: a deed or a position can be guessed, the salt of the commitment to it cannot."""

COMMITMENT_SIZE = 32
"""Bytes of a commitment: a hash."""


class Origin(NamedTuple):
    """Where a commitment stands. ``number`` counts the proofs and commitments of its contribution."""

    table_id: bytes
    epoch: int
    step: int
    seat: int
    purpose: str
    number: int

    def stream(self, seed: bytes) -> Xof:
        """The secrets of this one commitment, in the order of use: the salt first."""
        return Xof("round/secret", seed, *self.parts())

    def salt(self, seed: bytes) -> bytes:
        """The salt of this commitment."""
        return self.stream(seed).read(SALT_SIZE)

    def commit(self, salt: bytes, value: bytes) -> bytes:
        """The commitment to ``value``, 32 bytes."""
        return digest("round/commitment", *self.parts(), salt, value)

    def parts(self) -> tuple[bytes, ...]:
        """The place as it enters a hash."""
        numbers = (integer(self.epoch), integer(self.step), integer(self.seat))
        return (self.table_id, *numbers, self.purpose.encode(), integer(self.number))


class Committed(NamedTuple):
    """A seat's commitment, and where it stood."""

    origin: Origin
    commitment: bytes

    def is_opened_by(self, salt: bytes, value: bytes) -> bool:
        """Whether ``salt`` and ``value`` are what was committed to."""
        return equal(self.origin.commit(salt, value), self.commitment)
