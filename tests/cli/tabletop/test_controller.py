"""The controller mode: what is confirmed, refused, forgotten, and never sent by mistake."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from cli.tabletop import Act, Feedback, Output, Say, Signal, Touch, Trouble, Typed
from cli.tabletop.base import Kind as Matter
from cli.tabletop.controller import BOUNCE, PATIENCE, Controller
from cli.tabletop.words import FEWEST_TAGS
from engine.contract import Action, Reason, View
from engine.match import Position
from engine.open import Open
from engine.scenario import read_scenarios
from engine.scenario.setup import set_up
from engine.table import Choose, Tick
from hardware.events import Place
from hardware.pads import Pads, ask, seat
from hardware.tags import Book, Kind, Tag
from hardware.uids import Uid
from p2p.session import Happened

from .rig import PAD, Hand, acts, said, setting_of

NAMES = ("Ann", "Ben", "Cy")


class At:
    """A position of a scenario file with a controller for some of its seats."""

    def __init__(self, text: str, local: tuple[int, ...] = (0,), pads: Pads | None = None) -> None:
        (scenario,) = read_scenarios(f'[[scenario]]\nid = "T-1"\nseats = ["A", "B", "C"]\n{text}', "test")
        self.position: Position
        self.dealer: Open
        self.position, self.dealer, _events = set_up(scenario)
        while not (isinstance(op := self.position.pending, Choose) and not op.wish):
            if isinstance(op, Choose):
                views = {seat: self.view(seat) for seat in op.seats}
                rules = self.position.rules
                deeds = [(seat, rules.deed(view, rules.legal(view)[0])) for seat, view in views.items()]
                self.position, _events = self.position.feed(self.dealer.decided(self.position, deeds))
            else:
                self.position, _events = self.position.feed(self.dealer.resolve(self.position))
        rules, deck = self.position.rules, self.position.deck
        self.mode = Controller(setting_of(rules, deck, NAMES, local, pads, is_common=len(local) > 1))
        self.hand = Hand(self.mode)

    def view(self, seat: int = 0) -> View[Any]:
        return self.dealer.view(self.position, seat)

    def ask(self, seat: int = 0) -> list[Output]:
        """Ask a seat what the position asks it."""
        view = self.view(seat)
        return list(self.mode.asked(self.hand.now, seat, view, self.position.rules.legal(view), None))

    def taps(self, *taps: str) -> list[Output]:
        """Tap several tags by their names; what the last one did."""
        out: list[Output] = []
        for name in taps:
            out = self.hand.tap(*self._tag(name))
        return out

    @staticmethod
    def _tag(name: str) -> tuple[str, str]:
        if name in NAMES:
            return "player", name
        return ("command", name) if name.islower() or name.isdecimal() else ("card", name)


GO_FISH = 'game = "go-fish"\nhands = { A = "9H KD", B = "9C 4D", C = "4S 2S" }\nstock = "2C"\nturn = "A"'
CARD_MODE = GO_FISH + '\noptions = { ask_mode = "card" }'
ONE_FISH = 'game = "one-fish"\nhands = { A = "R2 B5", B = "B1 B3", C = "G4" }\nturn = "A"'
STAR = 'game = "one-fish"\nhands = { A = "* B5", B = "B1 B3", C = "G4" }\nturn = "A"'
CASINO = (
    'game = "casino"\ndealer = "C"\nturn = "A"\npool = "QS 4D"\n'
    'hands = { A = "2C 3D 7H 9C 2S", B = "KC KD 5D 6S 8H", C = "TC TD 5C 6H 8S" }'
)


def lights(outputs: Sequence[Output]) -> set[Feedback]:
    return {each.feedback for each in outputs if isinstance(each, Signal)}


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


# --- several people ----------------------------------------------------------------------------------------

ANN, BEN, MIDDLE = Place("r", 0), Place("r", 1), Place("r", 2)
PADS = Pads({ANN: seat("Ann"), BEN: ask("Ben")})


def test_a_tap_belongs_to_the_player_of_its_pad() -> None:
    at = At(GO_FISH, local=(0, 1), pads=PADS)
    at.ask()
    assert "Ben: It is not your turn." in said(at.hand.tap("card", "9C", BEN))
    at.hand.tap("player", "Cy", ANN)
    assert acts(at.hand.tap("card", "9C", ANN)) == [Act(0, Action("ask", 2, "9"))]


def test_a_tap_on_a_pad_of_nobody_belongs_to_the_only_player_who_is_asked() -> None:
    at = At(GO_FISH, local=(0, 1), pads=PADS)
    assert "nobody's turn" in said(at.hand.tap("card", "9C", MIDDLE))
    at.ask()
    at.hand.tap("card", "9D", MIDDLE)
    assert acts(at.hand.tap("player", "Ben", MIDDLE)) == [Act(0, Action("ask", 1, "9"))]
    at.ask()
    at.mode.asked(at.hand.now, 1, at.view(1), (Action("give", cards=("9C",)),), 3.0)
    out = at.hand.tap("card", "KD", MIDDLE)
    assert "Whose tap is this? Ann and Ben can tap now" in said(out)


def test_a_common_screen_does_not_tell_that_a_hand_leaves_no_choice() -> None:
    one_rank = GO_FISH.replace('A = "9H KD"', 'A = "9H 9D"')
    alone = At(one_rank)
    alone.ask()
    assert "ok: ask Ben 9" in said(alone.taps("Ben"))
    at = At(one_rank, local=(0, 1), pads=PADS)
    at.ask()
    for out in (at.hand.tap("player", "Ben", ANN), at.hand.tap("command", "ok", ANN)):
        assert acts(out) == []
        assert said(out) == "Ann: Tapped: Ben. For what? Tap a card."
    assert acts(at.hand.tap("card", "9C", ANN)) == [Act(0, Action("ask", 1, "9"))]


def test_a_common_screen_never_names_what_is_possible_with_the_cards_of_a_hand() -> None:
    at = At(GO_FISH, local=(0, 1), pads=PADS)
    told = said(at.ask())
    told += said(at.hand.tap("player", "Ben", ANN))
    told += said(at.hand.tap("command", "ok", ANN))
    assert "Ann: it is your turn." in told
    assert "Ann: Tapped: Ben. For what? Tap a card." in told
    assert "9" not in told
    assert "K" not in told.replace("Kind", "")


def test_a_common_screen_does_not_tell_whether_a_hand_could_do_more_than_was_tapped() -> None:
    """A star to show, or another pair to lay, would change what is possible, and nothing that is seen."""
    seen = []
    for hand in ("R2 B5", "* R2"):
        at = At(ONE_FISH.replace("R2 B5", hand), local=(0, 1), pads=PADS)
        at.ask()
        taps = (("player", "Ben"), ("card", "R2"), ("command", "number"))
        out = [at.hand.tap(*tap, ANN) for tap in taps]
        seen.append([*map(said, out), *map(lights, out)])
        assert not any(map(acts, out))
        assert acts(at.hand.tap("command", "ok", ANN)) == [Act(0, Action("ask", 1, "2"))]
    assert seen[0] == seen[1]
    seen.clear()
    one, other = Action("lay", cards=("R2+B2",)), Action("lay", cards=("R3+G3",))
    both = Action("lay", cards=("R2+B2", "R3+G3"))
    for actions in ((one,), (one, other, both)):
        at = At(ONE_FISH, local=(0, 1), pads=PADS)
        at.mode.asked(at.hand.now, 0, at.view(), actions, None)
        out = [at.hand.tap("card", card, ANN) for card in ("R2", "B2")]
        seen.append([*map(said, out), *map(lights, out)])
        assert not any(map(acts, out))
        assert acts(at.hand.tap("command", "ok", ANN)) == [Act(0, one)]
    assert seen[0] == seen[1]


def test_on_a_common_screen_too_what_no_card_can_add_to_is_sent_at_once() -> None:
    at = At(ONE_FISH, local=(0, 1), pads=PADS)
    at.mode.asked(at.hand.now, 0, at.view(), (Action("pick", value="1"), Action("pick", value="2")), None)
    assert acts(at.hand.tap("command", "pick", ANN)) == [Act(0, Action("pick", value="1"))]


def test_a_hand_of_nothing_but_a_star_needs_no_more_than_the_fewest_tags() -> None:
    at = At(ONE_FISH.replace("R2 B5", "*"), local=(0, 1), pads=PADS)
    asks = [action for action in at.position.rules.legal(at.view()) if action.target == 1]
    assert len(asks) == 10  # four colours and six numbers
    found = []
    for word in FEWEST_TAGS["one-fish"]:
        at.ask()
        at.hand.tap("player", "Ben", ANN)
        at.hand.tap("card", "*", ANN)
        at.hand.tap("command", word, ANN)
        found += [act.action for act in acts(at.hand.tap("command", "ok", ANN))]
    assert sorted(action.value for action in found) == sorted(action.value for action in asks)


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


# --- a race ------------------------------------------------------------------------------------------------

SALMON = (
    'game = "discount-salmon"\nfryer = "A"\nflipper = "A"\nfish = "ugly"\n'
    'hands = { A = "makeup makeup sun lotion perfume", B = "?5", C = "?5" }'
)


class Racing(At):
    """A fish is in play, and this seat may play."""

    def __init__(self) -> None:
        (scenario,) = read_scenarios(f'[[scenario]]\nid = "T-1"\nseats = ["A", "B", "C"]\n{SALMON}', "test")
        self.position, self.dealer, _events = set_up(scenario)
        while not isinstance(self.position.pending, Tick):
            self.position, _events = self.position.feed(self.dealer.resolve(self.position))
        rules, deck = self.position.rules, self.position.deck
        self.mode = Controller(setting_of(rules, deck, NAMES))
        self.hand = Hand(self.mode)
        self.mode.raced(self.hand.now, 0, self.view(), rules.legal(self.view()))

    def card(self, name: str, number: int = 0, wait: float = 2.0) -> list[Output]:
        tags = [tag for tag in self.mode.setting.book.of(Kind.CARD) if tag.name == name]
        return self.hand.touch(tags[number], wait=wait)


def play(*cards: str) -> list[Act]:
    return [Act(0, Action("play", cards=(card,))) for card in cards]


def test_in_a_race_cards_are_played_as_they_are_tapped_in_their_order() -> None:
    at = Racing()
    found = (
        acts(at.card("sun", wait=0.1)) + acts(at.card("makeup", wait=0.1)) + acts(at.card("lotion", wait=0.1))
    )
    assert found == play("sun", "makeup", "lotion")


def test_in_a_race_two_equal_cards_are_two_plays_and_one_card_twice_is_one() -> None:
    at = Racing()
    assert acts(at.card("makeup", 0)) == play("makeup")
    assert acts(at.card("makeup", 1, wait=0.1)) == play("makeup")
    assert acts(at.card("makeup", 0)) == []
    assert acts(at.hand.tap("command", "ok")) == play("makeup")


def test_in_a_race_a_card_that_is_not_held_is_refused_and_the_next_tap_of_a_refused_one_counts() -> None:
    at = Racing()
    assert "You hold no antidote." in said(at.card("antidote"))
    assert acts(at.card("sun")) == play("sun")
    at.mode.refused(at.hand.now, 0, Action("play", cards=("sun",)), Reason("not-possible"))
    assert acts(at.card("sun")) == play("sun")


def test_a_race_that_is_over_takes_no_taps() -> None:
    at = Racing()
    after = At(SALMON.replace('fish = "ugly"\n', ""))
    at.mode.told(at.hand.now, 0, Happened((), ()), after.view(1))
    assert "It is not your turn." in said(at.card("makeup"))


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


def without_tokens(at: At, *names: str, has_tags: bool = True) -> Controller:
    """The same table where these players have no token, or nobody and nothing has any tag."""
    setting = at.mode.setting
    kept = [tag for tag in setting.book.tags if has_tags and tag.name not in names]
    at.mode = Controller(replace(setting, book=Book(kept)))
    return at.mode


def test_who_has_no_token_is_told_when_one_could_be_asked_and_not_again() -> None:
    for local in ((0,), (0, 1)):
        at = At(GO_FISH, local=local, pads=PADS)
        without_tokens(at, "Ben", "Cy")
        assert "Ben and Cy have no token" in (told := said(at.ask()))
        assert told.endswith("tags enroll --player 2 --player 3")
        assert "token" not in said(at.ask())


def test_the_number_of_a_seat_is_a_token_and_nobody_is_missed_who_has_one() -> None:
    at = At(GO_FISH)
    assert "have no token" not in said(at.ask())
    at = At(GO_FISH)
    setting = at.mode.setting
    tags = [replace(tag, name="2") if tag.name == "Ben" else tag for tag in setting.book.tags]
    at.mode = Controller(replace(setting, book=Book(tags)))
    assert "no token" not in said(at.ask())


def test_without_any_tag_nobody_is_told_to_tap() -> None:
    for local in ((0,), (0, 1)):
        at = At(GO_FISH, local=local, pads=PADS)
        mode = without_tokens(at, has_tags=False)
        assert "until then everything is typed" in said(mode.opened(0.0))
        assert "ap the token" not in said(at.ask())
        assert "no token" not in said(at.ask())


def test_a_common_screen_goes_on_saying_who_has_to_do_what() -> None:
    at = At(GO_FISH, local=(0, 1), pads=PADS)
    assert at.mode.to_do == ()
    at.ask()
    how = "Tap the token of the player you ask, and a card of what you ask for."
    assert at.mode.to_do == (f"Ann: Ask somebody. {how}",)
    at.hand.tap("player", "Ben", ANN)
    assert at.mode.to_do == ("Ann: Tapped: Ben. For what? Tap a card.",)
    at.hand.tap("command", "cancel", ANN)
    assert at.mode.to_do == (f"Ann: Ask somebody. {how}",)
    (sent,) = [*acts(at.hand.tap("player", "Ben", ANN)), *acts(at.hand.tap("card", "9C", ANN))]
    at.mode.acted(at.hand.now, 0, sent.action)
    assert at.mode.to_do == ()
    long = At(ONE_FISH, local=(0, 1), pads=PADS)
    long.ask()
    assert long.mode.to_do == ("Ann: Ask somebody. Whom? Tap a token.",)
    own = At(GO_FISH)
    own.ask()
    assert own.mode.to_do == (), "the game asks on a player's own screen"


def test_what_a_common_screen_goes_on_saying_is_the_same_for_every_hand() -> None:
    found = set()
    for hand in ("9H KD", "9H 9D", "2H 3D"):
        at = At(
            GO_FISH.replace("9H KD", hand).replace('stock = "2C"', 'stock = "5C"'), local=(0, 1), pads=PADS
        )
        at.ask()
        before = at.mode.to_do
        at.hand.tap("player", "Ben", ANN)
        found.add((before, at.mode.to_do))
    assert len(found) == 1
