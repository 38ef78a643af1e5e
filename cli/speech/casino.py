"""The words of Casino Go Fish."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from ..language import N_
from ..translation import gettext as _
from ..translation import ngettext
from .base import PLAIN, REASONS, Speech

if TYPE_CHECKING:
    from ..text import Glyphs


def fields(key: str, words: tuple[str, ...], glyphs: Glyphs) -> Mapping[str, str]:
    """``pairs`` of a swap, and ``some`` cards: their names, or how many where they are hidden."""
    pairs = [word.split("=") for word in words if word.count("=") == 1]
    if words and words[0].isdecimal():
        count = int(words[0])
        some = ngettext("{n} card", "{n} cards", count).format(n=count)
    else:
        some = glyphs.cards(words)
    return {
        "pairs": ", ".join(
            _("{mine} for {other}").format(mine=glyphs.card(mine), other=glyphs.card(other))
            for mine, other in pairs
        ),
        "some": some,
    }


SPEECH: Final = Speech(
    events={
        **PLAIN.events,
        "dealer": (N_("{who} is the Dealer."), N_("You are the Dealer.")),
        "pool to pile": (N_("The pool goes to the pile."), N_("The pool goes to the pile.")),
        "draw deck": (N_("{who} draws {cards} from the deck."), N_("You draw {cards} from the deck.")),
        "draw pool": (N_("{who} takes {cards} from the pool."), N_("You take {cards} from the pool.")),
        "take": (N_("{who} takes {some} from {target}."), N_("You take {some} from {target}.")),
        "show": (N_("{who} lays {cards} face up."), N_("You lay {cards} face up.")),
        "fill": (N_("{who} fills the hand with {cards}."), N_("You fill your hand with {cards}.")),
        "swap": (N_("{who} swaps {pairs}."), N_("You swap {pairs}.")),
        "keep": (N_("{who} swaps nothing."), N_("You swap nothing.")),
        # How many cards stay in the hand is said where there were too many.
        **{
            f"keep {count}": (N_("{who} chooses the cards to keep."), N_("You choose the cards to keep."))
            for count in range(6)
        },
        "discard": (N_("{who} puts {some} into the pool."), N_("You put {some} into the pool.")),
        "hand back": (N_("{who} hands {some} back."), N_("You hand {some} back.")),
        "set": (N_("{who} lays a set of {ranks}."), N_("You lay a set of {ranks}.")),
        "draw back": (N_("{who} draws back {some}."), N_("You draw back {drawn}.")),
        "expose": (N_("{who} lays the whole hand open: {cards}."), N_("You lay your whole hand open.")),
        "conceal": (
            N_("{who} hides the cards that come from now on."),
            N_("You hide the cards that come from now on."),
        ),
        "burn": (N_("The Dealer burns {cards}."), N_("You burn {cards}.")),
        "pass": (N_("{who} passes."), N_("You pass.")),
    },
    reasons={
        **REASONS,
        "one-source": N_("Draw from one place only: the deck, the pool, or one Patron."),
        "empty-deck": N_("The deck is used up."),
        "empty-pool": N_("The pool is empty."),
        "not-in-pool": N_("The pool has no {card}."),
        "not-in-that-hand": N_("That hand has no {card}."),
        "dealer-only": N_("Only the Dealer may do that."),
        "same-patron": N_("You have taken a card from that Patron already."),
        "too-many": N_("You may not draw so many cards."),
        "not-exposed": N_("That hand is hidden: you cannot name its cards."),
        "name-cards": N_("That hand lies open: name the cards you take."),
        "not-drawn": N_("You have not drawn {card}."),
        "not-in-hand": N_("You do not hold that card."),
        "just-filled": N_("You have only just put {card} into your hand."),
        "not-alike": N_("These two cards have neither the colour nor the number in common."),
        "keep-five": N_("Keep exactly five cards."),
        "name-both": N_("Name both leftovers, the card of the first Patron first."),
        "not-taken-from": N_("You took nothing from that Patron."),
    },
    endings={
        "stock-empty": N_("The deck is used up"),
    },
    proofs={
        "hand back": N_("proved: cards of that hand"),
        "take": N_("proved: the very cards"),
    },
    score=N_("sets"),
    shared=(  # without a score: the Patrons' sets count together, and a line of its own tells how many
        N_("{who} win together."),
        N_("You win together with {who}."),
    ),
    fields=fields,
)
