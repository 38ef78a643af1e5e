"""A verifiable shuffle of cards: same cards, new order, new masks, and a proof that says nothing else.

Terelius and Wikström's proof in the form of Haenni, Locher, Koenig and Dubuis, "Pseudo-code algorithms for
verifiable re-encryption mix-nets" (2017), for several ciphertexts per card under one permutation. Symbols
follow ``docs/protocol_proofs.md``, section 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain

from .cards import Card, Ciphertext, encode_cards
from .group import Group, Point, ProofRejected, decode_proof, encode_proof, generators, proof_size
from .hashing import Header, Xof, challenge, challenges, integer, statement

KIND = "shuffle"


@dataclass(frozen=True, slots=True)
class ShuffleWitness:
    """What only the shuffler knows: output i is input ``permutation[i]``, attribute l of it masked anew by
    ``remasks[i][l]``.
    """

    permutation: tuple[int, ...] = field(repr=False)
    remasks: tuple[tuple[int, ...], ...] = field(repr=False)


def joint_witness(
    group: Group,
    seed: bytes,
    table_id: bytes,
    epoch: int,
    step: int,
    deck_id: str,
    purpose: str,
    count: int,
    attributes: int,
) -> ShuffleWitness:
    """The witness of a joint shuffle, from a committed seed alone: who has the seed can recompute it."""
    place = (table_id, integer(epoch), integer(step), deck_id.encode(), purpose.encode())
    stream = Xof(f"{KIND}/joint", seed, *place, integer(count), integer(attributes))
    return _witness(group, stream, count, attributes)


def mix_witness(
    group: Group, fresh: bytes, secret: bytes, header: Header, key: Point, inputs: Sequence[Card]
) -> ShuffleWitness:
    """The witness of a seat's mix of its own hand. ``fresh`` is 32 bytes of new randomness."""
    attributes = len(inputs[0]) if inputs else 0
    said = statement(group.name, f"{KIND}/mix", header, key, len(inputs), attributes, encode_cards(inputs))
    return _witness(group, Xof(f"{KIND}/mix", fresh, secret, said), len(inputs), attributes)


def _witness(group: Group, stream: Xof, count: int, attributes: int) -> ShuffleWitness:
    permutation = stream.permutation(count)
    return ShuffleWitness(
        permutation, tuple(tuple(stream.scalars(group.order, attributes)) for _ in range(count))
    )


def shuffle(group: Group, key: Point, inputs: Sequence[Card], witness: ShuffleWitness) -> tuple[Card, ...]:
    """The shuffled cards, under the same ``key``."""
    return tuple(
        tuple(
            Ciphertext(
                group.add(cipher.a, group.mul_base(r)) if cipher.a != group.identity else group.mul_base(r),
                group.add(cipher.b, group.mul(r, key)),
            )
            for cipher, r in zip(inputs[source], remasks, strict=True)
        )
        for source, remasks in zip(witness.permutation, witness.remasks, strict=True)
    )


def shuffle_proof_size(group: Group, count: int, attributes: int) -> int:
    """Bytes of the proof; none for no cards."""
    return proof_size(group, 2 * count, 4 + attributes + 2 * count) if count else 0


def prove_shuffle(
    group: Group,
    header: Header,
    key: Point,
    inputs: Sequence[Card],
    outputs: Sequence[Card],
    witness: ShuffleWitness,
    secret: bytes,
    fresh: bytes,
) -> bytes:
    """The proof that ``outputs`` are ``inputs`` shuffled by ``witness``. Of no cards it is empty.

    ``secret`` is the seat's seed or card key, ``fresh`` 32 bytes of new randomness.
    """
    n = len(inputs)
    if n == 0:
        return b""
    said = _statement(group, header, key, inputs, outputs)
    drawn = _nonces(group, Xof(f"{KIND}/nonces", fresh, secret, said), n, len(inputs[0]))
    commitments = _commitments(group, drawn, witness.permutation)
    u = _exponents(group, said, commitments)
    u_prime = [u[source] for source in witness.permutation]
    links, announced = _chain(group, drawn, u_prime)
    announcements = _announced(group, key, inputs, witness, drawn)
    e = _challenge(group, said, commitments, links, (*announcements, *announced))
    responses = _responses(group.order, e, witness, drawn, u, u_prime)
    return encode_proof((*commitments, *links), (e, *responses))


