"""The cards of Discount Salmon, and whether one counts on a fish (rules, sections 2.2 and 2.5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

Problems: TypeAlias = tuple[str, ...]
"""Unsolved problems of a fish, in the order of ``PROBLEMS``."""

PROBLEMS: Problems = ("stinky", "ugly", "dry", "toxic", "not-fish")

CURES: Mapping[str, str] = {
    "perfume": "stinky",
    "makeup": "ugly",
    "lotion": "dry",
    "antidote": "toxic",
    "fish-costume": "not-fish",
}
"""Positive cards and the problem that each of them solves."""

CURSES: Mapping[str, str] = {
    "gym-sock": "stinky",
    "mustache": "ugly",
    "sun": "dry",
    "nuclear-waste": "toxic",
    "dog-mask": "not-fish",
}
"""Negative cards and the problem that each of them causes."""

BLENDER = "blender"
ANDREW = "andrew"

MODIFIERS = frozenset((*CURES, *CURSES, BLENDER, ANDREW))
"""All cards that are no fish."""


def problems_of(fish: str) -> Problems:
    """The problems that are printed on a fish: ``ugly+toxic`` has two."""
    return in_order(fish.split("+"))


def in_order(problems: Iterable[str]) -> Problems:
    """Problems in the order in which they are told."""
    there = set(problems)
    return tuple([problem for problem in PROBLEMS if problem in there])


def judged(card: str, problems: Problems) -> Problems | None:
    """The problems left once a modifier is played; ``None`` where it is invalid.

    "Existing" means unsolved now: what was cured can be caused again (DS-RECUR). Andrew removes the fish, so
    what he leaves does not matter.
    """
    cured = CURES.get(card)
    if cured is not None:
        return tuple([problem for problem in problems if problem != cured]) if cured in problems else None
    caused = CURSES.get(card)
    if caused is not None:
        return None if caused in problems else in_order((*problems, caused))
    return ()
