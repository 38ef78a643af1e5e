"""Claims: complete, of one size for yes and no, and false in one place only for who leaves a check out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p.sealed import (
    Branch,
    Ciphertext,
    Group,
    Malformed,
    ProofRejected,
    Xof,
    at_most,
    attribute_point,
    claim_proof_size,
    claims,
    combined,
    holds,
    lacks,
    prove_claim,
    public_key,
    trivial,
    verify_claim,
)
from p2p.sealed.hashing import challenge
from p2p.sealed.testgroup import SmallGroup
from tests.p2p.sealed.forge import announced, fresh, header, said, scalars_bytes, secret

SMALL = SmallGroup()
RANKS = 4


def rejected(check: str) -> pytest.RaisesExc[ProofRejected]:
    return pytest.RaisesExc(ProofRejected, check=lambda error: error.equation == check)


def rank(group: Group, value: int) -> bytes:
    return attribute_point(group, "test", "rank", str(value))


def hand(group: Group, x: int, values: Sequence[int], public: Sequence[bool] = ()) -> list[Ciphertext]:
    key, cards = public_key(group, x), []
    for i, value in enumerate(values):
        if i < len(public) and public[i]:
            cards.append(trivial(group, rank(group, value)))
        else:
            cards.append(
                Ciphertext(group.mul_base(200 + i), group.add(rank(group, value), group.mul(200 + i, key)))
            )
    return cards


def check(group: Group, x: int, branches: Sequence[Branch], least: int, true: bool) -> None:
    """A true claim is proved in the stated size; a false one is not."""
    key = public_key(group, x)
    if not true:
        with pytest.raises(ValueError, match="the statement is false"):
            prove_claim(group, header(), key, x, branches, least, fresh())
        return
    proof = prove_claim(group, header(), key, x, branches, least, fresh())
    assert len(proof) == claim_proof_size(group, branches, least)
    verify_claim(group, header(), key, branches, least, proof)


HAND = st.lists(st.tuples(st.integers(min_value=0, max_value=RANKS - 1), st.booleans()), max_size=6)


@settings(max_examples=60, deadline=None)
@given(HAND, st.integers(min_value=0, max_value=RANKS - 1))
def test_holds_and_lacks(cards: list[tuple[int, bool]], value: int) -> None:
    x, values = secret(SMALL, 1), [v for v, _ in cards]
    held = hand(SMALL, x, values, [p for _, p in cards])
    check(SMALL, x, *holds(SMALL, held, rank(SMALL, value)), true=value in values)
    check(SMALL, x, *lacks(SMALL, held, rank(SMALL, value)), true=value not in values)


@settings(max_examples=60, deadline=None)
@given(HAND.filter(len), st.integers(min_value=0, max_value=4))
def test_at_most(cards: list[tuple[int, bool]], k: int) -> None:
    x, (own, *values) = secret(SMALL, 1), [v for v, _ in cards]
    slot, *others = hand(SMALL, x, [own, *values], [p for _, p in cards])
    check(SMALL, x, *at_most(SMALL, slot, others, k), true=values.count(own) <= k)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.booleans(), min_size=1, max_size=6), st.data())
def test_at_least_m_of_branches_of_both_kinds(truths: list[bool], data: st.DataObject) -> None:
    x = secret(SMALL, 1)
    branches = []
    for i, true in enumerate(truths):
        kind: Literal["eq", "ne"] = data.draw(st.sampled_from(["eq", "ne"]))
        a = SMALL.mul_base(7 + i)
        equal = true == (kind == "eq")
        branches.append(Branch(kind, a, SMALL.mul(x if equal else x + 5, a)))
    least = data.draw(st.integers(min_value=0, max_value=len(truths)))
    check(SMALL, x, branches, least, true=sum(truths) >= least)


def test_claims_on_the_real_group(real: Group) -> None:
    x = secret(real, 1)
    held = hand(real, x, [0, 1, 1, 2], [False, False, True, False])
    check(real, x, *holds(real, held, rank(real, 2)), true=True)
    check(real, x, *lacks(real, held, rank(real, 3)), true=True)
    check(real, x, *lacks(real, held, rank(real, 2)), true=False)
    check(real, x, *at_most(real, held[1], [held[0], *held[2:]], 1), true=True)
    check(real, x, *at_most(real, held[1], [held[0], *held[2:]], 0), true=False)


def test_a_face_is_lacked_by_its_sum(group: Group) -> None:
    """A card of the same rank or the same suit is another face."""
    x = secret(group, 1)
    key = public_key(group, x)

    def suit(value: int) -> bytes:
        return attribute_point(group, "test", "suit", str(value))

    cards = [
        (
            Ciphertext(group.mul_base(5 + i), group.add(rank(group, r), group.mul(5 + i, key))),
            Ciphertext(group.mul_base(50 + i), group.add(suit(s), group.mul(50 + i, key))),
        )
        for i, (r, s) in enumerate([(1, 1), (2, 1), (1, 2)])
    ]
    cards.append((trivial(group, rank(group, 3)), cards[0][1]))  # its rank is public
    sums = [combined(group, card) for card in cards]
    check(group, x, *lacks(group, sums, group.add(rank(group, 2), suit(2))), true=True)
    check(group, x, *lacks(group, sums, group.add(rank(group, 2), suit(1))), true=False)
    check(group, x, *lacks(group, sums, group.add(rank(group, 3), suit(1))), true=False)


# --- public cards ----------------------------------------------------------------------------------


def test_no_cards(group: Group) -> None:
    assert lacks(group, [], rank(group, 0)) == ((), 0)
    assert at_most(group, trivial(group, rank(group, 0)), [], 0) == ((), 0)
    branches, least = holds(group, [], rank(group, 0))
    assert (branches, least) == ((), 1)
    refuse(group, branches, least)


def refuse(group: Group, branches: Sequence[Branch], least: int, proof: bytes = b"") -> None:
    """Public cards contradict the claim: there is nothing to prove and nothing to accept."""
    x = secret(group, 1)
    with pytest.raises(ValueError, match="the statement is false"):
        prove_claim(group, header(), public_key(group, x), x, branches, least, fresh())
    with rejected("counts"):
        verify_claim(group, header(), public_key(group, x), branches, least, proof)


def test_one_card(group: Group) -> None:
    x = secret(group, 1)
    (card,) = held = hand(group, x, [2])
    check(group, x, *lacks(group, held, rank(group, 1)), true=True)
    check(group, x, *holds(group, held, rank(group, 2)), true=True)
    check(group, x, *at_most(group, card, held, 0), true=False)
    check(group, x, *at_most(group, card, held, 1), true=True)


def test_all_cards_public(group: Group) -> None:
    held = hand(group, secret(group, 1), [1, 2, 2], [True] * 3)
    assert holds(group, held, rank(group, 2)) == ((), -1)
    assert lacks(group, held, rank(group, 0)) == ((), 0)
    refuse(group, *holds(group, held, rank(group, 0)))
    refuse(group, *lacks(group, held, rank(group, 1)))
    assert at_most(group, held[1], [held[0], held[2]], 1) == ((), 0)
    refuse(group, *at_most(group, held[1], [held[0], held[2]], 0))


def test_equal_public_cards_count(group: Group) -> None:
    """Two public cards of a public slot's rank: k = 2 needs no proof, k = 1 has none."""
    x = secret(group, 1)
    slot, *others = hand(group, x, [1, 1, 1, 3], [True, True, True, False])
    check(group, x, *at_most(group, slot, others, 2), true=True)
    branches, least = at_most(group, slot, others, 1)
    assert (len(branches), least) == (1, 2)
    refuse(group, branches, least)


