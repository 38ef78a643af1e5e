"""Cards as ciphertexts: one ElGamal pair (rG, M + rY) per attribute."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from .group import Group, Malformed, Point


class Ciphertext(NamedTuple):
    """(A, B) = (rG, M + rY); public as (identity, M)."""

    a: Point
    b: Point


Card: TypeAlias = tuple[Ciphertext, ...]
"""One ciphertext per attribute, in the deck's order of attributes."""


def trivial(group: Group, message: Point) -> Ciphertext:
    """The ciphertext of a public value: derived by all, never sent."""
    return Ciphertext(group.identity, message)


def combined(group: Group, card: Card) -> Ciphertext:
    """The sum over the attributes of a card: a ciphertext of the sum that stands for its face."""
    return Ciphertext(group.sum([c.a for c in card]), group.sum([c.b for c in card]))


def ciphertext_bytes(ciphertexts: Iterable[Ciphertext]) -> bytes:
    """The pairs one after another, as they travel and as they are hashed."""
    return b"".join(c.a + c.b for c in ciphertexts)


def encode_cards(cards: Sequence[Card]) -> bytes:
    """Cards as they travel and as they are hashed: all pairs of the first card, then of the second, ..."""
    return b"".join(ciphertext_bytes(card) for card in cards)


def decode_cards(group: Group, data: bytes, count: int, attributes: int) -> tuple[Card, ...]:
    """``count`` received cards. Raises ``Malformed``, also for an unmasked first component."""
    size = group.point_size
    expected = 2 * size * count * attributes
    if len(data) != expected:
        raise Malformed(f"{count} cards have {expected} bytes, not {len(data)}")
    found = [
        Ciphertext(
            group.decode(data[at : at + size]),
            group.decode(data[at + size : at + 2 * size], allow_identity=True),
        )
        for at in range(0, expected, 2 * size)
    ]
    return tuple(tuple(found[at : at + attributes]) for at in range(0, count * attributes, attributes))
