"""The tag book: enrolling, finding tags however they are spelled, checking."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.tags import Ambiguous, BadTags, Book, Enrolment, Found, Kind, Outcome, Tag, check
from hardware.uids import Relation, Technology, Uid, parse

NAMES = ["9S", "9H", "9D", "10S"]


def u(text: str, technology: Technology = Technology.ISO14443A) -> Uid:
    return Uid(bytes.fromhex(text), technology)


SEVEN = [u("04A3C6CAE26180"), u("04A3C7CAE26180"), u("0412C6CAE26199"), u("04FFC6CAE26177")]


def enrolled(uids: list[Uid] = SEVEN, names: list[str] = NAMES) -> Book:
    walk = Enrolment(Book(), Kind.CARD, names)
    for uid in uids:
        assert walk.tap(uid).outcome is Outcome.ENROLLED
    return walk.book


def test_tap_tap_tap() -> None:
    walk = Enrolment(Book(), Kind.CARD, NAMES)
    assert (walk.next, walk.done, walk.total) == ("9S", 0, 4)
    answer = walk.tap(SEVEN[0])
    assert (answer.outcome, answer.sentence) == (Outcome.ENROLLED, "9S is enrolled. Now tap 9H.")
    for uid in SEVEN[1:]:
        answer = walk.tap(uid)
    assert answer.sentence == "10S is enrolled. All 4 are enrolled."
    assert walk.next is None
    assert [tag.name for tag in walk.book.tags] == NAMES
    assert walk.tap(u("0499C6CAE26177")).outcome is Outcome.COMPLETE


def test_the_same_card_twice_is_no_mistake() -> None:
    walk = Enrolment(Book(), Kind.CARD, NAMES)
    walk.tap(SEVEN[0])
    answer = walk.tap(SEVEN[0])
    assert (answer.outcome, answer.sentence) == (Outcome.REPEATED, "That was 9S again. Now tap 9H.")
    assert len(walk.book) == 1


def test_p20_a_duplicate_or_clone_is_caught() -> None:
    walk = Enrolment(Book(), Kind.CARD, NAMES)
    walk.tap(SEVEN[0])
    walk.tap(SEVEN[1])
    answer = walk.tap(SEVEN[0])
    assert answer.outcome is Outcome.TAKEN
    assert "This tag is 9S already" in answer.sentence
    assert walk.next == "9D"


def test_p17_a_telephone_cannot_be_a_card() -> None:
    walk = Enrolment(Book(), Kind.CARD, NAMES)
    answer = walk.tap(u("0824A937"))
    assert answer.outcome is Outcome.REFUSED
    assert "phone" in answer.sentence
    assert walk.tap(u("00000000")).outcome is Outcome.REFUSED
    assert len(walk.book) == 0


def test_p14_ids_cut_after_three_bytes_warn_and_clash() -> None:
    walk = Enrolment(Book(), Kind.CARD, NAMES)
    answer = walk.tap(u("8804A3C6"))
    assert answer.outcome is Outcome.ENROLLED
    assert "first three bytes" in answer.sentence
    walk.tap(u("8804A3C7"))
    answer = walk.tap(u("8804A3C6"))
    assert answer.outcome is Outcome.TAKEN
    assert "first three bytes" in answer.sentence


def test_p42_a_reader_that_turns_ids_round_is_named() -> None:
    walk = Enrolment(Book(), Kind.CARD, NAMES)
    walk.tap(u("45C52583"))
    walk.tap(SEVEN[0])
    answer = walk.tap(u("8325C545"))
    assert answer.outcome is Outcome.TAKEN
    assert "turned round" in answer.sentence


def test_p12_an_id_without_its_zeros_is_offered_only_if_it_is_one_card() -> None:
    walk = Enrolment(Book(), Kind.CARD, NAMES)
    walk.tap(u("04E7B2A9"))
    walk.tap(SEVEN[0])
    answer = walk.unclear("4e7b2a9", "Zeros are missing.")
    assert (answer.outcome, answer.tag) == (Outcome.TAKEN, walk.book.tags[0])
    walk.tap(u("4E072BA9"))
    walk.tap(u("4E70B2A9"))
    assert walk.unclear("ffff", "Zeros are missing.").outcome is Outcome.REFUSED


def test_p12_two_cards_that_look_alike_without_zeros() -> None:
    twins = Book([Tag(u("01231123"), Kind.CARD, "9S"), Tag(u("12031123"), Kind.CARD, "9H")])
    assert Enrolment(twins, Kind.CARD, NAMES).unclear("1231123", "Zeros are missing.").tag is None


def test_a_walk_is_resumed_from_its_book() -> None:
    names = [*NAMES, "9S"]
    first = Enrolment(Book(), Kind.CARD, names)
    first.tap(SEVEN[0])
    first.tap(SEVEN[1])
    second = Enrolment(first.book, Kind.CARD, names)
    assert (second.next, second.done) == ("9D", 2)
    for uid in (*SEVEN[2:], u("04AAC6CAE26177")):
        second.tap(uid)
    assert sorted(tag.name for tag in second.book.tags) == sorted(names)


def test_skipping_and_taking_back() -> None:
    walk = Enrolment(Book(), Kind.CARD, NAMES)
    assert walk.undo() is None
    walk.skip()
    assert walk.next == "9H"
    walk.tap(SEVEN[0])
    assert walk.undo() == Tag(SEVEN[0], Kind.CARD, "9H")
    assert (walk.next, len(walk.book)) == ("9H", 0)
    for uid in SEVEN:
        walk.tap(uid)
    assert [tag.name for tag in walk.book.tags] == ["9H", "9D", "10S", "9S"]
    walk.skip()
    assert walk.next is None


def test_tokens_and_commands_beside_cards() -> None:
    book = enrolled()
    players = Enrolment(book, Kind.PLAYER, ["Ben", "9S"])
    assert players.tap(SEVEN[0]).outcome is Outcome.TAKEN
    players.tap(u("0401" * 3 + "04"))
    players.tap(u("0402" * 3 + "04"))
    assert [tag.name for tag in players.book.of(Kind.PLAYER)] == ["Ben", "9S"]
    assert len(players.book.of(Kind.CARD)) == 4


@pytest.mark.parametrize(
    ("spelled", "relation"),
    [
        ("13005D1DA5", Relation.SAME),
        ("em4100:13005D1DA5", Relation.SAME),
        ("81610481061", Relation.SAME),
        ("A51D5D0013", Relation.REVERSED),
        ("0006102437", Relation.SHORTENED),
        ("6102437", Relation.SHORTENED),
        ("005D1DA5", Relation.SHORTENED),
        ("093,07589", Relation.SHORTENED),
        ("09307589", Relation.SHORTENED),
        ("06102437", Relation.SHORTENED),
    ],
)
def test_one_tag_however_it_is_spelled(spelled: str, relation: Relation) -> None:
    tag = Tag(u("13005D1DA5", Technology.EM4100), Kind.CARD, "9S")
    book = enrolled().bind(tag)
    assert book.find(parse(spelled)) == Found(tag, relation)
    assert book.known(parse(spelled)) == tag.uid


@pytest.mark.parametrize("spelled", ["0006102437", "093,07589", "005D1DA5"])
def test_a_tag_enrolled_in_part_is_found_whole(spelled: str) -> None:
    tag = Tag(parse(spelled), Kind.CARD, "9S")
    assert Book([tag]).known(u("13005D1DA5", Technology.EM4100)) == tag.uid


def test_other_technologies() -> None:
    tags = [
        Tag(u("04A3C6CAE26180"), Kind.CARD, "9S"),
        Tag(u("DD17380A"), Kind.CARD, "9H"),
        Tag(u("E0040100078E3BB0", Technology.ISO15693), Kind.CARD, "9D"),
        Tag(u("45C52583"), Kind.CARD, "10S"),
    ]
    book = Book(tags)
    for spelled, tag in [
        ("8804A3C6", tags[0]), ("DD17380AF8", tags[1]), ("B0:3B:8E:07:00:01:04:E0", tags[2]),
        ("1170548099", tags[3]), ("2200290629", tags[3]), ("04-A3-C6-CA-E2-61-80", tags[0]),
    ]:  # fmt: skip
        found = book.find(parse(spelled))
        assert isinstance(found, Found)
        assert found.tag == tag
    assert book.find(parse("04A3C6CAE26181")) is None
    assert book.known(parse("70D44F53")) is None


def test_p14_p41_what_several_tags_may_be_is_none_of_them() -> None:
    book = Book([Tag(u("04A3C6CAE26180"), Kind.CARD, "9S"), Tag(u("04A3C6CAE26181"), Kind.CARD, "9H")])
    found = book.find(parse("8804A3C6"))
    assert isinstance(found, Ambiguous)
    assert book.known(parse("8804A3C6")) is None
    assert Enrolment(book, Kind.CARD, NAMES).tap(parse("8804A3C6")).outcome is Outcome.REFUSED


@given(st.lists(st.binary(min_size=7, max_size=7), unique=True, min_size=1, max_size=12))
def test_each_tag_of_a_book_is_found_as_itself(ids: list[bytes]) -> None:
    book = Book(Tag(Uid(data), Kind.BLANK, str(n)) for n, data in enumerate(ids))
    for tag in book.tags:
        assert book.find(tag.uid) == Found(tag, Relation.SAME)


def test_a_book_is_consistent() -> None:
    with pytest.raises(BadTags, match="9S and 9H have the same tag id"):
        Book([Tag(SEVEN[0], Kind.CARD, "9S"), Tag(SEVEN[0], Kind.CARD, "9H")])
    for name in ("", " 9S", "a\nb", "x" * 41):
        with pytest.raises(BadTags, match="is no name for a tag"):
            Book([Tag(SEVEN[0], Kind.PLAYER, name)])
    with pytest.raises(BadTags, match="at most 1000"):
        Book(Tag(Uid(n.to_bytes(4, "big")), Kind.BLANK, "x") for n in range(1, 1002))


def test_books_are_merged_unless_they_disagree() -> None:
    one, other = enrolled(SEVEN[:2]), enrolled(SEVEN[:3])
    assert one.merged(other) == other
    wrong = Book([Tag(SEVEN[1], Kind.CARD, "KS")])
    with pytest.raises(BadTags, match="9H in one book and KS"):
        one.merged(wrong)


def test_a_good_book_has_no_problems() -> None:
    ids = ["04A3C6CAE26180", "0512C7CBE36281", "0613C8CCE46382", "0714C9CDE56483"]
    assert check(enrolled([u(each) for each in ids]), NAMES) == []


def test_problems_of_a_book() -> None:
    book = Book(
        [
            Tag(u("45C52583"), Kind.CARD, "9S"),
            Tag(u("8325C545"), Kind.CARD, "9H"),
            Tag(u("8804A3C6"), Kind.CARD, "KS"),
            Tag(u("04A3C6CAE26180"), Kind.CARD, "9D"),
            Tag(u("04A3C6CAE26181"), Kind.PLAYER, "Ben"),
            Tag(u("04A3C6CAE26182"), Kind.PLAYER, "Ben"),
            Tag(u("08112233"), Kind.COMMAND, "yes"),
        ]
    )
    problems = check(book, NAMES)
    text = "\n".join(("! " if problem.serious else "- ") + problem.sentence for problem in problems)
    for sentence in (
        "! One card has no tag: 10S.",
        "- One tag is of no card of this deck: KS.",
        "! yes: This is a phone or bank card",
        "- KS: The reader gives only the first three bytes",
        "- Several tags stand for Ben",
        "- 3 cards have ids of four bytes",
        "- A reader that gives ids turned round cannot tell 9H and 9S apart.",
        "- A reader that gives ids in part cannot tell",
        "- A reader that gives ids cut after three bytes cannot tell",
    ):
        assert sentence in text, text
