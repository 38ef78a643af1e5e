"""False joint shuffles: cards doubled, marked, replaced, and orders of one's own choice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from engine.table import Shuffle

from ..deal import Secrets, Task
from ..deal.giving import Giver
from ..log.codec import pack, unpack
from ..sealed import (
    Card,
    Group,
    ShuffleWitness,
    encode_cards,
    prove_shuffle,
    shuffle,
)
from .base import End, Lie
from .edits import edited, part
from .games import ALL, CASINO, DEALER, FISH, GO_FISH, LITTLE, ONE_FISH
from .judging import lie
from .liar import at_place

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
    shuffle = giver.position.pending
    assert isinstance(shuffle, Shuffle)
    deck = giver.dealing.zone_cards(giver.position, shuffle.zone)
    return _again(giver, deck, witness), witness


ATTACKS: Final = (
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
