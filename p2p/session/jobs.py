"""The heavy work of a session, to run in any thread: verifying a contribution and making one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from engine.cards import Face
from engine.contract import Event
from engine.match import Position
from engine.table import Choose, Complete, Deed, Disclose, Tick, hand_of

from ..deal import Passed, Place, Progress, Secrets, advance, check, contribute


@dataclass(frozen=True, slots=True)
class CheckJob:
    """Verify one contribution to the step under way."""

    progress: Progress
    place: Place
    body: bytes

    def run(self) -> Passed:
        """Raises ``PeerFault``."""
        return check(self.progress, self.place, self.body)


@dataclass(frozen=True, slots=True)
class ContributeJob:
    """Make this seat's contribution to the step under way. ``faces`` are printed cards that were tapped."""

    progress: Progress
    place: Place
    secrets: Secrets
    deeds: tuple[Deed, ...]
    fresh: bytes
    marks: int = 0
    faces: tuple[Face, ...] = ()

    def run(self) -> tuple[bytes, Passed]:
        """Raises ``NeedsDeed`` where the player has to decide."""
        chooser = Chooser(self.secrets, self.deeds)
        return contribute(
            self.progress, self.place, self.secrets, chooser, self.fresh, self.marks, self.faces
        )


@dataclass(frozen=True, slots=True)
class FoldJob:
    """Work out what follows from a step that every owing seat has contributed to: sums of shares, faces.

    In a tick ``passed`` may lack seats that are certified absent; ``departed`` are seats whose departure is
    certified.
    """

    progress: Progress
    passed: Mapping[int, Passed]
    departed: frozenset[int] = frozenset()

    def run(self) -> tuple[Progress, tuple[Event, ...]]:
        """The progress after the step, and its public events."""
        return advance(self.progress, self.passed, self.departed)


class Chooser:
    """Gives the deeds decided so far, in order, and what is forced by itself."""

    def __init__(self, secrets: Secrets, deeds: tuple[Deed, ...]) -> None:
        self._secrets = secrets
        self._deeds = list(deeds)

    def __call__(self, progress: Progress, seat: int) -> Deed | None:
        if not is_open_choice(progress):
            hand = progress.dealing.own_hand(progress.position, seat, self._secrets)
            # The lowest cards in deck order where several equal ones would do: suits carry no weight there.
            return progress.position.deed(seat, hand, progress.position.choices(seat, hand)[0])
        return self._deeds.pop(0) if self._deeds else None


def is_open_choice(progress: Progress) -> bool:
    """Whether the round now owed waits for its player, by public facts alone."""
    match progress.task:
        case Choose() | Tick():
            return True
        case Disclose(most=most):
            return most is not None
        case Complete() as task:
            return may_leave_cards(progress.position, task)
        case _:
            return False


def may_leave_cards(position: Position, task: Complete) -> bool:
    """Whether the hand may hold more cards of one value than a group takes, by public facts alone.

    Only then is there a choice of which to lay (rule ``FORCED``). A settled hand holds fewer than ``size``
    cards of each value, and the cards that lie elsewhere with their value shown are not in it.
    """
    zone = hand_of(task.seat)
    most = min(position.table.size(zone), task.size - 1 + len(task.fresh))
    if most <= task.size:
        return False
    deck = position.deck
    at = deck.at(task.attribute)
    left = Counter(deck.faces[card][at] for card in deck.cards)
    left.subtract(
        value
        for slot, face in position.table.known.items()
        if slot.zone != zone and (value := face[at]) is not None
    )
    return any(count > task.size for count in left.values())
