"""What the holder of a hand may choose where the rules say *that* cards are shown, not *which* of several.

Everything here is from the holder's side: ``hand`` maps its slots to faces. Ways are distinct sets of
faces, in deck order, the lowest cards first. Of very many ways only the first are listed, but every one may
be named: ``way_named`` needs no list.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice
from typing import TypeAlias

from .cards import Deck, Face
from .table import Complete, Disclose, Slot

Cards: TypeAlias = tuple[Face, ...]


MOST_WAYS = 256
"""Ways that are listed at most.

A hand of 51 cards of two packs can be laid in pairs in millions of ways. Nobody reads a list that long, and
a hand of the usual size has fewer.
"""


def ways_to_give(deck: Deck, hand: Mapping[Slot, Face], op: Disclose) -> tuple[Cards, ...]:
    """The first ``MOST_WAYS`` sets of faces that answer ``op``.

    Exactly one where the answer is forced (perhaps to show nothing).
    """
    return tuple(islice(_distinct(*_matching(deck, hand, op)), MOST_WAYS))


def ways_to_lay(deck: Deck, hand: Mapping[Slot, Face], op: Complete) -> tuple[Cards, ...]:
    """The first ``MOST_WAYS`` sets of faces that make the most groups.

    Exactly one where it is forced (perhaps to lay nothing).
    """
    return tuple(islice(_laying(_groups(deck, hand, op)), MOST_WAYS))


def way_named(
    deck: Deck, hand: Mapping[Slot, Face], op: Disclose | Complete, texts: Iterable[str]
) -> Cards | None:
    """The way that consists of the cards with these texts, in any order; ``None`` where that is none.

    Finds every way, whether or not it is listed, in a time that does not depend on how many there are.
    """
    by_text = {deck.text(face): face for face in hand.values()}
    wanted = list(texts)
    if not by_text.keys() >= set(wanted):
        return None
    faces = sorted([by_text[text] for text in wanted], key=deck.index)
    if isinstance(op, Disclose):
        matching, count = _matching(deck, hand, op)
        return tuple(faces) if len(faces) == count and _is_among(faces, matching) else None
    groups = _groups(deck, hand, op)
    at = deck.at(op.attribute)
    laid = [tuple([face for face in faces if face[at] == group[0][at]]) for group, _ in groups]
    is_whole = sum(map(len, laid)) == len(faces) and all(
        len(part) == count and _is_among(part, group)
        for part, (group, count) in zip(laid, groups, strict=True)
    )
    return tuple([face for part in laid for face in part]) if is_whole else None


def _matching(deck: Deck, hand: Mapping[Slot, Face], op: Disclose) -> tuple[list[Face], int]:
    """The cards that answer ``op``, in deck order, and how many of them are shown."""
    matching = [face for slot in op.slots if deck.matches(face := hand[slot], op.match)]
    count = len(matching) if op.most is None else min(op.most, len(matching))
    return sorted(matching, key=deck.index), count


def _groups(deck: Deck, hand: Mapping[Slot, Face], op: Complete) -> list[tuple[list[Face], int]]:
    """The cards of each value that makes a group, in deck order, and how many of them are laid."""
    at = deck.at(op.attribute)
    by_value: dict[str, list[Face]] = {}
    for face in sorted(hand.values(), key=deck.index):
        by_value.setdefault(face[at], []).append(face)
    return [
        (faces, len(faces) - len(faces) % op.size) for faces in by_value.values() if len(faces) >= op.size
    ]


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


def _laying(groups: Sequence[tuple[list[Face], int]]) -> Iterator[Cards]:
    """One way after the other, the cards of the last value changing first."""
    if not groups:
        yield ()
        return
    for part in _distinct(*groups[0]):
        for rest in _laying(groups[1:]):
            yield (*part, *rest)


def _distinct(faces: Sequence[Face], count: int) -> Iterator[Cards]:
    """The different sets of ``count`` of the faces, which are in deck order; equal ones lie together."""
    seen: set[Cards] = set()
    for way in combinations(faces, count):
        if way not in seen:
            seen.add(way)
            yield way


def _is_among(part: Iterable[Face], whole: Iterable[Face]) -> bool:
    """Whether ``whole`` has every card of ``part`` as often."""
    return not Counter(part) - Counter(whole)
