"""Bots choose legally and from their view alone, and each level plays better than the one below."""

from collections.abc import Sequence
from typing import Any

import pytest

from engine import (
    BOTS,
    Action,
    Bot,
    Open,
    Outcome,
    Position,
    Stream,
    UnknownBot,
    View,
    bot,
    bots,
    game,
    play_game,
    simulate,
    thinking_time,
)
from engine.bots.sharp.guessing import guess_of_two
from engine.scenario.file import read_scenarios
from engine.scenario.setup import set_up
from engine.simulate import Looks
from engine.table import Choose, Tick
from engine.testing import option_sets
from tests.engine.arranging import arranged, play

GAMES = {"go-fish": 6, "one-fish": 6, "casino": 6, "discount-salmon": 5}
"""All games with their most seats."""

HARD: dict[str, list[dict[str, str]]] = {
    "go-fish": [
        {},
        {"ask_mode": "card", "end_mode": "all_books"},
        {"ask_mode": "card", "allow_ask_own_card": "false"},
        {"give_amount": "one", "next_after_miss": "left"},
        {"deck": "54", "book_size": "2", "scoring": "by_rank"},
        {"deck": "104", "book_size": "2", "hand_size": "12"},
        {"deck": "104", "give_amount": "one"},
        {"ranks": "11", "suits": "3", "book_size": "2"},
    ],
    "one-fish": [{}, {"stars": "4"}, {"stars": "1", "first": "2"}],
    "casino": [
        {},
        {"dealer_takes_from": "split", "end": "finish_round"},
        {"scoring": "individual", "tie": "push"},
    ],
    "discount-salmon": [
        {"pace": "turns"},
        {"pace": "turns", "allowance": "per_batch", "invalid_cards": "return_to_hand"},
        {},
        {"finish_on": "immediately", "allowance": "per_batch"},
    ],
}


def twice(name: str) -> Bot:
    """The bot, asked twice with the same chance at every decision: nothing may be left of the first time."""
    decide = bot(name)

    def asked_twice(view: View[Any], legal: Sequence[Action], rng: Stream) -> Action:
        seed = rng.below(1 << 30)
        action = decide(view, legal, Stream(seed))
        decide(view, legal, Stream(seed, "something else"))
        assert decide(view, tuple(legal), Stream(seed)) == action
        return action

    return asked_twice


@pytest.mark.parametrize("name", list(BOTS))
@pytest.mark.parametrize("kind", list(GAMES))
def test_a_bot_plays_whole_games_by_the_rules(kind: str, name: str) -> None:
    """Any illegal choice raises; the same view and chance always give the same choice."""
    for options in HARD[kind]:
        for seats in (2, 3, GAMES[kind]):
            full = game(kind).options(options, seats)
            outcome, events = play_game(
                game(kind), full, seats, [twice(name)] * seats, Stream(seats, name), 3
            )
            assert outcome.winners
            assert events[-1].verb == "over"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["careful", "sharp"])
@pytest.mark.parametrize("kind", list(GAMES))
def test_every_pair_of_options_is_played_to_its_end(kind: str, name: str) -> None:
    for number, options in enumerate(option_sets(game(kind), 3)):
        outcome, _ = play_game(game(kind), options, 3, [bot(name)] * 3, Stream(number, name), 3)
        assert outcome.winners


