"""What a waiting room holds, and that both front ends show all of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cli.ending import ENTER
from cli.known import seats_line
from cli.language import LANGUAGES, speaking
from cli.translation import gettext as _
from cli.tui.canvas import plain, row_width
from cli.tui.sheet import Sheet
from cli.waiting.drawing import RoomCover, View, draw
from cli.waiting.lines import CHAT, HELP, QUIT, WHO, Typed, help_lines, is_of_room, news, read, words
from cli.waiting.room import ADD, MUTE, NO, READY, REMOVE, SEND_AWAY, START, WAIT, YES, Room, places_of
from p2p.link import KnownPlayer
from p2p.log import MAX_CHAT
from p2p.session.setup import Roster
from tests.cli.waiting.rooms import ANN, BEN, CORAL, DANA, KNOWN, ROOMS, SEATED, TALK, guest, host, stranger


def keys(room: Room) -> dict[str, str]:
    return {choice.key: choice.word for choice in room.choices}


def test_what_the_host_may_do() -> None:
    assert keys(host(1)) == {"+": ADD}
    assert keys(host(2)) == {ENTER: START, "+": ADD}
    assert keys(host(3)) == {ENTER: START, "+": ADD, "-": REMOVE}
    assert keys(host(4)) == {ENTER: START, "-": REMOVE}
    assert keys(stranger()) == {"y": YES, "n": NO, ENTER: NO}, "no is what Enter says"


def test_what_a_guest_may_do() -> None:
    assert keys(ROOMS["guest-outside"]()) == {}
    assert keys(guest(3)) == {ENTER: READY}
    assert keys(guest(3, BEN)) == {"esc": WAIT}


def test_what_is_waited_for() -> None:
    assert host(1).status == "Waiting for 3 more players."
    assert host(3).status == "Waiting for 1 more player."
    assert host(4).status == "All have come. Not ready yet: Ben and Дана."
    assert host(4, BEN).status == "All have come. Not ready yet: Дана."
    assert host(4, BEN, DANA).status == "All are ready."
    assert replace(host(3, BEN), start_at=3).status == "All are ready."
    assert guest(4).status.startswith("All have come. Press Enter when you are ready")
    assert guest(4, BEN).status == "All have come. Not ready yet: Дана."
    assert stranger().status == "Somebody is at the door."


def test_what_is_known_of_the_others() -> None:
    ann, ben, coral, dana = host(4, BEN).places
    assert (ann.about, ann.is_me, ann.is_host, ann.is_ready) == ("you, host", True, True, True)
    assert (ben.about, ben.is_known, ben.is_ready) == (
        "you call them Ben from work, friend, key verified", True, True,
    )  # fmt: skip
    assert (coral.about, coral.is_bot, coral.is_ready) == ("on Ann's machine", True, True)
    assert (dana.about, dana.is_known, dana.is_ready) == ("met before", False, False)
    other = (KnownPlayer("Ben", b"x" * 32, 0),)
    assert host(2, known=other).places[1].about == "ANOTHER KEY than the one you know"
    assert guest(2).places[0].about == "host, not met before"


@pytest.mark.parametrize("key", [CORAL, b"x" * 32])
def test_nobody_whom_this_player_knows_sits_on_the_machine_of_the_host(key: bytes) -> None:
    """By the key, or by the name."""
    known = (KnownPlayer("Coral", key, 0, verified=True),)
    coral = host(3, known=known).places[2]
    assert (coral.about, coral.is_known) == ("on Ann's machine, NOT the Coral you know", False)
    line = seats_line(known, Roster("go-fish", (), 4, SEATED[:3]))
    assert line.endswith("Ben, Coral (on the host's machine, NOT the Coral you know)")


@pytest.mark.parametrize(
    ("line", "typed"),
    [
        ("start", Typed(START)), ("  Begin ", Typed(START)), ("+", Typed(ADD)), ("bot", Typed(ADD)),
        ("-", Typed(REMOVE)), ("no-bot", Typed(REMOVE)), ("who", Typed(WHO)), ("table", Typed(WHO)),
        ("quit", Typed(QUIT)), ("exit", Typed(QUIT)), ("?", Typed(HELP)), ("chat hi", Typed(CHAT, "hi")),
        ('"hi there', Typed(CHAT, "hi there")), ("say hi", Typed(CHAT, "hi")), ("ready", Typed("other")),
        ("send away Ben", Typed(SEND_AWAY, "Ben")), ("Send Away  Дана ", Typed(SEND_AWAY, "Дана")),
        ("send Ben", Typed(SEND_AWAY, "Ben")), ("kick 2", Typed(SEND_AWAY, "2")),
        ("send away", Typed(SEND_AWAY)), ("mute", Typed(MUTE)), ("mute Ben", Typed(MUTE, "Ben")),
        ("dance", Typed("other")), ("", None), ("   ", None),
    ],
)  # fmt: skip
def test_what_a_host_types(line: str, typed: Typed | None) -> None:
    assert read(line, host(3)) == typed


@pytest.mark.parametrize(
    ("line", "typed"),
    [
        ("", Typed(READY)), ("ready", Typed(READY)), ("wait", Typed(WAIT)), ("start", Typed("other")),
        ("bot", Typed("other")), ("mute Ann", Typed(MUTE, "Ann")), ("send away Ann", Typed("other")),
        ("quit", Typed(QUIT)), ('"hi"', Typed(CHAT, "hi")),
    ],
)  # fmt: skip
def test_what_a_guest_types(line: str, typed: Typed) -> None:
    assert read(line, guest(3)) == typed


def test_a_guest_is_sent_away_in_the_language_chosen() -> None:
    with speaking("mk"):
        assert read("отстрани Бен", host(2)) == read("send away Бен", host(2)) == Typed(SEND_AWAY, "Бен")
        assert is_of_room("отстрани")
        assert not is_of_room("помош")


def test_enter_alone_does_nothing_for_who_is_ready_or_outside() -> None:
    assert read("", guest(3, BEN)) is None
    assert read("", ROOMS["guest-outside"]()) is None
    assert read("ready", ROOMS["guest-outside"]()) == Typed("other")


def test_talk_is_cut_and_has_no_control_characters() -> None:
    typed = read('"' + "x\x1b" * MAX_CHAT, host(2))
    assert typed is not None
    assert len(typed.text) <= MAX_CHAT
    assert typed.text.isprintable()


def test_every_word_that_may_be_typed_is_explained() -> None:
    for room in (host(3), guest(3), ROOMS["guest-outside"]()):
        text = "\n".join(help_lines(room))
        assert all(word in text for word in words(room) if word != HELP)


def test_what_is_new() -> None:
    assert news(None, host(2)) == []
    assert news(host(2), host(2, BEN)) == ["Ben is ready."]
    assert news(host(2, BEN), host(2)) == ["Ben is not ready any more."]
    assert news(host(2), host(3)) == [], "who sits is said by the list of seats"
    assert news(host(3), host(4)) == ["All have come. Not ready yet: Ben and Дана."]
    assert news(host(4, BEN), host(4, BEN, DANA)) == ["Дана is ready.", "All are ready."]
    assert news(guest(3), guest(3, BEN)) == ["You are ready."]
    assert news(host(2), host(1)) == ["Ben has left the table."]
    assert news(host(3), host(2)) == [], "bots come and go as the host wants"
    assert news(host(2), host(2, BEN), {"Ben"}) == news(host(2, BEN), host(2), {"Ben"}) == []
    assert news(host(4), host(4, BEN), {"Ben"}) == [], "nor what is waited for, as often as it changes"
    assert news(host(4, DANA), host(4, BEN, DANA), {"Ben"}) == ["All are ready."]
    assert news(host(4), host(4, DANA), {"Ben"}) == ["Дана is ready.", "All have come. Not ready yet: Ben."]
    assert news(host(2), host(1), {"Ben"}) == ["Ben has left the table."]
    assert news(host(2), stranger()) == ["Ben is ready."], "the question is asked by the door"


# --- drawing ------------------------------------------------------------------------------------------------


def drawn(room: Room, columns: int, rows: int) -> list[str]:
    view = View(room, TALK, "a notice", room.choices)
    return [plain(row) for row in draw(view, columns, rows)]


@pytest.mark.parametrize("name", ROOMS)
def test_every_size_is_filled_exactly(name: str) -> None:
    room = ROOMS[name]()
    for columns in (1, 2, 3, 7, 20, 39, 40, 79, 80, 150):
        for rows in (1, 2, 3, 5, 9, 14, 23, 59):
            found = draw(View(room, TALK, "a notice", room.choices), columns, rows)
            assert len(found) == rows
            assert all(row_width(row) <= max(columns, 1) for row in found), (columns, rows)


@pytest.mark.parametrize("name", ROOMS)
def test_the_screen_shows_what_lines_say(name: str) -> None:
    """Names, what is known of them, who is ready, the commands to paste, the question and its words, talk."""
    room = ROOMS[name]()
    text = " ".join("\n".join(drawn(room, 120, 40)).split())
    for place in room.places:
        assert place.name in text
        assert place.about in text
    assert text.count("not ready yet") >= len(room.not_ready)
    if room.question is not None:
        for part in (*room.question.lines, *room.question.words):
            assert part in text
    else:
        assert room.status in text
    if room.is_host and room.free:
        assert all(command in text for command in room.paste)
    for line in (*room.aside, *map(str, TALK)):
        assert line in text
    assert all(choice.label in text for choice in room.choices)


def test_on_the_smallest_usable_screen_the_question_and_its_words_are_there() -> None:
    text = "\n".join(drawn(stranger(), 40, 14))
    assert all(
        word in text for word in ("lens", "enough", "pulse", "wildcat", "bird", "ninety", "[Y]", "[N]")
    )


def test_the_log_is_that_of_this_room_and_can_be_wound_back() -> None:
    room = host(2)
    sheet = Sheet(scene=None, log=(*TALK, *TALK[:1]), scroll=1)
    rows = "\n".join(plain(row) for row in RoomCover(room, since=1).draw(sheet, 80, 24))
    assert "refused" in rows
    assert "hello" not in rows


def test_the_seats_are_said_in_one_line() -> None:
    roster = Roster("go-fish", (), 4, SEATED[:3])
    assert seats_line(KNOWN, roster) == (
        "At the table, 3 of 4: Ann, Ben (you call them Ben from work), Coral (on the host's machine)"
    )
    assert len(places_of(KNOWN, roster, frozenset(), ANN)) == 3
    other = (KnownPlayer("Ben", b"x" * 32, 0),)
    assert "Ann, Ben (ANOTHER KEY than the one you know), Coral" in seats_line(other, roster)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_door_shows_the_letters_that_its_question_names(language: str) -> None:
    with speaking(language):
        choices = stranger().choices
        letters = [choice.key for choice in choices if choice.label]
        question = _("Let this player in? [y/N] ")
        assert f"[{letters[0]}/{letters[1].upper()}]" in question
        assert {"y", "n", ENTER} <= {choice.key for choice in choices}
