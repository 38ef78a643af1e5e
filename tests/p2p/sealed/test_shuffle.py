"""Shuffles: complete, and false in one place only for those who leave a check out."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p.sealed import (
    Card,
    Ciphertext,
    Group,
    Malformed,
    ProofRejected,
    ShuffleWitness,
    attribute_point,
    decode_cards,
    encode_cards,
    encode_scalar,
    generator,
    joint_witness,
    mix_witness,
    prove_shuffle,
    public_key,
    shuffle,
    shuffle_proof_size,
    trivial,
    verify_shuffle,
)
from p2p.sealed.testgroup import SmallGroup
from tests.p2p.sealed.forge import TABLE, ForgedShuffle, announced, combine, fresh, header, secret

MODULE = sys.modules["p2p.sealed.shuffle"]  # the package gives this name to the function
SMALL = SmallGroup()
SEED = b"\x51" * 32


def rejected(check: str) -> pytest.RaisesExc[ProofRejected]:
    return pytest.RaisesExc(ProofRejected, check=lambda error: error.equation == check)


def deck(group: Group, count: int, attributes: int) -> tuple[Card, ...]:
    return tuple(
        tuple(trivial(group, attribute_point(group, "test", str(at), str(i))) for at in range(attributes))
        for i in range(count)
    )


def hidden(group: Group, x: int, count: int, attributes: int) -> tuple[Card, ...]:
    """A deck in deck order under the key xG."""
    key = public_key(group, x)
    masks = tuple(tuple(1000 * (i + 1) + 100 * at for at in range(attributes)) for i in range(count))
    return shuffle(group, key, deck(group, count, attributes), ShuffleWitness(tuple(range(count)), masks))


def opened(group: Group, x: int, cards: Sequence[Card]) -> list[tuple[bytes, ...]]:
    return [tuple(group.sub(c.b, group.mul(x, c.a)) for c in card) for card in cards]


@settings(max_examples=40, deadline=None)
@given(
    st.integers(min_value=0, max_value=6),
    st.integers(min_value=1, max_value=3),
    st.binary(min_size=1, max_size=8),
    st.booleans(),
)
def test_a_shuffle_keeps_the_cards_and_is_proved(
    n: int, attributes: int, seed: bytes, trivially: bool
) -> None:
    x = secret(SMALL, 1)
    key = public_key(SMALL, x)
    inputs = deck(SMALL, n, attributes) if trivially else hidden(SMALL, x, n, attributes)
    witness = joint_witness(SMALL, seed, TABLE, 0, 3, "test", "shuffle", n, attributes)
    outputs = shuffle(SMALL, key, inputs, witness)
    faces = opened(SMALL, x, inputs)
    assert opened(SMALL, x, outputs) == [faces[i] for i in witness.permutation]
    proof = prove_shuffle(SMALL, header(), key, inputs, outputs, witness, seed, fresh())
    assert len(proof) == shuffle_proof_size(SMALL, n, attributes)
    received = decode_cards(SMALL, encode_cards(outputs), n, attributes)
    verify_shuffle(SMALL, header(), key, inputs, received, proof)


def test_a_chain_of_seats_on_the_real_group(real: Group) -> None:
    x = secret(real, 1)
    key, cards = public_key(real, x), deck(real, 5, 2)
    for seat in range(3):
        witness = joint_witness(real, bytes([seat]) * 32, TABLE, 0, seat, "test", "shuffle", 5, 2)
        outputs = shuffle(real, key, cards, witness)
        proof = prove_shuffle(
            real, header(seat=seat), key, cards, outputs, witness, bytes([seat]) * 32, fresh()
        )
        verify_shuffle(real, header(seat=seat), key, cards, outputs, proof)
        cards = outputs
    assert sorted(opened(real, x, cards)) == sorted(opened(real, x, deck(real, 5, 2)))


def test_a_mix_is_a_shuffle_of_ones_own(real: Group) -> None:
    x = secret(real, 1)
    key, inputs = public_key(real, x), hidden(real, x, 4, 2)
    witness = mix_witness(real, fresh(), encode_scalar(x), header("mix"), key, inputs)
    outputs = shuffle(real, key, inputs, witness)
    proof = prove_shuffle(real, header("mix"), key, inputs, outputs, witness, encode_scalar(x), fresh())
    verify_shuffle(real, header("mix"), key, inputs, outputs, proof)
    assert mix_witness(real, fresh(), encode_scalar(x), header("mix", step=8), key, inputs) != witness
    assert mix_witness(real, fresh(1), encode_scalar(x), header("mix"), key, inputs) != witness
    assert mix_witness(real, fresh(), encode_scalar(x), header("mix"), key, inputs[::-1]) != witness


def test_no_cards_need_no_proof(group: Group) -> None:
    key = group.mul_base(3)
    nothing = ShuffleWitness((), ())
    assert prove_shuffle(group, header(), key, (), (), nothing, SEED, fresh()) == b""
    verify_shuffle(group, header(), key, (), (), b"")
    with pytest.raises(Malformed):
        verify_shuffle(group, header(), key, (), (), b"\0")


def test_two_shuffles_of_one_seed_share_nothing(group: Group) -> None:
    """Neither the masks nor the differences of two masks: those would link cards across shuffles."""

    def masks(**changes: object) -> list[int]:
        place = {"epoch": 0, "step": 4, "deck": "test", "purpose": "shuffle"} | changes
        witness = joint_witness(
            group, SEED, TABLE, int(str(place["epoch"])), int(str(place["step"])),
            str(place["deck"]), str(place["purpose"]), 12, 2,
        )  # fmt: skip
        return [r for row in witness.remasks for r in row]

    def differences(values: list[int]) -> set[int]:
        return {(a - b) % group.order for a in values for b in values if a != b}

    first = masks()
    for other in (masks(step=5), masks(epoch=1), masks(purpose="return"), masks(deck="other")):
        assert set(first).isdisjoint(other)
        assert differences(first).isdisjoint(differences(other))
    assert masks() == first


def test_the_permutation_depends_on_the_place(small: Group) -> None:
    orders = [
        joint_witness(small, SEED, TABLE, 0, step, "test", "shuffle", 20, 1).permutation for step in range(4)
    ]
    assert len(set(orders)) == 4


def test_a_witness_shows_nothing() -> None:
    assert repr(ShuffleWitness((1, 0), ((5,), (6,)))) == "ShuffleWitness()"


# --- refused before arithmetic ---------------------------------------------------------------------


@pytest.fixture
def shuffled(group: Group) -> tuple[bytes, tuple[Card, ...], tuple[Card, ...], bytes]:
    x = secret(group, 1)
    key, inputs = public_key(group, x), hidden(group, x, 3, 2)
    witness = joint_witness(group, SEED, TABLE, 0, 3, "test", "shuffle", 3, 2)
    outputs = shuffle(group, key, inputs, witness)
    return key, inputs, outputs, prove_shuffle(group, header(), key, inputs, outputs, witness, SEED, fresh())


def test_wrong_counts_and_lengths(
    group: Group, shuffled: tuple[bytes, tuple[Card, ...], tuple[Card, ...], bytes]
) -> None:
    key, inputs, outputs, proof = shuffled
    verify_shuffle(group, header(), key, inputs, outputs, proof)
    with rejected("counts"):
        verify_shuffle(group, header(), key, inputs, outputs[:2], proof)
    with rejected("counts"):
        verify_shuffle(group, header(), key, inputs[:2], outputs, proof)
    with rejected("counts"):
        verify_shuffle(group, header(), key, inputs, (*outputs[:2], outputs[2][:1]), proof)
    with rejected("key"):
        verify_shuffle(group, header(), group.identity, inputs, outputs, proof)
    for wrong in (b"", proof[:-1], proof + b"\0", proof[:-32] + encode_scalar(group.order)):
        with pytest.raises(Malformed):
            verify_shuffle(group, header(), key, inputs, outputs, wrong)


def test_the_identity_is_no_commitment(
    group: Group, shuffled: tuple[bytes, tuple[Card, ...], tuple[Card, ...], bytes]
) -> None:
    key, inputs, outputs, proof = shuffled
    size = group.point_size
    for place in (0, 3):  # the first commitment, the first link
        wrong = proof[: place * size] + group.identity + proof[(place + 1) * size :]
        with pytest.raises(Malformed, match="identity"):
            verify_shuffle(group, header(), key, inputs, outputs, wrong)


@pytest.mark.parametrize(
    ("check", "remasks"),
    [
        ("identity", ((0, 7), (8, 9))),
        ("distinct outputs", ((5, 5), (8, 9))),
        ("distinct outputs", ((5, 6), (8, 5))),
    ],
)
def test_masks_of_a_deck_in_the_clear(
    group: Group, monkeypatch: pytest.MonkeyPatch, check: str, remasks: tuple[tuple[int, ...], ...]
) -> None:
    """The proof itself holds: only the rule on first components stands in the way of a marked card."""
    key, inputs = group.mul_base(secret(group, 1)), deck(group, 2, 2)
    refuse(group, monkeypatch, check, key, inputs, ShuffleWitness((1, 0), remasks))


@pytest.mark.parametrize("remasks", [((0, 7), (8, 9)), ((4, 7), (8, 0))])
def test_a_card_that_keeps_its_mask(
    group: Group, monkeypatch: pytest.MonkeyPatch, remasks: tuple[tuple[int, ...], ...]
) -> None:
    key, inputs = group.mul_base(secret(group, 1)), hidden(group, secret(group, 1), 2, 2)
    refuse(group, monkeypatch, "new masks", key, inputs, ShuffleWitness((1, 0), remasks))


def test_a_card_that_takes_the_mask_of_another(group: Group, monkeypatch: pytest.MonkeyPatch) -> None:
    x = secret(group, 1)
    inputs = hidden(group, x, 2, 1)  # masked by 1000 and 2000
    refuse(
        group,
        monkeypatch,
        "new masks",
        public_key(group, x),
        inputs,
        ShuffleWitness((0, 1), ((1000,), (77,))),
    )


def refuse(
    group: Group,
    monkeypatch: pytest.MonkeyPatch,
    check: str,
    key: bytes,
    inputs: tuple[Card, ...],
    witness: ShuffleWitness,
) -> None:
    outputs = shuffle(group, key, inputs, witness)
    proof = prove_shuffle(group, header(), key, inputs, outputs, witness, SEED, fresh())
    with rejected(check):
        verify_shuffle(group, header(), key, inputs, outputs, proof)
    monkeypatch.setattr(MODULE, "check_first_components", lambda *_: None)
    verify_shuffle(group, header(), key, inputs, outputs, proof)


# --- one forger per equation -----------------------------------------------------------------------

IDENTITY = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
CYCLE = ((0, 1, 0), (0, 0, 1), (1, 0, 0))
MASKS = ((11, 12), (13, 14), (15, 16))


def scaled(group: Group) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]:
    """u' = (2u1, u2/2, u3) has the right product; outputs card 1 halved and card 2 doubled fit it."""
    half = pow(2, -1, group.order)
    return ((2, 0, 0), (0, half, 0), (0, 0, 1)), ((half, 0, 0), (0, 2, 0), (0, 0, 1))


