"""The words of One Fish Two Fish Red Fish Go Fish."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from ..language import N_
from ..translation import gettext as _
from .base import ENDINGS, PLAIN, REASONS, Speech
from .words import COLOURS, rank_name, ranks_name

if TYPE_CHECKING:
    from ..text import Glyphs

_LETTERS: Final = {name: letter for letter, (name, _asked) in COLOURS.items()}


def card_name(text: str) -> str:
    """``red two``, ``a star``; of a card that is partly known, what is known."""
    if text == "*":
        return _("a star")
    if len(text) == 2 and text[0] in COLOURS and text[1].isdecimal():
        return _("{colour} {number}").format(colour=_(COLOURS[text[0]][0]), number=rank_name(text[1]))
    return text


def _asked(word: str) -> str:
    letter = word.upper() if word.upper() in COLOURS else _LETTERS.get(word, "")
    return _(COLOURS[letter][1]) if letter else ranks_name(word)


def _fish(words: tuple[str, ...]) -> str:
    """Cards one after another; of those whose colour is hidden, how many of each number."""
    named = [" + ".join(map(card_name, word.split("+"))) for word in words if not word.startswith("?")]
    for text, count in Counter(word for word in words if word.startswith("?") and word != "?").items():
        rank = rank_name(text[1:]) if count == 1 else ranks_name(text[1:])
        named.append(_("{n} {rank}").format(n=count, rank=rank))
    return ", ".join(named)


def fields(key: str, words: tuple[str, ...], glyphs: Glyphs) -> Mapping[str, str]:
    """``what`` was asked for, and the ``fish`` that are named."""
    return {"what": _asked(words[0]) if words else "", "fish": _fish(words)}


SPEECH: Final = Speech(
    events={
        **PLAIN.events,
        "ask": (N_("{who} asks {target} for {what}."), N_("You ask {target} for {what}.")),
        "ask via star": (
            N_("{who} shows a star and asks {target} for {what}."),
            N_("You show a star and ask {target} for {what}."),
        ),
        "give": (N_("{who} gives {fish}."), N_("You give {fish}.")),
        "go fish": (
            N_("{who} says: One fish, two fish, red fish, go fish!"),
            N_("You say: One fish, two fish, red fish, go fish!"),
        ),
        "none": (
            N_("{who} has none, and there is nothing left to draw."),
            N_("You have none; the pond is empty."),
        ),
        "draw": (N_("{who} picks a fish from the pond."), N_("You pick {drawn} from the pond.")),
        "show": (
            N_("{who} picked what was asked for: {fish}."),
            N_("You picked what you asked for: {fish}."),
        ),
        "lay": (N_("{who} lays {fish}."), N_("You lay {fish}.")),
        "decline": (N_("{who} lays nothing."), N_("You lay nothing.")),
        "refill": (N_("{who} had no cards and draws {count}."), N_("You had no cards and draw {drawn}.")),
    },
    reasons={
        **REASONS,
        "two-attributes": N_("Ask for a colour or for a number, not for both."),
        "star-asked": N_("Nobody can be asked for a star."),
        "no-such-value": N_("There is no such number and no such colour."),
        "no-such-place": N_("The pond has no such card."),
        "not-held": N_("You hold no such fish and show no star, so you may not ask for one."),
        "no-star": N_("You hold no star."),
        "not-in-hand": N_("You do not hold that card."),
        "pair-owed": N_("Lay a pair: a fish that came in now and one of yours, alike in what you asked for."),
        "star-owed": N_("Lay the star that you asked with, and a fish that came in now."),
        "no-match": N_("These two share neither the colour nor the number."),
        "nothing-new": N_("A pair needs a fish that came in now."),
        "star-unused": N_("A star is laid only when you asked with it."),
        "one-star": N_("Only the one star that you asked with can be laid."),
    },
    endings={
        **ENDINGS,
        "all-laid": N_("Nobody holds cards any more"),
        "nobody-to-ask": N_("The pond is empty, and only one player holds cards"),
        "no-progress": N_("The pond is empty, and nobody gets anything any more"),
    },
    proofs={
        "ask": N_("proved: holds one"),
        "ask via star": N_("proved: holds a star"),
        "give ?": N_("proved: that is all"),
        "go fish": N_("proved: holds none"),
        "none": N_("proved: holds none"),
    },
    score=N_("cards laid"),
    fields=fields,
)