@dataclass(frozen=True, slots=True, repr=False)
class _Nonces:
    """What the prover draws: the masks of both rows of commitments, and a nonce for each response."""

    rho: list[int]
    rho_hat: list[int]
    w1: int
    w2: int
    w3: int
    w4: list[int]
    w_hat: list[int]
    w_prime: list[int]


def _nonces(group: Group, stream: Xof, n: int, attributes: int) -> _Nonces:
    """In the order in which they are read from the stream."""
    q = group.order
    rho, rho_hat = stream.scalars(q, n), stream.scalars(q, n)
    w1, w2, w3 = stream.scalars(q, 3)
    w4, w_hat, w_prime = stream.scalars(q, attributes), stream.scalars(q, n), stream.scalars(q, n)
    return _Nonces(rho, rho_hat, w1, w2, w3, w4, w_hat, w_prime)


def _commitments(group: Group, drawn: _Nonces, permutation: Sequence[int]) -> list[Point]:
    """C: to the permutation."""
    g = generators(group, len(permutation))
    found = [b""] * len(permutation)
    for i, source in enumerate(permutation):
        found[source] = group.add(group.mul_base(drawn.rho[source]), g.each[i])
    return found


def _chain(group: Group, drawn: _Nonces, u_prime: Sequence[int]) -> tuple[list[Point], list[Point]]:
    """Ĉ: to the permuted exponents, each on the one before; and the announcements of its links."""
    # The chain is R_i G + U_i H with both exponents known, so each link is as cheap as the first.
    q, base_and_h = group.order, (group.base, generators(group, len(u_prime)).h)
    links, announced = [], []
    r, h = 0, 1
    for rho_hat, w_hat, w_prime, exponent in zip(
        drawn.rho_hat, drawn.w_hat, drawn.w_prime, u_prime, strict=True
    ):
        announced.append(group.multi_mul((w_hat + w_prime * r, w_prime * h), base_and_h))
        r, h = (rho_hat + exponent * r) % q, exponent * h % q
        links.append(group.multi_mul((r, h), base_and_h))
    return links, announced


def _announced(
    group: Group, key: Point, inputs: Sequence[Card], witness: ShuffleWitness, drawn: _Nonces
) -> list[Point]:
    """t1 to t4, as the prover makes them."""
    # The output is the input and a known mask: summed over the input, a deck in the clear costs next to
    # nothing, and the order of the work says nothing about the permutation.
    at_input = [0] * len(inputs)
    for i, source in enumerate(witness.permutation):
        at_input[source] = drawn.w_prime[i]
    found = [
        group.mul_base(drawn.w1),
        group.mul_base(drawn.w2),
        group.multi_mul((drawn.w3, *drawn.w_prime), (group.base, *generators(group, len(inputs)).each)),
    ]
    for at, w4 in enumerate(drawn.w4):
        mask = sum(w * masks[at] for w, masks in zip(drawn.w_prime, witness.remasks, strict=True)) - w4
        weights = (*at_input, mask)
        found.append(group.multi_mul(weights, (*(card[at].b for card in inputs), key)))
        found.append(group.multi_mul(weights, (*(card[at].a for card in inputs), group.base)))
    return found


def _responses(
    q: int, e: int, witness: ShuffleWitness, drawn: _Nonces, u: Sequence[int], u_prime: Sequence[int]
) -> list[int]:
    """s1, s2, s3, s4, ŝ and s', each below ``q``."""
    tail, chained = 1, 0
    for rho_hat, exponent in zip(reversed(drawn.rho_hat), reversed(u_prime), strict=True):
        chained += rho_hat * tail
        tail = tail * exponent % q
    weighted = sum(rho * exponent for rho, exponent in zip(drawn.rho, u, strict=True))
    found = [drawn.w1 + e * sum(drawn.rho), drawn.w2 + e * chained, drawn.w3 + e * weighted]
    for at, w4 in enumerate(drawn.w4):
        total = sum(masks[at] * weight for masks, weight in zip(witness.remasks, u_prime, strict=True))
        found.append(w4 + e * total)
    found += [w + e * rho_hat for w, rho_hat in zip(drawn.w_hat, drawn.rho_hat, strict=True)]
    found += [w + e * exponent for w, exponent in zip(drawn.w_prime, u_prime, strict=True)]
    return [s % q for s in found]


