"""Commitments to byte strings, bound to table and seat: a copy of another seat's can never be opened."""

from __future__ import annotations

from .hashing import digest, equal, integer


def commit(table_id: bytes, seat: int, purpose: str, value: bytes, salt: bytes) -> bytes:
    """A commitment of 32 bytes. Hiding if ``salt``, or ``value`` itself, is 32 random bytes."""
    return digest("commitment", table_id, integer(seat), purpose.encode(), salt, value)


def check_commitment(
    table_id: bytes, seat: int, purpose: str, value: bytes, salt: bytes, commitment: bytes
) -> bool:
    """Whether ``value`` and ``salt`` open ``commitment``."""
    return equal(commit(table_id, seat, purpose, value, salt), commitment)
