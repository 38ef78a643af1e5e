"""The operations of a turn of One Fish, its options, and whole games.

The worked examples are scenarios; ``test_one_fish_texts`` and ``test_one_fish_deeds`` have what players write
and what peers refuse.
"""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    Action,
    BadOption,
    Open,
    Outcome,
    Position,
    Stream,
    bot,
    game,
    play_game,
    seat_letters,
)
from engine.games.one_fish import OneFish
from engine.games.one_fish_text import STAR_MATCH
from engine.table import (
    STOCK,
    Choose,
    Coin,
    Deed,
    Disclose,
    Draw,
    HandOver,
    Holds,
    Match,
    Mix,
    Move,
    Op,
    Result,
    Shuffle,
    Slot,
)
from engine.testing import check_game, transcript
from tests.engine.arranging import LABELS, fishing, kinds, play, settled

RULES = game("one-fish")
DECK = RULES.deck(RULES.options({}, 3))
ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "golden" / "engine" / "one_fish.txt"


def operations(hands: str, *texts: str, stock: str = "") -> list[Op]:
    """What these actions lead to, decisions left out."""
    position, dealer = fishing(hands, stock)
    ops: list[Op] = []
    for text in texts:
        position = play(position, dealer, text, ops)
    return ops


# --- the operations ---------------------------------------------------------------------------------------


def test_the_deal() -> None:
    position = Position.start(RULES, {}, 3)
    assert position.pending == Coin(3)
    assert position.table.size(STOCK) == 50
    ops: list[Op] = []
    dealer = Open(position, Stream(1))
    settled(position, dealer, ops)
    assert kinds(ops) == ["Coin", "Shuffle", "Draw"]
    assert isinstance(ops[2], Draw)
    assert [seat for _, seat in ops[2].draws] == [0, 1, 2] * 5
    assert Position.start(RULES, {"first": "2"}, 3).pending == Shuffle(STOCK)


def test_a_colour_is_given_openly_and_moves_as_a_public_card() -> None:
    ops = operations("A=R2 B5; B=B1 G4", "A: ask B blue", "A: lay B1+B5")
    assert kinds(ops) == ["Disclose", "Move", "Move"]
    disclose, take, stack = ops
    assert isinstance(disclose, Disclose)
    assert (disclose.match, disclose.most, disclose.attributes) == (Match("colour", "B"), 1, ())
    assert isinstance(take, Move)
    assert (len(take.slots), take.zone) == (1, "hand.0")
    assert isinstance(stack, Move)
    assert (len(stack.slots), stack.zone) == (2, "books.0")


def test_of_a_number_only_the_number_is_shown_and_the_rest_is_handed_over() -> None:
    ops = operations("A=R2 B5; B=G2 Y2 B1", "A: ask B 2", "A: lay R2+G2")
    assert kinds(ops) == ["Disclose", "HandOver", "Move", "Mix"]
    disclose, hand_over, _, mix = ops
    assert isinstance(disclose, Disclose)
    assert (disclose.match, disclose.most, disclose.attributes) == (Match("number", "2"), None, ("number",))
    assert isinstance(hand_over, HandOver)
    assert (len(hand_over.slots), hand_over.to) == (2, 0)
    assert mix == Mix("hand.0")


def test_a_hand_of_which_nothing_new_is_kept_is_not_mixed() -> None:
    assert kinds(operations("A=R2 B5 Y4; B=G2 B1", "A: ask B 2", "A: lay R2+G2"))[1:] == ["HandOver", "Move"]
    assert "Mix" not in kinds(
        operations("A=R2 B5 Y4; B=G4", "A: ask B blue", "A: pick", "A: lay B1+B5", stock="B1")
    )


