"""Checking a contribution: what another seat's round says, every proof verified, with no secrets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.cards import Face
from engine.match import Position
from engine.table import (
    Choose,
    Coin,
    Complete,
    Completed,
    Deed,
    Disclose,
    Draw,
    HandOver,
    Mix,
    Partial,
    Pick,
    Return,
    Show,
    Shown,
    Shuffle,
    Slot,
    Tick,
    Zone,
    hand_of,
)

from ..log.codec import Malformed, decode, unpack
from ..sealed import (
    Card,
    Ciphertext,
    Point,
    ProofRejected,
    check_commitment,
    decode_cards,
    public_key,
    verify_hand_over,
    verify_key,
    verify_shares,
    verify_shuffle,
)
from .base import COIN_SIZE, Checked, Close, Decision, Keys, PeerFault, Place, Reveal, Setup, Task
from .claims import verify_claims
from .hidden import COMMITMENT_SIZE, SALT_SIZE, Committed
from .picks import decode_positions
from .ticks import TickCommitment, TickOpening, markable

if TYPE_CHECKING:
    from .sealed import Sealed


@dataclass(frozen=True, slots=True)
class Checker:
    """One seat's contribution under examination."""

    dealing: Sealed
    position: Position
    place: Place

    def check(self, task: Task, number: int, body: bytes) -> Checked:
        """What the body of round ``number`` says. Raises ``PeerFault``."""
        try:
            return self._check(task, number, body)
        except (Malformed, ProofRejected) as error:
            raise PeerFault(self.place.seat, str(error)) from None

    def _check(self, task: Task, number: int, body: bytes) -> Checked:
        dealing = self.dealing
        match task:
            case Setup():
                return self._keys(body)
            case Close():
                if body != dealing.close_body(self.position):
                    raise PeerFault(self.place.seat, "signed another outcome than the history gives")
                return None
            case Reveal():
                return self._reveal(body)
            case Coin():
                return self._coin(number, body)
            case Shuffle(zone):
                return self._shuffle(
                    "shuffle", dealing.joint, dealing.shuffle_inputs(self.position, zone), body
                )
            case Mix(zone):
                return self._mix(zone, body)
            case Draw(draws):
                return self._shares("share", dealing.owed_shares(draws, self.place.seat), body)
            case Show():
                return self._show(task, number, body)
            case Pick():
                return self._pick(task, number, body)
            case Tick():
                return self._deed_commitment(task, body) if number == 0 else self._deed_opening(body)
            case HandOver() | Return():
                return self._hand_over(task, body)
            case Choose():
                return self._choice(body)
            case Disclose():
                return self._disclosure(task, body)
            case Complete():
                return self._completion(task, body)
            case _:
                raise NotImplementedError(f"sealed dealing checks no {type(task).__name__}")

    def _keys(self, body: bytes) -> Keys:
        parts = unpack(body)
        if len(parts) != 5 or len(parts[4]) != 32:
            raise Malformed("keys come as five parts, the last a commitment of 32 bytes")
        card, payload = self.dealing.group.decode(parts[0]), self.dealing.group.decode(parts[2])
        verify_key(self.dealing.group, self.place.header("key-card"), card, parts[1])
        verify_key(self.dealing.group, self.place.header("key-payload"), payload, parts[3])
        return Keys(card, payload, parts[4])

    def _reveal(self, body: bytes) -> tuple[bytes, int]:
        parts = unpack(body)
        if len(parts) != 2 or len(parts[0]) != 32 or len(parts[1]) != 32:
            raise Malformed("a reveal is a seed and a card key of 32 bytes each")
        seed, key = parts[0], int.from_bytes(parts[1], "little")
        if (
            not 0 < key < self.dealing.group.order
            or public_key(self.dealing.group, key) != self.dealing.keys[self.place.seat].card
        ):
            raise PeerFault(self.place.seat, "revealed a key that is not its card key")
        if self.dealing.seed_commitment(self.place.seat, seed) != self.dealing.keys[self.place.seat].seed:
            raise PeerFault(self.place.seat, "revealed a seed that it had not committed to")
        return seed, key

    def _coin(self, number: int, body: bytes) -> bytes:
        if number == 0:
            if len(body) != 32:
                raise Malformed("a commitment has 32 bytes")
            return body
        if len(body) != 2 * COIN_SIZE:
            raise Malformed("an opening is a value and a salt of 32 bytes each")
        value, salt = body[:COIN_SIZE], body[COIN_SIZE:]
        if not check_commitment(
            self.dealing.table_id, self.place.seat, "coin", value, salt, self.dealing.stash[self.place.seat]
        ):
            raise PeerFault(self.place.seat, "opened its coin commitment to another value")
        return value

    def _shuffle(self, purpose: str, key: Point, inputs: tuple[Card, ...], body: bytes) -> tuple[Card, ...]:
        parts = unpack(body)
        if len(parts) != 2:
            raise Malformed("a shuffle is its output and its proof")
        outputs = decode_cards(self.dealing.group, parts[0], len(inputs), len(self.dealing.deck.attributes))
        verify_shuffle(self.dealing.group, self.place.header(purpose), key, inputs, outputs, parts[1])
        return outputs

    def _mix(self, zone: Zone, body: bytes) -> tuple[Card, ...]:
        inputs = self.dealing.zone_cards(self.position, zone)
        return self._shuffle("mix", self.dealing.keys[self.place.seat].card, inputs, body)

    def _show(self, task: Show, number: int, body: bytes) -> Committed | tuple[Point, ...]:
        dealing = self.dealing
        firsts = dealing.firsts(task.slots, dealing.places(task.attributes))
        kind = self._kind(task, number)
        if kind == "show-commit":
            return self._commitment("show", body)
        if kind == "show":
            return self._shares("show", firsts, body)
        salt, rest = body[:SALT_SIZE], body[SALT_SIZE:]
        shares = rest[: dealing.group.point_size * len(firsts)]
        if not dealing.stash[self.place.seat].is_opened_by(salt, shares):
            raise PeerFault(self.place.seat, "opened its commitment to other shares")
        return self._shares("show", firsts, rest)

    def _pick(self, task: Pick, number: int, body: bytes) -> Checked:
        kind = self._kind(task, number)
        if kind == "pick-commit":
            return self._commitment("pick", body)
        if kind == "mix":
            return self._mix(task.zone, body)
        salt, positions = body[:SALT_SIZE], body[SALT_SIZE:]
        if not self.dealing.stash.committed.is_opened_by(salt, positions):
            raise PeerFault(self.place.seat, "opened its commitment to other positions")
        return decode_positions(positions, self.position.table.size(task.zone), task.count)

    def _deed_commitment(self, task: Tick, body: bytes) -> TickCommitment:
        parts = unpack(body)
        if len(parts) != 2:
            raise Malformed("the first part of a tick is a commitment and shares")
        committed = self._commitment("tick", parts[0])
        owed = self.dealing.owed_shares(task.draws, self.place.seat)
        return TickCommitment(committed, self._shares("share", owed, parts[1]))

    def _deed_opening(self, body: bytes) -> TickOpening:
        parts = unpack(body)
        if len(parts) != 4 or len(parts[0]) != SALT_SIZE or len(parts[2]) != 1:
            raise Malformed("the second part of a tick is a salt, a deed, a byte of lag bits and an opening")
        commitments = self.dealing.stash.commitments
        if not commitments[self.place.seat].is_opened_by(parts[0], parts[1]):
            raise PeerFault(self.place.seat, "opened its commitment to another deed")
        marks = parts[2][0]
        if marks & ~markable(self.dealing, self.place.seat, commitments):
            raise Malformed("a lag bit of a seat that cannot be marked is set")
        deed, faces = self._decided(parts[1], parts[3])
        return TickOpening(parts[0], deed, marks, faces)

    def _choice(self, body: bytes) -> Decision:
        parts = unpack(body)
        if len(parts) < 2:
            raise Malformed("a decision is a deed, an opening and its claims")
        deed, faces = self._decided(parts[0], parts[1])
        claims = self.position.claims(self.place.seat, deed)
        verify_claims(self.dealing, self.position, self.place, claims, parts[2:])
        return Decision(deed, faces)

    def _decided(self, data: bytes, opening: bytes) -> tuple[Deed, dict[Slot, Face]]:
        """A deed that the rules do not refuse, and the cards of the own hand that it opens."""
        seat = self.place.seat
        deed = decode(data, Deed)
        slots = self.position.slots_shown(seat, deed)
        if slots is None:
            raise PeerFault(seat, "opened a card that is not in its hand, or one twice")
        faces: dict[Slot, Any] = self._open(slots, opening)
        reason = self.position.refuse(seat, deed, faces)
        if reason is not None:
            raise PeerFault(seat, f"decided what the rules refuse ({reason.id})")
        return deed, faces

    def _open(
        self, slots: tuple[Slot, ...], opening: bytes, places: tuple[int, ...] | None = None
    ) -> dict[Slot, Partial]:
        shares = self._shares("open", self.dealing.firsts(slots, places), opening)
        return self.dealing.opened_faces(slots, shares, places)

    def _commitment(self, purpose: str, body: bytes) -> Committed:
        if len(body) != COMMITMENT_SIZE:
            raise Malformed(f"a commitment has {COMMITMENT_SIZE} bytes")
        return Committed(self.place.origin(purpose), body)

    def _kind(self, task: Task, number: int) -> str:
        return self.dealing.rounds(task, self.position)[number].kind

    def _shares(self, purpose: str, firsts: tuple[Point, ...], body: bytes) -> tuple[Point, ...]:
        if not firsts:
            if body:
                raise Malformed("a share was given where none is owed")
            return ()
        size = self.dealing.group.point_size
        end = size * len(firsts)
        shares = tuple(self.dealing.group.decode(body[at : at + size]) for at in range(0, end, size))
        verify_shares(
            self.dealing.group,
            self.place.header(purpose),
            self.dealing.keys[self.place.seat].card,
            firsts,
            shares,
            body[end:],
        )
        return shares

    def _hand_over(self, task: HandOver | Return, body: bytes) -> tuple[Ciphertext, ...]:
        inputs = self.dealing.hidden(task.slots)
        size = self.dealing.group.point_size
        end = 2 * size * len(inputs)
        outputs = tuple(
            Ciphertext(
                self.dealing.group.decode(body[at : at + size]),
                self.dealing.group.decode(body[at + size : at + 2 * size]),
            )
            for at in range(0, end, 2 * size)
        )
        key = self.dealing.keys[self.place.seat].card
        verify_hand_over(
            self.dealing.group,
            self.place.header("hand-over"),
            key,
            self.dealing.receiver(task),
            inputs,
            outputs,
            body[end:],
        )
        return outputs

    def _laid(self, task: Disclose | Complete, parts: list[bytes]) -> tuple[Deed, dict[Slot, Partial]]:
        """The deed of an answer or a settle, and the faces it opens, every opening verified."""
        if len(parts) < 2:
            raise Malformed("an answer is a deed, an opening and its claims")
        deed = decode(parts[0], Deed)
        slots = self.dealing.slots_of(self.place.seat, deed)
        held = set(self.position.table.slots(hand_of(self.place.seat)))
        verb = "give" if isinstance(task, Disclose) else "lay"
        empty_but_groups = (deed.verb, deed.target, deed.value, deed.shown) == (verb, -1, "", ())
        if not empty_but_groups or len(set(slots)) != len(slots) or not held.issuperset(slots):
            raise Malformed("the deed does not fit what was asked")
        return deed, self._open(slots, parts[1], self.dealing.places_shown(task))

    def _disclosure(self, task: Disclose, body: bytes) -> Shown | Completed:
        parts = unpack(body)
        deed, faces = self._laid(task, parts)
        slots = tuple(faces)
        if not set(task.slots).issuperset(slots) or len(deed.groups) != (1 if slots else 0):
            raise Malformed("the answer names cards that were not asked about")
        if task.most is not None and len(slots) > task.most:
            raise PeerFault(self.place.seat, "gave more cards than were asked for")
        if not all(self.dealing.is_match(slot, face, task.match) for slot, face in faces.items()):
            raise PeerFault(self.place.seat, "gave a card that was not asked for")
        verify_claims(
            self.dealing,
            self.position,
            self.place,
            self.dealing.claims_on_rest(task, self.position, slots),
            parts[2:],
        )
        return self.dealing.laid(task, deed, faces)

    def _completion(self, task: Complete, body: bytes) -> Shown | Completed:
        parts = unpack(body)
        deed, faces = self._laid(task, parts)
        at = self.dealing.deck.at(task.attribute)
        for group in deed.groups:
            values = {faces[Slot(hand_of(self.place.seat), n)][at] for n in group}
            if len(group) != task.size or len(values) != 1:
                raise PeerFault(self.place.seat, f"laid cards that are no group of {task.size}")
        verify_claims(
            self.dealing,
            self.position,
            self.place,
            self.dealing.claims_on_rest(task, self.position, tuple(faces)),
            parts[2:],
        )
        return self.dealing.laid(task, deed, faces)
