"""The controller mode: what is confirmed, refused, forgotten, and never sent by mistake."""

from __future__ import annotations

from cli.tabletop import Act, Feedback, Say, Signal, Touch, Trouble, Typed
from cli.tabletop.base import Kind as Matter
from cli.tabletop.controller import BOUNCE, PATIENCE
from engine.contract import Action, Reason
from engine.table import Choose
from hardware.tags import Kind, Tag
from hardware.uids import Uid
from p2p.session import Happened

from .controller_at import ANN, CARD_MODE, CASINO, GO_FISH, ONE_FISH, PADS, STAR, At, lights
from .rig import PAD, acts, said

# --- asking ------------------------------------------------------------------------------------------------


def test_a_token_and_any_card_of_the_rank_ask_in_either_order() -> None:
    for taps in (("Ben", "9S"), ("9C", "Ben")):
        at = At(GO_FISH)
        at.ask()
        assert not acts(at.taps(taps[0]))
        assert acts(at.taps(taps[1])) == [Act(0, Action("ask", 1, "9"))]


def test_where_cards_are_asked_for_the_very_card_counts() -> None:
    at = At(CARD_MODE)
    at.ask()
    assert acts(at.taps("Cy", "9S")) == [Act(0, Action("ask", 2, "9S"))]


def test_a_token_may_be_the_number_of_a_seat() -> None:
    at = At(GO_FISH)
    at.ask()
    token = Tag(Uid(b"\x01\x02\x03\x04"), Kind.PLAYER, "3")
    at.hand.touch(token)
    assert acts(at.taps("9C")) == [Act(0, Action("ask", 2, "9"))]


def test_a_fish_is_never_asked_for_before_it_is_said_whether_by_number_or_by_colour() -> None:
    at = At(ONE_FISH)
    at.ask()
    # R6 can only mean red here, since no six is held; it is asked for all the same only once that is said.
    assert not acts(at.taps("Ben", "R6"))
    assert acts(at.taps("colour")) == [Act(0, Action("ask", 1, "red"))]
    at.ask()
    assert acts(at.taps("R2", "number", "Ben")) == [Act(0, Action("ask", 1, "2"))]
    at.ask()
    assert acts(at.taps("Ben", "blue")) == [Act(0, Action("ask", 1, "blue"))]


def test_a_star_is_shown_only_when_it_is_tapped_or_confirmed() -> None:
    at = At(STAR)
    at.ask()
    assert acts(at.taps("Ben", "B3", "colour")) == []
    assert acts(at.taps("ok")) == [Act(0, Action("ask", 1, "blue"))]
    at.ask()
    assert acts(at.taps("Ben", "G3", "number", "*")) == [Act(0, Action("ask", 1, "3 via star"))]


# --- what is refused ---------------------------------------------------------------------------------------


def test_a_refused_tap_is_explained_by_the_rules_and_by_light_and_what_came_before_still_counts() -> None:
    at = At(GO_FISH)
    at.ask()
    at.taps("Ben")
    out = at.taps("4C")
    assert not acts(out)
    assert "You hold no four" in said(out)
    assert "Tapped so far: Ben." in said(out)
    assert lights(out) == {Feedback.REFUSED}
    assert acts(at.taps("KS")) == [Act(0, Action("ask", 1, "K"))]


def test_ones_own_token_a_stranger_and_a_player_without_cards_are_refused_in_words() -> None:
    empty = GO_FISH.replace('C = "4S 2S"', 'C = ""').replace('stock = "2C"', "stock_size = 0")
    at = At(empty + '\noptions = { end_mode = "all_books" }')
    at.ask()
    assert "You cannot ask yourself." in said(at.taps("Ann"))
    assert "That player has no cards." in said(at.taps("Cy"))
    assert "Dora does not sit here." in said(
        at.hand.touch(Tag(Uid(b"\x01\x02\x03\x04"), Kind.PLAYER, "Dora"))
    )
    assert "is not a card of this game" in said(at.hand.touch(Tag(Uid(b"\x01\x02\x03\x05"), Kind.CARD, "B1")))
    assert "blank" in said(at.hand.touch(Tag(Uid(b"\x01\x02\x03\x06"), Kind.BLANK, "1")))


def test_a_tag_that_is_not_enrolled_is_told() -> None:
    at = At(GO_FISH)
    at.ask()
    out = at.mode.touched(200.0, Touch(Uid(b"\x09\x09\x09\x09"), None, PAD, None, 200.0))
    assert "not enrolled" in said(out)
    assert lights(out) == {Feedback.REFUSED}


def test_a_tap_when_it_is_not_ones_turn_is_refused_and_not_kept_for_later() -> None:
    at = At(GO_FISH)
    assert "It is not your turn." in said(at.taps("Ben"))
    at.ask()
    assert not acts(at.taps("9C"))


