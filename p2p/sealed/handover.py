"""A hidden card passes from one key to another without being opened; only the receiver can read it then.

With the joint key as receiver this is how a card returns to the stock.
"""

from __future__ import annotations

from collections.abc import Sequence

from .cards import Ciphertext, ciphertext_bytes
from .group import Group, Point, ProofRejected, decode_proof, encode_proof, encode_scalar, proof_size
from .hashing import Header, Xof, challenge, challenges, statement

KIND = "hand-over"


def hand_over_proof_size(group: Group) -> int:
    """Bytes of the proof for any number of ciphertexts above zero."""
    return proof_size(group, 0, 3)


def prove_hand_over(
    group: Group,
    header: Header,
    secret: int,
    giver: Point,
    receiver: Point,
    inputs: Sequence[Ciphertext],
    fresh: bytes,
) -> tuple[tuple[Ciphertext, ...], bytes]:
    """Hidden ``inputs`` under ``giver`` = xG as ciphertexts (rG, B - xA + rY') under ``receiver``; proof.

    Of no ciphertexts the proof is empty. ``fresh`` is 32 bytes of new randomness.
    """
    if not inputs:
        return (), b""
    q, key = group.order, encode_scalar(secret)
    before = statement(group.name, KIND, header, giver, receiver, len(inputs), ciphertext_bytes(inputs))
    remasks = Xof(f"{KIND}/remasks", fresh, key, before).scalars(q, len(inputs))
    outputs = tuple(
        Ciphertext(group.mul_base(r), group.add(c.b, group.multi_mul((-secret, r), (c.a, receiver))))
        for r, c in zip(remasks, inputs, strict=True)
    )
    said = _statement(group, header, giver, receiver, inputs, outputs)
    weights = _weights(group, said, len(inputs))
    first = group.multi_mul(weights, [c.a for c in inputs])
    a, b = Xof(f"{KIND}/nonces", fresh, key, said).scalars(q, 2)
    announcements = (group.mul_base(a), group.mul_base(b), group.multi_mul((b, -a), (receiver, first)))
    e = challenge(q, f"{KIND}/challenge", said, *announcements)
    remask = sum(weight * r for weight, r in zip(weights, remasks, strict=True))
    return outputs, encode_proof((), (e, (a + e * secret) % q, (b + e * remask) % q))


def verify_hand_over(
    group: Group,
    header: Header,
    giver: Point,
    receiver: Point,
    inputs: Sequence[Ciphertext],
    outputs: Sequence[Ciphertext],
    proof: bytes,
) -> None:
    """Raises ``Malformed`` or ``ProofRejected``."""
    if len(outputs) != len(inputs):
        raise ProofRejected("counts", f"{len(inputs)} ciphertexts are owed, {len(outputs)} came")
    if not inputs:
        decode_proof(group, proof, 0, 0)
        return
    _, (e, z1, z2) = decode_proof(group, proof, 0, 3)
    if any(c.a == group.identity for c in outputs):
        raise ProofRejected("identity", "a ciphertext handed over has the identity as first component")
    said = _statement(group, header, giver, receiver, inputs, outputs)
    weights = _weights(group, said, len(inputs))
    announcements = _announcements(group, giver, receiver, inputs, outputs, weights, e, z1, z2)
    if challenge(group.order, f"{KIND}/challenge", said, *announcements.values()) != e:
        raise ProofRejected("challenge", "the proof of a hand-over does not hold")


def _statement(
    group: Group,
    header: Header,
    giver: Point,
    receiver: Point,
    inputs: Sequence[Ciphertext],
    outputs: Sequence[Ciphertext],
) -> bytes:
    both = ciphertext_bytes(inputs), ciphertext_bytes(outputs)
    return statement(group.name, KIND, header, giver, receiver, len(inputs), *both)


def _weights(group: Group, said: bytes, count: int) -> list[int]:
    return challenges(group.order, f"{KIND}/weight", count, said)


def _announcements(
    group: Group,
    giver: Point,
    receiver: Point,
    inputs: Sequence[Ciphertext],
    outputs: Sequence[Ciphertext],
    weights: Sequence[int],
    e: int,
    z1: int,
    z2: int,
) -> dict[str, Point]:
    """t1 = z1 G - e Y, t2 = z2 G - e A', t3 = z2 Y' - z1 A - e (B' - B), on the weighted sums."""
    first = group.multi_mul(weights, [c.a for c in inputs])
    new = group.multi_mul(weights, [c.a for c in outputs])
    change = group.multi_mul([*weights, *(-w for w in weights)], [c.b for c in (*outputs, *inputs)])
    return {
        "t1": group.multi_mul((z1, -e), (group.base, giver)),
        "t2": group.multi_mul((z2, -e), (group.base, new)),
        "t3": group.multi_mul((z2, -z1, -e), (receiver, first, change)),
    }
