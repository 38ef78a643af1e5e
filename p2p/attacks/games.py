"""Which games are attacked, and with which options: packs that make them short."""

from __future__ import annotations

from typing import Final

from ..sim import small_pack
from .base import SEATS

GO_FISH: Final = "go-fish"
ONE_FISH: Final = "one-fish"
CASINO: Final = "casino"
SALMON: Final = "discount-salmon"

LITTLE: Final = {"ranks": "3", "hand_size": "2"}
"""Twelve cards: most hands lack a rank, and a game is short."""
CARDS: Final = {**LITTLE, "ask_mode": "card"}
NOT_OWN: Final = {**CARDS, "allow_ask_own_card": "false"}
SHORT: Final = {"ranks": "5", "hand_size": "4"}
"""Twenty cards in groups of four: hands grow, and groups are completed in every way."""
ONE: Final = {**SHORT, "give_amount": "one"}
DEALT: Final = {"ranks": "3", "suits": "3", "book_size": "2", "hand_size": "2"}
"""Pairs: one is dealt in many games."""
REFILLS: Final = {**DEALT, "end_mode": "all_books", "refill_count": "5", "ranks": "5"}
TWO_GROUPS: Final = {"ranks": "4", "suits": "4", "book_size": "2", "hand_size": "4"}

FISH: Final = small_pack(ONE_FISH, SEATS)
BOTH: Final = {GO_FISH: LITTLE, ONE_FISH: FISH}
"""The games in which players ask each other."""
DEALER: Final = {**small_pack(CASINO, SEATS), "dealer": "2"}
"""The seat that attacks deals."""
LAID: Final = {ONE_FISH: FISH, CASINO: DEALER}
"""The games in which cards are laid or swapped in by a decision."""
CHOICES: Final = {GO_FISH: LITTLE, ONE_FISH: FISH, CASINO: DEALER}
"""The games in which one seat decides at a time."""
RACE: Final = {**small_pack(SALMON, SEATS), "pace": "realtime", "stale_seconds": "1"}
ALL: Final = {GO_FISH: LITTLE, ONE_FISH: FISH, CASINO: DEALER, SALMON: RACE}
"""Every game, with packs that make it short."""
COINED: Final = {**ALL, CASINO: small_pack(CASINO, SEATS)}
"""The same, with a joint number in each: the Dealer is drawn, too."""
MIXED: Final = {GO_FISH: LITTLE, CASINO: DEALER, SALMON: RACE}
"""The games in which a seat mixes its own hand alone."""
PASSED: Final = {ONE_FISH: FISH, CASINO: DEALER}
"""The games in which hidden cards pass from hand to hand."""
ONLY_SALMON: Final = {SALMON: RACE}
