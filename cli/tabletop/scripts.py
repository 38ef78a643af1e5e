"""Which taps make which action. Pure.

A **script** is one way to tap an action: steps in groups. Each step is a set of taps of which any will do:
every nine of a deck asks for nines. The taps of a group follow each other directly, in any order; the groups
come in any order, too, unless the script says otherwise. What has been tapped *fits* a script if it can still
become it, and is *whole* when nothing is missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from engine.cards import Deck, InvalidCard
from engine.contract import Action

from .words import command_word


@dataclass(frozen=True, slots=True)
class Token:
    """A player's token."""

    seat: int


@dataclass(frozen=True, slots=True)
class Card:
    """A card, by its text in the deck."""

    text: str


@dataclass(frozen=True, slots=True)
class Word:
    """A command tag."""

    name: str


Tap: TypeAlias = Token | Card | Word
Step: TypeAlias = frozenset[Tap]
Group: TypeAlias = tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Script:
    """See the module's text."""

    groups: tuple[Group, ...]
    in_order: bool = False

    @property
    def size(self) -> int:
        """How many taps it takes."""
        return sum(map(len, self.groups))

    def fits(self, taps: Sequence[Tap]) -> bool:
        """Whether the taps can still become this action."""
        return len(taps) <= self.size and _fits(tuple(taps), self.groups, self.in_order)

    def is_whole(self, taps: Sequence[Tap]) -> bool:
        """Whether the taps are this action."""
        return len(taps) == self.size and self.fits(taps)


def _fits(taps: tuple[Tap, ...], groups: tuple[Group, ...], in_order: bool) -> bool:
    if not taps:
        return True
    for number, group in enumerate(groups[:1] if in_order else groups):
        others = groups[:number] + groups[number + 1 :]
        if _fits_group(taps, group, others, in_order):
            return True
    return False


def _fits_group(taps: tuple[Tap, ...], group: Group, others: tuple[Group, ...], in_order: bool) -> bool:
    """Whether the next taps fill this group, as far as they go, and the rest the others."""
    if not group:
        return _fits(taps, others, in_order)
    if not taps:
        return True
    return any(
        taps[0] in step and _fits_group(taps[1:], group[:number] + group[number + 1 :], others, in_order)
        for number, step in enumerate(group)
    )


# --- the scripts of an action -------------------------------------------------------------------------------

VIA_STAR: Final = " via star"
STAR: Final = "*"

PLACED_AT_RANDOM: Final = frozenset({"pick", "flip"})
"""Actions whose number is a place among cards that nobody can tell apart: without one the first is meant."""

JOINTS: Final = ("+", "=")
"""Between the two cards of a pair that is laid, and of one that is swapped."""


