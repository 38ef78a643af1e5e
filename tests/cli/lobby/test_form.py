"""The form of a game: values, the command line that comes of it, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import click
import pytest

from cli.language import LANGUAGES, speaking
from cli.lobby import offers
from cli.lobby.form import BIG_STEP, Field, Form, blank
from cli.lobby.pages import filling, label_room
from cli.main import shoal
from cli.tui.canvas import plain, width
from engine.bots import BOTS
from engine.registry import games
from tests.cli.lobby.stage import context, facts


def form(command: str = "host", game: str = "go-fish") -> Form:
    return blank(facts().offers[command], facts().games, game)


def put(made: Form, key: str, value: str) -> Form:
    changed = made.put(key, value)
    assert changed is not None
    return changed


@pytest.mark.parametrize("command", ["play", "host"])
@pytest.mark.parametrize("game", games())
def test_nothing_changed_is_the_bare_command_and_fits(command: str, game: str) -> None:
    made = form(command, game)
    assert made.problem() == ""
    words = made.words()
    assert words[:2] == (command, game)
    # One Fish is for less players than are usual, and Casino for more: only such a number is said.
    assert set(words[2::2]) <= {"--seats", "--bots"}


@pytest.mark.parametrize("command", ["play", "host"])
@pytest.mark.parametrize("game", games())
def test_every_field_is_explained_and_every_value_is_taken_by_the_command(command: str, game: str) -> None:
    made = form(command, game)
    assert len(made.fields) == len({(each.key, each.of_game) for each in made.fields})
    for number, each in enumerate(made.fields):
        assert each.about
        turned = made.moved(number - made.at).turned(1)
        words = turned.words()
        found = shoal.get_command(click.Context(shoal), command)
        assert found is not None
        # Parsed as the program parses it; ``make_context`` raises for what it would refuse.
        found.make_context(command, [*words[1:]])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", ["play", "host"])
@pytest.mark.parametrize("game", games())
def test_every_label_can_be_read_whole(language: str, command: str, game: str) -> None:
    """At 80 x 24: what stands before the value in its own line, and the whole explanation below."""
    with speaking(language):
        known = facts(language)
        made = blank(known.offers[command], known.games, game)
        for number, each in enumerate(made.fields):
            rows = [plain(row) for row in filling(made.moved(number - made.at), 80, 23)]
            (marked,) = [row for row in rows if row.startswith("►")]
            assert marked.startswith(f"► {each.label}  ")
            assert width(each.label) <= label_room(80), "so that all values stand below each other"
            below = " ".join(" ".join(rows[-7:]).split())
            assert each.about in below, each.key
            assert f"({each.key if not each.of_game else f'--set {each.key}'})" in below


def test_a_long_label_of_a_game_of_others_takes_the_room_of_the_value() -> None:
    long = Field(
        "odd", "An explanation that somebody else wrote, of sixty-five columns", "1", "1", ("1", "2")
    )
    made = form()
    made = replace(made, fields=(*made.fields, long), at=len(made.fields))
    (row,) = [row for row in filling(made, 80, 23) if plain(row).startswith("►")]
    assert plain(row) == f"► {long.about}  1"


def test_a_changed_option_of_the_game_and_of_the_command() -> None:
    made = put(put(put(form(), "seats", "3"), "ask_mode", "card"), "open", "yes")
    assert made.words() == ("host", "go-fish", "--seats", "3", "--open", "--set", "ask_mode=card")


def test_switches_that_have_two_words() -> None:
    assert put(form(), "recovery", "no").words()[2:] == ("--no-recovery",)
    assert put(form(), "recovery", "yes").words()[2:] == ("--recovery",)


def test_what_the_rules_refuse_is_told_in_their_words() -> None:
    made = put(form(), "deck", "54")
    assert made.problem() == "There are only two jokers, so deck=54 needs book_size=2."
    assert put(made, "book_size", "2").problem() == ""
    assert put(form(), "--deck", "animals.toml").words()[2:] == ("--deck", "animals.toml")


def test_what_only_a_smaller_table_is_refused_is_told_before_the_table_opens() -> None:
    made = put(put(form(), "hand_size", "17"), "seats", "3")
    assert made.problem() == ""
    assert put(made, "seats", "4").problem() != ""


def test_bots_leave_a_seat_for_a_guest_and_follow_the_seats() -> None:
    made = put(put(form(), "seats", "6"), "bots", "4")
    assert made.problem() == ""
    assert put(made, "seats", "3").moved(1).get("--bots") == "1"
    assert put(made, "bots", "5").problem() == "bots can be a number from 0 to 4."


def test_another_game_keeps_what_fits() -> None:
    made = put(put(form(), "seats", "6"), "reveal", "never")
    other = put(made, "game", "discount-salmon")
    assert (other.game.id, other.get("--reveal"), other.get("--seats")) == ("discount-salmon", "never", "5")
    assert "ask_mode" not in {each.key for each in other.fields}


def test_figures_are_typed_over_what_was_there() -> None:
    made = form()
    at = next(n for n, each in enumerate(made.fields) if each.key == "--grace")
    made = made.moved(at)
    for key in "300":
        made = made.typed(key)
    assert made.get("--grace") == "300"
    assert made.erased().get("--grace") == "30"
    assert made.moved(0).typed("7").get("--grace") == "7"
    assert "a number from" in made.moved(0).typed("7").problem()
    assert made.typed("x") == made


def test_walking_through_numbers_and_words() -> None:
    size = Field("hand_size", "cards", "auto", "auto", ("auto",), least=1, most=3, of_game=True)
    seen = [size.value]
    for _ in range(4):
        size = size.turned(1)
        seen.append(size.value)
    assert seen == ["auto", "1", "2", "3", "auto"]
    assert size.turned(-1) == size, "the largest number is far from the usual one"
    assert size.turned(1).turned(-1) == size
    wide = Field("--grace", "seconds", "120", "120", least=10, most=100_000)
    assert wide.turned(1).value == str(120 + BIG_STEP)
    assert Field("--grace", "", "12", "12", least=10, most=100_000).turned(-1).value == "10"


def test_several_readers_and_people() -> None:
    made = put(put(form(), "cards", "controller"), "at-table", "Ben 'Old Joe'")
    assert made.words()[2:] == ("--cards", "controller", "--at-table", "Ben", "--at-table", "Old Joe")


def test_how_bots_play_is_said_in_the_language() -> None:
    with speaking("mk"):
        offer, _chosen = offers.offer_of(context(), "play")
        level = next(each for each in offer.fields if each.key == "--level")
    assert set(level.meanings) == set(BOTS)
    assert all(not text.isascii() for text in level.meanings.values())
    assert replace(level, value="sharp").line() == ("--level", "sharp")
