"""A table's history as one seat, a spectator or ``verify`` sees it: complete steps, the head, and the
progress."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine.cards import Deck
from engine.contract import AnyRules, Event
from engine.match import Position
from engine.table import Tick

from ..deal import AnyDealing, Passed, PeerFault, Place, Printed, Progress, Reveal, Sealed, advance, check
from ..log.absence import (
    DEPARTURE,
    SKIP,
    About,
    Certificate,
    Gone,
    Statement,
    certificate_bytes,
    certificate_of,
    is_certificate,
    is_stated,
    keepers,
    seats_of,
)
from ..log.charter import Charter
from ..log.codec import Malformed
from ..log.entry import Entry, first_head, is_signed, next_head
from ..sealed import Group


class BadCharter(ValueError):
    """The charter does not fit the game it names. The message is one sentence."""


MAX_REWIND = 64
"""Steps that can be taken back without folding the game anew. A seat that is certified absent stands one or
two steps ahead of the others; more only where it alone owed what followed."""


@dataclass(frozen=True, slots=True)
class _Past:
    """A complete step as it was before it ended: what taking it back restores."""

    progress: Progress
    missed: frozenset[int]
    entries: Mapping[int, Entry]
    passed: Mapping[int, Passed]


class History:
    """Complete steps and what follows from them. Grows by ``complete``; only ``rewind`` takes steps back.

    ``proved`` says for each step of which kind its round was and how many contributions to it were verified;
    ``restored`` are the events of the steps that ``restore`` folded, which nobody was told of since, and
    ``restored_to`` is where each of them led.
    """

    def __init__(self, charter: Charter, rules: AnyRules, group: Group) -> None:
        self.charter = charter
        self.table_id = charter.table_id
        self._first = _first_progress(charter, rules, group, self.table_id)
        self._begin()

    def _begin(self) -> None:
        self.progress = self._first
        self.heads: list[bytes] = [first_head(self.table_id)]
        self.epochs: list[int] = [0]
        self.gone: list[Gone] = [frozenset()]
        self.steps: list[tuple[Entry, ...]] = []
        self.proved: list[tuple[str, int]] = []
        self.restored: list[tuple[Event, ...]] = []
        self.restored_to: list[Progress] = []
        self.certificates: dict[int, Certificate] = {}
        self.missed: frozenset[int] = frozenset()
        self._certified: dict[int, Progress] = {}
        self._past: deque[_Past] = deque(maxlen=MAX_REWIND)

    @property
    def epoch(self) -> int:
        """The epoch of the step under way. Each certificate of absence begins a new one."""
        return self.epochs[-1]

    @property
    def step(self) -> int:
        """The step under way."""
        return len(self.steps)

    @property
    def head(self) -> bytes:
        """The head before the step under way."""
        return self.heads[-1]

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All contributions of the complete steps."""
        return tuple(entry for step in self.steps for entry in step)

    def place(self, seat: int) -> Place:
        """Where a contribution of ``seat`` to the step under way stands."""
        return Place(self.table_id, self.epoch, self.step, seat, self.head)

    def is_at(self, epoch: int, step: int) -> bool:
        """Whether ``step`` was reached, and in ``epoch``."""
        return 0 <= step <= self.step and epoch == self.epochs[step]

    def is_signed(self, entry: Entry) -> bool:
        """Whether ``entry`` carries its seat's signature on the head before its step."""
        return self.is_at(entry.epoch, entry.step) and is_signed(
            self.charter, self.table_id, self.heads[entry.step], entry
        )

    def is_stated(self, statement: Statement) -> bool:
        """Whether ``statement`` carries its keeper's signature on the head before its step."""
        return self.is_at(statement.epoch, statement.step) and is_stated(
            self.charter, self.table_id, self.heads[statement.step], statement, self.gone[statement.step]
        )

    def check(self, entry: Entry) -> Passed:
        """Verify a contribution to the step under way. Raises ``PeerFault``."""
        return check(self.progress, self.place(entry.seat), entry.body)

    def is_void(self, step: int, seat: int) -> bool:
        """Whether a certificate stands for what ``seat`` contributed to a step that is over."""
        certificate = self.certificates.get(step)
        return certificate is not None and self.charter.seats[seat].keeper == certificate.keeper

    def progress_at(self, step: int) -> Progress:
        """The progress in which the step under way, or one that a certificate ended, was contributed to."""
        return self.progress if step == self.step else self._certified[step]

    def had_left(self, step: int, seat: int) -> bool:
        """Whether ``seat`` had left the game before ``step`` began: what it contributed to that is void."""
        return self.charter.seats[seat].keeper in self.gone[step]

    def is_recent(self, step: int) -> bool:
        """Whether it is known here what the absence of a keeper at ``step`` means."""
        return step >= self.step - len(self._past)

    def asked_from(self, epoch: int, step: int) -> int:
        """Where the answer to someone begins who stands at ``step`` of ``epoch``.

        Whoever has not heard of a certificate is told of it first: it may have come further without us.
        """
        behind = [each for each in self.certificates if self.epochs[each] >= epoch]
        return min([step, *behind])

    def purpose(self, keeper: int, step: int | None = None) -> str:
        """What the absence of ``keeper`` means at the step under way, or at a recent one.

        Inside a tick it is out for the fish in play; a second missing opening, and any other missing
        contribution, is a departure.
        """
        progress, missed = self.progress, self.missed
        if step is not None and step < self.step:
            past = self._past[step - self.step]
            progress, missed = past.progress, past.missed
        if not isinstance(progress.task, Tick):
            return DEPARTURE
        return DEPARTURE if progress.number == 1 and keeper in missed else SKIP

    def keepers_at(self, step: int) -> tuple[int, ...]:
        """The keepers that had not left the game when ``step`` began."""
        return keepers(self.charter, self.gone[min(step, self.step)])

    def departed(self, certificate: Certificate | None) -> frozenset[int]:
        """All seats of the keeper whose departure is certified."""
        if certificate is None or certificate.purpose != DEPARTURE:
            return frozenset()
        return frozenset(seats_of(self.charter, certificate.keeper))

    def missing_seats(self, keeper: int) -> tuple[int, ...]:
        """The seats of ``keeper`` that owe a contribution to the step under way."""
        return tuple(seat for seat in self.progress.owed if self.charter.seats[seat].keeper == keeper)

    def is_absence(self, certificate: Certificate) -> bool:
        """Whether a certificate takes the place of what its keeper owes to the step under way."""
        return (
            self.is_at(certificate.epoch, certificate.step)
            and certificate.step == self.step
            and bool(self.missing_seats(certificate.keeper))
            and certificate.purpose == self.purpose(certificate.keeper)
            and self.is_signed_by_all(certificate)
        )

    def is_signed_by_all(self, certificate: Certificate) -> bool:
        """Whether every other keeper signed a certificate, on the head before its step."""
        step = certificate.step
        return self.is_at(certificate.epoch, step) and is_certificate(
            self.charter, self.table_id, self.heads[step], certificate, self.gone[step]
        )

    @property
    def is_closed(self) -> bool:
        """Whether every seat has signed the outcome."""
        return self.progress.task is None or isinstance(self.progress.task, Reveal)

    def restore(
        self, stored: Iterable[Entry], statements: Iterable[Statement] = ()
    ) -> tuple[dict[int, Entry], dict[int, Passed]]:
        """Fold a seat's own store; returns what it holds of the step under way.

        Where ``statements`` make a certificate, what its keeper contributed to that step is void, and so is
        what was built on it in the old epoch. The rest was verified before it was stored, so a fault in it is
        a damaged store: raises ``Malformed``.
        """
        by_step: dict[tuple[int, int], list[Entry]] = {}
        for entry in stored:
            by_step.setdefault((entry.epoch, entry.step), []).append(entry)
        by_about: dict[About, list[Statement]] = {}
        for statement in statements:
            by_about.setdefault(statement.about, []).append(statement)
        held: dict[int, Entry] = {}
        passed: dict[int, Passed] = {}
        while self.progress.task is not None:
            certificate = self._stored_certificate(by_about)
            absent = () if certificate is None else self.missing_seats(certificate.keeper)
            for entry in by_step.pop((self.epoch, self.step), ()):
                if entry.seat not in absent:
                    held[entry.seat], passed[entry.seat] = entry, self._stored(entry)
            if any(seat not in passed for seat in self.progress.owed if seat not in absent):
                break
            if any(found.fault is not None for found in passed.values()):
                break
            self.restored.append(self.complete(held, passed, certificate))
            self.restored_to.append(self.progress)
            held, passed = {}, {}
        if any(epoch >= self.epochs[min(step, self.step)] for epoch, step in by_step):
            raise Malformed("the stored game does not fit together")
        return held, passed

    def _stored_certificate(self, statements: Mapping[About, list[Statement]]) -> Certificate | None:
        gone = self.gone[-1]
        for keeper in keepers(self.charter, gone):
            found = certificate_of(self.charter, statements.get((self.epoch, self.step, keeper), ()), gone)
            if found is not None and self.is_absence(found):
                return found
        return None

    def _stored(self, entry: Entry) -> Passed:
        if not self.is_signed(entry):
            raise Malformed("the stored game does not fit together")
        try:
            return self.check(entry)
        except PeerFault as fault:
            if fault.seat != entry.seat:  # what this seat has shown of another one
                return Passed((), fault=fault)
            raise Malformed(f"the stored game does not fit together: {fault}") from None

    def complete(
        self,
        entries: Mapping[int, Entry],
        passed: Mapping[int, Passed],
        certificate: Certificate | None = None,
    ) -> tuple[Event, ...]:
        """End the step under way with every owing seat's contribution; returns its public events.

        A ``certificate`` stands for those of its keeper's seats; a new epoch begins then.
        """
        present, departed = self.present(passed, certificate), self.departed(certificate)
        following, events = advance(self.progress, present, departed)
        self.append(entries, following, passed, certificate)
        return events

    def present(self, passed: Mapping[int, Passed], certificate: Certificate | None) -> Mapping[int, Passed]:
        """What counts of the step under way: nothing of a keeper whose absence is certified."""
        absent = () if certificate is None else self.missing_seats(certificate.keeper)
        return {seat: found for seat, found in passed.items() if seat not in absent}

    def append(
        self,
        entries: Mapping[int, Entry],
        following: Progress,
        passed: Mapping[int, Passed],
        certificate: Certificate | None = None,
    ) -> None:
        """End the step under way, where ``following`` was already found to come next."""
        self._past.append(_Past(self.progress, self.missed, dict(entries), dict(passed)))
        absence: tuple[bytes, ...] = ()
        if certificate is not None:
            absent = self.missing_seats(certificate.keeper)
            entries = {seat: entry for seat, entry in entries.items() if seat not in absent}
            absence = certificate_bytes(self.charter, self.table_id, self.head, certificate, self.gone[-1])
            self.certificates[self.step] = certificate
            self._certified[self.step] = self.progress
            if certificate.purpose == SKIP and self.progress.number == 1:
                self.missed |= {certificate.keeper}
        ordered = tuple(entries[seat] for seat in sorted(entries))
        now, left = self.progress.round, following.gone - self.progress.gone
        self.proved.append((now.kind if now is not None else "", len(entries.keys() - left)))
        self.progress = following
        self.heads.append(next_head(self.table_id, self.head, ordered, absence))
        self.epochs.append(self.epoch + (certificate is not None))
        self.gone.append(frozenset(self.charter.seats[seat].keeper for seat in following.gone))
        self.steps.append(ordered)

    def rewind(self, step: int) -> tuple[dict[int, Entry], dict[int, Passed]]:
        """Take back ``step`` and all after it; returns what was held of it."""
        if self.step - step > len(self._past):
            return self._fold_anew(step)
        while True:
            past = self._past.pop()
            self.progress, self.missed = past.progress, past.missed
            for each in (self.heads, self.epochs, self.gone, self.steps, self.proved):
                each.pop()
            self.certificates.pop(self.step, None)
            self._certified.pop(self.step, None)
            if self.step == step:
                return dict(past.entries), dict(past.passed)

    def _fold_anew(self, step: int) -> tuple[dict[int, Entry], dict[int, Passed]]:
        steps, certificates = self.steps, self.certificates
        self._begin()
        for number, entries in enumerate(steps[:step]):
            passed = {entry.seat: self.check(entry) for entry in entries}
            self.complete({entry.seat: entry for entry in entries}, passed, certificates.get(number))
        held = {entry.seat: entry for entry in steps[step]}
        return held, {seat: self.check(entry) for seat, entry in held.items()}


