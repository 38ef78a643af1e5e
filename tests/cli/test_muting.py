"""Talk that is not shown, in what both front ends draw."""

from __future__ import annotations

import pytest

from cli.boards import NotUnderstood
from cli.lines import Ask, read_line
from cli.muting import keep, mute
from p2p.session import Talk
from tests.cli.open_table import OpenTable

NAMES = ("Ann", "Ben", "Cy")


def test_one_player_is_muted_and_heard_again() -> None:
    muted: set[int] = set()
    assert mute("ben", NAMES, 0, muted) == "What Ben says is not shown any more; mute Ben shows it again."
    assert muted == {1}
    assert mute("2", NAMES, 0, muted) == "What Ben says is shown again."
    assert muted == set()


def test_all_are_muted_and_heard_again() -> None:
    muted = {1}
    assert "not shown any more" in mute("", NAMES, 0, muted)
    assert muted == {1, 2}
    assert "shown again" in mute("", NAMES, 0, muted)
    assert muted == set()


@pytest.mark.parametrize("name", ["Ann", "1", "nobody", "x" * 5000])
def test_nobody_else_is_muted(name: str) -> None:
    muted: set[int] = set()
    with pytest.raises(NotUnderstood, match="mute NAME"):
        mute(name, NAMES, 0, muted)
    assert muted == set()


def test_it_is_kept_by_identity_where_the_seats_change() -> None:
    ann, ben, cy, dan = (bytes([number]) * 32 for number in range(4))
    muted = {ben, dan}
    keep(muted, [ann, ben, cy], {2})
    assert muted == {cy, dan}, "Dan did not sit at that table"
    keep(muted, [cy, ann], set())
    assert muted == {dan}


def test_it_is_a_command_of_every_game() -> None:
    for game in ("go-fish", "one-fish", "casino", "discount-salmon"):
        table = OpenTable(game)
        assert read_line("mute Ben", table.show.game, table.view(), ()) == Ask("mute", "Ben")
        assert read_line("MUTE", table.show.game, table.view(), ()) == Ask("mute", "")


def test_what_a_muted_player_says_is_nowhere() -> None:
    table = OpenTable("go-fish")
    shown = table.show
    assert [line.text for line in shown.hear(Talk(1, "hello"), table.view())] == ["Ben: hello"]
    shown.muted.add(1)
    assert shown.hear(Talk(1, "look at me"), table.view()) == ()
    assert [line.text for line in shown.hear(Talk(2, "hi"), table.view())] == ["Cy: hi"]
    assert not any("look at me" in str(line) for line in shown.log)
