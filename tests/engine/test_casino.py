"""Casino: the operations of a turn, its options and the positions that it may begin with.

The worked examples are scenarios.
"""

import pytest

from engine import (
    Action,
    BadOption,
    BadSetup,
    Open,
    Outcome,
    Position,
    Stream,
    action_text,
)
from engine.table import (
    STOCK,
    Choose,
    Coin,
    Complete,
    Deed,
    Draw,
    HandOver,
    Mix,
    Move,
    Op,
    Pick,
    Show,
    Shuffle,
    Slot,
)
from tests.engine.arranging import chosen, kinds, scene, until
from tests.engine.casino_rules import LABELS, RULES

FIVE = "P1=9H 8D 7C 6S 5H; D=KC QC JC TC 9C"


def arranged(hands: str, turn: str, more: str = "", **options: object) -> tuple[Position, Open]:
    """A position at its first decision that is no wish."""
    position, dealer = scene("casino", LABELS, hands, turn, more, chosen(options))
    return run(position, dealer, [])[0], dealer


def run(position: Position, dealer: Open, ops: list[Op]) -> tuple[Position, list[Op]]:
    """All that is not decided, wishes for nothing included, up to the next decision."""
    while not isinstance(op := position.pending, Outcome):
        ops.append(op)
        if not isinstance(op, Choose):
            position, _ = position.feed(dealer.resolve(position))
        elif op.wish:
            deeds = [(seat, Deed("ready")) for seat in op.seats]
            position, _ = position.feed(dealer.decided(position, deeds))
        else:
            break
    return position, ops


def act(position: Position, dealer: Open, text: str) -> tuple[Position, list[Op]]:
    """``P1: draw deck 2``, and the operations that follow."""
    label, _, action = text.partition(": ")
    seat = LABELS.index(label)
    deed = position.deed(seat, dealer.hand(position.table, seat), position.parse(action, LABELS))
    position, _ = position.feed(dealer.decided(position, [(seat, deed)]))
    return run(position, dealer, [])


# --- operations ---


def test_the_deal() -> None:
    position = Position.start(RULES, {}, 3)
    assert position.pending == Coin(3)
    dealer = Open(position, Stream(1))
    _, ops = run(position, dealer, [])
    assert ops[1] == Shuffle(STOCK)
    deal = ops[2]
    assert isinstance(deal, Draw)
    assert [seat for _, seat in deal.draws] == [0, 1, 2] * 5
    assert [slot.n for slot, _ in deal.draws] == list(range(15))
    completes = [op for op in ops if isinstance(op, Complete)]
    assert [(op.seat, op.attribute, op.size, len(op.fresh)) for op in completes] == [
        (seat, "rank", 4, 5) for seat in range(3)
    ]
    assert not [op for op in ops if isinstance(op, Mix)]


def test_a_dealer_who_is_chosen_is_not_drawn() -> None:
    position = Position.start(RULES, {"dealer": "2"}, 3)
    assert position.pending == Shuffle(STOCK)
    position, _ = run(position, Open(position, Stream(1)), [])
    assert (position.state.dealer, position.state.turn) == (1, 2)


def test_a_turn_of_a_patron() -> None:
    position, dealer = arranged("P1=QS 4D 7H 9C 2S", "P1", 'stock = "5C 4S"')
    position, ops = act(position, dealer, "P1: draw deck 2")
    assert kinds(ops) == ["Show", "Move", "Choose"]
    assert ops[1] == Move((Slot(STOCK, 0), Slot(STOCK, 1)), "table")
    assert ops[2] == Choose((0,), "swap")
    position, ops = act(position, dealer, "P1: swap QS=5C 4D=4S")
    assert kinds(ops) == ["Move", "Move", "Complete", "Mix", "Move", "Choose", "Choose"]
    complete = ops[2]
    assert isinstance(complete, Complete)
    assert [slot.n for slot in complete.fresh] == [5, 6]
    assert ops[3] == Mix("hand.0")
    assert isinstance(ops[4], Move)
    assert ops[4].zone == "pool"
    assert ops[5] == Choose((0, 1), "ready", wish=True)
    assert ops[6] == Choose((1,), "draw")


