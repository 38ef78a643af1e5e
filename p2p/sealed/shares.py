"""Shares x A of the first components A of ciphertexts, all by one key, with one batched Chaum-Pedersen proof.

A share of one's own takes the last layer off a card: an opening is the same proof.
"""

from __future__ import annotations

from collections.abc import Sequence

from .group import Group, Point, ProofRejected, decode_proof, encode_proof, encode_scalar, proof_size
from .hashing import Header, Xof, challenge, challenges, statement

KIND = "shares"


def share_proof_size(group: Group) -> int:
    """Bytes of the proof for any number of shares above zero."""
    return proof_size(group, 0, 2)


def prove_shares(
    group: Group, header: Header, secret: int, public: Point, firsts: Sequence[Point], fresh: bytes
) -> tuple[tuple[Point, ...], bytes]:
    """The shares xA of ``firsts`` (none the identity), and the proof that x is the logarithm of ``public``.

    Of no shares the proof is empty.
    """
    shares = tuple(group.mul(secret, a) for a in firsts)
    if not shares:
        return (), b""
    said = _statement(group, header, public, firsts, shares)
    composite, _ = composites(group, _weights(group, said, len(shares)), firsts, shares)
    nonce = Xof(f"{KIND}/nonces", fresh, encode_scalar(secret), said).scalar(group.order)
    e = challenge(group.order, f"{KIND}/challenge", said, *announce(group, nonce, composite).values())
    return shares, encode_proof((), (e, respond(group, secret, nonce, e)))


def verify_shares(
    group: Group,
    header: Header,
    public: Point,
    firsts: Sequence[Point],
    shares: Sequence[Point],
    proof: bytes,
) -> None:
    """Raises ``Malformed`` or ``ProofRejected``. ``shares`` have been decoded, which refuses the identity."""
    if len(shares) != len(firsts):
        raise ProofRejected("counts", f"{len(firsts)} shares are owed, {len(shares)} came")
    if not firsts:
        decode_proof(group, proof, 0, 0)
        return
    _, (e, z) = decode_proof(group, proof, 0, 2)
    if group.identity in shares:
        raise ProofRejected("identity", "a share is the identity")
    said = _statement(group, header, public, firsts, shares)
    pair = composites(group, _weights(group, said, len(shares)), firsts, shares)
    announcements = recompute(group, public, *pair, e, z)
    if challenge(group.order, f"{KIND}/challenge", said, *announcements.values()) != e:
        raise ProofRejected("challenge", "the proof of a share does not hold")


def _statement(
    group: Group, header: Header, public: Point, firsts: Sequence[Point], shares: Sequence[Point]
) -> bytes:
    return statement(group.name, KIND, header, public, len(firsts), b"".join(firsts), b"".join(shares))


def _weights(group: Group, said: bytes, count: int) -> list[int]:
    return challenges(group.order, f"{KIND}/weight", count, said)


# The core: all that the vectors of RFC 9497 fix is an argument. Its response is k - cx: its challenge is -e.


def composites(
    group: Group, weights: Sequence[int], firsts: Sequence[Point], shares: Sequence[Point]
) -> tuple[Point, Point]:
    """A and D, the weighted sums of firsts and shares."""
    return group.multi_mul(weights, firsts), group.multi_mul(weights, shares)


def announce(group: Group, nonce: int, composite: Point) -> dict[str, Point]:
    """kG and kA."""
    return {"key": group.mul_base(nonce), "share": group.mul(nonce, composite)}


def respond(group: Group, secret: int, nonce: int, e: int) -> int:
    """z = k + e x."""
    return (nonce + e * secret) % group.order


def recompute(
    group: Group, public: Point, composite: Point, share: Point, e: int, z: int
) -> dict[str, Point]:
    """kG = zG - eY and kA = zA - eD."""
    return {
        "key": group.multi_mul((z, -e), (group.base, public)),
        "share": group.multi_mul((z, -e), (composite, share)),
    }
