"""Lies at a table with printed cards: of the machine that scans them, and of a seat about what it holds."""

from __future__ import annotations

from typing import Any, Final

from msgspec.structs import replace

from engine.table import Choose, Complete, Deed, Disclose, Draw

from ..deal.printed_cards import INDEX_SIZE, OPENING_SIZE, PROOF_SIZE, card_size
from ..deal.printed_claims import slots_in
from ..deal.printed_giving import PrintedGiver
from ..log.codec import encode, pack, unpack
from ..sealed import prove_shares
from .base import ATTACKER, Attack, Change, Lie
from .games import GO_FISH
from .judging import lie
from .liar import at, at_place, held

PRINTED: Final = {
    GO_FISH: {"ranks": "5", "suits": "4", "book_size": "2", "hand_size": "2", "end_mode": "all_books"}
}
"""Only the dealing counts here: every game runs through the same few rounds of it."""

ENDING: Final = {GO_FISH: {"ranks": "5", "hand_size": "4"}}
"""Ends soon: with a card twice in play a long game can come to a stand, and then nobody reveals a seed."""

SCANNER: Final = 0
"""The machine's seat, where it is honest."""


def _ask(giver: Any, task: Any, deed: Any, body: bytes) -> bytes | None:
    ranks = {face[0] for face in held(giver).values()}
    for rank in giver.dealing.deck.values("rank"):
        asked = replace(deed, value=rank)
        if rank not in ranks and giver.position.refuse(giver.place.seat, asked) is None:
            return pack([encode(asked), b""])
    return None


def _denial(giver: Any, task: Any, deed: Deed, body: bytes) -> bytes | None:
    return pack([encode(Deed(deed.verb)), b""]) if deed.groups else None


def _complaint(giver: Any, first: bytes) -> bytes:
    """Of the first card that was drawn now, about an E."""
    key, header = giver.dealing.keys[giver.place.seat].payload, at_place(giver).place.header("complaint")
    secret = giver.secrets.payload_key
    (shared,), proof = prove_shares(giver.dealing.group, header, secret, key, (first,), giver.fresh)
    return pack([bytes(INDEX_SIZE), shared, proof])


def _handed(giver: Any, task: Any) -> Any:
    return giver.dealing.handed(task, giver.position, giver.place.seat)


def _false_complaint(giver: Any, task: Any, deed: Any, body: bytes) -> bytes | None:
    handed = _handed(giver, task)
    return _complaint(giver, handed[0][1].scan.first) if handed else None


def _other_share(giver: Any, task: Any, deed: Any, body: bytes) -> bytes | None:
    """K of another key: what it reads is rubbish, which would blame the machine."""
    handed, group = _handed(giver, task), giver.dealing.group
    if not handed:
        return None
    number, shared, proof = unpack(_complaint(giver, handed[0][1].scan.first))
    return pack([number, group.add(shared, group.base), proof])


def _oracle(giver: Any, task: Any, deed: Any, body: bytes) -> bytes | None:
    """A complaint about a card that was sealed to somebody else."""
    foreign = [card.scan for card in giver.dealing.cards.values() if card.scan and card.scan.to != ATTACKER]
    foreign += [scan for scan in giver.dealing.begun.values() if scan.to != ATTACKER]
    return _complaint(giver, foreign[0].first) if foreign and _handed(giver, task) else None


def _last_card(giver: Any, body: bytes) -> tuple[bytes, bytes]:
    """The bytes before the last card that is scanned, and its own."""
    size = card_size(giver.dealing.group, giver.dealing.deck)
    return body[:-size], body[-size:]


def _to_others(task: Draw) -> bool:
    return bool(task.draws) and task.draws[-1][1] != ATTACKER


def _wrong_seal(giver: Any, task: Draw, deed: Any, body: bytes) -> bytes | None:
    """Another card in the sealed opening than was committed to."""
    if not _to_others(task) or not body:
        return None
    return body[:-1] + bytes([body[-1] ^ 1])


