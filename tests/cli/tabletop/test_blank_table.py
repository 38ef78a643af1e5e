"""Single moves at a table with blanks: what is bound, what is asked for, what a moved blank means, and what
survives the program."""

from __future__ import annotations

import pytest

from cli.tabletop.blank_binding import Binding, Bond
from cli.tabletop.blank_kept import from_bytes, to_bytes
from cli.tabletop.blank_moves import Ways, meant
from cli.tabletop.blank_table import GROWTH, BlankTable, Decided
from engine.contract import Action, Event
from hardware.pads import DISCARD, HUB, POND
from hardware.uids import Uid
from tests.cli.tabletop.blank_world import ASKS, BLANKS, BY_NUMBER, PADS, SEATS, World

ANN, BEN = SEATS[0], SEATS[1]


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOAL_LANG", "en")


def game(world: World, ann: str, ben: str, *events: Event) -> None:
    world.hands = {0: tuple(ann.split()), 1: tuple(ben.split())}
    world.hear(world.table.game(world.now, world.hands, events))


def dealt(ann: str, ben: str) -> World:
    """A table at which all cards lie where they belong."""
    world = World()
    game(world, ann, ben)
    world.obey_all()
    world.check_right()
    world.heard.clear()
    world.private.clear()
    return world


def ask(world: World, seat: int, *actions: Action, in_race: bool = False) -> None:
    world.questions[seat] = (actions, in_race)
    world.hear(world.table.asked(world.now, seat, actions, in_race))


def number(world: World, seat: int, card: str) -> Uid:
    """The first blank of a seat that is this card."""
    return next(BY_NUMBER[n] for n, own in world.table.blanks.own(seat) if own == card)


def give(card: str) -> Action:
    return Action("give", cards=(card,))


# --- dealing and drawing ----------------------------------------------------------------------------


def test_seven_blanks_in_a_heap_are_bound_in_the_order_of_the_deal() -> None:
    world = World()
    heap = [BY_NUMBER[str(n)] for n in (8, 3, 5, 1, 9, 2, 7)]
    for uid in heap:
        world.put(uid, ANN)  # before anything is dealt
    game(world, "2C 3C 4C 5C 6C 7C 8C", "")
    assert [line for _, line in world.private] == [
        "Blank 8 is 2C.", "Blank 3 is 3C.", "Blank 5 is 4C.", "Blank 1 is 5C.", "Blank 9 is 6C.",
        "Blank 2 is 7C.", "Blank 7 is 8C.",
    ]  # fmt: skip
    assert world.table.may_decide(0)
    assert world.heard == []


def test_on_a_shared_screen_it_is_said_when_all_blanks_lie_right() -> None:
    world = World()
    game(world, "2C 3C", "4C")
    assert "All blanks lie where they should." not in world.heard
    world.obey_all()
    assert world.heard[-1] == "All blanks lie where they should."


def test_a_player_alone_hears_that_all_is_done_where_no_card_says_it() -> None:
    def alone(world: World) -> BlankTable:
        return BlankTable(PADS, BLANKS, {0: "Ann"}, str, world.saved, shows_faces=True)

    world = World(make=alone)
    game(world, "2C 3C", "")
    world.obey_all()
    assert [line for _, line in world.private] == ["Blank 1 is 2C.", "Blank 2 is 3C."]
    assert world.heard == ["Ann: take 2 free blanks and put them on your pad."]
    game(world, "3C", "")
    world.until_quiet()
    assert world.heard[-1] == "Take blank 1 off Ann's pad."
    world.put(BY_NUMBER["1"], None)
    assert world.heard[-1] == "All blanks lie where they should."


def test_blanks_too_many_are_named() -> None:
    world = World()
    game(world, "2C 3C", "")
    for n in (4, 5, 6, 7):
        world.put(BY_NUMBER[str(n)], ANN)
    world.pass_time(4.0)
    assert world.heard[-1] == "Take blanks 6 and 7 off Ann's pad."


def test_the_deal_asks_for_as_many_as_are_missing() -> None:
    world = World()
    game(world, "2C 3C 4C", "9S")
    world.put(BY_NUMBER["1"], ANN)
    world.until_quiet()
    assert world.heard == [
        "Ann: take 2 free blanks and put them on your pad.",
        "Ben: take a free blank and put it on your pad.",
    ]


def test_a_card_that_is_drawn_and_laid_at_once_is_not_asked_for() -> None:
    world = dealt("9C 9D 9H", "")
    game(world, "9C 9D 9H 9S", "")
    world.pass_time(0.2)
    game(world, "", "")
    world.until_quiet()
    assert world.heard == ["Take blanks 1, 2 and 3 off Ann's pad."]


