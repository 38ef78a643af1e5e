"""Judging a whole deal of printed cards, once the seed of the table's machine is known.

From the seed follow all r and all salts, so that anybody can see, in the order in which it happened: that
each sealed opening is that of the commitment, so that each seat was told the truth; that no card came twice;
that none was swapped when a hand was mixed, and that a mix has the order that the seed gives; and that all
that was said of hidden cards is so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from engine.cards import Face

from .base import PeerFault
from .printed_cards import Card, Scan, face_of, read, secrets_of
from .printed_claims import is_true, lie_of
from .printed_values import Batch, Said

if TYPE_CHECKING:
    from .printed import Printed


def audit(dealing: Printed, seed: bytes) -> None:
    """Raises ``PeerFault`` with seat and step for the first thing that is not as it should be."""
    auditor = _Auditor(dealing, seed)
    for each in dealing.ledger:
        if isinstance(each, Said):
            auditor.judge(each)
        else:
            auditor.follow(each)


class _Auditor:
    def __init__(self, dealing: Printed, seed: bytes) -> None:
        self._dealing, self._seed = dealing, seed
        self._faces: dict[Scan, Face] = {}
        self._live: Counter[Face] = Counter()
        deck = dealing.deck
        self._deck = Counter(deck.faces[card] for card in deck.cards)

    def follow(self, batch: Batch) -> None:
        """One contribution of the table's machine, or a shuffle."""
        if batch.kind == "shuffle":
            self._live.subtract(self._face(card) for card in batch.before if not card.is_unseen)
            return
        for card in batch.after:
            if card.scan is not None:
                self._open(card, card.scan, batch.step)
        faces = [self._face(card) for card in batch.after]
        before = [None if card.is_unseen else self._face(card) for card in batch.before]
        match batch.kind:
            case "scan":
                self._scanned(batch, before, faces)
            case "mix":
                self._mixed(batch, before, faces)

    def _scanned(self, batch: Batch, before: Sequence[Face | None], faces: Sequence[Face]) -> None:
        for old, face in zip(before, faces, strict=True):
            if old is None:
                self._live[face] += 1
                if self._live[face] > self._deck[face]:
                    self._convict(batch.step, "scanned a card that is in play already")

    def _mixed(self, batch: Batch, before: Sequence[Face | None], faces: Sequence[Face]) -> None:
        assert batch.origin is not None
        if Counter(before) != Counter(faces):
            self._convict(batch.step, "swapped a card while it mixed a hand")
        order = batch.origin.stream(self._seed).permutation(len(before))
        if [before[at] for at in order] != list(faces):
            self._convict(batch.step, "mixed a hand in an order of its own choice")

    def judge(self, said: Said) -> None:
        """What a seat said of its cards."""
        cards = said.cards
        for claim in said.claims:
            if not is_true(claim, said.position, self._dealing.deck, lambda slot: self._face(cards[slot])):
                raise lie_of(said, claim)

    def _open(self, card: Card, scan: Scan, step: int) -> None:
        """What a seat was told is what was committed to, and r is the one that the seed gives."""
        dealing, group = self._dealing, self._dealing.group
        r, _ = secrets_of(group, self._seed, scan.sealing)
        _, secret = secrets_of(group, self._seed, scan.origin)
        if scan.first != group.mul_base(r):
            self._convict(step, "sealed a card with another key than its seed gives")
        shared = group.mul(r, dealing.keys[scan.to].payload)
        told = read(group, scan, shared)
        face = face_of(dealing.deck, scan, told)
        if face is None:
            self._convict(step, "told a seat another card than it had committed to")
        if told.secret != secret:
            self._convict(step, "committed to a card with another salt than its seed gives")
        if not dealing.may_be(card, face):
            self._convict(step, "scanned a card that is not in that pile")
        self._faces[scan] = face

    def _face(self, card: Card) -> Face:
        if card.is_public or card.scan is None:
            return card.face
        return self._faces[card.scan]

    def _convict(self, step: int, reason: str) -> NoReturn:
        raise PeerFault(self._dealing.scanner, reason, step)
