"""Positions of scenarios with a controller for some of their seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cli.tabletop import Feedback, Output, Signal
from cli.tabletop.controller import Controller
from engine.contract import View
from engine.match import Position
from engine.open import Open
from engine.scenario import read_scenarios
from engine.scenario.setup import set_up
from engine.table import Choose
from hardware.events import Place
from hardware.pads import Pads, ask, seat

from .rig import Hand, setting_of

NAMES = ("Ann", "Ben", "Cy")
ANN, BEN, MIDDLE = Place("r", 0), Place("r", 1), Place("r", 2)
PADS = Pads({ANN: seat("Ann"), BEN: ask("Ben")})


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
