"""Keys, shares and hand-overs: complete, and false in one place only for those who leave a check out."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p.sealed import (
    Ciphertext,
    Group,
    Malformed,
    ProofRejected,
    decode_scalar,
    generator,
    hand_over_proof_size,
    handover,
    keys,
    prove_hand_over,
    prove_key,
    prove_shares,
    public_key,
    share_proof_size,
    shares,
    verify_hand_over,
    verify_key,
    verify_shares,
)
from p2p.sealed.cards import ciphertext_bytes
from p2p.sealed.hashing import challenge, challenges
from p2p.sealed.testgroup import SmallGroup
from tests.p2p.sealed.forge import announced, fresh, header, said, scalars_bytes, secret

RFC9497 = json.loads((Path(__file__).resolve().parents[2] / "vectors" / "rfc9497.json").read_text("utf-8"))
SMALL = SmallGroup()
SCALARS = st.integers(min_value=1, max_value=SMALL.order - 1)


def encrypt(group: Group, key: bytes, message: bytes, r: int) -> Ciphertext:
    return Ciphertext(group.mul_base(r), group.add(message, group.mul(r, key)))


def rejected(check: str) -> pytest.RaisesExc[ProofRejected]:
    return pytest.RaisesExc(ProofRejected, check=lambda error: error.equation == check)


# --- keys ------------------------------------------------------------------------------------------


def test_a_key_is_proved(group: Group) -> None:
    x = secret(group, 1)
    proof = prove_key(group, header(), x, fresh())
    verify_key(group, header(), public_key(group, x), proof)
    with rejected("challenge"):
        verify_key(group, header(seat=2), public_key(group, x), proof)
    for wrong in (b"", proof[:-1], proof + b"\0", proof[:32] + b"\xff" * 32):
        with pytest.raises(Malformed):
            verify_key(group, header(), public_key(group, x), wrong)


def test_the_identity_is_no_key(group: Group) -> None:
    """Its logarithm 0 is known to all: only the refusal stands in the way."""
    statement = said(group, "key", header(), group.identity)
    k = secret(group, 3)
    e = challenge(group.order, "key/challenge", statement, group.mul_base(k))
    with rejected("key"):
        verify_key(group, header(), group.identity, scalars_bytes(group, [e, k]))


def test_forged_key(group: Group) -> None:
    """A key whose logarithm the seat does not know, as in the sum that cancels the other seats' keys."""
    public = generator(group, 9)
    k, claimed = secret(group, 3), secret(group, 4)
    announcement = group.mul_base(k)
    e = challenge(group.order, "key/challenge", said(group, "key", header(), public), announcement)
    proof = scalars_bytes(group, [e, k + e * claimed])
    with rejected("challenge"):
        verify_key(group, header(), public, proof)
    with announced(keys, "_announcements", {"t": announcement}) as differing:
        verify_key(group, header(), public, proof)
    assert differing == {"t"}


# --- shares ----------------------------------------------------------------------------------------


@settings(max_examples=30, deadline=None)
@given(SCALARS, st.lists(SCALARS, min_size=1, max_size=5))
def test_shares_are_proved(x: int, exponents: list[int]) -> None:
    public = public_key(SMALL, x)
    firsts = [SMALL.mul_base(r) for r in exponents]
    given_shares, proof = prove_shares(SMALL, header(), x, public, firsts, fresh())
    assert list(given_shares) == [SMALL.mul(x, a) for a in firsts]
    assert len(proof) == share_proof_size(SMALL)
    verify_shares(SMALL, header(), public, firsts, given_shares, proof)


def test_shares_open_a_card(real: Group) -> None:
    """Two seats: the other's share moves the card under the owner's key, the owner's own opens it."""
    x, y, message = secret(real, 1), secret(real, 2), generator(real, 5)
    joint = real.add(public_key(real, x), public_key(real, y))
    card = encrypt(real, joint, message, secret(real, 3))
    (share,), proof = prove_shares(real, header(), x, public_key(real, x), [card.a], fresh())
    verify_shares(real, header(), public_key(real, x), [card.a], [share], proof)
    own = real.sub(card.b, share)
    (opening,), proof = prove_shares(real, header("open"), y, public_key(real, y), [card.a], fresh())
    verify_shares(real, header("open"), public_key(real, y), [card.a], [opening], proof)
    assert real.sub(own, opening) == message