def _first_progress(charter: Charter, rules: AnyRules, group: Group, table_id: bytes) -> Progress:
    deck = check_charter(charter, rules, group)
    position = Position.start(rules, dict(charter.options), len(charter.seats))
    keepers = tuple(seat.keeper for seat in charter.seats)
    dealing: AnyDealing = Sealed.start(group, deck, table_id, keepers, charter.recovery)
    if charter.scanner is not None:
        dealing = Printed.start(group, deck, table_id, keepers, charter.scanner)
    return Progress.start(position, dealing, charter.reveal == "end")


def check_charter(charter: Charter, rules: AnyRules, group: Group) -> Deck:
    """The deck of a charter, once it is seen to fit the game. Raises ``BadCharter`` or ``BadOption``."""
    if charter.group != group.name:
        raise BadCharter(f"this table computes in the group {charter.group}, this program in {group.name}")
    if (charter.game, charter.game_version) != (rules.info.id, rules.info.version):
        raise BadCharter(
            f"this table plays {charter.game} version {charter.game_version}, "
            f"this program knows {rules.info.id} version {rules.info.version}"
        )
    chosen = dict(charter.options)
    full = rules.options(chosen, len(charter.seats))
    if dict(full) != chosen:
        raise BadCharter("the charter does not spell out every option")
    deck = rules.deck(full)
    if deck.digest != charter.deck_digest:
        raise BadCharter("the charter names another deck than this program has for the game")
    return deck