def _replayed_seal(giver: Any, task: Draw, deed: Any, body: bytes) -> bytes | None:
    """The E and the proof of an earlier card: a complaint would open that one (CHEATS 29)."""
    before = [card.scan for card in giver.dealing.cards.values() if card.scan is not None]
    if not before or not _to_others(task) or not body:
        return None
    rest, card = _last_card(giver, body)
    start = len(card) - OPENING_SIZE - PROOF_SIZE - giver.dealing.group.point_size
    end = start + giver.dealing.group.point_size
    first: bytes = before[0].first
    return rest + card[:start] + first + card[end:]


def _card_twice(giver: Any, task: Draw, deed: Any, body: bytes) -> bytes | None:
    """The card tapped first is sealed to its own seat a second time, in place of the last one."""
    if len(giver.faces) < 2 or giver.faces[0] == giver.faces[-1]:
        return None
    faces = (*giver.faces[:-1], giver.faces[0])
    own = PrintedGiver(
        giver.dealing, giver.position, at_place(giver).place, giver.secrets, giver.fresh, faces=faces
    )
    scanned: bytes = own.give(task, 0, None)[0]
    return scanned


def _objection(giver: Any, task: Any, deed: Any, body: bytes) -> bytes | None:
    """To what another seat has truly said."""
    dealing, seed = giver.dealing, giver.secrets.seed
    spoken = [dealing.stash[seat] for seat in sorted(dealing.stash) if seat != ATTACKER]
    claims = [(each, number) for each in spoken for number in range(len(each.claims))]
    if not claims or body:
        return None
    each, number = claims[0]
    known = [
        dealing.read_all(dealing.cards[slot], seed) for slot in slots_in(each.claims[number], giver.position)
    ]
    shown = b"".join(found[1].encode() for found in known if found is not None and found[1] is not None)
    return pack([bytes([each.seat, number]), shown])


def _printed(
    name: str,
    tries: str,
    source: str,
    told: Lie,
    says: str,
    scanner: int = SCANNER,
    late: bool = False,
    games: dict[str, dict[str, str]] = PRINTED,
) -> Attack:
    tries = f"{tries[:-1]} (printed cards)."
    return lie(f"printed-{name}", tries, source, games, told, says=says, scanner=scanner, is_late=late)


def _said(kind: type, change: Change) -> Lie:
    return at(kind, change, 0)


ATTACKS: Final = (
    _printed(
        "ask-not-held",
        "Asks for a rank that it does not hold.",
        "CHEATS 24, PP-03",
        _said(Choose, _ask),
        "holds",
    ),
    _printed(
        "false-go-fish", "Denies a card that it holds.", "CHEATS 24, PP-01", _said(Disclose, _denial), "lacks"
    ),
    _printed(
        "hidden-book", "Hides a completed book.", "CHEATS 24, PP-06", _said(Complete, _denial), "at-most"
    ),
    _printed(
        "false-complaint",
        "Complains of a card that was sealed rightly, to blame the machine.",
        "CHEATS 22",
        at(Draw, _false_complaint, 1),
        "complained of a card that opens",
    ),
    _printed(
        "complaint-other-key",
        "Complains with the share of another key, so that rubbish is read.",
        "CHEATS 22, 25",
        at(Draw, _other_share, 1),
        "does not hold",
    ),
    _printed(
        "complaint-oracle",
        "Complains about a card that was sealed to another seat, to have it opened.",
        "CHEATS 28, 29",
        at(Draw, _oracle, 1),
        "does not hold",
    ),
    _printed(
        "wrong-seal",
        "The machine tells a seat of another card than it committed to.",
        "CHEATS 23, 34",
        at(Draw, _wrong_seal, 0),
        "sealed what does not open the card",
        ATTACKER,
    ),
    _printed(
        "seal-replayed",
        "The machine seals a card with an earlier one's key, so that a complaint would open that.",
        "CHEATS 14, 29",
        at(Draw, _replayed_seal, 0),
        "does not hold",
        ATTACKER,
    ),
    _printed(
        "card-twice",
        "The machine deals one card to two seats.",
        "CHEATS 3, 34",
        at(Draw, _card_twice, 0),
        "",
        ATTACKER,
        True,
        ENDING,
    ),
    _printed(
        "false-objection",
        "The machine calls a true answer a lie.",
        "CHEATS 34",
        at(Choose, _objection, 1),
        "objected to what is so",
        ATTACKER,
    ),
)
