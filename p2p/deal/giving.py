"""Making a contribution: one seat's round of an operation, with its secrets (the other half is
``checking``)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

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
    Return,
    Show,
    Shown,
    Shuffle,
)

from ..log.codec import encode, pack
from ..sealed import (
    Card,
    Ciphertext,
    Header,
    Point,
    ShuffleWitness,
    commit,
    encode_cards,
    encode_scalar,
    mix_witness,
    prove_hand_over,
    prove_key,
    prove_shares,
    prove_shuffle,
    shuffle,
)
from .base import Checked, Close, Keys, Place, Reveal, Secrets, Setup, Task
from .claims import prove_claims

if TYPE_CHECKING:
    from .sealed import Sealed


@dataclass(frozen=True, slots=True)
class Giver:
    """One seat about to contribute. ``fresh`` is 32 bytes of new randomness, ``marks`` a tick's lag bits."""

    dealing: Sealed
    position: Position
    place: Place
    secrets: Secrets
    fresh: bytes
    marks: int = 0

    def give(self, task: Task, number: int, deed: Deed | None) -> tuple[bytes, Checked]:
        """The body of round ``number``, and what a checker finds in it."""
        dealing, place, x = self.dealing, self.place, self.secrets.card_key
        match task:
            case Setup():
                return self._keys()
            case Close():
                return dealing.close_body(self.position), None
            case Reveal():
                return pack([self.secrets.seed, encode_scalar(x)]), (self.secrets.seed, x)
            case Coin():
                value, salt = dealing.coin_secret(self.secrets.seed)
                if number == 0:
                    commitment = commit(place.table_id, place.seat, "coin", value, salt)
                    return commitment, commitment
                return value + salt, value
            case Shuffle(zone):
                inputs, seed = dealing.shuffle_inputs(self.position, zone), self.secrets.seed
                witness = dealing.joint_shuffle_witness(place, seed, len(inputs))
                return self._shuffle(place.header("shuffle"), dealing.joint, inputs, witness, seed)
            case Mix(zone):
                inputs, secret = dealing.zone_cards(self.position, zone), encode_scalar(x)
                header, key = place.header("mix"), dealing.keys[place.seat].card
                witness = mix_witness(dealing.group, self.fresh, secret, header, key, inputs)
                return self._shuffle(header, key, inputs, witness, secret)
            case Draw(draws):
                return self._shares("share", dealing.owed_shares(draws, place.seat))
            case Show(slots, attributes):
                return self._shares("show", dealing.firsts(slots, dealing.places(attributes)))
            case HandOver() | Return():
                return self._hand_over(task)
            case Choose() if deed is not None:
                claims = self.position.claims(place.seat, deed)
                return pack(
                    [encode(deed), *prove_claims(dealing, self.position, place, x, claims, self.fresh)]
                ), deed
            case Disclose() | Complete() if deed is not None:
                return self._laid(task, deed)
            case _:
                raise NotImplementedError(f"sealed dealing prepares no {type(task).__name__}")

    def _keys(self) -> tuple[bytes, Keys]:
        dealing, place, secrets = self.dealing, self.place, self.secrets
        group = dealing.group
        keys = dealing.own_keys(place.seat, secrets)
        card_proof = prove_key(group, place.header("key-card"), secrets.card_key, self.fresh)
        payload_proof = prove_key(group, place.header("key-payload"), secrets.payload_key, self.fresh)
        return pack([keys.card, card_proof, keys.payload, payload_proof, keys.seed]), keys

    def _shuffle(
        self, header: Header, key: Point, inputs: tuple[Card, ...], witness: ShuffleWitness, secret: bytes
    ) -> tuple[bytes, tuple[Card, ...]]:
        group = self.dealing.group
        outputs = shuffle(group, key, inputs, witness)
        proof = prove_shuffle(group, header, key, inputs, outputs, witness, secret, self.fresh)
        return pack([encode_cards(outputs), proof]), outputs

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
        opening, shares = self._shares("open", dealing.firsts(slots))
        claims = dealing.claims_on_rest(task, position, slots)
        body = pack([encode(deed), opening, *prove_claims(dealing, position, place, x, claims, self.fresh)])
        return body, dealing.laid(task, deed, dealing.opened_faces(slots, shares))