def test_no_shares_need_no_proof(group: Group) -> None:
    public = public_key(group, 5)
    assert prove_shares(group, header(), 5, public, [], fresh()) == ((), b"")
    verify_shares(group, header(), public, [], [], b"")
    with pytest.raises(Malformed):
        verify_shares(group, header(), public, [], [], b"\0")


def test_wrong_counts_and_lengths_of_shares(group: Group) -> None:
    x = secret(group, 1)
    public, firsts = public_key(group, x), [group.mul_base(7), group.mul_base(9)]
    found, proof = prove_shares(group, header(), x, public, firsts, fresh())
    with rejected("counts"):
        verify_shares(group, header(), public, firsts, found[:1], proof)
    with rejected("counts"):
        verify_shares(group, header(), public, firsts[:1], found, proof)
    with rejected("challenge"):
        verify_shares(group, header(), public, firsts[::-1], found[::-1], proof)
    for wrong in (b"", proof[:-1], proof + b"\0", b"\xff" * 32 + proof[32:]):
        with pytest.raises(Malformed):
            verify_shares(group, header(), public, firsts, found, wrong)
    with rejected("identity"):
        verify_shares(group, header(), public, firsts, (found[0], group.identity), proof)


def forge_shares(
    group: Group, public: bytes, firsts: list[bytes], found: list[bytes], x: int
) -> tuple[dict[str, bytes], bytes]:
    """A proof by whoever uses x, whatever ``public`` and ``found`` are."""
    q = group.order
    statement = said(group, "shares", header(), public, len(firsts), b"".join(firsts), b"".join(found))
    weights = challenges(q, "shares/weight", len(firsts), statement)
    k = secret(group, 30)
    points = {"key": group.mul_base(k), "share": group.mul(k, group.multi_mul(weights, firsts))}
    e = challenge(q, "shares/challenge", statement, *points.values())
    return points, scalars_bytes(group, [e, k + e * x])


@pytest.mark.parametrize("check", ["key", "share"])
def test_forged_share(group: Group, check: str) -> None:
    """Shares by another key than the seat's; or a share that spoils one card, by the seat's key."""
    x = secret(group, 1)
    firsts = [group.mul_base(7), group.mul_base(9)]
    found = [group.mul(x, a) for a in firsts]
    public = public_key(group, x + 1) if check == "key" else public_key(group, x)
    if check == "share":
        found[1] = group.add(found[1], group.base)
    points, proof = forge_shares(group, public, firsts, found, x)
    with rejected("challenge"):
        verify_shares(group, header(), public, firsts, found, proof)
    with announced(shares, "recompute", points) as differing:
        verify_shares(group, header(), public, firsts, found, proof)
    assert differing == {check}


def test_without_weights_two_wrong_shares_would_cancel(group: Group, monkeypatch: pytest.MonkeyPatch) -> None:
    x = secret(group, 1)
    public, firsts = public_key(group, x), [group.mul_base(7), group.mul_base(9)]
    honest, _ = prove_shares(group, header(), x, public, firsts, fresh())
    found = [group.add(honest[0], group.base), group.sub(honest[1], group.base)]

    def forged() -> bytes:
        statement = said(group, "shares", header(), public, 2, b"".join(firsts), b"".join(found))
        composite = group.multi_mul(shares._weights(group, statement, 2), firsts)
        k = secret(group, 30)
        e = challenge(group.order, "shares/challenge", statement, group.mul_base(k), group.mul(k, composite))
        return scalars_bytes(group, [e, k + e * x])

    with rejected("challenge"):
        verify_shares(group, header(), public, firsts, found, forged())
    monkeypatch.setattr(shares, "_weights", lambda group, statement, count: [1] * count)
    verify_shares(group, header(), public, firsts, found, forged())


