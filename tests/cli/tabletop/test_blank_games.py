"""Whole games with blanks, of all four kinds: people who do what they are told, and people who make mistakes.
In the end what lies on the pads is what the game says."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.cli.tabletop.blank_world import LOCAL, PADS, Clumsy, Player

GAMES = (
    ("go-fish", {}),
    ("go-fish", {"end_mode": "all_books", "give_amount": "one"}),
    ("go-fish", {"deck": "104"}),
    ("one-fish", {}),
    ("casino", {}),
    ("casino", {"dealer_takes_from": "split", "end": "finish_round"}),
    ("discount-salmon", {}),
    ("discount-salmon", {"pace": "turns", "invalid_cards": "return_to_hand"}),
)


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOAL_LANG", "en")


@pytest.mark.parametrize(("name", "options"), GAMES)
@pytest.mark.parametrize("seed", range(2))
def test_people_who_follow_the_words(name: str, options: dict[str, str], seed: int) -> None:
    player = Player(name, options, seed)
    world = player.play()
    if name != "discount-salmon":  # where a card may come too late, and goes back
        assert not any("right again" in line for line in world.heard)  # nothing ever went wrong
    assert all(index in LOCAL for index, _ in world.private)


def test_every_game_can_be_played_by_moving_blanks() -> None:
    """One Fish and Salmon have decisions that consist of cards of the own hand."""
    moved = {name: 0 for name, _ in GAMES}
    for name, options in GAMES:
        player = Player(name, options, 77)
        player.play()
        moved[name] += player.by_moving
    assert moved["one-fish"] > 3
    assert moved["discount-salmon"] > 10
    assert moved["go-fish"] > 0  # which one of several is given, where one is enough


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_people_who_make_mistakes_and_follow_the_correction(name: str, options: dict[str, str]) -> None:
    """Whatever goes wrong on the pads, the game waits, says what to do, and goes on when it is done."""
    clumsy = Clumsy(5)
    world = Player(name, options, 5, clumsy).play()
    assert sum(clumsy.done.values()) > 10
    assert any("right again" in line for line in world.heard)


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_readers_that_hold_one_tag_at_a_time(name: str, options: dict[str, str]) -> None:
    """Blanks are held to a pad one by one, when they come and when they go."""
    Player(name, options, 6, taps=tuple(PADS)).play()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options"), GAMES)
def test_many_games_of_clumsy_people(name: str, options: dict[str, str]) -> None:
    done: Counter[str] = Counter()
    for seed in range(40):
        clumsy = Clumsy(seed, rate=0.7)
        Player(name, options, seed, clumsy).play()
        done += clumsy.done
    assert set(done) == {"knock_off", "misplace", "add", "exchange", "lift", "darken", "kill"}