def test_where_nothing_is_left_to_show_nothing_is_sent(group: Group) -> None:
    x = secret(group, 1)
    key = public_key(group, x)
    branches, least = holds(group, hand(group, x, [1, 2], [True, False]), rank(group, 1))
    assert (len(branches), least) == (1, 0)
    assert prove_claim(group, header(), key, x, branches, least, fresh()) == b""
    assert claim_proof_size(group, branches, least) == 0
    verify_claim(group, header(), key, branches, least, b"")
    with pytest.raises(Malformed):
        verify_claim(group, header(), key, branches, least, b"\0")


def test_the_size_does_not_depend_on_the_cards(group: Group) -> None:
    x = secret(group, 1)
    key = public_key(group, x)
    sizes = set()
    for values in ([1, 0, 0], [0, 0, 1], [1, 1, 1]):
        branches, least = holds(group, hand(group, x, values), rank(group, 1))
        sizes.add(len(prove_claim(group, header(), key, x, branches, least, fresh())))
    assert len(sizes) == 1


def test_wrong_lengths_and_scalars(group: Group) -> None:
    x = secret(group, 1)
    key = public_key(group, x)
    branches, least = lacks(group, hand(group, x, [1, 2]), rank(group, 3))
    proof = prove_claim(group, header(), key, x, branches, least, fresh())
    verify_claim(group, header(), key, branches, least, proof)
    for wrong in (
        b"",
        proof[:-1],
        proof + b"\0",
        proof[:-32] + b"\xff" * 32,
        group.identity + proof[len(group.identity) :],
    ):
        with pytest.raises(Malformed):
            verify_claim(group, header(), key, branches, least, wrong)
    with pytest.raises(Malformed):
        verify_claim(group, header(), key, branches, least - 1, proof)
    with rejected("challenge"):
        verify_claim(group, header(), key, branches[::-1], least, proof)


