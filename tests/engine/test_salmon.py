"""The deck of Discount Salmon, setting up, refills, late and absent seats, and the redraw.

The worked examples are scenarios.
"""

from __future__ import annotations

from collections import Counter

import pytest

from engine import BadOption, IllegalAction, Open, Outcome, Position, Stream, load_deck
from engine.contract import Action, Reason
from engine.games.salmon import DiscountSalmon
from engine.games.salmon_cards import MODIFIERS, PROBLEMS
from engine.table import Choose, Coin, Deed, Draw, Mix, Move, Op, Show, Shuffle, Slot, Tick
from tests.engine.salmon_race import FISH, RULES, Race

# --- the deck -----------------------------------------------------------------------------------------------


def test_the_deck() -> None:
    """DS-DECK, exactly."""
    deck = load_deck("discount_salmon")
    cards = [deck.text(deck.faces[card]) for card in deck.cards]
    fish = cards[:25]
    doubles = [f"{a}+{b}" for n, a in enumerate(PROBLEMS) for b in PROBLEMS[n + 1 :]]
    assert len(cards) == 106
    assert Counter(fish) == {**dict.fromkeys(PROBLEMS, 3), **dict.fromkeys(doubles, 1)}
    assert Counter(p for each in fish for p in each.split("+")) == dict.fromkeys(PROBLEMS, 7)
    assert Counter(cards[25:]) == {
        **dict.fromkeys(("perfume", "makeup", "lotion", "antidote", "fish-costume"), 10),
        **dict.fromkeys(("gym-sock", "mustache", "sun", "nuclear-waste", "dog-mask"), 5),
        **dict.fromkeys(("blender", "andrew"), 3),
    }
    assert set(cards[25:]) == MODIFIERS
    assert {deck.text(deck.parse(text)) for text in ("toxic+ugly", "UGLY+TOXIC")} == {"ugly+toxic"}


# --- setting up ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "piles"), [(2, [36, 35]), (3, [33, 33]), (4, [31, 30]), (5, [28, 28])])
def test_the_deal(seats: int, piles: list[int]) -> None:
    position = Position.start(RULES, {}, seats)
    assert position.pending == Coin(seats)
    assert (position.table.size("lake"), position.table.size("stock")) == (25, 81)
    dealer = Open(position, Stream(1))
    ops: list[Op] = []
    while not isinstance(position.pending, Choose | Outcome):
        ops.append(position.pending)
        position, _ = position.feed(dealer.resolve(position))
    assert ops[1:3] == [Shuffle("lake"), Shuffle("stock")]
    deal = ops[3]
    assert isinstance(deal, Draw)
    assert [seat for _, seat in deal.draws] == [n % seats for n in range(5 * seats)]
    assert [type(op) for op in ops[4:]] == [Move, Move]
    assert RULES.report(position.state).facts["piles"] == piles
    assert position.pending == Choose((position.state.fryer,), "flip", limit=10)


def test_a_flip_is_opened_by_all_at_once_and_looked_at() -> None:
    race = Race('flipper = "B"\nlake = "dry"')
    (slot,) = race.position.table.slots("lake")[2:3]
    deed = race.deed(1, "flip 3")
    assert deed == Deed("flip", groups=((slot.n,),))
    race._feed(race.dealer.decided(race.position, [(1, deed)]))
    assert race.pending == Show((slot,), at_once=True)
    assert race.finish() == ["Show", "Move"]
    assert race.pending == Tick((0, 1, 2), (), 700)
    race.tick()
    assert race.pending == Tick((0, 1, 2), (), 150)


def test_the_options_are_filled_in() -> None:
    options = RULES.options({"tick_ms": "200"}, 5)
    assert dict(options) == {
        "pace": "realtime",
        "tick_ms": "200",
        "stale_seconds": "5",
        "allowance": "per_fish",
        "invalid_cards": "discard",
        "finish_on": "fish",
    }
    for seats in (1, 6):
        with pytest.raises(BadOption):
            RULES.options({}, seats)


@pytest.mark.parametrize(
    ("tick_ms", "seconds", "ticks"), [("150", "5", 34), ("50", "60", 1200), ("1000", "1", 1), ("400", "1", 3)]
)
def test_silence_in_ticks(tick_ms: str, seconds: str, ticks: int) -> None:
    state = DiscountSalmon().start(RULES.options({"tick_ms": tick_ms, "stale_seconds": seconds}, 2), 2)
    assert state.settings.patience == ticks