def test_a_refusal_of_the_session_is_said_in_its_words_and_clears_what_was_tapped() -> None:
    at = At(GO_FISH)
    at.ask()
    at.taps("Ben")
    out = at.mode.refused(at.hand.now, 0, Action("ask", 1, "9"), Reason("not-your-turn"))
    assert "It is not your turn." in said(out)
    assert at.mode.wake is None


# --- nothing by mistake ------------------------------------------------------------------------------------


def test_a_tag_that_bounces_counts_once() -> None:
    at = At(CASINO)
    at.ask()
    first = at.taps("QS")
    assert "ok: draw pool QS" in said(first)
    assert at.hand.tap("card", "QS", wait=BOUNCE / 2) == []
    assert acts(at.taps("ok")) == [Act(0, Action("draw pool", cards=("QS",)))]


def test_whoever_taps_again_and_again_is_heard() -> None:
    at = At(CASINO, local=(0, 1), pads=PADS)
    at.ask()
    answers = [said(at.hand.tap("command", "cancel", ANN, wait=0.6 * BOUNCE)) for _ in range(10)]
    assert answers == ["Ann: There is nothing to take back.", ""] * 5


def test_the_same_tag_twice_is_never_sent_by_itself() -> None:
    at = At('game = "one-fish"\nhands = { A = "B1 B1 R3", B = "G4", C = "Y5" }\nturn = "A"')
    actions = (Action("lay", cards=("B1+B1",)),)
    at.mode.asked(at.hand.now, 0, at.view(), actions, None)
    one, other = (tag for tag in at.mode.setting.book.tags if tag.name == "B1")
    assert not acts(at.hand.touch(one))
    assert not acts(at.hand.touch(one))
    assert acts(at.taps("ok")) == [Act(0, actions[0])]
    at.mode.asked(at.hand.now, 0, at.view(), actions, None)
    at.hand.touch(one)
    assert acts(at.hand.touch(other)) == [Act(0, actions[0])]


def test_what_was_begun_and_left_is_forgotten() -> None:
    at = At(GO_FISH)
    at.ask()
    at.taps("Ben")
    assert at.mode.wake == at.hand.now + PATIENCE
    assert at.mode.ticked(at.hand.now + PATIENCE - 1) == []
    at.hand.now += PATIENCE
    assert "forgotten: Ben" in said(at.mode.ticked(at.hand.now))
    assert at.mode.wake is None
    assert not acts(at.taps("9C"))


def test_a_tap_that_came_before_the_question_is_no_answer_to_it() -> None:
    at = At(CASINO)
    tag = next(tag for tag in at.mode.setting.book.tags if tag.name == "deck")
    at.hand.now += 5
    at.ask()
    out = at.mode.touched(at.hand.now, Touch(tag.uid, tag, PAD, None, at.hand.now - 0.1))
    assert "before the question" in said(out)


def test_a_new_question_begins_with_nothing_tapped() -> None:
    at = At(GO_FISH)
    at.ask()
    at.taps("Ben")
    at.ask()
    assert not acts(at.taps("9C"))


def test_a_question_whose_time_has_passed_is_answered_no_more() -> None:
    at = At(GO_FISH)
    at.mode.asked(at.hand.now, 1, at.view(1), (Action("give", cards=("9C",)),), 3.0)
    at.ask()
    at.mode.told(at.hand.now, 0, Happened((), ()), at.view())
    assert not acts(at.taps("Ben"))  # still asked
    after, _events = at.position.feed(
        at.dealer.decided(at.position, [(0, at.position.rules.deed(at.view(), Action("ask", 1, "9")))])
    )
    at.mode.told(at.hand.now, 0, Happened((), ()), at.dealer.view(after, 0))
    assert "It is not your turn." in said(at.taps("9C"))


def test_cancel_begins_again_and_ok_confirms_nothing_that_is_not_there() -> None:
    at = At(GO_FISH)
    at.ask()
    assert "nothing to confirm" in said(at.taps("ok"))
    assert "nothing to take back" in said(at.taps("cancel"))
    at.taps("Ben")
    assert "begin again" in said(at.taps("cancel"))
    assert not acts(at.taps("9C"))
    assert acts(at.taps("Cy")) == [Act(0, Action("ask", 2, "9"))]


def test_ok_is_refused_while_several_actions_are_possible() -> None:
    at = At(GO_FISH)
    at.ask()
    at.taps("Ben")
    out = at.taps("ok")
    assert not acts(out)
    assert "ask Ben 9" in said(out)
    assert "ask Ben K" in said(out)


# --- words -------------------------------------------------------------------------------------------------


def test_words_of_the_screen_do_what_typing_them_does_unless_an_entry_needs_them() -> None:
    at = At(CASINO.replace('turn = "A"', 'turn = "C"'), local=(2,))
    at.ask(2)
    assert [out for out in at.taps("hand") if isinstance(out, Typed)] == [Typed("hand")]
    assert not acts(at.taps("Ann"))
    assert not acts(at.taps("hand"))
    assert acts(at.taps("table")) == [Act(2, Action("take", 0, cards=("hand", "table")))]


