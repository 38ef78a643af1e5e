"""The texts of what players do in Discount Salmon."""

from __future__ import annotations

from ..cards import Deck, InvalidCard
from ..contract import Action, BadAction
from ..message import Message, message_of

FLIP = "flip"
PLAY = "play"
WAIT = "wait"
PASS = "pass"  # noqa: S105  # a word of the game
DROP = "drop"
DOWN = "down"

_VERBS = (FLIP, PLAY, WAIT, PASS, DROP)

_MOST_WORDS = 12
"""Words that are read as cards: more than twice a hand is a mistake or mischief."""


def parse_action(deck: Deck, text: str) -> Action:
    """``flip``, ``flip 7``, ``play makeup antidote``, ``wait``, ``pass``, ``drop sun mustache``.

    In either case, and ``fish costume`` without its hyphen, too.
    ``drop down`` discards the two lowest cards face down, as is done for a player who lets the time pass.
    Raises ``BadAction`` with one sentence.
    """
    verb, *words = text.lower().replace(",", " ").split() or [""]
    if verb not in _VERBS:
        raise BadAction(
            Message('An action begins with {verbs}, such as "play makeup".', verbs=", ".join(_VERBS))
        )
    if verb == FLIP:
        return Action(FLIP, value=_place(words))
    value = DOWN if verb == DROP and words[:1] == [DOWN] else ""
    cards = _cards(deck, words[1:] if value else words)
    if verb in (WAIT, PASS) and cards:
        raise BadAction(Message('"{verb}" is written without cards.', verb=verb))
    if verb in (PLAY, DROP) and not cards and not value:
        raise BadAction(Message('"{verb}" names the cards, such as "{verb} sun mustache".', verb=verb))
    return Action(verb, value=value, cards=cards)


def _place(words: list[str]) -> str:
    """Without a number the lowest place."""
    place = words[0] if words else "1"
    # Three digits are more than any lake has fish.
    if len(words) > 1 or not (place.isascii() and place.isdecimal() and len(place) < 4):
        raise BadAction(Message('A fish is flipped with "flip", or "flip 3" for the third one in the lake.'))
    return str(int(place))


def _cards(deck: Deck, words: list[str]) -> tuple[str, ...]:
    """Names of cards; one of two words may be written with a hyphen or without."""
    if len(words) > _MOST_WORDS:
        raise BadAction(Message("These are too many cards."))
    cards: list[str] = []
    left = list(words)
    while left:
        try:
            face = deck.parse("-".join(left[:2]))
            taken = 2 if len(left) > 1 else 1
        except InvalidCard:
            taken = 1
            try:
                face = deck.parse(left[0])
            except InvalidCard as error:
                raise BadAction(message_of(error)) from None
        cards.append(deck.text(face))
        del left[:taken]
    return tuple(cards)
