"""Go Fish: which rank to guess at, where no ask is certain to win a card.

What is asked for becomes known to all: whoever draws a card of the rank later takes those of the asker. So it
pays to wait while the pond is deep, with an ask for what is known already, and to hear what the others ask
for. Late in the game a rank that nobody knows of is the better guess: others who hold a rank, and know who
else does, have asked for it.

The numbers were found by playing many games with others, and comparing the wins, against the careful bot
(most), one that forgets who asked for what, and one that reckons with odds alone.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TypeAlias

Worth: TypeAlias = tuple[tuple[float, float, float], tuple[float, float, float]]
"""Of a rank that nobody knows to be in the own hand, and of one that is known to be there: each with 3, 2 and
1 cards missing.
"""

TWO_PARTS = (6 / 52, 12 / 52, 18 / 52)
"""Up to which share of all cards lies in the pond in the last part of a game for two, the part before that,
and so on; the first part has more.
"""

FOR_TWO: tuple[Worth, ...] = (
    ((0.3, 0.2, 2.8), (-1.8, -2.0, -0.4)),
    ((-1.3, 0.4, 2.0), (-1.3, -0.2, 1.7)),
    ((-1.3, 0.4, 1.5), (-1.3, -0.9, 1.7)),
    ((-0.7, -1.3, 0.4), (-0.7, 0.6, 1.9)),
)

HIT = 0.8
"""With two players, what a hit is worth beside that."""

HOPELESS = 10.0
"""With two players, what it costs to ask for what cannot be there."""

PARTS = (6 / 52,)
"""The same with more players."""

FOR_MORE: tuple[Worth, ...] = (
    ((0.03, 0.21, 0.16), (-0.22, 0.0, -0.29)),
    ((0.02, -0.1, 0.4), (0.0, 0.13, 0.11)),
)
"""With more players, beside what the odds say, in groups."""

IDLE = 0.1
"""With more players, what it costs to ask for what cannot be there."""


def guess_of_two(missing: int, is_public: bool, pond: float, chance: float) -> float:
    """What it is worth to ask the only other player, who has the rank with a ``chance`` below 1.

    ``missing`` is how many cards the own group lacks, ``pond`` the share of all cards that lie there.
    """
    if not chance:
        return -HOPELESS - missing
    return FOR_TWO[bisect_left(TWO_PARTS, pond)][is_public][_at(missing)] + HIT * chance


def guess_of_more(missing: int, is_public: bool, pond: float, chance: float) -> float:
    """What it is worth to ask one of several, beside the cards that are won or lost."""
    worth = FOR_MORE[bisect_left(PARTS, pond)][is_public][_at(missing)]
    return worth if chance else worth - IDLE


def _at(missing: int) -> int:
    return 3 - min(3, max(1, missing))
