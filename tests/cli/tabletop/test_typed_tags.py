"""Tags in what is typed, and what events of the pads mean."""

from __future__ import annotations

import pytest

from cli.prompt import Burst
from cli.tabletop import Lift, Touch, Trouble
from cli.tabletop.base import Kind as Matter
from cli.tabletop.taps import meaning, unclear
from cli.tabletop.wedge import Spelling, found_in
from cli.tabletop.words import COMMAND_TAGS, FEWEST_TAGS, WAITING_TAGS, command_word, screen_word
from hardware.events import (
    Disturbed,
    Once,
    Place,
    Placed,
    Refused,
    Removed,
    Settled,
    Tapped,
    Undisturbed,
    Unsure,
)
from hardware.pads import POND, Pads
from hardware.readers import Seen, Unclear
from hardware.tags import Book, Kind, Tag
from hardware.uids import Flaw, Uid

EM = Uid(bytes.fromhex("13005D1DA5"))
NTAG = Uid(bytes.fromhex("04A3C6CAE26180"))
BOOK = Book([Tag(EM, Kind.CARD, "9C"), Tag(NTAG, Kind.PLAYER, "Ben")])
HERE = Place("r", 1)


@pytest.mark.parametrize("text", ["0006102437", "093,07589", "13005D1DA5", "04a3c6cae26180"])
def test_a_line_that_a_reader_typed_is_a_tag_with_or_without_its_time(text: str) -> None:
    for seconds in (None, 0.01 * len(text)):
        found = found_in(text, seconds, Spelling(), BOOK)
        assert found is not None
        rest, seen = found
        assert rest == ""
        assert isinstance(seen, Seen)
        assert BOOK.find(seen.uid) is not None


@pytest.mark.parametrize("text", ["ask Ben 9", "12", "1 3", "9c", "tab", "deck 2", "0006102437 please"])
def test_what_a_person_types_is_no_tag(text: str) -> None:
    assert found_in(text, None, Spelling(), BOOK) is None
    assert found_in(text, 3.0, Spelling(), BOOK) is None


def test_a_slow_number_is_a_persons() -> None:
    assert found_in("0006102437", 2.0, Spelling(), BOOK) is None


@pytest.mark.parametrize(
    ("before", "uid"), [("ask Be", "0006102437"), ("tab9", "0006102437"), ("x ", "13005D1DA5")]
)
def test_on_bare_lines_an_id_of_the_book_is_taken_from_the_end(before: str, uid: str) -> None:
    found = found_in(before + uid, None, Spelling(), BOOK)
    assert found is not None
    assert found[0] == before
    assert found_in(before + "0006109999", None, Spelling(), BOOK) is None


def test_a_cut_id_is_no_tag_but_told() -> None:
    found = found_in("00061024", 0.05, Spelling(), BOOK)
    assert found is not None
    cut = found_in("000610243", 0.05, Spelling(), BOOK)
    assert cut is not None
    assert isinstance(cut[1], Unclear)


def keys(text: str, pace: float, start: float = 0.0) -> tuple[Burst, float]:
    burst, now = Burst(), start
    for character in text:
        burst.key(character, now)
        now += pace
    return burst, now


def test_a_burst_is_what_came_without_a_pause_and_a_persons_last_keys_may_stand_before_it() -> None:
    burst, now = keys("ask B", 0.2)
    now += 1.0
    for character in "0006102437":
        burst.key(character, now)
        now += 0.01
    assert next(iter(burst.endings(now)))[0] == "0006102437"
    burst, now = keys("a9", 0.2)
    for character in "0006102437":
        burst.key(character, now)
        now += 0.01
    found = [text for text, _seconds in burst.endings(now)]
    assert "0006102437" in found


def test_half_a_burst_is_cut_only_if_no_person_types_so_fast() -> None:
    assert keys("000610", 0.01)[0].cut() == "000610"
    assert keys("000610", 0.12)[0].cut() == ""
    assert keys("0006", 0.01)[0].cut() == ""
    assert keys("abcdef", 0.01)[0].cut() == ""
    assert Burst().cut() == ""


PADS = Pads({HERE: POND})


def test_events_become_touches_with_what_the_book_and_the_pads_know() -> None:
    assert meaning(Placed(EM, HERE, 5.0, True), BOOK, PADS) == Touch(EM, BOOK.tags[0], HERE, POND, 5.0, True)
    assert meaning(Tapped(NTAG, HERE, 5.0, True), BOOK, Pads({})) == Touch(
        NTAG, BOOK.tags[1], HERE, None, 5.0
    )
    assert meaning(Removed(EM, HERE, 6.0), BOOK, PADS) == Lift(EM, BOOK.tags[0], HERE, POND, 6.0)
    stranger = Uid(b"\x01\x02\x03\x04")
    assert meaning(Tapped(stranger, HERE, 5.0, False), BOOK, PADS) == Touch(stranger, None, HERE, POND, 5.0)


def test_a_tag_that_looks_like_two_is_trouble_that_names_both() -> None:
    long = [Uid(bytes.fromhex("04A3C6CAE26180")), Uid(bytes.fromhex("04A3C6CAE26181"))]
    book = Book([Tag(long[0], Kind.CARD, "9C"), Tag(long[1], Kind.CARD, "9D")])
    found = meaning(Tapped(Uid(bytes.fromhex("8804A3C6")), HERE, 1.0, False), book, PADS)
    assert isinstance(found, Trouble)
    assert found.kind is Matter.UNCLEAR
    assert "9C from 9D" in found.why


def test_every_other_event_is_trouble_of_its_kind() -> None:
    for event, kind in (
        (Once(EM, HERE), Matter.UNCLEAR),
        (Refused(EM, HERE, Flaw.RANDOM), Matter.REFUSED),
        (Disturbed(HERE, "x"), Matter.DISTURBED),
        (Undisturbed(HERE), Matter.UNDISTURBED),
        (Unsure(HERE, "x"), Matter.UNSURE),
        (Settled(HERE), Matter.SETTLED),
    ):
        found = meaning(event, BOOK, PADS)
        assert isinstance(found, Trouble)
        assert (found.kind, found.place, found.role) == (kind, HERE, POND)
    assert unclear(Unclear("1", "why", 1), "r", PADS) == Trouble(Matter.UNCLEAR, HERE, POND, "why")


def test_the_words_of_command_tags() -> None:
    assert command_word("Colour") == command_word(" color ") == "colour"
    assert command_word("HAND BACK") == "back"
    assert screen_word("Hint") == "hint"
    assert screen_word("pick") is None
    assert {screen_word(word) for word in ("ok", *WAITING_TAGS)} == {"ok", *WAITING_TAGS}
    for words in FEWEST_TAGS.values():
        assert set(words) <= set(COMMAND_TAGS)


def test_command_tags_may_be_named_in_macedonian(monkeypatch: pytest.MonkeyPatch) -> None:
    from cli.language import speaking

    with speaking("mk"):
        assert command_word("рака") == "hand"
