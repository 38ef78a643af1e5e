"""Sealed dealing: an operation on hidden cards becomes rounds of proofs, verified by every seat (design, section 5).

A card is one ElGamal ciphertext per attribute: under the joint key while it lies in the stock, under its owner's key
in a hand, and as (identity, M) once it is public. The dealing itself is immutable and holds public data only; the
secrets of a seat are handed to ``prepare`` and ``hand``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

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

from ..log.codec import Malformed, decode, encode, pack, unpack
from ..sealed import (
    Card,
    Ciphertext,
    Group,
    Header,
    Point,
    ProofRejected,
    ShuffleWitness,
    Xof,
    attribute_point,
    check_commitment,
    commit,
    decode_cards,
    encode_cards,
    encode_scalar,
    joint_witness,
    mix_witness,
    prove_hand_over,
    prove_key,
    prove_shares,
    prove_shuffle,
    public_key,
    shuffle,
    trivial,
    verify_hand_over,
    verify_key,
    verify_shares,
    verify_shuffle,
)
from .base import Checked, Close, PeerFault, Place, Reveal, Round, Secrets, Setup, Task
from .claims import prove_claims, verify_claims

COIN_SIZE = 32


class Keys(msgspec.Struct, frozen=True):
    """What a seat publishes before the game: its card key, its payload key, and the commitment to its seed."""

    card: Point
    payload: Point
    seed: bytes


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
    """The public state of a sealed deal. ``stash`` holds what earlier rounds of the task under way have given."""

    group: Group
    deck: Deck
    table_id: bytes
    points: PointTable
    keys: tuple[Keys, ...] = ()
    joint: Point = b""
    cards: Mapping[Slot, Card] = field(default_factory=dict)
    coins: int = 0
    stash: Any = None

    @classmethod
    def start(cls, group: Group, deck: Deck, table_id: bytes) -> Sealed:
        """The deal before any key is known."""
        return cls(group, deck, table_id, PointTable(group, deck))

    # --- rounds ------------------------------------------------------------------------------------------------------

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
                owing = tuple(seat for seat in everyone if self._owed_shares(draws, seat))
                return (Round(owing, "shares"),) if owing else ()
            case Show(slots):
                return self._show_rounds(task, slots, everyone)
            case HandOver(slots) | Return(slots):
                return (Round((_owner_of(slots),), "hand-over"),) if self._hidden(slots) else ()
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

    def _show_rounds(self, task: Show, slots: tuple[Slot, ...], everyone: tuple[int, ...]) -> tuple[Round, ...]:
        if not self._firsts(slots, self._places(task.attributes)):
            return ()
        seat = owner(slots[0].zone)
        return (Round(everyone if seat is None else (seat,), "show"),)

    # --- prepare -----------------------------------------------------------------------------------------------------

    def prepare(
        self, task: Task, number: int, position: Position, place: Place, secrets: Secrets, deed: Deed | None, fresh: bytes
    ) -> tuple[bytes, Checked]:
        """See ``Dealing.prepare``. ``deed`` is needed for Choose, Disclose and Complete."""
        x = secrets.card_key
        match task:
            case Setup():
                return self._prepare_keys(place, secrets, fresh)
            case Close():
                return close_body(position), None
            case Reveal():
                return pack([secrets.seed, encode_scalar(x)]), (secrets.seed, x)
            case Coin():
                value, salt = self.coin_secret(secrets.seed)
                if number == 0:
                    commitment = commit(self.table_id, place.seat, "coin", value, salt)
                    return commitment, commitment
                return value + salt, value
            case Shuffle(zone):
                inputs = self._shuffle_inputs(position, zone)
                witness = self.joint_shuffle_witness(place, secrets.seed, len(inputs))
                return self._prepare_shuffle(place.header("shuffle"), self.joint, inputs, witness, secrets.seed, fresh)
            case Mix(zone):
                inputs = self._hand_cards(position, zone)
                header, key = place.header("mix"), self.keys[place.seat].card
                witness = mix_witness(self.group, fresh, encode_scalar(x), header, key, inputs)
                return self._prepare_shuffle(header, key, inputs, witness, encode_scalar(x), fresh)
            case Draw(draws):
                return self._prepare_shares(place, "share", self._owed_shares(draws, place.seat), x, fresh)
            case Show(slots, attributes):
                return self._prepare_shares(place, "show", self._firsts(slots, self._places(attributes)), x, fresh)
            case HandOver() | Return():
                return self._prepare_hand_over(task, place, x, fresh)
            case Choose() if deed is not None:
                claims = position.claims(place.seat, deed)
                return pack([encode(deed), *prove_claims(self, position, place, x, claims, fresh)]), deed
            case Disclose() | Complete() if deed is not None:
                return self._prepare_laid(task, position, place, x, deed, fresh)
            case _:
                raise NotImplementedError(f"sealed dealing prepares no {type(task).__name__}")

    def _prepare_keys(self, place: Place, secrets: Secrets, fresh: bytes) -> tuple[bytes, Keys]:
        group = self.group
        keys = Keys(
            public_key(group, secrets.card_key),
            public_key(group, secrets.payload_key),
            self.seed_commitment(place.seat, secrets.seed),
        )
        card_proof = prove_key(group, place.header("key-card"), secrets.card_key, fresh)
        payload_proof = prove_key(group, place.header("key-payload"), secrets.payload_key, fresh)
        return pack([keys.card, card_proof, keys.payload, payload_proof, keys.seed]), keys

    def _prepare_shuffle(
        self, header: Header, key: Point, inputs: tuple[Card, ...], witness: ShuffleWitness, secret: bytes, fresh: bytes
    ) -> tuple[bytes, tuple[Card, ...]]:
        outputs = shuffle(self.group, key, inputs, witness)
        proof = prove_shuffle(self.group, header, key, inputs, outputs, witness, secret, fresh)
        return pack([encode_cards(outputs), proof]), outputs

    def _prepare_shares(
        self, place: Place, purpose: str, firsts: tuple[Point, ...], x: int, fresh: bytes
    ) -> tuple[bytes, tuple[Point, ...]]:
        if not firsts:
            return b"", ()
        header = place.header(purpose)
        shares, proof = prove_shares(self.group, header, x, self.keys[place.seat].card, firsts, fresh)
        return b"".join(shares) + proof, shares

    def _prepare_hand_over(
        self, task: HandOver | Return, place: Place, x: int, fresh: bytes
    ) -> tuple[bytes, tuple[Ciphertext, ...]]:
        inputs = self._hidden(task.slots)
        outputs, proof = prove_hand_over(
            self.group, place.header("hand-over"), x, self.keys[place.seat].card, self._receiver(task), inputs, fresh
        )
        return b"".join(c.a + c.b for c in outputs) + proof, outputs

    def _prepare_laid(
        self, task: Disclose | Complete, position: Position, place: Place, x: int, deed: Deed, fresh: bytes
    ) -> tuple[bytes, Shown | Completed]:
        slots = _slots_of(place.seat, deed)
        opening, shares = self._prepare_shares(place, "open", self._firsts(slots), x, fresh)
        claims = self._claims_on_rest(task, position, slots)
        body = pack([encode(deed), opening, *prove_claims(self, position, place, x, claims, fresh)])
        return body, _laid(task, deed, self._opened_faces(slots, shares))

    # --- check -------------------------------------------------------------------------------------------------------

    def check(self, task: Task, number: int, position: Position, place: Place, body: bytes) -> Checked:
        """See ``Dealing.check``."""
        try:
            return self._check(task, number, position, place, body)
        except (Malformed, ProofRejected) as error:
            raise PeerFault(place.seat, str(error)) from None

    def _check(self, task: Task, number: int, position: Position, place: Place, body: bytes) -> Checked:
        match task:
            case Setup():
                return self._check_keys(place, body)
            case Close():
                if body != close_body(position):
                    raise PeerFault(place.seat, "signed another outcome than the history gives")
                return None
            case Reveal():
                return self._check_reveal(place, body)
            case Coin():
                return self._check_coin(number, place, body)
            case Shuffle(zone):
                return self._check_shuffle(place, "shuffle", self.joint, self._shuffle_inputs(position, zone), body)
            case Mix():
                inputs = self._hand_cards(position, hand_of(place.seat))
                return self._check_shuffle(place, "mix", self.keys[place.seat].card, inputs, body)
            case Draw(draws):
                return self._check_shares(place, "share", self._owed_shares(draws, place.seat), body)
            case Show(slots, attributes):
                return self._check_shares(place, "show", self._firsts(slots, self._places(attributes)), body)
            case HandOver() | Return():
                return self._check_hand_over(task, place, body)
            case Choose():
                return self._check_choice(position, place, body)
            case Disclose():
                return self._check_disclosure(task, position, place, body)
            case Complete():
                return self._check_completion(task, position, place, body)
            case _:
                raise NotImplementedError(f"sealed dealing checks no {type(task).__name__}")

    def _check_keys(self, place: Place, body: bytes) -> Keys:
        parts = unpack(body)
        if len(parts) != 5 or len(parts[4]) != 32:
            raise Malformed("keys come as five parts, the last a commitment of 32 bytes")
        card, payload = self.group.decode(parts[0]), self.group.decode(parts[2])
        verify_key(self.group, place.header("key-card"), card, parts[1])
        verify_key(self.group, place.header("key-payload"), payload, parts[3])
        return Keys(card, payload, parts[4])

    def _check_reveal(self, place: Place, body: bytes) -> tuple[bytes, int]:
        parts = unpack(body)
        if len(parts) != 2 or len(parts[0]) != 32 or len(parts[1]) != 32:
            raise Malformed("a reveal is a seed and a card key of 32 bytes each")
        seed, key = parts[0], int.from_bytes(parts[1], "little")
        if not 0 < key < self.group.order or public_key(self.group, key) != self.keys[place.seat].card:
            raise PeerFault(place.seat, "revealed a key that is not its card key")
        if self.seed_commitment(place.seat, seed) != self.keys[place.seat].seed:
            raise PeerFault(place.seat, "revealed a seed that it had not committed to")
        return seed, key

    def _check_coin(self, number: int, place: Place, body: bytes) -> bytes:
        if number == 0:
            if len(body) != 32:
                raise Malformed("a commitment has 32 bytes")
            return body
        if len(body) != 2 * COIN_SIZE:
            raise Malformed("an opening is a value and a salt of 32 bytes each")
        value, salt = body[:COIN_SIZE], body[COIN_SIZE:]
        if not check_commitment(self.table_id, place.seat, "coin", value, salt, self.stash[place.seat]):
            raise PeerFault(place.seat, "opened its coin commitment to another value")
        return value

    def _check_shuffle(
        self, place: Place, purpose: str, key: Point, inputs: tuple[Card, ...], body: bytes
    ) -> tuple[Card, ...]:
        parts = unpack(body)
        if len(parts) != 2:
            raise Malformed("a shuffle is its output and its proof")
        outputs = decode_cards(self.group, parts[0], len(inputs), len(self.deck.attributes))
        verify_shuffle(self.group, place.header(purpose), key, inputs, outputs, parts[1])
        return outputs

    def _check_shares(self, place: Place, purpose: str, firsts: tuple[Point, ...], body: bytes) -> tuple[Point, ...]:
        if not firsts:
            if body:
                raise Malformed("a share was given where none is owed")
            return ()
        size = self.group.point_size
        end = size * len(firsts)
        shares = tuple(self.group.decode(body[at : at + size]) for at in range(0, end, size))
        verify_shares(
            self.group, place.header(purpose), self.keys[place.seat].card, firsts, shares, body[end:]
        )
        return shares

    def _check_hand_over(self, task: HandOver | Return, place: Place, body: bytes) -> tuple[Ciphertext, ...]:
        inputs = self._hidden(task.slots)
        size = self.group.point_size
        end = 2 * size * len(inputs)
        outputs = tuple(
            Ciphertext(self.group.decode(body[at : at + size]), self.group.decode(body[at + size : at + 2 * size]))
            for at in range(0, end, 2 * size)
        )
        key = self.keys[place.seat].card
        verify_hand_over(self.group, place.header("hand-over"), key, self._receiver(task), inputs, outputs, body[end:])
        return outputs

    def _check_choice(self, position: Position, place: Place, body: bytes) -> Deed:
        parts = unpack(body)
        if not parts:
            raise Malformed("a decision is missing")
        deed = decode(parts[0], Deed)
        reason = position.refuse(place.seat, deed)
        if reason is not None:
            raise PeerFault(place.seat, f"decided what the rules refuse ({reason.id})")
        verify_claims(self, position, place, position.claims(place.seat, deed), parts[1:])
        return deed

    def _check_laid(
        self, position: Position, place: Place, parts: list[bytes], verb: str
    ) -> tuple[Deed, dict[Slot, Face]]:
        """The deed of an answer or a settle, and the faces it opens, every opening verified."""
        if len(parts) < 2:
            raise Malformed("an answer is a deed, an opening and its claims")
        deed = decode(parts[0], Deed)
        slots = _slots_of(place.seat, deed)
        held = set(position.table.slots(hand_of(place.seat)))
        empty_but_groups = (deed.verb, deed.target, deed.value) == (verb, -1, "")
        if not empty_but_groups or len(set(slots)) != len(slots) or not held.issuperset(slots):
            raise Malformed("the deed does not fit what was asked")
        shares = self._check_shares(place, "open", self._firsts(slots), parts[1])
        return deed, self._opened_faces(slots, shares)

    def _check_disclosure(self, task: Disclose, position: Position, place: Place, body: bytes) -> Shown | Completed:
        parts = unpack(body)
        deed, faces = self._check_laid(position, place, parts, "give")
        slots = tuple(faces)
        if not set(task.slots).issuperset(slots) or len(deed.groups) != (1 if slots else 0):
            raise Malformed("the answer names cards that were not asked about")
        if task.most is not None and len(slots) > task.most:
            raise PeerFault(place.seat, "gave more cards than were asked for")
        if not all(self.deck.matches(face, task.match) for face in faces.values()):
            raise PeerFault(place.seat, "gave a card that was not asked for")
        verify_claims(self, position, place, self._claims_on_rest(task, position, slots), parts[2:])
        return _laid(task, deed, faces)

    def _check_completion(self, task: Complete, position: Position, place: Place, body: bytes) -> Shown | Completed:
        parts = unpack(body)
        deed, faces = self._check_laid(position, place, parts, "lay")
        at = self.deck.at(task.attribute)
        for group in deed.groups:
            values = {faces[Slot(hand_of(place.seat), n)][at] for n in group}
            if len(group) != task.size or len(values) != 1:
                raise PeerFault(place.seat, f"laid cards that are no group of {task.size}")
        verify_claims(self, position, place, self._claims_on_rest(task, position, tuple(faces)), parts[2:])
        return _laid(task, deed, faces)

    # --- fold and finish ---------------------------------------------------------------------------------------------

    def fold(self, task: Task, number: int, position: Position, checked: Mapping[int, Checked]) -> Sealed:
        """See ``Dealing.fold``."""
        match task:
            case Setup():
                keys: tuple[Keys, ...] = tuple(checked[seat] for seat in sorted(checked))
                joint = self.group.sum([key.card for key in keys])
                if joint == self.group.identity:
                    raise ValueError("the card keys cancel each other out; start the game again")
                return replace(self, keys=keys, joint=joint)
            case Shuffle(zone):
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
                outputs = next(iter(self.stash.values())) if self.stash else self._hand_cards(position, zone)
                return Done(), self._renumbered(position, zone, outputs)
            case Draw():
                return Done(), self._drawn(task, position)
            case Show(slots, attributes):
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
                faces = {s: f for g, fs in zip(laid.groups, laid.faces, strict=True) for s, f in zip(g, fs, strict=True)}
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
            if isinstance(task, Move) and owner(old.zone) != owner(new.zone) and not _is_public(self.group, card):
                raise ValueError("only a public card can move to another key without a proof")
            del cards[old]
            cards[new] = card
        return replace(self, cards=cards, stash=None)

    def _drawn(self, task: Draw, position: Position) -> Sealed:
        """Take every other seat's share off each drawn card: what stays is a ciphertext under the drawer's key."""
        group = self.group
        given = {seat: iter(shares) for seat, shares in (self.stash or {}).items()}
        changed = {}
        for slot, drawer in task.draws:
            card = []
            for cipher in self.cards[slot]:
                if cipher.a != group.identity:
                    total = group.sum([next(shares) for seat, shares in given.items() if seat != drawer])
                    cipher = Ciphertext(cipher.a, group.sub(cipher.b, total))
                card.append(cipher)
            changed[slot] = tuple(card)
        return self._relocated(task, position, changed)

    def _shown(self, task: Show, position: Position) -> tuple[Result, Sealed]:
        places = self._places(task.attributes)
        given = {seat: iter(shares) for seat, shares in (self.stash or {}).items()}
        faces: dict[Slot, Partial] = {}
        for slot in task.slots:
            face: list[str | None] = [None] * len(self.deck.attributes)
            for at in places:
                cipher = self.cards[slot][at]
                if cipher.a == self.group.identity:
                    point = cipher.b
                else:
                    point = self.group.sub(cipher.b, self.group.sum([next(shares) for shares in given.values()]))
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

    # --- what is owed, and what a seat sees --------------------------------------------------------------------------

    def stocked(self, position: Position, zone: str) -> Sealed:
        """The first deck: every card in the clear, in deck order, derived by all and never sent."""
        cards = dict(self.cards)
        for slot, index in zip(position.table.slots(zone), self.deck.cards, strict=True):
            cards[slot] = tuple(trivial(self.group, point) for point in self.points.of(self.deck.faces[index]))
        return replace(self, cards=cards)

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

    def key_of(self, slot: Slot) -> Point:
        """The public key that hides ``slot``: the joint key, or that of the hand it lies in."""
        seat = owner(slot.zone)
        return self.joint if seat is None else self.keys[seat].card

    def seed_commitment(self, seat: int, seed: bytes) -> bytes:
        """The commitment that stands for a seat's seed until the reveal. The seed is its own salt: 32 random bytes."""
        return commit(self.table_id, seat, "seed", seed, b"")

    def coin_secret(self, seed: bytes) -> tuple[bytes, bytes]:
        """A seat's value and salt for the coin under way, from its seed alone."""
        stream = Xof("coin/secret", seed, self.table_id, self.coins.to_bytes(4, "big"))
        return stream.read(COIN_SIZE), stream.read(COIN_SIZE)

    def joint_shuffle_witness(self, place: Place, seed: bytes, count: int) -> ShuffleWitness:
        """Permutation and re-masking scalars of a seat's part of a joint shuffle, from its seed alone."""
        return joint_witness(
            self.group, seed, self.table_id, place.epoch, place.step, self.deck.id, "shuffle", count, len(self.deck.attributes)
        )

    def shuffle_inputs(self, task: Task, position: Position) -> tuple[Card, ...]:
        """The cards that the next shuffling seat of a joint shuffle works on."""
        assert isinstance(task, Shuffle)
        return self._shuffle_inputs(position, task.zone)

    def _shuffle_inputs(self, position: Position, zone: str) -> tuple[Card, ...]:
        if self.stash is not None:
            outputs: tuple[Card, ...] = self.stash
            return outputs
        return self._hand_cards(position, zone)

    def _hand_cards(self, position: Position, zone: str) -> tuple[Card, ...]:
        return tuple(self.cards[slot] for slot in position.table.slots(zone))

    def _owed_shares(self, draws: tuple[tuple[Slot, int], ...], seat: int) -> tuple[Point, ...]:
        identity = self.group.identity
        return tuple(
            cipher.a
            for slot, drawer in draws
            if drawer != seat
            for cipher in self.cards[slot]
            if cipher.a != identity
        )

    def _places(self, attributes: tuple[str, ...]) -> tuple[int, ...]:
        if not attributes:
            return tuple(range(len(self.deck.attributes)))
        return tuple(sorted(self.deck.at(name) for name in attributes))

    def _firsts(self, slots: tuple[Slot, ...], places: tuple[int, ...] | None = None) -> tuple[Point, ...]:
        identity = self.group.identity
        at = range(len(self.deck.attributes)) if places is None else places
        return tuple(self.cards[slot][n].a for slot in slots for n in at if self.cards[slot][n].a != identity)

    def _hidden(self, slots: tuple[Slot, ...]) -> tuple[Ciphertext, ...]:
        return tuple(c for slot in slots for c in self.cards[slot] if c.a != self.group.identity)

    def _receiver(self, task: HandOver | Return) -> Point:
        return self.keys[task.to].card if isinstance(task, HandOver) else self.joint

    def _opened_faces(self, slots: tuple[Slot, ...], shares: tuple[Point, ...]) -> dict[Slot, Face]:
        given = iter(shares)
        faces = {}
        for slot in slots:
            points = [
                c.b if c.a == self.group.identity else self.group.sub(c.b, next(given)) for c in self.cards[slot]
            ]
            faces[slot] = tuple(self._value(at, point) for at, point in enumerate(points))
        return faces

    def _claims_on_rest(
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

    def _value(self, at: int, point: Point) -> str:
        value = self.points.values[at].get(point)
        if value is None:
            raise Malformed("a card opened to a point that is no card of this deck")
        return value


def close_body(position: Position) -> bytes:
    """What every seat signs at the end: the outcome, a function of the history."""
    outcome = position.pending
    assert isinstance(outcome, Outcome)
    return encode((outcome.reason, outcome.scores, outcome.winners))


def _slots_of(seat: int, deed: Deed) -> tuple[Slot, ...]:
    return tuple(Slot(hand_of(seat), n) for group in deed.groups for n in group)


def _laid(task: Disclose | Complete, deed: Deed, faces: Mapping[Slot, Face]) -> Shown | Completed:
    """What a verified answer or settle says, as the result of its operation."""
    if isinstance(task, Disclose):
        return Shown(tuple(faces), tuple(faces.values()))
    groups = tuple(tuple(Slot(hand_of(task.seat), n) for n in group) for group in deed.groups)
    return Completed(groups, tuple(tuple(faces[slot] for slot in group) for group in groups))


def _owner_of(slots: tuple[Slot, ...]) -> int:
    seat = owner(slots[0].zone)
    assert seat is not None
    return seat


def _is_public(group: Group, card: Card) -> bool:
    return all(cipher.a == group.identity for cipher in card)
