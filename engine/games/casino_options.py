"""The options of Casino Go Fish (rules, section 4) and what they amount to."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from ..cards import Deck, load_deck
from ..contract import BadOption, GameInfo, Option
from ..message import Message
from ..options import complete_options

INFO = GameInfo(
    id="casino",
    version=1,
    title="Casino Go Fish",
    least_seats=2,
    most_seats=6,
    options=(
        Option("dealer", ("random",), 1, 6),
        Option("scoring", ("team", "individual")),
        Option("tie", ("dealer_wins", "push")),
        Option("dealer_takes_from", ("one", "split")),
        Option("end", ("after_turn", "finish_round")),
    ),
    verbs=(
        "dealer", "pool to pile", "ready", "expose", "conceal", "draw deck", "draw pool", "take", "show",
        "fill", "swap", "keep", "pass", "discard", "hand back", "set", "draw back", "burn", "over", "lay",
    ),
    targeted=("take",),
    wishes=("expose", "conceal"),
)  # fmt: skip

HAND = 5
"""Cards that are dealt to each seat, and that a hand is kept at."""

SET = 4
"""Cards of one number that make a set: all there are."""

MOST_DRAWN = 2
"""Cards that may be drawn in one turn."""


class Settings(msgspec.Struct, frozen=True):
    """The options as the game uses them. ``dealer`` is a seat, or -1 where it is drawn by lot."""

    deck: Deck
    dealer: int
    scores_team: bool
    dealer_wins_ties: bool
    may_split: bool
    finishes_round: bool


def checked_options(chosen: Mapping[str, str], seats: int) -> dict[str, str]:
    """All options with defaults filled in. Raises ``BadOption`` with one sentence."""
    options = complete_options(INFO, chosen, seats)
    if options["dealer"] != "random" and int(options["dealer"]) > seats:
        raise BadOption(
            Message(
                "dealer={dealer} is no seat of this table: it has {seats} seats, counted from 1.",
                dealer=options["dealer"],
                seats=seats,
            )
        )
    return options


def settings_of(options: Mapping[str, str]) -> Settings:
    """What full, checked options amount to."""
    dealer = options["dealer"]
    return Settings(
        deck=load_deck("standard"),
        dealer=-1 if dealer == "random" else int(dealer) - 1,
        scores_team=options["scoring"] == "team",
        dealer_wins_ties=options["tie"] == "dealer_wins",
        may_split=options["dealer_takes_from"] == "split",
        finishes_round=options["end"] == "finish_round",
    )
