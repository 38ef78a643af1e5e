"""The charter: everything the seats agree on before the first step, and the table id that names it."""

from __future__ import annotations

import msgspec

from ..identity import BadPublicKey, check_public
from ..sealed.hashing import digest
from .codec import Malformed, decode, encode

PROTOCOL_VERSION = 1
"""Version of the whole protocol: charter, steps, proofs and file. Raised with any change of bytes."""

MAX_SEATS = 6
"""Seats of a table: what the rules of the games are made for."""

NONCE_SIZE = 32
"""Bytes of a seat's nonce: random ones, so that nobody guesses it from its commitment."""

DEFAULT_GRACE = 120
"""Seconds that a keeper may be away before the others may certify that it has left: enough to start a machine
anew."""

LEAST_GRACE, MOST_GRACE = 10, 7 * 24 * 3600
"""Bounds of a table's own choice: a router takes ten seconds to find a link again; a week is for good."""

LEAST_FOR_RECOVERY = 3
"""Keepers from which keys may be put in escrow: of two, each would hold the whole key of the other."""

SEALED = "sealed"
PRINTED = "printed"
"""How the cards are dealt: as ciphertexts that all seats shuffle, or from a printed deck that one seat
scans."""

NOBODY_WATCHES, ACQUAINTED, ANYBODY = "none", "known", "any"
WATCHERS = (NOBODY_WATCHES, ACQUAINTED, ANYBODY)
"""Who may watch a game: nobody, whoever the player has met whose program is asked, or everybody. Watching
shows what a record holds at that moment and nothing else."""

DEFAULT_WATCHERS = ACQUAINTED
"""So that a friend need not be let in, and a stranger on the network sees nothing unless the host says so."""

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
    def grace(self) -> int:
        """Seconds that a keeper may be away before the others may certify that it has left."""
        return DEFAULT_GRACE

    @property
    def watchers(self) -> str:
        """Who may watch, one of ``WATCHERS``."""
        return DEFAULT_WATCHERS

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


class GraceCharter(Charter, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The charter of a table with another grace time than ``DEFAULT_GRACE``: one field more."""

    seconds: int

    @property
    def grace(self) -> int:
        """Seconds that a keeper may be away before the others may certify that it has left."""
        return self.seconds


class WatchedCharter(Charter, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The charter of a table that says who may watch, where that is not ``DEFAULT_WATCHERS``, and of one with
    printed cards and a grace time of its own: three fields more.

    ``seconds`` is the grace time; ``scanned_by`` the seat of the table's machine with printed cards, nothing
    with sealed ones; ``watched_by`` one of ``WATCHERS``.
    """

    seconds: int
    scanned_by: int | None
    watched_by: str

    @property
    def grace(self) -> int:
        """Seconds that a keeper may be away before the others may certify that it has left."""
        return self.seconds

    @property
    def dealing(self) -> str:
        """How the cards are dealt."""
        return SEALED if self.scanned_by is None else PRINTED

    @property
    def scanner(self) -> int | None:
        """The seat whose machine scans the printed cards; ``None`` where there are none."""
        return self.scanned_by

    @property
    def watchers(self) -> str:
        """Who may watch, one of ``WATCHERS``."""
        return self.watched_by


_KINDS: dict[bytes, type[Charter]] = {
    b"\x9b": GraceCharter, b"\x9c": PrintedCharter, b"\x9d": WatchedCharter,
}  # fmt: skip
"""The kinds of charters with more than ten fields, by their first byte: that of an array of so many."""


def decode_charter(data: bytes) -> Charter:
    """A charter from its bytes, with every structural rule checked. Raises ``Malformed``."""
    charter = _decode(data)
    if len(charter.nonces) != len(charter.seats) or any(len(nonce) != NONCE_SIZE for nonce in charter.nonces):
        raise Malformed(f"each seat gives one nonce of {NONCE_SIZE} bytes")
    return charter


def decode_draft(data: bytes) -> Charter:
    """The same for the charter of a proposal, which has no nonces yet. Raises ``Malformed``."""
    charter = _decode(data)
    if charter.nonces:
        raise Malformed("a proposal has no nonces yet")
    return charter


def _decode(data: bytes) -> Charter:
    charter = decode(data, _KINDS.get(data[:1], Charter))
    count = len(charter.seats)
    if charter.protocol != PROTOCOL_VERSION:
        raise Malformed(f"this table speaks protocol version {charter.protocol}, not {PROTOCOL_VERSION}")
    if not 2 <= count <= MAX_SEATS:
        raise Malformed(f"a charter names 2 to {MAX_SEATS} seats, not {count}")
    if len(charter.deck_digest) != 32:
        raise Malformed("the deck digest must be 32 bytes")
    if charter.reveal not in ("end", "never"):
        raise Malformed("reveal is 'end' or 'never'")
    if charter.scanner is not None:
        _check_printed(charter, charter.scanner)
    if charter.recovery:
        _check_recovery(charter)
    if isinstance(charter, GraceCharter) and not _is_own_grace(charter.seconds):
        raise Malformed(f"a table's own grace time is {LEAST_GRACE} to {MOST_GRACE} seconds")
    if isinstance(charter, WatchedCharter):
        _check_watched(charter)
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


def _check_recovery(charter: Charter) -> None:
    if charter.dealing != SEALED:
        raise Malformed("with printed cards no keys are put in escrow: set recovery to off")
    if len({seat.keeper for seat in charter.seats}) < LEAST_FOR_RECOVERY:
        raise Malformed("recovery needs three players or more: of two, one would hold all of the other's key")


def _is_own_grace(seconds: int) -> bool:
    return LEAST_GRACE <= seconds <= MOST_GRACE and seconds != DEFAULT_GRACE


def _check_watched(charter: WatchedCharter) -> None:
    is_usual = charter.seconds == DEFAULT_GRACE
    has_shorter_form = is_usual or charter.scanned_by is None  # where those watch who usually may
    if charter.watched_by not in WATCHERS or (charter.watched_by == DEFAULT_WATCHERS and has_shorter_form):
        raise Malformed("a table of its own kind is watched by 'none' or 'any'")
    if not is_usual and not _is_own_grace(charter.seconds):
        raise Malformed(f"a table's own grace time is {LEAST_GRACE} to {MOST_GRACE} seconds")


def _check_printed(charter: Charter, scanner: int) -> None:
    if charter.dealing != PRINTED:
        raise Malformed("cards are dealt 'sealed' or 'printed'")
    if not 0 <= scanner < len(charter.seats):
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
