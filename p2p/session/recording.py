"""A seat's game as a file: what it holds, and the evidence if someone cheated."""

from __future__ import annotations

from ..log.entry import Entry
from ..log.evidence import Equivocation
from ..log.record import write_game
from .effects import Fault
from .history import History


def game_record(history: History, held: tuple[Entry, ...], fault: Fault | None = None) -> bytes:
    """The bytes of the ``.shoal`` file; ``held`` are contributions to the step under way."""
    entries = (*history.entries, *held)
    if fault is None:
        reason = "finished" if history.is_closed else "stopped"
        return write_game(history.charter, entries, history.head, reason)
    if len(fault.evidence) == 2:
        proof = Equivocation(fault.head, *fault.evidence)
        return write_game(history.charter, entries, history.head, "cheated", (proof,))
    kept = tuple(entry for entry in entries if entry not in fault.evidence)
    return write_game(history.charter, kept, history.head, "cheated", (), fault.evidence)
