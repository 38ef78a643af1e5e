"""An open game of any kind with a presenter for one seat, which hears what a sealed session would tell it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from cli.presenter import Presenter
from cli.story import Line
from cli.text import Glyphs
from engine.bots import bot
from engine.contract import Action, Outcome, View
from engine.match import Position
from engine.open import Open
from engine.registry import game
from engine.rng import Stream
from engine.table import Choose, Complete, Deed, Disclose, Tick
from p2p.session import GameOver, Happened, YourMove

NAMES = ("Ann", "Ben", "Cy")
SECONDS = 3.0


class OpenTable:
    """Bots play all seats at random; the presenter belongs to seat ``me``."""

    def __init__(
        self,
        name: str,
        seed: int = 1,
        me: int = 0,
        options: Mapping[str, str] | None = None,
        names: tuple[str, ...] = NAMES,
    ) -> None:
        self.rules = game(name)
        self.position = Position.start(self.rules, options or {}, len(names))
        self.rng = Stream(seed)
        self.dealer = Open(self.position, self.rng)
        self.me = me
        self.show = Presenter(self.rules, names, me, Glyphs())

    def view(self) -> View[Any]:
        """What the seat of the presenter knows."""
        return self.dealer.view(self.position, self.me)

    def play(self, most: int = 10_000) -> Iterator[tuple[object, tuple[Line, ...]]]:
        """Every telling with its lines."""
        for _ in range(most):
            op = self.position.pending
            if isinstance(op, Outcome):
                yield self.hear(GameOver(op, closed=False))
                return
            if isinstance(op, Choose | Tick):
                yield from self._asked(op)
                deeds = [(seat, self._deed(seat)) for seat in op.seats]
                result = self.dealer.decided(self.position, deeds)
            else:
                yield from self._asked_for_cards(op)
                result = self.dealer.resolve(self.position, lambda at, seat, actions: self._chosen(actions))
            self.position, events = self.position.feed(result)
            yield self.hear(Happened(events, ()))

    def _asked(self, op: Choose | Tick) -> Iterator[tuple[object, tuple[Line, ...]]]:
        if self.me in op.seats and not (isinstance(op, Choose) and op.wish):
            seconds = SECONDS if isinstance(op, Choose) and (op.delayed or op.limit) else None
            yield self.hear(YourMove(self.view(), self.rules.legal(self.view()), seconds))

    def _asked_for_cards(self, op: object) -> Iterator[tuple[object, tuple[Line, ...]]]:
        if isinstance(op, Disclose | Complete) and op.seat == self.me:
            actions = self.position.choices(self.me, self.dealer.hand(self.position.table, self.me))
            if len(actions) > 1:
                yield self.hear(YourMove(self.view(), actions, SECONDS))

    def _deed(self, seat: int) -> Deed:
        view = self.dealer.view(self.position, seat)
        return self.rules.deed(view, bot("random")(view, self.rules.legal(view), self.rng))

    def _chosen(self, actions: tuple[Action, ...]) -> Action:
        return actions[self.rng.below(len(actions))]

    def hear(self, telling: Any) -> tuple[object, tuple[Line, ...]]:
        """A telling and its lines."""
        return telling, self.show.hear(telling, self.view())
