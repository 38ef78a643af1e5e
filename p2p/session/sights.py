"""What this seat alone knows of cards in other hands: what it gave away hidden, told by its own key."""

from __future__ import annotations

from collections.abc import Mapping

from engine.cards import Face
from engine.sight import Sight
from engine.table import HandOver, Partial, Slot, Zone

from ..deal import Handled, Progress, Secrets


class OwnSight:
    """Follows one history. Starts anew where steps of it were taken back."""

    def __init__(self, seat: int, secrets: Secrets) -> None:
        self._seat = seat
        self._secrets = secrets
        self._seen: tuple[Handled, ...] = ()
        self._sight: Sight | None = None

    def known(self, progress: Progress) -> tuple[tuple[Zone, Partial], ...]:
        """Zone and face of each card that the public does not know in full, as ``Position.view`` takes it."""
        trail = progress.trail
        done = len(self._seen)
        if self._sight is None or trail[:done] != self._seen:
            self._sight, done = Sight(progress.position.deck), 0
        for handled in trail[done:]:
            self._take_in(self._sight, handled)
        self._seen = trail
        return self._sight.known

    def _take_in(self, sight: Sight, handled: Handled) -> None:
        before, op = handled.before, handled.op
        table = before.position.table
        if not isinstance(op, HandOver):
            sight.fold(op, handled.result, table, {})
            return
        hand = before.dealing.own_hand(before.position, self._seat, self._secrets)
        received: Mapping[Slot, Face] = {}
        if op.to == self._seat:
            after = handled.after.dealing.own_hand(handled.after.position, self._seat, self._secrets)
            received = {old: after[new] for old, new in table.relocations(op)}
        sight.fold(op, handled.result, table, hand, received)