# --- refills ------------------------------------------------------------------------------------------------


def test_refills_ride_on_the_next_tick() -> None:
    race = Race(FISH + 'piles = ["blender", "dog-mask dog-mask"]')
    race.tick("B: play perfume perfume", "A: play sun")
    assert race.finish() == ["Move", "Move"]  # what counts, and what does not
    pending = race.position.pending
    drawn = ((Slot("pile.B", 0), 1), (Slot("pile.B", 1), 1), (Slot("pile.A", 0), 0))
    assert pending == Tick((0, 1, 2), drawn, 150)
    assert race.tick() == ["B: refill 2", "A: refill 1"]
    assert race.hand(1).split()[-2:] == ["dog-mask", "dog-mask"]
    assert race.position.pending == Tick((0, 1, 2), (), 150)


def test_refills_without_all_shares_stay_owed() -> None:
    """The slot keeps its addressee; the next refill takes another; before the next flip all are drawn."""
    race = Race(FISH + 'piles = ["blender andrew", "dog-mask"]')
    race.tick("A: play sun")
    race.finish()
    assert race.tick(drawn=False) == []
    first = ((Slot("pile.A", 0), 0),)
    assert race.position.pending == Tick((0, 1, 2), first, 150)
    race.tick("A: play lotion", drawn=False)
    race.finish()
    assert race.position.pending == Tick((0, 1, 2), (*first, (Slot("pile.A", 1), 0)), 150)
    assert race.facts["problems"] == "ugly toxic"
    race.tick("B: play antidote makeup", drawn=False)
    assert race.pending.slots[0] == Slot("fish", 0)
    assert race.finish() == ["Move", "Draw", "Mix", "Mix"]
    assert race.told[-2:] == ["A: refill 2", "B: refill 2"]
    assert sorted(race.hand(0).split()) == ["andrew", "antidote", "blender", "lotion", "makeup"]


def test_hands_that_got_cards_are_mixed_between_fish_only() -> None:
    race = Race(
        'fish = "ugly"\nhands = { A = "sun lotion perfume perfume perfume", B = "makeup ?4", C = "?5" }'
    )
    race.tick("A: play sun lotion")
    assert race.finish() == ["Move"]
    race.tick()
    race.tick("B: play makeup")
    ops = []
    while not isinstance(race.position.pending, Choose):
        ops.append(race.position.pending)
        race._feed(race.dealer.resolve(race.position))
    assert [op for op in ops if isinstance(op, Mix)] == [Mix("hand.0"), Mix("hand.1")]


# --- late and absent seats ----------------------------------------------------------------------------------


def test_a_late_play_is_judged_after_those_of_the_next_tick() -> None:
    race = Race(FISH)
    assert race.tick("B: play makeup antidote", late=(1,)) == ["B: deferred makeup antidote"]
    assert race.finish() == []
    assert (race.facts["problems"], race.facts["allowance"][1]) == ("ugly toxic", 1)
    told = race.tick("A: play makeup antidote")
    assert told[:3] == ["A: play makeup antidote", "A: claim", "B: play makeup antidote"]
    assert told[3:] == ["B: late makeup antidote"]
    race.finish()
    assert race.hand(1).count("makeup") == race.hand(1).count("antidote") == 1
    assert race.facts["won"][0]["fish"] == 1


def test_a_late_play_counts_where_nothing_comes_before_it() -> None:
    race = Race(FISH)
    race.tick("B: play makeup antidote", late=(1,))
    told = race.tick("C: play sun", "A: play lotion")
    assert told == ["C: play sun", "A: play lotion", "B: play makeup antidote", "B: claim"]
    assert race.facts["won"][1] == {"fish": 1, "negative": 1, "positive": 3}


def test_a_late_seat_that_is_absent_next_is_judged_all_the_same() -> None:
    race = Race('fish = "ugly"\nhands = { B = "makeup sun" }')
    race.tick("B: play makeup", late=(1,))
    assert race.tick(absent=(1,)) == ["B: absent", "B: play makeup", "B: claim"]