def test_a_wish_is_passed_on_at_any_time() -> None:
    at = At(CASINO)
    at.mode.told(at.hand.now, 0, Happened((), ()), at.view())
    assert acts(at.taps("expose")) == [Act(0, Action("expose"))]
    assert "does not lie open" in said(at.taps("conceal"))


def test_trouble_with_a_tag_is_told_and_lights_the_pad() -> None:
    at = At(GO_FISH)
    out = at.mode.troubled(at.hand.now, Trouble(Matter.REFUSED, PAD, None, "This is a phone."))
    assert out == [Say("This is a phone."), Signal(PAD, Feedback.REFUSED)]
    assert at.mode.troubled(at.hand.now, Trouble(Matter.UNSURE, PAD, None, "gone")) == ()


# --- more ways than are listed -----------------------------------------------------------------------------

MANY = (
    'game = "one-fish"\nturn = "A"\n'
    'hands = { A = "R2 B2 Y2 G2 R1 B1 Y1 G1 R3 B3", B = "R2 B2 Y2 G2", C = "G4" }'
)


def test_of_more_ways_to_lay_than_are_listed_each_one_can_be_tapped() -> None:
    at = At(MANY)
    rules = at.position.rules
    deed = rules.deed(at.view(), Action("ask", 1, "2"))
    at.position, _events = at.position.feed(at.dealer.decided(at.position, [(0, deed)]))
    while not isinstance(at.position.pending, Choose):
        at.position, _events = at.position.feed(at.dealer.resolve(at.position))
    way = Action("lay", cards=("G1+G2", "R2+R3", "B2+B3", "Y2+Y2"))
    assert way not in rules.legal(at.view())
    at.ask()
    told = said(at.taps("G1", "G2", "R2", "R3", "B2", "B3", "Y2", "Y2"))
    assert "ok, when these are all the pairs." in told
    assert acts(at.hand.tap("command", "ok")) == [Act(0, way)]
    at.ask()
    at.taps("G1", "G2", "R1", "B3")
    out = at.hand.tap("command", "ok")
    assert not acts(out)
    assert "A pair needs a fish that came in now." in said(out)
    assert "Tapped so far: G1 G2 R1 B3." in said(out)


# --- what is tapped and lacking ----------------------------------------------------------------------------


def test_commands_of_the_screen_are_heard_half_way_and_what_was_tapped_stays() -> None:
    for text, begun, words in (
        (GO_FISH, "9H", ("hint", "hand", "help", "table", "rules")),
        (GO_FISH, "Ben", ("hint", "hand")),
        (ONE_FISH, "R2", ("hint",)),
        (CASINO, "QS", ("hint", "hand")),
    ):
        for local in ((0,), (0, 1)):
            at = At(text, local=local, pads=PADS)
            at.ask()
            at.hand.tap(*at._tag(begun), ANN)
            for word in words:
                out = at.hand.tap("command", word, ANN)
                assert [each.line for each in out if isinstance(each, Typed)] == [word], (begun, word)
                assert Signal(ANN, Feedback.REFUSED) not in out
            assert "Taken back" in said(at.hand.tap("command", "cancel", ANN))


def test_what_is_begun_is_not_forgotten_while_its_player_asks_for_a_hint() -> None:
    at = At(GO_FISH)
    at.ask()
    at.taps("9H")
    at.hand.tap("command", "hint", wait=PATIENCE - 1)
    assert at.mode.ticked(at.hand.now + PATIENCE - 1) == []
    assert acts(at.taps("Ben")) == [Act(0, Action("ask", 1, "9"))]


def test_an_ok_too_early_says_what_is_lacking() -> None:
    for text, tapped, lacking in (
        (GO_FISH, ("9H",), "Whom? Tap a token."),
        (GO_FISH, ("Ben",), "For what? Tap a card."),
        (ONE_FISH, ("R2", "number"), "Whom? Tap a token."),
        (ONE_FISH, ("Ben", "R2"), "What of it? Tap number or colour."),
        (ONE_FISH, ("Ben",), "For what? Tap a card."),
        (CASINO, ("deck",), "How many? Tap 1 or 2."),
    ):
        for local in ((0,), (0, 1)):
            at = At(text, local=local, pads=PADS)
            at.ask()
            for name in tapped:
                out = at.hand.tap(*at._tag(name), ANN)
            assert "or ok" not in said(out)
            out = at.hand.tap("command", "ok", ANN)
            assert acts(out) == []
            assert said(out).partition(" Possible:")[0].endswith(lacking), (said(out), lacking)
            assert Signal(ANN, Feedback.REFUSED) in out