@pytest.mark.parametrize("vector", RFC9497["vectors"], ids=["one", "other", "batch of two"])
def test_dleq_proofs_of_rfc_9497(ristretto: Group, vector: dict[str, object]) -> None:
    """The published proofs, by the functions that make and check shares."""
    group = ristretto
    decode = [bytes.fromhex(v) for v in vector["blinded"]]
    evaluated = [bytes.fromhex(v) for v in vector["evaluated"]]
    public, proof = bytes.fromhex(RFC9497["public"]), bytes.fromhex(str(vector["proof"]))
    x = decode_scalar(group, bytes.fromhex(RFC9497["secret"]))
    nonce = decode_scalar(group, bytes.fromhex(str(vector["nonce"])))
    assert public_key(group, x) == public
    assert [group.mul(x, a) for a in decode] == evaluated

    weights = rfc_weights(group, public, decode, evaluated)
    first, share = shares.composites(group, weights, decode, evaluated)
    points = shares.announce(group, nonce, first)
    c = rfc_challenge(group, public, first, share, points["key"], points["share"])
    assert scalars_bytes(group, [c, shares.respond(group, x, nonce, -c)]) == proof

    c, s = (decode_scalar(group, proof[at : at + 32]) for at in (0, 32))
    again = shares.recompute(group, public, first, share, -c, s)
    assert rfc_challenge(group, public, first, share, again["key"], again["share"]) == c


CONTEXT = b"OPRFV1-\x01-ristretto255-SHA512"


def two(data: bytes) -> bytes:
    return len(data).to_bytes(2, "big") + data


def rfc_scalar(group: Group, message: bytes) -> int:
    """HashToScalar of RFC 9497, section 4.1, written out for one block of SHA-512."""
    tag = b"HashToScalar-" + CONTEXT
    tag += bytes([len(tag)])
    first = hashlib.sha512(bytes(128) + message + (64).to_bytes(2, "big") + b"\0" + tag).digest()
    return int.from_bytes(hashlib.sha512(first + b"\1" + tag).digest(), "little") % group.order


def rfc_weights(group: Group, public: bytes, firsts: list[bytes], found: list[bytes]) -> list[int]:
    """Section 2.2.1, ComputeComposites."""
    seed = hashlib.sha512(two(public) + two(b"Seed-" + CONTEXT)).digest()
    return [
        rfc_scalar(group, two(seed) + i.to_bytes(2, "big") + two(a) + two(d) + b"Composite")
        for i, (a, d) in enumerate(zip(firsts, found, strict=True))
    ]


def rfc_challenge(group: Group, *points: bytes) -> int:
    return rfc_scalar(group, b"".join(two(p) for p in points) + b"Challenge")


# --- hand-over -------------------------------------------------------------------------------------


@settings(max_examples=30, deadline=None)
@given(SCALARS, SCALARS, st.lists(st.tuples(SCALARS, SCALARS), min_size=1, max_size=4))
def test_a_hand_over_keeps_the_cards(x: int, y: int, cards: list[tuple[int, int]]) -> None:
    giver, receiver = public_key(SMALL, x), public_key(SMALL, y)
    inputs = [encrypt(SMALL, giver, SMALL.mul_base(m), r) for m, r in cards]
    outputs, proof = prove_hand_over(SMALL, header(), x, giver, receiver, inputs, fresh())
    assert [SMALL.sub(c.b, SMALL.mul(y, c.a)) for c in outputs] == [SMALL.mul_base(m) for m, _ in cards]
    assert len(proof) == hand_over_proof_size(SMALL)
    verify_hand_over(SMALL, header(), giver, receiver, inputs, outputs, proof)


def test_hand_over_on_the_real_group(real: Group) -> None:
    x, y, message = secret(real, 1), secret(real, 2), generator(real, 4)
    giver, receiver = public_key(real, x), public_key(real, y)
    inputs = [encrypt(real, giver, message, secret(real, 3))]
    outputs, proof = prove_hand_over(real, header(), x, giver, receiver, inputs, fresh())
    verify_hand_over(real, header(), giver, receiver, inputs, outputs, proof)
    assert real.sub(outputs[0].b, real.mul(y, outputs[0].a)) == message


