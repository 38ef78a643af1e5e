"""What is particular to each game on the full screen: a race's stack and silence, steps of a turn, shapes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, Final

from engine.contract import Action, View

from ..boards import GameBoard, HandGroup
from ..speech.words import PROBLEMS
from ..translation import gettext as _
from ..translation import ngettext

COUNTED: Final = 3
"""Seconds of silence that are counted in words, as in the plain mode; of more there is the bar."""

SHAPES: Final = {"R": "●", "B": "■", "Y": "▲", "G": "◆", "*": "★"}
"""A shape for each colour of One Fish: who cannot tell the colours sees the shapes, and reads the words."""

COLOURS: Final = {"R": "red", "B": "blue", "Y": "yellow", "G": "green", "*": "star"}
"""Names of the styles of these colours."""


@dataclass(frozen=True, slots=True)
class Token:
    """A group of the hand: what stands before it, its cards, and the style of the group."""

    label: str
    cards: tuple[str, ...]
    style: str = ""


@dataclass(frozen=True, slots=True)
class Gauge:
    """Something that runs out: ``part`` of it is left, 0 to 1."""

    text: str
    part: float


@dataclass(frozen=True, slots=True)
class Extras:
    """``headline`` stands out in the middle of the table; ``steps`` are those of a turn, ``step`` the one
    under way."""

    headline: str = ""
    gauge: Gauge | None = None
    steps: tuple[str, ...] = ()
    step: int = -1


NONE: Final = Extras()


def extras_of(game: GameBoard, view: View[Any]) -> Extras:
    """What a game shows besides players, piles and hand."""
    match game.rules.info.id:
        case "discount-salmon":
            return _salmon(game, view)
        case _:
            steps, step = game.steps(view)
            return Extras(steps=steps, step=step)


def hand_of_screen(game: GameBoard, view: View[Any], hand: Sequence[HandGroup]) -> tuple[Token, ...]:
    """One's own cards in groups, with what helps to find them."""
    match game.rules.info.id:
        case "discount-salmon":
            return tuple(Token(group.value, group.cards) for group in hand)
        case "one-fish":
            return tuple(_coloured(group) for group in hand)
        case _:
            return tuple(Token("", group.cards) for group in hand)


def _coloured(group: HandGroup) -> Token:
    names = {"R": _("red"), "B": _("blue"), "Y": _("yellow"), "G": _("green")}
    name = names.get(group.value) or ngettext("star", "stars", len(group.cards))
    shape = SHAPES.get(group.value, "")
    style = COLOURS.get(group.value, "")
    return Token(f"{shape} {name}".strip(), group.cards, f"class:{style}" if style else "")


# --- Discount Salmon ----------------------------------------------------------------------------------------


def _salmon(game: GameBoard, view: View[Any]) -> Extras:
    state = view.state
    if not state.problems:
        return NONE
    problems = ", ".join(_(PROBLEMS.get(each, each)) for each in state.problems)
    return Extras(headline=_("The fish is {problems}.").format(problems=problems), gauge=_silence(view))


def _silence(view: View[Any]) -> Gauge | None:
    """How long nobody may play any more until the fish is given up; in a race only."""
    state, settings = view.state, view.state.settings
    if settings.takes_turns or not state.silence or not settings.patience:
        return None
    left = max(0, settings.patience - state.silence)
    seconds = ceil(left * settings.tick_ms / 1000)
    text = ngettext("Stalemate in {n} second", "Stalemate in {n} seconds", seconds).format(n=seconds)
    text = text if seconds <= COUNTED else ""
    return Gauge(text, left / settings.patience)


def is_flip(actions: Sequence[Action]) -> bool:
    """Whether all there is to do is to flip a fish."""
    return bool(actions) and all(action.verb == "flip" for action in actions)
