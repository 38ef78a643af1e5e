"""A table's history as one seat, a spectator or ``verify`` sees it: complete steps, the head, and the
progress."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.cards import Deck
from engine.contract import AnyRules, Event
from engine.match import Position

from ..deal import Passed, PeerFault, Place, Progress, Reveal, Sealed, advance, check
from ..log.charter import Charter
from ..log.codec import Malformed
from ..log.entry import Entry, first_head, is_signed, next_head
from ..sealed import Group


class BadCharter(ValueError):
    """The charter does not fit the game it names. The message is one sentence."""


class History:
    """Complete steps and what follows from them. Grows by ``complete`` only."""

    def __init__(self, charter: Charter, rules: AnyRules, group: Group) -> None:
        self.charter = charter
        self.table_id = charter.table_id
        self.progress = _first_progress(charter, rules, group, self.table_id)
        self.epoch = 0
        self.heads: list[bytes] = [first_head(self.table_id)]
        self.steps: list[tuple[Entry, ...]] = []

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

    def is_signed(self, entry: Entry) -> bool:
        """Whether ``entry`` carries its seat's signature on the head before its step."""
        return (
            entry.epoch == self.epoch
            and entry.step <= self.step
            and is_signed(self.charter, self.table_id, self.heads[entry.step], entry)
        )

    def check(self, entry: Entry) -> Passed:
        """Verify a contribution to the step under way. Raises ``PeerFault``."""
        return check(self.progress, self.place(entry.seat), entry.body)

    @property
    def is_closed(self) -> bool:
        """Whether every seat has signed the outcome."""
        return self.progress.task is None or isinstance(self.progress.task, Reveal)

    def restore(self, stored: Iterable[Entry]) -> tuple[dict[int, Entry], dict[int, Passed]]:
        """Fold a seat's own store; returns what it holds of the step under way.

        It was verified before it was stored, so a fault in it is a damaged store: raises ``Malformed``.
        """
        held: dict[int, Entry] = {}
        passed: dict[int, Passed] = {}
        for entry in sorted(stored, key=lambda entry: entry.place):
            if entry.step != self.step or not self.is_signed(entry):
                raise Malformed("the stored game does not fit together")
            held[entry.seat] = entry
            try:
                passed[entry.seat] = self.check(entry)
            except PeerFault as fault:
                raise Malformed(f"the stored game does not fit together: {fault}") from None
            if all(seat in passed for seat in self.progress.owed):
                self.complete(held, passed)
                held, passed = {}, {}
        return held, passed

    def complete(self, entries: Mapping[int, Entry], passed: Mapping[int, Passed]) -> tuple[Event, ...]:
        """End the step under way with every owing seat's contribution; returns its public events."""
        ordered = tuple(entries[seat] for seat in sorted(entries))
        self.progress, events = advance(self.progress, passed)
        self.heads.append(next_head(self.table_id, self.head, ordered))
        self.steps.append(ordered)
        return events


def _first_progress(charter: Charter, rules: AnyRules, group: Group, table_id: bytes) -> Progress:
    deck = check_charter(charter, rules, group)
    position = Position.start(rules, dict(charter.options), len(charter.seats))
    keepers = tuple(seat.keeper for seat in charter.seats)
    return Progress.start(position, Sealed.start(group, deck, table_id, keepers), charter.reveal == "end")


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