def test_there_may_be_too_few_blanks() -> None:
    world = World()
    game(world, " ".join(["2C"] * 61), "")
    world.until_quiet()
    assert world.heard[-1].startswith("There are too few free blanks. More of them: ")


# --- passing on -------------------------------------------------------------------------------------


def test_asked_for_nines_the_blanks_of_nines_go_to_the_asker() -> None:
    world = dealt("9C KD", "9H 9S 4D")
    nines = [number(world, 1, "9H"), number(world, 1, "9S")]
    game(
        world, "9C KD 9H 9S", "4D",
        Event("ask", 0, 1, ("9",)), Event("give", 1, words=("9H", "9S")),
    )  # fmt: skip
    world.until_quiet()
    assert world.heard == ["Move blanks 3 and 4 from Ben's pad to Ann's pad."]
    assert not world.table.may_decide(0)
    world.put(number(world, 1, "4D"), ANN)  # the wrong one
    world.pass_time(4.0)
    assert "Move blank 5 from Ann's pad back to Ben's pad." in world.heard
    world.obey_all()
    world.check_right()
    assert [world.lies[uid] for uid in nines] == [ANN, ANN]
    assert (0, "Blank 3 is 9H.") in world.private


def test_a_card_given_to_somebody_far_away_is_taken_off_and_free() -> None:
    world = dealt("9C KD", "")
    game(world, "KD", "", Event("ask", 2, 0, ("9",)), Event("give", 0, words=("9C",)))
    world.until_quiet()
    assert world.heard == ["Take blank 1 off Ann's pad."]
    world.put(BY_NUMBER["1"], POND)
    assert world.table.may_decide(0)
    game(world, "KD 5C", "")
    world.put(BY_NUMBER["1"], ANN)
    assert world.private[-1] == (0, "Blank 1 is 5C.")


def test_equal_cards_that_leave_and_come_are_not_connected() -> None:
    """Ann lays a card that all see, and Ben draws one like it: nobody may be told."""
    world = dealt("R2 B5", "G4")
    game(world, "B5", "G4 R2")
    world.until_quiet()
    assert world.heard == [
        "Take blank 1 off Ann's pad.",
        "Ben: take a free blank and put it on your pad.",
    ]


def test_of_equal_cards_any_blank_will_do() -> None:
    world = dealt("R2 R2 B5", "")
    second = BY_NUMBER["2"]
    game(world, "R2 B5", "R2", Event("ask", 1, 0, ("2",)), Event("give", 0, words=("R2",)))
    world.put(second, BEN)
    assert world.table.may_decide(0)
    world.check_right()


def test_ways_end_with_the_next_decision() -> None:
    world = dealt("R2 B5", "G4")
    game(world, "R2 B5", "G4", Event("ask", 1, 0, ("2",)), Event("give", 0, words=("?2",)))
    world.table.decided(1)
    game(world, "B5", "G4 R2")
    world.until_quiet()
    assert "Take blank 1 off Ann's pad." in world.heard


def test_ways_of_all_games() -> None:
    ways = Ways()
    assert ways.hear([Event("give", 1)]) == []  # resumed in mid-turn: nobody has asked that we heard of
    assert ways.hear([Event("ask", 0, 2), Event("give", 2)]) == [(2, 0)]
    assert ways.hear([Event("take", 3, 1, ("2",))]) == [(1, 3)]
    assert ways.hear([Event("hand back", 3)]) == [(3, 1)]
    assert ways.hear([Event("hand back", 3)]) == []
    ways.hear([Event("take", 3, 1), Event("discard", 3)])
    assert ways.hear([Event("hand back", 3)]) == []


# --- what the screen shows all the time --------------------------------------------------------------


def test_what_the_table_waits_for_is_there_until_it_is_done() -> None:
    world = dealt("9C KD", "4D")
    one, three = BY_NUMBER["1"], BY_NUMBER["3"]
    world.put(one, None)
    assert world.table.still_to_do() == ()  # lifted, and perhaps put back at once
    world.pass_time(4.0)
    world.put(three, ANN)
    assert world.table.still_to_do() == ("Put blank 1 back on Ann's pad.",)
    world.pass_time(4.0)
    assert world.table.still_to_do() == (
        "Put blank 1 back on Ann's pad.",
        "Move blank 3 from Ann's pad back to Ben's pad.",
    )
    world.put(one, ANN)
    world.put(three, BEN)
    assert world.table.still_to_do() == ()


# --- deciding by moving -----------------------------------------------------------------------------


