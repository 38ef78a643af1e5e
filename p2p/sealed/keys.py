"""Public keys, each with a Schnorr proof that its seat knows the secret: none can be made out of others'."""

from __future__ import annotations

from .group import Group, Point, ProofRejected, decode_proof, encode_proof, encode_scalar
from .hashing import Header, Xof, challenge, statement

KIND = "key"


def public_key(group: Group, secret: int) -> Point:
    """Y = xG for a secret from 1 to q - 1."""
    return group.mul_base(secret)


def prove_key(group: Group, header: Header, secret: int, fresh: bytes) -> bytes:
    """Knowledge of x with Y = xG: e, z. ``fresh`` is 32 bytes of new randomness."""
    public = public_key(group, secret)
    said = statement(group.name, KIND, header, public)
    nonce = Xof(f"{KIND}/nonces", fresh, encode_scalar(secret), said).scalar(group.order)
    e = challenge(group.order, f"{KIND}/challenge", said, group.mul_base(nonce))
    return encode_proof((), (e, (nonce + e * secret) % group.order))


def verify_key(group: Group, header: Header, public: Point, proof: bytes) -> None:
    """Raises ``Malformed`` or ``ProofRejected``."""
    _, (e, z) = decode_proof(group, proof, 0, 2)
    if public == group.identity:
        raise ProofRejected("key", "the identity is no key")
    said = statement(group.name, KIND, header, public)
    announcements = _announcements(group, public, e, z)
    if challenge(group.order, f"{KIND}/challenge", said, *announcements.values()) != e:
        raise ProofRejected("challenge", "the proof of a key does not hold")


def _announcements(group: Group, public: Point, e: int, z: int) -> dict[str, Point]:
    return {"t": group.multi_mul((z, -e), (group.base, public))}
