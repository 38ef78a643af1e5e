"""Which card of the deck each tag is, and what is missing for a game with a printed deck. Pure."""

from __future__ import annotations

from collections import Counter
from typing import Final

from engine.cards import Deck, InvalidCard
from engine.registry import games
from hardware.tags import Book, Kind
from hardware.uids import Uid

from ..errors import HARDWARE, Failure
from ..program import call_here
from ..text import Glyphs, joined
from ..translation import gettext as _
from ..translation import ngettext

__all__ = ["faces_of"]

MOST_NAMED: Final = 8
"""Cards without a tag that are named; of more only the number is told."""


def faces_of(book: Book, deck: Deck, glyphs: Glyphs) -> dict[Uid, str]:
    """What is printed on the card of each tag, as the deck writes it. Raises ``Failure`` where a card of the
    deck has no tag."""
    faces = {}
    for tag in book.of(Kind.CARD):
        try:
            faces[tag.uid] = deck.text(deck.parse(tag.name))
        except InvalidCard:
            continue  # a card of another deck
    missing = _missing(deck, Counter(faces.values()))
    if missing:
        named = joined([glyphs.card(card) for card in missing[:MOST_NAMED]])
        text = ngettext(
            "{n} card of this deck has no tag: {cards}.",
            "{n} cards of this deck have no tag, among them: {cards}.",
            len(missing),
        )
        hint = _("Every card of a printed deck needs one: {command}").format(
            command=call_here(_enrolling(deck))
        )
        raise Failure(text.format(n=len(missing), cards=named), hint, HARDWARE)
    return faces


def _enrolling(deck: Deck) -> str:
    if deck.id == "standard":
        return "tags enroll"
    return f"tags enroll --deck {deck.id if deck.id in games() else 'FILE'}"


def _missing(deck: Deck, tagged: Counter[str]) -> list[str]:
    wanted = Counter(deck.text(deck.faces[card]) for card in deck.cards)
    return [card for card, count in wanted.items() for _ in range(count - tagged[card])]
