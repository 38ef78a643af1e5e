"""The texts of the actions of Casino Go Fish."""

from __future__ import annotations

from collections.abc import Iterable

from ..cards import Deck, InvalidCard
from ..contract import Action, BadAction
from ..message import Message, message_of
from .casino_discard import BACK
from .casino_draw import FROM_DECK, FROM_POOL, TAKE
from .casino_round import CONCEAL, EXPOSE
from .casino_state import DISCARD, FILL, KEEP, PASS, READY, SWAP, TO_HAND, TO_TABLE
from .seats import seat_named

PLAIN = (READY, EXPOSE, CONCEAL, DISCARD, PASS)
"""Actions of one word."""

COUNTS = {"1": "1", "2": "2", "one": "1", "two": "2"}

SAMPLES = f"{FROM_DECK} 2, {FROM_POOL} QS 4D, {TAKE} B hand table, {FILL} 5C, {SWAP} QS=5C, {KEEP}, {DISCARD}"


def parse_action(deck: Deck, text: str, labels: tuple[str, ...]) -> Action:
    """The action a text names, in either case. Raises ``BadAction`` with one sentence."""
    words = text.split()
    verb = " ".join(words[:2]).lower() if words and words[0].lower() in ("draw", "hand") else ""
    rest = words[2:] if verb else words[1:]
    verb = verb or "".join(words[:1]).lower()
    try:
        return _action(deck, verb, rest, labels)
    except InvalidCard as error:
        raise BadAction(message_of(error)) from None


def _action(deck: Deck, verb: str, words: list[str], labels: tuple[str, ...]) -> Action:
    if verb in PLAIN and not words:
        return Action(verb)
    match verb:
        case "draw deck":
            if len(words) == 1 and words[0].lower() in COUNTS:
                return Action(verb, value=COUNTS[words[0].lower()])
            raise _bad(f"{FROM_DECK} 2")
        case "draw pool" if len(words) in (1, 2):
            return Action(verb, cards=_cards(deck, words))
        case "take" if len(words) >= 2:
            return Action(verb, seat_named(words[0], labels), cards=_taken(deck, words[1:]))
        case "fill" if len(words) == 1:
            return Action(verb, cards=_cards(deck, words))
        case "swap" if len(words) in (1, 2):
            return Action(verb, cards=_swaps(deck, words))
        case "keep":
            return Action(verb, cards=_cards(deck, words))
        case "hand back":
            return _handed(deck, words, labels)
        case _:
            raise _bad(SAMPLES)


def _bad(sample: str) -> BadAction:
    return BadAction(Message("Such an action is written: {sample}.", sample=sample))


def _cards(deck: Deck, words: Iterable[str]) -> tuple[str, ...]:
    """Cards in deck order, each named once."""
    faces = [deck.parse(word) for word in words]
    if len(set(faces)) < len(faces):
        raise BadAction(Message("The same card is named twice."))
    return tuple([deck.text(face) for face in sorted(faces, key=deck.index)])


def _taken(deck: Deck, words: list[str]) -> tuple[str, ...]:
    """``hand table`` for blind cards, ``9H hand 8D table`` for those of an open hand."""
    lower = [word.lower() for word in words]
    if set(lower) <= {TO_HAND, TO_TABLE} and len(lower) <= 2:
        return tuple(sorted(lower))
    if len(words) not in (2, 4) or not set(lower[1::2]) <= {TO_HAND, TO_TABLE}:
        raise _bad(f"{TAKE} B hand table, {TAKE} B 9H hand")
    named = [deck.parse(word) for word in words[::2]]
    if len(set(named)) < len(named):
        raise BadAction(Message("The same card is named twice."))
    pairs = sorted(zip(named, lower[1::2], strict=True), key=lambda pair: deck.index(pair[0]))
    return tuple([word for face, place in pairs for word in (deck.text(face), place)])


def _swaps(deck: Deck, words: list[str]) -> tuple[str, ...]:
    """``QS=5C``: the card of the hand, and the drawn card that takes its place."""
    pairs = []
    for word in words:
        out, equals, into = word.partition("=")
        if not equals:
            raise _bad(f"{SWAP} QS=5C 4D=4S")
        pairs.append((deck.parse(out), deck.parse(into)))
    named = [face for pair in pairs for face in pair]
    if len(set(named)) < len(named):
        raise BadAction(Message("The same card is named twice."))
    pairs.sort(key=lambda pair: deck.index(pair[1]))
    return tuple([f"{deck.text(out)}={deck.text(into)}" for out, into in pairs])


def _handed(deck: Deck, words: list[str], labels: tuple[str, ...]) -> Action:
    """Alone, or with the Patron's name; with two Patrons the card for the first, then that for the second."""
    if not words:
        return Action(BACK)
    if len(words) == 1:
        return Action(BACK, seat_named(words[0], labels))
    if len(words) > 2:
        raise _bad(BACK)
    return Action(BACK, cards=tuple([deck.text(deck.parse(word)) for word in words]))
