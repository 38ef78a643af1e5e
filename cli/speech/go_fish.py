"""The words of Go Fish."""

from __future__ import annotations

from typing import Final

from ..language import N_
from .base import ENDINGS, PLAIN, REASONS, Speech

SPEECH: Final = Speech(
    events={
        **PLAIN.events,
        "ask": (N_("{who} asks {target} for {what}."), N_("You ask {target} for {what}.")),
        "give": (N_("{who} gives {cards}."), N_("You give {cards}.")),
        "go fish": (
            # Translators: what a player says at the table who holds none of what was asked for; short, and in
            # the imperative. In Macedonian "Лови риба!", as one child tells another at the water: word for
            # word, "Оди риба" is no Macedonian, and "Оди на риби" sends somebody away for a day of fishing.
            N_("{who} says: Go fish!"),
            N_("You say: Go fish!"),
        ),
        "none": (
            N_("{who} has none, and there is nothing left to draw."),
            N_("You have none; the pond is empty."),
        ),
        "draw": (N_("{who} draws a card."), N_("You draw {drawn}.")),
        "show": (
            N_("{who} drew what was asked for: {cards}."),
            N_("You drew what you asked for: {cards}."),
        ),
        "book": (N_("{who} lays a book of {ranks}."), N_("You lay a book of {ranks}.")),
        "refill": (N_("{who} had no cards and draws {count}."), N_("You had no cards and draw {drawn}.")),
    },
    reasons={
        **REASONS,
        "rank-laid": N_("All {ranks} are laid already."),
        "not-held": N_("You hold no {rank}, so you may not ask for one."),
        "own-card": N_("You hold {card} yourself, and at this table you may not ask for it."),
    },
    endings={
        **ENDINGS,
        "hand-empty": N_("Someone has no cards left"),
        "stock-empty": N_("The pond is empty"),
        "all-books": N_("Every book is laid"),
    },
    # What the proof that came with an event says; it has been verified when the event is shown.
    proofs={
        "ask": N_("proved: holds one"),
        "give": N_("proved: that is all"),
        "go fish": N_("proved: holds none"),
        "none": N_("proved: holds none"),
    },
    score=N_("books"),
)
