"""Sealed dealing: an operation on hidden cards becomes rounds of proofs, verified by every seat (design,
section 5).

A card is one ElGamal ciphertext per attribute: under the joint key while it lies in the stock, under its
owner's key in a hand, and as (identity, M) once it is public. The dealing itself is immutable and holds
public data only; the secrets of a seat are handed to ``prepare`` and ``own_hand``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from engine.cards import Deck, Face
from engine.match import Position
from engine.table import (
    Coin,
    HandOver,
    Match,
    Op,
    Partial,
    Result,
    Return,
    Shuffle,
    Slot,
    Zone,
    hand_of,
)

from ..log.charter import LEAST_FOR_RECOVERY
from ..log.codec import Malformed
from ..sealed import (
    Card,
    Ciphertext,
    Group,
    Point,
    SealedShare,
    ShuffleWitness,
    joint_witness,
    shuffle,
    trivial,
)
from .base import Checked, Keys, Place, Round, Secrets, Task
from .checking import Checker
from .common import Common
from .drawing import Begun, Draws, owed_places
from .finishing import finish, fold
from .giving import Giver
from .points import PointTable
from .printed_values import Cut
from .rounds import rounds_of


@dataclass(frozen=True, slots=True)
class Sealed(Common):
    """The public state of a sealed deal.

    ``stash`` holds what earlier rounds of the task under way have given, ``begun`` the shares of draws that
    wait for more of them. ``gone`` are the seats that have left: their hands lie under the joint key.
    ``escrow`` are the keys in shares, by seat; empty where nobody's departure can be recovered from.
    ``recovers``: keys are put in escrow at all.
    """

    group: Group
    deck: Deck
    table_id: bytes
    points: PointTable
    keys: tuple[Keys, ...] = ()
    joint: Point = b""
    cards: Mapping[Slot, Card] = field(default_factory=dict)
    coins: int = 0
    stash: Any = None
    keepers: tuple[int, ...] = ()
    begun: Mapping[Slot, Begun] = field(default_factory=dict)
    gone: frozenset[int] = frozenset()
    escrow: Mapping[int, tuple[SealedShare, ...]] = field(default_factory=dict)
    recovers: bool = False

    @classmethod
    def start(
        cls, group: Group, deck: Deck, table_id: bytes, keepers: tuple[int, ...], recovers: bool = False
    ) -> Sealed:
        """The deal before any key is known. ``keepers`` names for each seat its player's first seat."""
        return cls(group, deck, table_id, PointTable(group, deck), keepers=keepers, recovers=recovers)

    @property
    def there(self) -> tuple[int, ...]:
        """The seats that have not left."""
        return tuple(seat for seat in range(len(self.keepers)) if seat not in self.gone)

    @property
    def keepers_there(self) -> tuple[int, ...]:
        """The keepers that have not left."""
        return tuple(sorted({self.keepers[seat] for seat in self.there}))

    @property
    def can_escrow(self) -> bool:
        """Whether keys are put in escrow now: with two keepers, one would hold all of the other's."""
        return self.recovers and len(self.keepers_there) >= LEAST_FOR_RECOVERY

    @property
    def can_recover(self) -> bool:
        """Whether the cards of a keeper that leaves now can be recovered."""
        return bool(self.escrow)

    # --- rounds ---------------------------------------------------------------------------------------------

    def rounds(self, task: Task, position: Position) -> tuple[Round, ...]:
        """See ``Dealing.rounds``."""
        return rounds_of(self, task, position)

    # --- contributions --------------------------------------------------------------------------------------

    def giver(
        self, position: Position, place: Place, secrets: Secrets, fresh: bytes, marks: int, faces: Any
    ) -> Giver:
        """See ``Common.giver``."""
        return Giver(self, position, place, secrets, fresh, marks)

    def check(self, task: Task, number: int, position: Position, place: Place, body: bytes) -> Checked:
        """See ``Dealing.check``."""
        return Checker(self, position, place).check(task, number, body)

    # --- fold and finish ------------------------------------------------------------------------------------

    def fold(self, task: Task, number: int, position: Position, checked: Mapping[int, Checked]) -> Sealed:
        """See ``Dealing.fold``."""
        return fold(self, task, number, position, checked)

    def finish(self, task: Task, position: Position) -> tuple[Result, Sealed]:
        """See ``Dealing.finish``."""
        return finish(self, task, position)

    # --- what is owed, and what a seat sees -----------------------------------------------------------------

    def stocked(self, position: Position) -> Sealed:
        """The first deck: every card in the clear, in deck order, derived by all and never sent.

        Several zones are filled one after another, in the order in which the start's table names them.
        """
        slots = [slot for zone in position.table.zones for slot in position.table.slots(zone)]
        return replace(
            self,
            cards={
                slot: tuple(trivial(self.group, point) for point in self.points.of(self.deck.faces[index]))
                for slot, index in zip(slots, self.deck.cards, strict=True)
            },
        )

    cuts: ClassVar[tuple[Cut, ...]] = ()
    """No pack is cut."""

    def wanted(self, task: Task | None) -> tuple[tuple[Slot, int], ...]:
        """See ``Dealing.wanted``: nothing is printed."""
        return ()

    def is_from_seed(
        self, task: Op, number: int, position: Position, place: Place, found: Any, seed: bytes
    ) -> bool:
        """See ``Dealing.is_from_seed``."""
        if isinstance(task, Coin):
            return number == 0 or bool(found == self.coin_secret(seed)[0])
        assert isinstance(task, Shuffle)
        inputs = self.shuffle_inputs(position, task.zone)
        witness = self.joint_shuffle_witness(place, seed, task.zone, len(inputs))
        return bool(shuffle(self.group, self.joint, inputs, witness) == found)

    def own_hand(self, position: Position, seat: int, secrets: Secrets) -> dict[Slot, Face]:
        """See ``Dealing.own_hand``."""
        return self.hand(position, seat, secrets.card_key)

    def hand(self, position: Position, seat: int, card_key: int) -> dict[Slot, Face]:
        """The faces of a seat's own hand, opened with its own key; nothing once it has left."""
        if seat in self.gone:
            return {}
        group = self.group
        faces = {}
        for slot in position.table.slots(hand_of(seat)):
            face = []
            for at, cipher in enumerate(self.cards[slot]):
                hidden = cipher.a != group.identity
                point = group.sub(cipher.b, group.mul(card_key, cipher.a)) if hidden else cipher.b
                face.append(self.value_at(at, point))
            faces[slot] = tuple(face)
        return faces

    def joint_shuffle_witness(self, place: Place, seed: bytes, zone: Zone, count: int) -> ShuffleWitness:
        """Permutation and re-masking scalars of a seat's part of a joint shuffle, from its seed alone."""
        return joint_witness(
            self.group,
            seed,
            self.table_id,
            place.epoch,
            place.step,
            self.deck.id,
            zone,
            count,
            len(self.deck.attributes),
        )

    def shuffle_inputs(self, position: Position, zone: str) -> tuple[Card, ...]:
        """The cards that the next seat of a joint shuffle works on."""
        if self.stash is not None:
            outputs: tuple[Card, ...] = self.stash
            return outputs
        return self.zone_cards(position, zone)

    def zone_cards(self, position: Position, zone: str) -> tuple[Card, ...]:
        """The cards of a zone in order."""
        return tuple(self.cards[slot] for slot in position.table.slots(zone))

    def owed_shares(self, draws: Draws, seat: int) -> tuple[Point, ...]:
        """First components of the ciphertexts that others draw and of which ``seat`` still owes a share."""
        return tuple(self.cards[slot][at].a for slot, at in owed_places(self, draws, seat))

    def firsts(self, slots: tuple[Slot, ...], places: tuple[int, ...] | None = None) -> tuple[Point, ...]:
        """First components of the hidden ciphertexts of ``slots``, in order of slots and attributes."""
        identity = self.group.identity
        at = range(len(self.deck.attributes)) if places is None else places
        return tuple(self.cards[slot][n].a for slot in slots for n in at if self.cards[slot][n].a != identity)

    def hidden(self, slots: tuple[Slot, ...]) -> tuple[Ciphertext, ...]:
        """The hidden ciphertexts of ``slots``, in order of slots and attributes."""
        return tuple(c for slot in slots for c in self.cards[slot] if c.a != self.group.identity)

    def receiver(self, task: HandOver | Return) -> Point:
        """The key under which handed-over cards lie afterwards."""
        return self.keys[task.to].card if isinstance(task, HandOver) else self.joint

    def opened_faces(
        self, slots: tuple[Slot, ...], shares: tuple[Point, ...], places: tuple[int, ...] | None = None
    ) -> dict[Slot, Any]:
        """The faces of hand slots, or only the values at ``places``, from the owner's shares."""
        group, given = self.group, iter(shares)
        at = range(len(self.deck.attributes)) if places is None else places
        faces: dict[Slot, Partial] = {}
        for slot in slots:
            face: list[str | None] = [None] * len(self.deck.attributes)
            for n in at:
                a, b = self.cards[slot][n]
                face[n] = self.value_at(n, b if a == group.identity else group.sub(b, next(given)))
            faces[slot] = tuple(face)
        return faces

    def is_match(self, slot: Slot, shown: Partial, match: Match) -> bool:
        """Whether a card matches by what was ``shown`` now and what is public of it already.

        Raises ``ValueError`` if that does not tell: the operation shows too little.
        """
        face = tuple(
            self.value_at(at, cipher.b) if value is None and cipher.a == self.group.identity else value
            for at, (value, cipher) in enumerate(zip(shown, self.cards[slot], strict=True))
        )
        matches = self.deck.matches(face, match)
        if matches is None:
            raise ValueError("the attributes shown do not tell whether a card matches")
        return matches

    def value_at(self, at: int, point: Point) -> str:
        """The value of the attribute at this place that a point stands for. Raises ``Malformed``."""
        value = self.points.values[at].get(point)
        if value is None:
            raise Malformed("a card opened to a point that is no card of this deck")
        return value
