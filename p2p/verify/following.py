"""A spectator's side: frames of a feed become steps, each verified before anybody sees it. No I/O.

Nobody is trusted, the seat that sends least of all. It can send late or stop; it cannot invent, leave out or
change anything without the verdict saying so, and where another seat tells another history, the signatures
say who has signed both.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TypeAlias

from engine.contract import BadOption

from ..log.absence import Certificate, Contradiction
from ..log.charter import Charter, decode_charter
from ..log.codec import Malformed, decode
from ..log.entry import Entry
from ..log.evidence import Equivocation
from ..log.record import (
    MAX_RECORD,
    REASONS,
    CertificateRecord,
    CharterRecord,
    ClosingRecord,
    ContradictionRecord,
    Damaged,
    EntryRecord,
    EvidenceRecord,
    RejectedRecord,
    write_game,
)
from ..sealed import Group
from ..session.history import BadCharter
from ..session.watching import Back, Part, PausedSeat, Places, Start, Watch, read_places
from .report import Report, RulesOf, Step
from .verifier import Cheated, Verifier, verify

Feeding: TypeAlias = (
    CharterRecord
    | Places
    | Start
    | Back
    | Part
    | PausedSeat
    | EntryRecord
    | CertificateRecord
    | EvidenceRecord
    | RejectedRecord
    | ContradictionRecord
    | ClosingRecord
)
"""What a feed consists of."""


DISORDER = "The program there sent the parts of a game in the wrong order."

TAKES_BACK = "The program there takes back a step that all had agreed on."

BEHIND = "The program there has less of the game than was verified here."

_CHARTER, _START, _RECORDS = range(3)
"""What a feed has to bring next."""


class BadFeed(Exception):
    """This seat's feed cannot be followed, which says nothing about the game. The message is one sentence."""


@dataclass(frozen=True, slots=True)
class Due:
    """All that there is of the step under way, to be verified with ``Follower.verify``, in any thread."""

    entries: tuple[Entry, ...]
    certificate: Certificate | None


@dataclass(frozen=True, slots=True)
class Undone:
    """Steps from this one on were taken back: those at the table went on without them."""

    step: int


@dataclass(frozen=True, slots=True)
class Begun:
    """The charter is here, and ``Follower.verifier`` with it."""

    charter: Charter


@dataclass(frozen=True, slots=True)
class Ended:
    """The feed is complete; the verdict is in ``Follower.conclude``."""


Heard: TypeAlias = Begun | Due | Undone | PausedSeat | Ended