# --- one forger per equation -----------------------------------------------------------------------


def statement(group: Group, key: bytes, branches: Sequence[Branch], least: int) -> bytes:
    body = b"".join(b.kind.encode() + b.a + b.d for b in branches)
    return said(group, "claim", header(), key, len(branches), least, body)


def forged_challenge(
    group: Group, key: bytes, branches: Sequence[Branch], least: int, blinds: bytes, points: dict[str, bytes]
) -> int:
    said_ = statement(group, key, branches, least)
    return challenge(group.order, "claim/challenge", said_, blinds, b"".join(points.values()))


def accepted_only_without(
    name: str, points: dict[str, bytes], group: Group, key: bytes, branches: Sequence[Branch], proof: bytes
) -> None:
    arguments = (group, header(), key, branches, 1, proof)
    with rejected("challenge"):
        verify_claim(*arguments)
    with announced(claims, "_announcements", points) as differing:
        verify_claim(*arguments)
    assert differing == {name}
    with announced(claims, "_announcements", {name: points[name]}):
        verify_claim(*arguments)


@pytest.mark.parametrize("name", ["eq.1.1", "eq.1.2"])
def test_forged_equal(group: Group, name: str) -> None:
    """D = xA for another x than the key's; the key's x, but the D of another card."""
    x, k = secret(group, 1), secret(group, 40)
    key = public_key(group, x + 1) if name == "eq.1.1" else public_key(group, x)
    a = group.mul_base(9)
    d = group.mul(x, a) if name == "eq.1.1" else group.mul(x + 1, a)
    branches = [Branch("eq", a, d)]
    points = {"eq.1.1": group.mul_base(k), "eq.1.2": group.mul(k, a)}
    e = forged_challenge(group, key, branches, 1, b"", points)
    accepted_only_without(name, points, group, key, branches, scalars_bytes(group, [e, k + e * x]))


@pytest.mark.parametrize("name", ["ne.1.1", "ne.1.2"])
def test_forged_unequal(group: Group, name: str) -> None:
    """D equals xA, so Z = s(D - xA) would be the identity: Z is made up, or u is not s x."""
    x, s, k1, k2 = (secret(group, n) for n in (1, 41, 42, 43))
    key, a = public_key(group, x), group.mul_base(9)
    d = group.mul(x, a)
    u = s * x if name == "ne.1.1" else s * x + 1
    blind = group.mul_base(77) if name == "ne.1.1" else group.multi_mul([s, -u], [d, a])
    branches = [Branch("ne", a, d)]
    points = {
        "ne.1.1": group.multi_mul([k1, -k2], [d, a]),
        "ne.1.2": group.multi_mul([k1, -k2], [key, group.base]),
    }
    e = forged_challenge(group, key, branches, 1, blind, points)
    proof = blind + scalars_bytes(group, [e, k1 + e * s, k2 + e * u])
    accepted_only_without(name, points, group, key, branches, proof)


class Lenient:
    """A group whose decoding lets the identity through."""

    def __init__(self, group: Group) -> None:
        self._group = group

    def __getattr__(self, name: str) -> object:
        return getattr(self._group, name)

    def decode(self, data: bytes, *, allow_identity: bool = False) -> bytes:
        return self._group.decode(data, allow_identity=True)


