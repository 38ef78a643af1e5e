"""The messages of a setup (``setup``), with those of the waiting room (``room``), and their sizes."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from ..log.charter import DEFAULT_GRACE, DEFAULT_WATCHERS, MAX_NAME, MAX_SEATS, PRINTED, SEALED
from ..log.codec import Malformed, decode, encode
from .room import Marks, Ready, Said, Say, is_well_formed
from .terms import Terms

MAX_ADDRESSES = 8
"""Addresses a seat may list: a machine with more than eight usable ones is no player's machine."""

MAX_ADDRESS = 64
"""Characters of an address: the longest IPv6 address in brackets and its port have 47. So the addresses of a
whole table fit into the frame of its charter, whatever a guest lists."""

MAX_REASON = 300
"""Characters of a refusal: one sentence."""


class Join(msgspec.Struct, frozen=True, array_like=True, tag="join", forbid_unknown_fields=True):
    """A guest applies: its name, the commitment to its nonce, and where it can be reached."""

    name: str
    commitment: bytes
    addresses: tuple[str, ...]


class JoinWithDeck(Join, frozen=True, array_like=True, tag="join with deck", forbid_unknown_fields=True):
    """The same for a guest that plays with one deck only: its digest, 32 bytes. So a host can say no before
    it seats a guest that would leave again when it reads the roster."""

    deck: bytes


class Seated(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One line of the roster."""

    public: bytes
    name: str
    is_bot: bool


class Roster(msgspec.Struct, frozen=True, array_like=True, tag="roster", forbid_unknown_fields=True):
    """What is going to be played and who sits so far; the other fields are those of ``Terms``. All are sent,
    the usual ones, too."""

    game: str
    options: tuple[tuple[str, str], ...]
    seats: int
    taken: tuple[Seated, ...]
    reveal: str = "end"
    recovery: bool | None = None
    grace: int = DEFAULT_GRACE
    watchers: str = DEFAULT_WATCHERS

    @property
    def dealing(self) -> str:
        """How the cards will be dealt, as in the charter."""
        return SEALED

    @property
    def scanner(self) -> int | None:
        """The seat whose machine will scan the printed cards; ``None`` where there are none."""
        return None

    @property
    def terms(self) -> Terms:
        """All that is said of the table but who sits there."""
        fields = (self.reveal, self.recovery, self.grace, self.watchers, self.scanner)
        return Terms(self.game, self.options, self.seats, *fields)


class PrintedRoster(Roster, frozen=True, array_like=True, tag="printed roster", forbid_unknown_fields=True):
    """The roster of a table with a printed deck. Has a tag of its own: an older program sits down at no such
    table."""

    dealing: str = PRINTED
    scanner: int = 0


class Refused(msgspec.Struct, frozen=True, array_like=True, tag="refused", forbid_unknown_fields=True):
    """The host does not seat this guest; the reason is one sentence."""

    reason: str


class Proposal(msgspec.Struct, frozen=True, array_like=True, tag="proposal", forbid_unknown_fields=True):
    """The charter without its nonces (encoded, with none), and every seat's commitment to its own."""

    charter: bytes
    commitments: tuple[bytes, ...]


class Opening(msgspec.Struct, frozen=True, array_like=True, tag="nonce", forbid_unknown_fields=True):
    """A guest opens its nonce."""

    nonce: bytes


class Agreement(msgspec.Struct, frozen=True, array_like=True, tag="charter", forbid_unknown_fields=True):
    """The whole charter, and where each seat can be reached."""

    charter: bytes
    addresses: tuple[tuple[str, ...], ...]


class Lacks(msgspec.Struct, frozen=True, array_like=True, tag="lacks charter", forbid_unknown_fields=True):
    """A guest that has opened its nonce asks a seat that plays already for the charter, which the host has
    kept back, and gets ``Agreement``."""


LACKS = encode(Lacks())

SetupMessage: TypeAlias = (
    Join
    | JoinWithDeck
    | Roster
    | PrintedRoster
    | Refused
    | Proposal
    | Opening
    | Agreement
    | Ready
    | Marks
    | Say
    | Said
)


def decode_setup(data: bytes) -> SetupMessage:
    """One message of the setup. Raises ``Malformed``."""
    message: SetupMessage = decode(data, SetupMessage)  # type: ignore[arg-type]  # a union is a type to msgspec
    if isinstance(message, Join) and (
        len(message.commitment) != 32
        or not 0 < len(message.name.encode()) <= MAX_NAME
        or not _are_short(message.addresses)
        or (isinstance(message, JoinWithDeck) and len(message.deck) != 32)
    ):
        raise Malformed("an application has the wrong sizes")
    if isinstance(message, Roster) and not (
        1 <= len(message.taken) <= MAX_SEATS and len(message.taken) <= message.seats <= MAX_SEATS
    ):
        raise Malformed(f"a roster lists the host first, and at most {MAX_SEATS} seats")
    if isinstance(message, Roster) and not _has_terms(message):
        raise Malformed("a roster says what no charter can hold")
    if isinstance(message, Refused) and not 0 < len(message.reason) <= MAX_REASON:
        raise Malformed(f"a refusal has 1 to {MAX_REASON} characters")
    if isinstance(message, Agreement) and not all(map(_are_short, message.addresses)):
        raise Malformed(f"a seat lists at most {MAX_ADDRESSES} addresses of {MAX_ADDRESS} characters")
    if isinstance(message, Ready | Marks | Say | Said) and not is_well_formed(message, MAX_SEATS):
        raise Malformed("what is told in the waiting room has the wrong sizes")
    return message


def _are_short(addresses: tuple[str, ...]) -> bool:
    return len(addresses) <= MAX_ADDRESSES and all(len(each) <= MAX_ADDRESS for each in addresses)


def _has_terms(roster: Roster) -> bool:
    """Whether the terms can be, and whether the machine that scans printed cards sits there already: a guest
    is told whose it is."""
    is_seated = roster.scanner is None or 0 <= roster.scanner < len(roster.taken)
    dealing = SEALED if roster.scanner is None else PRINTED
    return roster.terms.are_possible and is_seated and roster.dealing == dealing
