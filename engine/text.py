"""Text forms that never change with the language: events, actions and deeds, and how they are read back."""

from __future__ import annotations

from string import ascii_uppercase

from .contract import Action, BadAction, Event, GameInfo
from .message import Message, printable
from .table import Deed


def seat_letters(seats: int) -> tuple[str, ...]:
    """``A``, ``B``, ``C`` …: names of seats where people have none, as in histories and scenarios."""
    return tuple(ascii_uppercase[:seats])


def event_text(event: Event, labels: tuple[str, ...]) -> str:
    """``A: ask C 9``, ``C: go fish``, ``over hand-empty``; ``labels`` are the seats' names."""
    words = [event.verb]
    if event.target >= 0:
        words.append(labels[event.target])
    text = " ".join([*words, *event.words])
    return f"{labels[event.seat]}: {text}" if event.seat >= 0 else text


def parse_event(text: str, labels: tuple[str, ...], info: GameInfo) -> Event:
    """The event a text stands for. Raises ``BadAction`` with one sentence."""
    seat, rest = _seat_and_rest(text, labels)
    verb, words = _verb_and_words(rest, info)
    target = -1
    if verb in info.targeted:
        target, words = _target(words, labels)
    return Event(verb, seat, target, words)


def action_text(action: Action, labels: tuple[str, ...]) -> str:
    """``ask C 9``, ``give 9C 9S``: what ``Position.parse`` reads."""
    words = [action.verb]
    if action.target >= 0:
        words.append(labels[action.target])
    if action.value:
        words.append(action.value)
    return " ".join([*words, *action.cards])


def deed_text(deed: Deed, labels: tuple[str, ...]) -> str:
    """``ask C 9``, ``give #3,7``, ``lay #0,1,2,4 #5,6,8,9``: the numbers are slots of the hand."""
    words = [deed.verb]
    if deed.target >= 0:
        words.append(labels[deed.target])
    if deed.value:
        words.append(deed.value)
    return " ".join([*words, *("#" + ",".join(map(str, group)) for group in deed.groups)])


def parse_deed(text: str, labels: tuple[str, ...], info: GameInfo) -> Deed:
    """The deed a text stands for. Raises ``BadAction`` with one sentence."""
    verb, words = _verb_and_words(text, info)
    target = -1
    if verb in info.targeted:
        target, words = _target(words, labels)
    values = [word for word in words if not word.startswith("#")]
    groups = [word[1:].split(",") for word in words if word.startswith("#")]
    if len(values) > 1 or not all(
        n.isascii() and n.isdecimal() and len(n) < 6 for group in groups for n in group
    ):
        raise BadAction(Message("{text} is not a statement of this game.", text=printable(text, 40)))
    return Deed(verb, target, values[0] if values else "", tuple(tuple(map(int, group)) for group in groups))


def _seat_and_rest(text: str, labels: tuple[str, ...]) -> tuple[int, str]:
    name, colon, rest = text.partition(": ")
    if not colon:
        return -1, text
    if name not in labels:
        raise BadAction(Message("There is no seat {name}.", name=printable(name, 30)))
    return labels.index(name), rest


def _verb_and_words(text: str, info: GameInfo) -> tuple[str, tuple[str, ...]]:
    # The longest verb first: "go fish" before a game's "go".
    for verb in sorted(info.verbs, key=len, reverse=True):
        if text == verb or text.startswith(verb + " "):
            return verb, tuple(text[len(verb) :].split())
    raise BadAction(Message("{text} does not begin with a word of this game.", text=printable(text, 40)))


def _target(words: tuple[str, ...], labels: tuple[str, ...]) -> tuple[int, tuple[str, ...]]:
    if not words or words[0] not in labels:
        raise BadAction(Message("The seat that is meant is missing."))
    return labels.index(words[0]), words[1:]
