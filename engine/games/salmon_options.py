"""The options of Discount Salmon (rules, section 2.6), and what they amount to."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from ..cards import Deck
from ..contract import GameInfo, Option
from ..deck_files import load_deck
from ..message import Message
from ..options import complete_options
from ..own_deck import OwnDeck, own_deck_of
from .salmon_cards import MODIFIERS

INFO = GameInfo(
    id="discount-salmon",
    version=1,
    title="Discount Salmon",
    least_seats=2,
    most_seats=5,
    options=(
        Option("pace", ("realtime", "turns")),
        # Faster than 50 ms no link keeps up; slower than a second nobody calls it a race.
        Option("tick_ms", ("150",), 50, 1000),
        Option("stale_seconds", ("5",), 1, 60),
        Option("allowance", ("per_fish", "per_batch")),
        Option("invalid_cards", ("discard", "return_to_hand")),
        Option("finish_on", ("fish", "immediately")),
    ),
    verbs=(
        "first", "fryer", "flip", "play", "invalid", "late", "deferred", "absent", "claim", "eaten",
        "stale claim", "drop", "refill", "pass", "wait", "over", "lay",
    ),
    targeted=("fryer",),
    takes_own_deck=True,
)  # fmt: skip

HAND = 5
"""Cards that a hand is dealt and always refilled to."""

ALLOWANCE = 3
"""Cards a player may play on one fish, or in one batch (DS-THREE)."""

DROPPED = 2
"""Cards that everybody discards after a stalemate."""

LOOK_MS = 700
"""The pause without plays after a flip: time to read the fish before the race begins."""

CHOICE_SECONDS = 10
"""How long a flip or a discard may take before a player's own program decides."""

IDLE_TURNS = 10
"""Turns in a row per seat without a valid card that end in a stalemate where players may play any number of
cards: without it, invalid cards that go back to the hand could be played for ever.
"""


class Settings(msgspec.Struct, frozen=True):
    """The options as the game uses them. ``patience`` is how many ticks without a valid card are too many."""

    deck: Deck
    takes_turns: bool
    tick_ms: int
    patience: int
    is_per_batch: bool
    returns_invalid: bool
    ends_at_once: bool


def deck_of(options: Mapping[str, str]) -> Deck:
    """The deck that full options ask for."""
    own = own_deck_of(options)
    return own.deck if own is not None else load_deck("discount_salmon")


def checked_options(chosen: Mapping[str, str], seats: int) -> dict[str, str]:
    """All options with defaults filled in. Raises ``BadOption`` with one sentence."""
    options = complete_options(INFO, chosen, seats)
    own = own_deck_of(chosen)
    if own is not None:
        _check_own_deck(own, seats)
    return options


def fish_in(deck: Deck) -> int:
    """How many cards of a deck are fish, which come first."""
    return sum(deck.faces[card][0] not in MODIFIERS for card in deck.cards)


def _check_own_deck(own: OwnDeck, seats: int) -> None:
    """The known kinds, each as often as one likes; the fish first."""
    own.need_attributes("kind")
    own.need_values("kind", load_deck("discount_salmon").values("kind"))
    kinds = [own.deck.faces[card][0] for card in own.deck.cards]
    fish = fish_in(own.deck)
    for kind in kinds[:fish]:
        if kind in MODIFIERS:
            raise own.refuse(Message("the fish come first, and {kind} is none.", kind=kind), "kind", kind)
    if not fish:
        raise own.refuse(Message("there is no fish in this deck."), "kind")
    own.need_cards(fish + HAND * seats + 1)


def settings_of(options: Mapping[str, str]) -> Settings:
    """What full, checked options amount to."""
    tick_ms = int(options["tick_ms"])
    return Settings(
        deck=deck_of(options),
        takes_turns=options["pace"] == "turns",
        tick_ms=tick_ms,
        patience=-(-int(options["stale_seconds"]) * 1000 // tick_ms),  # rounded up
        is_per_batch=options["allowance"] == "per_batch",
        returns_invalid=options["invalid_cards"] == "return_to_hand",
        ends_at_once=options["finish_on"] == "immediately",
    )
