"""What a race looks like in lines: its beginning, plays, time that passes, and what goes wrong."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from cli.presenter import Presenter
from cli.text import Glyphs
from engine.contract import Action, Event, Reason, View
from engine.registry import game
from engine.table import Coin, Number, Shuffle
from p2p.session import Happened, Lagging, Race, Skipped, Stage, Undone, Unplayed, Waiting, YourMove
from tests.cli.open_table import NAMES, OpenTable

WAIT = Action("wait")


class RaceTable(OpenTable):
    """A table of Discount Salmon at the first race, and a presenter that has heard nothing of it yet."""

    def __init__(self) -> None:
        super().__init__("discount-salmon", seed=3)
        for telling, _ in self.play():
            if isinstance(telling, YourMove) and any(action.verb == "play" for action in telling.actions):
                break
        self.actions = self.rules.legal(self.view())
        self.show = Presenter(self.rules, NAMES, self.me, Glyphs())
        self.show.hear(Waiting((), 0.0), self.view())

    def begin(self) -> list[str]:
        return self.texts(Race(self.view(), self.actions, 0.15))

    def texts(self, telling: Any, view: Any = None) -> list[str]:
        return [str(line) for line in self.show.hear(telling, view or self.view())]

    def at(self, **changes: Any) -> Any:
        """The view with other facts."""
        view = self.view()
        return type(view)(
            msgspec.structs.replace(view.state, **changes), view.seat, view.deck, view.hand, None
        )


@pytest.fixture
def race() -> RaceTable:
    return RaceTable()


def test_a_race_begins_with_the_hand_and_goes_on_without_a_word(race: RaceTable) -> None:
    line, *how = race.begin()
    assert line.startswith("Your hand: 1 ")
    assert [text.split()[0] for text in how] == ["Everybody", "effects"]
    assert race.show.is_racing
    assert race.begin() == []  # what may be played has changed
    assert race.show.actions == race.actions
    race.show.acted()
    assert race.show.actions, "in a race there is always more to decide"


def test_a_play_is_one_line_with_what_is_left(race: RaceTable) -> None:
    race.begin()
    view = race.at(problems=("dry", "toxic"))
    events = (
        Event("play", 1, words=("sun", "mustache", "mustache")), Event("invalid", 1, words=("mustache",)),
        Event("invalid", 1, words=("mustache",)), Event("refill", 1, words=("3",)),
    )  # fmt: skip
    assert race.texts(Happened(events, ()), view) == [
        "Ben plays sun, mustache, mustache. Ben wastes mustache, mustache. Now: dry, toxic."
    ]


def test_a_play_of_wasted_cards_alone_is_not_told_twice(race: RaceTable) -> None:
    race.begin()
    events = (Event("play", 2, words=("sun",)), Event("invalid", 2, words=("sun",)))
    view = race.at(problems=("dry",))
    assert race.texts(Happened(events, ()), view) == ["Cy wastes sun. Now: dry."]


def test_the_last_seconds_of_silence_are_counted_once_each(race: RaceTable) -> None:
    race.begin()
    patience = race.view().state.settings.patience
    shown = []
    for silence in range(patience):
        view = race.at(silence=silence)
        shown += [line.text for line in race.show.passing(view)]
        assert race.show.passing(view) == ()
    assert shown == [f"Stalemate in {left}" for left in ("3 seconds", "2 seconds", "1 second")]
    race.show.passing(race.at(silence=0))  # somebody played
    again = [line.text for n in range(patience) for line in race.show.passing(race.at(silence=n))]
    assert again == shown


def test_nothing_is_counted_outside_of_a_race(race: RaceTable) -> None:
    patience = race.view().state.settings.patience
    assert race.show.passing(race.at(silence=patience - 1)) == ()


def test_a_play_that_came_too_late_to_be_made_says_why(race: RaceTable) -> None:
    race.begin()
    (text,) = race.texts(Unplayed(Action("play", cards=("sun",)), Reason("not-possible")))
    assert text == "Not played: play sun. That is not possible now."


def test_who_holds_up_a_race_is_named_once(race: RaceTable) -> None:
    race.begin()
    assert race.texts(Lagging((1, 2), 1.0)) == ["The race waits for Ben and Cy."]
    assert race.texts(Lagging((2,), 1.0)) == []
    assert race.texts(Lagging((0,), 1.0)) == []
    assert race.texts(Waiting((1,), 1.0)) == []
    assert race.texts(Skipped((1,))) == []  # the game has an event for it


def test_what_did_not_happen_ends_the_race_here(race: RaceTable) -> None:
    race.begin()
    (text,) = race.texts(Undone(40))
    assert text.startswith("The others went on without you")
    assert not race.show.is_racing
    assert race.show.actions == ()


def test_the_prompt_shows_the_fish_and_that_no_play_is_left(race: RaceTable) -> None:
    game, view = race.show.game, race.at(problems=("ugly", "not-fish"))
    assert game.prompt(view, race.actions, None) == "ugly, not a fish> "
    assert game.prompt(view, (WAIT,), None) == "ugly, not a fish, no plays left> "
    assert game.hints(view, (WAIT,)) == ("You may play no more cards on this fish.",)


def test_the_table_of_a_race(race: RaceTable) -> None:
    race.begin()
    lines = race.show.table_lines(race.show.board(race.view()))
    assert lines[0].startswith("Lake: 2")
    assert lines[1].startswith("To draw: ")
    assert lines[2].startswith("The fish is ")
    assert sum("deep fryer" in line for line in lines) == 1


def test_how_to_play_is_told_with_the_first_fish_alone(race: RaceTable) -> None:
    race.begin()
    assert len(race.show.game.asked(race.view(), race.actions, None)) == 1


@pytest.mark.parametrize(("name", "end"), [("discount-salmon", " (Lake) …"), ("go-fish", ", 3 of 3 …")])
def test_a_shuffle_names_its_pile_where_there_are_several(name: str, end: str) -> None:
    rules = game(name)
    state = rules.start(rules.options({}, 3), 3)
    while not isinstance(op := rules.pending(state), Shuffle):
        assert isinstance(op, Coin)
        state, _events = rules.resume(state, Number(0))
    view = View(state, 0, rules.deck(rules.options({}, 3)), {}, None)
    show = Presenter(rules, NAMES, 0, Glyphs())
    (line,) = show.hear(Stage(1, "shuffle", (1,), 2, 3), view)
    assert line.text.endswith(end)
