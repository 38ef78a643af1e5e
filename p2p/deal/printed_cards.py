"""A printed card as all seats see it, and its opening as the seat that may see it reads it.

The table's machine commits to a face, one salted commitment for each attribute, and seals the opening to one
seat: E = rG with a proof that it knows r, and the opening under a keystream of K = rW = wE. The opening is 32
bytes, from which all salts follow, and the number of the face.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.cards import Deck, Face
from engine.table import Partial, Zone

from ..log.codec import Malformed
from ..sealed import SCALAR_SIZE, Group, Point, ProofRejected, Xof, digest, prove_key, verify_key
from ..sealed.hashing import equal, integer
from .base import Place
from .hidden import COMMITMENT_SIZE, SALT_SIZE, Origin

INDEX_SIZE = 2
"""Bytes of the number of a face, or of a value among those of its attribute, big-endian."""

OPENING_SIZE = SALT_SIZE + INDEX_SIZE
"""Bytes of a sealed opening: the card's secret and the number of its face."""

PROOF_SIZE = 2 * SCALAR_SIZE
"""Bytes of the proof that r is known: a challenge and a response."""


class Opening(NamedTuple):
    """What opens a card: the secret that its salts follow from, and the number of its face."""

    secret: bytes
    number: int

    def encode(self) -> bytes:
        """34 bytes."""
        return self.secret + self.number.to_bytes(INDEX_SIZE, "big")

    @classmethod
    def decode(cls, data: bytes) -> Opening:
        """The opening in 34 bytes; its number may be that of no face."""
        return cls(data[:SALT_SIZE], int.from_bytes(data[SALT_SIZE:], "big"))

    def salt(self, at: int) -> bytes:
        """The salt of one attribute's commitment. Says nothing of the others."""
        return digest("printed/salt", self.secret, integer(at))


class Scan(NamedTuple):
    """A committed face: where it was committed to, the commitments, and the opening sealed to seat ``to``.

    ``sealing`` is where that seal stands: a card handed over is the same card, sealed to another seat.
    """

    origin: Origin
    commitments: tuple[bytes, ...]
    first: Point
    sealed: bytes
    to: int
    sealing: Origin

    @property
    def step(self) -> int:
        """The step of the seal."""
        return self.sealing.step


class Card(NamedTuple):
    """One card of the table. ``pools`` are the first zones that it may come from, ``values`` what is public
    of it. ``scan`` is ``None`` while nobody has scanned it since it was last in a pack."""

    pools: tuple[Zone, ...]
    values: Partial
    scan: Scan | None = None

    @property
    def is_public(self) -> bool:
        """Whether all can see the face."""
        return None not in self.values

    @property
    def face(self) -> Face:
        """The face of a public card."""
        return tuple(value or "" for value in self.values)

    @property
    def is_unseen(self) -> bool:
        """Whether it lies face down and unscanned."""
        return self.scan is None and not self.is_public

    def with_values(self, values: Partial) -> Card:
        """The card with more of it public."""
        return self._replace(values=tuple(old or new for old, new in zip(self.values, values, strict=True)))

    def hidden(self, places: Sequence[int]) -> tuple[int, ...]:
        """Those of ``places`` whose value is not public."""
        return tuple(at for at in places if self.values[at] is None)


# --- sealing ------------------------------------------------------------------------------------------------


def secrets_of(group: Group, seed: bytes, origin: Origin) -> tuple[int, bytes]:
    """r and the card's secret, from the seed of the table's machine alone."""
    stream = origin.stream(seed)
    return stream.scalar(group.order), stream.read(SALT_SIZE)


def commitment_to(origin: Origin, salt: bytes, at: int, value: str) -> bytes:
    """The commitment to the value of one attribute."""
    return origin.commit(salt, integer(at) + value.encode())


def purpose_for(seat: int) -> str:
    """The purpose of the proof of r: it names the seat that may read the opening."""
    return f"scan/{seat}"


def seal(
    group: Group, deck: Deck, place: Place, seed: bytes, face: Face, to: int, key: Point, fresh: bytes
) -> tuple[bytes, Scan]:
    """A face committed to and sealed to the seat ``to``, whose payload key is ``key``: bytes, and what they
    say."""
    origin = place.origin("card")
    r, secret = secrets_of(group, seed, origin)
    opening = Opening(secret, deck.index(face))
    commitments = tuple(commitment_to(origin, opening.salt(at), at, value) for at, value in enumerate(face))
    body, first, sealed = _sealed(group, place, origin, r, opening, to, key, fresh)
    return b"".join((*commitments, body)), Scan(origin, commitments, first, sealed, to, origin)


