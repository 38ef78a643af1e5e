"""The charter: everything the seats agree on before the first step, and the table id that names it."""

from __future__ import annotations

import msgspec

from ..identity import BadPublicKey, check_public
from ..sealed.hashing import digest
from .codec import Malformed, decode, encode

PROTOCOL_VERSION = 1
"""Version of the whole protocol: charter, steps, proofs and file. Raised with any change of bytes."""

MAX_SEATS = 6
NONCE_SIZE = 32
SEALED = "sealed"
PRINTED = "printed"
"""How the cards are dealt: as ciphertexts that all seats shuffle, or from a printed deck that one seat
scans."""

MAX_NAME = 128
"""Bytes of a name in UTF-8: 32 characters of at most four bytes."""


class SeatInfo(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A seat: the identity that signs for it, its player's name, and the seat whose player keeps it.

    A keeper is one player with all the bots that player runs; ``keeper`` is the number of that player's
    first seat.
    """

    public: bytes
    name: str
    keeper: int


class Charter(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What is played, by whom, and with which parameters. Any change makes another table id."""

    protocol: int
    group: str
    game: str
    game_version: int
    deck_digest: bytes
    options: tuple[tuple[str, str], ...]
    seats: tuple[SeatInfo, ...]
    recovery: bool
    reveal: str
    nonces: tuple[bytes, ...]

    @property
    def dealing(self) -> str:
        """How the cards are dealt: ``SEALED``; ``PRINTED`` in a ``PrintedCharter``."""
        return SEALED

    @property
    def scanner(self) -> int | None:
        """The seat whose machine scans the printed cards; ``None`` where there are none."""
        return None

    @property
    def table_id(self) -> bytes:
        """32 bytes that name this table: the hash of the whole charter."""
        return digest("charter", encode(self))

    def seat_of(self, public: bytes) -> int | None:
        """The seat that ``public`` signs for, or ``None``."""
        for number, seat in enumerate(self.seats):
            if seat.public == public:
                return number
        return None


class PrintedCharter(Charter, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The charter of a table with a printed deck: two fields more, so that a sealed one keeps its bytes.

    ``dealing`` is ``PRINTED``; ``scanner`` the seat of the table's machine, which sees every face.
    """

    dealing: str
    scanner: int


_PRINTED_FIELDS = b"\x9c"
"""The first byte of an array of twelve fields; a sealed charter has ten."""


def decode_charter(data: bytes) -> Charter:
    """A charter from its bytes, with every structural rule checked. Raises ``Malformed``."""
    charter = decode(data, PrintedCharter if data[:1] == _PRINTED_FIELDS else Charter)
    count = len(charter.seats)
    if charter.protocol != PROTOCOL_VERSION:
        raise Malformed(f"this table speaks protocol version {charter.protocol}, not {PROTOCOL_VERSION}")
    if not 2 <= count <= MAX_SEATS:
        raise Malformed(f"a charter names 2 to {MAX_SEATS} seats, not {count}")
    if len(charter.deck_digest) != 32:
        raise Malformed("the deck digest must be 32 bytes")
    if len(charter.nonces) != count or any(len(nonce) != NONCE_SIZE for nonce in charter.nonces):
        raise Malformed(f"each seat gives one nonce of {NONCE_SIZE} bytes")
    if charter.reveal not in ("end", "never"):
        raise Malformed("reveal is 'end' or 'never'")
    if isinstance(charter, PrintedCharter):
        _check_printed(charter)
    names = [name for name, _ in charter.options]
    if names != sorted(set(names)):
        raise Malformed("options are sorted by name, each once")
    if len({seat.public for seat in charter.seats}) != count:
        raise Malformed("one identity cannot hold two seats")
    if len({seat.name.casefold() for seat in charter.seats}) != count:
        raise Malformed("two seats cannot bear one name")
    for number, seat in enumerate(charter.seats):
        _check_seat(charter, number, seat)
    return charter


def _check_printed(charter: PrintedCharter) -> None:
    if charter.dealing != PRINTED:
        raise Malformed("cards are dealt 'sealed' or 'printed'")
    if not 0 <= charter.scanner < len(charter.seats):
        raise Malformed("the table's machine holds one of the seats")
    if charter.reveal != "end":
        raise Malformed("with printed cards everything is revealed at the end: set reveal to end")


def _check_seat(charter: Charter, number: int, seat: SeatInfo) -> None:
    try:
        check_public(seat.public)
    except BadPublicKey as error:
        raise Malformed(str(error)) from None
    if not seat.name or len(seat.name.encode()) > MAX_NAME:
        raise Malformed(f"the name of seat {number} is empty or too long")
    if not 0 <= seat.keeper <= number or charter.seats[seat.keeper].keeper != seat.keeper:
        raise Malformed(f"the keeper of seat {number} must be that player's first seat")
