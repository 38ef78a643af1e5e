"""The operations of a turn, the options, and the generic checks. The worked examples are scenarios."""

import msgspec
import pytest

from engine import BadOption, Open, Position, Stream, game
from engine.games.go_fish import GoFish
from engine.table import (
    STOCK,
    Coin,
    Complete,
    Completed,
    Disclose,
    Draw,
    Match,
    Mix,
    Move,
    Op,
    Shuffle,
)
from engine.testing import check_game, option_sets
from tests.engine.arranging import arranged, kinds, play, settled

RULES = game("go-fish")


def operations(hands: str, ask: str, **options: object) -> list[Op]:
    """What A's ask leads to, up to the next decision or the end."""
    position, dealer = arranged(hands, **options)
    ops: list[Op] = []
    play(position, dealer, f"A: {ask}", ops)
    return ops


def test_the_deal() -> None:
    position = Position.start(RULES, {}, 3)
    assert position.pending == Coin(3)
    assert position.table.size(STOCK) == 52
    dealer = Open(position, Stream(1))
    ops: list[Op] = []
    settled(position, dealer, ops)
    assert ops[1] == Shuffle(STOCK)
    deal = ops[2]
    assert isinstance(deal, Draw)
    assert [seat for _, seat in deal.draws] == [0, 1, 2] * 5
    assert [slot.n for slot, _ in deal.draws] == list(range(15))
    assert ops[3:] == [
        Complete(seat, "rank", 4, tuple(type(deal.draws[0][0])(f"hand.{seat}", n) for n in range(5)))
        for seat in range(3)
    ]


def test_a_hit() -> None:
    ops = operations("A=9H KD 2C; B=9C 4D 9S; C=5D", "ask B 9")
    assert kinds(ops) == ["Disclose", "Move", "Complete", "Mix"]
    disclose, move, complete, mix = ops
    assert isinstance(disclose, Disclose)
    assert (disclose.seat, disclose.match, disclose.most, len(disclose.slots)) == (
        1,
        Match("rank", "9"),
        None,
        3,
    )
    assert isinstance(move, Move)
    assert (len(move.slots), move.zone) == (2, "hand.0")
    assert isinstance(complete, Complete)
    assert (complete.seat, complete.size, [slot.n for slot in complete.fresh]) == (0, 4, [3, 4])
    assert mix == Mix("hand.0")


def test_a_miss() -> None:
    ops = operations("A=9H KD 2C; B=4D; C=5D", "ask B 9")
    assert kinds(ops) == ["Disclose", "Draw", "Disclose", "Complete", "Mix"]
    draw, reveal, complete = ops[1:4]
    assert isinstance(draw, Draw)
    assert draw.draws[0][1] == 0
    assert isinstance(reveal, Disclose)
    assert (reveal.seat, [slot.n for slot in reveal.slots], reveal.match) == (0, [3], Match("rank", "9"))
    assert isinstance(complete, Complete)
    assert complete.fresh == reveal.slots


def test_a_card_is_disclosed_as_a_whole_face() -> None:
    ops = operations("A=9H KD 2C; B=4D; C=5D", "ask B 9S", ask_mode="card", give_amount="one")
    assert isinstance(ops[0], Disclose)
    assert (ops[0].match, ops[0].most) == (Match("", "9S"), None)


def test_a_hand_too_small_for_a_group_proves_nothing() -> None:
    assert kinds(operations("A=9H KD; B=4D; C=5D", "ask B 9")) == ["Disclose", "Draw", "Disclose", "Mix"]


def test_a_hand_whose_new_cards_were_all_laid_is_not_mixed() -> None:
    ops = operations("A=9H 9D 9C KD QD; B=9S 4D; C=5D", "ask B 9")
    assert kinds(ops) == ["Disclose", "Move", "Complete", "Move"]
    ops = operations("A=9H 4C 4H 4S KD; B=7D; C=5D", "ask B 9")  # a card that may complete the fours, or not
    assert kinds(ops)[:4] == ["Disclose", "Draw", "Disclose", "Complete"]
    assert ("Move" in kinds(ops)) != ("Mix" in kinds(ops))


def test_a_refill_is_drawn_proved_and_mixed() -> None:
    options = {"end_mode": "all_books", "refill_count": "5"}
    ops = operations("A=9H KD 2C; B=9C; C=5D", "ask B 9", **options)
    assert kinds(ops) == ["Disclose", "Move", "Complete", "Mix", "Draw", "Complete", "Mix"]
    assert isinstance(ops[4], Draw)
    assert [seat for _, seat in ops[4].draws] == [1] * 5
    assert ops[6] == Mix("hand.1")
    options["refill_count"] = "1"
    assert kinds(operations("A=9H KD 2C; B=9C; C=5D", "ask B 9", **options))[4:] == ["Draw"]


@pytest.mark.parametrize(
    ("hands", "asks", "idle"),
    [
        ("A=9H KD; B=9C KC 4D; C=5D", ["A: ask B 9", "A: ask B K"], 2),  # two hits in a row
        ("A=9H KD; B=9C KC 4D; C=5D", ["A: ask B 9", "A: ask C 9"], 0),  # a card was drawn
        ("A=9H 9D KD 9S; B=KC 9C 4D; C=5D", ["A: ask B K", "A: ask B 9"], 0),  # a group was laid
        ("A=9H KD; B=9C; C=5D", ["A: ask B 9"], 0),  # a hand was refilled
    ],
)
def test_progress_is_a_card_drawn_or_a_group_laid(hands: str, asks: list[str], idle: int) -> None:
    position, dealer = arranged(hands, end_mode="all_books")
    for ask in asks:
        position = play(position, dealer, ask)
    assert position.state.idle == idle


