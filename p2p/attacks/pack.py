"""Printed cards on a table that exists only as events, and the person who shuffles, cuts and taps them."""

from __future__ import annotations

from engine.cards import Face
from engine.match import Position
from engine.rng import Stream
from engine.table import Slot

from ..session import CutWanted, ScanWanted


class Pack:
    """Cards in piles. Every card has one place."""

    def __init__(self, position: Position, seed: int) -> None:
        deck, draw = position.deck, Stream(seed, "pack")
        cards = iter(deck.cards)
        self.piles: dict[str, list[Face]] = {}
        for zone in position.table.zones:
            pile = [deck.faces[next(cards)] for _ in position.table.slots(zone)]
            self.piles[zone] = [pile.pop(draw.below(len(pile))) for _ in range(len(pile))]
        self._cuts: list[CutWanted] = []
        self._tapped: dict[tuple[Slot, int], Face] = {}

    def cut(self, what: CutWanted) -> None:
        """Once, however often it is told."""
        if what not in self._cuts:
            self._cuts.append(what)
            pile = self.piles[what.zone]
            self.piles[what.zone] = pile[what.at :] + pile[: what.at]

    def tap(self, what: ScanWanted) -> tuple[Face, ...]:
        """The cards in order; one that was asked for before is the same card again."""
        for draw in what.draws:
            if draw not in self._tapped:
                zone = draw[0].zone if draw[0].zone in self.piles else "stock"
                self._tapped[draw] = self.piles[zone].pop(0)
        return tuple(self._tapped[draw] for draw in what.draws)
