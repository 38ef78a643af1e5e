"""What may be done in Discount Salmon and what is refused, signed or written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import BadAction
from engine.contract import Action, Reason
from engine.table import Choose, Deed, Move, Slot, Tick
from tests.engine.salmon_race import FISH, LABELS, RULES, Race

# --- refusals -----------------------------------------------------------------------------------------------


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


# --- what is written ----------------------------------------------------------------------------------------


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
