"""Names of cards for people: ranks, colours, and the cards of Discount Salmon."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ..language import N_
from ..translation import gettext as _
from ..translation import pgettext

RANKS: Final = {
    "2": (N_("two"), N_("twos")),
    "3": (N_("three"), N_("threes")),
    "4": (N_("four"), N_("fours")),
    "5": (N_("five"), N_("fives")),
    "6": (N_("six"), N_("sixes")),
    "7": (N_("seven"), N_("sevens")),
    "8": (N_("eight"), N_("eights")),
    "9": (N_("nine"), N_("nines")),
    "T": (N_("ten"), N_("tens")),
    "J": (N_("jack"), N_("jacks")),
    "Q": (N_("queen"), N_("queens")),
    "K": (N_("king"), N_("kings")),
    "A": (N_("ace"), N_("aces")),
    "X": (N_("joker"), N_("jokers")),
}

LOOKALIKES: Final = {"J": "\u0408", "K": "\u041a", "A": "\u0410"}
"""Letters of ranks as a Cyrillic keyboard writes them."""

SUIT_NAMES: Final = {"C": N_("clubs"), "D": N_("diamonds"), "H": N_("hearts"), "S": N_("spades")}

COLOURS: Final = {
    "R": (N_("red"), N_("a red fish")),
    "B": (N_("blue"), N_("a blue fish")),
    "Y": (N_("yellow"), N_("a yellow fish")),
    "G": (N_("green"), N_("a green fish")),
}
"""Letter of a colour -> its name, and what is asked for."""

KINDS: Final = {
    "perfume": N_("perfume"),
    "makeup": N_("makeup"),
    "lotion": N_("lotion"),
    "antidote": N_("antidote"),
    "fish-costume": N_("fish costume"),
    "gym-sock": N_("gym sock"),
    "mustache": N_("mustache"),
    "sun": N_("sun"),
    "nuclear-waste": N_("nuclear waste"),
    "dog-mask": N_("dog mask"),
    "blender": N_("blender"),
    "andrew": N_("Andrew the cat"),
}

PROBLEMS: Final = {
    "stinky": N_("stinky"),
    "ugly": N_("ugly"),
    "dry": N_("dry"),
    "toxic": N_("toxic"),
    "not-fish": N_("not a fish"),
}

ATTRIBUTES: Final = (N_("rank"), N_("suit"), N_("number"), N_("colour"), N_("kind"), N_("problems"))
"""Attributes of cards, which the engine names in its messages."""


def own_name(value: str) -> str:
    """A name from somebody's own deck, in quotes: nobody here knows its plural, or its gender."""
    return _('"{name}"').format(name=value) if value else ""


def rank_name(value: str) -> str:
    """``nine``; other values as they are, in quotes."""
    if value == "1":
        return pgettext("number of a card", "one")
    return _(RANKS[value][0]) if value in RANKS else own_name(value)


def ranks_name(value: str) -> str:
    """``nines``; other values as they are, in quotes."""
    if value == "1":
        return pgettext("number of a card", "ones")
    return _(RANKS[value][1]) if value in RANKS else own_name(value)


def count_name(count: int) -> str:
    """``two``: how many, before the name of a rank. Some languages write a digit there."""
    match count:
        case 1:
            return pgettext("how many of a rank", "one")
        case 2:
            return pgettext("how many of a rank", "two")
        case 3:
            return pgettext("how many of a rank", "three")
        case _:
            return str(count)


def colour_letter(letter: str) -> str:
    """The letter that stands for a colour on a card, in the language chosen."""
    match letter:
        case "R":
            return pgettext("letter of a colour", "R")
        case "B":
            return pgettext("letter of a colour", "B")
        case "Y":
            return pgettext("letter of a colour", "Y")
        case "G":
            return pgettext("letter of a colour", "G")
        case _:
            return letter


def typed_in_english(words: Sequence[str]) -> list[str]:
    """Words that a player typed; names of cards in the language chosen become those that the engine reads.

    ``деветки`` becomes ``9`` and ``парфем`` becomes ``perfume``; other words stay as they are. Names of
    several words are found, too.
    """
    names = _spoken()
    found: list[str] = []
    at = 0
    while at < len(words):
        for count in (3, 2, 1):
            text = " ".join(words[at : at + count]).casefold()
            if text in names and at + count <= len(words):
                found.append(names[text])
                at += count
                break
        else:
            found.append(re.sub(r"[^+=]+", lambda part: names.get(part[0].casefold(), part[0]), words[at]))
            at += 1
    return found


def _spoken() -> dict[str, str]:
    """Names in the language chosen -> what the engine reads; empty in English, which the engine "
    "reads itself."""
    names: dict[str, str] = {}
    for value, forms in RANKS.items():
        names |= {_(form).casefold(): value for form in forms if _(form) != form}
        if value in LOOKALIKES and names:
            names[LOOKALIKES[value].casefold()] = value
    for form, text in (("one", rank_name("1")), ("ones", ranks_name("1"))):
        if text != form:
            names[text.casefold()] = "1"
    for value, (name, _asked) in COLOURS.items():
        if _(name) != name:
            names[_(name).casefold()] = name
            names |= {f"{colour_letter(value)}{n}".casefold(): f"{value}{n}" for n in range(1, 7)}
    for table in (KINDS, PROBLEMS):
        names |= {_(name).casefold(): value for value, name in table.items() if _(name) != name}
    for value, name in SUIT_NAMES.items():
        if _(name) != name:
            names[_(name).casefold()] = value
    return names
