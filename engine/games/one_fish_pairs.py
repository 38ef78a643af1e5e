"""Which pairs may be laid in One Fish: the public rules, and all ways that a hand allows.

After a hit at least one pair is owed, of a card received in this ask and one held before, alike in what was
asked for (OF-PAIRATTR); in a star ask the star with a received card (OF-STARDECL). More pairs may be laid
along with it, each with a card received now (OF-MULTI), alike in number or colour. After a miss one pair with
the picked card may be laid. A star is laid in no other way, and only the one that was declared.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice, product
from typing import TypeAlias

import msgspec

from ..cards import Deck, Face, InvalidCard
from ..contract import Reason
from ..table import Match, Slot
from .one_fish_text import is_star, lay_texts, pair_text

Pair: TypeAlias = tuple[Slot, Slot]

MOST_WAYS = 256
"""Ways to lay that are listed.

Only after a number ask that brought four cards or more there can be more of them; any way may be named.
"""

_MOST_TRIED = 4096
"""Sets of pairs looked at for that list, equal cards counted apart, so that no hand takes long."""


class Lay(msgspec.Struct, frozen=True):
    """What there is to lay with: the cards that came in, and (after a hit) what they were asked for by."""

    deck: Deck
    fresh: Collection[Slot]
    wanted: Match | None
    """``None`` after a miss: then nothing has to be laid."""
    via_star: bool = False


def refused_pairs(lay: Lay, pairs: Sequence[Pair], faces: Mapping[Slot, Face]) -> Reason | None:
    """Why these pairs may not be laid; ``None`` where they may."""
    stars = 0
    is_paid = lay.wanted is None
    for pair in pairs:
        problem = _problem_of(lay, pair, faces)
        if problem:
            texts = lay.deck.sorted((faces[pair[0]], faces[pair[1]]))
            return Reason(problem, tuple(map(lay.deck.text, texts)))
        stars += any(is_star(faces[slot]) for slot in pair)
        is_paid = is_paid or _is_owed(lay, pair, faces)
    if stars > 1:
        return Reason("one-star")
    if is_paid:
        return None
    assert lay.wanted is not None
    return Reason("star-owed") if lay.via_star else Reason("pair-owed")


def _problem_of(lay: Lay, pair: Pair, faces: Mapping[Slot, Face]) -> str:
    """What is wrong with a pair by itself, as the id of a reason."""
    a, b = faces[pair[0]], faces[pair[1]]
    stars = is_star(a) + is_star(b)
    if not (a[0] == b[0] or a[1] == b[1] or stars) or stars == 2:
        return "no-match"
    if stars and not (lay.via_star and lay.wanted):
        return "star-unused"
    return "" if pair[0] in lay.fresh or pair[1] in lay.fresh else "nothing-new"


def _is_owed(lay: Lay, pair: Pair, faces: Mapping[Slot, Face]) -> bool:
    """Whether this is the pair that has to be laid after a hit."""
    a, b = faces[pair[0]], faces[pair[1]]
    if lay.via_star:
        return is_star(a) or is_star(b)
    assert lay.wanted is not None
    at = lay.deck.at(lay.wanted.attribute)
    is_one_fresh = (pair[0] in lay.fresh) != (pair[1] in lay.fresh)
    return is_one_fresh and a[at] == b[at] == lay.wanted.value


def ways_to_lay(lay: Lay, hand: Mapping[Slot, Face]) -> tuple[tuple[str, ...], ...]:
    """The texts of all sets of pairs that may be laid, most pairs with the first card that came in first.

    At most ``MOST_WAYS``.
    """
    fresh = [slot for slot in hand if slot in lay.fresh]
    if len(fresh) == 1:
        return _single_pairs(lay, hand, fresh[0])
    ways: dict[tuple[str, ...], None] = {}
    for pairs in islice(_sets(lay, hand, fresh, frozenset()), _MOST_TRIED):
        if pairs and refused_pairs(lay, pairs, hand) is None:
            ways[lay_texts(lay.deck, [(hand[a], hand[b]) for a, b in pairs])] = None
            if len(ways) == MOST_WAYS:
                break
    return tuple(ways)


def _single_pairs(lay: Lay, hand: Mapping[Slot, Face], fresh: Slot) -> tuple[tuple[str, ...], ...]:
    """The same where one card came in, as almost always."""
    number, colour = received = hand[fresh]
    old = dict.fromkeys([face for slot, face in hand.items() if slot != fresh])
    if lay.wanted is None:
        alike = [face for face in old if face[0] == number or face[1] == colour]
        found = [face for face in alike if not is_star(face)]
    elif lay.via_star:
        found = [face for face in old if is_star(face)]
    else:
        at = lay.deck.at(lay.wanted.attribute)
        found = [face for face in old if face[at] == lay.wanted.value]
    return tuple([(pair_text(lay.deck, received, face),) for face in found])


def _sets(
    lay: Lay, hand: Mapping[Slot, Face], fresh: list[Slot], used: frozenset[Slot]
) -> Iterator[list[Pair]]:
    """Sets of pairs that each have a card of ``fresh``; none of them, and those not owed, included."""
    if not fresh:
        yield []
        return
    first, *others = fresh
    if first not in used:
        seen: set[Face] = set()
        for slot, face in hand.items():
            # Of equal cards that were held before, any will do.
            is_again = face in seen and slot not in lay.fresh
            if slot == first or slot in used or is_again or _problem_of(lay, (first, slot), hand):
                continue
            if slot not in lay.fresh:
                seen.add(face)
            for more in _sets(lay, hand, others, used | {first, slot}):
                yield [(first, slot), *more]
    yield from _sets(lay, hand, others, used)


def slots_to_lay(
    lay: Lay, hand: Mapping[Slot, Face], texts: Sequence[str]
) -> tuple[tuple[Slot, ...], Reason | None]:
    """The slots of pairs given by their texts, and why these may not be laid.

    Of equal cards those are taken with which the rules are kept, if there are any.
    """
    cards = [card for text in texts for card in text.split("+")]
    if not texts or any(text.count("+") != 1 for text in texts):
        return (), Reason("malformed")
    try:
        faces = [lay.deck.parse(card) for card in cards]
    except InvalidCard:
        return (), Reason("malformed")
    held = list(hand.values())
    for face in faces:
        if face not in held:
            return (), Reason("not-in-hand", (lay.deck.text(face),))
        held.remove(face)
    options = [[slot for slot, own in hand.items() if own == face] for face in faces]
    first: Reason | None = None
    for slots in islice(product(*options), _MOST_TRIED):
        if len(set(slots)) < len(slots):  # of two equal cards the same
            continue
        reason = refused_pairs(lay, pairs_of(slots), hand)
        if reason is None:
            return slots, None
        first = first or reason
    return (), first or Reason("malformed")


def pairs_of(slots: Sequence[Slot]) -> tuple[Pair, ...]:
    """Slots two by two."""
    return tuple(zip(slots[::2], slots[1::2], strict=True))
