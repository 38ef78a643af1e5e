"""False shares, mixes, hand-overs and blind picks: where cards are unmasked, masked and moved."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from engine.table import Draw, HandOver, Mix, Pick, hand_of

from ..deal import Task
from ..deal.giving import Giver
from ..log.codec import pack
from ..sealed import (
    Group,
    ShuffleWitness,
    encode_cards,
    encode_scalar,
    mix_witness,
    prove_shares,
    prove_shuffle,
    shuffle,
)
from .base import Attack, Change, Lie
from .edits import edited, first_point, identity, no_point, other_point
from .games import ALL, CASINO, DEALER, MIXED, PASSED
from .judging import lie
from .liar import at, at_place, bent, unmasked, unmixed, with_other_output

# --- shares -------------------------------------------------------------------------------------------------


def _swap_two(body: bytes, group: Group) -> bytes:
    size = group.point_size
    return body[size : 2 * size] + body[:size] + body[2 * size :]


def _undealt(giver: Giver, task: Draw, deed: Any, body: bytes) -> bytes | None:
    """Shares of a card that nobody draws, in place of the last one that it owes."""
    dealing = giver.dealing
    drawn = {slot for slot, _ in task.draws}
    left = tuple(slot for slot in giver.position.table.slots("stock") if slot not in drawn)
    owed = dealing.owed_shares(task.draws, giver.place.seat)
    width = len(dealing.deck.attributes)
    if not left or not owed:
        return None
    firsts = (*owed[:-width], *dealing.firsts(left[-1:]))
    return _shared(giver, firsts)


def _one_more(giver: Giver, task: Draw, deed: Any, body: bytes) -> bytes | None:
    """The shares that it owes and one of a card that nobody draws."""
    drawn = {slot for slot, _ in task.draws}
    left = tuple(slot for slot in giver.position.table.slots("stock") if slot not in drawn)
    owed = giver.dealing.owed_shares(task.draws, giver.place.seat)
    return _shared(giver, (*owed, *giver.dealing.firsts(left[-1:]))) if left and owed else None


def _shared(giver: Giver, firsts: tuple[bytes, ...]) -> bytes:
    seat, header = giver.place.seat, at_place(giver).place.header("share")
    shares, proof = prove_shares(
        giver.dealing.group,
        header,
        giver.secrets.card_key,
        giver.dealing.keys[seat].card,
        firsts,
        giver.fresh,
    )
    return b"".join(shares) + proof


SHARES: Final = (
    *(
        lie(f"share-{name}", tries, source, ALL, edited(Draw, change), says=says)
        for name, tries, source, change, says in (
            (
                "wrong",
                "Gives a wrong share, so that a drawn card turns to rubbish.",
                "CHEATS 22, 38",
                first_point(other_point),
                "share",
            ),
            (
                "malformed",
                "Gives bytes that are no point as a share.",
                "CHEATS 9, 22",
                first_point(no_point),
                "not",
            ),
            (
                "identity",
                "Gives the neutral element as a share.",
                "CHEATS 9",
                first_point(identity),
                "identity",
            ),
            (
                "empty",
                "Gives no shares where some are owed, and says that it did.",
                "CHEATS 22, PP-08",
                lambda body, _g: b"",
                "",
            ),
            ("swapped", "Swaps the shares of two cards.", "CHEATS 22", _swap_two, "share"),
        )
    ),
    lie(
        "share-undealt",
        "Gives the share of a card that nobody draws in place of one that is drawn.",
        "CHEATS 28, 29",
        ALL,
        at(Draw, _undealt),
        says="does not hold",
    ),
    lie(
        "share-too-many",
        "Gives the share of a card that lies in the pond along with those that it owes.",
        "CHEATS 28, 35",
        ALL,
        at(Draw, _one_more),
    ),
)

# --- mixes, hand-overs, picks -------------------------------------------------------------------------------


def mixing(change: Change) -> Lie:
    """At a mix of the own hand, alone or before another seat picks from it."""

    def tell(giver: Giver, task: Task, number: int, deed: Any) -> bytes | None:
        if not isinstance(task, Mix | Pick) or (isinstance(task, Pick) and number != 1):
            return None
        if task.zone != hand_of(giver.place.seat):
            return None
        return change(giver, task, deed, at_place(giver).give(task, number, deed)[0])

    return tell


def _unmixed(giver: Giver, task: Any, deed: Any, body: bytes) -> bytes | None:
    """Where no card of the hand is public: that one would lie without a mask."""
    cards = giver.dealing.zone_cards(giver.position, task.zone)
    hidden = all(cipher.a != giver.dealing.group.identity for card in cards for cipher in card)
    return unmixed(giver, task, body) if hidden else None


def _mixed_twice(giver: Giver, task: Any, deed: Any, body: bytes) -> bytes | None:
    dealing, key = giver.dealing, giver.dealing.keys[giver.place.seat].card
    inputs = dealing.zone_cards(giver.position, task.zone)
    header, secret = at_place(giver).place.header("mix"), encode_scalar(giver.secrets.card_key)
    witness = mix_witness(dealing.group, giver.fresh, secret, header, key, inputs)
    twice = ShuffleWitness((witness.permutation[1], *witness.permutation[1:]), witness.remasks)
    outputs = shuffle(dealing.group, key, inputs, twice)
    proof = prove_shuffle(dealing.group, header, key, inputs, outputs, witness, secret, giver.fresh)
    return pack([encode_cards(outputs), proof])


def _still_readable(giver: Giver, task: HandOver, deed: Any, body: bytes) -> bytes | None:
    own: bytes = at_place(giver).give(msgspec.structs.replace(task, to=giver.place.seat), 0, None)[0]
    return own


def _other_positions(giver: Giver, task: Pick, deed: Any, body: bytes) -> bytes | None:
    """The positions moved by one: other cards of the same hand."""
    size = giver.position.table.size(task.zone)
    places = [int.from_bytes(body[n : n + 2], "big") for n in range(32, len(body), 2)]
    moved = [(place + 1) % size for place in places]
    return None if moved == places else body[:32] + b"".join(n.to_bytes(2, "big") for n in moved)


MIXES: Final = (
    *(
        lie(f"mix-{name}", tries, source, MIXED, mixing(change), says=says)
        for name, tries, source, change, says in (
            (
                "not",
                "Does not mix its hand, to tell old cards from new ones.",
                "CHEATS 26",
                _unmixed,
                "kept its mask",
            ),
            (
                "unmasked",
                "Mixes its hand and leaves a card without a mask.",
                "CHEATS 26, 27",
                lambda g, t, d, b: unmasked(g, b),
                "identity",
            ),
            (
                "other-card",
                "Mixes a card into its hand that was not there.",
                "CHEATS 3",
                lambda g, t, d, b: with_other_output(g, b),
                "does not hold",
            ),
            (
                "card-twice",
                "Mixes its hand and has one card twice.",
                "CHEATS 3",
                _mixed_twice,
                "does not hold",
            ),
        )
    ),
    lie(
        "hands-over-other",
        "Hands over another card than the one that was named.",
        "CHEATS 24, PP-13",
        PASSED,
        at(HandOver, lambda giver, task, deed, body: bent(giver, body)),
        says="does not hold",
    ),
    lie(
        "hands-over-readable",
        "Hands a card over so that only it can read it.",
        "CHEATS 24, 29",
        PASSED,
        at(HandOver, _still_readable),
        says="does not hold",
    ),
    lie(
        "hands-over-less",
        "Hands over fewer cards than were named.",
        "CHEATS 24, PP-02",
        PASSED,
        at(HandOver, lambda giver, task, deed, body: body[giver.dealing.group.point_size :]),
    ),
    lie(
        "steals-other-slot",
        "Steals other cards than it had committed to, once the Patron has mixed.",
        "CHEATS 23, CG-BLIND",
        {CASINO: DEALER},
        at(Pick, _other_positions, 2),
        says="to other positions",
    ),
    lie(
        "steals-with-other-salt",
        "Opens the stolen positions with another salt, to have two openings.",
        "CHEATS 17",
        {CASINO: DEALER},
        at(Pick, lambda giver, task, deed, body: bytes(32) + body[32:], 2),
        says="to other positions",
    ),
    lie(
        "steals-uncommitted",
        "Commits to nothing before it steals.",
        "CHEATS 18, 23",
        {CASINO: DEALER},
        at(Pick, lambda giver, task, deed, body: b"", 0),
        says="32 bytes",
    ),
)

ATTACKS: Final[tuple[Attack, ...]] = (*SHARES, *MIXES)
