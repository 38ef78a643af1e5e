"""Making a contribution to a deal of printed cards (the other half is ``printed_checking``)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.cards import Face
from engine.table import (
    Choose,
    Coin,
    Complete,
    Deed,
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

from ..log.codec import encode, pack
from ..sealed import prove_shares
from .base import Checked, Close, PeerFault, Reveal, Setup, Task
from .common import give_coin, give_keys, give_reveal
from .contributing import Contributor
from .printed_cards import INDEX_SIZE, Card, Opening, Scan, seal, seal_again, show
from .printed_claims import is_true, lie_of, slots_in, swapped, wrong_seal
from .printed_values import Laid, Mixed, PrintedCommitment, Spoken
from .ticks import TickOpening

if TYPE_CHECKING:
    from .printed import Printed


@dataclass(frozen=True, slots=True)
class PrintedGiver(Contributor):
    """One seat about to contribute to a deal of printed cards. ``faces`` are those tapped for a scan."""

    dealing: Printed
    faces: tuple[Face, ...] = ()

    def give(self, task: Task, number: int, deed: Deed | None) -> tuple[bytes, Checked]:
        """The body of round ``number``, and what a checker finds in it: a ``PeerFault`` where the body shows
        one of another seat."""
        dealing, place = self.dealing, self.place
        match task:
            case Setup():
                return give_keys(dealing, place, self.secrets, self.fresh)
            case Close():
                return dealing.close_body(self.position), None
            case Reveal():
                return give_reveal(self.secrets)
            case Coin():
                return give_coin(dealing, place, self.secrets, number)
            case Tick() if deed is not None:
                return self._commit_deed(task, deed) if number == 0 else self._open_deed(task, deed)
            case Choose() if deed is not None:
                return self._say(deed, self._slots(deed), None, self.position.claims(place.seat, deed))
            case Disclose() | Complete() if deed is not None:
                slots = dealing.slots_of(place.seat, deed)
                claims = dealing.claims_on_rest(task, self.position, slots)
                return self._say(deed, slots, dealing.places_shown(task), claims)
            case _:
                return self._round(task, number)

    def _round(self, task: Task, number: int) -> tuple[bytes, Checked]:
        kind = self._kind(task, number)
        match kind, task:
            case "cut-commit" | "cut-open", _:
                return give_coin(self.dealing, self.place, self.secrets, number)
            case "accept", _:
                return self._accept(task)
            case "confirm", _:
                return self._confirm()
            case "mix", _:
                return self._mix(task)
            case "scan", Draw(draws):
                return self._seal(self.dealing.owed_seals(draws))
            case _, Show() if owner(task.slots[0].zone) is None:
                return self._lay(task)
            case _, Show(slots, attributes):
                return self._open(slots, self.dealing.places(attributes))
            case _, HandOver(slots, to):
                return self._hand_over(slots, to)
            case _, Pick():
                return self._picked(task, kind)
            case _:
                raise NotImplementedError(f"printed dealing prepares no {type(task).__name__}")

    # --- by the table's machine -----------------------------------------------------------------------------

    def _seal(self, draws: Iterable[tuple[Slot, int]]) -> tuple[bytes, tuple[Scan, ...]]:
        """Drawn cards: those tapped now, in order, and those it knows already. Ends where none is tapped."""
        tapped = iter(self.faces)
        bodies: list[bytes] = []
        scans: list[Scan] = []
        for slot, seat in draws:
            card = self.dealing.cards[slot]
            face = next(tapped, None) if card.is_unseen else None
            if card.is_unseen and face is None:
                break
            body, made = self._sealed_again([card], seat) if face is None else self._sealed([(face, seat)])
            bodies.append(body)
            scans += made
        return b"".join(bodies), tuple(scans)

    def _sealed_again(self, cards: Iterable[Card], to: int) -> tuple[bytes, tuple[Scan, ...]]:
        """Cards that are committed to already, for another seat."""
        dealing, seed = self.dealing, self.secrets.seed
        bodies, scans = [], []
        for card in cards:
            found = dealing.read_all(card, seed)
            assert found is not None, "the machine knows the cards that it sealed"
            assert found[1] is not None, "what is public needs no seal"
            assert card.scan is not None
            key = dealing.keys[to].payload
            body, scan = seal_again(dealing.group, self.place, seed, card.scan, found[1], to, key, self.fresh)
            bodies.append(body)
            scans.append(scan)
        return b"".join(bodies), tuple(scans)

    def _sealed(self, given: Iterable[tuple[Face, int]]) -> tuple[bytes, tuple[Scan, ...]]:
        dealing = self.dealing
        bodies, scans = [], []
        for face, to in given:
            key = dealing.keys[to].payload
            body, scan = seal(
                dealing.group, dealing.deck, self.place, self.secrets.seed, face, to, key, self.fresh
            )
            bodies.append(body)
            scans.append(scan)
        return b"".join(bodies), tuple(scans)

    def _lay(self, task: Show) -> tuple[bytes, Laid]:
        """Cards of a pile laid face up: tapped now, or opened."""
        deck, tapped = self.dealing.deck, iter(self.faces)
        places = self.dealing.places(task.attributes)
        parts, cards = [], []
        for slot in task.slots:
            card = self.dealing.cards[slot]
            if card.is_unseen:
                face = next(tapped)
                parts.append(deck.index(face).to_bytes(INDEX_SIZE, "big"))
                cards.append(card._replace(values=face))
            else:
                found = self.dealing.read_all(card, self.secrets.seed)
                assert found is not None
                body, values = _shown(self.dealing, card, found, places)
                parts.append(body)
                cards.append(card.with_values(values))
        return pack(parts), Laid(self.place.step, tuple(cards))

    def _hand_over(self, slots: tuple[Slot, ...], to: int) -> tuple[bytes, tuple[Scan, ...]]:
        return self._sealed_again([self.dealing.cards[slot] for slot in self.dealing.hidden(slots)], to)

    def _mix(self, task: Any) -> tuple[bytes, Mixed]:
        """The hand in a new order, which follows from the seed, so that nobody can choose it."""
        origin, seat = self.place.origin("order"), owner(task.zone)
        assert seat is not None
        cards = [self.dealing.cards[slot] for slot in self.position.table.slots(task.zone)]
        order = origin.stream(self.secrets.seed).permutation(len(cards))
        body, scans = self._sealed([(self._known(cards[at]), seat) for at in order])
        return body, Mixed(origin, scans)

    def _known(self, card: Card) -> Face:
        found = self.dealing.read_all(card, self.secrets.seed)
        assert found is not None, "the machine knows the cards that it sealed"
        return found[0]

    def _confirm(self) -> tuple[bytes, PeerFault | None]:
        """Nothing where all that was said is so; else the openings of the cards that a lie was told about."""
        dealing, position, seed = self.dealing, self.position, self.secrets.seed
        spoken: Sequence[Spoken] = [dealing.stash[seat] for seat in sorted(dealing.stash)]
        claims = [(each, number) for each in spoken for number in range(len(each.claims))]
        for each, number in claims:
            claim = each.claims[number]
            slots = slots_in(claim, position)
            known = {slot: dealing.read_all(dealing.cards[slot], seed) for slot in slots}
            faces = {slot: found[0] for slot, found in known.items() if found is not None}
            if each.seat != dealing.scanner and not is_true(claim, position, dealing.deck, faces.__getitem__):
                openings = [found[1] for found in known.values() if found is not None]
                shown = b"".join(opening.encode() for opening in openings if opening is not None)
                return pack([bytes([each.seat, number]), shown]), lie_of(each, claim)
        return b"", None

    # --- by the seats ---------------------------------------------------------------------------------------

    def _accept(self, task: Task) -> tuple[bytes, PeerFault | None]:
        """Nothing where each card that was sealed to this seat opens; else the complaint."""
        dealing, group, secrets = self.dealing, self.dealing.group, self.secrets
        handed = dealing.handed(task, self.position, self.place.seat)
        for number, (_, card) in enumerate(handed):
            if dealing.read_own(card, secrets) is None and card.scan is not None:
                key, first = dealing.keys[self.place.seat].payload, card.scan.first
                header = self.place.header("complaint")
                (shared,), proof = prove_shares(group, header, secrets.payload_key, key, (first,), self.fresh)
                body = pack([number.to_bytes(INDEX_SIZE, "big"), shared, proof])
                return body, wrong_seal(dealing.scanner, card.scan)
        if self._is_mix(task):
            return self._accept_mix(handed)
        return b"", None

    @staticmethod
    def _is_mix(task: Task) -> bool:
        return not isinstance(task, Draw | HandOver | Tick)

    def _accept_mix(self, handed: Sequence[tuple[Card, Card]]) -> tuple[bytes, PeerFault | None]:
        """The owner of a mixed hand knows both orders: it sees a card that was swapped."""
        sides = [[self.dealing.read_own(pair[side], self.secrets) for pair in handed] for side in (0, 1)]
        faces = [Counter(found[0] for found in side if found is not None) for side in sides]
        if faces[0] == faces[1]:
            return b"", None
        openings = [
            b"".join(found[1].encode() for found in side if found is not None and found[1] is not None)
            for side in sides
        ]
        scan = handed[0][1].scan
        assert scan is not None
        return pack(openings), swapped(self.dealing.scanner, scan)

    def _say(
        self, deed: Deed, slots: tuple[Slot, ...], places: tuple[int, ...] | None, claims: tuple[Any, ...]
    ) -> tuple[bytes, Spoken]:
        opening, faces = self._open(slots, places)
        return pack([encode(deed), opening]), Spoken(self.place.seat, self.place.step, deed, faces, claims)

    def _open(
        self, slots: tuple[Slot, ...], places: tuple[int, ...] | None = None
    ) -> tuple[bytes, dict[Slot, Partial]]:
        """Own cards opened: what opens each hidden attribute, and the faces."""
        dealing = self.dealing
        wanted = dealing.places(()) if places is None else places
        bodies, faces = [], {}
        for slot in slots:
            card = dealing.cards[slot]
            found = dealing.read_own(card, self.secrets)
            assert found is not None
            body, faces[slot] = _shown(dealing, card, found, wanted)
            bodies.append(body)
        return b"".join(bodies), faces

    def _commit_deed(self, task: Tick, deed: Deed) -> tuple[bytes, PrintedCommitment]:
        committed = self._committed("tick", encode(deed))
        body = b""
        scans: tuple[Scan, ...] = ()
        if self.place.seat == self.dealing.scanner:
            body, scans = self._seal(self.dealing.owed_seals(task.draws))
        return pack([committed.commitment, body]), PrintedCommitment(committed, scans)

    def _open_deed(self, task: Tick, deed: Deed) -> tuple[bytes, Any]:
        salt, said, marks = self._opened_deed(deed)
        opening, faces = self._open(self._slots(deed))
        word, fault = b"", None
        if self.place.seat != self.dealing.scanner:
            word, fault = self._accept(task)
        body = pack([salt, said, bytes([marks]), opening, word])
        return body, fault or TickOpening(salt, deed, marks, faces)  # type: ignore[arg-type]  # whole faces: of its own cards


def _shown(
    dealing: Printed, card: Card, found: tuple[Face, Opening | None], places: Sequence[int]
) -> tuple[bytes, Partial]:
    """What opens the hidden ones of ``places`` of a card, and the values at all of them."""
    face, opening = found
    hidden = card.hidden(places)
    assert opening is not None or not hidden
    body = b"".join(show(dealing.deck, opening, at) for at in hidden) if opening is not None else b""
    return body, tuple(value if at in places else None for at, value in enumerate(face))
