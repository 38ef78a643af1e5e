"""Why something that was tapped is not possible: the nearest action is made of it, and the rules are asked.
Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from engine.cards import Deck
from engine.contract import Action, AnyRules, IllegalAction, Reason, View
from engine.games.one_fish_pairs import MOST_WAYS
from engine.table import Complete, Disclose
from hardware.pads import is_same_name

from ..boards import NotUnderstood
from ..lines import read_line
from ..speech.words import COLOURS
from .base import Setting
from .scripts import VIA_STAR, Card, Tap, Token, Word, attribute_of
from .words import command_word

NOT_NOW: Final = Reason("no-such-action")


def is_decision(setting: Setting, seat: int, view: View[Any], actions: Sequence[Action], line: str) -> bool:
    """Whether a typed line is a decision of this seat, with its name in front of it or not."""
    name, colon, rest = line.partition(":")
    if colon and is_same_name(name.strip(), setting.names[seat]):
        line = rest
    try:
        return isinstance(read_line(line, setting.boards[seat], view, tuple(actions)), Action)
    except NotUnderstood:
        return False


def why_not(
    rules: AnyRules, deck: Deck, view: View[Any], actions: Sequence[Action], taps: Sequence[Tap]
) -> Reason:
    """The reason that the rules have for refusing what the taps seem to mean."""
    match rules.pending(view.state):
        case Disclose():
            return Reason("must-give")
        case Complete():
            return Reason("must-lay")
        case _:
            pass
    for guess in _guesses(deck, actions, taps):
        try:
            rules.deed(view, guess)
        except IllegalAction as refusal:
            return refusal.reason
        except ValueError:
            continue
    return NOT_NOW


def may_be_unlisted(actions: Sequence[Action], taps: Sequence[Tap]) -> bool:
    """Whether these cards may be a decision that is not listed: of the ways to lay there may be
    too many. Then the rules are asked once ``ok`` is tapped."""
    return len(actions) >= MOST_WAYS and all(isinstance(tap, Card) for tap in taps)


def named(
    rules: AnyRules, deck: Deck, view: View[Any], actions: Sequence[Action], taps: Sequence[Tap]
) -> Action | None:
    """What the taps name, if that is possible although it is not among the ``actions`` that were listed."""
    for guess in _guesses(deck, actions, taps):
        try:
            rules.deed(view, guess)
        except (IllegalAction, ValueError):
            continue
        return guess
    return None


def _guesses(deck: Deck, actions: Sequence[Action], taps: Sequence[Tap]) -> Iterator[Action]:
    tokens = [tap.seat for tap in taps if isinstance(tap, Token)]
    cards = [tap.text for tap in taps if isinstance(tap, Card)]
    words = [tap.name for tap in taps if isinstance(tap, Word)]
    for action in {action.verb: action for action in reversed(actions)}.values():
        is_named = command_word(action.verb.rpartition(" ")[2]) in words
        if action.target >= 0:
            target = tokens[-1] if tokens else action.target
            if not action.cards:
                yield Action(action.verb, target, _asked(deck, action, cards, words))
            elif tokens:
                yield Action(action.verb, target, action.value, action.cards)
        elif cards and (action.cards or is_named):
            yield Action(action.verb, cards=_joined(action, cards))
        elif action.cards and is_named:
            yield action


def _asked(deck: Deck, like: Action, cards: Sequence[str], words: Sequence[str]) -> str:
    """What is asked for, in the manner of ``like``; by a star where one was tapped."""
    via = VIA_STAR if "star" in words or "*" in cards else ""
    named = [card for card in cards if card != "*"]
    if not named:
        return like.value
    value = like.value.removesuffix(VIA_STAR)
    attribute = next((word for word in words if any(word == each.name for each in deck.attributes)), None)
    attribute = attribute or attribute_of(deck, value)
    if attribute is None:
        return named[-1]
    found = deck.parse(named[-1])[deck.at(attribute)]
    return (COLOURS[found][0] if attribute == "colour" and found in COLOURS else found) + via


def _joined(like: Action, cards: Sequence[str]) -> tuple[str, ...]:
    """Cards two by two where the action names pairs."""
    joint = next((joint for joint in "+=" if any(joint in word for word in like.cards)), "")
    if not joint:
        return tuple(cards)
    return tuple(joint.join(cards[at : at + 2]) for at in range(0, len(cards), 2))
