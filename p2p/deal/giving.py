"""Making a contribution: one seat's round of an operation, with its secrets (the other half is
``checking``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

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
    Pick,
    Return,
    Show,
    Shown,
    Shuffle,
    Slot,
    Tick,
    Zone,
)

from ..log.codec import encode, pack
from ..sealed import (
    Card,
    Ciphertext,
    Header,
    Point,
    ShuffleWitness,
    encode_cards,
    encode_scalar,
    mix_witness,
    prove_hand_over,
    prove_shares,
    prove_shuffle,
    shuffle,
)
from .base import Checked, Close, Decision, Escrow, Recover, Reveal, Setup, Task
from .claims import prove_claims
from .common import give_coin, give_keys, give_reveal
from .contributing import Contributor
from .recovering import give_acceptance, give_escrow, give_recovery
from .ticks import TickCommitment, TickOpening

if TYPE_CHECKING:
    from .sealed import Sealed


@dataclass(frozen=True, slots=True)
class Giver(Contributor):
    """One seat about to contribute to a sealed deal."""

    dealing: Sealed

    def give(self, task: Task, number: int, deed: Deed | None) -> tuple[bytes, Checked]:
        """The body of round ``number``, and what a checker finds in it."""
        dealing, place = self.dealing, self.place
        match task:
            case Setup() | Escrow() | Recover() | Close() | Reveal():
                return self._around(task, number)
            case Coin():
                return give_coin(dealing, place, self.secrets, number)
            case Shuffle(zone):
                inputs, seed = dealing.shuffle_inputs(self.position, zone), self.secrets.seed
                witness = dealing.joint_shuffle_witness(place, seed, zone, len(inputs))
                return self._shuffle(place.header("shuffle"), dealing.joint, inputs, witness, seed)
            case Mix(zone):
                return self._mix(zone)
            case Draw(draws):
                return self._shares("share", dealing.owed_shares(draws, place.seat))
            case Show():
                return self._show(task, number)
            case Pick(_, zone):
                kind = self._kind(task, number)
                return self._mix(zone) if kind == "mix" else self._picked(task, kind)
            case Tick() if deed is not None:
                return self._commit_deed(task, deed) if number == 0 else self._open_deed(deed)
            case HandOver() | Return():
                return self._hand_over(task)
            case Choose() if deed is not None:
                return self._choice(deed)
            case Disclose() | Complete() if deed is not None:
                return self._laid(task, deed)
            case _:
                raise NotImplementedError(f"sealed dealing prepares no {type(task).__name__}")

    def _around(self, task: Setup | Escrow | Recover | Close | Reveal, number: int) -> tuple[bytes, Checked]:
        dealing, place = self.dealing, self.place
        match task:
            case Setup():
                return give_keys(dealing, place, self.secrets, self.fresh)
            case Escrow():
                give = give_escrow if number == 0 else give_acceptance
                return give(dealing, place, self.secrets, self.fresh)
            case Recover():
                return give_recovery(dealing, place, task, self.secrets, self.fresh)
            case Close():
                return dealing.close_body(self.position), None
            case Reveal():
                return give_reveal(self.secrets)

    def _shuffle(
        self, header: Header, key: Point, inputs: tuple[Card, ...], witness: ShuffleWitness, secret: bytes
    ) -> tuple[bytes, tuple[Card, ...]]:
        group = self.dealing.group
        outputs = shuffle(group, key, inputs, witness)
        proof = prove_shuffle(group, header, key, inputs, outputs, witness, secret, self.fresh)
        return pack([encode_cards(outputs), proof]), outputs

    def _mix(self, zone: Zone) -> tuple[bytes, tuple[Card, ...]]:
        dealing, secret = self.dealing, encode_scalar(self.secrets.card_key)
        inputs = dealing.zone_cards(self.position, zone)
        header, key = self.place.header("mix"), dealing.keys[self.place.seat].card
        witness = mix_witness(dealing.group, self.fresh, secret, header, key, inputs)
        return self._shuffle(header, key, inputs, witness, secret)

    def _show(self, task: Show, number: int) -> tuple[bytes, Any]:
        dealing = self.dealing
        firsts = dealing.firsts(task.slots, dealing.places(task.attributes))
        kind = self._kind(task, number)
        if kind == "show-commit":
            shares = b"".join(dealing.group.mul(self.secrets.card_key, first) for first in firsts)
            committed = self._committed("show", shares)
            return committed.commitment, committed
        body, found = self._shares("show", firsts)
        if kind == "show-open":
            return self._salt(dealing.stash[self.place.seat].origin) + body, found
        return body, found

    def _commit_deed(self, task: Tick, deed: Deed) -> tuple[bytes, TickCommitment]:
        committed = self._committed("tick", encode(deed))
        body, shares = self._shares("share", self.dealing.owed_shares(task.draws, self.place.seat))
        return pack([committed.commitment, body]), TickCommitment(committed, shares)

    def _open_deed(self, deed: Deed) -> tuple[bytes, TickOpening]:
        salt, said, marks = self._opened_deed(deed)
        opening, faces = self._open(self._slots(deed))
        return pack([salt, said, bytes([marks]), opening]), TickOpening(salt, deed, marks, faces)

    def _choice(self, deed: Deed) -> tuple[bytes, Decision]:
        dealing, position, place = self.dealing, self.position, self.place
        opening, faces = self._open(self._slots(deed))
        claims = position.claims(place.seat, deed)
        proofs = prove_claims(dealing, position, place, self.secrets.card_key, claims, self.fresh)
        return pack([encode(deed), opening, *proofs]), Decision(deed, faces)

    def _open(
        self, slots: tuple[Slot, ...], places: tuple[int, ...] | None = None
    ) -> tuple[bytes, dict[Slot, Any]]:
        """Own cards opened: the shares of what is hidden with their proof, and the faces."""
        opening, shares = self._shares("open", self.dealing.firsts(slots, places))
        return opening, self.dealing.opened_faces(slots, shares, places)

    def _shares(self, purpose: str, firsts: tuple[Point, ...]) -> tuple[bytes, tuple[Point, ...]]:
        if not firsts:
            return b"", ()
        key = self.dealing.keys[self.place.seat].card
        header = self.place.header(purpose)
        shares, proof = prove_shares(
            self.dealing.group, header, self.secrets.card_key, key, firsts, self.fresh
        )
        return b"".join(shares) + proof, shares

    def _hand_over(self, task: HandOver | Return) -> tuple[bytes, tuple[Ciphertext, ...]]:
        dealing, header = self.dealing, self.place.header("hand-over")
        giver, receiver = dealing.keys[self.place.seat].card, dealing.receiver(task)
        inputs = dealing.hidden(task.slots)
        outputs, proof = prove_hand_over(
            dealing.group, header, self.secrets.card_key, giver, receiver, inputs, self.fresh
        )
        return b"".join(c.a + c.b for c in outputs) + proof, outputs

    def _laid(self, task: Disclose | Complete, deed: Deed) -> tuple[bytes, Shown | Completed]:
        dealing, position, place, x = self.dealing, self.position, self.place, self.secrets.card_key
        slots = dealing.slots_of(place.seat, deed)
        opening, faces = self._open(slots, dealing.places_shown(task))
        claims = dealing.claims_on_rest(task, position, slots)
        body = pack([encode(deed), opening, *prove_claims(dealing, position, place, x, claims, self.fresh)])
        return body, dealing.laid(task, deed, faces)
