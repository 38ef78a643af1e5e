"""Bots choose legally, from their view alone, and the careful one plays better."""

import pytest

from engine import BOTS, Action, Stream, UnknownBot, bot, game, play_game, simulate, thinking_time
from tests.engine.arranging import arranged, play


@pytest.mark.parametrize("name", list(BOTS))
@pytest.mark.parametrize(
    "options", [{}, {"ask_mode": "card", "end_mode": "all_books"}, {"give_amount": "one"}]
)
def test_a_bot_plays_whole_games_by_the_rules(name: str, options: dict[str, str]) -> None:
    """Any illegal choice raises."""
    for seed in range(5):
        outcome, events = play_game(game("go-fish"), options, 4, [bot(name)] * 4, Stream(seed, name))
        assert outcome.winners
        assert events[-1].verb == "over"


@pytest.mark.parametrize("name", list(BOTS))
def test_the_same_chance_makes_the_same_choice(name: str) -> None:
    position, dealer = arranged("A=9H KD 2C; B=4D; C=5D")
    hand = dealer.hand(position.table, 0)
    legal = position.choices(0, hand)
    chosen = {bot(name)(position.view(0, hand), legal, Stream(seed)) for seed in (1, 1, 1)}
    assert len(chosen) == 1
    assert chosen <= set(legal)


def careful(hands: str, *asks: str, **options: object) -> set[tuple[int, str]]:
    """What the careful bot may ask as A, after ``asks`` of all seats were answered."""
    position, dealer = arranged(hands, **options)
    for ask in asks:
        position = play(position, dealer, ask)
    hand = dealer.hand(position.table, 0)
    legal = position.choices(0, hand)
    chosen = [bot("careful")(position.view(0, hand), legal, Stream(seed)) for seed in range(20)]
    return {(action.target, action.value) for action in chosen}


def test_it_asks_for_what_it_has_seen() -> None:
    hands = "A=9H KD 2C; B=9C 4D 3D 6D; C=9D 5D"
    asked = careful(hands, "C: ask B 9", "C: ask B 5", "B: ask A 4", turn="C")
    assert asked == {(2, "9")}


def test_it_does_not_ask_again_for_what_was_just_denied() -> None:
    assert careful("A=KD; B=4C 4D 3D; C=5D") == {(1, "K"), (2, "K")}  # a guess: anyone may be asked
    assert careful("A=KD; B=KC 4D 3D; C=5D", "A: ask B K") == {(2, "K")}


def test_it_never_bluffs() -> None:
    asked = careful("A=9H 9D 9S; B=4D 3D; C=5D", ask_mode="card")
    assert asked <= {(1, "9C"), (2, "9C")}


def test_it_shows_cards_that_are_known_already() -> None:
    position, dealer = arranged("A=9H 2C 9D; B=9C 4D; C=5D", give_amount="one")
    position = play(position, dealer, "A: ask B 9")  # A now holds 9C, and everybody knows
    hand = dealer.hand(position.table, 0)
    legal = tuple(Action("give", cards=(card,)) for card in ("9D", "9H", "9C"))
    assert bot("careful")(position.view(0, hand), legal, Stream(1)) == legal[2]


def test_careful_beats_random() -> None:
    figures = simulate("go-fish", 4, 120, 3, bots=("careful", "random"))
    wins = figures["wins"]
    assert wins[0] + wins[2] > 2 * (wins[1] + wins[3])


def test_an_unknown_bot_is_refused() -> None:
    with pytest.raises(UnknownBot, match="there are random, careful"):
        bot("clever")


def test_thinking_takes_a_moment() -> None:
    ask, give = (Action("ask", 1, "9"),), (Action("give", cards=("9C",)),)
    asks = [thinking_time(ask, Stream(seed)) for seed in range(50)]
    assert 0.8 <= min(asks) < max(asks) < 1.5
    assert len(set(asks)) > 30
    assert all(thinking_time(give, Stream(seed)) < asks[seed] for seed in range(50))


def test_the_time_does_not_tell_how_many_ranks_a_hand_holds() -> None:
    asks = (Action("ask", 1, "9"),)
    assert thinking_time(asks, Stream(1)) == thinking_time(asks * 30, Stream(1))


def test_no_two_bots_keep_the_turn_to_themselves() -> None:
    """Guesses go to everyone: a game of four has turns for all four."""
    left_out = 0
    for number in range(40):
        _, events = play_game(game("go-fish"), {}, 4, [bot("careful")] * 4, Stream(number, "turns"))
        asks = [event.seat for event in events if event.verb == "ask"]
        left_out += len(asks) > 20 and len(set(asks)) < 4
    assert left_out <= 2