def test_a_patron_with_nothing_to_swap_is_asked_all_the_same() -> None:
    position, dealer = arranged("P1=QS 4S 7C 9C 2S", "P1", 'stock = "5D TH"')
    position, ops = act(position, dealer, "P1: draw deck 2")
    assert ops[-1] == Choose((0,), "swap")
    assert position.choices(0, dealer.hand(position.table, 0)) == (Action("keep"),)


def test_a_hand_that_got_nothing_is_neither_proved_nor_mixed() -> None:
    position, dealer = arranged("P1=QS 4D 7H 9C 2S", "P1", 'stock = "5C 4S"')
    position, _ = act(position, dealer, "P1: draw deck 2")
    _, ops = act(position, dealer, "P1: keep")
    assert kinds(ops) == ["Move", "Choose", "Choose"]


def test_a_blind_steal() -> None:
    position, dealer = arranged(FIVE, "D", "coin = [3, 0]")
    position, ops = act(position, dealer, "D: take P1 table hand")
    assert kinds(ops) == ["Pick", "HandOver", "Show", "Move", "Mix", "Choose"]
    assert ops[0] == Pick(2, "hand.0", 2)
    assert ops[1] == HandOver((Slot("hand.0", 3),), 2)
    assert ops[2] == Show((Slot("hand.0", 0),))
    assert ops[4] == Mix("hand.2")
    assert ops[5] == Choose((2,), "keep")
    position, ops = act(position, dealer, "D: keep 6S 9H KC QC JC")
    assert kinds(ops) == ["Move", "Choose"]  # 9H lay face up; settled only when the hidden leftovers are gone
    position, ops = act(position, dealer, "D: hand back")
    assert kinds(ops)[:5] == ["HandOver", "Complete", "Mix", "Complete", "Mix"]
    assert isinstance(ops[1], Complete)
    assert (ops[1].seat, len(ops[1].fresh)) == (2, 5)
    assert isinstance(ops[3], Complete)
    assert (ops[3].seat, [slot.n for slot in ops[3].fresh]) == (0, [5, 6])


def test_the_kept_cards_of_a_mixed_hand_need_no_second_mix() -> None:
    position, dealer = arranged(FIVE, "D", "coin = [3, 0]")
    position, _ = act(position, dealer, "D: take P1 hand hand")
    position, _ = act(position, dealer, "D: keep 6S 9H KC QC JC")
    _, ops = act(position, dealer, "D: discard")
    assert kinds(ops)[:2] == ["Move", "Complete"]
    assert Mix("hand.2") not in ops


def test_named_cards_of_an_open_hand_are_moved_in_public() -> None:
    position, dealer = arranged(FIVE, "D", 'exposed = ["P1"]')
    _, ops = act(position, dealer, "D: take P1 9H hand 8D table")
    assert ops[:2] == [Move((Slot("hand.0", 0),), "hand.2"), Move((Slot("hand.0", 1),), "table")]


def test_an_open_hand_draws_back_openly_and_is_not_mixed() -> None:
    position, dealer = arranged("P1=4C 4D 4H 9C 2S", "P1", 'stock = "4S 5C 6D 7H 8S"\nexposed = ["P1"]')
    position, _ = act(position, dealer, "P1: draw deck 1")
    _, ops = act(position, dealer, "P1: swap 9C=4S")
    assert kinds(ops) == [
        "Move",
        "Move",
        "Complete",
        "Move",
        "Show",
        "Move",
        "Complete",
        "Move",
        "Choose",
        "Choose",
    ]


