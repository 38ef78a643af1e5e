"""Who a player is: an Ed25519 key, what it signs, and how people read it."""

from .keys import (
    PUBLIC_SIZE,
    SEED_SIZE,
    SIGNATURE_SIZE,
    BadPublicKey,
    Identity,
    check_public,
    fingerprint,
    verify,
)
from .words import parse_words, words

__all__ = [
    "PUBLIC_SIZE",
    "SEED_SIZE",
    "SIGNATURE_SIZE",
    "BadPublicKey",
    "Identity",
    "check_public",
    "fingerprint",
    "parse_words",
    "verify",
    "words",
]
