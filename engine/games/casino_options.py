"""The options of Casino Go Fish (rules, section 4) and what they amount to."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from ..cards import Deck
from ..contract import BadOption, GameInfo, Option
from ..deck_files import load_deck
from ..message import Message
from ..options import complete_options
from ..own_deck import OwnDeck, own_deck_of

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
    takes_own_deck=True,
)  # fmt: skip

HAND = 5
"""Cards that are dealt to each seat, and that a hand is kept at."""

SET = 4
"""Cards of one number that make a set: all there are."""

MOST_DRAWN = 2
"""Cards that may be drawn in one turn."""


WITH_COLOUR = ("rank", "suit", "colour")
"""Attributes of a deck of one's own. The colours of the usual suits are known; others need the third one."""


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
    own = own_deck_of(chosen)
    if own is not None:
        _check_own_deck(own, seats)
    return options


def _check_own_deck(own: OwnDeck, seats: int) -> None:
    """Cards written in two letters, no two equal; each number makes a set, and each suit has a colour."""
    names = [attribute.name for attribute in own.deck.attributes]
    if len(names) == len(WITH_COLOUR):
        own.need_attributes(*WITH_COLOUR)
    else:
        own.need_attributes(*WITH_COLOUR[:-1])
        own.need_values("suit", tuple("CDHS"))
    own.need_single_cards()
    own.need_copies("rank", SET)
    for face in own.deck.faces:
        if len(face[0]) != 1 or len(face[1]) != 1 or own.deck.text(face)[:2] != face[0] + face[1]:
            raise own.refuse(
                Message("this game writes a card in two letters: one for the rank, one for the suit."),
                "rank",
                face[0],
            )
    own.need_cards((HAND + MOST_DRAWN) * seats + MOST_DRAWN)


def settings_of(options: Mapping[str, str]) -> Settings:
    """What full, checked options amount to."""
    dealer = options["dealer"]
    own = own_deck_of(options)
    return Settings(
        deck=own.deck if own is not None else load_deck("standard"),
        dealer=-1 if dealer == "random" else int(dealer) - 1,
        scores_team=options["scoring"] == "team",
        dealer_wins_ties=options["tie"] == "dealer_wins",
        may_split=options["dealer_takes_from"] == "split",
        finishes_round=options["end"] == "finish_round",
    )