def test_wrong_counts_and_lengths_of_a_hand_over(group: Group) -> None:
    x = secret(group, 1)
    giver, receiver = public_key(group, x), group.mul_base(99)
    inputs = [encrypt(group, giver, group.mul_base(m), m + 50) for m in (1, 2)]
    outputs, proof = prove_hand_over(group, header(), x, giver, receiver, inputs, fresh())
    with rejected("counts"):
        verify_hand_over(group, header(), giver, receiver, inputs, outputs[:1], proof)
    with rejected("identity"):
        bare = (Ciphertext(group.identity, outputs[0].b), outputs[1])
        verify_hand_over(group, header(), giver, receiver, inputs, bare, proof)
    for wrong in (b"", proof[:-1], proof + b"\0", proof[:-32] + b"\xff" * 32):
        with pytest.raises(Malformed):
            verify_hand_over(group, header(), giver, receiver, inputs, outputs, wrong)
    assert prove_hand_over(group, header(), x, giver, receiver, [], fresh()) == ((), b"")
    verify_hand_over(group, header(), giver, receiver, [], [], b"")
    with pytest.raises(Malformed):
        verify_hand_over(group, header(), giver, receiver, [], [], b"\0")


def forge_hand_over(
    group: Group,
    giver: bytes,
    receiver: bytes,
    inputs: list[Ciphertext],
    outputs: list[Ciphertext],
    x: int,
    masks: list[int],
    weights: list[int] | None = None,
) -> tuple[dict[str, bytes], bytes]:
    q = group.order
    statement = said(
        group,
        "hand-over",
        header(),
        giver,
        receiver,
        len(inputs),
        ciphertext_bytes(inputs),
        ciphertext_bytes(outputs),
    )
    weights = weights or challenges(q, "hand-over/weight", len(inputs), statement)
    a, b = secret(group, 31), secret(group, 32)
    first = group.multi_mul(weights, [c.a for c in inputs])
    points = {
        "t1": group.mul_base(a),
        "t2": group.mul_base(b),
        "t3": group.multi_mul([b, -a], [receiver, first]),
    }
    e = challenge(q, "hand-over/challenge", statement, *points.values())
    mask = sum(w * r for w, r in zip(weights, masks, strict=True))
    return points, scalars_bytes(group, [e, a + e * x, b + e * mask])


@pytest.mark.parametrize("check", ["t1", "t2", "t3"])
def test_forged_hand_over(group: Group, check: str) -> None:
    """Taken off with another key; masked with another r in A' than in B'; another card put in."""
    x, masks = secret(group, 1), [secret(group, 5), secret(group, 6)]
    used = x + 1 if check == "t1" else x
    giver, receiver = public_key(group, x), public_key(group, secret(group, 2))
    inputs = [encrypt(group, giver, group.mul_base(m), m + 50) for m in (1, 2)]
    outputs = [
        Ciphertext(group.mul_base(r), group.add(c.b, group.multi_mul([-used, r], [c.a, receiver])))
        for c, r in zip(inputs, masks, strict=True)
    ]
    if check == "t2":
        outputs[0] = outputs[0]._replace(a=group.mul_base(masks[0] + 1))
    if check == "t3":
        outputs[0] = outputs[0]._replace(b=group.add(outputs[0].b, group.base))
    points, proof = forge_hand_over(group, giver, receiver, inputs, outputs, used, masks)
    with rejected("challenge"):
        verify_hand_over(group, header(), giver, receiver, inputs, outputs, proof)
    with announced(handover, "_announcements", points) as differing:
        verify_hand_over(group, header(), giver, receiver, inputs, outputs, proof)
    assert differing == {check}


def test_without_weights_two_wrong_cards_would_cancel(small: Group, monkeypatch: pytest.MonkeyPatch) -> None:
    group, x, masks = small, secret(small, 1), [5, 6]
    giver, receiver = public_key(group, x), group.mul_base(77)
    inputs = [encrypt(group, giver, group.mul_base(m), m + 50) for m in (1, 2)]
    outputs = [
        Ciphertext(
            group.mul_base(r), group.add(c.b, group.multi_mul([-x, r, shift], [c.a, receiver, group.base]))
        )
        for c, r, shift in zip(inputs, masks, (1, -1), strict=True)
    ]
    _, proof = forge_hand_over(group, giver, receiver, inputs, outputs, x, masks)
    with rejected("challenge"):
        verify_hand_over(group, header(), giver, receiver, inputs, outputs, proof)
    _, proof = forge_hand_over(group, giver, receiver, inputs, outputs, x, masks, [1, 1])
    monkeypatch.setattr(handover, "_weights", lambda group, statement, count: [1] * count)
    verify_hand_over(group, header(), giver, receiver, inputs, outputs, proof)
