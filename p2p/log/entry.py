"""Signed contributions and the chain of heads that binds each step to all before it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from ..identity import Identity, verify
from ..sealed.hashing import digest
from .charter import Charter

MAX_BODY = 256 * 1024
"""Bytes of one contribution. The largest is a shuffle of 106 cards with two attributes and its proof: about
75 KB."""

SIGNING_PURPOSE = "entry"


class Entry(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One seat's contribution to one step: the bytes that travelled, and the identity's signature over
    them."""

    epoch: int
    step: int
    seat: int
    body: bytes
    signature: bytes

    @property
    def place(self) -> tuple[int, int, int]:
        """(epoch, step, seat): where at most one contribution may stand."""
        return (self.epoch, self.step, self.seat)


def first_head(table_id: bytes) -> bytes:
    """The head before step 0."""
    return digest("head", table_id)


def signed_bytes(table_id: bytes, epoch: int, step: int, seat: int, head: bytes, body: bytes) -> bytes:
    """What an identity signs: table id, epoch (4 bytes), step (4 bytes), seat (1 byte), head before, body.

    The label and its length are put in front by the signature itself (purpose ``entry``).
    """
    return b"".join(
        (table_id, epoch.to_bytes(4, "big"), step.to_bytes(4, "big"), seat.to_bytes(1, "big"), head, body)
    )


def sign_entry(
    identity: Identity, table_id: bytes, epoch: int, step: int, seat: int, head: bytes, body: bytes
) -> Entry:
    """The signed contribution of ``seat``."""
    signature = identity.sign(SIGNING_PURPOSE, signed_bytes(table_id, epoch, step, seat, head, body))
    return Entry(epoch, step, seat, body, signature)


def is_signed(charter: Charter, table_id: bytes, head: bytes, entry: Entry) -> bool:
    """Whether the seat's identity signed ``entry`` on top of ``head``; never with a number out of range."""
    if not 0 <= entry.seat < len(charter.seats):
        return False
    if not all(0 <= number < 2**32 for number in (entry.epoch, entry.step)):
        return False
    data = signed_bytes(table_id, entry.epoch, entry.step, entry.seat, head, entry.body)
    return verify(charter.seats[entry.seat].public, SIGNING_PURPOSE, data, entry.signature)


def next_head(table_id: bytes, head: bytes, entries: Iterable[Entry], absence: Sequence[bytes] = ()) -> bytes:
    """The head after a step: over the signed bytes of its contributions in seat order, without signatures.

    One key can sign the same bytes in many ways, so a signature must not be able to change the history.
    ``absence`` are the signed bytes of a certificate that stands for what is missing (``certificate_bytes``).
    """
    ordered = sorted(entries, key=lambda entry: entry.seat)
    return digest(
        "head/absent" if absence else "head",
        head,
        *(signed_bytes(table_id, e.epoch, e.step, e.seat, head, e.body) for e in ordered),
        *absence,
    )
