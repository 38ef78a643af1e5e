"""The controller mode of several people at one screen: nothing that is said depends on a hand."""

from __future__ import annotations

from dataclasses import replace

from cli.tabletop import Act
from cli.tabletop.controller import Controller
from cli.tabletop.words import FEWEST_TAGS
from engine.contract import Action
from hardware.tags import Book

from .controller_at import ANN, BEN, GO_FISH, MIDDLE, ONE_FISH, PADS, At, lights
from .rig import acts, said


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


# --- tokens that are missing --------------------------------------------------------------------------------


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
