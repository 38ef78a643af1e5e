"""Where cards lie after an operation, and what rounds leave behind: the same for sealed and printed cards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from engine.match import Position
from engine.table import Move, Slot, Tick, Zone, owner

from .base import Checked
from .picks import Picking
from .ticks import Race

D = TypeVar("D", bound=Any)
"""``Sealed`` or ``Printed``: both have ``cards`` by slot, ``begun`` draws and a ``stash``."""


def picking(dealing: D, kind: str, checked: Mapping[int, Checked]) -> D:
    """A round of a blind pick: the commitment, the hand as it was mixed, the positions."""
    (found,) = checked.values()
    if kind == "pick-commit":
        return replace(dealing, stash=Picking(found))
    name = "mixed" if kind == "mix" else "positions"
    return replace(dealing, stash=dealing.stash._replace(**{name: found}))


def ticking(dealing: D, task: Tick, number: int, checked: Mapping[int, Checked], take: Callable[[D], D]) -> D:
    """A round of a tick; ``take`` notes what came along with the commitments."""
    if number == 1:
        return replace(dealing, stash=replace(dealing.stash, openings=dict(checked)))
    commitments = {seat: checked[seat].committed for seat in sorted(checked)}
    return replace(take(dealing), stash=Race(commitments))


def renumbered(dealing: D, position: Position, zone: Zone, laid: Iterable[Any]) -> D:
    """The zone numbered anew, with the cards ``laid`` there; draws that were begun from it are forgotten."""
    gone = set(position.table.slots(zone))
    cards = {slot: card for slot, card in dealing.cards.items() if slot not in gone}
    cards.update({Slot(zone, n): card for n, card in enumerate(laid)})
    begun = {slot: each for slot, each in dealing.begun.items() if slot not in gone}
    return replace(dealing, cards=cards, begun=begun, stash=None)


def relocated(dealing: D, task: Any, position: Position, changed: Mapping[Slot, Any]) -> D:
    """The cards ``changed`` at their new places; draws that were begun go along with a move."""
    cards, begun = dict(dealing.cards), dict(dealing.begun)
    for old, new in position.table.relocations(task):
        del cards[old]
        cards[new] = changed[old]
        each = begun.pop(old, None)
        if each is not None and isinstance(task, Move):
            begun[new] = each
    return replace(dealing, cards=cards, begun=begun, stash=None)


def moved(dealing: D, task: Move, position: Position, is_public: Callable[[Any], bool]) -> D:
    """The same for a move. Raises ``ValueError`` where a hidden card would come under another key."""
    for old, new in position.table.relocations(task):
        if owner(old.zone) != owner(new.zone) and not is_public(dealing.cards[old]):
            raise ValueError("only a public card can move to another key without a proof")
    return relocated(dealing, task, position, {slot: dealing.cards[slot] for slot in task.slots})