def seal_again(
    group: Group, place: Place, seed: bytes, scan: Scan, opening: Opening, to: int, key: Point, fresh: bytes
) -> tuple[bytes, Scan]:
    """The opening of a card that is committed to already, sealed to another seat."""
    sealing = place.origin("seal")
    r, _ = secrets_of(group, seed, sealing)
    body, first, sealed = _sealed(group, place, sealing, r, opening, to, key, fresh)
    return body, scan._replace(first=first, sealed=sealed, to=to, sealing=sealing)


def _sealed(
    group: Group, place: Place, sealing: Origin, r: int, opening: Opening, to: int, key: Point, fresh: bytes
) -> tuple[bytes, Point, bytes]:
    proof = prove_key(group, place.header(purpose_for(to)), r, fresh)
    first = group.mul_base(r)
    sealed = masked(sealing, to, first, group.mul(r, key), opening.encode())
    return first + proof + sealed, first, sealed


def card_size(group: Group, deck: Deck) -> int:
    """Bytes of one committed and sealed card."""
    return COMMITMENT_SIZE * len(deck.attributes) + seal_size(group)


def seal_size(group: Group) -> int:
    """Bytes of the seal alone."""
    return group.point_size + PROOF_SIZE + OPENING_SIZE


def unseal(group: Group, deck: Deck, place: Place, data: bytes, to: int) -> Scan:
    """A card from its bytes, the proof of r verified. Raises ``Malformed`` or ``ProofRejected``."""
    origin = place.origin("card")
    middle = COMMITMENT_SIZE * len(deck.attributes)
    commitments = tuple(data[at : at + COMMITMENT_SIZE] for at in range(0, middle, COMMITMENT_SIZE))
    first, sealed = _unsealed(group, place, data[middle:], to)
    return Scan(origin, commitments, first, sealed, to, origin)


def unseal_again(group: Group, place: Place, data: bytes, scan: Scan, to: int) -> Scan:
    """A card that is committed to already under its new seal. Raises ``Malformed`` or ``ProofRejected``."""
    sealing = place.origin("seal")
    first, sealed = _unsealed(group, place, data, to)
    return scan._replace(first=first, sealed=sealed, to=to, sealing=sealing)


def _unsealed(group: Group, place: Place, data: bytes, to: int) -> tuple[Point, bytes]:
    end = group.point_size
    first, proof = group.decode(data[:end]), data[end : end + PROOF_SIZE]
    verify_key(group, place.header(purpose_for(to)), first, proof)
    return first, data[end + PROOF_SIZE :]


def masked(sealing: Origin, to: int, first: Point, shared: Point, data: bytes) -> bytes:
    """An opening under its keystream, or the opening again. ``shared`` is K."""
    stream = Xof("printed/keystream", *sealing.parts(), integer(to), first, shared)
    return bytes(x ^ y for x, y in zip(data, stream.read(len(data)), strict=True))


def read(group: Group, scan: Scan, shared: Point) -> Opening:
    """The opening of a card for whoever knows K. It need not be a true one."""
    return Opening.decode(masked(scan.sealing, scan.to, scan.first, shared, scan.sealed))


def face_of(deck: Deck, scan: Scan, opening: Opening) -> Face | None:
    """The face that an opening gives; ``None`` where it does not open the commitments."""
    if opening.number >= len(deck.faces):
        return None
    face = deck.faces[opening.number]
    given = zip(scan.commitments, face, strict=True)
    fits = [
        equal(commitment, commitment_to(scan.origin, opening.salt(at), at, value))
        for at, (commitment, value) in enumerate(given)
    ]
    return face if all(fits) else None


# --- showing single attributes ------------------------------------------------------------------------------

SHOWN_SIZE = INDEX_SIZE + SALT_SIZE
"""Bytes that open one attribute: the number of its value, and the salt."""


def show(deck: Deck, opening: Opening, at: int) -> bytes:
    """What opens one attribute of a card."""
    value = deck.faces[opening.number][at]
    number = deck.attributes[at].values.index(value)
    return number.to_bytes(INDEX_SIZE, "big") + opening.salt(at)


def shown(deck: Deck, scan: Scan, at: int, data: bytes) -> str:
    """The value that is opened. Raises ``Malformed`` or ``ProofRejected``."""
    number, salt = int.from_bytes(data[:INDEX_SIZE], "big"), data[INDEX_SIZE:]
    values = deck.attributes[at].values
    if number >= len(values):
        raise Malformed("an opening names a value that no card has")
    if not equal(scan.commitments[at], commitment_to(scan.origin, salt, at, values[number])):
        raise ProofRejected("opening", "the opening of a card does not fit its commitment")
    return values[number]
