"""What one seat knows, told by its own key: its hand, and the cards that it gave away hidden."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.cards import Face
from engine.contract import View
from engine.sight import Sight
from engine.table import HandOver, Partial, Slot, Zone

from ..deal import Handled, Progress, Secrets


class OwnSight:
    """Follows one history. Starts anew where steps of it were taken back.

    Without its ``secrets`` a seat knows what the public knows.
    """

    def __init__(self, seat: int, secrets: Secrets | None) -> None:
        self._seat = seat
        self._secrets = secrets
        self._opened: tuple[Progress, dict[Slot, Face]] | None = None
        self._seen: tuple[Handled, ...] = ()
        self._sight: Sight | None = None

    def hand(self, progress: Progress) -> dict[Slot, Face]:
        """This seat's own hand.

        Opened once for each contribution: whoever shows the table asks for it many times a second, and
        opening is a multiplication for each card.
        """
        if not progress.dealing.keys or self._secrets is None:
            return {}
        if self._opened is None or self._opened[0] is not progress:
            hand = progress.dealing.own_hand(progress.position, self._seat, self._secrets)
            self._opened = (progress, hand)
        return dict(self._opened[1])

    def view(self, progress: Progress) -> View[Any]:
        """The game as this seat sees it."""
        if self._secrets is None:
            return progress.position.view(-1, {})
        private = self.known(progress)
        return progress.position.view(self._seat, self.hand(progress), private)

    def known(self, progress: Progress) -> tuple[tuple[Zone, Partial], ...]:
        """Zone and face of each card that the public does not know in full, as ``Position.view`` takes it."""
        if self._secrets is None:
            return ()
        trail = progress.trail
        done = len(self._seen)
        if self._sight is None or trail[:done] != self._seen:
            self._sight, done = Sight(progress.position.deck), 0
        for handled in trail[done:]:
            self._take_in(self._sight, self._secrets, handled)
        self._seen = trail
        return self._sight.known

    def _take_in(self, sight: Sight, secrets: Secrets, handled: Handled) -> None:
        before, op = handled.before, handled.op
        table = before.position.table
        if not isinstance(op, HandOver):
            sight.fold(op, handled.result, table, {})
            return
        hand = before.dealing.own_hand(before.position, self._seat, secrets)
        received: Mapping[Slot, Face] = {}
        if op.to == self._seat:
            after = handled.after.dealing.own_hand(handled.after.position, self._seat, secrets)
            received = {old: after[new] for old, new in table.relocations(op)}
        sight.fold(op, handled.result, table, hand, received)