def sheared(group: Group) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]:
    """u' = (2u1 - u2, u2, u3) has the right sum per row, so the commitments add up; its product is wrong."""
    half = pow(2, -1, group.order)
    return ((2, -1, 0), (0, 1, 0), (0, 0, 1)), ((half, 0, 0), (half, 1, 0), (0, 0, 1))


def forge(group: Group, case: str) -> ForgedShuffle:
    x = secret(group, 1)
    key, inputs = public_key(group, x), hidden(group, x, 3, 2)
    committed: Sequence[Sequence[int]] = CYCLE
    used, mixing, cut = committed, committed, None
    if case == "t1":
        used, mixing = scaled(group)
        committed = used
    elif case == "t2":
        used, mixing = sheared(group)
        committed = used
    elif case == "t3":
        committed = IDENTITY
        used, mixing = scaled(group)
    elif case.startswith("link"):
        used, mixing = sheared(group)
        committed, cut = used, int(case[-1]) - 1
    outputs = combine(group, key, mixing, inputs, MASKS)
    if case.startswith("t4"):
        at, part = int(case[3]), case[5]
        card = list(outputs[1])
        cell = card[at]
        card[at] = (
            Ciphertext(group.add(cell.a, group.base), cell.b)
            if part == "a"
            else Ciphertext(cell.a, group.add(cell.b, group.base))
        )
        outputs = (outputs[0], tuple(card), outputs[2])
    return ForgedShuffle(group, header(), key, inputs, outputs, committed, used, MASKS, cut)


