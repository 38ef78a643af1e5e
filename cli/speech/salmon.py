"""The words of Discount Salmon."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from ..language import N_
from ..translation import gettext as _
from ..translation import ngettext
from .base import PLAIN, REASONS, Speech
from .words import PROBLEMS

if TYPE_CHECKING:
    from ..text import Glyphs


def problem_names(words: tuple[str, ...]) -> str:
    """``ugly, toxic``."""
    return ", ".join(_(PROBLEMS[word]) if word in PROBLEMS else word for word in words)


def fields(key: str, words: tuple[str, ...], glyphs: Glyphs) -> Mapping[str, str]:
    """``problems`` of a fish, ``cards`` apart by commas, and ``some`` cards where they are hidden."""
    if words and words[0].isdecimal():
        count = int(words[0])
        some = ngettext("{n} card", "{n} cards", count).format(n=count)
    else:
        some = ", ".join(map(glyphs.card, words))
    return {"problems": problem_names(words), "cards": ", ".join(map(glyphs.card, words)), "some": some}


SPEECH: Final = Speech(
    events={
        **PLAIN.events,
        "flip": (N_("The fish is {problems}."), N_("The fish is {problems}.")),
        "play": (N_("{who} plays {cards}."), N_("You play {cards}.")),
        "invalid": (N_("{who} wastes {cards}."), N_("You waste {cards}.")),
        "deferred": (
            N_("Late: {cards} of {who}, judged after the next tick."),
            N_("Late: your {cards}, judged after the next tick."),
        ),
        "late": (N_("Too late: {who} takes {cards} back."), N_("Too late: you take {cards} back.")),
        "claim": (N_("{who} gets the fish."), N_("You get the fish!")),
        "stale claim": (
            N_("Nobody plays: {who} gets the fish, thanks to the deep fryer."),
            N_("Nobody plays: you get the fish, thanks to the deep fryer."),
        ),
        "eaten": (
            N_("Andrew the cat, sent by {who}, runs away with the fish."),
            N_("Andrew the cat runs away with the fish for you."),
        ),
        "fryer": (N_("{who} has the deep fryer now."), N_("You have the deep fryer now.")),
        "absent": (N_("{who} does not answer and is out for this fish."), N_("You are out for this fish.")),
        "drop": (N_("{who} puts away {some}."), N_("You put away {some}.")),
        "pass": (N_("{who} passes."), N_("You pass.")),
        "refill": (N_("{who} draws {count}."), N_("You draw {drawn}.")),
    },
    reasons={
        **REASONS,
        "allowance": N_("You have played your three cards on this fish."),
        "too-many": N_("On this fish you may still play: {word}."),
        "already-played": N_("You have played that card already; it is being judged."),
        "out-of-race": N_("You are out for this fish."),
        "not-held": N_("You hold no {card}."),
        "twice": N_("You hold {card} only once."),
        "no-such-fish": N_("The lake has no such fish."),
        "drop-count": N_("Put away exactly {word}."),
        "must-be-open": N_("Only your two lowest cards are put away face down."),
    },
    endings={
        "lake-empty": N_("The lake is empty"),
        "piles-empty": N_("There are not enough cards to fill every hand"),
    },
    score=N_("fish"),
    shared=(
        N_("{who} share the win: equal in fish, curses and cures."),
        N_("You share the win with {who}: equal in fish, curses and cures."),
    ),
    fields=fields,
)
