"""The words of One Fish: what may be asked for, and the texts of actions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from ..cards import Deck, Face, InvalidCard
from ..contract import Action, BadAction
from ..message import Message, message_of
from ..table import Match
from .seats import seat_named

NUMBER = "number"
COLOUR = "colour"
STAR = "*"
VIA_STAR = " via star"
STAR_MATCH = Match(NUMBER, STAR)

NUMBERS = ("1", "2", "3", "4", "5", "6")
COLOURS = {"R": "red", "B": "blue", "Y": "yellow", "G": "green"}
"""Colours as they are written on cards, and as they are asked for."""

ASKS: Mapping[str, Match] = {
    **{word: Match(COLOUR, letter) for letter, word in COLOURS.items()},
    **{number: Match(NUMBER, number) for number in NUMBERS},
}
"""What may be asked for, by its word: ``blue``, ``3``."""


@lru_cache(maxsize=64)
def asks_of(deck: Deck) -> Mapping[str, Match]:
    """What may be asked for with this deck: one of a player's own may have fewer numbers and colours."""
    return {word: match for word, match in ASKS.items() if match.value in deck.values(match.attribute)}


_WORDS = {match: word for word, match in ASKS.items()}

_ASK = 'A turn is an ask for a number or a colour, such as "ask B 3", "ask B blue" or "ask B 3 via star".'
_LAY = 'A pair is laid as "lay R2+G2", several as "lay R2+G2 Y2+Y5".'
_CARDS_OF_A_PAIR = 2


def is_star(face: Face) -> bool:
    """Whether a card is a star, which has neither a number nor a colour."""
    return face[0] == STAR


def parse_ask(deck: Deck, text: str, labels: tuple[str, ...]) -> Action:
    """``ask B blue``, ``ask B 3``, ``ask B 3 via star``, in either case.

    An ask for both attributes reads as one for a card (``ask B R2``), which the rules then refuse. Raises
    ``BadAction`` with one sentence.
    """
    verb, *words = text.split() or [""]
    if verb.lower() != "ask" or len(words) < 2:
        raise BadAction(Message(_ASK))
    target = seat_named(words[0], labels)
    wanted = [word.lower().strip(",") for word in words[1:]]
    via_star = len(wanted) > 2 and wanted[-2] == "via"
    if via_star:
        if wanted[-1] not in ("star", STAR):
            raise BadAction(Message(_ASK))
        wanted = wanted[:-2]
    value = _value(deck, [word for word in wanted if word not in ("", "and", "&", "+")])
    return Action("ask", target, value + VIA_STAR if via_star else value)


def _value(deck: Deck, words: list[str]) -> str:
    """The word of what is asked for; the text of a card where two attributes are."""
    try:
        face = deck.parse(" ".join(words if len(words) < 3 else []))
    except InvalidCard:
        found = [_attribute(deck, word) for word in words]
    else:
        return deck.text(face)
    if len(found) == 1 and found[0]:
        return _WORDS[found[0]]
    numbers = [match.value for match in found if match and match.attribute == NUMBER]
    colours = [match.value for match in found if match and match.attribute == COLOUR]
    if numbers and colours:
        return colours[0] + numbers[0]
    raise BadAction(Message(_ASK))


def _attribute(deck: Deck, word: str) -> Match | None:
    for name in (NUMBER, COLOUR):
        try:
            return Match(name, deck.parse_value(name, word))
        except InvalidCard:
            continue
    return None


def parse_pick(text: str) -> Action:
    """``pick``, ``pick 4``: without a number the lowest position. Raises ``BadAction`` with one sentence."""
    words = text.split()
    # Three digits are more than any pond has cards.
    if words and words[0].lower() == "pick" and len(words) < 3:
        place = words[1] if len(words) == 2 else "1"
        if place.isascii() and place.isdecimal() and len(place) < 4:
            return Action("pick", value=str(int(place)))
    raise BadAction(Message('A card is picked from the pond with "pick", or "pick 3" for the third one.'))


def parse_lay(deck: Deck, text: str) -> Action:
    """``lay R2+G2 Y2+Y5`` or ``decline``. Raises ``BadAction`` with one sentence."""
    words = text.replace("+", " + ").split()
    if [word.lower() for word in words] == ["decline"]:
        return Action("decline")
    if not words or words[0].lower() != "lay":
        raise BadAction(Message(_LAY))
    try:
        faces = _faces(deck, words[1:])
    except InvalidCard as error:
        raise BadAction(message_of(error)) from None
    return Action("lay", cards=lay_texts(deck, faces))


def _faces(deck: Deck, words: list[str]) -> list[tuple[Face, Face]]:
    """The pairs of a text, cards in letters (``R2``) or in words (``red two``)."""
    cards = [part.split() for part in re.split(r"\+", " ".join(words))]
    # Between two plus signs stand the second card of one pair and the first of the next.
    faces = [_first_and_rest(deck, part) for part in cards]
    flat = [face for part in faces for face in part]
    counts = [len(part) for part in faces]
    if len(counts) > 1 and counts == [1, *[2] * (len(counts) - 2), 1]:
        return list(zip(flat[::2], flat[1::2], strict=True))
    if len(counts) == 1 and counts[0] == _CARDS_OF_A_PAIR:
        return [(flat[0], flat[1])]
    raise BadAction(Message(_LAY))


def _first_and_rest(deck: Deck, words: list[str]) -> list[Face]:
    faces = []
    at = 0
    while at < len(words):
        is_colour = (match := _attribute(deck, words[at])) is not None and match.attribute == COLOUR
        size = 2 if is_colour and at + 1 < len(words) else 1
        text = " ".join(words[at : at + size])
        faces.append(deck.parse(text if len(words[at]) > 1 else text.replace(" ", "")))
        at += size
    return faces


def pair_text(deck: Deck, a: Face, b: Face) -> str:
    """``R2+G2``: the two cards in deck order."""
    if deck.index(a) > deck.index(b):
        a, b = b, a
    return f"{deck.text(a)}+{deck.text(b)}"


def lay_texts(deck: Deck, pairs: Iterable[tuple[Face, Face]]) -> tuple[str, ...]:
    """``R2+G2``, ``Y2+Y5``: pairs of cards in deck order, and the pairs in the order of their cards."""
    order = deck.index
    sorted_pairs = sorted([sorted(pair, key=order) for pair in pairs], key=lambda pair: [*map(order, pair)])
    return tuple([pair_text(deck, a, b) for a, b in sorted_pairs])
