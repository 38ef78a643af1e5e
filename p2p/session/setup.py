"""Before the first step: who sits at the table, and a charter with a fresh nonce of every seat. No I/O.

The host lists the seats and proposes; each seat commits to a nonce when it applies, sees all commitments in
the proposal, and only then opens its own. So nobody, the host included, can steer the table id and the safety
words, and a seat plays only at a table whose charter holds its own fresh nonce.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from engine.contract import AnyRules

from ..log.charter import (
    DEFAULT_GRACE,
    DEFAULT_WATCHERS,
    LEAST_FOR_RECOVERY,
    LEAST_GRACE,
    MOST_GRACE,
    NONCE_SIZE,
    PRINTED,
    PROTOCOL_VERSION,
    WATCHERS,
    Charter,
    GraceCharter,
    PrintedCharter,
    SeatInfo,
    WatchedCharter,
    decode_charter,
    decode_draft,
)
from ..log.codec import encode
from ..sealed import Group
from ..sealed.hashing import digest
from .history import check_charter
from .setup_wire import (
    MAX_ADDRESSES,
    MAX_REASON,
    Agreement,
    Join,
    JoinWithDeck,
    Opening,
    PrintedRoster,
    Proposal,
    Refused,
    Roster,
    Seated,
    SetupMessage,
    decode_setup,
)
from .terms import USUALLY_RECOVERS, Terms

__all__ = [
    "MAX_ADDRESSES",
    "MAX_REASON",
    "USUALLY_RECOVERS",
    "Agreed",
    "Agreement",
    "GuestSetup",
    "HostSetup",
    "Join",
    "JoinWithDeck",
    "Opening",
    "PrintedRoster",
    "Proposal",
    "Refused",
    "Reopened",
    "Roster",
    "Seated",
    "SetupError",
    "SetupMessage",
    "Terms",
    "commit_nonce",
    "decode_setup",
]


class SetupError(Exception):
    """The table cannot be set up. The message is one sentence for a player."""


class Reopened(SetupError):
    """A seat spoilt the proposal, so the host opens its room once more: apply anew, with a fresh nonce. The
    message says what happened."""


def commit_nonce(public: bytes, nonce: bytes) -> bytes:
    """The commitment of the identity ``public`` to its nonce. Nonces are 32 random bytes, so no salt is
    needed."""
    return digest("nonce", public, nonce)


@dataclass(frozen=True, slots=True)
class Agreed:
    """A table all seats agree on: its charter, our seat, and the addresses of the others by seat."""

    charter: Charter
    seat: int
    addresses: Mapping[int, tuple[str, ...]]


@dataclass(slots=True)
class _Place:
    public: bytes
    name: str
    is_bot: bool
    commitment: bytes
    addresses: tuple[str, ...]
    nonce: bytes = field(default=b"", repr=False)


class HostSetup:
    """The host's side: a list of seats, then one proposal, then the charter."""

    def __init__(
        self,
        game: str,
        options: Mapping[str, str],
        seats: int,
        reveal: str,
        public: bytes,
        name: str,
        addresses: tuple[str, ...],
        nonce: bytes,
        scanner: int | None = None,
        recovery: bool | None = None,
        grace: int = DEFAULT_GRACE,
        watchers: str = DEFAULT_WATCHERS,
        order: Sequence[bytes] = (),
    ) -> None:
        """``scanner`` is the seat of the table's machine where a printed deck is dealt (see
        ``PrintedCharter``). ``recovery``: the game goes on after a departure; ``None`` leaves it to the
        number of players. ``grace`` are the seconds that a player may be away,
        ``watchers`` says who may watch. Guests sit in the order in which they come, behind those of
        ``order``, who sit in that one.

        Raises ``SetupError`` for what does not go together.
        """
        if scanner is not None and reveal != "end":
            raise SetupError("With printed cards everything is revealed at the end; set reveal to end.")
        if scanner is not None and recovery:
            raise SetupError("With printed cards a game ends when a player leaves: set no recovery.")
        if grace != DEFAULT_GRACE and not LEAST_GRACE <= grace <= MOST_GRACE:
            raise SetupError(f"The grace time is {LEAST_GRACE} to {MOST_GRACE} seconds.")
        if watchers not in WATCHERS:
            raise SetupError(f"Watchers are one of {', '.join(WATCHERS)}.")
        self._recovery, self._grace, self._watchers = recovery, grace, watchers
        self._order = {each: number for number, each in enumerate(order)}
        self.game = game
        self.options = tuple(sorted(options.items()))
        self.seats = seats
        self._reveal = reveal
        self._scanner = scanner
        self._charter: Charter | None = None
        self._places = [_Place(public, name, False, commit_nonce(public, nonce), addresses, nonce)]

    @property
    def is_full(self) -> bool:
        """Whether every seat is taken."""
        return len(self._places) >= self.seats

    @property
    def guests(self) -> tuple[bytes, ...]:
        """The identities of all seats but the host's."""
        return tuple(place.public for place in self._places[1:])

    @property
    def roster(self) -> Roster:
        """The roster as it is now."""
        taken = tuple(Seated(place.public, place.name, place.is_bot) for place in self._places)
        terms = (self._reveal, self._recovery, self._grace, self._watchers)
        if self._scanner is None:
            return Roster(self.game, self.options, self.seats, taken, *terms)
        return PrintedRoster(self.game, self.options, self.seats, taken, *terms, PRINTED, self._scanner)

    def refusal(self, public: bytes, join: Join) -> str | None:
        """Why this guest cannot be seated, or ``None``."""
        if self._charter is not None:
            return "The game at this table has started."
        if any(place.public == public for place in self._places):
            return "This player already has a seat here."
        if any(place.name.casefold() == join.name.casefold() for place in self._places):
            return f"The name {join.name} is taken at this table; join with --name and another one."
        if self.is_full:
            return "This table is full."
        return None

    def seat(self, public: bytes, join: Join, is_bot: bool) -> None:
        """Seat a guest that was not refused."""
        self._places.append(_Place(public, join.name, is_bot, join.commitment, join.addresses))
        host, *guests = self._places
        guests.sort(key=lambda place: self._order.get(place.public, len(self._order)))
        self._places = [host, *guests]

    def leave(self, public: bytes) -> bool:
        """A guest has gone; whether it had a seat. Raises ``SetupError`` after the proposal, which is for all
        who sat then: ``reopen`` takes it back."""
        if public not in self.guests:
            return False
        if self._charter is not None:
            names = self.names([public])
            raise SetupError(f"{names} left while the table was being set up.")
        self._places = [place for place in self._places if place.public != public]
        return True

    def names(self, publics: Collection[bytes]) -> str:
        """The names of some guests, in the order of their seats."""
        return ", ".join(place.name for place in self._places[1:] if place.public in publics)

    @property
    def unopened(self) -> frozenset[bytes]:
        """The guests who have not opened their nonces."""
        return frozenset(place.public for place in self._places[1:] if not place.nonce)

    def reopen(self, nonce: bytes) -> None:
        """Take the proposal back. All guests have to apply once more, as nonces that were opened are of no
        use again; ``nonce`` is the host's new one. They get their seats in the order in which they sat."""
        order = dict.fromkeys([*self.guests, *self._order])
        self._order = {each: number for number, each in enumerate(order)}
        host = self._places[0]
        host.commitment, host.nonce = commit_nonce(host.public, nonce), nonce
        self._places, self._charter = [host], None

    def propose(self, rules: AnyRules) -> Proposal:
        """Fix the seats. The seats that stay free are taken away."""
        if len(self._places) < max(2, rules.info.least_seats):
            raise SetupError("At least two players are needed to start.")
        options = dict(rules.options(dict(self.options), len(self._places)))
        seats = tuple(
            SeatInfo(place.public, place.name, 0 if place.is_bot else number)
            for number, place in enumerate(self._places)
        )
        if self._scanner is not None and not 0 <= self._scanner < len(seats):
            raise SetupError("The machine that scans the cards has no seat at this table.")
        fields = (
            PROTOCOL_VERSION,
            "ristretto255",
            self.game,
            rules.info.version,
            rules.deck(options).digest,
            tuple(sorted(options.items())),
            seats,
            self._recovers(len({seat.keeper for seat in seats})),
            self._reveal,
            (),
        )
        has_own_grace = self._grace != DEFAULT_GRACE
        if self._watchers != DEFAULT_WATCHERS or (has_own_grace and self._scanner is not None):
            self._charter = WatchedCharter(*fields, self._grace, self._scanner, self._watchers)
        elif self._scanner is not None:
            self._charter = PrintedCharter(*fields, PRINTED, self._scanner)
        elif has_own_grace:
            self._charter = GraceCharter(*fields, self._grace)
        else:
            self._charter = Charter(*fields)
        return Proposal(encode(self._charter), tuple(place.commitment for place in self._places))

    def _recovers(self, keepers: int) -> bool:
        """Whether keys are put in escrow. Raises ``SetupError`` where too few players sit for it."""
        recovers = self.roster.terms.recovers(keepers)
        if recovers and keepers < LEAST_FOR_RECOVERY:
            raise SetupError("Recovery needs three players; with two, each would hold the other's whole key.")
        return recovers

    def open_nonce(self, public: bytes, opening: Opening) -> bool:
        """A guest's nonce; whether all are here now. Raises ``SetupError`` for one that does not fit, and for
        one that comes before the proposal: no other guest would be waited for then."""
        if self._charter is None:
            names = self.names([public])
            raise SetupError(f"{names} opened a nonce before the table was proposed.")
        place = next((place for place in self._places if place.public == public), None)
        if place is None or not _opens(place.public, place.commitment, opening.nonce):
            names = self.names([public])
            raise SetupError(f"{names} opened another nonce than it had committed to.")
        place.nonce = opening.nonce
        return all(place.nonce for place in self._places)

    def agreement(self) -> tuple[Agreement, Agreed]:
        """The charter for everyone, once all nonces are here, and the host's own view of it."""
        assert self._charter is not None
        charter = msgspec.structs.replace(self._charter, nonces=tuple(place.nonce for place in self._places))
        addresses = tuple(place.addresses for place in self._places)
        return Agreement(encode(charter), addresses), Agreed(charter, 0, dict(enumerate(addresses)))