@pytest.mark.parametrize("kind", list(GAMES))
@pytest.mark.parametrize("level", [bots.careful, bots.sharp])
def test_a_game_nobody_knows_is_played_all_the_same(
    kind: str, level: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As games by others are: by what is known of hands, and chance."""
    monkeypatch.setattr(level, "_GAMES", {})
    for options in HARD[kind]:
        outcome, _ = play_game(
            game(kind), game(kind).options(options, 3), 3, [level.choose] * 3, Stream(1), 3
        )
        assert outcome.winners


@pytest.mark.parametrize("name", list(BOTS))
def test_the_same_chance_makes_the_same_choice(name: str) -> None:
    position, dealer = arranged("A=9H KD 2C; B=4D; C=5D")
    hand = dealer.hand(position.table, 0)
    legal = position.choices(0, hand)
    chosen = {bot(name)(position.view(0, hand), legal, Stream(seed)) for seed in (1, 1, 1)}
    assert len(chosen) == 1
    assert chosen <= set(legal)


def asks(name: str, hands: str, *before: str, **options: str) -> set[tuple[int, str]]:
    """What a bot may ask as A, after the asks ``before`` of all seats were answered."""
    position, dealer = arranged(hands, **options)
    for ask in before:
        position = play(position, dealer, ask)
    hand = dealer.hand(position.table, 0)
    legal = position.choices(0, hand)
    chosen = [bot(name)(position.view(0, hand), legal, Stream(seed)) for seed in range(20)]
    return {(action.target, action.value) for action in chosen}


def careful(hands: str, *before: str, **options: str) -> set[tuple[int, str]]:
    return asks("careful", hands, *before, **options)


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


@pytest.mark.parametrize("name", ["careful", "sharp"])
def test_who_asks_for_a_rank_is_known_to_hold_one(name: str) -> None:
    hands = "A=9H KD 2C; B=9C 4D 3D 6D; C=8D 5D"
    asked = ("B: ask C 9", "C: ask A 5")
    assert asks(name, hands, *asked, turn="B") == {(1, "9")}


def test_careful_guesses_at_what_it_has_most_of() -> None:
    assert careful("A=KD 9H 9C; B=4C 4D 3D; C=5D") == {(1, "9"), (2, "9")}


def test_sharp_waits_while_the_pond_is_deep_and_not_later() -> None:
    """Of two players: to ask for a new rank tells the other about it. Late there is nothing to wait for."""
    known, new = (1, True), (3, False)
    assert guess_of_two(*known, pond=0.6, chance=0.1) > guess_of_two(*new, pond=0.6, chance=0.5)
    assert guess_of_two(*known, pond=0.1, chance=0.1) < guess_of_two(*new, pond=0.1, chance=0.5)
    assert guess_of_two(*known, pond=0.6, chance=0.0) < guess_of_two(*new, pond=0.6, chance=0.1)


def chosen(name: str, kind: str, keys: str, before: Sequence[str] = (), **options: object) -> set[str]:
    """What a bot may do for the first seat that decides in a scenario, after the deeds ``before``."""
    text = "".join(f'{key} = "{value}"\n' for key, value in options.items())
    head = f'[[scenario]]\nid = "x"\ngame = "{kind}"\nseats = ["A", "B", "C"]\n'
    scenario = f"{head}{keys}\n[scenario.options]\n{text}"
    (read,) = read_scenarios(scenario, "x.toml")
    position, dealer, _ = set_up(read)
    position = settled(position, dealer)
    for deed in before:
        seat = "ABC".index(deed[0])
        action = position.parse(deed[3:], ("A", "B", "C"))
        made = position.deed(seat, dealer.hand(position.table, seat), action)
        position = settled(position.feed(dealer.decided(position, [(seat, made)]))[0], dealer)
    op = position.pending
    assert isinstance(op, Choose | Tick)
    view = dealer.view(position, op.seats[0])
    legal = position.choices(op.seats[0], view.hand)
    actions = {bot(name)(view, legal, Stream(seed)) for seed in range(20)}
    return {
        " ".join(filter(None, (a.verb, "ABC"[a.target] if a.target >= 0 else "", a.value, *a.cards)))
        for a in actions
    }


def settled(position: Position, dealer: Open) -> Position:
    """The position at the next decision in which there is something to choose."""
    while not isinstance(op := position.pending, Outcome):
        if isinstance(op, Choose | Tick):
            if not (isinstance(op, Choose) and op.wish):
                break
            deeds = [
                (seat, position.deed(seat, hand, position.choices(seat, hand)[0]))
                for seat in op.seats
                for hand in [dealer.hand(position.table, seat)]
            ]
            position, _ = position.feed(dealer.decided(position, deeds))
        else:
            position, _ = position.feed(dealer.resolve(position))
    return position


def test_sharp_asks_where_one_fish_is_likelier() -> None:
    """B is the fuller hand; and nobody asks for what was just denied."""
    keys = 'hands = { A = "R2 B5", B = "G1 G2 Y3 G4 Y5 Y6", C = "Y1" }\nturn = "A"'
    assert all(ask.startswith("ask B") for ask in chosen("sharp", "one-fish", keys))


def test_as_many_pairs_as_possible_are_laid() -> None:
    keys = 'hands = { A = "R2 B2 Y5", B = "G2 Y2 B1", C = "R6" }\nturn = "A"'
    for name in ("careful", "sharp"):
        (lay,) = {len(way.split()) for way in chosen(name, "one-fish", keys, ("A: ask B 2",))}
        assert lay == 3, name  # the word, and two pairs


def test_a_sharp_dealer_takes_cards_of_a_patron() -> None:
    hands = 'A = "QS 4D 7H 9C 2S", B = "3C 3D 8H 5C 6C", C = "TS TD JH JC 2H"'
    keys = f'hands = {{ {hands} }}\nturn = "C"\ndealer = "C"'
    assert {take.split()[0] for take in chosen("sharp", "casino", keys)} == {"take"}


def test_a_careful_dealer_takes_two_cards_of_a_patron_in_every_turn() -> None:
    hands = 'A = "QS 4D 7H 9C 2S", B = "3C 3D 8H 5C 6C", C = "TS TD JH JC 2H"'
    keys = f'hands = {{ {hands} }}\nturn = "C"\ndealer = "C"'
    takes = chosen("careful", "casino", keys)
    assert takes == {"take A hand hand", "take B hand hand"}


def test_a_careful_dealer_gives_up_a_number_with_a_card_in_the_pile() -> None:
    keys = 'hands = { C = "4C 4D 9H 9C 2S" }\nstock = "KS QH"\npile = "4H"\nturn = "C"\ndealer = "C"'
    swaps = chosen("careful", "casino", keys, ("C: draw deck 2",))
    assert all("4C=" in swap and "4D=" in swap for swap in swaps)


def test_a_set_is_completed_by_a_swap() -> None:
    keys = 'hands = { A = "4C 4D 4H 9C 2S" }\nstock = "4S KH"\nturn = "A"\ndealer = "C"'
    for name in ("careful", "sharp"):
        swaps = chosen(name, "casino", keys, ("A: draw deck 2",))
        assert all("=4S" in swap for swap in swaps), name


def test_a_number_with_a_card_in_the_pile_is_given_up() -> None:
    keys = 'hands = { A = "4C 4D 9H 9C 2S" }\nstock = "4S 9S"\npile = "4H"\nturn = "A"\ndealer = "C"'
    assert all("=9S" in swap for swap in chosen("sharp", "casino", keys, ("A: draw deck 2",)))


FISH = 'fish = "{}"\nfryer = "{}"\nturn = "A"\nhands = {{ A = "{}" }}'


def test_a_fish_is_solved_by_whoever_can() -> None:
    keys = FISH.format("ugly+dry", "B", "lotion makeup sun blender perfume")
    for pace in ("turns", "realtime"):
        assert chosen("careful", "discount-salmon", keys, pace=pace) == {"play makeup lotion"}
        # The sun changes nothing, and a new card is drawn for it.
        assert chosen("sharp", "discount-salmon", keys, pace=pace) == {"play sun makeup lotion"}


def test_a_fish_that_one_cannot_solve_is_left_to_others_or_made_harder() -> None:
    cards = "sun perfume perfume dog-mask gym-sock"
    left = chosen("careful", "discount-salmon", FISH.format("ugly", "B", cards), pace="turns")
    assert left == {"pass"}
    (curses,) = chosen("sharp", "discount-salmon", FISH.format("ugly", "A", cards), pace="turns")
    assert set(curses.split()[1:]) & {"sun", "dog-mask", "gym-sock"}, "the holder of the fryer gains"


def test_the_cat_takes_a_fish_that_others_would_get() -> None:
    keys = FISH.format("ugly", "B", "andrew perfume lotion antidote fish-costume")
    assert chosen("sharp", "discount-salmon", keys, pace="turns") == {"play andrew"}


def test_careful_beats_random() -> None:
    figures = simulate("go-fish", 4, 120, 3, bots=("careful", "random"))
    wins = figures["wins"]
    assert wins[0] + wins[2] > 2 * (wins[1] + wins[3])


LEVELS = [("careful", "random"), ("sharp", "careful")]


@pytest.mark.slow
@pytest.mark.parametrize(("better", "worse"), LEVELS)
@pytest.mark.parametrize(
    ("kind", "options"),
    [("go-fish", {}), ("one-fish", {}), ("discount-salmon", {"pace": "turns"}), ("discount-salmon", {})],
)
def test_each_level_beats_the_one_below(kind: str, options: dict[str, str], better: str, worse: str) -> None:
    """One among three: a third of the games would be level. docs/bots.md has the real figures."""
    share, games = 0.0, 90
    for number in range(games):
        seat = number % 3
        players = [bot(better if n == seat else worse) for n in range(3)]
        full = game(kind).options(options, 3)
        outcome, _ = play_game(game(kind), full, 3, players, Stream(5, number), 8)
        share += (seat in outcome.winners) / len(outcome.winners)
    assert share / games > 0.36


@pytest.mark.slow
@pytest.mark.parametrize(("better", "worse"), LEVELS)
def test_each_level_beats_the_one_below_in_both_roles_together(better: str, worse: str) -> None:
    """As the Dealer and as the Patrons: half of the games would be level."""
    won, games = 0, 300
    for number in range(games):
        has_dealer = number % 2 == 0
        dealer, patrons = (better, worse) if has_dealer else (worse, better)
        full = game("casino").options({"dealer": "1"}, 3)
        players = [bot(dealer), bot(patrons), bot(patrons)]
        outcome, _ = play_game(game("casino"), full, 3, players, Stream(6, number))
        won += (0 in outcome.winners) == has_dealer
    assert won / games > 0.5


def test_an_unknown_bot_is_refused() -> None:
    with pytest.raises(UnknownBot, match="there are random, careful, sharp"):
        bot("clever")


def test_thinking_takes_a_moment() -> None:
    ask, give = (Action("ask", 1, "9"),), (Action("give", cards=("9C",)),)
    times = [thinking_time(ask, Stream(seed)) for seed in range(50)]
    assert 0.8 <= min(times) < max(times) < 1.5
    assert len(set(times)) > 30
    assert all(thinking_time(give, Stream(seed)) < times[seed] for seed in range(50))


def test_the_time_does_not_tell_how_many_ranks_a_hand_holds() -> None:
    few = (Action("ask", 1, "9"),)
    assert thinking_time(few, Stream(1)) == thinking_time(few * 30, Stream(1))


def test_no_two_bots_keep_the_turn_to_themselves() -> None:
    """Guesses go to everyone: a game of four has turns for all four."""
    left_out = 0
    for number in range(40):
        _, events = play_game(game("go-fish"), {}, 4, [bot("careful")] * 4, Stream(number, "turns"))
        askers = [event.seat for event in events if event.verb == "ask"]
        left_out += len(askers) > 20 and len(set(askers)) < 4
    assert left_out <= 2


def test_in_a_race_nobody_plays_before_having_looked() -> None:
    """The shortest reaction is three fifths of the mean; without one, everybody plays in the first tick."""
    rules = game("discount-salmon")
    full = rules.options({}, 3)
    eager, slow = (
        play_game(rules, full, 3, [bot("random")] * 3, Stream(4), reaction) for reaction in (0, 20)
    )
    assert eager != slow
    looks = Looks(20, Stream(4))
    due = [(tick, seat) for tick in range(40) for seat in looks.due((0, 1, 2))]
    assert sorted(seat for _, seat in due) == [0, 1, 2]
    assert 11 <= min(tick for tick, _ in due) <= max(tick for tick, _ in due) <= 28


def test_news_are_looked_at_sooner_than_nothing() -> None:
    alone, told = Looks(10, Stream(1)), Looks(10, Stream(1))
    seen: dict[str, list[int]] = {"alone": [], "told": []}
    for tick in range(60):
        for name, looks in (("alone", alone), ("told", told)):
            if looks.due((0,)):
                seen[name].append(tick)
        if tick % 5 == 0:
            told.news()
    assert len(seen["told"]) > len(seen["alone"]) >= 2