def test_a_miss_is_answered_after_a_fixed_time_and_then_mixed() -> None:
    position, dealer = fishing("A=R2 B5; B=G4", "R6 Y4")
    ops: list[Op] = []
    position = play(position, dealer, "A: ask B blue", ops)
    assert position.pending == Choose((0,), "pick")
    position = play(position, dealer, "A: pick 2", ops)
    assert position.pending == Choose((0,), "lay or decline", delayed=True)
    position = play(position, dealer, "A: decline", ops)
    assert kinds(ops) == ["Disclose", "Draw", "Disclose", "Mix"]
    draw, reveal = ops[1:3]
    assert isinstance(draw, Draw)
    assert draw.draws == ((Slot(STOCK, 1), 0),)
    assert isinstance(reveal, Disclose)
    assert (reveal.seat, len(reveal.slots), reveal.match, reveal.attributes) == (
        0,
        1,
        Match("colour", "B"),
        (),
    )
    assert position.state.turn == 1


def test_to_decline_is_offered_first_whatever_the_hand_holds() -> None:
    """What a program does by itself, and how long it seems to think, must not depend on hidden cards."""
    for stock in ("R6", "Y1", "*"):
        position, dealer = fishing("A=R2 B5; B=G4", stock)
        for text in ("A: ask B blue", "A: pick"):
            position = play(position, dealer, text)
        legal = RULES.legal(dealer.view(position, 0))
        assert legal[0] == Action("decline")
        assert len(legal) == 1 + (stock == "R6")


def test_what_an_ask_proves() -> None:
    position, _ = fishing("A=R2 * B5; B=G4")
    for value, match in [("2", Match("number", "2")), ("red", Match("colour", "R")), ("3*", STAR_MATCH)]:
        assert position.claims(0, Deed("ask", 1, value)) == (Holds("hand.0", match),)


def test_nothing_is_proved_of_a_lay_or_a_decline() -> None:
    position, dealer = fishing("A=R2 B5; B=G4", "R6")
    for text in ("A: ask B blue", "A: pick"):
        position = play(position, dealer, text)
    for deed in (Deed("decline"), Deed("lay", shown=(0, 2))):
        assert position.claims(0, deed) == ()


def test_the_colours_of_kept_cards_stay_between_the_two() -> None:
    position, dealer = fishing("A=R2 B5; B=G2 Y2 B1")
    for text in ("A: ask B 2", "A: lay R2+G2"):
        position = play(position, dealer, text)
    known = {seat: dealer.view(position, seat).known.get("hand.0", ()) for seat in range(3)}
    assert known[1] == (("2", "Y"),)
    assert known[0] == known[2] == (("2", None),)
    assert position.view(-1, {}).known["hand.0"] == (("2", None),)


# --- options ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("stars", "cards"), [("1", 49), ("2", 50), ("3", 51), ("4", 52)])
@pytest.mark.parametrize("seats", range(2, 7))
def test_the_pond_after_the_deal(stars: str, cards: int, seats: int) -> None:
    position = Position.start(RULES, {"stars": stars}, seats)
    dealer = Open(position, Stream(2))
    position = settled(position, dealer)
    assert position.table.size(STOCK) == cards - 5 * seats


def test_options_are_filled_in() -> None:
    assert RULES.options({"stars": " 3 "}, 4) == {"stars": "3", "first": "random"}
    assert RULES.options({"first": "4"}, 4)["first"] == "4"


@pytest.mark.parametrize(
    ("chosen", "seats", "sentence"),
    [
        ({}, 1, "One Fish Two Fish Red Fish Go Fish is for 2 to 6 players, not 1."),
        ({}, 7, "One Fish Two Fish Red Fish Go Fish is for 2 to 6 players, not 7."),
        ({"stars": "5"}, 3, 'stars can be 2, 1, 3 or 4, not "5".'),
        ({"first": "youngest"}, 3, 'first can be random or a number from 1 to 6, not "youngest".'),
        ({"first": "0"}, 3, 'first can be random or a number from 1 to 6, not "0".'),
        ({"first": "4"}, 3, "first=4 is a place that nobody has: there are 3 players."),
        ({"deck": "52"}, 3, "has no option"),
    ],
)
def test_what_cannot_be_is_refused_with_one_sentence(
    chosen: dict[str, str], seats: int, sentence: str
) -> None:
    with pytest.raises(BadOption) as caught:
        RULES.options(chosen, seats)
    assert sentence in str(caught.value)


