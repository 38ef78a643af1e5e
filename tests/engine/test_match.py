"""Positions: decisions, their public forms, and what everybody refuses."""

from typing import Any

import pytest

from engine import (
    Action,
    BadAction,
    Deck,
    Face,
    IllegalAction,
    Open,
    Outcome,
    Position,
    Reason,
    Stream,
    game,
    replay,
)
from engine.choice import slots_to_lay, ways_to_lay
from engine.table import (
    Choose,
    Complete,
    Completed,
    Deed,
    Deeds,
    Disclose,
    Done,
    Holds,
    Lacks,
    Match,
    Slot,
    hand_of,
)
from tests.engine.arranging import arranged, asked, slots_of, until

RULES = game("go-fish")


def test_only_the_right_kind_of_result_is_taken() -> None:
    position = Position.start(RULES, {}, 3)
    for wrong in (Done(), Deeds(()), Completed((), ())):
        with pytest.raises(ValueError, match="is no result of Coin"):
            position.feed(wrong)


def test_feeding_changes_nothing_of_the_position_before() -> None:
    position, dealer = arranged("A=9H KD; B=9C 4D; C=5D")
    before = (position.table.zones, position.pending, position.state)
    deed = position.deed(0, dealer.hand(position.table, 0), Action("ask", 1, "9"))
    after, _ = position.feed(Deeds(((0, deed),)))
    assert (position.table.zones, position.pending, position.state) == before
    assert after.state != position.state


def test_seats_that_are_not_asked_have_nothing_to_decide() -> None:
    position, dealer = arranged("A=9H KD; B=9C 4D; C=5D")
    for seat in (1, 2):
        hand = dealer.hand(position.table, seat)
        assert position.choices(seat, hand) == ()
        assert position.refuse(seat, Deed("ask", 0, "9")) == Reason("not-your-turn")
        with pytest.raises(IllegalAction, match="not-your-turn"):
            position.deed(seat, hand, Action("ask", 0, "9"))


def test_legal_asks_are_in_order_of_seats_and_ranks() -> None:
    position, dealer = arranged("A=9H KD 2C; B=9C 4D; C=5D", turn="A")
    actions = position.choices(0, dealer.hand(position.table, 0))
    assert [(a.target, a.value) for a in actions] == [(t, r) for t in (1, 2) for r in "29K"]


@pytest.mark.parametrize(
    ("deed", "reason"),
    [
        (Deed("ask", 1, "9"), None),
        (Deed("pass"), "no-such-action"),
        (Deed("ask", 3, "9"), "no-such-seat"),
        (Deed("ask", -1, "9"), "no-such-seat"),
        (Deed("ask", 2**80, "9"), "no-such-seat"),
        (Deed("ask", 0, "9"), "own-seat"),
        (Deed("ask", 1, "10"), "no-such-rank"),
        (Deed("ask", 1, "k"), "no-such-rank"),
        (Deed("ask", 1, "9H"), "no-such-rank"),
        (Deed("ask", 1, ""), "no-such-rank"),
        (Deed("ask", 1, "9", ((0,),)), "malformed"),
        (Deed("ask", 1, "9", ((),)), "malformed"),
    ],
)
def test_asks_that_everybody_refuses(deed: Deed, reason: str | None) -> None:
    position, _ = arranged("A=9H KD; B=9C 4D; C=5D")
    refused = position.refuse(0, deed)
    assert (refused.id if refused else None) == reason


@pytest.mark.parametrize("value", ["9", "9h", "10H", "", "9H "])
def test_a_card_is_asked_for_by_its_one_text(value: str) -> None:
    position, _ = arranged("A=9H KD; B=9C 4D; C=5D", ask_mode="card")
    assert position.refuse(0, Deed("ask", 1, "9D")) is None
    assert position.refuse(0, Deed("ask", 1, value)) == Reason("no-such-card", (value,))


def test_claims_of_an_ask() -> None:
    position, _ = arranged("A=9H KD; B=9C 4D; C=5D")
    assert position.claims(0, Deed("ask", 1, "9")) == (Holds("hand.0", Match("rank", "9")),)
    position, _ = arranged("A=9H KD; B=9C 4D; C=5D", ask_mode="card")
    assert position.claims(0, Deed("ask", 1, "9D")) == (Holds("hand.0", Match("rank", "9")),)
    position, _ = arranged("A=9H KD; B=9C 4D; C=5D", ask_mode="card", allow_ask_own_card="false")
    assert position.claims(0, Deed("ask", 1, "9D")) == (
        Holds("hand.0", Match("rank", "9")),
        Lacks(position.table.slots("hand.0"), Match("", "9D")),
    )


