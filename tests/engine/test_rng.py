"""The stream of chance: fixed values, and no bias."""

import hashlib
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rng import BLOCK, Stream


def test_the_stream_is_shake_256_over_seed_and_labels() -> None:
    text = b"".join(len(part).to_bytes(8, "big") + part for part in (b"shoal stream", b"7", b"3"))
    key = hashlib.shake_256(text).digest(32)
    blocks = b"".join(hashlib.shake_256(key + n.to_bytes(8, "big")).digest(BLOCK) for n in range(3))
    stream = Stream(7, 3)
    assert stream.bytes(10) + stream.bytes(BLOCK) + stream.bytes(BLOCK) == blocks[: 2 * BLOCK + 10]


def test_fixed_values() -> None:
    stream = Stream("golden")
    cards = list(range(12))
    stream.shuffle(cards)
    assert (cards, [stream.below(1000) for _ in range(4)]) == (
        [10, 9, 2, 11, 8, 0, 6, 4, 7, 1, 5, 3],
        [80, 719, 606, 37],
    )


@given(st.integers(1, 2**70), st.integers())
def test_numbers_are_in_range(n: int, seed: int) -> None:
    assert 0 <= Stream(seed).below(n) < n


def test_numbers_are_uniform() -> None:
    stream = Stream(1)
    counts = Counter(stream.below(52) for _ in range(52_000))
    chi = sum((counts[n] - 1000) ** 2 / 1000 for n in range(52))
    assert chi < 90  # 51 degrees of freedom: exceeded by chance in 0.06 % of seeds, and the seed is fixed


def test_permutations_are_uniform() -> None:
    stream = Stream(2)
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(12_000):
        items = [0, 1, 2, 3]
        stream.shuffle(items)
        counts[tuple(items)] += 1
    assert len(counts) == 24
    assert sum((count - 500) ** 2 / 500 for count in counts.values()) < 50


def test_labels_and_seeds_make_other_streams() -> None:
    streams = [
        Stream(1),
        Stream(1, 0),
        Stream(1, "0", ""),
        Stream(10),
        Stream(1, 1),
        Stream(b"x"),
        Stream("x1"),
    ]
    assert len({stream.bytes(16) for stream in streams}) == len(streams)


def test_there_is_no_number_below_one() -> None:
    assert Stream(1).below(1) == 0
    for n in (0, -1):
        with pytest.raises(ValueError, match="no number below"):
            Stream(1).below(n)
