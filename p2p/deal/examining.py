"""What checking a contribution has in common, however cards are dealt: see ``contributing``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.match import Position
from engine.table import Pick

from ..log.codec import Malformed
from ..sealed import ProofRejected
from .base import Checked, PeerFault, Place, Task
from .hidden import COMMITMENT_SIZE, SALT_SIZE, Committed
from .picks import decode_positions


@dataclass(frozen=True, slots=True)
class Examiner:
    """One seat's contribution under examination, with no secrets."""

    dealing: Any
    position: Position
    place: Place

    def check(self, task: Task, number: int, body: bytes) -> Checked:
        """What the body of round ``number`` says. Raises ``PeerFault``."""
        try:
            return self._check(task, number, body)
        except (Malformed, ProofRejected) as error:
            raise PeerFault(self.place.seat, str(error)) from None

    def _check(self, task: Task, number: int, body: bytes) -> Checked:
        raise NotImplementedError

    def _kind(self, task: Task, number: int) -> str:
        kind: str = self.dealing.rounds(task, self.position)[number].kind
        return kind

    def _commitment(self, purpose: str, body: bytes) -> Committed:
        if len(body) != COMMITMENT_SIZE:
            raise Malformed(f"a commitment has {COMMITMENT_SIZE} bytes")
        return Committed(self.place.origin(purpose), body)

    def _positions(self, task: Pick, body: bytes) -> tuple[int, ...]:
        """The positions of a blind pick that the commitment before stands for."""
        salt, positions = body[:SALT_SIZE], body[SALT_SIZE:]
        if not self.dealing.stash.committed.is_opened_by(salt, positions):
            raise PeerFault(self.place.seat, "opened its commitment to other positions")
        return decode_positions(positions, self.position.table.size(task.zone), task.count)
