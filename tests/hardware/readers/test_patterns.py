"""Patterns of one's own: they mean what Python's `re` means, and no pattern and no line takes long."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.readers import BadPattern, Seen, TextReader
from hardware.readers.patterns import MOST_STEPS, Pattern, Unusable
from hardware.uids import Uid

ONE = st.sampled_from(
    [
        "a",
        "b",
        "1",
        ".",
        r"\d",
        r"\w",
        r"\S",
        r"\D",
        "[ab]",
        "[^b]",
        "[a-c1-3]",
        r"[\d_-]",
        r"\.",
        r"\-",
        "é",
        "]",
    ]
)
PLACE = st.sampled_from(["^", "$", r"\b", r"\B", r"\A", r"\Z"])
QUANTIFIER = st.sampled_from(["", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,3}", "{,2}", "{2,}", "{1,2}?"])
# What is repeated takes a character each time: engines differ in the groups of empty rounds.
REPEATED = st.builds("{}{}".format, ONE, QUANTIFIER)


def wider(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    solid = st.builds("{}(?:{})".format, ONE, inner)  # in a group: a choice inside ends where it ends
    return st.one_of(
        st.builds("(?:{}){}".format, solid, QUANTIFIER),
        st.builds("(?:{}|{})".format, inner, inner),
        st.builds("{}{}".format, inner, inner),
        st.builds("{}{}".format, inner, PLACE),
        st.builds("{}|{}".format, inner, inner),
    )


BODY = st.recursive(REPEATED, wider, max_leaves=6)
# No line is empty, and what \B means in an empty text differs between versions of Python.
LINES = st.text("abc1_ .-Aé", min_size=1, max_size=12)


@given(BODY, BODY, BODY, LINES)
def test_a_pattern_means_what_it_means_in_python(one: str, uid: str, other: str, line: str) -> None:
    pattern = f"(?:{one})(?P<uid>{uid})(?:{other})"
    match = re.search(pattern, line)
    assert Pattern(pattern).search(line) == (None if match is None else match.groupdict())


@given(BODY, LINES)
def test_capitals_do_not_matter_where_that_is_wished(body: str, line: str) -> None:
    pattern = f"(?i)(?P<uid>{body})"
    match = re.search(pattern, line)
    assert Pattern(pattern).search(line) == (None if match is None else match.groupdict())


@pytest.mark.parametrize(
    ("pattern", "line", "groups"),
    [
        (r"(?P<uid>[0-9A-F]{8,20})", "id=45C52583;", {"uid": "45C52583"}),
        (
            r"pad(?P<antenna>\d) (?P<gone>-)?<(?P<uid>[0-9a-f]+)>",
            "pad3 -<45c52583>",
            {"antenna": "3", "gone": "-", "uid": "45c52583"},
        ),
        (
            r"pad(?P<antenna>\d) (?P<gone>-)?<(?P<uid>[0-9a-f]+)>",
            "pad3 <45c52583>",
            {"antenna": "3", "gone": None, "uid": "45c52583"},
        ),
        (r"^\s*TAG:\s*(?P<uid>(?:[0-9A-F]{2}[ :]?)+)$", "  TAG: 45:C5:25:83", {"uid": "45:C5:25:83"}),
        (r"{(?P<uid>\w+)}", "{45C52583}", {"uid": "45C52583"}),
        (r"(?P<uid>\d+) left", "12 came", None),
    ],
)
def test_patterns_that_people_write(pattern: str, line: str, groups: dict[str, str | None] | None) -> None:
    assert Pattern(pattern).search(line) == groups


CATASTROPHIC = [
    r"(?P<uid>(?:a+)+)$",
    r"(?P<uid>(?:a|a)*)b",
    r"(?P<uid>(?:a|aa)+)$",
    r"(?P<uid>(?:.*)(?:.*)(?:.*)(?:.*)(?:.*)(?:.*))b",
    r"(?P<uid>(?:\w*)*)!",
    r"(?P<uid>(?:(?:a{0,5}){0,5}){0,5})b",
    r"(?P<uid>a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*)c",
    r"(?P<uid>(?:.{0,200}a){3})b",
]


@pytest.mark.parametrize("pattern", CATASTROPHIC)
def test_a_pattern_that_would_hang_does_not(pattern: str) -> None:
    """With `re` most of these take longer than the universe is old; that this ends is what is tested."""
    assert Pattern(pattern).search("a" * 255 + "x") is None


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("(?P<uid>a", "a closing parenthesis is missing"),
        ("(?P<uid>a))", "a closing parenthesis too many"),
        ("(?P<uid>[ab)", "a closing bracket is missing"),
        ("(?P<uid>*)", "nothing to repeat"),
        ("{2}(?P<uid>a)", "nothing to repeat"),
        ("^*(?P<uid>a)", "nothing to repeat"),
        ("(?P<uid>a**)", "one quantifier behind another"),
        ("(?P<uid>a++)", "one quantifier behind another"),
        ("(?P<uid>a{2}{3})", "one quantifier behind another"),
        ("(?P<uid>a{3,2})", "second number is the smaller"),
        ("(?P<uid>a{999})", "a quantifier of more than 256"),
        ("(?P<uid>(?:a{200}){200})", "too large"),
        ("(?P<uid>[z-a])", "ends before it begins"),
        (r"(?P<uid>a)\1", r"\1 is not possible here"),
        (r"(?P<uid>\q)", r"\q is not possible here"),
        ("(?P<uid>a)(?P=uid)", "looking around, referring back"),
        ("(?=x)(?P<uid>a)", "looking around, referring back"),
        ("(?>x)(?P<uid>a)", "looking around, referring back"),
        ("(?P<uid>a)(?P<uid>b)", "two groups are called uid"),
        ("(?P<uid>a\\", "it ends too early"),
        ("(?P<uid>" + "a" * 400 + ")", "longer than 400 characters"),
    ],
)
def test_what_cannot_be_used_is_told_why(pattern: str, why: str) -> None:
    with pytest.raises(BadPattern) as caught:
        TextReader(pattern=pattern)
    assert str(caught.value).startswith("The pattern cannot be used: ")
    assert why in str(caught.value)


@given(st.text("ab(|)*+?{},12[]^$\\d.P<uid>:-", max_size=40))
def test_any_text_is_a_pattern_or_is_refused(text: str) -> None:
    try:
        pattern = Pattern(text)
    except Unusable:
        return
    pattern.search("ab12" * 5)


def test_deep_nesting_is_no_crash() -> None:
    assert Pattern("(?:" * 99 + "a" + ")" * 99).search("xa") == {}
    with pytest.raises(Unusable):
        Pattern("(" * 400)
    assert MOST_STEPS > 1000


def test_the_reader_uses_it() -> None:
    reader = TextReader(pattern=r"(?P<uid>(?:[0-9A-F]+)+)!")
    reader.start(0.0)
    reader.feed(b"\r\n", 0.5)
    assert reader.feed(b"A" * 250 + b"?\r\n", 1.0) == []
    assert reader.feed(b"45C52583!\r\n", 2.0) == [Seen(Uid(bytes.fromhex("45C52583")))]
