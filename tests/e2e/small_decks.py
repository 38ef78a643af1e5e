"""The smallest decks that the rules allow, for whole games that a test can wait for."""

from __future__ import annotations

from collections.abc import Sequence

from engine.own_deck import OWN_DECK
from engine.registry import game

FISH = """id = "few-fish"
written = ["colour", "number"]

[[attributes]]
name = "number"
values = [{numbers}, "*"]

[[attributes]]
name = "colour"
values = ["R", "B", "*"]
aliases = {{ red = "R", blue = "B" }}

[[cards]]
number = [{numbers}]
colour = ["R", "B"]
copies = 2

[[cards]]
number = ["*"]
colour = ["*"]
text = "*"
"""

RANKS = """id = "few-ranks"

[[attributes]]
name = "rank"
values = [{ranks}]

[[attributes]]
name = "suit"
values = ["C", "D", "H", "S"]

[[cards]]
"""

SALMON = """id = "few-salmon"

[[attributes]]
name = "kind"
values = ["ugly", "dry", "makeup", "lotion", "sun", "mustache"]

[[cards]]
kind = ["ugly", "dry"]

[[cards]]
kind = ["makeup", "lotion", "sun", "mustache"]
copies = {copies}
"""


def small_deck(name: str, seats: int) -> str | None:
    """A deck file for a game of so many seats; ``None`` where options alone make it small."""
    match name:
        case "one-fish":  # five cards for each and one more
            numbers = ", ".join(f'"{n}"' for n in range(1, -(-5 * seats // 4) + 1))
            return FISH.format(numbers=numbers)
        case "casino":  # seven for each and two more, in sets of four
            ranks = ", ".join(f'"{rank}"' for rank in "23456789TJ"[: -(-(7 * seats + 2) // 4)])
            return RANKS.format(ranks=ranks)
        case "discount-salmon":  # the fish, and five cards for each and one more
            return SALMON.format(copies=-(-(5 * seats + 1) // 4))
        case _:
            return None


def cards_of(name: str, seats: int, options: Sequence[str], deck: str | None = None) -> list[str]:
    """All cards that are played with, as the deck writes them, in its order."""
    rules = game(name)
    chosen = dict(each.split("=") for each in options)
    if deck is not None:
        chosen[OWN_DECK] = deck
    found = rules.deck(rules.options(chosen, seats))
    return [found.text(found.faces[card]) for card in found.cards]