def test_an_answer_is_forced() -> None:
    position, dealer = asked("A=9H KD; B=9C 4D 9S; C=5D", "ask B 9")
    hand = dealer.hand(position.table, 1)
    assert position.choices(1, hand) == (Action("give", cards=("9C", "9S")),)
    slots = slots_of(dealer, position, 1)
    deed = position.deed(1, hand, Action("give", cards=("9S", "9C")))
    assert deed == Deed("give", groups=((slots["9C"].n, slots["9S"].n),))
    for cards in [(), ("9C",), ("9C", "4D"), ("9C", "9S", "4D"), ("9C", "9C")]:
        with pytest.raises(IllegalAction, match="must-give"):
            position.deed(1, hand, Action("give", cards=cards))
    with pytest.raises(IllegalAction, match="no-such-action"):
        position.deed(1, hand, Action("lay"))


def test_an_answer_with_nothing() -> None:
    position, dealer = asked("A=9H KD; B=4D; C=5D", "ask B 9")
    hand = dealer.hand(position.table, 1)
    assert position.choices(1, hand) == (Action("give"),)
    assert position.deed(1, hand, Action("give")) == Deed("give")
    assert position.refuse(1, Deed("give")) is None


@pytest.mark.parametrize(
    ("deed", "reason"),
    [
        (Deed("give", groups=((0, 2),)), None),
        (Deed("give", groups=((2, 0),)), None),
        (Deed("lay", groups=((0, 2),)), "no-such-action"),
        (Deed("give", 0, groups=((0,),)), "malformed"),
        (Deed("give", value="9", groups=((0,),)), "malformed"),
        (Deed("give", groups=((0,), (2,))), "malformed"),
        (Deed("give", groups=((),)), "malformed"),
        (Deed("give", groups=((0, 0),)), "malformed"),
        (Deed("give", groups=((0, 3),)), "malformed"),
        (Deed("give", groups=((-1,),)), "malformed"),
    ],
)
def test_answers_that_everybody_refuses(deed: Deed, reason: str | None) -> None:
    position, _ = asked("A=9H KD; B=9C 4D 9S; C=5D", "ask B 9")
    refused = position.refuse(1, deed)
    assert (refused.id if refused else None) == reason


def test_one_of_several() -> None:
    position, dealer = asked("A=9H KD; B=9S 4D 9C; C=5D", "ask B 9", give_amount="one")
    assert position.pending == Disclose(1, position.table.slots("hand.1"), Match("rank", "9"), 1)
    hand = dealer.hand(position.table, 1)
    assert position.choices(1, hand) == (Action("give", cards=("9C",)), Action("give", cards=("9S",)))
    assert position.refuse(1, Deed("give", groups=((0, 2),))) == Reason("malformed")


def test_a_group_is_laid_whole() -> None:
    position, dealer = asked("A=9H 9D 9C KD; B=9S 4D; C=5D", "ask B 9")
    position = until(Complete, position, dealer)
    fresh = position.table.slots("hand.0")[-1:]
    assert position.pending == Complete(0, "rank", 4, fresh)
    hand = dealer.hand(position.table, 0)
    assert position.choices(0, hand) == (Action("lay", cards=("9C", "9D", "9H", "9S")),)
    with pytest.raises(IllegalAction, match="must-lay"):
        position.deed(0, hand, Action("lay"))
    slots = slots_of(dealer, position, 0)
    group = tuple(slot.n for text, slot in slots.items() if text[0] == "9")
    assert position.deed(0, hand, position.choices(0, hand)[0]) == Deed("lay", groups=(group,))
    king = slots["KD"].n
    assert position.refuse(0, Deed("lay", groups=(group,))) is None
    for groups in [
        (group[:3],),
        (group, group),
        ((*group[:3], group[0]),),
        ((*group, king),),
        ((97, 98, 99, 96),),
    ]:
        assert position.refuse(0, Deed("lay", groups=groups)) == Reason("malformed")


