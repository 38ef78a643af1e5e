"""Names as people give them, and who is known."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.link import BadName, ChangedKey, Known, KnownPlayer, Stranger, clean_name, is_same_name, judge

ADA = KnownPlayer("Ada", b"a" * 32, 1_700_000_000, verified=True)
BEN = KnownPlayer("Ben", b"b" * 32, 1_700_000_001)


def test_a_known_key_is_known_whatever_it_calls_itself() -> None:
    assert judge([ADA, BEN], "Ada", ADA.public) == Known(ADA)
    assert judge([ADA, BEN], "Ben", ADA.public) == Known(ADA)


def test_a_new_key_under_a_known_name_is_a_changed_key() -> None:
    for name in ("Ada", "ADA", "ada", "Ａda"):
        assert judge([BEN, ADA], name, b"x" * 32) == ChangedKey(ADA, b"x" * 32)


def test_a_new_key_under_a_new_name_is_a_stranger() -> None:
    assert judge([ADA, BEN], "Cleo", b"c" * 32) == Stranger("Cleo")
    assert judge([], "Ada", ADA.public) == Stranger("Ada")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ada", "Ada"),
        ("  Ada Lovelace ", "Ada Lovelace"),
        ("Zoe\u0308", "Zo\u00eb"),
        ("李白", "李白"),
        ("x" * 32, "x" * 32),
        ("🐟 Fisher", "🐟 Fisher"),
        ("O'Neil-3", "O'Neil-3"),
    ],
)
def test_a_name_is_brought_into_its_normal_form(text: str, name: str) -> None:
    assert clean_name(text) == name


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("x" * 33, "too long"),
        ("🐟" * 33, "too long"),
        ("e" + "\u0323\u0302" * 40, "too long"),
        ("Ada\n", "control characters"),
        ("\x1b[31mAda", "control characters"),
        ("A\x00da", "control characters"),
        ("A\u202eda", "invisible characters"),
        ("A\u200bda", "invisible characters"),
        ("A\u200dda", "invisible characters"),
        ("A\ufeffda", "invisible characters"),
        ("A\u2066da", "invisible characters"),
        ("A\u00a0da", "invisible characters"),
        ("A\u2028da", "invisible characters"),
        ("A\u3164da", "invisible characters"),
        ("A\ufe0fda", "invisible characters"),
        ("A\U000e0100da", "invisible characters"),
        ("A\ud800da", "invisible characters"),
        ("A\ue000da", "invisible characters"),
        ("A  da", "several spaces"),
        ("\u0308Ada", "accent"),
    ],
)
def test_what_is_no_name_is_refused_with_the_reason(text: str, problem: str) -> None:
    with pytest.raises(BadName, match=problem):
        clean_name(text)


@given(st.text(max_size=40))
def test_a_cleaned_name_is_clean(text: str) -> None:
    try:
        name = clean_name(text)
    except BadName:
        return
    assert clean_name(name) == name == unicodedata.normalize("NFC", name) == name.strip()
    assert name.isprintable()
    assert len(name.encode()) <= 128


@given(st.text(max_size=10))
def test_a_name_is_the_same_as_itself_in_other_case(text: str) -> None:
    assert is_same_name(text, text)
    assert is_same_name(text.casefold(), text.casefold().casefold())
