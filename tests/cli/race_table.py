"""A whole sealed race on a simulated clock, read by a presenter at every seat while it is played."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from cli.presenter import Presenter
from cli.text import Glyphs
from engine.bots import bot
from engine.contract import Action
from engine.registry import game
from engine.rng import Stream
from p2p.sealed.testgroup import SmallGroup
from p2p.session import Happened, Race, YourMove
from tests.p2p.harness import Ring

__all__ = ["ReadRace"]

RULES = game("discount-salmon")
GROUP = SmallGroup()
LOST = 2.6
"""Seconds without a seat: its absence is certified, and it comes back to the same game."""


class ReadRace(Ring):
    """Discount Salmon in real time between real sessions. ``lines`` is what each seat has read.

    Bots play, now and then; ``share`` is how often they play when they are told of news, and ``waste`` how
    often any card will do. Some of the time one seat is slow, or out of reach.
    """

    def __init__(
        self,
        names: tuple[str, ...],
        seed: int,
        share: float = 0.4,
        waste: float = 0.4,
        options: Mapping[str, str] | None = None,
    ) -> None:
        self.shows = [Presenter(RULES, names, seat, Glyphs()) for seat in range(len(names))]
        self.lines: list[list[str]] = [[] for _ in names]
        self.verbs: set[str] = set()
        self.kinds: set[str] = set()
        self._share = share
        self._waste = waste
        self._chance = random.Random(seed)
        self._stream = Stream(seed)
        super().__init__(
            GROUP,
            len(names),
            seed=seed,
            rules=RULES,
            options=dict(options or {}),
            play=self._play,
            salt=bytes([seed]),
        )

    def play_with_trouble(self) -> None:
        """To the end, with links that lag and break between."""
        self.start()
        gone: int | None = None
        for _ in range(400):
            if all(session.is_over for session in self.sessions):
                return
            seat = self._chance.randrange(len(self.shows))
            if gone is not None:
                self.relink(gone)
                gone = None
            elif self._chance.random() < 0.2:
                gone = seat
                self.cut.add(seat)
                for other in range(len(self.shows)):
                    if other != seat:
                        self.run(seat, self.sessions[seat].link_down(self.now, other))
                        self.run(other, self.sessions[other].link_down(self.now, seat))
            self.delay = {seat: 0.4} if gone is None and self._chance.random() < 0.3 else {}
            end = self.now + (LOST if gone is not None else self._chance.uniform(0.5, 4.0))
            self.run_clock(lambda end=end: self.now >= end or all(s.is_over for s in self.sessions), LOST)
            self.now = max(self.now, end)
        raise AssertionError("the race never ended")

    def run(self, seat: int, effects: list[Any]) -> None:
        """Carry out effects, and show what is told at once, as the front end does."""
        told = len(self.told[seat])
        super().run(seat, effects)
        for what in self.told[seat][told:]:
            self.kinds.add(type(what).__name__)
            if isinstance(what, Happened):
                self.verbs |= {event.verb for event in what.events}
            show, view = self.shows[seat], self.sessions[seat].view()
            self.read(seat, *(str(line) for line in show.hear(what, view)))
            if isinstance(what, YourMove | Race):
                prompt = show.game.prompt(view, what.actions, getattr(what, "seconds", None))
                self.read(seat, prompt, *show.hints(view))
        if self.shows[seat].is_racing:
            self.read(seat, *(str(line) for line in self.shows[seat].passing(self.sessions[seat].view())))

    def read(self, seat: int, *lines: str) -> None:
        """Note what a seat has on its screen."""
        self.lines[seat] += lines

    def _play(self, ring: Ring, seat: int, race: Race) -> None:
        if self._chance.random() >= self._share:
            return
        playable = [action for action in race.actions if action.verb == "play"]
        if playable:
            chosen: Action = bot("careful")(race.view, race.actions, self._stream)
            if self._chance.random() < self._waste:
                chosen = self._chance.choice(playable)
            if chosen.verb == "wait":
                return
            self.run(seat, self.sessions[seat].act(self.now, chosen))