def test_moving_a_blank_to_the_asker_gives_it() -> None:
    world = dealt("B5", "B1 B3 G4")
    ask(world, 1, give("B1"), give("B3"))
    world.put(number(world, 1, "G4"), ANN)
    assert world.decided == []
    world.pass_time(4.0)
    assert world.heard == ["Move blank 4 from Ann's pad back to Ben's pad."]
    world.put(number(world, 1, "G4"), BEN)
    world.put(number(world, 1, "B3"), ANN)
    assert world.decided == [Decided(1, give("B3"))]
    assert world.table.may_decide(0)  # where it lies it is right, until the game has taken it


def test_a_decision_waits_until_all_else_is_right() -> None:
    world = dealt("B5", "B1 B3 G4")
    ask(world, 1, give("B1"), give("B3"))
    world.put(number(world, 0, "B5"), None)
    world.put(number(world, 1, "B3"), DISCARD)
    world.pass_time(10.0)
    assert world.decided == []
    assert world.heard == ["Put blank 1 back on Ann's pad."]
    world.put(number(world, 0, "B5"), ANN)
    assert world.decided == [Decided(1, give("B3"))]


def test_what_was_moved_before_the_question_is_no_answer() -> None:
    world = dealt("B5", "B1 B3 G4")
    world.put(number(world, 1, "B3"), DISCARD)
    ask(world, 1, give("B1"), give("B3"))
    world.pass_time(4.0)
    assert world.decided == []
    assert world.heard == ["Move blank 3 from the discard pad back to Ben's pad."]
    world.put(BY_NUMBER["3"], BEN)
    world.put(BY_NUMBER["3"], DISCARD)
    assert world.decided == [Decided(1, give("B3"))]


def test_where_more_may_be_laid_one_pair_waits_a_while() -> None:
    world = dealt("R2 G2 Y2 Y5", "")
    one, two = Action("lay", cards=("R2+G2",)), Action("lay", cards=("R2+G2", "Y2+Y5"))
    ask(world, 0, one, two)
    for card in ("R2", "G2"):
        world.put(number(world, 0, card), DISCARD)
    assert world.decided == []
    world.pass_time(GROWTH + 0.1)
    assert world.decided == [Decided(0, one)]


def test_a_second_pair_may_be_laid_meanwhile_or_ok_ends_the_waiting() -> None:
    world = dealt("R2 G2 Y2 Y5", "")
    one, two = Action("lay", cards=("R2+G2",)), Action("lay", cards=("R2+G2", "Y2+Y5"))
    ask(world, 0, one, two)
    for card in ("R2", "G2", "Y2"):
        world.put(number(world, 0, card), DISCARD)
    world.pass_time(2 * GROWTH)
    assert world.decided == []  # three cards are no action
    assert world.table.may_decide(0)  # and no mistake yet
    world.put(number(world, 0, "Y5"), DISCARD)
    assert world.decided == [Decided(0, two)]
    world = dealt("R2 G2 Y2 Y5", "")
    ask(world, 0, one, two)
    for card in ("R2", "G2"):
        world.put(number(world, 0, card), DISCARD)
    world.hear(world.table.confirm(world.now, 0))
    assert world.decided == [Decided(0, one)]


def test_a_blank_held_to_an_asking_pad_is_not_missed_until_the_decision() -> None:
    world = dealt("9C KD", "4D")
    ask(world, 0, Action("ask", 1, "9"))
    nine = number(world, 0, "9C")
    world.put(nine, ASKS[0])
    world.put(nine, None)
    world.pass_time(10.0)
    assert world.table.may_decide(0)
    world.table.decided(0)
    world.hear(world.table.tick(world.now))
    assert not world.table.may_decide(0)
    world.until_quiet()
    assert world.heard == ["Put blank 1 back on Ann's pad."]


def test_a_refused_play_goes_back() -> None:
    world = dealt("B5", "B1 B3 G4")
    ask(world, 1, give("B1"), give("B3"))
    world.put(number(world, 1, "B3"), POND)
    world.table.refused(1, ("B3",))
    world.hear(world.table.tick(world.now))
    world.until_quiet()
    assert world.heard == ["Move blank 3 from the pond back to Ben's pad."]


def test_in_a_race_each_card_is_played_as_it_is_laid() -> None:
    world = dealt("sun sun makeup", "")
    plays = [Action("pass"), Action("play", cards=("sun",)), Action("play", cards=("makeup",))]
    ask(world, 0, *plays, in_race=True)
    for card in ("makeup", "sun"):
        world.put(number(world, 0, card), POND)
    assert [each.action.cards for each in world.decided] == [("makeup",), ("sun",)]
    world.pass_time(10.0)
    assert world.heard == []  # they are on their way
    game(world, "sun sun", "", Event("play", 0, words=("makeup",)))
    world.until_quiet()
    assert world.heard == []  # played, and off the pad already
    game(world, "sun sun", "", Event("late", 0, words=("sun",)), Event("claim", 1))
    world.pass_time(4.0)
    assert world.heard == ["Move blank 1 from the pond back to Ann's pad."]


