"""Fixed bytes of every proof, so that no change to them goes unnoticed and another program can check its own.

``python -m tests.p2p.sealed.test_golden`` writes the file again, for a new version of the protocol.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from p2p.io.sodium import load_group
from p2p.sealed import (
    Branch,
    Ciphertext,
    Group,
    Receiver,
    Xof,
    attribute_point,
    commit,
    decode_cards,
    digest,
    encode_cards,
    encode_scalar,
    generator,
    holds,
    is_justified,
    joint_witness,
    lacks,
    mix_witness,
    prove_claim,
    prove_complaint,
    prove_escrow,
    prove_hand_over,
    prove_key,
    prove_shares,
    prove_shuffle,
    public_key,
    read_share,
    shuffle,
    trivial,
    verify_claim,
    verify_escrow,
    verify_hand_over,
    verify_key,
    verify_shares,
    verify_shuffle,
)
from p2p.sealed.cards import ciphertext_bytes
from p2p.sealed.hashing import challenge
from p2p.sealed.ristretto import Ristretto255
from tests.p2p.sealed.forge import HEAD, TABLE, header

FILE = Path(__file__).resolve().parents[2] / "vectors" / "proofs.json"
DECK = "test"
SEED, FRESH = bytes(range(32)), bytes(range(100, 132))
FACES = [("A", "S"), ("2", "S"), ("A", "H"), ("2", "H")]


def spell(value: Any) -> Any:
    """Bytes as hexadecimal, scalars as 32 of them."""
    match value:
        case bytes():
            return value.hex()
        case Branch(kind, a, d):
            return [kind, a.hex(), d.hex()]
        case tuple() | list():
            return [spell(item) for item in value]
        case dict():
            return {key: spell(item) for key, item in value.items()}
    return value


def build(group: Group) -> dict[str, Any]:
    """All of it, from fixed secrets."""
    x = Xof("vectors/secret", b"x").scalar(group.order)
    y = Xof("vectors/secret", b"y").scalar(group.order)
    giver, receiver = public_key(group, x), public_key(group, y)
    deck = tuple(
        (
            trivial(group, attribute_point(group, DECK, "rank", r)),
            trivial(group, attribute_point(group, DECK, "suit", s)),
        )
        for r, s in FACES
    )
    witness = joint_witness(group, SEED, TABLE, 2, 7, DECK, "shuffle", 4, 2)
    shuffled = shuffle(group, giver, deck, witness)
    mixing = mix_witness(group, FRESH, encode_scalar(x), header("mix"), giver, shuffled)
    mixed = shuffle(group, giver, shuffled, mixing)
    firsts = [cell.a for card in mixed[:2] for cell in card]
    shares, share_proof = prove_shares(group, header("shares"), x, giver, firsts, FRESH)
    handed = [mixed[0][0], mixed[0][1]]
    outputs, hand_over_proof = prove_hand_over(group, header("give"), x, giver, receiver, handed, FRESH)
    ranks = [card[0] for card in mixed]
    some, least = holds(group, ranks, attribute_point(group, DECK, "rank", "2"))
    none, all_of_them = lacks(group, ranks, attribute_point(group, DECK, "rank", "9"))
    w = [Xof("vectors/secret", b"w", bytes([n])).scalar(group.order) for n in range(2)]
    receivers = [Receiver(n, public_key(group, key)) for n, key in zip((2, 4), w, strict=True)]
    sealed, escrow_data = prove_escrow(group, header("escrow"), x, receivers, FRESH)
    found: dict[str, Any] = spell(
        {
            "source": "made by this program; protocol version 1",
            "header": {
                "version": 1, "table_id": TABLE, "epoch": 2, "step": 7, "seat": 1, "index": 0, "head": HEAD,
            },
            "hashing": {
                "digest": digest("vectors", b"a", b"", b"bc"),
                "challenge": encode_scalar(challenge(group.order, "vectors", b"a", b"", b"bc")),
                "xof": Xof("vectors", b"a", b"", b"bc").read(80),
                "scalar": encode_scalar(Xof("vectors", b"a", b"", b"bc").scalar(group.order)),
                "permutation of 8": Xof("vectors", b"a", b"", b"bc").permutation(8),
                "commitment": commit(TABLE, 1, "coin", b"value", b"salt"),
            },
            "points": {
                "gen 0": generator(group, 0),
                "gen 1": generator(group, 1),
                "test rank A": attribute_point(group, DECK, "rank", "A"),
            },
            "secrets": {"x": encode_scalar(x), "y": encode_scalar(y), "seed": SEED, "fresh": FRESH},
            "keys": {"x": giver, "y": receiver},
            "key": {"purpose": "key", "proof": prove_key(group, header("key"), x, FRESH)},
            "shuffle": {
                "purpose": "shuffle", "deck": DECK, "faces": FACES, "permutation": witness.permutation,
                "remasks": [[encode_scalar(r) for r in row] for row in witness.remasks],
                "inputs": encode_cards(deck), "outputs": encode_cards(shuffled),
                "proof": prove_shuffle(group, header("shuffle"), giver, deck, shuffled, witness, SEED, FRESH),
            },
            "mix": {
                "purpose": "mix", "permutation": mixing.permutation, "outputs": encode_cards(mixed),
                "proof": prove_shuffle(
                    group, header("mix"), giver, shuffled, mixed, mixing, encode_scalar(x), FRESH
                ),
            },
            "shares": {"purpose": "shares", "firsts": firsts, "shares": shares, "proof": share_proof},
            "hand-over": {
                "purpose": "give", "inputs": ciphertext_bytes(handed), "outputs": ciphertext_bytes(outputs),
                "proof": hand_over_proof,
            },
            "holds rank 2": {
                "purpose": "holds", "branches": some, "least": least,
                "proof": prove_claim(group, header("holds"), giver, x, some, least, FRESH),
            },
            "lacks rank 9": {
                "purpose": "lacks", "branches": none, "least": all_of_them,
                "proof": prove_claim(group, header("lacks"), giver, x, none, all_of_them, FRESH),
            },
            "escrow": {
                "purpose": "escrow", "keepers": [each.keeper for each in receivers],
                "payload keys": [each.key for each in receivers],
                "payload secrets": [encode_scalar(key) for key in w],
                "shares": [
                    encode_scalar(read_share(group, share, key) or 0)
                    for share, key in zip(sealed, w, strict=True)
                ],
                "data": escrow_data,
            },
            "complaint": {
                "purpose": "complaint", "about": 0,
                "data": prove_complaint(
                    group, header("complaint"), w[0], receivers[0].key, sealed[0], FRESH
                ),
            },
        }
    )  # fmt: skip
    return found


@pytest.fixture(scope="module")
def golden() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
    return found


def test_the_bytes_have_not_changed(ristretto: Group, golden: dict[str, Any]) -> None:
    assert build(ristretto) == golden


def test_the_shuffle_of_the_file_moves_cards(golden: dict[str, Any]) -> None:
    for name in ("shuffle", "mix"):
        order = golden[name]["permutation"]
        assert sorted(order) == list(range(4)) != order


def test_the_file_verifies_without_any_secret(golden: dict[str, Any]) -> None:
    """What a second verifier does: everything decoded from the file, by the other implementation."""
    group = Ristretto255()
    raw = bytes.fromhex
    key, receiver = group.decode(raw(golden["keys"]["x"])), group.decode(raw(golden["keys"]["y"]))
    entry = golden["key"]
    verify_key(group, header(entry["purpose"]), key, raw(entry["proof"]))

    entry = golden["shuffle"]
    deck = tuple(
        tuple(
            trivial(group, attribute_point(group, entry["deck"], name, value))
            for name, value in zip(("rank", "suit"), face, strict=True)
        )
        for face in entry["faces"]
    )
    assert encode_cards(deck) == raw(entry["inputs"])
    shuffled = decode_cards(group, raw(entry["outputs"]), 4, 2)
    verify_shuffle(group, header(entry["purpose"]), key, deck, shuffled, raw(entry["proof"]))
    entry = golden["mix"]
    mixed = decode_cards(group, raw(entry["outputs"]), 4, 2)
    verify_shuffle(group, header(entry["purpose"]), key, shuffled, mixed, raw(entry["proof"]))

    entry = golden["shares"]
    firsts, shares = ([group.decode(raw(p)) for p in entry[name]] for name in ("firsts", "shares"))
    verify_shares(group, header(entry["purpose"]), key, firsts, shares, raw(entry["proof"]))

    entry = golden["hand-over"]
    inputs, outputs = (decode_cards(group, raw(entry[name]), 1, 2)[0] for name in ("inputs", "outputs"))
    verify_hand_over(group, header(entry["purpose"]), key, receiver, inputs, outputs, raw(entry["proof"]))
    assert inputs == mixed[0]

    for name in ("holds rank 2", "lacks rank 9"):
        entry = golden[name]
        branches = [Branch(kind, raw(a), raw(d)) for kind, a, d in entry["branches"]]
        verify_claim(group, header(entry["purpose"]), key, branches, entry["least"], raw(entry["proof"]))
        target = attribute_point(group, DECK, *name.split()[1:])
        assert [(b.a, group.add(b.d, target)) for b in branches] == [card[0] for card in mixed]


def test_the_escrow_of_the_file_holds_its_key(golden: dict[str, Any]) -> None:
    group, raw = Ristretto255(), bytes.fromhex
    entry = golden["escrow"]
    receivers = [
        Receiver(number, group.decode(raw(key)))
        for number, key in zip(entry["keepers"], entry["payload keys"], strict=True)
    ]
    key = group.decode(raw(golden["keys"]["x"]))
    found = verify_escrow(group, header(entry["purpose"]), key, receivers, raw(entry["data"]))
    values = [
        read_share(group, share, int.from_bytes(raw(w), "little"))
        for share, w in zip(found, entry["payload secrets"], strict=True)
    ]
    assert [encode_scalar(value or 0).hex() for value in values] == entry["shares"]
    x = int.from_bytes(raw(golden["secrets"]["x"]), "little")
    assert sum(value or 0 for value in values) % group.order == x
    complaint = golden["complaint"]
    share, about = found[complaint["about"]], receivers[complaint["about"]].key
    assert not is_justified(group, header(complaint["purpose"]), about, share, raw(complaint["data"]))


def test_the_shares_of_the_file_open_its_cards(golden: dict[str, Any]) -> None:
    group = Ristretto255()
    mixed = decode_cards(group, bytes.fromhex(golden["mix"]["outputs"]), 4, 2)
    order, before = golden["mix"]["permutation"], golden["shuffle"]["permutation"]
    shares = [bytes.fromhex(share) for share in golden["shares"]["shares"]]
    cells: list[Ciphertext] = [cell for card in mixed[:2] for cell in card]
    found = [group.sub(cell.b, share) for cell, share in zip(cells, shares, strict=True)]
    expected = []
    for i in range(2):
        rank, suit = FACES[before[order[i]]]
        expected += [attribute_point(group, DECK, "rank", rank), attribute_point(group, DECK, "suit", suit)]
    assert found == expected


if __name__ == "__main__":
    FILE.write_text(json.dumps(build(load_group()), indent=1) + "\n", "utf-8")
