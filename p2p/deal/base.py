"""How an operation becomes rounds of owed contributions, and back: what every way of dealing offers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeAlias

import msgspec

from engine.cards import Face
from engine.match import Position
from engine.table import Deed, Op, Result, Slot

from ..log.charter import PROTOCOL_VERSION
from ..sealed import Header, Point, Xof
from .hidden import Origin


class Setup(msgspec.Struct, frozen=True):
    """Before the game: every seat publishes its keys and commits to its seed."""


class Escrow(msgspec.Struct, frozen=True):
    """Every seat splits its card key among the other keepers, which then say that their shares open."""


class Recover(msgspec.Struct, frozen=True):
    """After a keeper has left with its ``seats``: the others take its layers off all cards."""

    seats: tuple[int, ...]


class Close(msgspec.Struct, frozen=True):
    """After the game: every seat signs the outcome."""


class Reveal(msgspec.Struct, frozen=True):
    """After the close: every seat opens its seed and its card key, so that a stranger can recompute all."""


Task: TypeAlias = Op | Setup | Escrow | Recover | Close | Reveal
"""What the seats are busy with: an operation of the game, or one of those around it."""


class Decision(NamedTuple):
    """A seat's decision: its deed, and the cards that it opens."""

    deed: Deed
    faces: Mapping[Slot, Face]


class Keys(msgspec.Struct, frozen=True):
    """What a seat publishes before the game: its card key, its payload key, and the commitment to its
    seed."""

    card: Point
    payload: Point
    seed: bytes


COIN_SIZE = 32
"""Bytes of a seat's value, and of its salt, in a joint random number."""


class Round(NamedTuple):
    """Seats that owe a contribution, all at once, and its kind (a word for progress displays)."""

    seats: tuple[int, ...]
    kind: str


class PeerFault(Exception):
    """A contribution that the protocol rejects; everyone who holds it can see the same.

    Blames its author, or with printed cards whoever the contribution shows to have lied at ``step``, an
    earlier one.
    """

    def __init__(self, seat: int, reason: str, step: int | None = None) -> None:
        super().__init__(f"seat {seat}: {reason}")
        self.seat = seat
        self.reason = reason
        self.step = step


@dataclass(slots=True)
class Place:
    """Where a contribution stands. Hands out the headers of its proofs and the origins of its commitments to
    a later round, each with its own index."""

    table_id: bytes
    epoch: int
    step: int
    seat: int
    head: bytes
    index: int = 0

    def header(self, purpose: str) -> Header:
        """The header of the next proof in this contribution."""
        index = self.index
        self.index += 1
        return Header(
            PROTOCOL_VERSION, self.table_id, self.epoch, self.step, self.seat, purpose, index, self.head
        )

    def origin(self, purpose: str) -> Origin:
        """Where the next commitment to a later round of this contribution stands."""
        index = self.index
        self.index += 1
        return Origin(self.table_id, self.epoch, self.step, self.seat, purpose, index)


class Secrets:
    """One seat's secrets for one game, all derived from 32 bytes of the operating system's randomness.

    ``card_key`` opens the seat's cards and, with ``seed``, is revealed after the close; ``payload_key``
    never is.
    """

    __slots__ = ("card_key", "payload_key", "root", "seed")

    def __init__(self, root: bytes, order: int) -> None:
        if len(root) != 32:
            raise ValueError("a game's secret has 32 bytes")
        self.root = root
        self.card_key = Xof("secret/card-key", root).scalar(order)
        self.payload_key = Xof("secret/payload-key", root).scalar(order)
        self.seed = Xof("secret/seed", root).read(32)

    def __repr__(self) -> str:
        return "Secrets(hidden)"


Checked: TypeAlias = Any
"""What ``check`` found in one seat's round, opaque to all but the dealing that made it."""


class Dealing(Protocol):
    """One way of dealing: sealed or printed. Immutable: ``fold`` and ``finish`` give the next value."""

    def rounds(self, task: Task, position: Position) -> tuple[Round, ...]:
        """The rounds of ``task``, in order. None for what needs no contribution."""

    def prepare(
        self,
        task: Task,
        number: int,
        position: Position,
        place: Place,
        secrets: Secrets,
        deed: Deed | None,
        fresh: bytes,
        marks: int = 0,
        faces: tuple[Face, ...] = (),
    ) -> tuple[bytes, Checked]:
        """This seat's contribution to round ``number``, and what ``check`` would find in it.

        ``fresh`` is 32 bytes of new randomness. Both rounds of a ``Tick`` need the same ``deed``, which the
        caller therefore stores along with the commitment; salts and hidden positions are derived. ``marks``
        counts in the second round of a ``Tick`` only: bit j is set if the commitment of seat j came more
        than one tick after this seat's own. Bits of seats that cannot be marked are left out by themselves.
        ``faces`` are printed cards that were tapped (see ``wanted``). What is found is a ``PeerFault`` where
        the contribution shows one of another seat.
        """

    def check(self, task: Task, number: int, position: Position, place: Place, body: bytes) -> Checked:
        """What another seat's contribution says, every proof verified. Raises ``PeerFault``."""

    def fold(self, task: Task, number: int, position: Position, checked: Mapping[int, Checked]) -> Dealing:
        """The dealing after round ``number``, with every owing seat's checked contribution.

        In a ``Tick`` seats may be missing from ``checked``, even all of them: they are absent.
        """

    def finish(self, task: Task, position: Position) -> tuple[Result, Dealing]:
        """The public result of ``task`` after its last round, and the dealing ready for the next."""

    def own_hand(self, position: Position, seat: int, secrets: Secrets) -> dict[Slot, Face]:
        """The faces of a seat's own hand."""

    def wanted(self, task: Task | None) -> tuple[tuple[Slot, int], ...]:
        """Printed cards that a person has to tap for ``task``, in order, each with the seat that may see it,
        -1 for all."""

    def is_from_seed(
        self, task: Op, number: int, position: Position, place: Place, found: Any, seed: bytes
    ) -> bool:
        """Whether a round of a ``Coin`` or ``Shuffle`` is what the seed of its seat gives."""
