"""A seat's game as a file: what it holds, and the evidence if someone cheated."""

from __future__ import annotations

from functools import partial

from ..log.absence import Contradiction
from ..log.entry import Entry
from ..log.evidence import Equivocation
from ..log.record import write_game
from .effects import Fault
from .history import History


def game_record(history: History, held: tuple[Entry, ...], fault: Fault | None = None) -> bytes:
    """The bytes of the ``.shoal`` file; ``held`` are contributions to the step under way."""
    entries = (*history.entries, *held)
    write = partial(
        write_game, history.charter, head=history.head, certificates=history.certificates.values()
    )
    if fault is None:
        return write(entries, reason="finished" if history.is_closed else "stopped")
    if fault.statements:
        return write(
            entries, reason="cheated", contradictions=(Contradiction(fault.head, *fault.statements),)
        )
    if len(fault.evidence) == 2:
        return write(entries, reason="cheated", equivocations=(Equivocation(fault.head, *fault.evidence),))
    kept = tuple(entry for entry in entries if entry not in fault.evidence)
    return write(kept, reason="cheated", rejected=fault.evidence)