def test_forged_unequal_by_the_identity(group: Group) -> None:
    """All equations hold for Z = identity, whatever the card: only its refusal at decoding is in the way."""
    x, s, k1, k2 = (secret(group, n) for n in (1, 41, 42, 43))
    key, a = public_key(group, x), group.mul_base(9)
    branches = [Branch("ne", a, group.mul(x, a))]
    points = {
        "ne.1.1": group.multi_mul([k1, -k2], [branches[0].d, a]),
        "ne.1.2": group.multi_mul([k1, -k2], [key, group.base]),
    }
    e = forged_challenge(group, key, branches, 1, group.identity, points)
    proof = group.identity + scalars_bytes(group, [e, k1 + e * s, k2 + e * s * x])
    with pytest.raises(Malformed, match="identity"):
        verify_claim(group, header(), key, branches, 1, proof)
    verify_claim(Lenient(group), header(), key, branches, 1, proof)


def simulate_all(group: Group, key: bytes, branches: Sequence[Branch]) -> tuple[list[int], list[int], int]:
    """Every branch answered for a challenge of the forger's choice: challenges, responses, and the hash."""
    challenges = [secret(group, 60 + i) for i in range(len(branches))]
    responses = [secret(group, 80 + i) for i in range(len(branches))]
    points = {}
    for i, (branch, e, z) in enumerate(zip(branches, challenges, responses, strict=True), 1):
        points[f"eq.{i}.1"] = group.multi_mul([z, -e], [group.base, key])
        points[f"eq.{i}.2"] = group.multi_mul([z, -e], [branch.a, branch.d])
    return challenges, responses, forged_challenge(group, key, branches, 1, b"", points)


def test_a_polynomial_of_higher_degree_would_prove_anything(group: Group) -> None:
    """Through f(0) and any challenges there is always a polynomial: the number of coefficients counts."""
    key, a = public_key(group, secret(group, 1)), group.mul_base(9)
    branches = [Branch("eq", a, group.mul_base(i)) for i in (1000, 2000)]
    chosen, responses, c = simulate_all(group, key, branches)
    coefficients = claims._interpolate({0: c, 1: chosen[0], 2: chosen[1]}, group.order)
    proof = scalars_bytes(group, [*coefficients, *responses])
    with pytest.raises(Malformed, match="bytes"):
        verify_claim(group, header(), key, branches, 1, proof)
    # Everything but the length fits: with one coefficient more the verifier would have accepted.
    points = claims._announcements(group, key, branches, [], coefficients, responses)
    assert forged_challenge(group, key, branches, 1, b"", points) == coefficients[0]


def test_the_constant_term_must_be_the_hash(group: Group, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the right degree the forger's polynomial misses the hash at 0; without that check it passes."""
    key, a = public_key(group, secret(group, 1)), group.mul_base(9)
    branches = [Branch("eq", a, group.mul_base(i)) for i in (1000, 2000)]
    chosen, responses, _ = simulate_all(group, key, branches)
    coefficients = claims._interpolate({1: chosen[0], 2: chosen[1]}, group.order)
    proof = scalars_bytes(group, [*coefficients, *responses])
    with rejected("challenge"):
        verify_claim(group, header(), key, branches, 1, proof)
    monkeypatch.setattr(claims, "_challenge", lambda *_: coefficients[0])
    verify_claim(group, header(), key, branches, 1, proof)


@settings(max_examples=40, deadline=None)
@given(
    st.dictionaries(st.integers(min_value=0, max_value=60), st.integers(min_value=0), min_size=1, max_size=9)
)
def test_interpolation(values: dict[int, int]) -> None:
    q = SMALL.order
    coefficients = claims._interpolate(values, q)
    assert len(coefficients) == len(values)
    assert all(claims._evaluate(coefficients, x, q) == y % q for x, y in values.items())


def test_two_claims_of_one_contribution_share_no_nonce(small: Group, monkeypatch: pytest.MonkeyPatch) -> None:
    """With equal nonces and different challenges the two responses would give the key away."""
    x = secret(small, 1)
    key, held = public_key(small, x), hand(small, x, [1])
    seen: list[int] = []
    honest = Xof.scalars

    def recording(stream: Xof, order: int, count: int) -> list[int]:
        found = honest(stream, order, count)
        seen.extend(found)
        return found

    monkeypatch.setattr(Xof, "scalars", recording)
    for index, target in ((0, 1), (1, 1), (0, 2)):
        branches, least = (holds if target == 1 else lacks)(small, held, rank(small, target))
        prove_claim(small, header(index=index), key, x, branches, least, fresh())
    prove_claim(small, header(), key, x, *holds(small, held, rank(small, 1)), fresh(1))
    assert len(set(seen)) == len(seen) == 1 + 1 + 3 + 1