class Scripts:
    """The scripts of all actions that one decision allows."""

    def __init__(self, deck: Deck, actions: Sequence[Action]) -> None:
        self._deck = deck
        self._ordered = _ordered_verbs(actions)
        # The kinds of values that may be asked for.
        self._named = {attribute_of(deck, _value(action)) for action in actions if action.target >= 0} - {
            None
        }
        self.of = {action: self._scripts(action) for action in dict.fromkeys(actions)}

    def fitting(self, taps: Sequence[Tap]) -> list[Action]:
        """The actions that the taps can still become, in the order of the rules."""
        return [action for action, ways in self.of.items() if any(way.fits(taps) for way in ways)]

    def whole(self, taps: Sequence[Tap]) -> list[Action]:
        """The actions that the taps are."""
        return [action for action, ways in self.of.items() if any(way.is_whole(taps) for way in ways)]

    def missing(self, action: Action, taps: Sequence[Tap]) -> int:
        """How many taps an action takes beyond these at least."""
        return min(way.size for way in self.of[action] if way.fits(taps)) - len(taps)

    def _scripts(self, action: Action) -> tuple[Script, ...]:
        verb = _one(Word(command_word(action.verb.rpartition(" ")[2])))
        if action.target < 0 and action.value.isdecimal():
            return self._numbered(action, verb)
        groups, in_order = self._groups(action)
        target = (_one(Token(action.target)),) if action.target >= 0 else ()
        ways = []
        for value in self._values(action):
            parts = (*((step,) for step in (*target, *value)), *groups)
            # The verb may be left out where the rest says it all.
            ways += [Script(parts, in_order)] if parts else []
            ways.append(Script(((verb,), *parts), in_order))
        return tuple(ways)

    def _numbered(self, action: Action, verb: Step) -> tuple[Script, ...]:
        """Digits, and the verb that ends them: ``1 2 pick``. Where only one digit can come, in any order."""
        digits = [_one(Word(digit)) for digit in action.value]
        if action.verb not in PLACED_AT_RANDOM:
            return (Script(((*digits, verb),)),)
        ways = [Script(tuple((step,) for step in (*digits, verb)), in_order=True)]
        if action.value == "1":
            ways.append(Script(((verb,),)))
        return tuple(ways)

    def _values(self, action: Action) -> Iterable[tuple[Step, ...]]:
        """The ways to tap what is asked for."""
        value = _value(action)
        star = (frozenset({Word("star"), Card(STAR)}),) if action.value.endswith(VIA_STAR) else ()
        if not value:
            return ((),)
        attribute = attribute_of(self._deck, value)
        if attribute is None:
            card = _card(self._deck, value)
            return ((_one(card or Word(command_word(value))), *star),)
        cards = frozenset(_cards_with(self._deck, attribute, value))
        said = _one(Word(command_word(value)))
        if len(self._named) < 2:
            return ((cards, *star), (said, *star))
        # A card has a number and a colour: which of them is meant has to be said.
        return ((cards, _one(Word(attribute)), *star), (said, *star))

    def _groups(self, action: Action) -> tuple[tuple[Group, ...], bool]:
        """The cards of an action, and whether their order matters."""
        words = action.cards
        pairs = [_pair(self._deck, word) for word in words]
        if words and all(pairs):
            return tuple(pair for pair in pairs if pair), False
        is_placed = [_card(self._deck, word) is not None for word in words]
        if words and len(words) % 2 == 0 and is_placed == [True, False] * (len(words) // 2):
            steps = [_one(self._word(word)) for word in words]
            return tuple(zip(steps[::2], steps[1::2], strict=True)), False
        found = [_one(self._word(word)) for word in words]
        if action.verb in self._ordered:
            return tuple((step,) for step in found), True
        return ((tuple(found),) if found else ()), False

    def _word(self, text: str) -> Tap:
        return _card(self._deck, text) or Word(command_word(text))


def _ordered_verbs(actions: Sequence[Action]) -> frozenset[str]:
    """The verbs of which several actions differ in nothing but the order of their cards."""
    seen = Counter(
        (action.verb, action.target, action.value, tuple(sorted(action.cards)))
        for action in dict.fromkeys(actions)
        if len(action.cards) > 1
    )
    return frozenset(key[0] for key, count in seen.items() if count > 1)


def _one(tap: Tap) -> Step:
    return frozenset({tap})


def _value(action: Action) -> str:
    return action.value.removesuffix(VIA_STAR)


@lru_cache(maxsize=512)
def attribute_of(deck: Deck, value: str) -> str | None:
    """The attribute that a value belongs to, if it is one."""
    for attribute in deck.attributes:
        try:
            deck.parse_value(attribute.name, value)
        except InvalidCard:
            continue
        return attribute.name
    return None


@lru_cache(maxsize=512)
def _cards_with(deck: Deck, attribute: str, value: str) -> tuple[Card, ...]:
    at, wanted = deck.at(attribute), deck.parse_value(attribute, value)
    return tuple(Card(deck.text(face)) for face in deck.faces if face[at] == wanted)


def _card(deck: Deck, text: str) -> Card | None:
    try:
        return Card(deck.text(deck.parse(text)))
    except InvalidCard:
        return None


def _pair(deck: Deck, text: str) -> Group | None:
    for joint in JOINTS:
        first, found, second = text.partition(joint)
        cards = (_card(deck, first), _card(deck, second))
        if found and cards[0] and cards[1]:
            return (_one(cards[0]), _one(cards[1]))
    return None
