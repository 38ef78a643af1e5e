"""Words that lead through a replay, and the sentences where they do not."""

from __future__ import annotations

import pytest

from cli.replay import ALL, PUBLIC, Controller, NotThere, Place
from cli.replay.control import WORDS
from tests.cli.replay.records import record, replay_of

REPLAY = replay_of(record("go-fish"))
CONTROL = Controller(REPLAY)
LAST = len(REPLAY) - 1


@pytest.mark.parametrize(
    ("line", "at", "expected"),
    [
        ("", Place(0), Place(1)), ("next", Place(1), Place(3)), ("N", Place(0), Place(1)),
        ("b", Place(3), Place(1)),
        ("step", Place(1), Place(2)), ("s back", Place(2), Place(1)), ("step 9", Place(0), Place(9)),
        ("go 9", Place(0), Place(9)), ("start", Place(5), Place(0)), ("end", Place(5), Place(LAST)),
        ("seat ben", Place(5), Place(5, 1)), ("seat 3", Place(5), Place(5, 2)),
        ("all", Place(5, 1), Place(5, ALL)),
        ("public", Place(5, 1), Place(5, PUBLIC)), ("pub", Place(5, 1), Place(5, PUBLIC)),
    ],
)  # fmt: skip
def test_words(line: str, at: Place, expected: Place) -> None:
    assert CONTROL.obey(at, line) == expected


@pytest.mark.parametrize("word", ["table", "proofs", "help", "quit"])
def test_words_that_ask_for_something(word: str) -> None:
    assert CONTROL.obey(Place(4), word) == word
    assert word in WORDS


@pytest.mark.parametrize(
    ("line", "at", "problem"),
    [
        ("back", Place(0), "This is the beginning."), ("next", Place(LAST), "This is the end."),
        ("step back", Place(0), "This is the beginning."),
        ("ask", Place(LAST), "There is no ask after this one."),
        ("ask back", Place(0), "There is no ask before this one."),
        ("book back", Place(0), "There is no book before this one."),
        ("book", Place(LAST), "There is no book after this one."),
        ("turn", Place(LAST), "There is no turn after this one."),
        ("turn back Cy", Place(0), "Cy has no turn before this."),
        ("go 99999", Place(0), f"There are the steps 0 to {LAST - 1}."),
        ("go", Place(0), "To which step? For example: go 12"),
        ("go x", Place(0), '"x" is no number of a step.'),
        ("go -1", Place(0), '"-1" is no number of a step.'), ("12", Place(0), "To go to a step, type: go 12"),
        ("seat", Place(0), "Whose view? For example: seat Ann"),
        ("seat Zoe", Place(0), "There is no player Zoe in this game; there are Ann, Ben, Cy."),
        ("dance\x1b[2J", Place(0), '"dance [2J" is no command; help lists them.'),
        ("x" * 5000, Place(0), f'"{"x" * 20}…" is no command; help lists them.'),
    ],
)  # fmt: skip
def test_what_is_not_possible_is_said(line: str, at: Place, problem: str) -> None:
    with pytest.raises(NotThere) as found:
        CONTROL.obey(at, line)
    assert str(found.value) == problem


def test_views_go_round() -> None:
    place, seen = Place(4), []
    for _ in range(6):
        seen.append(place.seat)
        place = CONTROL.next_view(place)
    assert seen == [PUBLIC, ALL, 0, 1, 2, PUBLIC]
    assert CONTROL.next_view(Place(4), -1) == Place(4, 2)


def test_the_turns_of_a_player() -> None:
    place, found = Place(), []
    for _ in range(50):
        try:
            moved = CONTROL.obey(place, "turn Ben")
        except NotThere:
            break
        assert isinstance(moved, Place)
        place = moved
        found.append(place.at)
    assert found
    assert found == [
        at for at in range(LAST) if REPLAY.moment(at).starts_turn and REPLAY.moment(at).turn == 1
    ]
