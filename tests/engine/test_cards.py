"""Decks: order, texts, and deck files that are not sound."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import Attribute, Deck, InvalidCard
from engine.deck_files import load_deck, read_deck
from engine.table import Match
from engine.toml import DataError

STANDARD = load_deck("standard")
DIGESTS = ["fd77f174282d0385", "6481dd9a8d1f66f5", "2ecfecd34ab10733"]
DECKS = [load_deck(name) for name in ("standard", "standard-54", "standard-104")]


def test_the_standard_pack_is_in_its_normative_order() -> None:
    texts = [STANDARD.text(face) for face in STANDARD.faces]
    assert texts == [rank + suit for rank in "23456789TJQKA" for suit in "CDHS"]
    assert STANDARD.cards == tuple(range(52))


def test_derived_packs() -> None:
    jokers, two = DECKS[1], DECKS[2]
    assert jokers.faces[:52] == STANDARD.faces
    assert [jokers.text(face) for face in jokers.faces[52:]] == ["XB", "XR"]
    assert two.faces == STANDARD.faces
    assert two.cards == tuple(range(52)) * 2
    small = load_deck("standard", (("rank", 5), ("suit", 3)))
    assert [small.text(face) for face in small.faces] == [r + s for r in "23456" for s in "CDH"]
    assert len({deck.digest for deck in (*DECKS, small)}) == 4


def test_digests_do_not_change() -> None:
    """A changed digest makes tables of two versions of the program refuse each other."""
    assert [deck.digest.hex()[:16] for deck in DECKS] == DIGESTS


def test_the_digest_covers_everything_that_matters() -> None:
    lines = ["deck standard", "attribute rank 2 3 4 5 6 7 8 9 T J Q K A", "attribute suit C D H S"]
    lines += [f"face {rank} {suit}" for rank in "23456789TJQKA" for suit in "CDHS"]
    lines += ["cards " + " ".join(str(n) for n in range(52)), ""]
    assert hashlib.sha256("\n".join(lines).encode()).digest() == STANDARD.digest


@given(st.sampled_from(DECKS), st.data())
def test_texts_read_back(deck: Deck, data: st.DataObject) -> None:
    face = data.draw(st.sampled_from(deck.faces))
    text = deck.text(face)
    assert deck.parse(text) == deck.parse(text.lower()) == face
    assert deck.faces[deck.index(face)] == face


@given(st.text(max_size=40))
def test_any_other_text_is_refused_with_one_sentence(text: str) -> None:
    known = {STANDARD.text(face): face for face in STANDARD.faces}
    if text.strip().upper() in known:
        assert STANDARD.parse(text) == known[text.strip().upper()]
    else:
        with pytest.raises(InvalidCard) as caught:
            STANDARD.parse(text)
        assert str(caught.value).isprintable()
        assert len(str(caught.value)) < 120


@pytest.mark.parametrize(("text", "face"), [("10h", "TH"), ("TH", "TH"), (" th ", "TH"), ("king of d", "KD")])
def test_other_spellings(text: str, face: str) -> None:
    assert STANDARD.text(STANDARD.parse(text)) == face


def test_partly_known_faces() -> None:
    assert [STANDARD.text(p) for p in [("9", None), (None, "H"), (None, None)]] == ["9?", "?H", "?"]
    nine, heart, card = Match("rank", "9"), Match("suit", "H"), Match("", "9H")
    table = [
        (("9", "H"), True, True, True),
        (("9", None), True, None, None),
        ((None, "H"), None, True, None),
        (("9", "C"), True, False, False),
        ((None, "C"), None, False, False),
        ((None, None), None, None, None),
    ]
    for partial, *answers in table:
        assert [STANDARD.matches(partial, match) for match in (nine, heart, card)] == answers


def test_values_are_read_in_any_case() -> None:
    assert [STANDARD.parse_value("rank", t) for t in ("j", "J", "jack", "10", "ten")] == [
        "J",
        "J",
        "J",
        "T",
        "T",
    ]
    with pytest.raises(InvalidCard, match="is not a rank of this deck"):
        STANDARD.parse_value("rank", "1")


def test_unknown_decks_are_refused() -> None:
    for name in ("tarot", "../cards", "standard.toml", ""):
        with pytest.raises(InvalidCard, match=r"there are .*standard, standard-104, standard-54"):
            load_deck(name)


GOOD = """\
id = "d"
[[attributes]]
name = "rank"
values = ["1", "2"]
aliases = { one = "1" }

