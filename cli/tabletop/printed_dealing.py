"""Printed cards that are wanted, and those that were tapped for them. Pure.

The session wants cards in an order; who taps at one pad follows it. A card that is put on somebody's own pad
counts for that seat, whatever the order, and waits until those before it were tapped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from engine.table import Slot, Zone, hand_of
from hardware.uids import Uid

from .printed_ledger import OPEN_DRAW

__all__ = ["Dealer", "Draw"]

Draw: TypeAlias = tuple[Slot, int]
"""The place of a card that is drawn, and the seat that it is for; -1 where all may see it."""


class Dealer:
    """See the module's text. Mutable."""

    def __init__(self, kept: Mapping[Draw, Uid] | None = None) -> None:
        """``kept`` are the cards that were tapped and not dealt when the program ended."""
        self.wanted: tuple[Draw, ...] = ()
        self.given: dict[Draw, Uid] = dict(kept or {})
        self._batch: list[Draw] = []
        self._sent: list[Draw] = []
        self._confirmed: set[Draw] = set()

    def want(self, draws: Sequence[Draw]) -> None:
        """What the session wants now, in order."""
        self.wanted = tuple(draws)
        for draw in draws:
            if draw in self._confirmed:  # it was taken, and is wanted again: it has been forgotten
                self.given.pop(draw, None)
        self._sent = [draw for draw in self._sent if draw in draws]
        self._confirmed = {draw for draw in self.given if draw not in draws}
        if not set(self._batch) & set(draws):
            self._batch = []
        self._batch += [draw for draw in draws if draw not in self._batch]

    @property
    def open(self) -> tuple[Draw, ...]:
        """The draws for which no card was tapped yet."""
        return tuple(draw for draw in self.wanted if draw not in self.given)

    @property
    def tapped(self) -> tuple[Draw, ...]:
        """The draws that are dealt in one go for which a card was tapped."""
        left = self.open
        return tuple(draw for draw in self._batch if draw not in left)

    def count(self, draw: Draw) -> tuple[int, int]:
        """The how many-th card of its seat this is, and of how many that are dealt in one go."""
        same = [each for each in self._batch if each[1] == draw[1]]
        return same.index(draw) + 1, len(same)

    def depth(self, draw: Draw, pile: Sequence[Slot]) -> int:
        """How many cards of its pile lie on it, as far as they are not tapped."""
        gone = {slot for slot, _ in (*self.given, *self.wanted[: self.wanted.index(draw)])}
        left = [slot for slot in pile if slot not in gone]
        return left.index(draw[0]) if draw[0] in left else 0

    def take(self, uid: Uid, seat: int | None) -> Draw | None:
        """A card was tapped, on the pad of ``seat`` or (``None``) of nobody: what it is taken for."""
        draw = next((draw for draw in self.open if seat is None or draw[1] == seat), None)
        if draw is not None:
            self.given[draw] = uid
        return draw

    def ready(self) -> list[Draw]:
        """The draws whose cards can be handed on now; they are, from now on, under way."""
        found = []
        for draw in self.wanted:
            if draw in self._sent:
                continue
            if draw not in self.given:
                break
            found.append(draw)
        self._sent += found
        return found

    def refuse(self, cards: Iterable[Uid]) -> list[Draw]:
        """Cards that were handed on and cannot be taken."""
        gone = set(cards)
        draws = [draw for draw in self._sent if self.given.get(draw) in gone]
        for draw in draws:
            del self.given[draw]
            self._sent.remove(draw)
        return draws

    def anew(self) -> bool:
        """Take back all that is not dealt; whether anything was to be taken back."""
        had = bool(self.given) and bool(self.wanted)
        for draw in self.wanted:
            self.given.pop(draw, None)
        self._sent.clear()
        return had

    def dealt(self, cards: Iterable[Uid]) -> None:
        """Cards that have come into play."""
        gone = set(cards)
        self.given = {draw: uid for draw, uid in self.given.items() if uid not in gone}
        self._confirmed &= set(self.given)

    def zones(self) -> dict[Uid, Zone]:
        """The cards that were tapped and are not in play yet, with the zones that they were tapped for."""
        return {uid: hand_of(seat) if seat >= 0 else OPEN_DRAW for (_, seat), uid in self.given.items()}
