"""A hand on a screen for everybody: shown to its own token alone, and only while that asks for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from cli.tabletop import Act, Feedback, Lift, Output, Peek, Say, Signal, Touch, Trouble
from cli.tabletop.base import Kind as Matter
from cli.tabletop.controller import BOUNCE, open_mode
from cli.tabletop.controller_shared import SharedController
from cli.tabletop.peeking import PEEK
from engine.contract import Action, View
from engine.match import Position
from engine.open import Open
from engine.scenario import read_scenarios
from engine.scenario.setup import set_up
from engine.table import Choose
from hardware.events import Place
from hardware.pads import HUB, Pads, seat
from hardware.tags import Kind
from p2p.session import Happened

from .rig import PAD, Hand, acts, said, setting_of

NAMES = ("Ann", "Ben", "Cy")
ANNS, BENS, HUBS = Place("reader", 1), Place("reader", 2), Place("reader", 3)
PADS = Pads({ANNS: seat("Ann"), BENS: seat("Ben"), HUBS: HUB})
POSITION = (
    '[[scenario]]\nid = "T-1"\nseats = ["A", "B", "C"]\ngame = "go-fish"\n'
    'hands = { A = "9H KD", B = "9C 4D", C = "4S 2S" }\nstock = "2C"\nturn = "A"'
)


class Shared:
    """Ann and Ben at one screen, with Cy far away; it is Ann's turn."""

    def __init__(self, pads: Pads | None = PADS, can_hide: bool = True) -> None:
        (scenario,) = read_scenarios(POSITION, "test")
        self.position: Position
        self.dealer: Open
        self.position, self.dealer, _events = set_up(scenario)
        rules, deck = self.position.rules, self.position.deck
        setting = setting_of(rules, deck, NAMES, (0, 1), pads, is_common=True)
        mode = open_mode(replace(setting, can_hide=can_hide))
        assert isinstance(mode, SharedController)
        self.mode = mode
        self.hand = Hand(mode)
        self.start = mode.opened(0.0)
        for local in (0, 1):
            mode.told(1.0, local, Happened((), ()), self.view(local))

    def view(self, who: int) -> View[Any]:
        return self.dealer.view(self.position, who)

    def play(self, action: Action) -> None:
        """Ann's decision, and all that follows from it by force."""
        deed = self.position.rules.deed(self.view(0), action)
        self.position, _events = self.position.feed(self.dealer.decided(self.position, [(0, deed)]))
        while not isinstance(self.position.pending, Choose):
            self.position, _events = self.position.feed(self.dealer.resolve(self.position))

    def ask(self, who: int = 0) -> list[Output]:
        view = self.view(who)
        return list(self.mode.asked(self.hand.now, who, view, self.position.rules.legal(view), None))

    def token(self, name: str, place: Place = PAD, stays: bool = True, wait: float = 2.0) -> list[Output]:
        (tag,) = [tag for tag in self.mode.setting.book.of(Kind.PLAYER) if tag.name == name]
        self.hand.now += wait
        role = self.mode.setting.pads.get(place)
        return list(self.mode.touched(self.hand.now, Touch(tag.uid, tag, place, role, self.hand.now, stays)))

    def lift(self, name: str, place: Place = PAD) -> list[Output]:
        (tag,) = [tag for tag in self.mode.setting.book.of(Kind.PLAYER) if tag.name == name]
        role = self.mode.setting.pads.get(place)
        return list(self.mode.lifted(self.hand.now, Lift(tag.uid, tag, place, role, self.hand.now)))


def peeks(outputs: Sequence[Output]) -> list[Peek]:
    return [each for each in outputs if isinstance(each, Peek)]


def spoken(outputs: Sequence[Output]) -> str:
    """What everybody reads."""
    return " ".join(each.text for each in outputs if isinstance(each, Say) and each.seat < 0)


def test_how_cards_are_looked_at_is_told_before_there_are_any() -> None:
    assert "To see your cards, lay your own token on your pad" in said(Shared().start)


