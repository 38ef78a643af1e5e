"""Both implementations of ristretto255 against the RFCs and against each other; the small group."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p.io import sodium
from p2p.sealed import (
    SCALAR_SIZE,
    Group,
    Malformed,
    attribute_point,
    decode_cards,
    decode_scalar,
    encode_cards,
    encode_scalar,
    generator,
    trivial,
)
from p2p.sealed.hashing import expand_message
from p2p.sealed.ristretto import Ristretto255, from_uniform
from p2p.sealed.testgroup import SmallGroup

VECTORS = Path(__file__).resolve().parents[2] / "vectors"
RFC9496 = json.loads((VECTORS / "rfc9496.json").read_text("utf-8"))
RFC9497 = json.loads((VECTORS / "rfc9497.json").read_text("utf-8"))
PLAIN = Ristretto255()
SCALARS = st.integers(min_value=-(2**256), max_value=2**256)


def one_way_map(group: Group, data: bytes) -> bytes:
    return group.from_uniform(data) if isinstance(group, sodium.SodiumGroup) else from_uniform(data)


def test_multiples_of_the_base(ristretto: Group) -> None:
    total = ristretto.identity
    for k, expected in enumerate(RFC9496["small_multiples"]):
        assert ristretto.mul_base(k).hex() == expected
        assert ristretto.mul(k, ristretto.base).hex() == expected
        assert total.hex() == expected
        assert ristretto.decode(bytes.fromhex(expected), allow_identity=True).hex() == expected
        total = ristretto.add(total, ristretto.base)


@pytest.mark.parametrize("reason", RFC9496["invalid"])
def test_invalid_encodings_are_refused(ristretto: Group, reason: str) -> None:
    for encoding in RFC9496["invalid"][reason]:
        with pytest.raises(Malformed):
            ristretto.decode(bytes.fromhex(encoding), allow_identity=True)


def test_one_way_map(ristretto: Group) -> None:
    for vector in RFC9496["one_way_map"]:
        assert one_way_map(ristretto, bytes.fromhex(vector["input"])).hex() == vector["output"]
    with pytest.raises(ValueError, match="64 bytes"):
        one_way_map(ristretto, bytes(32))


def test_hash_to_group_of_rfc_9497(ristretto: Group) -> None:
    """Expander and map together: a blinded element is blind * HashToGroup(input)."""
    separation = b"HashToGroup-OPRFV1-\x01-ristretto255-SHA512"
    for vector in RFC9497["vectors"]:
        for text, blind, blinded in zip(vector["input"], vector["blind"], vector["blinded"], strict=True):
            point = one_way_map(ristretto, expand_message(bytes.fromhex(text), separation, 64))
            k = decode_scalar(ristretto, bytes.fromhex(blind))
            assert ristretto.mul(k, point).hex() == blinded


@settings(max_examples=15, deadline=None)
@given(SCALARS, SCALARS, st.binary(min_size=64, max_size=64))
def test_both_implementations_agree(j: int, k: int, wide: bytes) -> None:
    fast = sodium.load_group()
    p, q = from_uniform(wide), fast.mul_base(k)
    assert one_way_map(fast, wide) == p
    assert PLAIN.mul_base(k) == q
    assert PLAIN.mul(j, p) == fast.mul(j, p)
    assert PLAIN.add(p, q) == fast.add(p, q)
    assert PLAIN.sub(p, q) == fast.sub(p, q)
    assert PLAIN.multi_mul([j, k, k], [p, q, p]) == fast.multi_mul([j, k, k], [p, q, p])
    assert PLAIN.sum([p, q, q]) == fast.sum([p, q, q])


def test_a_point_has_one_encoding(ristretto: Group) -> None:
    """libsodium 1.0.18 ignores the highest bit: without a check of our own a mask could be used twice."""
    field = 2**255 - 19
    for k in range(16):
        value = int.from_bytes(ristretto.mul_base(k), "little")
        for other in (value + 2**255, field - value, value + field):
            with pytest.raises(Malformed):
                ristretto.decode(other.to_bytes(32, "little"), allow_identity=True)


@settings(max_examples=50, deadline=None)
@given(st.binary(min_size=32, max_size=32), st.booleans())
def test_both_implementations_accept_the_same_bytes(data: bytes, positive: bool) -> None:
    if positive:
        data = bytes([data[0] & 0xFE, *data[1:31], data[31] & 0x7F])
    fast = sodium.load_group()
    answers = []
    for group in (fast, PLAIN):
        try:
            answers.append(group.decode(data, allow_identity=True))
        except Malformed:
            answers.append(b"refused")
    assert answers[0] == answers[1]


def test_labels_hash_to_the_same_points_everywhere() -> None:
    fast = sodium.load_group()
    assert generator(fast, 3) == generator(PLAIN, 3)
    assert attribute_point(fast, "d", "rank", "9") == attribute_point(PLAIN, "d", "rank", "9")


def test_long_sums_are_split_without_a_difference() -> None:
    fast = sodium.load_group()
    points = [generator(fast, i) for i in range(70)]
    scalars = [i * i * 2**200 + i for i in range(70)]
    assert fast.multi_mul(scalars, points) == PLAIN.multi_mul(scalars, points)


def test_zero_and_the_identity(group: Group) -> None:
    q, p = group.order, group.mul_base(5)
    for zero in (0, q, -q):
        assert group.mul(zero, p) == group.identity
        assert group.mul_base(zero) == group.identity
        assert group.multi_mul([zero], [p]) == group.identity
    assert group.mul(7, group.identity) == group.identity
    assert group.add(p, group.identity) == p
    assert group.sub(p, p) == group.identity
    assert group.sub(group.identity, p) == group.mul_base(-5)
    assert group.sum([]) == group.identity
    assert group.multi_mul([], []) == group.identity
    assert group.multi_mul([1, -1, 2], [p, p, group.identity]) == group.identity
    assert group.mul(q + 1, p) == p


def test_group_laws(group: Group) -> None:
    p, q = group.mul_base(11), generator(group, 1)
    assert group.add(p, q) == group.add(q, p) == group.sum([p, q])
    assert group.sub(group.add(p, q), q) == p
    assert group.mul(6, group.mul(7, q)) == group.mul(42, q)
    assert group.multi_mul([2, 3, 4], [p, q, p]) == group.add(group.mul(6, p), group.mul(3, q))
    with pytest.raises(ValueError, match="zip"):
        group.multi_mul([1, 2], [p])


def test_the_identity_is_decoded_only_where_allowed(group: Group) -> None:
    assert group.decode(group.identity, allow_identity=True) == group.identity
    with pytest.raises(Malformed, match="identity"):
        group.decode(group.identity)


def test_points_have_one_length(group: Group) -> None:
    for data in (b"", group.base[:-1], group.base + b"\0"):
        with pytest.raises(Malformed):
            group.decode(data)


def test_scalars_are_canonical(group: Group) -> None:
    for k in (0, 1, group.order - 1):
        assert decode_scalar(group, encode_scalar(k)) == k
    for data in (encode_scalar(group.order), b"\xff" * SCALAR_SIZE, b"\0" * 31, b"\0" * 33):
        with pytest.raises(Malformed):
            decode_scalar(group, data)


def test_points_with_unknown_logarithms_are_all_different(group: Group) -> None:
    points = [generator(group, i) for i in range(60)]
    points += [attribute_point(group, "d", "rank", str(i)) for i in range(13)]
    points += [attribute_point(group, "e", "rank", "0"), attribute_point(group, "d", "suit", "0")]
    assert len({*points, group.base, group.identity}) == len(points) + 2


def test_the_small_group_has_the_order_it_states() -> None:
    group = SmallGroup()
    q, p = group.order, 2 * group.order + 1
    assert q >= 2**61
    # Miller-Rabin with these bases decides every number below 3.3 * 10^24 (Sorenson, Webster 2015).
    for n in (q, p):
        odd, twos = n - 1, 0
        while odd % 2 == 0:
            odd, twos = odd // 2, twos + 1
        for a in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41):
            powers = [pow(a, odd * 2**i, n) for i in range(twos)]
            assert powers[0] == 1 or n - 1 in powers
    assert group.base != group.identity
    with pytest.raises(Malformed):
        group.decode((p - 4).to_bytes(8, "big"))  # -4 is no square, for p = 3 mod 4


def test_cards_are_decoded_exactly(group: Group) -> None:
    cards = tuple(
        tuple(
            trivial(group, generator(group, 2 * i + at))._replace(a=group.mul_base(i + at + 1))
            for at in range(2)
        )
        for i in range(3)
    )
    data = encode_cards(cards)
    assert decode_cards(group, data, 3, 2) == cards
    for count, attributes in ((2, 2), (3, 1), (6, 1)):
        if count * attributes != 6:
            with pytest.raises(Malformed):
                decode_cards(group, data, count, attributes)
    with pytest.raises(Malformed):
        decode_cards(group, data + b"\0", 3, 2)
    unmasked = encode_cards((tuple(trivial(group, c.b) for c in cards[0]),))
    with pytest.raises(Malformed, match="identity"):
        decode_cards(group, unmasked, 1, 2)
    emptied = encode_cards(((cards[0][0]._replace(b=group.identity),),))
    assert decode_cards(group, emptied, 1, 1)[0][0].b == group.identity


def test_a_library_that_computes_something_else_is_not_used() -> None:
    class Broken:
        def __getattr__(self, name: str) -> object:
            raise AttributeError(name)

        def __getitem__(self, name: str) -> object:
            raise AttributeError(name)

    with pytest.raises(sodium.Unusable):
        sodium.SodiumGroup(Broken())


def test_without_any_library_the_plain_implementation_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sodium, "_libraries", lambda: iter(()))
    backend = sodium.load_backend.__wrapped__()
    assert isinstance(backend.group, Ristretto255)
    assert "plain Python" in backend.source


def test_a_point_that_was_never_decoded_is_an_error() -> None:
    fast = sodium.load_group()
    if not isinstance(fast, sodium.SodiumGroup):
        pytest.skip("no libsodium can be loaded here")
    for attempt in (
        lambda: fast.add(b"\xff" * 32, fast.base),
        lambda: fast.sub(fast.base, b"\xff" * 32),
        lambda: fast.mul(2, b"\xff" * 32),
        lambda: fast.multi_mul([1, 2], [fast.base, b"\xff" * 32]),
        lambda: fast.sum([b"\xff" * 32]),
    ):
        with pytest.raises(RuntimeError):
            attempt()


def test_the_bundled_library_leaves_no_file(tmp_path: Path) -> None:
    """rbcl writes its library to a temporary file and leaves it there; the loader takes it away."""
    script = (
        "import ctypes\n"
        "from p2p.io import sodium\n"
        "group = sodium.SodiumGroup(sodium._bundled())\n"
        "assert group.mul_base(1) == group.base\n"
    )
    environment = os.environ | {"TMPDIR": str(tmp_path), "TEMP": str(tmp_path), "TMP": str(tmp_path)}
    root = Path(__file__).resolve().parents[3]
    subprocess.run([sys.executable, "-c", script], check=True, cwd=root, env=environment, timeout=60)
    assert list(tmp_path.iterdir()) == []
