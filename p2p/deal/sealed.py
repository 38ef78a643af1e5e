"""Sealed dealing: an operation on hidden cards becomes rounds of proofs, verified by every seat (design,
section 5).

A card is one ElGamal ciphertext per attribute: under the joint key while it lies in the stock, under its
owner's key
in a hand, and as (identity, M) once it is public. The dealing itself is immutable and holds public data
only; the
secrets of a seat are handed to ``prepare`` and ``hand``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine.cards import Deck, Face
from engine.contract import Outcome
from engine.match import Position
from engine.table import (
    Choose,
    Claim,
    Coin,
    Complete,
    Completed,
    Deed,
    Deeds,
    Disclose,
    Done,
    Draw,
    HandOver,
    Lacks,
    Mix,
    Move,
    Number,
    Partial,
    Result,
    Return,
    Show,
    Shown,
    Shuffle,
    Slot,
    hand_of,
    owner,
    settle_claims,
)

from ..log.codec import Malformed, encode
from ..sealed import (
    Card,
    Ciphertext,
    Group,
    Point,
    ShuffleWitness,
    Xof,
    attribute_point,
    commit,
    joint_witness,
    public_key,
    trivial,
)
from .base import COIN_SIZE, Checked, Close, Keys, Place, Reveal, Round, Secrets, Setup, Task
from .checking import Checker
from .giving import Giver


class PointTable:
    """The attribute points of a deck and their way back. Refuses a deck whose faces could be confused."""

    def __init__(self, group: Group, deck: Deck) -> None:
        self.points: tuple[dict[str, Point], ...] = tuple(
            {value: attribute_point(group, deck.id, attribute.name, value) for value in attribute.values}
            for attribute in deck.attributes
        )
        self.values = tuple({point: value for value, point in points.items()} for points in self.points)
        self.sums = {face: group.sum(self.of(face)) for face in deck.faces}
        if len(set(self.sums.values())) != len(deck.faces):
            raise ValueError(f"two faces of the deck {deck.id} have equal sums of attribute points")

    def of(self, face: Face) -> tuple[Point, ...]:
        """The points of a face, one per attribute."""
        return tuple(points[value] for points, value in zip(self.points, face, strict=True))


@dataclass(frozen=True, slots=True)
class Sealed:
    """The public state of a sealed deal. ``stash`` holds what earlier rounds of the task under way have
    given."""

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

    @classmethod
    def start(cls, group: Group, deck: Deck, table_id: bytes, keepers: tuple[int, ...]) -> Sealed:
        """The deal before any key is known. ``keepers`` names for each seat its player's first seat."""
        return cls(group, deck, table_id, PointTable(group, deck), keepers=keepers)

    # --- rounds ---------------------------------------------------------------------------------------------

    def rounds(self, task: Task, position: Position) -> tuple[Round, ...]:
        """See ``Dealing.rounds``."""
        everyone = tuple(range(position.seats))
        match task:
            case Setup():
                return (Round(everyone, "keys"),)
            case Close():
                return (Round(everyone, "close"),)
            case Reveal():
                return (Round(everyone, "reveal"),)
            case Coin():
                return (Round(everyone, "coin-commit"), Round(everyone, "coin-open"))
            case Shuffle(zone):
                if position.table.size(zone) == 0:
                    return ()
                return tuple(Round((seat,), "shuffle") for seat in everyone)
            case Draw(draws):
                owing = tuple(seat for seat in everyone if self.owed_shares(draws, seat))
                return (Round(owing, "shares"),) if owing else ()
            case Show(slots):
                return self._show_rounds(task, slots, everyone)
            case HandOver(slots) | Return(slots):
                return (Round((_owner_of(slots),), "hand-over"),) if self.hidden(slots) else ()
            case Mix(zone):
                hand_owner = owner(zone)
                if hand_owner is None or position.table.size(zone) < 2:
                    return ()
                return (Round((hand_owner,), "mix"),)
            case Choose(seats, kind):
                return (Round(seats, kind),)
            case Disclose(seat):
                return (Round((seat,), "answer"),)
            case Complete(seat, size=size):
                return (Round((seat,), "settle"),) if position.table.size(hand_of(seat)) >= size else ()
            case Move():
                return ()
            case _:
                raise NotImplementedError(f"sealed dealing has no rounds for {type(task).__name__}")

    def _show_rounds(
        self, task: Show, slots: tuple[Slot, ...], everyone: tuple[int, ...]
    ) -> tuple[Round, ...]:
        if not self.firsts(slots, self.places(task.attributes)):
            return ()
        seat = owner(slots[0].zone)
        return (Round(everyone if seat is None else (seat,), "show"),)

    # --- contributions --------------------------------------------------------------------------------------

    def prepare(
        self,
        task: Task,
        number: int,
        position: Position,
        place: Place,
        secrets: Secrets,
        deed: Deed | None,
        fresh: bytes,
        marks: int = 0,
    ) -> tuple[bytes, Checked]:
        """See ``Dealing.prepare``. ``deed`` is needed for Choose, Disclose, Complete and Tick."""
        return Giver(self, position, place, secrets, fresh, marks).give(task, number, deed)

    def check(self, task: Task, number: int, position: Position, place: Place, body: bytes) -> Checked:
        """See ``Dealing.check``."""
        return Checker(self, position, place).check(task, number, body)

    # --- fold and finish ------------------------------------------------------------------------------------

    def fold(self, task: Task, number: int, position: Position, checked: Mapping[int, Checked]) -> Sealed:
        """See ``Dealing.fold``."""
        match task:
            case Setup():
                keys: tuple[Keys, ...] = tuple(checked[seat] for seat in sorted(checked))
                joint = self.group.sum([key.card for key in keys])
                if joint == self.group.identity:
                    raise ValueError("the card keys cancel each other out; start the game again")
                return replace(self, keys=keys, joint=joint)
            case Shuffle():
                (outputs,) = checked.values()
                return replace(self, stash=outputs)
            case Close() | Reveal():
                return self
            case _:
                return replace(self, stash=checked)

    def finish(self, task: Task, position: Position) -> tuple[Result, Sealed]:
        """See ``Dealing.finish``."""
        match task:
            case Coin(n):
                values = [self.stash[seat] for seat in sorted(self.stash)]
                number = Xof("coin/result", self.table_id, self.coins.to_bytes(4, "big"), *values).below(n)
                return Number(number), replace(self, stash=None, coins=self.coins + 1)
            case Shuffle(zone):
                return Done(), self._renumbered(position, zone, self.stash or ())
            case Mix(zone):
                outputs = next(iter(self.stash.values())) if self.stash else self.zone_cards(position, zone)
                return Done(), self._renumbered(position, zone, outputs)
            case Draw():
                return Done(), self._drawn(task, position)
            case Show():
                return self._shown(task, position)
            case Move(slots):
                return Done(), self._relocated(task, position, {slot: self.cards[slot] for slot in slots})
            case HandOver(slots) | Return(slots):
                return Done(), self._relocated(task, position, self._handed_over(task))
            case Choose(seats):
                return Deeds(tuple((seat, self.stash[seat]) for seat in seats)), replace(self, stash=None)
            case Disclose(seat):
                shown: Shown = self.stash[seat]
                return shown, self._opened(dict(zip(shown.slots, shown.faces, strict=True)))
            case Complete(seat):
                laid: Completed = self.stash[seat] if self.stash else Completed((), ())
                faces = {
                    s: f
                    for g, fs in zip(laid.groups, laid.faces, strict=True)
                    for s, f in zip(g, fs, strict=True)
                }
                return laid, self._opened(faces)
            case _:
                raise NotImplementedError(f"sealed dealing finishes no {type(task).__name__}")

    def _renumbered(self, position: Position, zone: str, outputs: tuple[Card, ...]) -> Sealed:
        gone = set(position.table.slots(zone))
        cards = {slot: card for slot, card in self.cards.items() if slot not in gone}
        cards.update({Slot(zone, n): card for n, card in enumerate(outputs)})
        return replace(self, cards=cards, stash=None)

    def _relocated(self, task: Any, position: Position, changed: Mapping[Slot, Card]) -> Sealed:
        cards = dict(self.cards)
        for old, new in position.table.relocations(task):
            card = changed[old]
            if (
                isinstance(task, Move)
                and owner(old.zone) != owner(new.zone)
                and not _is_public(self.group, card)
            ):
                raise ValueError("only a public card can move to another key without a proof")
            del cards[old]
            cards[new] = card
        return replace(self, cards=cards, stash=None)

    def _drawn(self, task: Draw, position: Position) -> Sealed:
        """Take every other seat's share off each drawn card: what stays is a ciphertext under the drawer's
        key."""
        group = self.group
        given = {seat: iter(shares) for seat, shares in (self.stash or {}).items()}
        changed = {}
        for slot, drawer in task.draws:
            card = []
            for a, b in self.cards[slot]:
                if a == group.identity:
                    card.append(Ciphertext(a, b))
                else:
                    total = group.sum([next(shares) for seat, shares in given.items() if seat != drawer])
                    card.append(Ciphertext(a, group.sub(b, total)))
            changed[slot] = tuple(card)
        return self._relocated(task, position, changed)

    def _shown(self, task: Show, position: Position) -> tuple[Result, Sealed]:
        places = self.places(task.attributes)
        given = {seat: iter(shares) for seat, shares in (self.stash or {}).items()}
        faces: dict[Slot, Partial] = {}
        for slot in task.slots:
            face: list[str | None] = [None] * len(self.deck.attributes)
            for at in places:
                cipher = self.cards[slot][at]
                if cipher.a == self.group.identity:
                    point = cipher.b
                else:
                    point = self.group.sub(
                        cipher.b, self.group.sum([next(shares) for shares in given.values()])
                    )
                face[at] = self._value(at, point)
            faces[slot] = tuple(face)
        return Shown(tuple(faces), tuple(faces.values())), self._opened(faces)

    def _opened(self, faces: Mapping[Slot, Partial]) -> Sealed:
        """What was opened becomes (identity, M): from now on it is public and no share is owed for it."""
        cards = dict(self.cards)
        for slot, face in faces.items():
            cards[slot] = tuple(
                cipher if value is None else trivial(self.group, points[value])
                for cipher, value, points in zip(cards[slot], face, self.points.points, strict=True)
            )
        return replace(self, cards=cards, stash=None)

    def _handed_over(self, task: HandOver | Return) -> dict[Slot, Card]:
        outputs = iter(next(iter(self.stash.values())) if self.stash else ())
        return {
            slot: tuple(c if c.a == self.group.identity else next(outputs) for c in self.cards[slot])
            for slot in task.slots
        }

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

    def hand(self, position: Position, seat: int, card_key: int) -> dict[Slot, Face]:
        """The faces of a seat's own hand, opened with its own key."""
        group = self.group
        faces = {}
        for slot in position.table.slots(hand_of(seat)):
            face = []
            for at, cipher in enumerate(self.cards[slot]):
                hidden = cipher.a != group.identity
                point = group.sub(cipher.b, group.mul(card_key, cipher.a)) if hidden else cipher.b
                face.append(self._value(at, point))
            faces[slot] = tuple(face)
        return faces

    def own_keys(self, seat: int, secrets: Secrets) -> Keys:
        """What a seat publishes of its secrets."""
        return Keys(
            public_key(self.group, secrets.card_key),
            public_key(self.group, secrets.payload_key),
            self.seed_commitment(seat, secrets.seed),
        )

    def seed_commitment(self, seat: int, seed: bytes) -> bytes:
        """The commitment that stands for a seat's seed until the reveal. The seed is its own salt: 32 random
        bytes."""
        return commit(self.table_id, seat, "seed", seed, b"")

    def coin_secret(self, seed: bytes) -> tuple[bytes, bytes]:
        """A seat's value and salt for the coin under way, from its seed alone."""
        stream = Xof("coin/secret", seed, self.table_id, self.coins.to_bytes(4, "big"))
        return stream.read(COIN_SIZE), stream.read(COIN_SIZE)

    def joint_shuffle_witness(self, place: Place, seed: bytes, count: int) -> ShuffleWitness:
        """Permutation and re-masking scalars of a seat's part of a joint shuffle, from its seed alone."""
        return joint_witness(
            self.group,
            seed,
            self.table_id,
            place.epoch,
            place.step,
            self.deck.id,
            "shuffle",
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

    def owed_shares(self, draws: tuple[tuple[Slot, int], ...], seat: int) -> tuple[Point, ...]:
        """First components of the hidden ciphertexts that others draw: ``seat`` owes a share of each."""
        identity = self.group.identity
        return tuple(
            cipher.a
            for slot, drawer in draws
            if drawer != seat
            for cipher in self.cards[slot]
            if cipher.a != identity
        )

    def places(self, attributes: tuple[str, ...]) -> tuple[int, ...]:
        """Places of the named attributes in a face; all of them where none is named."""
        if not attributes:
            return tuple(range(len(self.deck.attributes)))
        return tuple(sorted(self.deck.at(name) for name in attributes))

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

    def opened_faces(self, slots: tuple[Slot, ...], shares: tuple[Point, ...]) -> dict[Slot, Face]:
        """The faces of hand slots, from the owner's shares of their hidden ciphertexts."""
        given = iter(shares)
        faces = {}
        for slot in slots:
            points = [
                c.b if c.a == self.group.identity else self.group.sub(c.b, next(given))
                for c in self.cards[slot]
            ]
            faces[slot] = tuple(self._value(at, point) for at, point in enumerate(points))
        return faces

    def claims_on_rest(
        self, task: Disclose | Complete, position: Position, laid: tuple[Slot, ...]
    ) -> tuple[Claim, ...]:
        """The claims owed for the cards that stay (claim table of the design)."""
        gone = set(laid)
        if isinstance(task, Disclose):
            rest = tuple(slot for slot in task.slots if slot not in gone)
            enough = task.most is not None and len(laid) >= task.most
            return () if enough or not rest else (Lacks(rest, task.match),)
        hand = tuple(slot for slot in position.table.slots(hand_of(task.seat)) if slot not in gone)
        at = self.deck.at(task.attribute)
        return settle_claims(hand, task.fresh, task.size, task.attribute, position.table.known, at)

    def close_body(self, position: Position) -> bytes:
        """What every seat signs at the end: the outcome, a function of the history."""
        outcome = position.pending
        assert isinstance(outcome, Outcome)
        return encode((outcome.reason, outcome.scores, outcome.winners))

    @staticmethod
    def slots_of(seat: int, deed: Deed) -> tuple[Slot, ...]:
        """The slots that a deed of an answer or a settle names."""
        return tuple(Slot(hand_of(seat), n) for group in deed.groups for n in group)

    @staticmethod
    def laid(task: Disclose | Complete, deed: Deed, faces: Mapping[Slot, Face]) -> Shown | Completed:
        """What an answer or a settle says, as the result of its operation."""
        if isinstance(task, Disclose):
            return Shown(tuple(faces), tuple(faces.values()))
        groups = tuple(tuple(Slot(hand_of(task.seat), n) for n in group) for group in deed.groups)
        return Completed(groups, tuple(tuple(faces[slot] for slot in group) for group in groups))

    def _value(self, at: int, point: Point) -> str:
        value = self.points.values[at].get(point)
        if value is None:
            raise Malformed("a card opened to a point that is no card of this deck")
        return value


def _owner_of(slots: tuple[Slot, ...]) -> int:
    seat = owner(slots[0].zone)
    assert seat is not None
    return seat


def _is_public(group: Group, card: Card) -> bool:
    return all(cipher.a == group.identity for cipher in card)
