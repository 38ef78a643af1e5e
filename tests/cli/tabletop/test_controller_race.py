"""The controller mode in a race: each card is played as it is tapped."""

from __future__ import annotations

from cli.tabletop import Act, Output
from cli.tabletop.controller import Controller
from engine.contract import Action, Reason
from engine.scenario import read_scenarios
from engine.scenario.setup import set_up
from engine.table import Tick
from hardware.tags import Kind
from p2p.session import Happened

from .controller_at import NAMES, At
from .rig import Hand, acts, said, setting_of

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
