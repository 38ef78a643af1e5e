"""Texts of events, actions, deeds and options read back."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import (
    Action,
    BadAction,
    BadOption,
    Event,
    action_text,
    deed_text,
    event_text,
    game,
    option_text,
    parse_deed,
    parse_event,
    parse_option,
    seat_letters,
)
from engine.table import Deed

INFO = game("go-fish").info
LABELS = ("Ann", "B", "give")
ROOT = Path(__file__).resolve().parents[2]

seats = st.integers(0, 2)
words = st.lists(st.sampled_from(["9", "9C", "T", "1"]), max_size=3).map(tuple)
verbs = st.sampled_from(INFO.verbs)


@given(verbs, st.integers(-1, 2), seats, words)
def test_events_read_back(verb: str, seat: int, target: int, said: tuple[str, ...]) -> None:
    event = Event(verb, seat, target if verb in INFO.targeted else -1, said)
    assert parse_event(event_text(event, LABELS), LABELS, INFO) == event


@given(verbs, seats, st.sampled_from(["", "9", "9C"]), st.lists(st.lists(st.integers(0, 99), min_size=1)))
def test_deeds_read_back(verb: str, target: int, value: str, groups: list[list[int]]) -> None:
    deed = Deed(verb, target if verb in INFO.targeted else -1, value, tuple(map(tuple, groups)))
    assert parse_deed(deed_text(deed, LABELS), LABELS, INFO) == deed


def test_texts_are_as_documented() -> None:
    assert event_text(Event("ask", 0, 2, ("9",)), ("A", "B", "C")) == "A: ask C 9"
    assert event_text(Event("over", words=("hand-empty",)), ()) == "over hand-empty"
    assert action_text(Action("ask", 2, "9D"), ("A", "B", "C")) == "ask C 9D"
    assert action_text(Action("give", cards=("9C", "9S")), ()) == "give 9C 9S"
    assert deed_text(Deed("lay", groups=((0, 1), (3, 4))), ()) == "lay #0,1 #3,4"
    assert seat_letters(3) == ("A", "B", "C")


@pytest.mark.parametrize(
    "text", ["", "fly", "Z: draw", "Ann: ask", "Ann: ask Z 9", "asking B", "give #x", "ask B 9 9"]
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(BadAction, match=r"\.$"):
        parse_event(text, LABELS, INFO) if ":" in text or not text else parse_deed(text, LABELS, INFO)


@given(st.from_regex(r"[a-z_]{1,10}", fullmatch=True), st.from_regex(r"[a-z0-9]{1,5}", fullmatch=True))
def test_options_read_back(name: str, value: str) -> None:
    assert parse_option(option_text(name, value)) == (name, value)


@pytest.mark.parametrize("text", ["", "x", "=", "x=", "=y", " = "])
def test_an_option_needs_a_name_and_a_value(text: str) -> None:
    with pytest.raises(BadOption, match="name=value"):
        parse_option(text)


def code_of_the_rules() -> str:
    games = ROOT / "engine" / "games"
    files = [ROOT / "engine" / "match.py", games / "asking.py", *sorted(games.glob("go_fish*.py"))]
    return "".join(file.read_text("utf-8") for file in files)


def test_the_documented_ids_are_those_of_the_code() -> None:
    """docs/scenarios.md is normative: its tables and the code name the same events, reasons and ends."""
    document = (ROOT / "docs" / "scenarios.md").read_text("utf-8")
    document = document[document.index("## Events") : document.index("## One Fish")]
    events, ends, *reasons = re.findall(r"\n\|[-|]+\|\n((?:\|.*\n)+)", document)
    listed = {re.split(r"[`,]", line)[1] for line in events.splitlines()}
    verbs = {re.sub(r"^[A-C]: ", "", text) for text in listed}
    known = {
        verb for verb in INFO.verbs if any(text == verb or text.startswith(verb + " ") for text in verbs)
    }
    assert known == set(INFO.verbs) - {"lay"}  # a decision, never an event
    code = code_of_the_rules()
    assert set(re.findall(r"`([\w-]+)`", ends)) == set(re.findall(r'_end\(s, "([\w-]+)"', code))
    ids = {line.split("`")[1] for table in reasons for line in table.splitlines()}
    assert ids == {a or b for a, b in re.findall(r'Reason\("([\w-]+)"|"(must-\w+)"', code)}
