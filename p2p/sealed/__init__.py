"""Sealed cards: ElGamal ciphertexts in a prime-order group, shuffled, dealt and spoken about with proofs.

Pure functions. Randomness enters as ``fresh``, 32 bytes that the caller took from the operating system;
received bytes enter through ``Group.decode``, ``decode_cards`` and the ``verify_*`` functions, which raise
``Malformed`` or ``ProofRejected``. Nothing here imports another part of the program.
``docs/protocol_proofs.md`` is the specification.
"""

from .cards import Card, Ciphertext, combined, decode_cards, encode_cards, trivial
from .claims import Branch, at_most, claim_proof_size, holds, lacks, prove_claim, verify_claim
from .commitments import check_commitment, commit
from .escrow import (
    Receiver,
    SealedShare,
    complaint_size,
    is_justified,
    open_share,
    prove_complaint,
    prove_escrow,
    read_share,
    seal_share,
    sealed_share_size,
    verify_escrow,
)
from .group import (
    SCALAR_SIZE,
    Group,
    Malformed,
    Point,
    ProofRejected,
    attribute_point,
    decode_scalar,
    encode_scalar,
    generator,
)
from .handover import hand_over_proof_size, prove_hand_over, verify_hand_over
from .hashing import Header, Xof, digest
from .keys import prove_key, public_key, verify_key
from .shares import prove_shares, share_proof_size, verify_shares
from .shuffle import (
    ShuffleWitness,
    joint_witness,
    mix_witness,
    prove_shuffle,
    shuffle,
    shuffle_proof_size,
    verify_shuffle,
)

__all__ = [
    "SCALAR_SIZE",
    "Branch",
    "Card",
    "Ciphertext",
    "Group",
    "Header",
    "Malformed",
    "Point",
    "ProofRejected",
    "Receiver",
    "SealedShare",
    "ShuffleWitness",
    "Xof",
    "at_most",
    "attribute_point",
    "check_commitment",
    "claim_proof_size",
    "combined",
    "commit",
    "complaint_size",
    "decode_cards",
    "decode_scalar",
    "digest",
    "encode_cards",
    "encode_scalar",
    "generator",
    "hand_over_proof_size",
    "holds",
    "is_justified",
    "joint_witness",
    "lacks",
    "mix_witness",
    "open_share",
    "prove_claim",
    "prove_complaint",
    "prove_escrow",
    "prove_hand_over",
    "prove_key",
    "prove_shares",
    "prove_shuffle",
    "public_key",
    "read_share",
    "seal_share",
    "sealed_share_size",
    "share_proof_size",
    "shuffle",
    "shuffle_proof_size",
    "trivial",
    "verify_claim",
    "verify_escrow",
    "verify_hand_over",
    "verify_key",
    "verify_shares",
    "verify_shuffle",
]
