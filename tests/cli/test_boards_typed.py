"""What people type in each game, as they say it, and what they are told when it means nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cli.boards.salmon import SalmonBoard
from cli.boards.salmon_hand import NumberedHand
from cli.lines import Ask, NotUnderstood, read_line
from engine.contract import Action, Event
from p2p.session import YourMove
from tests.cli.open_table import OpenTable
from tests.cli.test_race_lines import RaceTable

SEATS = ("Ann", "Ben", "Cy")


def asked(name: str, wanted: Callable[[OpenTable, YourMove], bool], me: int = 0, **options: str) -> OpenTable:
    """A game at the first decision of seat ``me`` that fits."""
    for seed in range(40):
        table = OpenTable(name, seed=seed, me=me, options=options)
        for telling, _ in table.play(400):
            if isinstance(telling, YourMove) and wanted(table, telling):
                return table
    raise AssertionError("no such decision in forty games")


def verbs(move: YourMove) -> set[str]:
    return {action.verb for action in move.actions}


def read(table: OpenTable, line: str) -> Any:
    return read_line(line, table.show.game, table.view(), table.show.actions)


def refused(table: OpenTable, line: str) -> str:
    with pytest.raises(NotUnderstood) as caught:
        read(table, line)
    return str(caught.value)


# --- One Fish -------------------------------------------------------------------------------------


def holds_star(table: OpenTable, move: YourMove) -> bool:
    return "ask" in verbs(move) and any(action.value.endswith("via star") for action in move.actions)


@pytest.fixture(scope="module")
def one_fish() -> OpenTable:
    return asked("one-fish", holds_star)


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("ask ben blue", "blue"), ("ask Ben for blues", "blue"), ("ask 2 3", "3"), ("ask ben threes", "3"),
        ("ask ben for any three fish", "3"), ("ask ben three via star", "3 via star"),
        ("ask ben 3 with my star", "3 via star"), ("ask ben green using a star", "green via star"),
        ("ask be sixes", "6"), ("ask ben B", "blue"),
    ],
)  # fmt: skip
def test_asks_of_one_fish(one_fish: OpenTable, line: str, value: str) -> None:
    assert read(one_fish, line) == Action("ask", 1, value)


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("ask", "Whom, and for what? For example: ask "),
        ("ask ben", "For what? For example: ask "),
        ("ask ann red", "You cannot ask yourself; ask Ben or Cy."),
        ("ask zoe red", "There is no player zoe here"),
        ("ben reds", "Did you mean: ask Ben red"),
        ("red ben", "Did you mean: ask Ben red"),
        ("threes", "Whom, Ben or Cy? For example: ask Ben 3"),
        ("ask ben purple", "For example: ask "),
        ("pick 3", "you can type: ask "),
        ("lay R2+G2", "you can type: ask "),
    ],
)
def test_what_is_wrong_with_an_ask_of_one_fish(one_fish: OpenTable, line: str, part: str) -> None:
    assert part in refused(one_fish, line)


def test_a_number_and_a_colour_together_are_refused_by_the_rules(one_fish: OpenTable) -> None:
    action = read(one_fish, "ask ben two and red")
    assert action.target == 1
    assert action not in one_fish.show.actions


def test_the_pond_of_one_fish() -> None:
    table = asked("one-fish", lambda _, move: "pick" in verbs(move))
    assert read(table, "pick") == Action("pick", value="1")
    assert read(table, "pick 7") == Action("pick", value="7")
    assert "pick" in refused(table, "pick seven of them")
    assert table.show.game.prompt(table.view(), table.show.actions, None) == "Pick> "


def test_pairs_of_one_fish_in_letters_and_in_words() -> None:
    table = asked("one-fish", lambda _, move: "lay" in verbs(move))
    action = next(action for action in table.show.actions if action.verb == "lay")
    first, second = action.cards[0].split("+")
    if "*" not in action.cards[0]:
        colours = {"R": "red", "B": "blue", "Y": "yellow", "G": "green"}
        numbers = dict(zip("123456", ("one", "two", "three", "four", "five", "six"), strict=True))
        words = [f"{colours[card[0]]} {numbers[card[1]]}" for card in (first, second)]
        assert read(table, f"lay {words[0]} + {words[1]}") == action
    assert read(table, f"lay {first.lower()}+{second.lower()}") == action
    assert read(table, f"lay {first} {second}") == action
    assert "For example" in refused(table, "lay zebra+zebra")


# --- Casino ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("draw deck 2", Action("draw deck", value="2")), ("draw 2", Action("draw deck", value="2")),
        ("deck 1", Action("draw deck", value="1")), ("draw deck two", Action("draw deck", value="2")),
        ("draw two", Action("draw deck", value="2")),
        ("draw pool QS 4D", Action("draw pool", cards=("4D", "QS"))),
        ("pool q♠", Action("draw pool", cards=("QS",))), ("draw QS", Action("draw pool", cards=("QS",))),
    ],
)  # fmt: skip
def test_draws_of_casino(line: str, action: Action) -> None:
    table = asked("casino", lambda _, move: "draw deck" in verbs(move))
    assert read(table, line) == action


def test_what_the_dealer_of_casino_takes() -> None:
    table = asked("casino", lambda _, move: "take" in verbs(move))
    assert read(table, "take ben hand table") == Action("take", 1, cards=("hand", "table"))
    assert read(table, "take Ben h t") == Action("take", 1, cards=("hand", "table"))
    assert "From whom?" in refused(table, "take")
    assert "hand or table" in refused(table, "take ben both")


def test_swaps_of_casino_in_either_order() -> None:
    table = asked("casino", lambda _, move: "swap" in verbs(move))
    action = next(action for action in table.show.actions if action.verb == "swap")
    mine, drawn = action.cards[0].split("=")
    for line in (f"{mine}={drawn}", f"{mine} for {drawn}", f"{drawn}={mine}", f"{mine} {drawn}"):
        assert read(table, f"swap {line}") == action
    assert "names a card of your hand and one you drew" in refused(table, f"swap {mine}")
    assert read(table, "keep") == Action("keep")


def test_words_of_casino_that_are_also_commands() -> None:
    table = asked("casino", lambda _, move: "hand back" in verbs(move))
    assert read(table, "hand back") == Action("hand back")
    assert read(table, "hand") == Ask("hand")
    assert read(table, "sets") == Ask("sets")


def test_a_wish_of_casino_at_any_time() -> None:
    table = asked("casino", lambda _, move: "draw deck" in verbs(move) and "take" not in verbs(move))
    game, view = table.show.game, table.view()
    is_open = 0 in view.state.exposed
    for line, is_possible in (("expose", not is_open), ("conceal", is_open)):
        if is_possible:
            assert read_line(line, game, view, ()) == Action(line)
        else:
            assert "hand" in refused(table, line)
    dealer = asked("casino", lambda _, move: "take" in verbs(move))
    assert refused(dealer, "expose") == "The Dealer's hand never lies open."


# --- Discount Salmon ------------------------------------------------------------------------------


@pytest.fixture
def race() -> OpenTable:
    return asked("discount-salmon", lambda _, move: "play" in verbs(move) and len(move.view.hand) == 5)


def numbered(table: OpenTable) -> NumberedHand:
    game = table.show.game
    assert isinstance(game, SalmonBoard)
    return game.numbered


def test_cards_of_a_race_by_number_and_by_the_beginning_of_a_name(race: OpenTable) -> None:
    places = numbered(race).places(race.view())
    assert read(race, "1") == Action("play", cards=(places[0],))
    assert read(race, "play 1 3") == Action("play", cards=(places[0], places[2]))
    assert read(race, "13") == Action("play", cards=(places[0], places[2]))
    assert read(race, f"p {places[1]}") == Action("play", cards=(places[1],))
    assert read(race, "play antidote perf") == Action("play", cards=("antidote", "perfume"))
    assert read(race, "play dog mask, nuclear waste") == Action("play", cards=("dog-mask", "nuclear-waste"))


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("9", "Your cards have the numbers 1 2 3 4 5."),
        ("11", "Card 1 is there only once."),
        ("play", "Which cards? For example: play "),
        ("play zebra", '"zebra" is no card of this game.'),
        ("drop 1 2", "you can type: play "),
        ("zebra", "is no command"),
    ],
)
def test_what_is_wrong_with_a_play(race: OpenTable, line: str, part: str) -> None:
    assert part in refused(race, line)


def test_a_beginning_of_two_names_asks_for_one_letter_more(race: OpenTable) -> None:
    view, hand = race.view(), numbered(race)
    cards = {slot: (text,) for slot, text in zip(view.hand, ("makeup", "mustache"), strict=False)}
    held = type(view)(view.state, view.seat, view.deck, cards, None)
    assert hand.fitting("m", held) == ["makeup", "mustache"]
    with pytest.raises(NotUnderstood, match="m could be makeup or mustache; type one more letter"):
        hand.read(["m"], held)
    assert hand.read(["mu"], held) == ("mustache",)


def test_cards_keep_their_numbers_in_a_race(race: OpenTable) -> None:
    game, view = race.show.game, race.view()
    hand = numbered(race)
    before = list(hand.places(view))
    slot, face = next((slot, face) for slot, face in view.hand.items() if before.index(face[0]) == 2)
    less = type(view)(
        view.state, view.seat, view.deck, {s: f for s, f in view.hand.items() if s != slot}, None
    )
    assert hand.places(less) == [*before[:2], "", *before[3:]]
    assert "3 " not in game.hand_line(less)
    more = type(view)(view.state, view.seat, view.deck, {**less.hand, slot: ("sun",)}, None)
    assert hand.places(more) == [*before[:2], "sun", *before[3:]]
    assert face[0] == before[2]


def test_flips_and_what_is_put_away() -> None:
    table = asked("discount-salmon", lambda _, move: "flip" in verbs(move))
    assert read(table, "flip") == Action("flip", value="1")
    assert read(table, "flip 7") == read(table, "7") == Action("flip", value="7")
    table = asked("discount-salmon", lambda _, move: "drop" in verbs(move))
    places = numbered(table).places(table.view())
    assert read(table, "drop 1 2") == read(table, "1 2") == Action("drop", cards=tuple(places[:2]))


def test_a_game_in_turns_asks_and_can_be_passed() -> None:
    table = asked("discount-salmon", lambda _, move: "pass" in verbs(move), pace="turns")
    assert read(table, "pass") == Action("pass")
    asked_for = [line.text for line in table.show.log if line.kind == "turn"][-1]
    assert asked_for.startswith("Your turn: play cards, or pass. The fish is ")
    assert "pass" in table.show.hints(table.view())


# --- what is shown of the possible ------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["go-fish", "one-fish", "casino"])
def test_the_help_names_somebody_at_the_table_and_not_oneself(name: str) -> None:
    table = OpenTable(name, seed=1, me=1)
    text = "\n".join(table.show.game.help(table.view(), ()))
    assert " Ann " in text
    assert "Ben" not in text
    assert "{" not in text


def test_a_star_that_is_known_is_called_so() -> None:
    board = OpenTable("one-fish", seed=1).show.game
    assert board.held(["*", "R2", "3?"]) == "R2, one star, one three"
    assert board.held(["*", "*"]) == "two stars"


def test_many_ways_to_keep_cards_are_one_line() -> None:
    def must_keep(table: OpenTable, move: YourMove) -> bool:
        return len([action for action in move.actions if action.verb == "keep"]) > 12

    for me in range(3):
        try:
            table = asked("casino", must_keep, me=me)
            break
        except AssertionError:
            continue
    (line,) = table.show.hints(table.view())
    assert ", or any other 5 of these: " in line
    assert line.split(",")[0] in [table.show.action(action) for action in table.show.actions]
    assert refused(table, "keep").startswith("Which cards? For example: keep ")


def test_the_hint_of_a_race_names_the_cards_that_count() -> None:
    table = RaceTable()
    table.begin()
    texts = [table.view().deck.text(face) for face in table.view().hand.values()]
    cured = {
        "perfume": "stinky",
        "makeup": "ugly",
        "lotion": "dry",
        "antidote": "toxic",
        "fish-costume": "not-fish",
    }
    all_problems = tuple(cured.values())
    counting = [text for text in texts if text in cured or text in ("blender", "andrew")]
    _hand, counts, _how = table.show.game.hints(
        table.at(problems=all_problems, is_first_tick=False), table.actions
    )
    for text in texts:
        assert (table.show.game.name(text) in counts) == (text in counting)


def test_a_card_typed_while_no_fish_is_there_is_no_unknown_command() -> None:
    in_turns = asked("discount-salmon", lambda _, move: "pass" in verbs(move), pace="turns")
    assert in_turns.show.game.sample(in_turns.show.actions).startswith("play ")
    with pytest.raises(NotUnderstood, match="It is not your turn"):
        read_line("1 3", in_turns.show.game, in_turns.view(), ())
    table = OpenTable("discount-salmon", seed=1)
    with pytest.raises(NotUnderstood, match="still being shuffled"):
        read_line("1 3", table.show.game, table.view(), ())
    with pytest.raises(NotUnderstood, match="did you mean help"):
        read_line("hepl", table.show.game, table.view(), ())


def test_what_each_card_does_can_be_read_during_a_race() -> None:
    table = OpenTable("discount-salmon", seed=1)
    assert read(table, "effects") == Ask("effects")
    lines = table.show.answer("effects", table.view())
    assert "lotion (dry)" in lines[0]
    assert "gym sock (stinky)" in lines[1]
    assert len(lines) == 4


def test_who_keeps_a_hand_and_who_chooses_are_told_apart() -> None:
    say = OpenTable("casino", seed=1).show.say
    assert say.event(Event("keep", 1)) == "Ben swaps nothing."
    assert say.event(Event("keep", 1, words=("4", "2C"))) == "Ben chooses the cards to keep."
    assert say.event(Event("keep", 0, words=("5",))) == "You choose the cards to keep."
