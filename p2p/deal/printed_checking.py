"""Checking a contribution to a deal of printed cards, with no secrets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.cards import Face
from engine.table import (
    Choose,
    Claim,
    Coin,
    Complete,
    Disclose,
    Draw,
    HandOver,
    Partial,
    Pick,
    Show,
    Slot,
    Tick,
    owner,
)

from ..log.codec import Malformed, unpack
from ..sealed import ProofRejected, verify_shares
from .base import Checked, Close, PeerFault, Reveal, Setup, Task
from .common import (
    check_close,
    check_coin,
    check_deed,
    check_given,
    check_groups,
    check_keys,
    check_laid,
    check_reveal,
    check_rules,
)
from .drawing import Draws
from .examining import Examiner
from .printed_audit import audit
from .printed_cards import (
    INDEX_SIZE,
    OPENING_SIZE,
    SHOWN_SIZE,
    Card,
    Opening,
    Scan,
    card_size,
    read,
    seal_size,
    shown,
    unseal,
    unseal_again,
)
from .printed_claims import is_true, lie_of, slots_in, swapped, wrong_seal
from .printed_values import Laid, Mixed, PrintedCommitment, Spoken
from .ticks import TickOpening, check_opened_deed

if TYPE_CHECKING:
    from .printed import Printed


@dataclass(frozen=True, slots=True)
class PrintedChecker(Examiner):
    """A contribution to a deal of printed cards."""

    dealing: Printed

    def _check(self, task: Task, number: int, body: bytes) -> Checked:
        dealing, place = self.dealing, self.place
        match task:
            case Setup():
                return check_keys(dealing, place, body)
            case Close():
                return check_close(dealing, place, self.position, body)
            case Reveal():
                return self._reveal(body)
            case Coin():
                return check_coin(dealing, place, number, body)
            case Tick():
                return self._deed_commitment(task, body) if number == 0 else self._deed_opening(task, body)
            case Choose() if number == 0:
                return self._decision(body)
            case Disclose() if number == 0:
                return self._answer(task, body)
            case Complete() if number == 0:
                return self._settle(task, body)
            case _:
                return self._round(task, number, body)

    def _round(self, task: Task, number: int, body: bytes) -> Checked:
        kind = self._kind(task, number)
        match kind, task:
            case "cut-commit" | "cut-open", _:
                return check_coin(self.dealing, self.place, number, body)
            case "accept", _:
                return self._accept(task, body)
            case "confirm", _:
                return self._confirm(body)
            case "mix", _:
                return self._mix(task, body)
            case "scan", Draw(draws):
                return self._seals(self.dealing.owed_seals(draws), body)
            case _, Show() if owner(task.slots[0].zone) is None:
                return self._laid(task, body)
            case _, Show(slots, attributes):
                return self._open(slots, body, self.dealing.places(attributes))
            case _, HandOver(slots, to):
                return self._seals(tuple((slot, to) for slot in self.dealing.hidden(slots)), body)
            case _, Pick():
                return self._pick(task, kind, body)
            case _:
                raise NotImplementedError(f"printed dealing checks no {type(task).__name__}")

    # --- by the table's machine -----------------------------------------------------------------------------

    def _seals(self, draws: Draws, body: bytes, *, is_whole: bool = True) -> tuple[Scan, ...]:
        """Sealed cards, one for each draw; or, in a race, for the first of them. What is committed to already
        has a seal alone."""
        group, deck, cards = self.dealing.group, self.dealing.deck, self.dealing.cards
        found: list[Scan] = []
        left = body
        for slot, to in draws:
            scan = cards[slot].scan
            size = card_size(group, deck) if scan is None else seal_size(group)
            if not left and not is_whole:
                break
            part, left = left[:size], left[size:]
            if len(part) != size:
                raise Malformed("a sealed card lacks some of its bytes")
            found.append(
                unseal(group, deck, self.place, part, to)
                if scan is None
                else unseal_again(group, self.place, part, scan, to)
            )
        if left:
            raise Malformed("more cards are sealed than are owed")
        return tuple(found)

    def _laid(self, task: Show, body: bytes) -> Laid:
        dealing, parts = self.dealing, unpack(body)
        if len(parts) != len(task.slots):
            raise Malformed("one part is owed for each card that is laid")
        places = dealing.places(task.attributes)
        cards = []
        for slot, part in zip(task.slots, parts, strict=True):
            card = dealing.cards[slot]
            values = self._tapped(card, part) if card.is_unseen else self._shown(card, part, places)
            cards.append(card.with_values(values))
        return Laid(self.place.step, tuple(cards))

    def _tapped(self, card: Card, part: bytes) -> Face:
        index, faces = int.from_bytes(part, "big"), self.dealing.deck.faces
        if len(part) != INDEX_SIZE or index >= len(faces):
            raise Malformed("a scanned card is no card of this deck")
        if not self.dealing.may_be(card, faces[index]):
            raise PeerFault(self.place.seat, "scanned a card that is not in that pile")
        return faces[index]

    def _mix(self, task: Any, body: bytes) -> Mixed:
        origin, seat = self.place.origin("order"), owner(task.zone)
        assert seat is not None
        group, deck = self.dealing.group, self.dealing.deck
        size, count = card_size(group, deck), self.position.table.size(task.zone)
        if len(body) != size * count:
            raise Malformed("a mix has all cards of the hand")
        parts = [body[at * size : (at + 1) * size] for at in range(count)]
        return Mixed(origin, tuple(unseal(group, deck, self.place, part, seat) for part in parts))

    def _confirm(self, body: bytes) -> None:
        """Empty; or the openings that show a lie. They show either that seat's, or the machine's own."""
        if not body:
            return
        dealing, parts = self.dealing, unpack(body)
        if len(parts) != 2 or len(parts[0]) != 2:
            raise Malformed("an objection is a seat, a claim and openings")
        spoken: Spoken | None = dealing.stash.get(parts[0][0])
        if spoken is None or parts[0][1] >= len(spoken.claims):
            raise Malformed("an objection is to a claim that nobody made")
        claim = spoken.claims[parts[0][1]]
        slots = slots_in(claim, self.position)
        cards = [dealing.cards[slot] for slot in slots]
        faces = dict(zip(slots, self._opened(cards, parts[1]), strict=True))
        if is_true(claim, self.position, dealing.deck, faces.__getitem__):
            raise PeerFault(self.place.seat, "objected to what is so")
        raise lie_of(spoken, claim)

    def _reveal(self, body: bytes) -> tuple[bytes, int]:
        seed, key = check_reveal(self.dealing, self.place, body)
        if self.place.seat == self.dealing.scanner:
            audit(self.dealing, seed)
        return seed, key

    # --- by the seats ---------------------------------------------------------------------------------------

    def _accept(self, task: Task, body: bytes) -> None:
        """Empty; or a complaint, which is true or false for everyone to see."""
        if not body:
            return
        parts = unpack(body)
        handed = self.dealing.handed(task, self.position, self.place.seat)
        if len(parts) == 3:
            self._complaint(handed, parts)
        if len(parts) == 2 and not isinstance(task, Draw | HandOver | Tick):
            self._complaint_of_mix(handed, parts)
        raise Malformed("this is no acceptance and no complaint")

    def _complaint(self, handed: Sequence[tuple[Card, Card]], parts: Sequence[bytes]) -> None:
        """K = wE with its proof: everyone reads what was sealed."""
        dealing, group = self.dealing, self.dealing.group
        number = int.from_bytes(parts[0], "big")
        if len(parts[0]) != INDEX_SIZE or number >= len(handed):
            raise Malformed("a complaint is about a card that was not handed over")
        _, card = handed[number]
        assert card.scan is not None
        shared, key = group.decode(parts[1]), dealing.keys[self.place.seat].payload
        header = self.place.header("complaint")
        verify_shares(group, header, key, (card.scan.first,), (shared,), parts[2])
        if dealing.opened(card, read(group, card.scan, shared)) is None:
            raise wrong_seal(dealing.scanner, card.scan)
        raise PeerFault(self.place.seat, "complained of a card that opens")

    def _complaint_of_mix(self, handed: Sequence[tuple[Card, Card]], parts: Sequence[bytes]) -> None:
        """The openings of the hand before and after: the cards differ, or they do not."""
        before, after = (
            self._opened([pair[side] for pair in handed], part) for side, part in enumerate(parts)
        )
        if Counter(before) == Counter(after):
            raise PeerFault(self.place.seat, "complained of a mix that has all its cards")
        scan = handed[0][1].scan
        assert scan is not None
        raise swapped(self.dealing.scanner, scan)

    def _opened(self, cards: Sequence[Card], data: bytes) -> list[Face]:
        """The faces of cards from the openings of those that are hidden. Raises ``Malformed`` or
        ``ProofRejected``."""
        hidden = [card for card in cards if not card.is_public]
        if len(data) != OPENING_SIZE * len(hidden):
            raise Malformed(f"{len(hidden)} openings of {OPENING_SIZE} bytes are owed")
        cuts = iter(range(0, len(data), OPENING_SIZE))
        faces = []
        for card in cards:
            if card.is_public:
                faces.append(card.face)
                continue
            at = next(cuts)
            found = self.dealing.opened(card, Opening.decode(data[at : at + OPENING_SIZE]))
            if found is None:
                raise ProofRejected("opening", "the opening of a card does not fit its commitment")
            faces.append(found[0])
        return faces

    def _shown(self, card: Card, data: bytes, places: Sequence[int]) -> Partial:
        """The values at ``places`` of one card: public ones, and those that are opened now."""
        hidden = card.hidden(places)
        if len(data) != SHOWN_SIZE * len(hidden):
            raise Malformed(f"{len(hidden)} openings of {SHOWN_SIZE} bytes are owed")
        values = [value if at in places else None for at, value in enumerate(card.values)]
        for n, at in enumerate(hidden):
            assert card.scan is not None
            part = data[n * SHOWN_SIZE : (n + 1) * SHOWN_SIZE]
            values[at] = shown(self.dealing.deck, card.scan, at, part)
        return tuple(values)

    def _open(
        self, slots: Sequence[Slot], data: bytes, places: tuple[int, ...] | None = None
    ) -> dict[Slot, Any]:
        wanted = self.dealing.places(()) if places is None else places
        faces, at = {}, 0
        for slot in slots:
            card = self.dealing.cards[slot]
            end = at + SHOWN_SIZE * len(card.hidden(wanted))
            faces[slot] = self._shown(card, data[at:end], wanted)
            at = end
        if at != len(data):
            raise Malformed("more is opened than was named")
        return faces

    def _said(self, deed: Any, faces: dict[Slot, Any], claims: tuple[Claim, ...]) -> Spoken:
        return Spoken(self.place.seat, self.place.step, deed, faces, claims)

    def _decision(self, body: bytes) -> Spoken:
        parts = unpack(body)
        if len(parts) != 2:
            raise Malformed("a decision is a deed and an opening")
        deed, slots = check_deed(self.position, self.place, parts[0])
        faces = self._open(slots, parts[1])
        check_rules(self.position, self.place, deed, faces)
        return self._said(deed, faces, self.position.claims(self.place.seat, deed))

    def _answer(self, task: Disclose, body: bytes) -> Spoken:
        deed, faces = self._laid_from_hand(task, body)
        matches = {slot: self.dealing.is_match(slot, face, task.match) for slot, face in faces.items()}
        check_given(self.place, task, deed, matches)
        return self._said(deed, faces, self.dealing.claims_on_rest(task, self.position, tuple(faces)))

    def _settle(self, task: Complete, body: bytes) -> Spoken:
        deed, faces = self._laid_from_hand(task, body)
        check_groups(self.dealing, self.place, task, deed, faces)
        return self._said(deed, faces, self.dealing.claims_on_rest(task, self.position, tuple(faces)))

    def _laid_from_hand(self, task: Disclose | Complete, body: bytes) -> tuple[Any, dict[Slot, Any]]:
        parts = unpack(body)
        if len(parts) != 2:
            raise Malformed("an answer is a deed and an opening")
        deed, slots = check_laid(self.dealing, self.position, self.place, task, parts[0])
        return deed, self._open(slots, parts[1], self.dealing.places_shown(task))

    def _pick(self, task: Pick, kind: str, body: bytes) -> Checked:
        if kind == "pick-commit":
            return self._commitment("pick", body)
        return self._positions(task, body)

    def _deed_commitment(self, task: Tick, body: bytes) -> PrintedCommitment:
        parts = unpack(body)
        if len(parts) != 2:
            raise Malformed("the first part of a tick is a commitment and sealed cards")
        committed = self._commitment("tick", parts[0])
        is_scanner = self.place.seat == self.dealing.scanner
        owed = self.dealing.owed_seals(task.draws) if is_scanner else ()
        return PrintedCommitment(committed, self._seals(owed, parts[1], is_whole=False))

    def _deed_opening(self, task: Tick, body: bytes) -> TickOpening:
        parts = unpack(body)
        marks = check_opened_deed(self.dealing, self.place, parts, 5)
        deed, slots = check_deed(self.position, self.place, parts[1])
        faces = self._open(slots, parts[3])
        check_rules(self.position, self.place, deed, faces)
        self._accept(task, parts[4])
        return TickOpening(parts[0], deed, marks, faces)
