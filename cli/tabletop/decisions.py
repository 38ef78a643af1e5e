"""What somebody has to decide, and how it is tapped, in words for a screen that several people share. Pure.

They follow from the kind of the decision, which all know. What is possible depends on the hand: whoever picks
a card that makes no pair is told of pairs all the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.contract import AnyRules, Event, View
from engine.table import Choose, Complete, Disclose, Tick

from ..language import N_
from ..translation import gettext as _
from .base import Setting
from .controller_texts import how_to_tap
from .scripts import STAR, Card, Tap, Token, Word

__all__ = ["how_to_decide", "is_held_back", "kind_of", "what_is_lacking", "what_to_decide"]

GIVE: Final = "give"
LAY: Final = "lay"
RACE: Final = "race"

_PUBLIC: Final = frozenset({"take"})
"""Verbs that not every player has, and of whom all know it: who is the Dealer, and whose hand has cards."""

WHAT: Final[Mapping[str, Mapping[str, str]]] = {
    "go-fish": {
        "ask": N_("Ask somebody."),
        LAY: N_("Choose the cards that you lay."),
    },
    "one-fish": {
        "ask": N_("Ask somebody."),
        "pick": N_("Pick a card from the pond."),
        LAY: N_("Lay a pair."),
        "lay or decline": N_("Lay a pair, or decline."),
    },
    "casino": {
        "draw": N_("Draw cards."),
        "again": N_("Take another card, or pass."),
        "fill": N_("Fill your hand."),
        "swap": N_("Swap cards, or keep."),
        "keep": N_("Choose the cards that you keep."),
        "discard": N_("Discard, or hand back."),
    },
    "discount-salmon": {
        "flip": N_("Flip a fish."),
        "play": N_("Play cards, or pass."),
        RACE: N_("Play cards."),
        "drop": N_("Put two cards away."),
    },
}
"""For each game and kind of decision, what it is."""

_VERBS: Final[Mapping[str, Mapping[str, Sequence[str]]]] = {
    "one-fish": {"lay or decline": ("decline",)},
    "casino": {"draw": ("draw deck", "take"), "again": ("take", "pass")},
    "discount-salmon": {"play": ("play", "pass"), RACE: ("play",)},
}
"""The verbs that are explained for a kind, where they are others than the one of that name."""


def kind_of(rules: AnyRules, view: View[Any]) -> str:
    """The kind of decision that is waited for."""
    match rules.pending(view.state):
        case Choose(_, kind):
            return kind
        case Disclose():
            return GIVE
        case Complete():
            return LAY
        case Tick():
            return RACE
        case _:
            return ""


def is_held_back(rules: AnyRules, view: View[Any]) -> bool:
    """Whether a decision is kept until a fixed time is up, so that nobody sees whether there was a choice."""
    match rules.pending(view.state):
        case Choose(delayed=delayed):
            return delayed
        case Disclose() | Complete():
            return True
        case _:
            return False


def what_to_decide(setting: Setting, seat: int, view: View[Any], seconds: float | None) -> list[str]:
    """Sentences. ``seconds`` is set where an answer is given after a fixed time in any case."""
    kind = kind_of(setting.rules, view)
    match setting.rules.pending(view.state):
        case Disclose(match=match) if view.state.turn != seat:
            # The asking itself is told with the answer, where both are one step.
            asking = Event("ask", view.state.turn, seat, (match.value,))
            found = [setting.speakers[seat].event(asking), _("Choose what to give.")]
        case _:
            text = WHAT.get(setting.rules.info.id, {}).get(kind, "")
            found = [_(text)] if text else []
    if seconds is not None and kind in (GIVE, LAY):
        found.append(_("After {n:.0f} seconds the lowest ones go.").format(n=seconds))
    return found


def how_to_decide(game: str, kind: str, possible: Sequence[str]) -> str:
    """How it is tapped. ``possible`` are the verbs of the actions that the rules allow."""
    verbs = _VERBS.get(game, {}).get(kind, (kind,))
    return how_to_tap(game, [verb for verb in verbs if verb not in _PUBLIC or verb in possible])


def what_is_lacking(rules: AnyRules, view: View[Any], taps: Sequence[Tap]) -> str:
    """What still has to be tapped in any case before ``ok`` can mean something; empty where that depends on
    the hand. It follows from what was tapped and the kind of the decision alone, which all know."""
    game, kind = rules.info.id, kind_of(rules, view)
    cards = [tap.text for tap in taps if isinstance(tap, Card)]
    words = [tap.name for tap in taps if isinstance(tap, Word)]
    has_token = any(isinstance(tap, Token) for tap in taps)
    if kind == "ask" and not has_token:
        return _("Whom? Tap a token.")
    if game == "go-fish" and kind == "ask" and not cards and not {*words} - {"ask"}:
        return _("For what? Tap a card.")
    if game == "one-fish" and kind == "ask":
        return _lacking_value(cards, words)
    is_pairs = game == "one-fish" and kind in (LAY, "lay or decline")
    if (is_pairs or (game == "casino" and kind == "swap")) and len(cards) % 2 and not words:
        return _("Tap the other card of the pair.")
    if game == "casino" and kind in ("draw", "again") and has_token and not words:
        return _("Which card? Tap hand or table.")
    if game == "casino" and kind == "draw" and words == ["deck"]:
        return _("How many? Tap 1 or 2.")
    return ""


def _lacking_value(cards: Sequence[str], words: Sequence[str]) -> str:
    """What an ask of One Fish lacks once it is said who is asked."""
    is_plain = any(card != STAR for card in cards)
    if is_plain and not {"number", "colour"} & {*words}:
        return _("What of it? Tap number or colour.")
    if not is_plain and not {*words} - {"star", "number", "colour", "ask"}:
        return _("For what? Tap a card.")
    return ""