def test_cards_that_wait_to_be_judged_cannot_be_played_again() -> None:
    race = Race(FISH)
    race.tick("B: play makeup", late=(1,))
    (slot,) = [n for _, numbers in race.state.deferred for n in numbers]
    hand = race.dealer.hand(race.position.table, 1)
    face = {Slot("hand.1", slot): hand[Slot("hand.1", slot)]}
    assert race.position.refuse(1, Deed("play", shown=(slot,)), face) == Reason("already-played")
    with pytest.raises(IllegalAction) as caught:
        race.deed(1, "play makeup")
    assert caught.value.reason == Reason("twice", ("makeup",))
    with pytest.raises(IllegalAction) as caught:
        race.deed(1, "play antidote sun perfume")
    assert caught.value.reason == Reason("too-many", ("2",))
    legal = RULES.legal(race.dealer.view(race.position, 1))
    assert all("makeup" not in action.cards and len(action.cards) < 3 for action in legal)
    assert len(legal) > 10


def test_the_end_of_the_silence_comes_before_late_cards() -> None:
    race = Race('fish = "ugly"\nhands = { B = "makeup sun" }')
    for _ in range(33):
        race.tick()
    told = race.tick("B: play makeup", late=(1,))
    assert told == ["B: deferred makeup", "B: late makeup", "A: stale claim", "fryer B"]


def test_nobody_is_out_of_allowance_while_cards_wait() -> None:
    race = Race('fish = "ugly"\nallowance = { A = 0, B = 1, C = 0 }\nhands = { B = "makeup sun" }')
    assert race.tick("B: play makeup", late=(1,)) == ["B: deferred makeup"]
    assert race.tick() == ["B: play makeup", "B: claim"]


def test_an_absent_seat_is_out_for_this_fish_only() -> None:
    """PP-12: the race goes on, its cards stay in its hand, and it is in the next race."""
    race = Race(FISH + "allowance = { A = 1, B = 1 }")
    cards = race.hand(2)
    assert race.tick(absent=(2,)) == ["C: absent"]
    assert race.position.pending == Tick((0, 1), (), 150)
    assert race.hand(2) == cards
    assert RULES.refuse(race.state, 2, Deed("wait"), {}) == Reason("out-of-race")
    race.tick("A: play sun")
    race.finish()
    told = list(race.tick("B: play perfume"))  # C has allowance left, and does not count
    race.finish()
    assert told[-2:] == ["B: play perfume", "B: invalid perfume"]
    assert "A: stale claim" in race.told
    race.choose("A: drop down", "B: drop down", "C: drop down")
    race.finish()
    race.choose("A: flip")
    race.finish()
    assert race.position.pending == Tick((0, 1, 2), (), 700)


def test_a_race_without_seats_is_a_stalemate() -> None:
    race = Race(FISH)
    told = race.tick(absent=(0, 1, 2))
    assert told == ["A: absent", "B: absent", "C: absent", "A: stale claim", "fryer B"]


# --- the redraw ---------------------------------------------------------------------------------------------


def test_discards_of_a_silent_seat_go_face_down() -> None:
    race = Race(
        'fish = "ugly"\nallowance = { A = 0, B = 0, C = 0 }\n'
        'hands = { A = "sun perfume lotion makeup sun", B = "?5", C = "?5" }'
    )
    assert race.position.pending == Choose((0, 1, 2), "drop", limit=10)
    first = RULES.legal(race.dealer.view(race.position, 0))[0]
    assert first == Action("drop", value="down", cards=("perfume", "makeup"))
    hand = race.dealer.hand(race.position.table, 0)
    deed = race.position.deed(0, hand, first)
    assert (deed.value, deed.shown, len(deed.groups[0])) == ("down", (), 2)
    assert {hand[Slot("hand.0", n)][0] for n in deed.groups[0]} == {"perfume", "makeup"}
    assert race.deed(0, "drop down") == deed
    race.choose("A: drop down", "B: drop down", "C: drop down")
    race.finish()
    table = race.position.table
    assert table.size("down.0") == 2
    assert not any(slot.zone.startswith("down") for slot in table.known)
    assert [table.size(f"hand.{seat}") for seat in range(3)] == [5, 5, 5]


def test_the_next_flip_waits_for_all_mixes() -> None:
    race = Race(
        'fish = "ugly"\nallowance = { A = 0, B = 0, C = 0 }\n'
        'hands = { A = "sun perfume lotion makeup sun", B = "?5", C = "?5" }'
    )
    race.choose("A: drop sun sun", "B: drop down", "C: drop down")
    assert race.finish() == ["Move", "Move", "Move", "Draw", "Mix", "Mix", "Mix"]
    assert race.position.pending == Choose((0,), "flip", limit=10)