def test_meant() -> None:
    actions = [Action("drop", value="down", cards=("sun", "sun")), Action("drop", cards=("sun", "sun"))]
    assert meant(actions, []).fits
    assert meant(actions, ["sun"]).may_grow
    assert meant(actions, ["sun", "sun"]).action == actions[1]  # open, as people drop cards
    assert not meant(actions, ["sun", "makeup"]).fits
    assert not meant([Action("ask", 1, "9")], ["9C"]).fits


# --- what survives ----------------------------------------------------------------------------------


def test_the_binding_survives_the_program() -> None:
    world = dealt("9C KD", "9H 4D")
    world.put(BY_NUMBER["1"], None)
    world.restart()
    world.pass_time(4.0)
    assert world.heard == ["Put blank 1 back on Ann's pad."]
    world.obey_all()
    world.check_right()
    assert world.heard[-1] == "The table is right again; the game goes on."


def test_a_hand_over_survives_the_program() -> None:
    world = dealt("9C", "9H 4D")
    game(world, "9C 9H", "4D", Event("ask", 0, 1, ("9",)), Event("give", 1, words=("9H",)))
    world.put(BY_NUMBER["2"], None)  # in the air
    world.restart()
    world.pass_time(4.0)
    assert world.heard[-1] == "Put blank 2 on Ann's pad."
    world.obey_all()
    world.check_right()


def test_a_decision_made_survives_while_others_still_decide() -> None:
    world = dealt("sun sun makeup", "sun")
    drop = Action("drop", cards=("sun", "sun"))
    ask(world, 0, drop)
    for uid in (BY_NUMBER["1"], BY_NUMBER["2"]):
        world.put(uid, DISCARD)
    assert world.decided == [Decided(0, drop)]
    world.questions.clear()
    world.restart()
    world.pass_time(10.0)
    assert world.heard == []


def test_a_lost_blank_is_replaced() -> None:
    world = dealt("9C KD", "")
    world.put(BY_NUMBER["1"], None)
    world.pass_time(4.0)
    assert world.table.lost(world.now, "99") is None
    outputs = world.table.lost(world.now, "1")
    assert outputs is not None
    world.hear(outputs)
    world.until_quiet()
    assert world.heard[-1] == "Ann: take a free blank and put it on your pad."
    world.put(BY_NUMBER["7"], ANN)
    assert world.private[-1] == (0, "Blank 7 is 9C.")
    assert world.table.may_decide(0)


def test_what_is_kept() -> None:
    binding = Binding(
        (Bond(BY_NUMBER["1"], 0, "9C"), Bond(BY_NUMBER["2"], 1, "fish-costume")),
        frozenset({(0, 1), (1, 0)}),
        ((BY_NUMBER["2"], "give"),),
    )
    assert from_bytes(to_bytes(binding)) == binding
    assert from_bytes(to_bytes(Binding())) == Binding()
    for damaged in (b"", b"{}", b"nonsense", to_bytes(binding)[:-3], b'{"bonds": [["", 0, "9C"]]}'):
        assert from_bytes(damaged) is None


def test_a_binding_of_other_blanks_or_seats_is_dropped() -> None:
    world = World()
    strange = Bond(Uid(b"strange"), 0, "9C")
    world.saved = Binding((strange, Bond(BY_NUMBER["2"], 5, "9D"), Bond(BY_NUMBER["3"], 1, "9H")))
    world.restart()
    assert world.table.blanks.binding.bonds == (Bond(BY_NUMBER["3"], 1, "9H"),)


def test_a_blank_stands_for_its_card_only_while_it_is_in_that_hand() -> None:
    world = dealt("9C KD", "")
    assert world.table.card(BY_NUMBER["1"]) == (0, "9C")
    game(world, "KD", "")
    assert world.table.card(BY_NUMBER["1"]) is None
    assert world.table.card(BY_NUMBER["50"]) is None


def test_nothing_is_bound_on_a_pad_in_doubt() -> None:
    world = dealt("9C", "")
    world.put(BY_NUMBER["30"], ANN)
    world.trouble(ANN)
    game(world, "9C KD", "")
    assert world.private == []
    assert not world.table.may_decide(0)
    world.relieve(ANN)
    assert world.private == [(0, "Blank 30 is KD.")]
    assert world.table.may_decide(0)


def test_tokens_pads_do_not_take_blanks() -> None:
    """A blank left on the hub is missed on its own pad."""
    world = dealt("9C", "")
    world.put(BY_NUMBER["1"], HUB)
    world.pass_time(4.0)
    assert world.heard == ["Move blank 1 from the hub back to Ann's pad."]
