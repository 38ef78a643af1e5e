"""What seats state of printed cards, judged by whoever sees the faces."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from engine.cards import Deck, Face
from engine.match import Position
from engine.table import AtMost, Claim, Holds, Lacks, Slot

from .base import PeerFault
from .claims import PURPOSES
from .printed_cards import Scan

if TYPE_CHECKING:
    from .printed_values import Said, Spoken


def slots_in(claim: Claim, position: Position) -> tuple[Slot, ...]:
    """The cards that a claim speaks of, in order."""
    match claim:
        case Holds(zone):
            return position.table.slots(zone)
        case Lacks(slots):
            return slots
        case AtMost(slot, among):
            return (slot, *among)


def is_true(claim: Claim, position: Position, deck: Deck, face_of: Callable[[Slot], Face]) -> bool:
    """Whether a claim holds for these faces."""
    faces = [face_of(slot) for slot in slots_in(claim, position)]
    match claim:
        case Holds(_, match):
            return any(deck.matches(face, match) for face in faces)
        case Lacks(_, match):
            return not any(deck.matches(face, match) for face in faces)
        case AtMost(attribute=attribute, k=k):
            at = deck.at(attribute)
            return sum(face[at] == faces[0][at] for face in faces[1:]) <= k


def lie_of(spoken: Spoken | Said, claim: Claim) -> PeerFault:
    """The fault of a seat whose claim does not hold."""
    return PeerFault(spoken.seat, f"said of its cards what is not so ({PURPOSES[type(claim)]})", spoken.step)


def wrong_seal(scanner: int, scan: Scan) -> PeerFault:
    """The fault of the table's machine whose sealed opening opens nothing."""
    return PeerFault(scanner, "sealed what does not open the card", scan.step)


def swapped(scanner: int, scan: Scan) -> PeerFault:
    """The fault of the table's machine that mixed other cards than it had."""
    return PeerFault(scanner, "swapped a card while it mixed a hand", scan.step)
