"""Checking a contribution: what another seat's round says, every proof verified, with no secrets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.cards import Face
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
)

from ..log.codec import Malformed, unpack
from ..sealed import (
    Card,
    Ciphertext,
    Point,
    decode_cards,
    verify_hand_over,
    verify_shares,
    verify_shuffle,
)
from .base import Checked, Close, Decision, Escrow, PeerFault, Recover, Reveal, Setup, Task
from .claims import verify_claims
from .common import (
    check_close,
    check_coin,
    check_deed,
    check_given,
    check_groups,
    check_keys,
    check_laid,
    check_reveal,
    check_rules,
)
from .examining import Examiner
from .hidden import SALT_SIZE, Committed
from .recovering import check_acceptance, check_escrow, check_recovery, decode_pairs, decode_points
from .ticks import TickCommitment, TickOpening, check_opened_deed

if TYPE_CHECKING:
    from .sealed import Sealed


@dataclass(frozen=True, slots=True)
class Checker(Examiner):
    """A contribution to a sealed deal: every proof is verified."""

    dealing: Sealed

    def _check(self, task: Task, number: int, body: bytes) -> Checked:
        dealing = self.dealing
        match task:
            case Setup() | Escrow() | Recover() | Close() | Reveal():
                return self._around(task, number, body)
            case Coin():
                return check_coin(dealing, self.place, number, body)
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

    def _around(self, task: Setup | Escrow | Recover | Close | Reveal, number: int, body: bytes) -> Checked:
        dealing, place = self.dealing, self.place
        match task:
            case Setup():
                return check_keys(dealing, place, body)
            case Escrow():
                return (check_escrow if number == 0 else check_acceptance)(dealing, place, body)
            case Recover():
                return check_recovery(dealing, place, task, body)
            case Close():
                return check_close(dealing, place, self.position, body)
            case Reveal():
                return check_reveal(dealing, place, body)

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
        return self._positions(task, body)

    def _deed_commitment(self, task: Tick, body: bytes) -> TickCommitment:
        parts = unpack(body)
        if len(parts) != 2:
            raise Malformed("the first part of a tick is a commitment and shares")
        committed = self._commitment("tick", parts[0])
        owed = self.dealing.owed_shares(task.draws, self.place.seat)
        return TickCommitment(committed, self._shares("share", owed, parts[1]))

    def _deed_opening(self, body: bytes) -> TickOpening:
        parts = unpack(body)
        marks = check_opened_deed(self.dealing, self.place, parts, 4)
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
        deed, slots = check_deed(self.position, self.place, data)
        faces: dict[Slot, Any] = self._open(slots, opening)
        check_rules(self.position, self.place, deed, faces)
        return deed, faces

    def _open(
        self, slots: tuple[Slot, ...], opening: bytes, places: tuple[int, ...] | None = None
    ) -> dict[Slot, Partial]:
        shares = self._shares("open", self.dealing.firsts(slots, places), opening)
        return self.dealing.opened_faces(slots, shares, places)

    def _shares(self, purpose: str, firsts: tuple[Point, ...], body: bytes) -> tuple[Point, ...]:
        if not firsts:
            if body:
                raise Malformed("a share was given where none is owed")
            return ()
        shares, proof = decode_points(self.dealing, body, len(firsts))
        header, key = self.place.header(purpose), self.dealing.keys[self.place.seat].card
        verify_shares(self.dealing.group, header, key, firsts, shares, proof)
        return shares

    def _hand_over(self, task: HandOver | Return, body: bytes) -> tuple[Ciphertext, ...]:
        inputs = self.dealing.hidden(task.slots)
        size = self.dealing.group.point_size
        end = 2 * size * len(inputs)
        outputs = decode_pairs(self.dealing, body, len(inputs))
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
        deed, slots = check_laid(self.dealing, self.position, self.place, task, parts[0])
        return deed, self._open(slots, parts[1], self.dealing.places_shown(task))

    def _disclosure(self, task: Disclose, body: bytes) -> Shown | Completed:
        parts = unpack(body)
        deed, faces = self._laid(task, parts)
        slots = tuple(faces)
        matches = {slot: self.dealing.is_match(slot, face, task.match) for slot, face in faces.items()}
        check_given(self.place, task, deed, matches)
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
        check_groups(self.dealing, self.place, task, deed, faces)
        verify_claims(
            self.dealing,
            self.position,
            self.place,
            self.dealing.claims_on_rest(task, self.position, tuple(faces)),
            parts[2:],
        )
        return self.dealing.laid(task, deed, faces)
