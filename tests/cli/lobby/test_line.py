"""A line that is typed: the cursor, editing, and what no line may hold."""

from __future__ import annotations

import pytest

from cli.lobby.line import MOST, Line


@pytest.mark.parametrize(
    ("keys", "text", "at"),
    [
        ([], "Ann", 3),
        (["left", "left"], "Ann", 1),
        (["backspace"], "An", 2),
        (["home", "delete"], "nn", 0),
        (["home", "left", "backspace"], "Ann", 0),
        (["end", "right", "delete"], "Ann", 3),
        (["left", "c-u"], "n", 0),
        (["left", "c-k"], "An", 2),
    ],
)
def test_editing(keys: list[str], text: str, at: int) -> None:
    line: Line | None = Line.of("Ann")
    for key in keys:
        assert line is not None
        line = line.pressed(key)
    assert line == Line(text, at)


def test_other_keys_are_not_its_own() -> None:
    assert Line.of("Ann").pressed("enter") is None


def test_text_goes_in_at_the_cursor() -> None:
    assert Line("An", 1).typed("王") == Line("A王n", 2)


def test_what_cannot_be_seen_and_what_is_too_long() -> None:
    assert Line().typed("a\x1b[2Jb\n").text == "a [2Jb "
    assert len(Line.of("x" * 10).typed("y" * 10_000).text) == MOST


def test_what_is_offered_goes_when_another_name_is_typed_and_stays_when_it_is_edited() -> None:
    offered = Line.offered("Vm")
    assert offered.text == "Vm"
    assert offered.typed("C").typed("ara") == Line.of("Cara")
    for key in ("left", "end", "home", "backspace", "delete", "c-u", "c-k", "right"):
        edited = offered.pressed(key)
        assert edited is not None
        assert not edited.is_offered
    left = offered.pressed("left")
    assert left is not None
    assert left.typed("i").text == "Vim"