[[attributes]]
name = "suit"
values = ["A", "B"]

[[cards]]
rank = ["1"]
"""


def test_a_deck_of_ones_own() -> None:
    deck = read_deck(GOOD, "d.toml")
    assert [deck.text(face) for face in deck.faces] == ["1A", "1B"]
    assert deck.parse("one of b") == ("1", "B")


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ('id = "d"', 'id = "d', 1, ""),
        ('id = "d"', 'nam = "d"', 1, "unknown field `nam`"),
        ('values = ["1", "2"]', 'values = ["1", 2]', 4, "Expected `str`, got `int`"),
        ('values = ["1", "2"]', 'values = ["1", "?"]', 4, "letters and digits"),
        ('values = ["1", "2"]', 'values = ["1", "2-"]', 4, "letters and digits"),
        ('values = ["1", "2"]', 'values = ["1", "**"]', 4, "letters and digits"),
        ('name = "suit"', 'name = "text"', 8, 'cannot be called "text"'),
        ('name = "suit"', 'name = "Suit"', 8, 'cannot be called "Suit"'),
        ('rank = ["1"]', 'rank = "1"', 12, "rank is a list of values"),
        ('rank = ["1"]', "rank = 1", 12, "rank is a list of values"),
        ('rank = ["1"]', "copies = 0", 12, "a number from 1 on"),
        ('rank = ["1"]', 'copies = "two"', 12, "a number from 1 on"),
        ('rank = ["1"]', 'text = "W"', 12, "4 cards cannot have one text"),
        ('rank = ["1"]', 'rank = ["1"]\nsuit = ["A"]\ntext = "a b"', 14, "letters and digits"),
        (
            'rank = ["1"]',
            'rank = ["1"]\nsuit = ["A"]\ntext = "1b"\n[[cards]]\nsuit = ["B"]',
            15,
            "two different",
        ),
        ('{ one = "1" }', '{ one = "3" }', 5, "stands for no value"),
        ('name = "suit"', 'name = "rank"', 9, "comes twice"),
        ('rank = ["1"]', 'rank = ["1", "1"]', 11, "1A comes twice"),
        ('rank = ["1"]', 'rank = ["3"]', 12, '"3" is not a value'),
        ('rank = ["1"]', 'colour = ["1"]', 12, "no attribute colour"),
        ('values = ["A", "B"]', 'values = ["A", "a"]', 9, "two values of suit are equal"),
        ('id = "d"', 'id = "d"\ncopies = 0', 2, "at least one copy"),
        ('id = "d"', 'id = "d"\ncopies = 101', 2, "at most 200 cards"),
        ('rank = ["1"]', "copies = 99999999999", 11, "at most 200 cards"),
        ('id = "d"', f"id = {'[' * 5000}", 1, "too deeply"),
        ('id = "d"', f"id = {'9' * 5000}", 0, ""),
        ('id = "d"', 'id = "d"\nextends = "standard"', 0, ""),
    ],
)
def test_an_unsound_deck_file_is_refused_with_its_line(old: str, new: str, line: int, words: str) -> None:
    assert old in GOOD
    with pytest.raises(DataError, match=r"^d\.toml, line \d+: ") as caught:
        read_deck(GOOD.replace(old, new, 1), "d.toml")
    assert words in str(caught.value)
    if line:
        assert caught.value.line == line


def test_a_group_of_cards_may_come_several_times() -> None:
    text = GOOD.replace('rank = ["1"]', 'rank = ["1"]\ncopies = 3\n[[cards]]\nrank = ["2"]\nsuit = ["A"]')
    deck = read_deck(text, "d.toml")
    assert [deck.text(deck.faces[card]) for card in deck.cards] == ["1A"] * 3 + ["1B"] * 3 + ["2A"]
    assert deck.digest != read_deck(text.replace("copies = 3", "copies = 2"), "d.toml").digest


def test_values_may_have_hyphens() -> None:
    text = 'id = "d"\n[[attributes]]\nname = "kind"\nvalues = ["gym-sock", "sun"]\n[[cards]]\n'
    deck = read_deck(text, "d.toml")
    assert [deck.text(face) for face in deck.faces] == ["gym-sock", "sun"]
    assert deck.parse("Gym-Sock") == ("gym-sock",)


@pytest.mark.parametrize(("name", "stars"), [("one_fish", 2), *((f"one_fish_{n}", n) for n in (1, 3, 4))])
def test_the_deck_of_one_fish(name: str, stars: int) -> None:
    """OF-DECK: four colours, six numbers, twice, and the stars."""
    deck = load_deck(name)
    texts = [deck.text(deck.faces[card]) for card in deck.cards]
    assert texts == [c + n for n in "123456" for c in "RBYG" for _ in "ab"] + ["*"] * stars
    assert deck.count(Match("colour", "B")) == 12
    assert deck.count(Match("number", "3")) == 8
    assert deck.count(Match("number", "*")) == deck.count(Match("", "*")) == stars


def test_a_card_may_have_a_text_of_its_own() -> None:
    deck = load_deck("one_fish")
    star = ("*", "*")
    assert {deck.parse(text) for text in ("*", "star", "STAR")} == {star}
    assert [deck.text(partial) for partial in (star, ("*", None), (None, "*"))] == ["*"] * 3
    assert {deck.whole(partial) for partial in (star, ("*", None), (None, "*"))} == {star}
    assert deck.whole(("2", None)) == ("2", None)
    assert [deck.text(partial) for partial in (("2", None), (None, "R"), (None, None))] == ["?2", "R?", "?"]
    with pytest.raises(InvalidCard):
        deck.parse("**")
    assert deck.parse("red two") == deck.parse("Red 2") == deck.parse("r2") == ("2", "R")
    plain = Deck(deck.id, deck.attributes, deck.faces, deck.cards, {}, deck.written)
    assert plain.digest != deck.digest
    assert plain.text(star) == "**"


def test_values_may_be_written_in_another_order() -> None:
    text = GOOD.replace('id = "d"', 'id = "d"\nwritten = ["suit", "rank"]')
    deck = read_deck(text, "d.toml")
    assert [deck.text(face) for face in deck.faces] == ["A1", "B1"]
    assert deck.parse("b of one") == deck.parse("b one") == ("1", "B")
    assert deck.digest != read_deck(GOOD, "d.toml").digest
    with pytest.raises(DataError, match="each of its attributes once"):
        read_deck(text.replace('["suit", "rank"]', '["suit"]'), "d.toml")


def test_a_text_of_its_own_is_kept_in_a_deck_that_extends() -> None:
    deck = read_deck('id = "d"\nextends = "one_fish"\ncopies = 2', "d.toml")
    assert deck.text(("*", "*")) == "*"
    assert len(deck) == 100


@pytest.mark.parametrize("name", ["fis" + "9" * 2000, "../decks/fish", "fish.toml", "a\0b", "", "FISH"])
def test_a_deck_is_found_by_its_name_and_never_as_a_path(name: str) -> None:
    with pytest.raises(InvalidCard, match="There is no deck named"):
        load_deck(name)


def test_a_text_must_not_name_two_cards() -> None:
    rank = Attribute("rank", ("1", "11"))
    suit = Attribute("suit", ("1", "11"))
    with pytest.raises(ValueError, match="111 would name two different cards"):
        Deck("d", (rank, suit), (("1", "11"), ("11", "1")), (0, 1))


def test_a_face_without_a_card_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one card"):
        Deck("d", (Attribute("rank", ("1", "2")),), (("1",), ("2",)), (0,))


@pytest.mark.parametrize(
    ("text", "card"),
    [("two of spades", "2S"), ("2 of Spades", "2S"), ("10 of hearts", "TH"), ("ace of c", "AC")],
)
def test_a_card_may_be_named_in_words(text: str, card: str) -> None:
    deck = load_deck("standard")
    assert deck.parse(text) == deck.parse(card)


@pytest.mark.parametrize("text", ["twos", "aced", "kings", "tenh"])
def test_words_are_never_run_together(text: str) -> None:
    """ "twos" is several twos, and not the two of spades."""
    with pytest.raises(InvalidCard):
        load_deck("standard").parse(text)
