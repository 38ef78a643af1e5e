"""Messages: English texts that remember how they were made."""

from __future__ import annotations

import pickle

import pytest

from engine.contract import BadAction, BadOption
from engine.games.seats import seat_named
from engine.message import Message, either, message_of, printable, quoted
from engine.options import parse_option


def test_a_message_is_its_english_text() -> None:
    message = Message("{name} has {n} cards.", name="Ann", n=2)
    assert message == "Ann has 2 cards."
    assert isinstance(message, str)
    assert (message.template, dict(message.fields)) == ("{name} has {n} cards.", {"name": "Ann", "n": 2})
    assert f"{message}!" == "Ann has 2 cards.!"
    assert {message: 1}["Ann has 2 cards."] == 1


def test_a_field_may_be_a_message_and_hold_any_text() -> None:
    inner = Message("a number from {low} to {high}", low=1, high=3)
    outer = Message("{name} can be {values}, not {text}.", name="n", values=inner, text="{low}")
    assert outer == "n can be a number from 1 to 3, not {low}."
    assert outer.fields["values"] is inner


def test_without_fields_braces_stand_for_themselves() -> None:
    assert Message('{"a": 1} is no option.') == '{"a": 1} is no option.'


def test_a_missing_field_is_a_mistake_of_the_program() -> None:
    with pytest.raises(KeyError):
        Message("{name} has {n} cards.", name="Ann")


def test_messages_travel_between_processes() -> None:
    message = Message("{a}: {b}", a=Message("one"), b=2)
    copy = pickle.loads(pickle.dumps(message))
    assert copy == message
    assert copy.template == message.template
    assert copy.fields["a"].template == "one"


def test_an_error_gives_its_message_back() -> None:
    with pytest.raises(BadOption) as caught:
        parse_option("deck")
    assert str(caught.value) == 'An option is written name=value, not "deck".'
    found = message_of(caught.value)
    assert isinstance(found, Message)
    assert found.fields == {"text": '"deck"'}
    assert message_of(ValueError("plain")) == "plain"
    assert message_of(ValueError()) == ""


@pytest.mark.parametrize(
    ("words", "text"), [([], ""), (["a"], "a"), (["a", "b"], "a or b"), (["a", "b", "c"], "a, b or c")]
)
def test_alternatives(words: list[str], text: str) -> None:
    assert either(words) == text


def test_a_text_from_outside_is_repeated_short_and_without_what_controls_a_terminal() -> None:
    assert printable("nine") == "nine"
    assert printable("n" * 20, 20) == "n" * 20
    assert printable("n" * 21, 20) == "n" * 20 + "…"
    assert printable("a\x1b[2Jb\u202e", 30) == "a [2Jb "
    assert quoted("\r\n") == '"  "'
    with pytest.raises(BadAction, match=r"^There is no player  \[2J here; there are A, B\.$"):
        seat_named("\x1b[2J", ("A", "B"))
