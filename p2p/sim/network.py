"""The links of a simulated world: frames are delayed, lost, doubled and overtaken; links are cut and mended.

Where two seats never reach each other, they are linked by way of a third one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, TypeAlias

from ..session import Effect, Session
from .agenda import Agenda
from .plan import Cut, Plan
from .seat import SimSeat

NOTICED: Final = 1.0
"""Seconds until the others notice at most that a seat is gone, or that it is back."""

Input: TypeAlias = Callable[[Session, float], list[Effect]]
"""An input to a session, at a time of its seat's own clock."""


class Network:
    """All links of one table.

    ``handle`` lets a seat, in one of its lives, handle an input; ``counts`` are the world's.
    """

    def __init__(
        self,
        plan: Plan,
        seats: list[SimSeat],
        agenda: Agenda,
        counts: dict[str, int],
        handle: Callable[[SimSeat, int, Input], None],
    ) -> None:
        self._plan = plan
        self._seats = seats
        self._agenda = agenda
        self._counts = counts
        self._handle = handle
        self._blocked: dict[tuple[int, int], int] = {}
        self._linked: dict[frozenset[int], int] = {}
        self._ways: dict[frozenset[int], int] = {}
        self._arrivals: dict[tuple[int, int], float] = {}

    # --- frames ---------------------------------------------------------------------------------------------

    def send(self, sender: int, to: int | None, data: bytes) -> None:
        """One frame to a seat, or to all (``None``), over the links that there are."""
        for other in range(len(self._seats)) if to is None else (to,):
            if other != sender and frozenset((sender, other)) in self._linked:
                self._post(sender, other, data)

    def _post(self, sender: int, to: int, data: bytes) -> None:
        self._counts["frames"] += 1
        chance, is_calm = self._plan.chance, self._agenda.now >= self._plan.calm
        if self._is_blocked(sender, to) or (not is_calm and self._agenda.happens(chance.loss)):
            self._counts["lost"] += 1
            return
        link = self._linked[frozenset((sender, to))]
        hops = 1 + (frozenset((sender, to)) in self._ways)
        for _ in range(1 + (not is_calm and self._agenda.happens(chance.twice))):
            delay = chance.soonest + self._agenda.uniform(chance.latest - chance.soonest)
            when = self._agenda.now + hops * delay
            if chance.is_ordered:
                when = max(when, self._arrivals.get((sender, to), 0.0))
                self._arrivals[sender, to] = when
            self._agenda.at(when, partial(self._arrive, sender, to, link, data))

    def _arrive(self, sender: int, to: int, link: int, data: bytes) -> None:
        if self._linked.get(frozenset((sender, to))) != link or self._is_blocked(sender, to):
            self._counts["lost"] += 1
            return
        seat = self._seats[to]
        self._handle(seat, seat.life, lambda session, now: session.receive(now, sender, data))

    def _is_blocked(self, sender: int, to: int) -> bool:
        """Whether a frame of this direction is lost; one by way of a third on either half of it, and where
        that one is down or asleep."""
        way = self._ways.get(frozenset((sender, to)))
        if way is None:
            return (sender, to) in self._blocked
        third = self._seats[way]
        is_there = third.session is not None and self._agenda.now >= third.asleep_until
        return not is_there or bool({(sender, way), (way, to), (sender, to)} & self._blocked.keys())

    # --- links ----------------------------------------------------------------------------------------------

    def link_soon(self, one: int, other: int) -> None:
        """Both find each other in a moment, where nothing keeps them apart."""
        self._agenda.within(NOTICED, partial(self._link, one, other))

    def _link(self, one: int, other: int) -> None:
        """Both are up and nothing is cut: their link is made, and both are told."""
        pair = frozenset((one, other))
        ready = all(self._seats[each].session is not None for each in pair)
        if pair in self._linked or not ready or {(one, other), (other, one)} & set(self._blocked):
            return
        if pair in self._plan.hidden:
            way = self._way(pair)
            if way is None:
                return
            self._ways[pair] = way
        self._linked[pair] = self._agenda.number()
        for hidden in self._plan.hidden:  # they may meet by this way now
            self.link_soon(*sorted(hidden))
        for each, peer in ((one, other), (other, one)):
            seat = self._seats[each]
            self._handle(seat, seat.life, partial(_told_of_link, peer, True))

    def _way(self, pair: frozenset[int]) -> int | None:
        """A seat by whose way two others may be linked: each of them is linked to it directly."""
        for seat in range(len(self._seats)):
            ends = [frozenset((seat, end)) for end in pair]
            if seat not in pair and all(end in self._linked and end not in self._plan.hidden for end in ends):
                return seat
        return None

    def unlink(self, one: int, other: int) -> None:
        """The link of two seats is gone, and those that go by way of it; both are told."""
        pair = frozenset((one, other))
        if self._linked.pop(pair, None) is None:
            return
        self._ways.pop(pair, None)
        for hidden, way in list(self._ways.items()):
            if way in pair and hidden & pair:
                self.unlink(*sorted(hidden))
                self.link_soon(*sorted(hidden))
        for each, peer in ((one, other), (other, one)):
            seat = self._seats[each]
            self._handle(seat, seat.life, partial(_told_of_link, peer, False))

    def cut(self, cut: Cut) -> None:
        """Nothing gets through in these directions for a while."""
        for pair in cut.pairs:
            self._blocked[pair] = self._blocked.get(pair, 0) + 1
        if cut.is_seen:
            for one, other in cut.pairs:
                self.unlink(one, other)
        self._agenda.at(self._agenda.now + cut.lasts, partial(self._mend, cut))

    def _mend(self, cut: Cut) -> None:
        for pair in cut.pairs:
            self._blocked[pair] -= 1
            if not self._blocked[pair]:
                del self._blocked[pair]
        for one, other in cut.pairs:
            self.link_soon(one, other)


def _told_of_link(peer: int, is_up: bool, session: Session, now: float) -> list[Effect]:
    return session.link_up(now, peer) if is_up else session.link_down(now, peer)