# --- whole games --------------------------------------------------------------------------------------------


def test_every_pair_of_options_plays_soundly() -> None:
    assert check_game(RULES, games=1, seed=1, seats=(2, 4, 6)) == 8 + 8 + 12


@pytest.mark.slow
@pytest.mark.parametrize("seats", range(2, 7))
def test_every_pair_of_options_plays_soundly_many_times(seats: int) -> None:
    assert check_game(RULES, games=6, seed=2, seats=(seats,)) >= 48


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 6), st.sampled_from("1234"))
def test_no_card_is_lost_and_every_game_ends(seed: int, seats: int, stars: str) -> None:
    rng = Stream(seed)
    position = Position.start(RULES, {"stars": stars}, seats)
    dealer = Open(position, rng)
    for _ in range(5000):
        laid = RULES.report(position.state).scores
        sizes = [position.table.size(zone) for zone in (STOCK, *(f"hand.{seat}" for seat in range(seats)))]
        assert sum(laid) + sum(sizes) == len(position.deck)
        op = position.pending
        if isinstance(op, Outcome):
            assert op.scores == laid
            assert all(score % 2 == 0 for score in laid)
            assert sizes[0] == 0
            return
        if isinstance(op, Choose):
            view = dealer.view(position, op.seats[0])
            action = rng.choice(RULES.legal(view))
            result: Result = dealer.decided(position, [(op.seats[0], RULES.deed(view, action))])
        else:
            result = dealer.resolve(position)
        position, _ = position.feed(result)
    raise AssertionError("The game does not end.")


def test_pairs_laid_in_a_game_are_pairs() -> None:
    """Two cards alike in number or colour, or a star and a fish."""
    for seed in range(20):
        _, events = play_game(RULES, RULES.options({"stars": "4"}, 4), 4, [bot("random")] * 4, Stream(seed))
        words = [word for event in events if event.verb == "lay" for word in event.words]
        assert words
        for word in words:
            a, b = (DECK.parse(card) for card in word.split("+"))
            assert ("*" in a) != ("*" in b) or a[0] == b[0] != "*" or a[1] == b[1] != "*"


def test_the_transcript_of_a_game() -> None:
    """To renew it after an intended change: write these lines to the file, and read the difference."""
    lines = list(transcript(RULES, {"stars": "3"}, 3, [bot("random")] * 3, 66))
    assert lines == GOLDEN.read_text("utf-8").splitlines()


def rows(text: str, header: str) -> set[str]:
    """The first code of each line of the tables with this header."""
    tables = re.findall(re.escape(header) + r"\n\|[-|]+\|\n((?:\|.*\n)+)", text)
    return {line.split("`")[1] for table in tables for line in table.splitlines()}


def test_the_documented_ids_are_those_of_the_code() -> None:
    """docs/scenarios.md is normative: its tables and the code name the same events, reasons and ends."""
    shared, _, section = (ROOT / "docs" / "scenarios.md").read_text("utf-8").partition("\n## One Fish\n")
    section = section.split("\n## ")[0]
    files = sorted((ROOT / "engine" / "games").glob("one_fish*.py"))
    code = "".join(file.read_text("utf-8") for file in files)

    events = {text.split(": ")[-1] for text in rows(section, "| event | meaning |")}
    told = {
        verb
        for verb in RULES.info.verbs
        if any(text == verb or text.startswith(verb + " ") for text in events)
    }
    assert told == set(RULES.info.verbs) - {"pick"}  # a decision, never an event
    ends = rows(section, "| reason of `over` | meaning |")
    assert ends == set(re.findall(r'_end\(s, "([\w-]+)"', code))
    reasons = rows(section, "| id | words | meaning |")
    written = set(re.findall(r'"([a-z]+(?:-[a-z]+)+)"', code)) - ends - {RULES.info.id}
    assert reasons - {"must-give"} <= written
    assert written <= reasons | rows(shared, "| id | words | meaning |")


def test_the_rules_have_no_state_of_their_own() -> None:
    assert vars(OneFish()) == {}
    assert seat_letters(3) == LABELS
