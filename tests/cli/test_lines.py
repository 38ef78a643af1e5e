"""What a player types."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.boards import board_of
from cli.lines import COMMANDS, Ask, NotUnderstood, find_seat, read_line
from cli.text import Glyphs
from engine.contract import Action, View
from engine.match import Position
from engine.open import Open
from engine.registry import game
from engine.rng import Stream
from engine.table import Choose

RULES = game("go-fish")
NAMES = ("Ann", "Ben", "Bea Lee", "10 Cy")


def asked(options: dict[str, str] | None = None) -> tuple[View, tuple[Action, ...]]:
    """A view whose seat is asked for its first move, and its legal actions."""
    position = Position.start(RULES, options or {}, len(NAMES))
    dealer = Open(position, Stream(3))
    while not isinstance(position.pending, Choose):
        position, _ = position.feed(dealer.resolve(position, lambda *_: pytest.fail("nothing to decide")))
    (seat,) = position.pending.seats
    hand = dealer.hand(position.table, seat)
    return position.view(seat, hand), position.choices(seat, hand)


VIEW, ACTIONS = asked()
CARD_VIEW, CARD_ACTIONS = asked({"ask_mode": "card"})
ME = VIEW.seat
GAME = board_of(RULES, NAMES, ME, Glyphs())
OTHERS = [seat for seat in range(len(NAMES)) if seat != ME]


def read(line: str, actions: tuple[Action, ...] = ACTIONS) -> object:
    return read_line(line, GAME, VIEW, actions)


def test_every_legal_action_is_read_back() -> None:
    for action in ACTIONS:
        assert read(f"ask {NAMES[action.target]} {action.value}") == action
        assert read(f"ASK {NAMES[action.target].lower()} for {action.value}") == action
        assert read(f"ask {action.target + 1} {action.value}") == action
    for action in CARD_ACTIONS:
        line = f"ask {NAMES[action.target]} {action.value.lower()}"
        assert read_line(line, GAME, CARD_VIEW, CARD_ACTIONS) == action


@pytest.mark.parametrize(
    ("text", "rank"),
    [
        ("ben 9", "9"), ("ben for nines", "9"), ("Ben for any nine", "9"), ("ben for your sixes", "6"),
        ("ben 10", "T"), ("ben tens", "T"), ("ben q", "Q"), ("ben queens", "Q"), ("ben, aces", "A"),
    ],
)  # fmt: skip
def test_ranks_as_people_say_them(text: str, rank: str) -> None:
    assert read(f"ask {text}") == Action("ask", 1, rank)


def test_pasted_suits() -> None:
    line = "ask ben 9♠\ufe0f"
    assert read_line(line, GAME, CARD_VIEW, CARD_ACTIONS) == Action("ask", 1, "9S")


@pytest.mark.parametrize(
    ("words", "card"),
    [
        ("2 of clubs", "2C"), ("the two of hearts", "2H"), ("king of clubs", "KC"), ("k clubs", "KC"),
        ("9 s", "9S"), ("10h", "TH"), ("10 of hearts", "TH"),
    ],
)  # fmt: skip
def test_cards_as_people_say_them(words: str, card: str) -> None:
    line = f"ask ben for {words}"
    assert read_line(line, GAME, CARD_VIEW, CARD_ACTIONS) == Action("ask", 1, card)


def test_a_rank_is_no_card() -> None:
    with pytest.raises(NotUnderstood, match=r'"kings" is no card .* For example: ask .* [0-9JQKA]+[CDHS]$'):
        read_line("ask ben kings", GAME, CARD_VIEW, CARD_ACTIONS)


@pytest.mark.parametrize(
    ("text", "seat"),
    [
        ("ann", 0), ("A", 0), ("ben", 1), ("Bea", 2), ("bea lee", 2), ("be", None), ("2", 1), ("4", 3),
        ("10 cy", 3),
        ("5", None), ("0", None), ("", None), ("x", None), ("10", 3),
    ],
)  # fmt: skip
def test_seats(text: str, seat: int | None) -> None:
    assert find_seat(text, NAMES) == seat


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "chat"])
def test_commands(name: str) -> None:
    assert read(name) == Ask(name)
    assert read(f"  {name.upper()} ") == Ask(name)


@pytest.mark.parametrize("line", ["chat hello  there", '"hello  there', '"hello  there"', "say hello  there"])
def test_chat(line: str) -> None:
    assert read(line) == Ask("chat", "hello  there")


def test_an_empty_line_means_nothing() -> None:
    assert read("   ") is None


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("ask", "Whom, and for what? For example: ask "),
        ("ask ben", "For what? For example: ask "),
        ("ask be 9", "be could be Ben or Bea Lee; type one more letter."),
        ("ask zoe 9", "There is no player zoe here; you can ask "),
        ("ask ben zebras", "For example: ask "),
        ("ask ben 9 9", "Did you mean: ask Ben 9"),
        ("ben fives", "Did you mean: ask Ben 5"),
        ("a ben 8", "Did you mean: ask Ben 8"),
        ("ask 5 ben", "Did you mean: ask Ben 5"),
        ("ask tens", "Whom, Ann, Ben or 10 Cy? For example: ask Ann 10"),
        ("ask bea 9", "You cannot ask yourself"),
        ("ask me 9", "You cannot ask yourself"),
        ("ask ben zebras", "there are 2 3 4 5 6 7 8 9 10 J Q K A."),
        ("hnad", "did you mean hand?"),
        ("xyzzy", "is no command. Type ask "),
        ("chat", "chat TEXT"),
        ("chat " + "x" * 501, "at most 500 characters"),
        ("give 9C", "you can type: ask "),
        ("\x1b[2J", "is no command"),
        ("ready", "The game has begun."),
        ("Start", "The game has begun."),
        ("no-bot", "The game has begun."),
        ("send away Ben", "The game has begun."),
    ],
)
def test_wrong_input_says_what_would_be_right(line: str, part: str) -> None:
    with pytest.raises(NotUnderstood) as caught:
        read(line)
    assert part in str(caught.value)
    assert str(caught.value).isprintable()


def test_an_ask_out_of_turn() -> None:
    with pytest.raises(NotUnderstood, match="not your turn"):
        read("ask ben 9", ())
    assert read("hand", ()) == Ask("hand")


def test_a_choice_of_cards() -> None:
    actions = (Action("give", cards=("9C",)), Action("give", cards=("9S",)))
    assert read("give 9♠", actions) == actions[1]
    with pytest.raises(NotUnderstood, match="not a card"):
        read("give bread", actions)
    with pytest.raises(NotUnderstood, match="you can type: give 9C"):
        read("ask ben 9", actions)


@given(st.text(max_size=60))
def test_any_line_is_read_or_refused_with_a_printable_sentence(line: str) -> None:
    for prefix in ("", "ask ", "ask ben "):
        try:
            read(prefix + line)
        except NotUnderstood as problem:
            sentence = str(problem)
        else:
            continue
        assert sentence
        assert sentence.isprintable()


@pytest.mark.parametrize(
    ("typed", "seat"),
    [
        ("Марина", 3),
        ("корал", 1),
        ("фин", 2),
        ("Petar", 4),
        ("ана", 0),
        ("на", None),
        ("ко", None),
        ("xyz", None),
    ],
)
def test_a_name_may_be_typed_in_the_other_alphabet(typed: str, seat: int | None) -> None:
    assert find_seat(typed, ("Ана", "Coral", "Finn", "Marina", "Петар")) == seat


def test_a_name_in_its_own_alphabet_goes_before_all_that_sound_alike() -> None:
    assert find_seat("ана", ("Ana", "Ана")) == 1
    assert find_seat("ana", ("Ana", "Ана")) == 0
    assert find_seat("мар", ("Marina", "Mark")) is None, "two of them sound like that"
