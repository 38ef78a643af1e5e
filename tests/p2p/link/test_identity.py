"""Keys: which are admitted, what a signature is worth, and that secrets stay inside."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from p2p.identity import BadPublicKey, Identity, check_public, fingerprint, keys, verify

SEEDS = st.binary(min_size=32, max_size=32)

# The encodings of the eight points of small order, canonical and not, as listed by Chalkias, Garillot and
# Nikolaenko, "Taming the many EdDSAs" (2020), table 1.
SMALL_ORDER = [
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "0100000000000000000000000000000000000000000000000000000000000080",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
]


def encode(point: tuple[int, int, int, int]) -> bytes:
    inverse = pow(point[2], -1, keys._P)
    x, y = point[0] * inverse % keys._P, point[1] * inverse % keys._P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def is_refused(public: bytes) -> bool:
    try:
        check_public(public)
    except BadPublicKey:
        return True
    return False


@given(SEEDS)
def test_every_key_that_a_seed_gives_is_admitted(seed: bytes) -> None:
    check_public(Identity(seed).public)


@pytest.mark.parametrize("text", SMALL_ORDER)
def test_a_key_of_small_order_is_refused(text: str) -> None:
    assert is_refused(bytes.fromhex(text))


def test_the_list_of_small_orders_holds_every_point_of_the_torsion() -> None:
    point = keys._decode(bytes.fromhex(SMALL_ORDER[4]))
    assert point is not None
    seen, multiple = set(), point
    while encode(multiple) not in seen:
        seen.add(encode(multiple))
        multiple = keys._add(multiple, point)
    assert len(seen) == 8
    assert {each.hex() for each in seen} <= set(SMALL_ORDER)


def test_why_small_orders_are_refused() -> None:
    """OpenSSL accepts the key 1 and this one signature for any message; our verification does not."""
    public, signature = bytes.fromhex(SMALL_ORDER[0]), bytes.fromhex(SMALL_ORDER[0]) + bytes(32)
    for message in (b"I owe you a nine", b"I owe you nothing"):
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
        assert not verify(public, "entry", message, signature)


def test_a_key_with_a_part_of_small_order_is_refused() -> None:
    honest, small = keys._decode(Identity(bytes(32)).public), keys._decode(bytes.fromhex(SMALL_ORDER[4]))
    assert honest is not None
    assert small is not None
    mixed = encode(keys._add(honest, small))
    assert keys._decode(mixed) is not None
    assert is_refused(mixed)


@pytest.mark.parametrize("public", [b"", bytes(31), bytes([2]) + bytes(31), bytes(33), b"\xff" * 32])
def test_what_is_no_point_is_refused(public: bytes) -> None:
    assert is_refused(public)
    assert not verify(public, "entry", b"", bytes(64))


@given(SEEDS, st.binary(max_size=100))
def test_a_signature_holds_for_its_key_purpose_and_data_alone(seed: bytes, data: bytes) -> None:
    identity = Identity(seed)
    signature = identity.sign("entry", data)
    assert verify(identity.public, "entry", data, signature)
    assert not verify(identity.public, "entr", data, signature)
    assert not verify(identity.public, "entry", data + b"\x00", signature)
    assert not verify(Identity(bytes(31) + b"\x01").public, "entry", data, signature)
    assert not verify(identity.public, "entry", data, signature[:-1])
    assert not verify(identity.public, "entry", data, signature + b"\x00")


def test_label_and_data_cannot_be_shifted_into_each_other() -> None:
    identity = Identity(bytes(32))
    assert not verify(identity.public, "a", b"bc", identity.sign("ab", b"c"))


def test_the_signed_bytes_are_those_of_the_specification() -> None:
    identity = Identity(bytes(range(32)))
    label = b"shoal/1/sig/entry"
    signed = len(label).to_bytes(8, "big") + label + b"data"
    Ed25519PublicKey.from_public_bytes(identity.public).verify(identity.sign("entry", b"data"), signed)


def test_the_vector_of_rfc_8032() -> None:
    """Section 7.1, test 1."""
    seed = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
    public = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    assert Identity(seed).public.hex() == public


def test_a_seed_has_32_bytes() -> None:
    with pytest.raises(ValueError, match="32 bytes of entropy, not 31"):
        Identity(bytes(31))


def test_what_is_shown_of_an_identity_is_its_fingerprint() -> None:
    seed = bytes(range(32))
    shown = repr(Identity(seed)) + str(Identity(seed))
    assert " ".join(fingerprint(Identity(seed).public)) in shown
    assert seed.hex() not in shown
    assert repr(seed) not in shown


def test_fingerprints_have_six_words_and_differ() -> None:
    first, second = fingerprint(Identity(bytes(32)).public), fingerprint(Identity(b"\x01" * 32).public)
    assert len(first) == len(second) == 6
    assert first != second