def test_of_five_any_four_may_be_laid() -> None:
    position, dealer = asked("A=9H 9H 9C; B=9C 9D 4D; C=5D", "ask B 9", deck="104")
    position = until(Complete, position, dealer)
    hand = dealer.hand(position.table, 0)
    ways = position.choices(0, hand)
    assert [way.cards for way in ways] == [
        ("9C", "9C", "9D", "9H"),
        ("9C", "9C", "9H", "9H"),
        ("9C", "9D", "9H", "9H"),
    ]
    for way in ways:
        (group,) = position.deed(0, hand, way).groups
        laid = sorted(position.deck.text(hand[Slot("hand.0", n)]) for n in group)
        assert (laid, len(set(group))) == (sorted(way.cards), 4)


def test_groups_of_equal_faces_take_each_slot_once() -> None:
    deck = game("go-fish").deck(game("go-fish").options({"deck": "104"}, 2))
    faces = [deck.parse(text) for text in ("9H", "9C", "9H", "9C", "KD")]
    hand = {Slot("hand.0", n): face for n, face in enumerate(faces)}
    op = Complete(0, "rank", 2, tuple(hand))
    (way,) = ways_to_lay(deck, hand, op)
    groups = slots_to_lay(hand, way, 2)
    assert groups == ((Slot("hand.0", 1), Slot("hand.0", 3)), (Slot("hand.0", 0), Slot("hand.0", 2)))


def test_text_of_a_decision() -> None:
    labels = ("A", "B", "C")
    position, dealer = asked("A=9H KD; B=9S 4D 9C; C=5D", "ask B 9", give_amount="one")
    assert position.parse("GIVE 9c", labels) == Action("give", cards=("9C",))
    for text in ("", "lay 9C", "give 9X"):
        with pytest.raises(BadAction, match=r"\.$"):
            position.parse(text, labels)
    position = until(Choose, position, dealer)
    for text in ("", "ask", "ask B", "ask Z 9", "ask B 1", "ask B 9 9", "draw"):
        with pytest.raises(BadAction, match=r"[.\"]$"):
            position.parse(text, labels)


def test_what_a_seat_is_shown_alone_is_part_of_its_view() -> None:
    position, dealer = arranged("A=9H KD; B=9C 4D; C=5D")
    view = position.view(0, dealer.hand(position.table, 0), [("hand.1", ("9", "C"))])
    assert view.known["hand.1"] == (("9", "C"),)
    assert position.view(-1, {}).known == {}


def test_a_replay_of_the_results_is_the_same_game() -> None:
    position = Position.start(RULES, {}, 3)
    rng = Stream("replay")
    dealer = Open(position, rng)
    results: list[Any] = []
    events: list[Any] = []
    while not isinstance(position.pending, Outcome):
        if isinstance(position.pending, Choose):
            (seat,) = position.pending.seats
            hand = dealer.hand(position.table, seat)
            action = rng.choice(position.choices(seat, hand))
            results.append(Deeds(((seat, position.deed(seat, hand, action)),)))
        else:
            results.append(dealer.resolve(position))
        position, new = position.feed(results[-1])
        events += new
    again, replayed = replay(RULES, {}, 3, results)
    assert again.state == position.state
    assert list(replayed) == events
    assert again.facts.all_held() == position.facts.all_held()
    part, _ = replay(RULES, {}, 3, results[:-1])
    assert part.state != position.state


def test_a_public_view_holds_no_hand() -> None:
    position, _ = arranged("A=9H KD; B=9C 4D; C=5D")
    view = position.view(-1, {})
    assert view.hand == {}
    assert repr(view) == "View(seat=-1)"


def test_the_open_dealer_follows_a_script() -> None:
    deck: Deck = RULES.deck(RULES.options({}, 2))
    order: list[Face] = list(reversed(deck.faces))
    position = Position.start(RULES, {}, 2)
    dealer = Open(position, Stream(1), order=order, coins=[1])
    position = until(Complete, position, dealer)
    assert dealer.faces(position.table, hand_of(0)) == tuple(order[0:14:2])
    assert position.state.turn == 1
    for coins in ([], [2], [-1]):
        start = Position.start(RULES, {}, 2)
        with pytest.raises(ValueError, match="joint random number"):
            Open(start, Stream(1), coins=coins).resolve(start)
