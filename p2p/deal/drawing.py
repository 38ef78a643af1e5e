"""Shares for drawn cards: which are owed, which were given before, and the card once all are there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from engine.table import Slot

from ..sealed import Card, Ciphertext, Point

if TYPE_CHECKING:
    from .sealed import Sealed

Draws: TypeAlias = tuple[tuple[Slot, int], ...]


class Begun(NamedTuple):
    """A draw that waits for shares. ``shares`` are those given, by (seat, place of the attribute).

    The card keeps its addressee: with the shares that are published, nobody else could draw it unseen.
    """

    drawer: int
    shares: Mapping[tuple[int, int], Point]


def owed_places(dealing: Sealed, draws: Draws, seat: int) -> Iterator[tuple[Slot, int]]:
    """The hidden ciphertexts of which ``seat`` owes a share: slot and place of the attribute, in order.

    Raises ``ValueError`` if a card that waits for shares is drawn by another seat than before.
    """
    identity = dealing.group.identity
    for slot, drawer in draws:
        before = dealing.begun.get(slot)
        if before is not None and before.drawer != drawer:
            raise ValueError("a card for which shares were given keeps its addressee")
        if drawer == seat or drawer in dealing.gone:
            continue
        for at, cipher in enumerate(dealing.cards[slot]):
            if cipher.a != identity and (before is None or (seat, at) not in before.shares):
                yield slot, at


def with_shares(dealing: Sealed, draws: Draws, given: Mapping[int, tuple[Point, ...]]) -> dict[Slot, Begun]:
    """All draws under way once each seat of ``given`` has given the shares it owes for ``draws``."""
    shares: dict[Slot, dict[tuple[int, int], Point]] = {}
    for seat, own in given.items():
        for (slot, at), share in zip(owed_places(dealing, draws, seat), own, strict=True):
            shares.setdefault(slot, {})[seat, at] = share
    begun = dict(dealing.begun)
    for slot, drawer in draws:
        if slot in shares:
            before = begun[slot].shares if slot in begun else {}
            begun[slot] = Begun(drawer, {**before, **shares[slot]})
    return begun


def is_complete(dealing: Sealed, slot: Slot, drawer: int) -> bool:
    """Whether every other seat has given its shares of the card."""
    others = [seat for seat in dealing.there if seat != drawer]
    return not any(next(owed_places(dealing, ((slot, drawer),), seat), None) for seat in others)


def drawn_card(dealing: Sealed, slot: Slot, drawer: int) -> Card:
    """The card with every other seat's share taken off: what stays is masked by the drawer's key alone. One
    that was on its way to a seat that has left lies under the joint key.

    Raises ``ValueError`` while a share is missing.
    """
    if not is_complete(dealing, slot, drawer):
        raise ValueError("a drawn card lacks shares")
    group = dealing.group
    before = dealing.begun.get(slot)
    card = []
    for at, (a, b) in enumerate(dealing.cards[slot]):
        given = () if before is None else [share for (_, n), share in before.shares.items() if n == at]
        card.append(Ciphertext(a, group.sub(b, group.sum(given)) if given and a != group.identity else b))
    return tuple(card)