def test_the_other_prover_convinces_when_it_is_honest(group: Group) -> None:
    """The prover of these tests follows the specification: without a lie it is accepted."""
    honest = forge(group, "honest")
    verify_shuffle(group, header(), honest.key, honest.inputs, honest.outputs, honest.proof())


@pytest.mark.parametrize(
    "case", ["t1", "t2", "t3", "t4.0.a", "t4.0.b", "t4.1.a", "t4.1.b", "link.1", "link.2", "link.3"]
)
def test_forged_shuffle(group: Group, case: str) -> None:
    forged = forge(group, case)
    proof = forged.proof()
    arguments = (group, header(), forged.key, forged.inputs, forged.outputs, proof)
    with rejected("challenge"):
        verify_shuffle(*arguments)
    with announced(MODULE, "_announcements", forged.announcements) as differing:
        verify_shuffle(*arguments)
    assert differing == {case}
    with announced(MODULE, "_announcements", {case: forged.announcements[case]}):
        verify_shuffle(*arguments)
    without = {name: point for name, point in forged.announcements.items() if name != case}
    with announced(MODULE, "_announcements", without), rejected("challenge"):
        verify_shuffle(*arguments)


def test_the_cards_of_a_forged_shuffle_are_other_cards(group: Group) -> None:
    """What each forger gains: the outputs hide something that went into the shuffle in no order."""
    x = secret(group, 1)
    for case in ("t1", "t2", "t3", "t4.0.a", "t4.1.b", "link.2"):
        forged = forge(group, case)
        assert sorted(opened(group, x, forged.outputs)) != sorted(opened(group, x, forged.inputs))


def test_generators_are_not_those_of_the_deck(group: Group) -> None:
    points = {generator(group, i) for i in range(20)}
    assert points.isdisjoint(attribute_point(group, "test", "0", str(i)) for i in range(20))
