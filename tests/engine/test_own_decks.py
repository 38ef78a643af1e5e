"""Decks of one's own: one canonical text, bounded, errors with their line; and games played with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import BadOption, Stream, game, load_deck
from engine.contract import Action, IllegalAction, Reason
from engine.match import Position
from engine.open import Open
from engine.own_deck import MOST_BYTES, OWN_DECK, BadDeck, read_own_deck
from engine.simulate import simulate
from engine.table import Choose, Deed
from engine.testing import _check_one, option_sets

ANIMALS = (Path(__file__).resolve().parents[2] / "examples" / "decks" / "animals.toml").read_text("utf-8")

ZOO = """\
id = "zoo"

[[attributes]]
name = "kind"
values = ["lion", "bear", "owl", "ant"]

[[cards]]
kind = ["lion", "bear", "owl"]
copies = 4

[[cards]]
kind = ["ant"]
copies = 8
"""

STARS = """\
id = "starry"
extends = "fish"
[[attributes]]
name = "colour"
values = ["*"]
[[attributes]]
name = "number"
values = ["*"]
[[cards]]
colour = ["*"]
number = ["*"]
text = "*"
copies = 7
"""

SPANISH = """\
id = "spanish"
[[attributes]]
name = "rank"
values = ["1", "2", "3", "4", "5", "6", "7", "S", "C", "R"]
[[attributes]]
name = "suit"
values = ["O", "C", "E", "B"]
[[attributes]]
name = "colour"
values = ["L", "D"]
[[cards]]
suit = ["O", "C"]
colour = ["L"]
[[cards]]
suit = ["E", "B"]
colour = ["D"]
"""

PIQUET = """\
id = "piquet"
[[attributes]]
name = "rank"
values = ["7", "8", "9", "T", "J", "Q", "K", "A"]
[[attributes]]
name = "suit"
values = ["C", "D", "H", "S"]
[[cards]]
"""

SMELLY = """\
id = "smelly"
[[attributes]]
name = "kind"
values = ["stinky", "ugly", "stinky+ugly", "perfume", "makeup", "mustache", "blender"]
[[cards]]
kind = ["stinky", "ugly", "stinky+ugly"]
copies = 2
[[cards]]
kind = ["perfume", "makeup", "mustache"]
copies = 9
[[cards]]
kind = ["blender"]
"""


def test_the_canonical_text_says_the_same() -> None:
    for text in (ANIMALS, ZOO, STARS, SPANISH, PIQUET, SMELLY):
        own = read_own_deck(text)
        again = read_own_deck(own.text)
        assert again.text == own.text
        assert again.deck.digest == own.deck.digest
        assert "#" not in own.text
    assert (
        read_own_deck("# Mine.\n" + ZOO.replace("copies = 8", "copies=8  # many")).text
        == read_own_deck(ZOO).text
    )


def test_cards_of_long_values_are_readable() -> None:
    deck = read_own_deck(ANIMALS).deck
    assert len(deck) == 40
    lion = ("lion", "red")
    assert deck.text(lion) == "red-lion"
    assert deck.text(("lion", None)) == "?-lion"
    assert {deck.parse(each) for each in ("red-lion", "Red Lion", "RED-LIONS")} == {lion}
    zoo = read_own_deck(ZOO).deck
    assert [zoo.text(face) for face in zoo.faces] == ["lion", "bear", "owl", "ant"]
    assert len(zoo) == 20


def test_the_option_is_there_only_where_it_is_used() -> None:
    rules = game("go-fish")
    assert OWN_DECK not in rules.options({}, 3)
    full = rules.options({OWN_DECK: ANIMALS}, 3)
    assert full[OWN_DECK] == read_own_deck(ANIMALS).text
    assert rules.options(full, 3) == full
    assert rules.deck(full) == read_own_deck(ANIMALS).deck
    assert rules.deck(full) != load_deck("standard")
    assert all(OWN_DECK not in options for options in option_sets(rules, 2))


@pytest.mark.parametrize(
    ("name", "text", "chosen", "seats"),
    [
        ("go-fish", ANIMALS, {}, (2, 6)),
        ("go-fish", ANIMALS, {"ask_mode": "card", "allow_ask_own_card": "false"}, (3,)),
        ("go-fish", ZOO, {"end_mode": "all_books"}, (2, 3)),
        ("go-fish", ZOO, {"book_size": "2", "give_amount": "one"}, (3,)),
        ("one-fish", STARS, {}, (2, 6)),
        ("casino", SPANISH, {}, (2, 5)),
        ("casino", PIQUET, {"end": "finish_round"}, (2, 4)),
        ("discount-salmon", SMELLY, {}, (2, 4)),
        ("discount-salmon", SMELLY, {"pace": "turns"}, (3,)),
    ],
)
def test_the_checks_of_every_game_hold(
    name: str, text: str, chosen: dict[str, str], seats: tuple[int, ...]
) -> None:
    rules = game(name)
    for count in seats:
        options = rules.options({OWN_DECK: text, **chosen}, count)
        for seed in range(2):
            _check_one(rules, options, count, Stream(seed))


def test_simulations_are_of_the_deck() -> None:
    digests = {
        simulate("go-fish", 3, 3, 1, {OWN_DECK: text}, ["random"])["digest"] for text in (ANIMALS, ZOO)
    }
    digests.add(simulate("go-fish", 3, 3, 1, {}, ["random"])["digest"])
    assert len(digests) == 3


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ('id = "zoo"', 'id = "my zoo!"', 1, "an id has 1 to 32 letters"),
        ('id = "zoo"', f'id = "{"z" * 33}"', 1, "an id has 1 to 32 letters"),
        ('"ant"]', '"ant", "elephant"]', 5, "no card has the kind elephant"),
        ('"ant"]', f'"ant", "{"e" * 17}"]', 5, "at most 16 letters"),
        ('"ant"]', '"ant"]\naliases = { "the\\u001bant" = "ant" }', 6, "at most 16 letters"),
        ('"ant"]', '"ant", "\u3164"]', 5, "at most 16 letters"),
        ('"ant"]', '"ant", "\uffa0\u115f"]', 5, "at most 16 letters"),
        ('"ant"]', '"ant", "Owl"]', 5, "two values of kind are equal"),
        ('"ant"]', '"ant", "\uff4fwl"]', 5, "owl and \uff4fwl look alike"),
        ('"ant"]', '"ant", "\u043ewl"]', 5, "in one alphabet"),
        ('"ant"]', '"ant", "\u0430\u0440\u0435"]', 5, "in one alphabet"),
        ('"ant"]', '"ant", "\ua4f3\ua4ea\ua4e1"]', 5, "in one alphabet"),  # Lisu
        ('"ant"]', '"ant", "\u2c9fwl"]', 5, "in one alphabet"),  # Coptic
        ('"ant"]', '"ant", "\u0967", "1"]', 5, "\u0967 and 1 look alike"),  # Devanagari
        ('"ant"]', '"ant"]\naliases = { "\uff4fwl" = "ant" }', 5, "owl and \uff4fwl look alike"),
        ("copies = 8", "copies = 189", 11, "at most 200 cards"),
        ("copies = 8", "copies = 3", 12, "there are 3 cards of ant, and this game needs at least 4"),
        ('"bear", "owl"]\ncopies', '"bear", "eel"]\ncopies', 8, '"eel" is not a value'),
        ('kind = ["ant"]', 'kind = ["ant"]\ncolour = ["red"]', 13, "no attribute colour"),
    ],
)
def test_a_deck_that_cannot_be_played_with_is_refused_with_its_line(
    old: str, new: str, line: int, words: str
) -> None:
    assert old in ZOO
    with pytest.raises(BadDeck, match=rf"^own_deck, line {line}: ") as caught:
        game("go-fish").options({OWN_DECK: ZOO.replace(old, new, 1)}, 3)
    assert words in str(caught.value)
    assert caught.value.line == line


COLOURED = """\
id = "zoo"
[[attributes]]
name = "kind"
values = ["lion", "ant"]
[[attributes]]
name = "colour"
values = ["red", "blue"]
[[cards]]
kind = ["lion"]
copies = 4
[[cards]]
kind = ["ant"]
colour = ["red"]
text = "x1"
[[cards]]
kind = ["ant"]
colour = ["blue"]
text = "{}"
"""


@pytest.mark.parametrize("text", ["lion", "LION", "red", "x\uff11", "\u043ewl"])
def test_no_card_is_written_like_a_value_that_it_does_not_have(text: str) -> None:
    """Its own it may be written like; letters of an alphabet that no value has look like others."""
    assert all(read_own_deck(COLOURED.format(own)) for own in ("Ant", "blue", "x2", "*"))
    with pytest.raises(BadDeck, match=r"^own_deck, line 1[48]: .*could be taken for another card's"):
        read_own_deck(COLOURED.format(text))


@pytest.mark.parametrize("name", ["rèine", "鯨", "クジラ", "고래", "2", "²"])
def test_letters_with_marks_digits_and_chinese_go_with_latin(name: str) -> None:
    assert name in read_own_deck(ZOO.replace("ant", name)).deck.values("kind")


@pytest.mark.parametrize(
    "names", [("мечка", "лав", "утка", "мравка"), ("αρκούδα", "λέων", "κουκ", "μυρμήγκι")]
)
def test_an_alphabet_of_its_own_is_one(names: tuple[str, ...]) -> None:
    text = ZOO
    for old, new in zip(("lion", "bear", "owl", "ant"), names, strict=True):
        text = text.replace(old, new)
    assert read_own_deck(text).deck.values("kind") == names


@pytest.mark.parametrize(
    ("name", "text", "chosen", "line", "words"),
    [
        ("go-fish", ZOO, {"ask_mode": "card"}, 8, "no two cards may be equal, as lion are"),
        ("go-fish", ZOO, {"scoring": "by_rank"}, 8, "this game knows no kind lion"),
        ("one-fish", ANIMALS, {}, 9, "needs the attributes number, colour, in this order"),
        ("one-fish", STARS.replace('text = "*"\n', ""), {}, 11, "writes that card as *"),
        ("casino", ZOO, {}, 4, "needs the attributes rank, suit, in this order"),
        ("casino", SPANISH.replace('"7", ', "").replace('"R"', '"RE"'), {}, 4, "in two letters"),
        ("casino", PIQUET.replace('"S"]', '"Z"]'), {}, 7, "knows no suit Z"),
        ("casino", PIQUET.replace('"7", "8", "9", "T", ', ""), {}, 1, "has 16 cards"),
        ("discount-salmon", SMELLY.replace("perfume", "soap"), {}, 9, "knows no kind soap"),
        ("discount-salmon", SMELLY.replace("copies = 9", "copies = 2"), {}, 1, "needs at least"),
        ("discount-salmon", PIQUET, {}, 3, "needs the attributes kind"),
    ],
)
def test_each_game_says_what_it_needs(
    name: str, text: str, chosen: dict[str, str], line: int, words: str
) -> None:
    with pytest.raises(BadDeck) as caught:
        game(name).options({OWN_DECK: text, **chosen}, 3)
    assert (caught.value.line, words in str(caught.value)) == (line, True), str(caught.value)


def test_fish_come_first() -> None:
    swapped = SMELLY.replace(
        'kind = ["stinky", "ugly", "stinky+ugly"]\ncopies = 2', 'kind = ["perfume"]', 1
    ).replace(
        'kind = ["perfume", "makeup", "mustache"]\ncopies = 9',
        'kind = ["stinky", "ugly", "stinky+ugly", "makeup", "mustache"]\ncopies = 9',
    )
    with pytest.raises(BadDeck, match="the fish come first, and perfume is none"):
        game("discount-salmon").options({OWN_DECK: swapped}, 3)


def test_what_the_deck_decides_is_not_chosen_twice() -> None:
    for name, chosen, text in (
        ("go-fish", {"deck": "104"}, ZOO),
        ("go-fish", {"suits": "3"}, ZOO),
        ("one-fish", {"stars": "3"}, STARS),
    ):
        with pytest.raises(BadOption, match="decides the cards; leave out"):
            game(name).options({OWN_DECK: text, **chosen}, 2)


def test_a_deck_of_a_stranger_costs_little() -> None:
    """What a host sends is bounded before it is worked out."""
    names = ", ".join(f'"{n}x{m}" = "v{n}"' for n in range(20) for m in range(20))
    values = ", ".join(f'"v{n}"' for n in range(20))
    attribute = f'[[attributes]]\nname = "%s"\nvalues = [{values}]\naliases = {{ {names} }}\n'
    many = 'id = "x"\n' + attribute % "a" + attribute % "b" + '[[cards]]\na = ["v0"]\n'
    assert len(many) < MOST_BYTES
    huge = f'id = "x"\n[[attributes]]\nname = "a"\nvalues = ["v"]\n[[cards]]\ncopies = {10**30}\n'
    wide = (
        'id = "x"\n'
        + "".join(f'[[attributes]]\nname = "a{n}"\nvalues = ["b", "c"]\n' for n in range(40))
        + "[[cards]]\n"
    )
    for text in (many, huge, wide, "#" * (MOST_BYTES + 1), "a = " + "[" * 9000, ""):
        with pytest.raises(BadDeck):
            read_own_deck(text)


FEW_FISH = """\
id = "few-fish"
written = ["colour", "number"]
[[attributes]]
name = "number"
values = ["1", "2", "*"]
[[attributes]]
name = "colour"
values = ["R", "B", "*"]
aliases = { red = "R", blue = "B" }
[[cards]]
number = ["1", "2"]
colour = ["R", "B"]
[[cards]]
number = ["*"]
colour = ["*"]
text = "*"
copies = 20
"""


def test_a_star_asks_for_nothing_that_no_card_of_the_deck_has() -> None:
    rules = game("one-fish")
    position = Position.start(rules, rules.options({OWN_DECK: FEW_FISH}, 2), 2)
    dealer = Open(position, Stream(1))
    while not isinstance(position.pending, Choose):
        position, _events = position.feed(dealer.resolve(position))
    (seat,) = position.pending.seats
    view = dealer.view(position, seat)
    asked = {action.value.removesuffix(" via star") for action in rules.legal(view)}
    assert asked == {"red", "blue", "1", "2"}
    for value in ("yellow via star", "3", "yellow"):
        with pytest.raises(IllegalAction):
            rules.deed(view, Action("ask", 1 - seat, value))
    assert rules.refuse(position.state, seat, Deed("ask", 1 - seat, "yellow*"), {}) == Reason(
        "no-such-value", ("yellow",)
    )
