"""What the holder of a hand may choose where the rules say *that* cards are shown, not *which* of several.

Everything here is from the holder's side: ``hand`` maps its slots to faces. Ways are distinct sets of
faces, in deck order, the lowest cards first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, product
from typing import TypeAlias

from .cards import Deck, Face
from .table import Complete, Disclose, Slot

Cards: TypeAlias = tuple[Face, ...]


def ways_to_give(deck: Deck, hand: Mapping[Slot, Face], op: Disclose) -> tuple[Cards, ...]:
    """The sets of faces that answer ``op``.

    Exactly one where the answer is forced (perhaps to show nothing).
    """
    matching = [face for slot in op.slots if deck.matches(face := hand[slot], op.match)]
    ordered = sorted(matching, key=deck.index)
    if op.most is None or len(ordered) <= op.most:
        return (tuple(ordered),)
    return _subsets(ordered, op.most)


def ways_to_lay(deck: Deck, hand: Mapping[Slot, Face], op: Complete) -> tuple[Cards, ...]:
    """The sets of faces that make the most groups.

    Exactly one where it is forced (perhaps to lay nothing).
    """
    at = deck.at(op.attribute)
    by_value: dict[str, list[Face]] = {}
    for face in sorted(hand.values(), key=deck.index):
        by_value.setdefault(face[at], []).append(face)
    ways = [
        _subsets(faces, len(faces) - len(faces) % op.size)
        for faces in by_value.values()
        if len(faces) >= op.size
    ]
    return tuple(tuple(face for part in parts for face in part) for parts in product(*ways))


def slots_to_give(hand: Mapping[Slot, Face], faces: Iterable[Face]) -> tuple[Slot, ...]:
    """Slots of the hand with these faces, in the hand's order; of equal faces the first."""
    wanted = list(faces)
    found = []
    for slot, face in hand.items():
        if face in wanted:
            wanted.remove(face)
            found.append(slot)
    if wanted:
        raise ValueError("these cards are not in the hand.")
    return tuple(found)


def slots_to_lay(hand: Mapping[Slot, Face], faces: Sequence[Face], size: int) -> tuple[tuple[Slot, ...], ...]:
    """The slots of each group of ``size``, for faces as ``ways_to_lay`` orders them."""
    left = dict(hand)
    groups = []
    for start in range(0, len(faces), size):
        group = slots_to_give(left, faces[start : start + size])
        for slot in group:
            del left[slot]
        groups.append(group)
    return tuple(groups)


def _subsets(faces: Sequence[Face], count: int) -> tuple[Cards, ...]:
    return tuple(dict.fromkeys(combinations(faces, count)))
