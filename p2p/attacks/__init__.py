"""The gallery of cheats: each a small modified peer at a table of real sessions, and how that ends.

``ATTACKS`` lists them by name; ``run`` tries one of them in a game.
"""

from typing import Final

from . import (
    answers,
    asks,
    books,
    dealing,
    escrow,
    files,
    frames,
    history,
    identity,
    keys,
    laying,
    leaving,
    printed,
    proofs,
    rebuilding,
    rounds,
    shuffles,
    spectators,
    timing,
)
from .base import ATTACKER, Attack, End, Result, Scene
from .judging import run
from .table import AttackedTable

THEMES: Final = {
    "asks": asks.ATTACKS,
    "answers": answers.ATTACKS,
    "books": books.ATTACKS,
    "laying": laying.ATTACKS,
    "shuffles": shuffles.ATTACKS,
    "dealing": dealing.ATTACKS,
    "proofs": proofs.ATTACKS,
    "keys": keys.ATTACKS,
    "timing": timing.ATTACKS,
    "escrow": escrow.ATTACKS,
    "leaving": leaving.ATTACKS,
    "history": history.ATTACKS,
    "rebuilding": rebuilding.ATTACKS,
    "frames": frames.ATTACKS,
    "rounds": rounds.ATTACKS,
    "identity": identity.ATTACKS,
    "spectators": spectators.ATTACKS,
    "files": files.ATTACKS,
    "printed": printed.ATTACKS,
}
"""The attacks of each module."""

ATTACKS: Final = {attack.name: attack for attacks in THEMES.values() for attack in attacks}
"""Every attack by its name, in the order of the themes."""

__all__ = ["ATTACKER", "ATTACKS", "THEMES", "Attack", "AttackedTable", "End", "Result", "Scene", "run"]
