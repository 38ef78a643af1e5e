"""The printed cards that a person taps at the table's machine, until they are contributed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engine.cards import Face
from engine.table import Slot, Tick, hand_of

from ..deal import Printed, Progress, Secrets
from ..deal.printed_cards import Card
from .effects import Effect, ScanWanted, Tell

Wanted = tuple[tuple[Slot, int], ...]

UNWANTED = "unwanted"
NO_CARD = "no-card"
TWICE = "twice"
OTHER_PILE = "other-pile"


class ScanRefused(ValueError):
    """A card that cannot be taken, before anything of it is signed. The message is a sentence for a player.

    ``kind`` is ``unwanted``, ``no-card``, ``twice`` or ``other-pile``; ``face`` the card.
    """

    def __init__(self, message: str, kind: str, face: Face) -> None:
        super().__init__(message)
        self.kind = kind
        self.face = face


class ScanDesk:
    """One seat's scans; those of a seat without a scanner are always empty.

    What is tapped belongs to the place of the card that is drawn, so that it outlasts the ticks of a race.
    """

    def __init__(self, seat: int, secrets: Secrets) -> None:
        self._seat = seat
        self._secrets = secrets
        self._taken: dict[tuple[Slot, int], Face] = {}
        self._sent: frozenset[tuple[Slot, int]] = frozenset()
        self._told: Wanted = ()
        self._faces: dict[Card, Face] = {}

    def begin(self, progress: Progress) -> list[Effect]:
        """A step begins: cards that were tapped for what is not asked for any more are forgotten."""
        wanted = self._wanted(progress)
        self._taken = {draw: face for draw, face in self._taken.items() if draw in wanted}
        self._sent = frozenset()
        return self._tell(progress)

    def take(self, progress: Progress, faces: Sequence[Face]) -> list[Effect]:
        """Cards for the first places that wait. Raises ``ScanRefused``; nothing has changed then."""
        dealing, left = progress.dealing, self._left(progress)
        if not isinstance(dealing, Printed) or len(faces) > len(left):
            reason = "No card is to be scanned now."
            raise ScanRefused(reason, UNWANTED, faces[-1] if faces else ())
        live = dealing.live(self._secrets.seed) + Counter(self._taken.values())
        for (slot, _), face in zip(left, faces, strict=False):
            live[face] += 1
            self._check(dealing, slot, face, live[face])
        self._taken |= dict(zip(left, faces, strict=False))
        return self._tell(progress)

    @staticmethod
    def _check(dealing: Printed, slot: Slot, face: Face, copies: int) -> None:
        """Whether this may be the card of ``slot``, of which so many would be in play."""
        deck = dealing.deck
        there = sum(deck.faces[card] == face for card in deck.cards)
        if not there:
            reason = "The card that was scanned is not in this deck."
            raise ScanRefused(reason, NO_CARD, face)
        card = deck.text(face)
        if copies > there:
            reason = f"{card} was scanned before and is in play."
            raise ScanRefused(reason, TWICE, face)
        if not dealing.may_be(dealing.cards[slot], face):
            reason = f"{card} does not belong to that pile."
            raise ScanRefused(reason, OTHER_PILE, face)

    def anew(self, progress: Progress) -> list[Effect]:
        """Forget what was tapped and not contributed yet."""
        self._taken = {draw: face for draw, face in self._taken.items() if draw in self._sent}
        return self._tell(progress)

    def ready(self, progress: Progress) -> tuple[Face, ...] | None:
        """The cards to contribute now; ``None`` where others have to be tapped before.

        A race takes what is there, up to the first that is not.
        """
        if isinstance(progress.task, Tick) and progress.number:
            return ()
        found: list[Face] = []
        for draw in self._wanted(progress):
            face = self._taken.get(draw)
            if face is None:
                return tuple(found) if isinstance(progress.task, Tick) else None
            found.append(face)
        return tuple(found)

    def send(self, progress: Progress) -> None:
        """What is ready is being contributed: until the step ends it cannot be taken back."""
        self._sent |= frozenset(self._wanted(progress)[: len(self.ready(progress) or ())])

    def seen(self, progress: Progress) -> tuple[tuple[Slot, Face], ...]:
        """Every card in play that this machine has scanned or that lies open, with its face; a card that was
        scanned for a seat and is not drawn yet counts as one of its hand."""
        dealing = progress.dealing
        if not isinstance(dealing, Printed) or dealing.scanner != self._seat:
            return ()
        found = []
        faces, self._faces = self._faces, {}
        for slot in dealing.cards:
            card = dealing.drawn_card(slot)
            if card.is_unseen:
                continue
            face = faces.get(card)
            if face is None:
                opened = dealing.read_all(card, self._secrets.seed)
                assert opened is not None, "this machine has sealed the card itself"
                face = opened[0]
            self._faces[card] = face
            begun = dealing.begun.get(slot)
            found.append((slot if begun is None else Slot(hand_of(begun.to), slot.n), face))
        return tuple(found)

    def _wanted(self, progress: Progress) -> Wanted:
        dealing = progress.dealing
        if not isinstance(dealing, Printed) or dealing.scanner != self._seat:
            return ()
        return dealing.wanted(progress.task)

    def _left(self, progress: Progress) -> Wanted:
        return tuple(draw for draw in self._wanted(progress) if draw not in self._taken)

    def _tell(self, progress: Progress) -> list[Effect]:
        left = self._left(progress)
        if left == self._told:
            return []
        self._told = left
        return [Tell(ScanWanted(left))]
