"""What the controller mode explains: how to tap each decision, and what has no tag yet. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from hardware.tags import Kind

from ..language import N_
from ..program import call_here
from ..text import joined
from ..translation import gettext as _
from ..translation import ngettext
from .base import Setting

MOST_NAMED: Final = 8
"""Cards without a tag that are named; of more only the number is told."""

HOW: Final[Mapping[str, Mapping[str, str]]] = {
    "go-fish": {
        "ask": N_("Tap the token of the player you ask, and a card of what you ask for."),
        "give": N_("Tap the cards that you give."),
        "lay": N_("Tap the cards that you lay."),
    },
    "one-fish": {
        "ask": N_(
            "Tap the token of the player you ask, a card of what you ask for, and number or colour; or, "
            "without a card, the tag of that number or colour itself. Also the star, if you show one."
        ),
        "pick": N_("Tap pick; or the digits of a place in the pond, and then pick."),
        "lay": N_("Tap the two cards of a pair, then those of the next one; ok when that is all."),
        "decline": N_("Tap the two cards of a pair, or decline."),
        "give": N_("Tap the card that you give."),
    },
    "casino": {
        "draw deck": N_("Tap deck and 1 or 2, or cards of the pool and ok."),
        "take": N_("To take from a hand tap the player's token, and hand or table for each card."),
        "fill": N_("Tap the drawn card that fills your hand."),
        "swap": N_("Tap a card of your hand and the drawn card that comes for it, or keep."),
        "keep": N_("Tap the cards that you keep, or keep where nothing is to be chosen."),
        "discard": N_("Tap discard, or back to hand back what you took."),
        "pass": N_("Tap pass to take no other card."),
    },
    "discount-salmon": {
        "flip": N_("Tap flip; or the digits of a place in the lake, and then flip."),
        "play": N_("Tap the cards that you play, in their order."),
        "pass": N_("ok ends your turn after the cards you tapped; pass plays none."),
        "drop": N_("Tap the two cards that you put away."),
    },
}
"""For each game and verb, how its actions are tapped."""


def how_to_tap(game: str, verbs: Sequence[str]) -> str:
    """Sentences for the verbs of a decision."""
    known = HOW.get(game, {})
    found = dict.fromkeys(known[verb] for verb in verbs if verb in known)
    return " ".join(_(each) for each in found) or _("Tap what you would type, word by word; ok confirms it.")


def tokens_line(setting: Setting) -> str:
    """Who is meant by which token."""
    others = [f"{seat + 1} {name}" for seat, name in enumerate(setting.names) if setting.local != (seat,)]
    text = _("A token with a player's name, or with the number of the seat, means that player: {players}.")
    return text.format(players=", ".join(others))


def missing_tokens(setting: Setting, seat: int) -> str:
    """Which of the others a player cannot mean by tapping, and what to do; empty where there is nobody."""
    tagged = {setting.seat_of_token(tag) for tag in setting.book.of(Kind.PLAYER)}
    missing = [each for each in range(len(setting.names)) if each not in (seat, *tagged)]
    if not missing:
        return ""
    text = ngettext(
        "{names} has no token: type, and for the next game enroll one: {command}",
        "{names} have no token: type, and for the next game enroll them: {command}",
        len(missing),
    )
    seats = " ".join(f"--player {each + 1}" for each in missing)
    names = joined([setting.names[each] for each in missing])
    return text.format(names=names, command=call_here(f"tags enroll {seats}"))


def missing_tags(setting: Setting) -> list[str]:
    """What a player of this table would look for in vain among the tags of the book."""
    deck = setting.deck
    tagged = {tag.name.casefold() for tag in setting.book.of(Kind.CARD)}
    texts = list(dict.fromkeys(deck.text(face) for face in deck.faces))
    texts = [text for text in texts if text.casefold() not in tagged]
    if not setting.book.tags:
        return [_("No tag is enrolled yet; until then everything is typed.")]
    if not texts:
        return []
    text = ngettext(
        "{n} card of this deck has no tag and has to be typed",
        "{n} cards of this deck have no tag and have to be typed",
        len(texts),
    ).format(n=len(texts))
    if len(texts) <= MOST_NAMED:
        text += f": {joined([setting.glyphs.card(each) for each in texts])}"
    return [f"{text}."]
