"""The printed cards that a person taps at the table's machine, until they are contributed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engine.cards import Face
from engine.message import Message
from engine.table import Slot, Tick

from ..deal import Printed, Progress, Secrets
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

    def __init__(self, message: Message, kind: str, face: Face) -> None:
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
            raise ScanRefused(Message("No card is to be scanned now."), UNWANTED, faces[-1] if faces else ())
        live = dealing.live(self._secrets.seed) + Counter(self._taken.values())
        deck = dealing.deck
        count = Counter(deck.faces[card] for card in deck.cards)
        for (slot, _), face in zip(left, faces, strict=False):
            if face not in count:
                raise ScanRefused(Message("The card that was scanned is not in this deck."), NO_CARD, face)
            live[face] += 1
            if live[face] > count[face]:
                raise ScanRefused(
                    Message("{card} was scanned before and is in play.", card=deck.text(face)), TWICE, face
                )
            if not dealing.may_be(dealing.cards[slot], face):
                raise ScanRefused(
                    Message("{card} does not belong to that pile.", card=deck.text(face)), OTHER_PILE, face
                )
        self._taken |= dict(zip(left, faces, strict=False))
        return self._tell(progress)

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
