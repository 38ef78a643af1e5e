"""What making a contribution has in common, however cards are dealt (the other half is ``examining``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.match import Position
from engine.table import Deed, Pick, Slot, hand_of

from ..log.codec import encode
from .base import Place, Secrets, Task
from .hidden import Committed, Origin
from .picks import encode_positions, positions_from
from .ticks import markable


@dataclass(frozen=True, slots=True)
class Contributor:
    """One seat about to contribute. ``fresh`` is 32 bytes of new randomness, ``marks`` a tick's lag bits."""

    dealing: Any
    position: Position
    place: Place
    secrets: Secrets
    fresh: bytes
    marks: int = 0

    def _kind(self, task: Task, number: int) -> str:
        kind: str = self.dealing.rounds(task, self.position)[number].kind
        return kind

    def _slots(self, deed: Deed) -> tuple[Slot, ...]:
        """The own cards that a deed opens."""
        return tuple(Slot(hand_of(self.place.seat), n) for n in deed.shown)

    def _salt(self, origin: Origin) -> bytes:
        return origin.salt(self.secrets.seed)

    def _committed(self, purpose: str, value: bytes) -> Committed:
        """The commitment to a value that a later round opens."""
        origin = self.place.origin(purpose)
        return Committed(origin, origin.commit(self._salt(origin), value))

    def _picked(self, task: Pick, kind: str) -> tuple[bytes, Any]:
        """The commitment to the positions of a blind pick, then the opening. Both follow from the seed."""
        is_commitment = kind == "pick-commit"
        origin = self.place.origin("pick") if is_commitment else self.dealing.stash.committed.origin
        size = self.position.table.size(task.zone)
        salt, positions = positions_from(origin, self.secrets.seed, size, task.count)
        value = encode_positions(positions)
        if not is_commitment:
            return salt + value, positions
        commitment = origin.commit(salt, value)
        return commitment, Committed(origin, commitment)

    def _opened_deed(self, deed: Deed) -> tuple[bytes, bytes, int]:
        """Of a tick's second round the salt, the deed and the lag bits that may be set."""
        commitments = self.dealing.stash.commitments
        seat = self.place.seat
        marks = self.marks & markable(self.dealing, seat, commitments)
        return self._salt(commitments[seat].origin), encode(deed), marks