class GuestSetup:
    """A guest's side: it opens its nonce once, and sits down only at the table it was shown."""

    def __init__(
        self,
        public: bytes,
        name: str,
        addresses: tuple[str, ...],
        nonce: bytes,
        deck: bytes = b"",
        terms: Terms | None = None,
        is_bot: bool = False,
    ) -> None:
        """``deck`` is the digest of the only deck that will do; empty for any. ``terms`` are the only ones
        that will do, where the guest knows the table; ``None``: those of the first roster. ``is_bot``: the
        host keeps this seat."""
        self._public = public
        self._deck = deck
        self._name = name
        self._addresses = addresses
        self._nonce = nonce
        self._is_bot = is_bot
        self._proposal: Proposal | None = None
        self.terms = terms
        self.roster: Roster | None = None

    @property
    def seats(self) -> frozenset[bytes]:
        """The identities of all who are to play, as shown last."""
        return (
            frozenset(each.public for each in self.roster.taken) if self.roster is not None else frozenset()
        )

    def application(self) -> Join:
        """The first message."""
        fields = (self._name, commit_nonce(self._public, self._nonce), self._addresses)
        return JoinWithDeck(*fields, self._deck) if self._deck else Join(*fields)

    def receive(
        self, message: SetupMessage, rules_of: Callable[[str], AnyRules], group: Group
    ) -> Opening | Agreed | None:
        """The host's next message: our answer to it, or the agreed table. Raises ``SetupError``."""
        match message:
            case Roster():
                self._on_roster(message)
                return None
            case Refused(reason):
                raise Reopened(reason) if self._proposal is not None else SetupError(reason)
            case Proposal():
                return self._on_proposal(message, rules_of, group)
            case Agreement():
                return self._on_agreement(message)
            case _:
                raise SetupError("The host sent a message that only a guest sends; join another table.")

    def _on_roster(self, roster: Roster) -> None:
        """Seats may be taken until the proposal; what is played is fixed from the first roster on."""
        if self._proposal is not None and roster != self.roster:
            raise SetupError("The host changed the table after proposing it; do not play here.")
        if self.terms is not None and roster.terms != self.terms:
            raise SetupError(
                "The host changed the table after showing it; join again to see what is played there now."
            )
        self.terms, self.roster = roster.terms, roster

    def _on_proposal(self, proposal: Proposal, rules_of: Callable[[str], AnyRules], group: Group) -> Opening:
        """Only what may be played is answered: who refuses the charter later leaves a game that has begun."""
        if self._proposal is not None:
            raise SetupError("The host proposed a second table; join again.")
        if self.roster is None:
            raise SetupError("The host proposed a table without saying who sits there; join again.")
        try:
            draft = decode_draft(proposal.charter)
            rules = rules_of(draft.game)
            check_charter(draft, rules, group)
            self._check_shown(draft, rules, self.roster)
        except (ValueError, LookupError) as error:  # no charter, an unknown game, version, option or deck
            raise SetupError(f"This table cannot be played here: {error}") from None
        seat = draft.seat_of(self._public)
        if len(proposal.commitments) != len(draft.seats) or seat is None:
            raise SetupError("The host did not send one commitment for each seat; join again.")
        if commit_nonce(self._public, self._nonce) != proposal.commitments[seat]:
            raise SetupError("The host left out this seat; join again.")
        self._proposal = proposal
        return Opening(self._nonce)

    def _check_shown(self, draft: Charter, rules: AnyRules, roster: Roster) -> None:
        """Raises ``SetupError`` where a charter is for others, or for something else, than was shown."""
        number = draft.seat_of(self._public)
        if number is None or draft.seats[number].name != self._name:
            raise SetupError("The charter has no seat for this player; join again.")
        if not self._is_bot and draft.seats[number].keeper != number:
            raise SetupError("The host calls this player a bot of its own; do not play here.")
        shown = tuple(
            SeatInfo(each.public, each.name, 0 if each.is_bot else seat)
            for seat, each in enumerate(roster.taken)
        )
        if draft.seats != shown:
            raise SetupError("The charter is for other players than the host announced; do not play here.")
        if draft.game != roster.game:
            raise SetupError("The charter is for another game than the host announced; do not play here.")
        if draft.scanner != roster.scanner:
            raise SetupError("The charter deals the cards in another way than the host announced.")
        if not roster.terms.are_kept(draft, rules):
            raise SetupError("The charter is for another table than the host announced; do not play here.")

    def _on_agreement(self, agreement: Agreement) -> Agreed:
        proposal = self._proposal
        if proposal is None:
            raise SetupError("The host sent a charter without a proposal; join again.")
        try:
            charter = decode_charter(agreement.charter)
        except ValueError as error:
            raise SetupError(f"This table cannot be played here: {error}") from None
        if encode(msgspec.structs.replace(charter, nonces=())) != proposal.charter:
            raise SetupError("The host changed the table after proposing it; do not play here.")
        if len(agreement.addresses) != len(charter.seats):
            raise SetupError("The host did not send the addresses of each seat; join again.")
        for seat, commitment, nonce in zip(charter.seats, proposal.commitments, charter.nonces, strict=True):
            if not _opens(seat.public, commitment, nonce):
                raise SetupError(f"The nonce of {seat.name} does not fit its commitment; do not play here.")
        seat_number = charter.seat_of(self._public)
        assert seat_number is not None  # as in the proposal
        return Agreed(charter, seat_number, dict(enumerate(agreement.addresses)))


def _opens(public: bytes, commitment: bytes, nonce: bytes) -> bool:
    return len(nonce) == NONCE_SIZE and hmac.compare_digest(commit_nonce(public, nonce), commitment)
