"""The options of One Fish (rules, section 3), and what they amount to."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from ..cards import Deck
from ..contract import BadOption, GameInfo, Option
from ..deck_files import load_deck
from ..message import Message
from ..options import complete_options, refuse_beside_own_deck
from ..own_deck import OwnDeck, own_deck_of
from .one_fish_text import COLOUR, COLOURS, NUMBER, NUMBERS, STAR

INFO = GameInfo(
    id="one-fish",
    version=1,
    title="One Fish Two Fish Red Fish Go Fish",
    least_seats=2,
    most_seats=6,
    options=(
        Option("stars", ("2", "1", "3", "4")),
        # A number is the place of the youngest player at the table, counted from 1 (OF-FIRST).
        Option("first", ("random",), 1, 6),
    ),
    verbs=(
        "first", "ask", "give", "go fish", "none", "pick", "draw", "show", "lay", "decline", "refill", "over",
    ),
    targeted=("ask",),
    takes_own_deck=True,
)  # fmt: skip

HAND_SIZE = 5
"""Cards dealt to each player, and drawn by one who has none left."""

PATIENCE = 2
"""Failed asks in a row per seat that end the game once there is nothing to pick (OF-END)."""

_DECKS = {"2": "one_fish", **{stars: f"one_fish_{stars}" for stars in ("1", "3", "4")}}


class Settings(msgspec.Struct, frozen=True):
    """The options as the game uses them. ``first`` is a seat, -1 for one drawn by lot."""

    deck: Deck
    card_texts: frozenset[str]
    first: int
    patience: int


def deck_of(options: Mapping[str, str]) -> Deck:
    """The deck that full options ask for."""
    own = own_deck_of(options)
    return own.deck if own is not None else load_deck(_DECKS[options["stars"]])


def checked_options(chosen: Mapping[str, str], seats: int) -> dict[str, str]:
    """All options with defaults filled in. Raises ``BadOption`` with one sentence."""
    options = complete_options(INFO, chosen, seats)
    if options["first"] != "random" and int(options["first"]) > seats:
        raise BadOption(
            Message(
                "first={first} is a place that nobody has: there are {seats} players.",
                first=options["first"],
                seats=seats,
            )
        )
    own = own_deck_of(chosen)
    if own is not None:
        _check_own_deck(own, options, seats)
    return options


def _check_own_deck(own: OwnDeck, options: Mapping[str, str], seats: int) -> None:
    """Fish of the known numbers and colours, as many as one likes, and perhaps stars."""
    refuse_beside_own_deck(INFO, options, ("stars",))
    own.need_attributes(NUMBER, COLOUR)
    own.need_values(NUMBER, (*NUMBERS, STAR))
    own.need_values(COLOUR, (*COLOURS, STAR))
    for letter, word in COLOURS.items():
        if letter in own.deck.values(COLOUR):
            own.need_name(COLOUR, letter, word)
    for face in own.deck.faces:
        if (face[0] == STAR) != (face[1] == STAR):
            raise own.refuse(Message("a star has neither a number nor a colour."), NUMBER, face[0])
        text = STAR if face[0] == STAR else face[1] + face[0]
        if own.deck.text(face) != text:
            raise own.refuse(
                Message("this game writes that card as {text}; say so with written or text.", text=text),
                NUMBER,
                face[0],
            )
    own.need_cards(HAND_SIZE * seats + 1)


def settings_of(options: Mapping[str, str], seats: int) -> Settings:
    """What full, checked options amount to at a table of ``seats``."""
    first = -1 if options["first"] == "random" else int(options["first"]) - 1
    deck = deck_of(options)
    return Settings(deck, frozenset(map(deck.text, deck.faces)), first, PATIENCE * seats)
