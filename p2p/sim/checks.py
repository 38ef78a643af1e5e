"""What must hold after each thing that happens to a table, whatever the faults."""

from __future__ import annotations

import hashlib

from engine.contract import AnyRules

from ..deal import Reveal
from ..log.charter import Charter
from ..log.wire import EntryFrame, StatementFrame, decode_message
from ..sealed import Group
from ..session import Fault, Session, Stale, Telling
from .seat import SimSeat


class Broken(AssertionError):
    """Something that must hold does not. The message says what, in one sentence."""


class Checks:
    """All checks of one table. Each method raises ``Broken``."""

    def __init__(self, charter: Charter, rules: AnyRules, group: Group, seats: list[SimSeat]) -> None:
        self._charter = charter
        self._cards = len(rules.deck(dict(charter.options)))
        self._heads: dict[tuple[int, int], tuple[bytes, int]] = {}
        self._signed: dict[tuple[object, ...], bytes] = {}
        self._seen: dict[int, int] = {}
        width = (group.order.bit_length() + 7) // 8
        self._always: dict[int, tuple[bytes, ...]] = {}
        self._until_reveal: dict[int, tuple[bytes, ...]] = {}
        for seat in seats:
            held = seat.secrets(group)
            keys = [key.to_bytes(width, "little") for key in (held.payload_key, held.card_key)]
            self._always[seat.number] = (seat.root, keys[0])
            self._until_reveal[seat.number] = (held.seed, keys[1])

    def agreement(self, seat: SimSeat, session: Session) -> None:
        """Whoever has completed a step of an epoch has the same head after it."""
        history = session.history
        start = min(self._seen.get(seat.number, 0), history.step)
        for step in range(start, history.step + 1):
            place = (history.epochs[step], step)
            head, first = self._heads.setdefault(place, (history.heads[step], seat.number))
            if head != history.heads[step]:
                raise Broken(f"seats {first} and {seat.number} differ on step {step} of epoch {place[0]}")
        self._seen[seat.number] = history.step

    def conservation(self, seat: SimSeat, session: Session) -> None:
        """Every card lies somewhere, and none lies twice."""
        zones = session.history.progress.position.table.zones
        slots = [slot for there in zones.values() for slot in there]
        if len(slots) != self._cards or len(set(slots)) != self._cards:
            raise Broken(f"seat {seat.number} counts {len(slots)} cards of {self._cards}")

    def told(self, seat: SimSeat, what: Telling) -> None:
        """Nobody here cheats, and no store is an old copy."""
        if isinstance(what, Fault):
            text = f"seat {seat.number} blames seat {what.seat} at step {what.step}: {what.reason}"
            raise Broken(text)
        if isinstance(what, Stale):
            raise Broken(f"seat {seat.number} is told at step {what.step} that its store is an old copy")

    def sent(self, seat: SimSeat, session: Session, data: bytes) -> None:
        """Nothing is signed in two versions, and no secret leaves its owner before it is owed."""
        self._keep_secrets(seat, session, data)
        message = decode_message(data)
        signed: tuple[tuple[object, ...], bytes] | None = None
        if isinstance(message, EntryFrame) and message.seat == seat.number:
            signed = ("entry", message.seat, message.epoch, message.step), message.body
        elif isinstance(message, StatementFrame) and message.author == self._keeper(seat):
            statement = message.statement
            signed = ("statement", *statement.place), f"{statement.purpose} {statement.have}".encode()
        if signed is not None:
            digest = hashlib.sha256(signed[1]).digest()
            if self._signed.setdefault(signed[0], digest) != digest:
                raise Broken(f"seat {seat.number} signed two versions of {signed[0]}")

    def _keep_secrets(self, seat: SimSeat, session: Session, data: bytes) -> None:
        for secret in self._always[seat.number]:
            if secret in data:
                raise Broken(f"seat {seat.number} sent a secret that is never revealed")
        if isinstance(session.history.progress.task, Reveal | None):
            return
        for secret in self._until_reveal[seat.number]:
            if secret in data:
                raise Broken(f"seat {seat.number} sent its seed or card key before the end")

    def restarted(self, seat: SimSeat, session: Session) -> None:
        """A restart leads to what was there before, as far as it was synced."""
        history = session.history
        for step, head in enumerate(history.heads):
            before = self._heads.get((history.epochs[step], step))
            if before is not None and before[0] != head:
                raise Broken(f"seat {seat.number} has another step {step} after its restart")
        self._seen[seat.number] = 0

    def disk_lost(self, seat: SimSeat) -> None:
        """What it signed and nobody has is gone, and it may sign something else there: what anybody has it
        may not, and who has both would say so (``told``)."""
        own = {"entry": (1, seat.number), "statement": (-1, seat.number)}
        for key in list(self._signed):
            at, author = own[str(key[0])]
            if key[at] == author:
                del self._signed[key]
        reached = max((step for other, step in self._seen.items() if other != seat.number), default=0)
        for place in [each for each in self._heads if each[1] > reached]:
            del self._heads[place]

    def _keeper(self, seat: SimSeat) -> int:
        return self._charter.seats[seat.number].keeper