def verify_shuffle(
    group: Group, header: Header, key: Point, inputs: Sequence[Card], outputs: Sequence[Card], proof: bytes
) -> None:
    """Raises ``Malformed`` or ``ProofRejected``. ``outputs`` have been decoded by ``decode_cards``."""
    n = len(inputs)
    if len(outputs) != n or any(len(a) != len(b) for a, b in zip(inputs, outputs, strict=True)):
        raise ProofRejected("counts", f"{n} cards went into the shuffle, {len(outputs)} came out")
    if n == 0:
        decode_proof(group, proof, 0, 0)
        return
    attributes = len(inputs[0])
    points, scalars = decode_proof(group, proof, 2 * n, 4 + attributes + 2 * n)
    check_first_components(group, inputs, outputs)
    if key == group.identity:
        raise ProofRejected("key", "the identity is no key")
    commitments, links = points[:n], points[n:]
    said = _statement(group, header, key, inputs, outputs)
    u = _exponents(group, said, commitments)
    announcements = _announcements(group, key, inputs, outputs, commitments, links, u, scalars)
    if _challenge(group, said, commitments, links, tuple(announcements.values())) != scalars[0]:
        raise ProofRejected("challenge", "the proof of a shuffle does not hold")


def check_first_components(group: Group, inputs: Sequence[Card], outputs: Sequence[Card]) -> None:
    """First components of the output: never the identity, all different, none as in the input."""
    new = [c.a for c in chain.from_iterable(outputs)]
    if group.identity in new:
        raise ProofRejected("identity", "a shuffled card is not masked")
    if len(set(new)) != len(new):
        raise ProofRejected("distinct outputs", "two shuffled cards have the same mask")
    if not {c.a for c in chain.from_iterable(inputs)}.isdisjoint(new):
        raise ProofRejected("new masks", "a shuffled card kept its mask")


def _statement(
    group: Group, header: Header, key: Point, inputs: Sequence[Card], outputs: Sequence[Card]
) -> bytes:
    both = encode_cards(inputs), encode_cards(outputs)
    return statement(group.name, KIND, header, key, len(inputs), len(inputs[0]), *both)


def _exponents(group: Group, said: bytes, commitments: Sequence[Point]) -> list[int]:
    return challenges(group.order, f"{KIND}/exponent", len(commitments), said, b"".join(commitments))


def _challenge(
    group: Group,
    said: bytes,
    commitments: Sequence[Point],
    links: Sequence[Point],
    announced: Sequence[Point],
) -> int:
    parts = b"".join(commitments), b"".join(links), b"".join(announced)
    return challenge(group.order, f"{KIND}/challenge", said, *parts)


def _announcements(
    group: Group,
    key: Point,
    inputs: Sequence[Card],
    outputs: Sequence[Card],
    commitments: Sequence[Point],
    links: Sequence[Point],
    u: Sequence[int],
    scalars: Sequence[int],
) -> dict[str, Point]:
    """The announcements that the responses answer, by name and in the order in which they are hashed."""
    n, attributes, q = len(inputs), len(inputs[0]), group.order
    e, s1, s2, s3 = scalars[:4]
    s4 = scalars[4 : 4 + attributes]
    s_hat, s_prime = scalars[-2 * n : -n], scalars[-n:]
    g = generators(group, n)
    minus_eu = [-e * exponent % q for exponent in u]
    product = 1
    for exponent in u:
        product = product * exponent % q
    found = {
        "t1": group.multi_mul((s1, -e, e), (group.base, group.sum(commitments), g.total)),
        "t2": group.multi_mul((s2, -e, e * product), (group.base, links[-1], g.h)),
        "t3": group.multi_mul((s3, *s_prime, *minus_eu), (group.base, *g.each, *commitments)),
    }
    both = (*s_prime, *minus_eu)
    for at in range(attributes):
        seconds = [card[at].b for card in (*outputs, *inputs)]
        firsts = [card[at].a for card in (*outputs, *inputs)]
        found[f"t4.{at}.b"] = group.multi_mul((*both, -s4[at]), (*seconds, key))
        found[f"t4.{at}.a"] = group.multi_mul((*both, -s4[at]), (*firsts, group.base))
    before = g.h
    for i, link in enumerate(links):
        found[f"link.{i + 1}"] = group.multi_mul((s_hat[i], s_prime[i], -e), (group.base, before, link))
        before = link
    return found
