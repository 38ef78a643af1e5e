"""Framing, streams and what is drawn from them."""

from __future__ import annotations

import hashlib
import itertools
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.sealed import Xof, check_commitment, commit, digest
from p2p.sealed.hashing import challenge, challenges, expand_message, framed, integer

PARTS = st.lists(st.binary(max_size=12), max_size=5)


def chi_square(counts: Counter[Any], cells: int) -> float:
    expected = sum(counts.values()) / cells
    return sum((n - expected) ** 2 / expected for n in counts.values()) + (cells - len(counts)) * expected


@given(PARTS, PARTS)
def test_framing_is_unambiguous(left: list[bytes], right: list[bytes]) -> None:
    assert (framed(*left) == framed(*right)) == (left == right)


def test_digest_in_bytes() -> None:
    data = bytes([0] * 7 + [8]) + b"shoal/1/" + bytes([0] * 7 + [2]) + b"ab" + bytes(8)
    assert digest("", b"ab", b"") == hashlib.sha256(data).digest()
    assert digest("x", b"a", b"b") != digest("x", b"ab", b"") != digest("xa", b"b", b"")


def test_challenges_share_their_prefix() -> None:
    assert challenges(101, "label", 3, b"a", b"b") == [
        challenge(101, "label", b"a", b"b", integer(i)) for i in (1, 2, 3)
    ]


def test_expand_message_of_rfc_9380() -> None:
    """RFC 9380, appendix K.3 (expand_message_xmd with SHA-512)."""
    tag = b"QUUX-V01-CS02-with-expander-SHA512-256"
    assert (
        expand_message(b"", tag, 32).hex()
        == "6b9a7312411d92f921c6f68ca0b6380730a1a4d982c507211a90964c394179ba"
    )
    assert (
        expand_message(b"abc", tag, 32).hex()
        == "0da749f12fbe5483eb066a5f595055679b976e93abe9be6f0f6318bce7aca8dc"
    )
    assert expand_message(b"", tag, 128).hex() == (
        "41b037d1734a5f8df225dd8c7de38f851efdb45c372887be655212d07251b921b052b62eaed99b46f72f2ef4cc96bfaf"
        "254ebbbec091e1a3b9e4fb5e5b619d2e0c5414800a1d882b62bb5cd1778f098b8eb6cb399d5d9d18f5d5842cf5d13d7e"
        "b00a7cff859b605da678b318bd0e65ebff70bec88c753b159a805d2c89c55961"
    )
    for tag_, length in ((b"", 32), (b"x" * 256, 32), (b"x", 255 * 64 + 1)):
        with pytest.raises(ValueError, match="expand_message"):
            expand_message(b"", tag_, length)


@given(st.lists(st.integers(min_value=0, max_value=3000), max_size=8))
def test_a_stream_does_not_depend_on_how_it_is_read(sizes: list[int]) -> None:
    stream = Xof("label", b"seed")
    whole = hashlib.shake_256(framed(b"shoal/1/label", b"seed")).digest(sum(sizes))
    assert b"".join(stream.read(n) for n in sizes) == whole


def test_a_scalar_is_never_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = iter([bytes(64), (7 * 10**9).to_bytes(64, "little"), (5).to_bytes(64, "little")])
    monkeypatch.setattr(Xof, "read", lambda self, count: next(blocks))
    assert Xof("x").scalar(7) == 5


def test_below_refuses_the_biased_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    limit = 2**64 - 2**64 % 6
    blocks = iter(
        [limit.to_bytes(8, "little"), (2**64 - 1).to_bytes(8, "little"), (10).to_bytes(8, "little")]
    )
    monkeypatch.setattr(Xof, "read", lambda self, count: next(blocks))
    assert Xof("x").below(6) == 4


@pytest.mark.parametrize("bound", [0, -1, 2**64 + 1])
def test_below_has_bounds(bound: int) -> None:
    with pytest.raises(ValueError, match="between 1 and"):
        Xof("x").below(bound)


@given(st.integers(min_value=0, max_value=60), st.binary(max_size=4))
def test_a_permutation_is_one(count: int, seed: bytes) -> None:
    order = Xof("p", seed).permutation(count)
    assert sorted(order) == list(range(count))
    assert order == Xof("p", seed).permutation(count)


def test_permutations_are_uniform() -> None:
    """Chi-square over the 24 orders of four cards; chance exceeds 49.7 once in a thousand (23 degrees)."""
    stream = Xof("uniform")
    counts = Counter(stream.permutation(4) for _ in range(4800))
    assert chi_square(counts, 24) < 49.7


def test_every_card_reaches_every_place_alike() -> None:
    """Chi-square over the 7 x 7 cells of card and place, one row of places at a time (6 degrees: 22.5)."""
    stream = Xof("places")
    cells = [Counter[Any]() for _ in range(7)]
    for _ in range(2100):
        for place, card in enumerate(stream.permutation(7)):
            cells[place][card] += 1
    assert max(chi_square(row, 7) for row in cells) < 22.5


def test_the_measure_finds_a_biased_shuffle() -> None:
    """Swapping every place with any other is the classic mistake: 24 does not divide 4^4 cases."""
    counts: Counter[Any] = Counter()
    for swaps in itertools.product(range(4), repeat=4):
        order = list(range(4))
        for i, j in enumerate(swaps):
            order[i], order[j] = order[j], order[i]
        counts[tuple(order)] += 4800 // 256
    assert chi_square(counts, 24) > 49.7


def test_commitments_are_bound_to_their_place() -> None:
    place = (b"t" * 32, 1, "coin", b"value", b"salt")
    commitment = commit(*place)
    assert check_commitment(*place, commitment)
    for other in (
        (b"u" * 32, 1, "coin", b"value", b"salt"),
        (b"t" * 32, 2, "coin", b"value", b"salt"),
        (b"t" * 32, 1, "seed", b"value", b"salt"),
        (b"t" * 32, 1, "coin", b"valu", b"salt"),
        (b"t" * 32, 1, "coin", b"value", b"sal"),
        (b"t" * 32, 1, "coin", b"valuesalt", b""),
    ):
        assert not check_commitment(*other, commitment)
