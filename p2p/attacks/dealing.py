"""False shuffles, shares, mixes, hand-overs and blind picks: where cards are masked, moved and unmasked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import msgspec

from engine.table import Draw, HandOver, Mix, Pick, Shuffle, hand_of

from ..deal import Secrets, Task
from ..deal.giving import Giver
from ..log.codec import pack, unpack
from ..sealed import (
    Card,
    Group,
    ShuffleWitness,
    encode_cards,
    encode_scalar,
    mix_witness,
    prove_shares,
    prove_shuffle,
    shuffle,
)
from ..sim import small_pack
from .answers import FISH, GO_FISH, LITTLE, ONE_FISH
from .base import SEATS, Attack, Change, End, Lie
from .judging import lie
from .laying import CASINO, DEALER
from .liar import at, at_place, bent, unmasked, unmixed, with_other_output

SALMON: Final = "discount-salmon"
RACE: Final = {**small_pack(SALMON, SEATS), "pace": "realtime", "stale_seconds": "1"}
ALL: Final = {GO_FISH: LITTLE, ONE_FISH: FISH, CASINO: DEALER, SALMON: RACE}
"""Every game, with packs that make it short."""
COINED: Final = {**ALL, CASINO: small_pack(CASINO, SEATS)}
"""The same, with a joint number in each: the Dealer is drawn, too."""
MIXED: Final = {GO_FISH: LITTLE, CASINO: DEALER, SALMON: RACE}
"""The games in which a seat mixes its own hand alone."""
PASSED: Final = {ONE_FISH: FISH, CASINO: DEALER}
"""The games in which hidden cards pass from hand to hand."""

Edit = Callable[[bytes, Group], bytes]


def part(number: int, change: Edit) -> Edit:
    """``change`` of one part of a body."""

    def changed(body: bytes, group: Group) -> bytes:
        parts = unpack(body)
        parts[number] = change(parts[number], group)
        return pack(parts)

    return changed


def edited(kind: type, change: Edit) -> Lie:
    """The honest body, changed."""
    return at(kind, lambda g, task, deed, body: change(body, g.dealing.group) if body else None)


def first_point(value: Edit) -> Edit:
    """Another first point."""
    return lambda data, group: value(data[: group.point_size], group) + data[group.point_size :]


def no_point(_: bytes, group: Group) -> bytes:
    """Bytes that encode no point."""
    return b"\xff" * group.point_size


def identity(_: bytes, group: Group) -> bytes:
    """The neutral element."""
    return group.identity


def other_point(point: bytes, group: Group) -> bytes:
    """The next point."""
    return group.add(point, group.base)


def shorter(data: bytes, _: Group) -> bytes:
    """A byte less."""
    return data[:-1]


# --- joint shuffles -----------------------------------------------------------------------------------------

Cards = tuple[Card, ...]
Reshuffle = Callable[[Giver, Cards, ShuffleWitness], tuple[Cards, ShuffleWitness]]


def shuffled(change: Reshuffle) -> Lie:
    """A shuffle whose output is not what its proof was made for."""

    def tell(giver: Giver, task: Task, number: int, deed: Any) -> bytes | None:
        if not isinstance(task, Shuffle):
            return None
        dealing, group, secret = giver.dealing, giver.dealing.group, giver.secrets.seed
        inputs = dealing.shuffle_inputs(giver.position, task.zone)
        witness = dealing.joint_shuffle_witness(giver.place, secret, task.zone, len(inputs))
        outputs, shown = change(giver, inputs, witness)
        header = at_place(giver).place.header("shuffle")
        proof = prove_shuffle(group, header, dealing.joint, inputs, outputs, shown, secret, giver.fresh)
        return pack([encode_cards(outputs), proof])

    return tell


def _again(giver: Giver, inputs: Cards, witness: ShuffleWitness) -> Cards:
    return shuffle(giver.dealing.group, giver.dealing.joint, inputs, witness)


def _duplicate(giver: Giver, inputs: Cards, witness: ShuffleWitness) -> tuple[Cards, ShuffleWitness]:
    twice = ShuffleWitness((witness.permutation[1], *witness.permutation[1:]), witness.remasks)
    return _again(giver, inputs, twice), witness


def _same_mask(giver: Giver, inputs: Cards, witness: ShuffleWitness) -> tuple[Cards, ShuffleWitness]:
    outputs = _again(giver, inputs, witness)
    return (outputs[1], *outputs[1:]), witness


def _replaced(giver: Giver, inputs: Cards, witness: ShuffleWitness) -> tuple[Cards, ShuffleWitness]:
    outputs, group = _again(giver, inputs, witness), giver.dealing.group
    first = outputs[0][0]
    return ((first._replace(b=group.add(first.b, group.base)), *outputs[0][1:]), *outputs[1:]), witness


def _crossed(giver: Giver, inputs: Cards, witness: ShuffleWitness) -> tuple[Cards, ShuffleWitness]:
    (r0, s0), (r1, s1), *rest = _again(giver, inputs, witness)
    return ((r0, s1), (r1, s0), *rest), witness


def _nothing(giver: Giver, inputs: Cards, witness: ShuffleWitness) -> tuple[Cards, ShuffleWitness]:
    unmoved, unmasked_ = tuple(range(len(inputs))), ((0,) * len(inputs[0]),) * len(inputs)
    return inputs, ShuffleWitness(unmoved, unmasked_)


def _one_unmasked(giver: Giver, inputs: Cards, witness: ShuffleWitness) -> tuple[Cards, ShuffleWitness]:
    first = (0, *witness.remasks[0][1:])
    some = ShuffleWitness(witness.permutation, (first, *witness.remasks[1:]))
    return _again(giver, inputs, some), some


def _marked(giver: Giver, inputs: Cards, witness: ShuffleWitness) -> tuple[Cards, ShuffleWitness]:
    """One scalar for all cards: whoever knows it follows each of them."""
    masks = ((giver.dealing.group.order - 5,) * len(inputs[0]),) * len(inputs)
    same = ShuffleWitness(witness.permutation, masks)
    return _again(giver, inputs, same), same


def _unseeded(giver: Giver, task: Task, number: int, deed: Any) -> bytes | None:
    """A valid shuffle in an order of its own choice."""
    if not isinstance(task, Shuffle):
        return None
    other = Secrets(bytes(32), giver.dealing.group.order)
    body: bytes = replace(at_place(giver), secrets=other).give(task, number, deed)[0]
    return body


def _few(deck: bytes, group: Group) -> bytes:
    return deck[: -2 * group.point_size]


def _first_deck(giver: Giver, inputs: Cards, witness: ShuffleWitness) -> tuple[Cards, ShuffleWitness]:
    """The deck as it was before the first shuffle, masked anew: what the others did is undone."""
    deck = giver.dealing.zone_cards(giver.position, giver.position.pending.zone)  # type: ignore[union-attr]
    return _again(giver, deck, witness), witness


SHUFFLES: Final = (
    *(
        lie(f"shuffle-{name}", tries, source, ALL, shuffled(change), says=says)
        for name, tries, source, change, says in (
            (
                "card-twice",
                "Puts one card into the shuffled deck twice and drops another.",
                "CHEATS 3, 12",
                _duplicate,
                "does not hold",
            ),
            ("card-copied", "Copies a shuffled card with its mask.", "CHEATS 3, 26", _same_mask, "same mask"),
            (
                "card-replaced",
                "Puts a point that is no card into the deck.",
                "CHEATS 3, 38",
                _replaced,
                "does not hold",
            ),
            (
                "identity",
                "Hands the deck on as it came: no order changed, no mask.",
                "CHEATS 26, 27",
                _nothing,
                "kept its mask",
            ),
            (
                "mask-zero",
                "Leaves one card's mask as it was (r = 0), to follow it.",
                "CHEATS 26",
                _one_unmasked,
                "kept its mask",
            ),
            (
                "undone",
                "Shuffles the first deck and not the one it was handed.",
                "CHEATS 5, 32",
                _first_deck,
                "does not hold",
            ),
        )
    ),
    lie(
        "shuffle-crossed",
        "Recombines the attributes of two cards: one card twice, another one gone.",
        "CHEATS 3, 5",
        {GO_FISH: LITTLE, ONE_FISH: FISH, CASINO: DEALER},
        shuffled(_crossed),
        says="does not hold",
    ),
    lie(
        "shuffle-one-mask",
        "Masks the cards with one scalar, so that equal cards stay linked.",
        "CHEATS 2",
        ALL,
        shuffled(_marked),
        says="seed",
        end=End.PROVED,
        is_late=True,
    ),
    lie(
        "shuffle-too-few",
        "Drops a card from the deck.",
        "CHEATS 3",
        ALL,
        edited(Shuffle, part(0, _few)),
    ),
    lie(
        "shuffle-without-proof",
        "Shuffles and proves nothing.",
        "CHEATS 3",
        ALL,
        edited(Shuffle, lambda body, _group: pack(unpack(body)[:1])),
        says="output and its proof",
    ),
    lie(
        "shuffle-ground",
        "Picks the order of its shuffle instead of taking that of its committed seed: a valid shuffle.",
        "CHEATS 18, 20",
        ALL,
        _unseeded,
        says="seed",
        end=End.PROVED,
        is_late=True,
    ),
    lie(
        "shuffle-ground-unrevealed",
        "The same where nothing is revealed: in an order that one honest shuffle makes worthless.",
        "CHEATS 18, 26",
        ALL,
        _unseeded,
        end=End.IGNORED,
        is_late=True,
        reveal="never",
    ),
)

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
        is_mix = isinstance(task, Mix) or (isinstance(task, Pick) and number == 1)
        if not is_mix or task.zone != hand_of(giver.place.seat):  # type: ignore[union-attr]
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

ATTACKS: Final[tuple[Attack, ...]] = (*SHUFFLES, *SHARES, *MIXES)
