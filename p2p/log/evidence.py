"""Transferable proofs of a fault: two contributions of one seat to one step."""

from __future__ import annotations

import msgspec

from .charter import Charter
from .entry import Entry, is_signed


class Equivocation(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Two different bodies that one seat signed for the same step on the same head."""

    head: bytes
    first: Entry
    second: Entry


def is_equivocation(charter: Charter, table_id: bytes, proof: Equivocation) -> bool:
    """Whether ``proof`` convicts its seat. Two signatures over the same body do not: that is one
    statement."""
    first, second = proof.first, proof.second
    return (
        first.place == second.place
        and first.body != second.body
        and is_signed(charter, table_id, proof.head, first)
        and is_signed(charter, table_id, proof.head, second)
    )
