"""Claims about hidden cards: "at least m of these n branches hold", and nothing about which.

A branch says that a ciphertext hides a target, or that it does not. The composition is that of Cramer,
Damgård and Schoenmakers, "Proofs of partial knowledge" (1994), with the challenges on a polynomial. Public
cards are judged in the clear and leave the statement.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from .cards import Ciphertext
from .group import Group, Point, ProofRejected, decode_proof, encode_proof, encode_scalar, proof_size
from .hashing import Header, Xof, challenge, statement

KIND = "claim"


class Branch(NamedTuple):
    """``eq``: D = xA, where D = B - T; ``ne``: D differs from xA."""

    kind: Literal["eq", "ne"]
    a: Point
    d: Point


def holds(group: Group, ciphertexts: Sequence[Ciphertext], target: Point) -> tuple[tuple[Branch, ...], int]:
    """At least one of the ciphertexts hides ``target``: the branches, and how many of them must hold."""
    return _without_public(group, (Branch("eq", c.a, group.sub(c.b, target)) for c in ciphertexts), 1)


def lacks(group: Group, ciphertexts: Sequence[Ciphertext], target: Point) -> tuple[tuple[Branch, ...], int]:
    """None of the ciphertexts hides ``target``."""
    branches = (Branch("ne", c.a, group.sub(c.b, target)) for c in ciphertexts)
    return _without_public(group, branches, len(ciphertexts))


def at_most(
    group: Group, own: Ciphertext, others: Sequence[Ciphertext], k: int
) -> tuple[tuple[Branch, ...], int]:
    """At most ``k`` of the others hide the same as ``own``: at least n - k differ."""
    branches = (Branch("ne", group.sub(c.a, own.a), group.sub(c.b, own.b)) for c in others)
    return _without_public(group, branches, len(others) - k)


def _without_public(group: Group, branches: Iterable[Branch], least: int) -> tuple[tuple[Branch, ...], int]:
    """Without the branches that everyone can judge; those that hold count towards ``least``."""
    hidden = []
    for branch in branches:
        if branch.a != group.identity:
            hidden.append(branch)
        elif (branch.d == group.identity) == (branch.kind == "eq"):
            least -= 1
    return tuple(hidden), least


def claim_proof_size(group: Group, branches: Sequence[Branch], least: int) -> int:
    """Bytes of the proof: a function of public facts. Nothing is sent where nothing is left to show."""
    return proof_size(group, *_counts(branches, least)) if least > 0 else 0


def _counts(branches: Sequence[Branch], least: int) -> tuple[int, int]:
    unequal = sum(branch.kind == "ne" for branch in branches)
    coefficients = len(branches) - least + 1
    return unequal, coefficients + len(branches) + unequal


def prove_claim(
    group: Group,
    header: Header,
    public: Point,
    secret: int,
    branches: Sequence[Branch],
    least: int,
    fresh: bytes,
) -> bytes:
    """The proof that at least ``least`` of the branches hold under ``public`` = xG; empty for none.

    Raises ``ValueError`` for a false statement. ``fresh`` is 32 bytes of new randomness.
    """
    if least <= 0:
        return b""
    q = group.order
    rests = [group.sub(branch.d, group.mul(secret, branch.a)) for branch in branches]
    pairs = list(zip(branches, rests, strict=True))
    true = [i for i, (branch, rest) in enumerate(pairs) if _is_true(group, branch, rest)]
    if len(true) < least:
        raise ValueError("the statement is false")
    answered = set(true[:least])
    said = _statement(group, header, public, branches, least)
    stream = Xof(f"{KIND}/nonces", fresh, encode_scalar(secret), said)
    sides: list[_Answered | _Simulated] = [
        _Answered(group, stream, branch, rest, secret)
        if i in answered
        else _Simulated(group, stream, branch, public)
        for i, (branch, rest) in enumerate(pairs)
    ]
    blinds = [z for side in sides for z in side.z]
    c = _challenge(group, said, blinds, [t for side in sides for t in side.announced])
    fixed = {0: c} | {i + 1: side.e for i, side in enumerate(sides) if isinstance(side, _Simulated)}
    coefficients = _interpolate(fixed, q)
    responses: list[int] = []
    for i, side in enumerate(sides):
        responses += side.respond(_evaluate(coefficients, i + 1, q))
    return encode_proof(blinds, (*coefficients, *responses))


def verify_claim(
    group: Group, header: Header, public: Point, branches: Sequence[Branch], least: int, proof: bytes
) -> None:
    """Raises ``Malformed`` or ``ProofRejected``."""
    if least <= 0:
        decode_proof(group, proof, 0, 0)
        return
    if len(branches) < least:
        raise ProofRejected("counts", "the claim cannot hold: public cards contradict it")
    points, scalars = decode_proof(group, proof, *_counts(branches, least))
    degree = len(branches) - least
    coefficients, responses = scalars[: degree + 1], scalars[degree + 1 :]
    said = _statement(group, header, public, branches, least)
    announcements = _announcements(group, public, branches, points, coefficients, responses)
    if _challenge(group, said, points, list(announcements.values())) != coefficients[0]:
        raise ProofRejected("challenge", "the proof of a claim does not hold")


def _is_true(group: Group, branch: Branch, rest: Point) -> bool:
    return (rest == group.identity) == (branch.kind == "eq")


class _Answered:
    """A branch that holds, answered with the secret. ``rest`` is D - xA."""

    def __init__(self, group: Group, stream: Xof, branch: Branch, rest: Point, secret: int) -> None:
        q = self._order = group.order
        if branch.kind == "eq":
            (k,) = stream.scalars(q, 1)
            self.z: tuple[Point, ...] = ()
            self.announced = (group.mul_base(k), group.mul(k, branch.a))
            self._parts: tuple[tuple[int, int], ...] = ((k, secret),)
        else:
            s, k1, k2 = stream.scalars(q, 3)
            self.z = (group.mul(s, rest),)
            both = group.multi_mul((k1, -k2), (branch.d, branch.a))
            self.announced = (both, group.mul_base(k1 * secret - k2))
            self._parts = ((k1, s), (k2, s * secret % q))

    def respond(self, e: int) -> list[int]:
        return [(nonce + e * part) % self._order for nonce, part in self._parts]


class _Simulated:
    """A branch answered for a challenge chosen beforehand, whether it holds or not."""

    def __init__(self, group: Group, stream: Xof, branch: Branch, public: Point) -> None:
        if branch.kind == "eq":
            self.z: tuple[Point, ...] = ()
            self.e, *self._responses = stream.scalars(group.order, 2)
        else:
            blind, self.e, *self._responses = stream.scalars(group.order, 4)
            self.z = (group.mul_base(blind),)
        self.announced = _recompute(group, public, branch, self.z, self.e, self._responses)

    def respond(self, e: int) -> list[int]:
        assert e == self.e
        return self._responses


def _recompute(
    group: Group, public: Point, branch: Branch, z: Sequence[Point], e: int, responses: Sequence[int]
) -> tuple[Point, Point]:
    """The two announcements of a branch, from its challenge and responses."""
    if branch.kind == "eq":
        (z1,) = responses
        return (
            group.multi_mul((z1, -e), (group.base, public)),
            group.multi_mul((z1, -e), (branch.a, branch.d)),
        )
    z1, z2 = responses
    return (
        group.multi_mul((z1, -z2, -e), (branch.d, branch.a, *z)),
        group.multi_mul((z1, -z2), (public, group.base)),
    )


def _announcements(
    group: Group,
    public: Point,
    branches: Sequence[Branch],
    points: Sequence[Point],
    coefficients: Sequence[int],
    responses: Sequence[int],
) -> dict[str, Point]:
    found: dict[str, Point] = {}
    blinds, answers = iter(points), iter(responses)
    for i, branch in enumerate(branches, 1):
        e = _evaluate(coefficients, i, group.order)
        unequal = branch.kind == "ne"
        z = (next(blinds),) if unequal else ()
        given = [next(answers) for _ in range(2 if unequal else 1)]
        first, second = _recompute(group, public, branch, z, e, given)
        found |= {f"{branch.kind}.{i}.1": first, f"{branch.kind}.{i}.2": second}
    return found


def _statement(group: Group, header: Header, public: Point, branches: Sequence[Branch], least: int) -> bytes:
    said = b"".join(branch.kind.encode() + branch.a + branch.d for branch in branches)
    return statement(group.name, KIND, header, public, len(branches), least, said)


def _challenge(group: Group, said: bytes, points: Sequence[Point], announced: Sequence[Point]) -> int:
    return challenge(group.order, f"{KIND}/challenge", said, b"".join(points), b"".join(announced))


def _evaluate(coefficients: Sequence[int], x: int, q: int) -> int:
    value = 0
    for coefficient in reversed(coefficients):
        value = (value * x + coefficient) % q
    return value


def _interpolate(values: dict[int, int], q: int) -> list[int]:
    """The coefficients, constant term first, of the polynomial through all (x, y), by divided differences."""
    xs, divided = list(values), list(values.values())
    for width in range(1, len(xs)):
        for i in range(len(xs) - 1, width - 1, -1):
            divided[i] = (divided[i] - divided[i - 1]) * pow(xs[i] - xs[i - width], -1, q) % q
    coefficients = [0] * len(xs)
    for x, top in zip(reversed(xs), reversed(divided), strict=True):
        # Horner's rule on polynomials: multiply by X - x, then add the next difference.
        for i in range(len(xs) - 1, 0, -1):
            coefficients[i] = (coefficients[i - 1] - x * coefficients[i]) % q
        coefficients[0] = (top - x * coefficients[0]) % q
    return coefficients