class Follower:
    """Follows one game over feeds of one seat after another. ``hear`` each frame in order; verify what is due
    before the next one.

    What was verified is given up for nothing but a certificate: a seat whose feed begins before that, or
    takes steps back, has to send the same again until there is one.
    """

    def __init__(self, rules_of: RulesOf, group: Group) -> None:
        self._rules_of = rules_of
        self._group = group
        self._charter: Charter | None = None
        self._verifier: Verifier | None = None
        self.places: tuple[tuple[str, ...], ...] = ()
        """Where each seat can be reached, as the last feed said."""
        self.reached = 0
        """The step that was under way where the last feed began."""
        self._awaited = _CHARTER
        self._at = 0
        """The step that the feed has come to; before the one under way it repeats what was verified."""
        self._must_certify = False
        self._pending: dict[int, Entry] = {}
        self._certificate: Certificate | None = None
        self._part = b""
        self._equivocations: list[Equivocation] = []
        self._contradictions: list[Contradiction] = []
        self._rejected: list[Entry] = []
        self._closing: ClosingRecord | None = None

    # --- what there is --------------------------------------------------------------------------------------

    @property
    def charter(self) -> Charter | None:
        """The charter, once it is here."""
        return self._charter

    @property
    def verifier(self) -> Verifier:
        """What verifies the steps; there once the game has ``Begun``."""
        assert self._verifier is not None
        return self._verifier

    @property
    def is_ended(self) -> bool:
        """Whether the whole feed was heard."""
        return self._closing is not None

    def request(self, name: str) -> Watch:
        """What to ask the next seat for."""
        if self._verifier is None or not self._verifier.history.step:
            return Watch(name, 0, b"")
        history = self._verifier.history
        return Watch(name, history.step, history.head)

    def record(self) -> bytes:
        """The game's file, as far as it was verified."""
        history = self.verifier.history
        closing = self._closing
        late = tuple(self._pending[seat] for seat in sorted(self._pending)) if closing else ()
        reason = closing.reason if closing else "finished" if history.is_closed else "stopped"
        return write_game(
            history.charter, (*history.entries, *late), history.head, reason, self._equivocations,
            self._rejected, history.certificates.values(), self._contradictions,
        )  # fmt: skip

    # --- frames ---------------------------------------------------------------------------------------------

    def begin_feed(self) -> None:
        """Another seat sends from now on."""
        self._awaited, self._part = _CHARTER, b""
        self._pending, self._certificate, self._must_certify = {}, None, False

    def hear(self, frame: bytes) -> tuple[Heard, ...]:
        """One frame, and what follows from it. Raises ``BadFeed``, ``Damaged`` or ``Cheated``."""
        try:
            message: Feeding = decode(frame, Feeding)  # type: ignore[arg-type]  # a union is a type to msgspec
        except Malformed as error:
            raise BadFeed(f"The program there sent something that is no part of a game ({error}).") from None
        if isinstance(message, Part):
            return self._join(message)
        if isinstance(message, CharterRecord):
            return self._on_charter(message)
        is_first = isinstance(message, Places | Start)
        if is_first != (self._awaited == _START) or self._awaited == _CHARTER or self.is_ended:
            raise BadFeed(DISORDER)
        match message:
            case Places():
                self._on_places(message)
            case Start() | Back() | PausedSeat():
                return self._on_note(message)
            case CertificateRecord(certificate):
                return self._on_certificate(certificate)
            case EntryRecord(entry):
                return self._on_entry(entry)
            case EvidenceRecord(proof):
                self._equivocations.append(proof)
            case ContradictionRecord(found):
                self._contradictions.append(found)
            case RejectedRecord(entry):
                self._rejected.append(entry)
            case ClosingRecord():
                self._on_closing(message)
                return (Ended(),)
        if len(self._rejected) + len(self._equivocations) + len(self._contradictions) > 2:
            raise BadFeed("The program there sent more evidence than any game ends with.")
        return ()

    def _join(self, part: Part) -> tuple[Heard, ...]:
        self._part += part.data
        if len(self._part) > MAX_RECORD:
            raise BadFeed("The program there sent a record that is longer than any of a game.")
        if not part.is_last:
            return ()
        whole, self._part = self._part, b""
        return self.hear(whole)

    def _on_charter(self, message: CharterRecord) -> tuple[Heard, ...]:
        if self._awaited != _CHARTER:
            raise BadFeed(DISORDER)
        self._awaited = _START
        try:
            charter = decode_charter(message.charter)
            if self._charter is None:
                self._verifier = Verifier(charter, self._rules_of(charter.game), self._group)
        except (BadCharter, BadOption, LookupError, ValueError) as error:
            raise BadFeed(f"This game cannot be watched here: {error}") from None
        if self._charter is None:
            self._charter = charter
            return (Begun(charter),)
        if charter != self._charter:
            raise BadFeed("The program there sends another game than the one that was watched.")
        return ()

    def _on_places(self, message: Places) -> None:
        try:
            self.places = read_places(message)
        except Malformed as error:
            raise BadFeed(f"The program there sent something that is no part of a game ({error}).") from None

    def _on_note(self, message: Start | Back | PausedSeat) -> tuple[Heard, ...]:
        match message:
            case Start():
                self._on_start(message)
            case Back(step):
                self._on_back(step)
            case PausedSeat(seat):
                if not 0 <= seat < len(self.verifier.history.charter.seats):
                    raise BadFeed("The program there names a seat that is not at the table.")
                return (message,)
        return ()

    def _on_start(self, message: Start) -> None:
        """Where a feed begins: where the last one ended, or at the first step."""
        if message.step not in (0, self.verifier.history.step) or message.reached < message.step:
            raise BadFeed(DISORDER)
        self._awaited, self._at, self.reached = _RECORDS, message.step, message.reached

    def _on_back(self, step: int) -> None:
        """Steps are taken back, which only the certificate may do that has to follow."""
        if not 0 <= step < self._at:
            raise BadFeed(DISORDER)
        self._at, self._must_certify = step, True
        self._pending, self._certificate = {}, None

    def _on_certificate(self, certificate: Certificate) -> tuple[Heard, ...]:
        history = self.verifier.history
        heard: tuple[Heard, ...] = ()
        if self._at < history.step and certificate != history.certificates.get(self._at):
            if not self.verifier.takes_back(self._at, certificate):
                raise BadFeed(TAKES_BACK)
            self.verifier.back(self._at)
            heard = (Undone(self._at),)
        self._certificate, self._must_certify = certificate, False
        return (*heard, *self._due())

    def _on_entry(self, entry: Entry) -> tuple[Heard, ...]:
        history = self.verifier.history
        if self._must_certify:
            raise BadFeed(TAKES_BACK)
        step = self._at  # the sentence is that of ``Verifier``, with the same word in it
        if entry.step != step or entry.seat in self._pending:
            raise Damaged(f"step {step} is missing, or stands in another epoch or after the end")
        if step < history.step:
            self._compare(entry)
        self._pending[entry.seat] = entry
        return self._due()

    def _compare(self, entry: Entry) -> None:
        """A contribution of a step that was verified has to be the one that was. Where its author signed both
        on the same head, it is convicted."""
        history, step = self.verifier.history, self._at
        before = next((each for each in history.steps[step] if each.seat == entry.seat), None)
        if before == entry:
            return
        if before is None or before.body == entry.body or not history.is_signed(entry):
            raise BadFeed(TAKES_BACK)
        self._equivocations.append(Equivocation(history.heads[step], before, entry))
        raise Cheated(entry.seat, step, "signed two different contributions to one step")

    def _on_closing(self, closing: ClosingRecord) -> None:
        verifier = self.verifier
        if self._at < verifier.history.step:
            # Whoever ends a game for a reason that convicts may have come less far than others.
            with contextlib.suppress(Damaged):
                verifier.check_evidence(self._equivocations, self._contradictions)
            raise BadFeed(BEHIND)
        count = len(verifier.history.entries) + len(self._pending)
        if closing.count != count or closing.reason not in REASONS:
            raise Damaged("the closing record does not fit the contributions that came before it")
        self._closing = closing

    def _due(self) -> tuple[Due, ...]:
        """The step that the feed has come to, once all of it is there. What was verified is passed over."""
        history, certificate = self.verifier.history, self._certificate
        if self._at < history.step:
            is_certain = certificate == history.certificates.get(self._at)
            if is_certain and len(self._pending) == len(history.steps[self._at]):
                self._pending, self._certificate, self._at = {}, None, self._at + 1
            return ()
        absent = () if certificate is None else history.missing_seats(certificate.keeper)
        owed = set(history.progress.owed) - set(absent)
        if not owed <= self._pending.keys() or not (owed or certificate):
            return ()
        return (Due(self._ordered(), certificate),)

    def _ordered(self) -> tuple[Entry, ...]:
        return tuple(self._pending[seat] for seat in sorted(self._pending))

    # --- verifying ------------------------------------------------------------------------------------------

    def verify(self, due: Due) -> Step:
        """Verify a step. Raises ``Damaged`` or ``Cheated``."""
        step = self.verifier.take(due.entries, due.certificate)
        assert step is not None
        self._pending, self._certificate, self._at = {}, None, self.verifier.history.step
        return step

    def conclude(self) -> tuple[Step | None, Report]:
        """The step that was under way at the end, if anything of it is there, and the verdict."""
        closing = self._closing
        assert closing is not None
        if any(entry.step < self.verifier.history.step for entry in self._rejected):
            # It is judged where its step was under way, as in a file.
            return None, verify(self.record(), self._rules_of, self._group)
        try:
            step = self.verifier.take(self._ordered(), is_last=True) if self._pending else None
        except (Damaged, Cheated) as error:
            return None, self.verifier.failed(error)
        report = self.verifier.conclude(
            closing, self._equivocations, self._rejected, self._contradictions
        )  # fmt: skip
        return step, report


__all__ = [
    "BadFeed", "Begun", "Due", "Ended", "Follower", "Heard", "Undone",
]  # fmt: skip
