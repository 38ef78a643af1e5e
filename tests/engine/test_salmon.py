"""Ticks, late and absent seats, refusals, and the generic checks. The worked examples are scenarios."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import BadAction, BadOption, IllegalAction, Open, Outcome, Position, Stream, bot, game, load_deck
from engine.contract import Action, Reason
from engine.games.salmon import DiscountSalmon
from engine.games.salmon_cards import ANDREW, BLENDER, CURES, CURSES, MODIFIERS, PROBLEMS, judged
from engine.scenario.file import read_scenarios
from engine.scenario.setup import set_up
from engine.simulate import play_game
from engine.table import Choose, Coin, Deed, Draw, Mix, Move, Op, Show, Shuffle, Slot, Tick, Ticked
from engine.testing import check_game, option_sets, transcript
from engine.text import event_text

RULES = game("discount-salmon")
GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "engine"
LABELS = ("A", "B", "C")


class Race:
    """A position with a fish in play, and ticks as seen from the table."""

    def __init__(self, keys: str, **options: object) -> None:
        chosen = "".join(f'{name} = "{value}"\n' for name, value in options.items())
        labels = list(LABELS)
        text = f'[[scenario]]\nid = "x"\ngame = "discount-salmon"\nseats = {labels}\n{keys}\n'
        (scenario,) = read_scenarios(f"{text}[scenario.options]\n{chosen}", "x.toml")
        self.position, self.dealer, _ = set_up(scenario)
        self.told: list[str] = []
        self.finish()

    @property
    def state(self) -> Any:
        return self.position.state

    @property
    def pending(self) -> Any:
        return self.position.pending

    @property
    def facts(self) -> Any:
        return RULES.report(self.state).facts

    def hand(self, seat: int) -> str:
        return " ".join(map(self.position.deck.text, self.dealer.faces(self.position.table, f"hand.{seat}")))

    def deed(self, seat: int, text: str) -> Deed:
        hand = self.dealer.hand(self.position.table, seat)
        return self.position.deed(seat, hand, self.position.parse(text, LABELS))

    def finish(self) -> list[str]:
        """Names of the operations up to the next decision."""
        ops = []
        while not isinstance(self.position.pending, Tick | Choose | Outcome):
            ops.append(type(self.position.pending).__name__)
            self._feed(self.dealer.resolve(self.position))
        return ops

    def tick(
        self,
        *plays: str,
        absent: tuple[int, ...] = (),
        late: tuple[int, ...] = (),
        drawn: bool = True,
    ) -> list[str]:
        """One tick with plays such as ``A: play sun`` in stack order; the events."""
        op = self.position.pending
        assert isinstance(op, Tick)
        deeds = [(LABELS.index(play[0]), self.deed(LABELS.index(play[0]), play[3:])) for play in plays]
        there = {seat for seat, _ in deeds}
        deeds += [(seat, Deed("wait")) for seat in op.seats if seat not in there and seat not in absent]
        result = self.dealer.decided(self.position, deeds, in_order=True)
        assert isinstance(result, Ticked)
        assert result.absent == absent
        if not drawn:  # shares are missing: put back what the open dealing has drawn
            for old, new in self.position.table.relocations(result):
                self.dealer._faces[old] = self.dealer._faces.pop(new)
        result = msgspec.structs.replace(result, late=late, drawn=result.drawn if drawn else ())
        self.told = []
        self._feed(result)
        return self.told

    def choose(self, *texts: str) -> None:
        """What those who are asked decide."""
        deeds = [(LABELS.index(text[0]), self.deed(LABELS.index(text[0]), text[3:])) for text in texts]
        self._feed(self.dealer.decided(self.position, deeds))

    def _feed(self, result: Any) -> None:
        self.position, events = self.position.feed(result)
        self.told += [event_text(event, LABELS) for event in events]


FISH = """
fish = "ugly+toxic"
hands = { A = "sun makeup antidote lotion lotion", B = "makeup antidote sun perfume perfume", C = "sun ?4" }
"""

# --- the deck ---------------------------------------------------------------------------------------------


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


# --- setting up -------------------------------------------------------------------------------------------


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


# --- refills ----------------------------------------------------------------------------------------------


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


# --- late and absent seats --------------------------------------------------------------------------------


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


# --- the redraw -------------------------------------------------------------------------------------------


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


# --- refusals ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seat", "deed", "reason"),
    [
        (1, Deed("play", shown=(0, 1, 2, 3)), Reason("too-many", ("3",))),
        (2, Deed("play", shown=(0,)), Reason("allowance")),
        (1, Deed("play"), Reason("malformed")),
        (1, Deed("play", 0, shown=(0,)), Reason("malformed")),
        (1, Deed("play", value="makeup", shown=(0,)), Reason("malformed")),
        (1, Deed("play", groups=((0,),), shown=(1,)), Reason("malformed")),
        (1, Deed("play", shown=(0, 0)), Reason("malformed")),
        (1, Deed("play", shown=(9,)), Reason("malformed")),
        (1, Deed("play", shown=(-1,)), Reason("malformed")),
        (1, Deed("wait", shown=(0,)), Reason("malformed")),
        (1, Deed("wait", value="x"), Reason("malformed")),
        (1, Deed("wait", groups=((),)), Reason("malformed")),
        (1, Deed("pass"), Reason("no-such-action", ("pass",))),
        (1, Deed("flip", groups=((0,),)), Reason("no-such-action", ("flip",))),
        (1, Deed("drop", shown=(0, 1)), Reason("no-such-action", ("drop",))),
        (3, Deed("wait"), Reason("not-your-turn")),
        (-1, Deed("wait"), Reason("not-your-turn")),
    ],
)
def test_signed_plays_that_are_refused(seat: int, deed: Deed, reason: Reason) -> None:
    race = Race(FISH + "allowance = { C = 0 }")
    before = race.state
    faces = {}
    if 0 <= seat < 3:
        hand = race.dealer.hand(race.position.table, seat)
        faces = {slot: hand[slot] for n in deed.shown if (slot := Slot(f"hand.{seat}", n)) in hand}
    assert race.position.refuse(seat, deed, faces) == reason
    assert race.state == before


@pytest.mark.parametrize(
    ("deed", "reason"),
    [
        (Deed("drop", shown=(0,)), Reason("drop-count", ("2",))),
        (Deed("drop", shown=(0, 1, 2)), Reason("drop-count", ("2",))),
        (Deed("drop"), Reason("drop-count", ("2",))),
        (Deed("drop", value="down", groups=((0,),)), Reason("drop-count", ("2",))),
        (Deed("drop", value="down", groups=((0, 0),)), Reason("drop-count", ("2",))),
        (Deed("drop", value="down", groups=((0, 0, 1),)), Reason("drop-count", ("2",))),
        (Deed("drop", value="down", groups=((0, 9),)), Reason("malformed")),
        (Deed("drop", value="down", groups=((0,), (1,))), Reason("malformed")),
        (Deed("drop", value="down", groups=((),)), Reason("malformed")),
        (Deed("drop", value="down", shown=(0, 1)), Reason("malformed")),
        (Deed("drop", value="down", groups=((0, 1),), shown=(2,)), Reason("malformed")),
        (Deed("drop", value="up", shown=(0, 1)), Reason("malformed")),
        (Deed("drop", groups=((0, 1),)), Reason("malformed")),
        (Deed("drop", 1, shown=(0, 1)), Reason("malformed")),
        (Deed("play", shown=(0,)), Reason("no-such-action", ("play",))),
        (Deed("drop", shown=(0, 1)), None),
        (Deed("drop", value="down", groups=((4, 2),)), None),
    ],
)
def test_signed_discards_that_are_refused(deed: Deed, reason: Reason | None) -> None:
    race = Race('fish = "ugly"\nallowance = { A = 0, B = 0, C = 0 }\nhands = { A = "?5" }')
    hand = race.dealer.hand(race.position.table, 0)
    assert (
        race.position.refuse(0, deed, {Slot("hand.0", n): hand[Slot("hand.0", n)] for n in deed.shown})
        == reason
    )


@pytest.mark.parametrize(
    ("deed", "reason"),
    [
        (Deed("flip"), Reason("malformed")),
        (Deed("flip", groups=((),)), Reason("malformed")),
        (Deed("flip", groups=((0, 1),)), Reason("malformed")),
        (Deed("flip", groups=((0,), (1,))), Reason("malformed")),
        (Deed("flip", value="1"), Reason("malformed")),
        (Deed("flip", groups=((0,),), shown=(0,)), Reason("malformed")),
        (Deed("flip", groups=((25,),)), Reason("no-such-fish")),
        (Deed("flip", groups=((-1,),)), Reason("no-such-fish")),
        (Deed("flip", 1, groups=((0,),)), Reason("malformed")),
        (Deed("play", shown=(0,)), Reason("no-such-action", ("play",))),
        (Deed("flip", groups=((24,),)), None),
    ],
)
def test_signed_flips_that_are_refused(deed: Deed, reason: Reason | None) -> None:
    race = Race('flipper = "A"\nhands = { A = "?5" }')
    hand = race.dealer.hand(race.position.table, 0)
    assert (
        race.position.refuse(0, deed, {Slot("hand.0", n): hand[Slot("hand.0", n)] for n in deed.shown})
        == reason
    )
    assert race.position.refuse(1, deed, {}) == Reason("not-your-turn")


def test_nothing_is_decided_while_cards_are_carried_out() -> None:
    race = Race(FISH)
    race.tick("A: play sun")
    assert isinstance(race.position.pending, Move)
    assert RULES.refuse(race.state, 0, Deed("wait"), {}) == Reason("not-your-turn")
    assert RULES.report(race.state).turn == -1


numbers = st.integers(-2, 12)
deeds = st.builds(
    Deed,
    st.sampled_from(["play", "wait", "pass", "flip", "drop", ""]),
    st.integers(-2, 3),
    st.sampled_from(["", "down", "1", "makeup"]),
    st.lists(st.lists(numbers, max_size=3).map(tuple), max_size=2).map(tuple),
    st.lists(numbers, max_size=4).map(tuple),
)
RACES = {
    "race": Race(FISH),
    "turns": Race(FISH + 'turn = "B"', pace="turns"),
    "flip": Race('flipper = "A"\nhands = { A = "?5", B = "?5" }'),
    "drop": Race('fish = "ugly"\nallowance = { A = 0, B = 0, C = 0 }\nhands = { A = "?5" }'),
}


@pytest.mark.parametrize("name", list(RACES))
@given(deed=deeds, seat=st.integers(-1, 3))
def test_whatever_is_not_refused_can_be_carried_out(name: str, deed: Deed, seat: int) -> None:
    race = RACES[name]
    position = race.position
    op = position.pending
    assert isinstance(op, Choose | Tick)
    hand = race.dealer.hand(position.table, seat) if 0 <= seat < 3 else {}
    shown = {slot: hand[slot] for n in deed.shown if (slot := Slot(f"hand.{seat}", n)) in hand}
    if position.refuse(seat, deed, shown) is not None:
        return
    others = [(each, RULES.deed(race.dealer.view(position, each), _first(race, each))) for each in op.seats]
    mine = [(each, deed if each == seat else usual) for each, usual in others]
    after, _ = position.feed(race.dealer.decided(position, mine))
    assert after.pending is not None
    table = after.table
    assert sum(table.size(zone) for zone in table.zones) == len(position.deck)


def _first(race: Race, seat: int) -> Action:
    return RULES.legal(race.dealer.view(race.position, seat))[0]


# --- what is written --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("flip", Action("flip", value="1")),
        ("FLIP 07", Action("flip", value="7")),
        ("play Makeup, fish costume gym-sock", Action("play", cards=("makeup", "fish-costume", "gym-sock"))),
        ("play make up", Action("play", cards=("makeup",))),
        ("wait", Action("wait")),
        ("pass", Action("pass")),
        ("drop sun mustache", Action("drop", cards=("sun", "mustache"))),
        ("drop down", Action("drop", value="down")),
        ("drop down sun sun", Action("drop", value="down", cards=("sun", "sun"))),
    ],
)
def test_actions_are_read(text: str, action: Action) -> None:
    assert RULES.parse(RACES["race"].state, text, LABELS) == action


@pytest.mark.parametrize(
    "text",
    [
        "", "play", "drop", "flip x", "flip 1 2", "flip 1000", "flip ²", "wait sun", "pass sun", "sun",
        "play cod", "play sun " + "sun " * 12, "drop up", "play down",
    ],
)  # fmt: skip
def test_what_is_no_action_is_told_in_one_sentence(text: str) -> None:
    with pytest.raises(BadAction) as caught:
        RULES.parse(RACES["race"].state, text, LABELS)
    assert str(caught.value).endswith((".", '."'))


@given(
    st.text(max_size=60)
    | st.lists(st.sampled_from(["play", "drop", "flip", "sun", "fish", "1"])).map(" ".join)
)
def test_any_text_is_an_action_or_told(text: str) -> None:
    try:
        action = RULES.parse(RACES["race"].state, text, LABELS)
    except BadAction:
        return
    assert action.verb in ("flip", "play", "wait", "pass", "drop")


def test_of_equal_cards_the_one_that_all_have_seen_is_played() -> None:
    race = Race('fish = "ugly"\nhands = { B = "sun sun sun sun sun" }', invalid_cards="return_to_hand")
    race.tick("B: play sun sun")
    race.finish()
    seen = [slot.n for slot in race.position.table.known if slot.zone == "hand.1"]
    assert race.deed(1, "play sun").shown == tuple(seen)
    assert len(seen) == 1


# --- judging ----------------------------------------------------------------------------------------------

cards = st.sampled_from(sorted(MODIFIERS - {ANDREW}))
problem_sets = st.sets(st.sampled_from(PROBLEMS), min_size=1)


@given(problem_sets, st.lists(cards, max_size=20))
def test_a_replay_of_the_accepted_stack_gives_the_same_problems(start: set[str], played: list[str]) -> None:
    """Against a plain set: a card is accepted when it changes the problems, and only then."""
    now = tuple(p for p in PROBLEMS if p in start)
    model, accepted = set(start), []
    for card in played:
        if not now:
            break
        left = judged(card, now)
        before = set(model)
        if card == BLENDER:
            model.clear()
        elif card in CURES:
            model.discard(CURES[card])
        else:
            model.add(CURSES[card])
        assert (left is not None) == (model != before)
        if left is not None:
            accepted.append(card)
            now = left
        assert set(now) == model
        assert list(now) == sorted(now, key=PROBLEMS.index)
    again = tuple(p for p in PROBLEMS if p in start)
    for card in accepted:
        replayed = judged(card, again)
        assert replayed is not None
        again = replayed
    assert again == now


# --- whole games ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pace", ["realtime", "turns"])
@pytest.mark.parametrize("seats", [2, 5])
def test_fish_and_cards_of_a_whole_game(pace: str, seats: int) -> None:
    """What the events tell adds up to the scores."""
    rules = DiscountSalmon()
    for seed in range(5):
        options = rules.options({"pace": pace}, seats)
        outcome, events = play_game(rules, options, seats, [bot("random")] * seats, Stream(seed))
        verbs = Counter(event.verb for event in events)
        ended = verbs["claim"] + verbs["stale claim"] + verbs["eaten"]
        assert verbs["flip"] == ended <= 25
        assert (outcome.reason == "lake-empty") == (ended == 25)
        won = Counter(event.seat for event in events if event.verb in ("claim", "stale claim"))
        assert outcome.scores == tuple(won[seat] for seat in range(seats))
        best = max(outcome.scores)
        assert all(outcome.scores[seat] == best for seat in outcome.winners)


def test_a_waiting_table_comes_to_an_end() -> None:
    """Only the fryer wins fish where nobody plays."""
    rules = DiscountSalmon()
    options = rules.options({"stale_seconds": "1", "tick_ms": "1000"}, 3)
    outcome, events = play_game(rules, options, 3, [lambda view, legal, rng: legal[0]] * 3, Stream(1))
    assert sum(outcome.scores) == sum(event.verb == "flip" for event in events)
    assert {event.words for event in events if event.verb == "drop"} == {("2",)}
    assert max(outcome.scores) - min(outcome.scores) <= 1


def test_invalid_cards_cannot_be_played_for_ever() -> None:
    """Cards that come back, any number of times: the turns without a valid card are counted."""
    rules = DiscountSalmon()
    chosen = {"pace": "turns", "allowance": "per_batch", "invalid_cards": "return_to_hand"}
    race = Race(
        'fish = "ugly"\nturn = "A"\n'
        'hands = { A = "lotion lotion lotion lotion lotion", B = "perfume perfume", C = "?" }',
        **chosen,
    )
    plays = 0
    while race.facts["problems"]:
        seat = race.state.turn
        race.choose(("A: play lotion", "B: play perfume", "C: pass")[seat])
        race.finish()
        plays += 1
    assert plays == 30
    assert "A: stale claim" in race.told
    assert rules.options(chosen, 3)["allowance"] == "per_batch"


@pytest.mark.parametrize("pace", ["realtime", "turns"])
def test_every_pair_of_options_plays_soundly(pace: str) -> None:
    sets = option_sets(RULES, 2)
    assert any(options["pace"] == pace and options["allowance"] == "per_batch" for options in sets)
    assert check_game(_Paced(pace), games=1, seed=3, seats=(3,)) >= 15


class _Paced(DiscountSalmon):
    """The game with one pace only."""

    def __init__(self, pace: str) -> None:
        self._pace = pace

    def options(self, chosen: Any, seats: int) -> Any:
        if chosen.get("pace", self._pace) != self._pace:
            raise BadOption("This is the other pace.")
        return super().options({**chosen, "pace": self._pace}, seats)


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 4, 5])
def test_every_pair_of_options_plays_soundly_at_every_table(seats: int) -> None:
    assert check_game(RULES, games=2, seed=4, seats=(seats,)) > 60


@pytest.mark.parametrize(("pace", "seed"), [("realtime", 281), ("turns", 334)])
def test_the_transcript_of_a_game(pace: str, seed: int) -> None:
    """Games with all that can happen: a claim, a cat, a stalemate, discards open and face down.

    To renew it after an intended change: write these lines to the file, and read the difference.
    """
    lines = list(transcript(RULES, {"pace": pace}, 2, [bot("random")] * 2, seed))
    assert lines == (GOLDEN / f"salmon_{pace}.txt").read_text("utf-8").splitlines()