def test_groups_laid_at_once_are_told_in_order_of_rank() -> None:
    """Whatever the order in which a seat lays them."""
    position, _ = arranged("A=9H KD; B=9C; C=5D", end_mode="all_books", refill_count="5", book_size="2")
    slots = position.table.slots("hand.0")
    faces = [(("K", "D"), ("K", "C")), (("2", "C"), ("2", "D"))]
    state = msgspec.structs.replace(position.state, phase="settle", gainer=0)
    _, events = GoFish().resume(state, Completed((slots[:2], slots[2:4]), tuple(faces)))
    assert [event.words for event in events] == [("2",), ("K",)]


def test_all_options_are_filled_in_in_order() -> None:
    options = RULES.options({"deck": "104", "ranks": " 5 "}, 4)
    assert list(options) == [option.name for option in RULES.info.options]
    assert (options["deck"], options["ranks"], options["hand_size"]) == ("104", "5", "auto")
    assert RULES.options(options, 4) == options


@pytest.mark.parametrize(
    ("chosen", "seats", "sentence"),
    [
        ({}, 1, "Go Fish is for 2 to 6 players, not 1."),
        ({}, 7, "Go Fish is for 2 to 6 players, not 7."),
        ({"end_mod": "x"}, 3, 'Go Fish has no option "end_mod"; did you mean end_mode?'),
        ({"ask_mode": "both"}, 3, 'ask_mode can be rank or card, not "both".'),
        ({"hand_size": "0"}, 3, 'hand_size can be auto or a number from 1 to 51, not "0".'),
        ({"ranks": "14"}, 3, 'ranks can be a number from 3 to 13, not "14".'),
        ({"ranks": "9" * 5000}, 3, f'ranks can be a number from 3 to 13, not "{"9" * 30}…".'),
        ({"ranks": "²"}, 3, 'ranks can be a number from 3 to 13, not "²".'),
        ({"deck": "54"}, 3, "There are only two jokers, so deck=54 needs book_size=2."),
        (
            {"deck": "54", "book_size": "2", "ask_mode": "card"},
            3,
            "deck=54 cannot be played with ask_mode=card.",
        ),
        ({"deck": "104", "ask_mode": "card"}, 3, "deck=104 cannot be played with ask_mode=card."),
        ({"suits": "3"}, 3, "With suits=3 no rank has four cards; choose book_size=2."),
        (
            {"hand_size": "18"},
            3,
            "Dealing 18 cards to each of 3 players leaves no stock of 54 cards; choose a smaller hand_size.",
        ),
        ({"hand_size": "17", "ranks": "5"}, 3, "leaves no stock of 20 cards"),
        ({"allow_ask_own_card": "false"}, 3, "needs ask_mode=card"),
        ({"refill_count": "5"}, 3, "refill_count=5 needs end_mode=all_books"),
        ({"refill_when": "own_turn"}, 3, "refill_when=own_turn needs end_mode=all_books"),
    ],
)
def test_what_cannot_be_is_refused_with_one_sentence(
    chosen: dict[str, str], seats: int, sentence: str
) -> None:
    if "54 cards" in sentence:
        chosen = {**chosen, "deck": "54", "book_size": "2"}
    with pytest.raises(BadOption) as caught:
        RULES.options(chosen, seats)
    assert sentence in str(caught.value)
    assert str(caught.value).endswith((".", "?"))


def test_the_largest_hand_that_leaves_a_stock() -> None:
    assert RULES.options({"hand_size": "17"}, 3)["hand_size"] == "17"  # 51 of 52
    assert Position.start(RULES, {"hand_size": "17"}, 3).deck.cards


def test_books_of_every_pack() -> None:
    for chosen, books in [
        ({}, 13),
        ({"book_size": "2"}, 26),
        ({"book_size": "2", "deck": "54"}, 27),
        ({"deck": "104"}, 26),
        ({"ranks": "5", "suits": "3", "book_size": "2"}, 5),
    ]:
        state = GoFish().start(RULES.options({**chosen, "hand_size": "2"}, 2), 2)
        assert state.settings.most_books == books


def test_every_pair_of_option_values_is_tried() -> None:
    sets = option_sets(RULES, 3)
    pairs = {(a, b) for options in sets for a in options.items() for b in options.items()}
    for wanted in [
        (("deck", "54"), ("scoring", "by_rank")),
        (("refill_when", "own_turn"), ("refill_count", "7")),
        (("suits", "2"), ("deck", "104")),
        (("allow_ask_own_card", "false"), ("end_mode", "all_books")),
    ]:
        assert wanted in pairs
    assert (("deck", "54"), ("ask_mode", "card")) not in pairs


def test_every_pair_of_options_plays_soundly() -> None:
    assert check_game(RULES, games=1, seed=1, seats=(3,)) > 100


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 4, 5, 6])
def test_every_pair_of_options_plays_soundly_at_every_table(seats: int) -> None:
    assert check_game(RULES, games=3, seed=2, seats=(seats,)) > 300
