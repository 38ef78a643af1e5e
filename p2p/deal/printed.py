"""Printed dealing: a printed deck on a table, scanned by one seat's machine (design, section 9).

That machine sees every face. It commits to each card as it is tapped and seals the opening to the one seat
that may see it, so that it cannot change a card later, nor tell two stories; it confirms what seats say of
their cards, and shows the cards of whoever does not tell the truth. Its seed, revealed at the end, opens all
of it. The dealing itself is immutable and holds public data only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine.cards import Deck, Face
from engine.match import Position
from engine.table import (
    Draw,
    HandOver,
    Match,
    Mix,
    Op,
    Partial,
    Pick,
    Result,
    Show,
    Slot,
    Tick,
    Zone,
    hand_of,
    owner,
)

from ..sealed import Group
from .base import Checked, Keys, Place, Round, Secrets, Task
from .common import Common
from .drawing import Draws
from .printed_cards import Card, Opening, Scan, face_of, read, secrets_of
from .printed_checking import PrintedChecker
from .printed_finishing import finish, fold
from .printed_giving import PrintedGiver
from .printed_rounds import rounds_of
from .printed_values import TO_ALL, Batch, Cut, Mixed, Said


@dataclass(frozen=True, slots=True)
class Printed(Common):
    """The public state of a deal of printed cards.

    ``stash`` holds what earlier rounds of the task under way have given; ``begun`` the cards that were
    scanned and not drawn yet; ``ledger`` all that is judged once the seed of the table's machine is known;
    ``cuts`` where packs are to be cut, until the next card is scanned; ``pools`` the faces that began in each
    zone.
    """

    group: Group
    deck: Deck
    table_id: bytes
    scanner: int
    keys: tuple[Keys, ...] = ()
    cards: Mapping[Slot, Card] = field(default_factory=dict)
    coins: int = 0
    stash: Any = None
    keepers: tuple[int, ...] = ()
    begun: Mapping[Slot, Scan] = field(default_factory=dict)
    ledger: tuple[Batch | Said, ...] = ()
    cuts: tuple[Cut, ...] = ()
    pools: Mapping[Zone, frozenset[Face]] = field(default_factory=dict)

    @classmethod
    def start(
        cls, group: Group, deck: Deck, table_id: bytes, keepers: tuple[int, ...], scanner: int
    ) -> Printed:
        """The deal before any key is known. ``keepers`` names for each seat its player's first seat."""
        return cls(group, deck, table_id, scanner, keepers=keepers)

    def rounds(self, task: Task, position: Position) -> tuple[Round, ...]:
        """See ``Dealing.rounds``."""
        return rounds_of(self, task, position)

    def giver(
        self, position: Position, place: Place, secrets: Secrets, fresh: bytes, marks: int, faces: Any
    ) -> PrintedGiver:
        """See ``Common.giver``."""
        return PrintedGiver(self, position, place, secrets, fresh, marks, faces)

    def check(self, task: Task, number: int, position: Position, place: Place, body: bytes) -> Checked:
        """See ``Dealing.check``."""
        return PrintedChecker(self, position, place).check(task, number, body)

    def fold(self, task: Task, number: int, position: Position, checked: Mapping[int, Checked]) -> Printed:
        """See ``Dealing.fold``."""
        return fold(self, task, number, position, checked)

    def finish(self, task: Task, position: Position) -> tuple[Result, Printed]:
        """See ``Dealing.finish``."""
        return finish(self, task, position)

    def is_from_seed(
        self, task: Op, number: int, position: Position, place: Place, found: Any, seed: bytes
    ) -> bool:
        """See ``Dealing.is_from_seed``."""
        return number == 0 or bool(found == self.coin_secret(seed)[0])

    def stocked(self, position: Position) -> Printed:
        """The deck before any card was scanned. A card's pool is the zone that it starts in: a fish lies in
        the lake, whichever fish it is."""
        zones = position.table.zones
        cards = iter(self.deck.cards)
        pools = {
            zone: frozenset(self.deck.faces[next(cards)] for _ in position.table.slots(zone))
            for zone in zones
        }
        unknown = (None,) * len(self.deck.attributes)
        laid = {slot: Card((zone,), unknown) for zone in zones for slot in position.table.slots(zone)}
        return replace(self, cards=laid, pools=pools)

    # --- what is owed ---------------------------------------------------------------------------------------

    def wanted(self, task: Task | None) -> Draws:
        """The cards that a person has to tap for ``task``, in order."""
        match task:
            case Draw(draws) | Tick(_, draws):
                return tuple((slot, seat) for slot, seat in draws if self._is_wanted(slot))
            case Show(slots):
                return tuple((slot, TO_ALL) for slot in slots if self._is_wanted(slot))
            case _:
                return ()

    def _is_wanted(self, slot: Slot) -> bool:
        return owner(slot.zone) is None and self.cards[slot].is_unseen and slot not in self.begun

    def owed_seals(self, draws: Draws) -> Draws:
        """The draws whose cards the table's machine still has to seal to their seats."""
        return tuple(
            (slot, seat) for slot, seat in draws if slot not in self.begun and not self.cards[slot].is_public
        )

    def begun_for(self, draws: Draws, seat: int) -> tuple[Slot, ...]:
        """Cards that are scanned and sealed to ``seat``, which has not drawn them yet."""
        return tuple(slot for slot, drawer in draws if drawer == seat and slot in self.begun)

    def hidden(self, slots: Iterable[Slot]) -> tuple[Slot, ...]:
        """Those of ``slots`` whose face is not public."""
        return tuple(slot for slot in slots if not self.cards[slot].is_public)

    def handed(self, task: Task, position: Position, seat: int) -> tuple[tuple[Card, Card], ...]:
        """The cards that ``seat`` has to look at now, as they were and as they are."""
        match task:
            case Draw(draws) | Tick(_, draws):
                slots = self.begun_for(draws, seat)
                return tuple((self.cards[slot], self.drawn_card(slot)) for slot in slots)
            case HandOver(slots):
                cards = [self.cards[slot] for slot in self.hidden(slots)]
                return tuple(
                    (card, card._replace(scan=scan)) for card, scan in zip(cards, self.stash, strict=True)
                )
            case Mix(zone) | Pick(_, zone):
                mixed = self.stash if isinstance(self.stash, Mixed) else self.stash.mixed
                before = [self.cards[slot] for slot in position.table.slots(zone)]
                return tuple(zip(before, self.mixed_cards(before, mixed), strict=True))
            case _:
                return ()

    def drawn_card(self, slot: Slot) -> Card:
        """A card that is being drawn, with its opening sealed to its seat."""
        scan = self.begun.get(slot)
        return self.cards[slot] if scan is None else self.cards[slot]._replace(scan=scan)

    def mixed_cards(self, before: Iterable[Card], mixed: Mixed) -> tuple[Card, ...]:
        """A hand after a mix: nothing of it is public. Any of its cards may be any of those before."""
        pools = tuple(sorted({pool for card in before for pool in card.pools}))
        unknown = (None,) * len(self.deck.attributes)
        return tuple(Card(pools, unknown, scan) for scan in mixed.scans)

    # --- what a seat sees -----------------------------------------------------------------------------------

    def own_hand(self, position: Position, seat: int, secrets: Secrets) -> dict[Slot, Face]:
        """The faces of a seat's own hand, opened with its own payload key."""
        faces = {}
        for slot in position.table.slots(hand_of(seat)):
            opened = self.read_own(self.cards[slot], secrets)
            assert opened is not None, "a seat accepts only what opens a card"
            faces[slot] = opened[0]
        return faces

    def read_own(self, card: Card, secrets: Secrets) -> tuple[Face, Opening | None] | None:
        """The face of a card and its opening, for the seat that it is sealed to. ``None`` where what was
        sealed does not open it; no opening where the face is public."""
        if card.is_public or card.scan is None:
            return card.face, None
        shared = self.group.mul(secrets.payload_key, card.scan.first)
        return self.opened(card, read(self.group, card.scan, shared))

    def read_all(self, card: Card, seed: bytes) -> tuple[Face, Opening | None] | None:
        """The same for the table's machine, which knows every r by its seed."""
        if card.is_public or card.scan is None:
            return card.face, None
        r, _ = secrets_of(self.group, seed, card.scan.sealing)
        shared = self.group.mul(r, self.keys[card.scan.to].payload)
        return self.opened(card, read(self.group, card.scan, shared))

    def opened(self, card: Card, opening: Opening) -> tuple[Face, Opening] | None:
        """The face that an opening shows, if it opens the card, agrees with what is public of it, and may lie
        there at all."""
        assert card.scan is not None
        face = face_of(self.deck, card.scan, opening)
        if face is None or not self.may_be(card, face):
            return None
        return face, opening

    def may_be(self, card: Card, face: Face) -> bool:
        """Whether the face agrees with what is public of the card, and with the packs it may come from."""
        agrees = all(value in (None, own) for value, own in zip(card.values, face, strict=True))
        return agrees and any(face in self.pools[pool] for pool in card.pools)

    def live(self, seed: bytes) -> Counter[Face]:
        """All faces that are in play, scanned or public, for the table's machine."""
        cards = [self.drawn_card(slot) for slot in self.cards]
        found = [self.read_all(card, seed) for card in cards if not card.is_unseen]
        return Counter(each[0] for each in found if each is not None)

    def is_match(self, slot: Slot, shown: Partial, match: Match) -> bool:
        """Whether a card matches by what was ``shown`` now and what is public of it already.

        Raises ``ValueError`` if that does not tell: the operation shows too little.
        """
        values = self.cards[slot].values
        matches = self.deck.matches(tuple(s or v for s, v in zip(shown, values, strict=True)), match)
        if matches is None:
            raise ValueError("the attributes shown do not tell whether a card matches")
        return matches