def test_only_those_who_may_wish_for_something_are_ready() -> None:
    position, dealer = arranged("", "P1", 'exposed = ["P2"]')
    assert position.state.exposed == (1,)
    position, dealer = scene("casino", LABELS, "", "P1", 'exposed = ["P1", "P2"]')
    position = until(Choose, position, dealer)
    assert position.pending == Choose((0,), "ready", wish=True)
    assert position.choices(0, dealer.hand(position.table, 0)) == (Action("ready"), Action("conceal"))


def test_the_first_action_is_the_simplest() -> None:
    position, dealer = arranged(FIVE, "P1", 'pool = "2C 3C"')
    legal = position.choices(0, dealer.hand(position.table, 0))
    assert [action_text(action, LABELS) for action in legal] == [
        "draw deck 2",
        "draw deck 1",
        "draw pool 2C",
        "draw pool 3C",
        "draw pool 2C 3C",
    ]
    position, _ = act(position, dealer, "P1: draw pool 2C 3C")
    legal = position.choices(0, dealer.hand(position.table, 0))
    assert [action_text(action, LABELS) for action in legal] == [
        "keep",
        "swap 6S=2C",
        "swap 7C=2C",
        "swap 6S=3C",
        "swap 7C=3C",
        "swap 6S=2C 7C=3C",
        "swap 7C=2C 6S=3C",
    ]


def test_the_dealer_may_swap_and_keep_anything() -> None:
    position, dealer = arranged(FIVE, "D", "coin = [0, 1]")
    swapping, _ = act(position, dealer, "D: draw deck 2")
    assert len(swapping.choices(2, dealer.hand(swapping.table, 2))) == 1 + 10 + 20
    position, dealer = arranged(FIVE, "D", "coin = [0, 1]")
    keeping, _ = act(position, dealer, "D: take P1 hand hand")
    assert len(keeping.choices(2, dealer.hand(keeping.table, 2))) == 21


def test_settled_hands_are_at_most_five_unless_the_dealer_is_choosing() -> None:
    position, dealer = arranged(FIVE, "D", "coin = [0, 1]")
    assert position.state.unsettled == ()
    position, _ = act(position, dealer, "D: take P1 hand hand")
    assert position.state.unsettled == (2,)


# --- options and set-ups ---


def test_all_options_are_filled_in_in_order() -> None:
    options = RULES.options({"dealer": " 3 ", "tie": "PUSH"}, 3)
    assert list(options) == [option.name for option in RULES.info.options]
    assert (options["dealer"], options["tie"], options["scoring"]) == ("3", "push", "team")


@pytest.mark.parametrize(
    ("chosen", "seats", "sentence"),
    [
        ({}, 1, "Casino Go Fish is for 2 to 6 players, not 1."),
        ({}, 7, "Casino Go Fish is for 2 to 6 players, not 7."),
        ({"dealer": "4"}, 3, "dealer=4 is no seat of this table: it has 3 seats, counted from 1."),
        ({"dealer": "7"}, 6, 'dealer can be random or a number from 1 to 6, not "7".'),
        ({"tie": "house"}, 3, 'tie can be dealer_wins or push, not "house".'),
        ({"ties": "push"}, 3, "did you mean tie?"),
    ],
)
def test_what_cannot_be_is_refused_with_one_sentence(
    chosen: dict[str, str], seats: int, sentence: str
) -> None:
    with pytest.raises(BadOption) as caught:
        RULES.options(chosen, seats)
    assert sentence in str(caught.value)


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ('exposed = ["D"]', "The Dealer's hand never lies open."),
        ('exposed = ["X"]', "There is no seat X."),
        ('exposed = "P1"', "exposed is a list of seats."),
        ("pool = 3", "pool is a text with cards."),
        ('pool = "9X"', "is not a card"),
        ("books = { P1 = 14 }", "books cannot be filled"),
        ('books = "7"', "books gives each seat"),
        ('dealer = "X"', "There is no seat X."),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_one_sentence(more: str, sentence: str) -> None:
    with pytest.raises(BadSetup) as caught:
        arranged("", "P1", more)
    assert sentence in str(caught.value)