@pytest.mark.parametrize("place", [ANNS, PAD, HUBS])
def test_the_own_token_shows_ones_own_cards_until_it_is_taken_away(place: Place) -> None:
    table = Shared()
    table.ask()
    out = table.token("Ann", place)
    (peek,) = peeks(out)
    assert peek.seat == 0
    assert "9♥" in " ".join(peek.lines)
    assert "9♣" not in " ".join(peek.lines)
    assert "9♥" not in spoken(out)
    assert Signal(place, Feedback.ACCEPTED) in out
    assert not peeks(table.mode.ticked(table.hand.now + 10 * PEEK)), "it lies there, and nobody took it away"
    assert not table.lift("Ben", BENS)
    assert table.lift("Ann", place) == [Peek(0)]


def test_a_look_does_not_disturb_what_was_begun() -> None:
    table = Shared()
    table.ask()
    table.hand.tap("player", "Ben", ANNS)
    assert peeks(table.token("Ann", ANNS))
    table.lift("Ann", ANNS)
    assert acts(table.hand.tap("card", "9S", ANNS)) == [Act(0, Action("ask", 1, "9"))]


def test_whose_turn_it_is_not_looks_on_the_own_pad_alone() -> None:
    table = Shared()
    table.ask()
    for place, role in ((HUBS, HUB), (ANNS, seat("Ann")), (PAD, None)):
        assert not peeks(table.token("Ben", place)), "there it may be the answer whom Ann asks"
        assert role == table.mode.setting.pads.get(place)
        table.hand.tap("command", "cancel", ANNS)
    (peek,) = peeks(table.token("Ben", BENS))
    assert peek.seat == 1
    assert "9♣" in " ".join(peek.lines)


def test_where_nobody_here_decides_each_may_look_on_any_pad() -> None:
    table = Shared(pads=None)
    assert peeks(table.token("Ben"))[0].seat == 1
    assert peeks(table.token("Ann"))[0].seat == 0, "one hand at a time"
    assert not peeks(table.token("Cy")), "not of somebody far away"


def test_a_reader_that_cannot_tell_shows_them_for_some_seconds_or_until_the_next_tap() -> None:
    table = Shared(pads=None)
    table.ask()
    assert peeks(table.token("Ann", stays=False))
    assert not table.token("Ann", stays=False, wait=BOUNCE / 2), "the same tap"
    began = table.hand.now - BOUNCE / 2
    assert table.mode.wake == began + PEEK
    assert not table.mode.ticked(began + PEEK - 0.1)
    assert table.mode.ticked(began + PEEK) == [Peek(0)]
    assert table.mode.wake is None
    assert peeks(table.token("Ann", stays=False))[0].lines
    assert table.token("Ann", stays=False) == [Peek(0)]


def test_cards_that_change_while_they_are_shown_are_shown_anew() -> None:
    table = Shared()
    (before,) = peeks(table.token("Ann", ANNS))
    (asked,) = peeks(table.ask())
    assert asked.seat == 0
    assert asked.lines != before.lines, "now it is asked what to do"
    assert not table.mode.told(table.hand.now, 0, Happened((), ()), table.view(0)), "nothing new"
    table.play(Action("ask", 1, "9"))
    table.mode.acted(table.hand.now, 0, Action("ask", 1, "9"))
    (after,) = peeks(table.mode.told(table.hand.now, 0, Happened((), ()), table.view(0)))
    assert "9♣" in " ".join(after.lines), "Ben has given it"


def test_a_reader_that_falls_silent_hides_what_a_token_on_it_showed() -> None:
    table = Shared()
    assert peeks(table.token("Ann", ANNS))
    assert not peeks(table.mode.troubled(9.0, Trouble(Matter.UNSURE, BENS, seat("Ben"))))
    assert peeks(table.mode.troubled(9.0, Trouble(Matter.UNSURE, ANNS, seat("Ann")))) == [Peek(0)]


def test_on_a_screen_that_keeps_what_is_written_nothing_is_shown_and_that_is_told_before() -> None:
    table = Shared(can_hide=False)
    assert "Your cards are not shown: what is written on this screen stays there." in said(table.start)
    out = table.token("Ann", ANNS)
    assert not peeks(out)
    assert "Your cards are not shown" in said(out)
    assert Signal(ANNS, Feedback.REFUSED) in out
    assert not peeks(table.ask())


def test_somebody_alone_at_a_screen_sees_the_hand_anyway() -> None:
    (scenario,) = read_scenarios(POSITION, "test")
    position, _dealer, _events = set_up(scenario)
    alone = open_mode(setting_of(position.rules, position.deck, NAMES, (0,), Pads({})))
    assert not isinstance(alone, SharedController)
