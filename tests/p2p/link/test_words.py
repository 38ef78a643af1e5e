"""The two lists, and words as bytes."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.identity.words import LONG, SHORT
from p2p.link.words import parse_words, words

ALL = [*SHORT, *LONG]


def distance(one: str, other: str) -> int:
    """Insertions, deletions and exchanges between two words (Levenshtein)."""
    row = list(range(len(other) + 1))
    for number, letter in enumerate(one, 1):
        above, row = row, [number]
        for place, letter2 in enumerate(other, 1):
            row.append(min(row[-1] + 1, above[place] + 1, above[place - 1] + (letter != letter2)))
    return row[-1]


def test_there_are_two_lists_of_256_words() -> None:
    assert (len(SHORT), len(LONG)) == (256, 256)
    assert len(set(ALL)) == 512
    assert all(word.isascii() and word.isalpha() and word.islower() for word in ALL)


def test_the_specification_lists_the_same_words() -> None:
    document = (Path(__file__).parents[3] / "docs" / "protocol_links.md").read_text("utf-8")
    blocks = [block.split() for block in re.findall(r"^```\n(.*?)^```", document, re.MULTILINE | re.DOTALL)]
    assert blocks == [SHORT, LONG]


def test_short_and_long_words_take_turns() -> None:
    assert {len(word) for word in SHORT} == {3, 4, 5}
    assert {len(word) for word in LONG} == {6, 7, 8}


def test_three_letters_tell_a_word() -> None:
    assert len({word[:3] for word in ALL}) == 512


def test_no_two_words_of_one_list_differ_by_one_letter() -> None:
    for each in (SHORT, LONG):
        close = [
            (a, b)
            for i, a in enumerate(each)
            for b in each[:i]
            if abs(len(a) - len(b)) < 2 and distance(a, b) < 2
        ]
        assert close == []


@given(st.binary(max_size=12))
def test_words_give_the_bytes_back(data: bytes) -> None:
    shown = words(data, len(data))
    assert parse_words(" ".join(shown)) == data
    assert parse_words("-".join(word[:3].upper() for word in shown)) == data


def test_a_word_left_out_is_noticed() -> None:
    first, _, *rest = words(b"\x01\x02\x03\x04")
    with pytest.raises(ValueError, match=f"'{rest[0]}' is not a word for place 2"):
        parse_words(" ".join([first, *rest]))


@pytest.mark.parametrize("typed", ["ac", "acornx", "zzz", "accord", "acrobat"])
def test_what_is_no_word_of_its_place_is_named(typed: str) -> None:
    with pytest.raises(ValueError, match=f"'{typed}'"):
        parse_words(typed)


def test_too_few_bytes_give_no_words() -> None:
    with pytest.raises(ValueError, match="4 words need 4 bytes, not 3"):
        words(b"abc")
