"""A seat's game as a file: what it holds, and the evidence if someone cheated."""

from __future__ import annotations

from ..log.absence import Contradiction
from ..log.entry import Entry
from ..log.evidence import Equivocation
from ..log.record import (
    ClosingRecord,
    ContradictionRecord,
    EntryRecord,
    EvidenceRecord,
    Record,
    RejectedRecord,
    write_game,
)
from .effects import Fault
from .history import History


def last_records(history: History, held: tuple[Entry, ...], fault: Fault | None = None) -> list[Record]:
    """What the file holds besides the charter and complete steps: ``held``, the contributions to the step
    under way, the evidence, and the closing record."""
    reason, evidence = "finished" if history.is_closed else "stopped", list[Record]()
    if fault is not None:
        reason = "cheated"
        if fault.statements:
            evidence = [ContradictionRecord(Contradiction(fault.head, *fault.statements))]
        elif len(fault.evidence) == 2:
            evidence = [EvidenceRecord(Equivocation(fault.head, *fault.evidence))]
        else:
            held = tuple(entry for entry in held if entry not in fault.evidence)
            evidence = [RejectedRecord(entry) for entry in fault.evidence]
    closing = ClosingRecord(len(history.entries) + len(held), history.head, reason)
    return [*map(EntryRecord, held), *evidence, closing]


def game_record(history: History, held: tuple[Entry, ...], fault: Fault | None = None) -> bytes:
    """The bytes of the ``.shoal`` file; ``held`` are contributions to the step under way."""
    last = last_records(history, held, fault)
    closing = last[-1]
    assert isinstance(closing, ClosingRecord)
    return write_game(
        history.charter,
        (*history.entries, *(each.entry for each in last if isinstance(each, EntryRecord))),
        head=history.head,
        reason=closing.reason,
        equivocations=[each.proof for each in last if isinstance(each, EvidenceRecord)],
        rejected=[each.entry for each in last if isinstance(each, RejectedRecord)],
        certificates=history.certificates.values(),
        contradictions=[each.proof for each in last if isinstance(each, ContradictionRecord)],
    )
