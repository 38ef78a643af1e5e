"""What is said while there is nothing to decide: what is going on, and that a game is over."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from cli.lines import NotUnderstood, read_line
from engine.contract import Action, Outcome
from engine.table import Move, Slot
from p2p.session import Race
from tests.cli.open_table import OpenTable
from tests.cli.test_race_lines import RaceTable

WAIT = (Action("wait"),)


@pytest.fixture
def race() -> RaceTable:
    return RaceTable()


def typed(table: RaceTable, line: str, **changes: object) -> str:
    """What somebody reads who types a line while there is nothing to decide."""
    with pytest.raises(NotUnderstood) as caught:
        read_line(line, table.show.game, table.at(**changes), ())
    return str(caught.value)


@pytest.mark.parametrize("line", ["1", "play 1", "flip", "perfume"])
def test_the_look_pause_is_named(race: RaceTable, line: str) -> None:
    look = {"problems": ("dry", "toxic"), "is_first_tick": True}
    (hint,) = race.show.hints(race.at(**look))
    assert hint == "A moment to look: the fish is dry, toxic. The race begins right after it."
    assert typed(race, line, **look) == hint


def test_the_hint_of_the_look_pause_says_so_before_the_cards(race: RaceTable) -> None:
    race.begin()
    first, hand, *_ = race.show.hints(race.at(problems=("dry",), is_first_tick=True))
    assert first.startswith("A moment to look: the fish is dry.")
    assert hand.startswith("Your hand: ")
    assert race.show.hints(race.at(problems=("dry",), is_first_tick=False))[0] == hand


def test_between_two_fish_it_is_said_who_flips(race: RaceTable) -> None:
    ended = {"problems": (), "racers": ()}
    mine = {**ended, "phase": "flip", "flipper": race.me}
    moved = (Move((Slot("stock", 0),), "pile a"),)
    assert race.show.hints(race.at(**ended, phase="flip", flipper=1)) == (
        "Between two fish: Ben flips the next one, then everybody plays at once.",
    )
    flipped = "The next fish is being flipped; the race for it begins in a moment."
    assert race.show.hints(race.at(**mine)) == (flipped,), "the flip has been typed"
    assert race.show.hints(race.at(**ended, phase="show")) == (flipped,)
    assert race.show.hints(race.at(**mine, chores=moved)) == (
        "Between two fish: the hands are being made ready for the next one.",
    )
    assert race.show.hints(race.at(**ended, phase="drop"))[0].startswith("The others are still putting")


def test_a_seat_that_is_out_is_told_so(race: RaceTable) -> None:
    out = {"problems": ("dry",), "racers": (1, 2), "is_first_tick": False}
    assert race.show.hints(race.at(**out)) == ("You are out for this fish.",)


@pytest.mark.parametrize(("seconds", "counted"), [(1, [1]), (2, [2, 1]), (3, [3, 2, 1]), (5, [3, 2, 1])])
def test_a_short_silence_is_counted_down_too(race: RaceTable, seconds: int, counted: list[int]) -> None:
    race.begin()
    settings = race.view().state.settings
    patience = -(-seconds * 1000 // settings.tick_ms)
    short = replace(settings, patience=patience)
    for _ in range(2):  # after a play it begins anew
        shown = [
            line.text
            for silence in range(patience)
            for line in race.show.passing(race.at(problems=("dry",), silence=silence, settings=short))
        ]
        assert [int(text.split()[2]) for text in shown] == counted


def test_before_the_deal_and_by_turns() -> None:
    table = OpenTable("discount-salmon", seed=1)
    assert table.show.hints(table.view()) == ("The cards are still being shuffled and dealt.",)
    by_turns = OpenTable("discount-salmon", seed=1, options={"pace": "turns"})
    assert by_turns.show.hints(by_turns.view()) == ("It is not your turn.",)


def test_no_plays_left_is_said_whatever_is_typed(race: RaceTable) -> None:
    race.texts(Race(race.view(), WAIT, 0.15))
    for line in ("flip", "drop 1", "play 1", "1"):
        with pytest.raises(NotUnderstood, match="You may play no more cards on this fish"):
            read_line(line, race.show.game, race.view(), WAIT)


@pytest.mark.parametrize("name", ["go-fish", "one-fish", "casino", "discount-salmon"])
def test_a_game_that_is_over_is_called_so(name: str) -> None:
    table = OpenTable(name, seed=5)
    list(table.play())
    assert isinstance(table.position.pending, Outcome)
    assert table.show.hints(table.view()) == ("The game is over.",)
    verb = {"go-fish": "ask Ben 9", "one-fish": "ask Ben 3", "casino": "draw deck 1"}.get(name, "play 1")
    with pytest.raises(NotUnderstood, match="The game is over"):
        read_line(verb, table.show.game, table.view(), ())
