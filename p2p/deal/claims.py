"""The engine's claims as statements on ciphertexts: which branches, how many must hold, proved and
verified."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.match import Position
from engine.table import AtMost, Claim, Holds, Lacks, Match, Slot

from ..log.codec import Malformed
from ..sealed import (
    Branch,
    Ciphertext,
    Point,
    ProofRejected,
    at_most,
    combined,
    holds,
    lacks,
    prove_claim,
    verify_claim,
)
from .base import Place

if TYPE_CHECKING:
    from .sealed import Sealed

PURPOSES = {Holds: "holds", Lacks: "lacks", AtMost: "at-most"}


def prove_claims(
    dealing: Sealed, position: Position, place: Place, card_key: int, claims: Sequence[Claim], fresh: bytes
) -> list[bytes]:
    """One proof per claim, in order; empty where public cards already show the claim to hold."""
    proofs = []
    for claim in claims:
        header = place.header(PURPOSES[type(claim)])
        branches, least = statement_of(dealing, position, claim)
        key = dealing.keys[place.seat].card
        proofs.append(prove_claim(dealing.group, header, key, card_key, branches, least, fresh))
    return proofs


def verify_claims(
    dealing: Sealed, position: Position, place: Place, claims: Sequence[Claim], proofs: Sequence[bytes]
) -> None:
    """Every claim owed, neither more nor fewer. Raises ``ProofRejected`` or ``Malformed``."""
    if len(claims) != len(proofs):
        raise Malformed(f"{len(claims)} claims are owed, {len(proofs)} proofs came")
    for claim, proof in zip(claims, proofs, strict=True):
        header = place.header(PURPOSES[type(claim)])
        branches, least = statement_of(dealing, position, claim)
        try:
            verify_claim(dealing.group, header, dealing.keys[place.seat].card, branches, least, proof)
        except ProofRejected as error:
            raise ProofRejected(f"{header.purpose}: {error}") from None


def statement_of(dealing: Sealed, position: Position, claim: Claim) -> tuple[Sequence[Branch], int]:
    """The branches of a claim, and how many of them must hold."""
    group = dealing.group
    match claim:
        case Holds(zone, match):
            return holds(
                group, _ciphertexts(dealing, position.table.slots(zone), match), _target(dealing, match)
            )
        case Lacks(slots, match):
            return lacks(group, _ciphertexts(dealing, slots, match), _target(dealing, match))
        case AtMost(slot, among, attribute, k):
            at = dealing.deck.at(attribute)
            others = [dealing.cards[other][at] for other in among]
            return at_most(group, dealing.cards[slot][at], others, k)


def _ciphertexts(dealing: Sealed, slots: Sequence[Slot], match: Match) -> list[Ciphertext]:
    if match.attribute:
        at = dealing.deck.at(match.attribute)
        return [dealing.cards[slot][at] for slot in slots]
    return [combined(dealing.group, dealing.cards[slot]) for slot in slots]


def _target(dealing: Sealed, match: Match) -> Point:
    if match.attribute:
        return dealing.points.points[dealing.deck.at(match.attribute)][match.value]
    return dealing.points.sums[dealing.deck.parse(match.value)]
