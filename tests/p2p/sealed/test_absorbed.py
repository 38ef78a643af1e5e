"""Everything a proof speaks of enters its challenge, and its nonces.

In the form (challenge, responses) any change breaks a proof: that it no longer verifies shows nothing. Here
the announcements are held still and the challenges themselves are compared.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from p2p.sealed import (
    Branch,
    Ciphertext,
    Group,
    Header,
    ProofRejected,
    Receiver,
    ShuffleWitness,
    Xof,
    claims,
    escrow,
    handover,
    keys,
    prove_claim,
    prove_escrow,
    prove_hand_over,
    prove_key,
    prove_shares,
    prove_shuffle,
    public_key,
    shares,
    shuffle,
    verify_claim,
    verify_escrow,
    verify_hand_over,
    verify_key,
    verify_shares,
    verify_shuffle,
)
from p2p.sealed.group import encode_proof
from p2p.sealed.testgroup import SmallGroup
from tests.p2p.sealed.forge import fresh, header, secret

SHUFFLE = sys.modules["p2p.sealed.shuffle"]
G = SmallGroup()
OTHER: dict[str, Any] = {
    "version": 2, "table_id": b"\1" * 32, "epoch": 3, "step": 8, "seat": 2, "purpose": "tess", "index": 1,
    "head": b"\2" * 32,
}  # fmt: skip
HEADERS = {f"header {name}": header(**{name: value}) for name, value in OTHER.items()}


class RenamedGroup(SmallGroup):
    name = "other"


def p(k: int) -> bytes:
    return G.mul_base(k)


def spoken(
    module: ModuleType, recompute: str, verify: Callable[[], None], points: dict[str, bytes] | None = None
) -> dict[str, tuple[int, ...]]:
    """The challenges by label that ``verify`` computes, with the same announcements whatever it is given."""
    found: dict[str, tuple[int, ...]] = {}
    one, many = module.challenge, getattr(module, "challenges", None)

    def single(order: int, label: str, *parts: bytes) -> int:
        found[label] = (one(order, label, *parts),)
        return found[label][0]

    def several(order: int, label: str, count: int, *parts: bytes) -> list[int]:
        assert many is not None
        values: list[int] = many(order, label, count, *parts)
        found[label] = tuple(values)
        return values

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "challenge", single)
        if many is not None:
            patch.setattr(module, "challenges", several)
        patch.setattr(module, recompute, lambda *_: points or {"t": p(3)})
        with pytest.raises(ProofRejected):
            verify()
    return found


def compare(
    module: ModuleType,
    recompute: str,
    verify: Callable[..., None],
    arguments: dict[str, Any],
    variations: dict[str, dict[str, Any]],
    only_challenge: frozenset[str] = frozenset(),
) -> None:
    """Each variation changes the challenge, and weights or exponents unless it is in ``only_challenge``."""
    for renamed, changes in {"the group": {"group": RenamedGroup()}, **variations}.items():
        before = spoken(module, recompute, lambda: verify(**arguments))
        after = spoken(module, recompute, lambda changes=changes: verify(**(arguments | changes)))
        assert before.keys() == after.keys()
        for label in before:
            same = before[label] == after[label]
            expected = renamed in only_challenge and not label.endswith("/challenge")
            assert same == expected, f"{label} with another {renamed}"
    # And the announcements themselves, each and in order.
    sets = [{"t": p(3), "u": p(4)}, {"t": p(5), "u": p(4)}, {"t": p(3), "u": p(5)}, {"t": p(4), "u": p(3)}]
    label = f"{module.KIND}/challenge"
    values = {spoken(module, recompute, lambda: verify(**arguments), points)[label] for points in sets}
    assert len(values) == len(sets)


def test_key() -> None:
    arguments = {"group": G, "header": header(), "public": p(5), "proof": encode_proof((), (1, 2))}
    variations = {name: {"header": value} for name, value in HEADERS.items()} | {"key": {"public": p(6)}}
    compare(keys, "_announcements", verify_key, arguments, variations)


def test_shares() -> None:
    arguments = {
        "group": G, "header": header(), "public": p(5), "firsts": [p(7), p(8)], "shares": [p(9), p(10)],
        "proof": encode_proof((), (1, 2)),
    }  # fmt: skip
    variations: dict[str, dict[str, Any]] = {name: {"header": value} for name, value in HEADERS.items()}
    variations |= {
        "key": {"public": p(6)},
        "first": {"firsts": [p(7), p(11)]},
        "share": {"shares": [p(11), p(10)]},
        "order": {"firsts": [p(8), p(7)]},
        "pairing": {"firsts": [p(7), p(9)], "shares": [p(8), p(10)]},
        "count": {"firsts": [p(7)], "shares": [p(9)]},
    }
    compare(shares, "recompute", verify_shares, arguments, variations)


def test_hand_over() -> None:
    inputs, outputs = [Ciphertext(p(5), p(6))], [Ciphertext(p(7), p(8))]
    arguments = {
        "group": G, "header": header(), "giver": p(9), "receiver": p(10), "inputs": inputs,
        "outputs": outputs, "proof": encode_proof((), (1, 2, 3)),
    }  # fmt: skip
    variations: dict[str, dict[str, Any]] = {name: {"header": value} for name, value in HEADERS.items()}
    variations |= {
        "giver": {"giver": p(11)},
        "receiver": {"receiver": p(11)},
        "keys exchanged": {"giver": p(10), "receiver": p(9)},
        "input a": {"inputs": [Ciphertext(p(11), p(6))]},
        "input b": {"inputs": [Ciphertext(p(5), p(11))]},
        "output a": {"outputs": [Ciphertext(p(11), p(8))]},
        "output b": {"outputs": [Ciphertext(p(7), p(11))]},
    }
    compare(handover, "_announcements", verify_hand_over, arguments, variations)


def test_escrow() -> None:
    def data(own: bytes, first: bytes, masked: int) -> bytes:
        return encode_proof([own, first], (masked, 1, 2))

    receivers = [Receiver(2, p(7))]
    arguments = {
        "group": G, "header": header(), "public": p(5), "receivers": receivers, "data": data(p(8), p(9), 4),
    }  # fmt: skip
    variations: dict[str, dict[str, Any]] = {name: {"header": value} for name, value in HEADERS.items()}
    variations |= {
        "key": {"public": p(6)},
        "keeper": {"receivers": [Receiver(3, p(7))]},
        "payload key": {"receivers": [Receiver(2, p(11))]},
        "promised share": {"data": data(p(11), p(9), 4)},
        "first": {"data": data(p(8), p(11), 4)},
        "exchanged": {"data": data(p(9), p(8), 4)},
        "masked share": {"data": data(p(8), p(9), 5)},
    }
    compare(escrow, "_announcements", verify_escrow, arguments, variations)


def test_what_masks_a_share_depends_on_where_it_stands() -> None:
    heads = [header(**{name: OTHER[name]}) for name in ("table_id", "epoch", "step", "seat")]
    cases = [(head, 2, p(3), p(4)) for head in (header(), *heads)]
    cases += [(header(), 3, p(3), p(4)), (header(), 2, p(5), p(4)), (header(), 2, p(3), p(5))]
    assert len({escrow._mask(G, *case) for case in cases}) == len(cases)


def test_claim() -> None:
    branches = [Branch("ne", p(5), p(6)), Branch("eq", p(7), p(8))]
    arguments = {
        "group": G, "header": header(), "public": p(9), "branches": branches, "least": 1,
        "proof": encode_proof([p(12)], range(1, 6)),
    }  # fmt: skip
    other = encode_proof([p(12)], range(2, 6))
    variations: dict[str, dict[str, Any]] = {name: {"header": value} for name, value in HEADERS.items()}
    variations |= {
        "key": {"public": p(10)},
        "a": {"branches": [branches[0]._replace(a=p(11)), branches[1]]},
        "d": {"branches": [branches[0], branches[1]._replace(d=p(11))]},
        "order of kinds": {"branches": [Branch("eq", p(5), p(6)), Branch("ne", p(7), p(8))]},
        "m": {"least": 2, "proof": other},
        "Z": {"proof": encode_proof([p(13)], range(1, 6))},
    }
    compare(claims, "_announcements", verify_claim, arguments, variations)


def test_shuffle() -> None:
    def card(a: int) -> tuple[Ciphertext, ...]:
        return (Ciphertext(p(a), p(a + 1)), Ciphertext(p(a + 2), p(a + 3)))

    def cell(card: tuple[Ciphertext, ...], **change: bytes) -> tuple[Ciphertext, ...]:
        return (card[0], card[1]._replace(**change))

    inputs, outputs = (card(10), card(20)), (card(30), card(40))
    points = [p(k) for k in (50, 51, 52, 53)]

    def proof(*changed: int) -> bytes:
        return encode_proof([p(90) if i in changed else q for i, q in enumerate(points)], range(1, 11))

    arguments = {
        "group": G, "header": header(), "key": p(9), "inputs": inputs, "outputs": outputs, "proof": proof(),
    }  # fmt: skip
    variations: dict[str, dict[str, Any]] = {name: {"header": value} for name, value in HEADERS.items()}
    variations |= {
        "key": {"key": p(8)},
        "input a": {"inputs": (inputs[0], cell(inputs[1], a=p(91)))},
        "input b": {"inputs": (inputs[0], cell(inputs[1], b=p(91)))},
        "output a": {"outputs": (cell(outputs[0], a=p(91)), outputs[1])},
        "output b": {"outputs": (cell(outputs[0], b=p(91)), outputs[1])},
        "order of outputs": {"outputs": outputs[::-1]},
        "first commitment": {"proof": proof(0)},
        "last commitment": {"proof": proof(1)},
        "first link": {"proof": proof(2)},
        "last link": {"proof": proof(3)},
    }
    compare(
        SHUFFLE,
        "_announcements",
        verify_shuffle,
        arguments,
        variations,
        frozenset({"first link", "last link"}),
    )


def test_cards_and_attributes_are_told_apart() -> None:
    """Two cards of one attribute and one card of two are the same bytes, but not the same statement."""
    cells = [Ciphertext(p(k), p(k + 1)) for k in (10, 20, 30, 40)]
    flat = SHUFFLE._statement(G, header(), p(9), ((cells[0],), (cells[1],)), ((cells[2],), (cells[3],)))
    wide = SHUFFLE._statement(G, header(), p(9), ((cells[0], cells[1]),), ((cells[2], cells[3]),))
    assert flat != wide


def streams(prove: Callable[[], object]) -> set[bytes]:
    """The first bytes of every stream that ``prove`` draws from."""
    found = set()
    honest = Xof.__init__

    def recording(stream: Xof, label: str, *parts: bytes) -> None:
        honest(stream, label, *parts)
        twin = Xof.__new__(Xof)
        honest(twin, label, *parts)
        found.add(twin.read(32))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Xof, "__init__", recording)
        prove()
    return found


CIPHER = Ciphertext(p(5), p(6))
WITNESS = ShuffleWitness((1, 0), ((5,), (6,)))


def key_proof(x: int, head: Header, f: bytes, _: int) -> object:
    return prove_key(G, head, x, f)


def share_proof(x: int, head: Header, f: bytes, other: int) -> object:
    return prove_shares(G, head, x, public_key(G, x), [p(7 + other)], f)


def hand_over_proof(x: int, head: Header, f: bytes, other: int) -> object:
    return prove_hand_over(G, head, x, public_key(G, x), p(10 + other), [CIPHER], f)


def claim_proof(x: int, head: Header, f: bytes, other: int) -> object:
    branches = [Branch("ne", p(5), p(6)), Branch("eq", p(7), G.mul(x, p(7)))]
    return prove_claim(G, head, public_key(G, x), x, branches, 1 + other, f)


def shuffle_proof(x: int, head: Header, f: bytes, other: int) -> object:
    inputs = ((CIPHER,), (Ciphertext(p(8), p(9)),))
    key = p(70 + other)
    outputs = shuffle(G, key, inputs, WITNESS)
    return prove_shuffle(G, head, key, inputs, outputs, WITNESS, x.to_bytes(32, "big"), f)


def escrow_proof(x: int, head: Header, f: bytes, other: int) -> object:
    return prove_escrow(G, head, x, [Receiver(2, p(7)), Receiver(3, p(8 + other))], f)


# The masks of an escrow are hashes, not streams; an escrow reads all its secrets from one stream.
PROVERS = [key_proof, share_proof, hand_over_proof, escrow_proof, claim_proof, shuffle_proof]


@pytest.mark.parametrize("prove", PROVERS)
def test_nonces_depend_on_all_inputs(prove: Callable[[int, Header, bytes, int], object]) -> None:
    x = secret(G, 1)
    start = streams(lambda: prove(x, header(), fresh(), 0))
    assert start
    assert start == streams(lambda: prove(x, header(), fresh(), 0))
    others = [(x + 1, header(), fresh(), 0), (x, header(), fresh(1), 0)]
    others += [(x, head, fresh(), 0) for head in HEADERS.values()]
    if prove is not key_proof:
        others.append((x, header(), fresh(), 1))
    for other in others:
        assert start.isdisjoint(streams(lambda other=other: prove(*other)))


def test_the_real_group_names_itself(real: Group) -> None:
    assert real.name == "ristretto255"
    assert real.name != G.name
