"""A card key split among the other keepers, so that all of them together, and nobody less, can act for it.

x = s_1 + ... + s_m, one share for each keeper. S_j = s_j G is public, and their sum is Y, so that nobody can
hand out shares of another key. Each share is sealed to its keeper's payload key W_j = w_j G: E = rG with a
proof that r is known, and c = s_j + hash(where it stands, E, rW_j). Whoever gets a share that does not fit
shows K = w_j E: all can then see who lied. The proof of r keeps a seat from having another's ciphertext
opened by such a complaint.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .group import (
    Group,
    Malformed,
    Point,
    ProofRejected,
    decode_proof,
    encode_proof,
    encode_scalar,
    proof_size,
)
from .hashing import Header, Xof, challenge, integer, statement
from .shares import prove_shares, share_proof_size, verify_shares

KIND = "escrow"


class Receiver(NamedTuple):
    """A keeper that gets a share: the number of its first seat, and its payload key W."""

    keeper: int
    key: Point


class SealedShare(NamedTuple):
    """A share as everybody sees it. ``header`` is where it stands, ``to`` the keeper that can read it."""

    header: Header
    to: int
    public: Point
    first: Point
    masked: int


def sealed_share_size(group: Group) -> int:
    """Bytes of one share with its proof: S, E, c, e, z."""
    return proof_size(group, 2, 3)


def prove_escrow(
    group: Group, header: Header, secret: int, receivers: Sequence[Receiver], fresh: bytes
) -> tuple[tuple[SealedShare, ...], bytes]:
    """The key ``secret`` in shares for ``receivers``, at least two; and the bytes that carry them.

    ``fresh`` is 32 bytes of new randomness.
    """
    if len(receivers) < 2:
        raise ValueError("a key is split among two keepers at least: one alone would hold all of it")
    q, key = group.order, encode_scalar(secret)
    public = group.mul_base(secret)
    parts = [part for each in receivers for part in (integer(each.keeper), each.key)]
    said = statement(group.name, f"{KIND}/split", header, public, len(receivers), *parts)
    stream = Xof(f"{KIND}/split", fresh, key, said)
    own = _split(secret, len(receivers), stream, q)
    found, out = [], []
    for receiver, value in zip(receivers, own, strict=True):
        share, data = seal_share(
            group, header, public, receiver, value, group.mul_base(value), stream.scalars(q, 2)
        )
        found.append(share)
        out.append(data)
    return tuple(found), b"".join(out)


def seal_share(
    group: Group,
    header: Header,
    public: Point,
    receiver: Receiver,
    value: int,
    promised: Point,
    randoms: Sequence[int],
) -> tuple[SealedShare, bytes]:
    """One share of the key behind ``public``, and its bytes. ``value`` is sealed and ``promised`` is S, its
    point; ``randoms`` are r and the nonce of its proof.
    """
    q, (r, nonce) = group.order, randoms
    first = group.mul_base(r)
    masked = (value + _mask(group, header, receiver.keeper, first, group.mul(r, receiver.key))) % q
    share = SealedShare(header, receiver.keeper, promised, first, masked)
    e = challenge(q, f"{KIND}/challenge", _statement(group, public, receiver, share), group.mul_base(nonce))
    return share, encode_proof((promised, first), (masked, e, (nonce + e * r) % q))


def verify_escrow(
    group: Group, header: Header, public: Point, receivers: Sequence[Receiver], data: bytes
) -> tuple[SealedShare, ...]:
    """The shares of the key behind ``public`` in ``data``, in order of ``receivers``.

    Raises ``Malformed`` or ``ProofRejected``. That a share opens, only its keeper can see.
    """
    size = sealed_share_size(group)
    if len(data) != size * len(receivers):
        raise Malformed(f"{len(receivers)} shares of a key have {size * len(receivers)} bytes")
    found = []
    for number, receiver in enumerate(receivers):
        part = data[number * size : (number + 1) * size]
        (own, first), (masked, e, z) = decode_proof(group, part, 2, 3)
        share = SealedShare(header, receiver.keeper, own, first, masked)
        announcements = _announcements(group, first, e, z)
        said = _statement(group, public, receiver, share)
        if challenge(group.order, f"{KIND}/challenge", said, *announcements.values()) != e:
            raise ProofRejected("challenge", "the proof of a sealed share does not hold")
        found.append(share)
    if not _is_whole(group, public, found):
        raise ProofRejected("sum", "the shares of a key do not make up that key")
    return tuple(found)


def open_share(group: Group, share: SealedShare, shared: Point) -> int | None:
    """The share for whoever knows K; ``None`` where what was sealed is not the share that S promises."""
    value = (share.masked - _mask(group, share.header, share.to, share.first, shared)) % group.order
    return value if group.mul_base(value) == share.public else None


def read_share(group: Group, share: SealedShare, payload_key: int) -> int | None:
    """The share for the keeper it was sealed to; ``None`` where that keeper has to complain."""
    return open_share(group, share, group.mul(payload_key, share.first))


# --- complaints ---------------------------------------------------------------------------------------------


def complaint_size(group: Group) -> int:
    """Bytes of a complaint: K and its proof."""
    return group.point_size + share_proof_size(group)


def prove_complaint(
    group: Group, header: Header, payload_key: int, key: Point, share: SealedShare, fresh: bytes
) -> bytes:
    """K = wE, with the proof that w is the logarithm of ``key`` = W. Everybody can open the share then."""
    (shared,), proof = prove_shares(group, header, payload_key, key, (share.first,), fresh)
    return shared + proof


def is_justified(group: Group, header: Header, key: Point, share: SealedShare, data: bytes) -> bool:
    """Whether a complaint shows that the share does not open. Raises ``Malformed`` or ``ProofRejected`` for
    one that shows nothing."""
    if len(data) != complaint_size(group):
        raise Malformed(f"a complaint has {complaint_size(group)} bytes")
    shared = group.decode(data[: group.point_size])
    verify_shares(group, header, key, (share.first,), (shared,), data[group.point_size :])
    return open_share(group, share, shared) is None


# --- helpers ------------------------------------------------------------------------------------------------


def _split(secret: int, count: int, stream: Xof, order: int) -> list[int]:
    """``count`` uniform numbers that add up to ``secret``, none of them zero."""
    while True:
        own = stream.scalars(order, count - 1)
        last = (secret - sum(own)) % order
        if last:
            return [*own, last]


def _mask(group: Group, header: Header, to: int, first: Point, shared: Point) -> int:
    where = (header.table_id, integer(header.epoch), integer(header.step), integer(header.seat), integer(to))
    return challenge(group.order, f"{KIND}/mask", *where, first, shared)


def _statement(group: Group, public: Point, receiver: Receiver, share: SealedShare) -> bytes:
    masked = encode_scalar(share.masked)
    return statement(
        group.name,
        KIND,
        share.header,
        public,
        receiver.keeper,
        receiver.key,
        share.public,
        share.first,
        masked,
    )


def _announcements(group: Group, first: Point, e: int, z: int) -> dict[str, Point]:
    """T = z G - e E."""
    return {"t": group.multi_mul((z, -e), (group.base, first))}


def _is_whole(group: Group, public: Point, found: Sequence[SealedShare]) -> bool:
    """Whether the S_j add up to Y."""
    return group.sum([share.public for share in found]) == public
