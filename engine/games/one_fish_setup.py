"""Laid pairs in scenarios of One Fish."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..cards import Deck, Face
from ..contract import BadSetup, Pile
from ..message import Message
from ..table import Match
from .one_fish_text import COLOUR, NUMBER, STAR, STAR_MATCH, is_star


def stacks_of(deck: Deck, stacks: Any, pile: Pile) -> Mapping[int, tuple[Face, ...]]:
    """The laid cards of each seat, given by name (``B1+B3 R2+R6``) or as a number of cards; named ones first.

    Raises ``BadSetup`` or ``InvalidCard``.
    """
    if not isinstance(stacks, Mapping) or not all(isinstance(v, str | int) for v in stacks.values()):
        raise BadSetup(Message("stacks gives each seat its pairs, or how many cards they are."))
    by_name_first = sorted(stacks.items(), key=lambda entry: isinstance(entry[1], int))
    return {seat: _stack(deck, value, pile) for seat, value in by_name_first}


def _stack(deck: Deck, value: str | int, pile: Pile) -> tuple[Face, ...]:
    if isinstance(value, int):
        return _any_pairs(deck, value, pile)
    faces = deck.parse_all(value.replace("+", " "))
    for a, b in zip(faces[::2], faces[1::2], strict=False):
        if not (a[0] == b[0] or a[1] == b[1] or is_star(a) or is_star(b)) or (is_star(a) and is_star(b)):
            raise BadSetup(Message("{a} and {b} make no pair.", a=deck.text(a), b=deck.text(b)))
    if len(faces) % 2:
        raise BadSetup(Message("Cards are laid in pairs."))
    return pile.place(faces)


def _any_pairs(deck: Deck, count: int, pile: Pile) -> tuple[Face, ...]:
    """Pairs of cards that are not named: each star with a fish, equal fish, then fish that are alike."""
    fish = [Match("", deck.text(face)) for face in reversed(deck.faces) if not is_star(face)]
    alike = [
        Match(name, value)
        for name in (NUMBER, COLOUR)
        for value in reversed(deck.values(name))
        if value != STAR
    ]
    taken: list[Face] = []
    while len(taken) < count and (star := _taken(pile, STAR_MATCH, 1)):
        partner = next((found for match in fish if (found := _taken(pile, match, 1))), ())
        taken += (*partner, *star)
    for match in (*fish, *alike):
        while len(taken) < count and (pair := _taken(pile, match, 2)):
            taken += pair
    if len(taken) != count:
        raise BadSetup(
            Message("{count} cards cannot be laid in pairs of cards that are not named.", count=count)
        )
    return tuple(taken)


def _taken(pile: Pile, match: Match, count: int) -> tuple[Face, ...]:
    """So many cards that match; none where there are fewer."""
    try:
        return pile.take(match, count)
    except BadSetup:
        return ()
