"""The sentences of a table with a printed deck that say what is to be done, as people understand them."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable

from cli.text import Glyphs
from hardware.uids import Uid

SHUFFLE = re.compile(r"Shuffle (?P<pile>.+): (?P<of>\d+) cards, face down\..*")
CUT = re.compile(r"Cut (?P<pile>.+): the top (card goes|(?P<n>\d+) cards go) beneath\..*")
NO_CUT = re.compile(r"Do not cut (?P<pile>.+): .*")
WANTED = re.compile(
    r"Tap a card from (?P<pile>.+?) (for (?P<who>\w+), face down|and lay it (?P<open>face up))"
    r"(?: \((?P<n>\d+) of (?P<of>\d+)\))?\.(?: It lies below (?P<depth>\d+) other cards?\.)?"
)
PILED = re.compile(r"Move (?P<n>\d+) cards? face down from (?P<source>.+?) to (?P<to>.+?)\.")
MOVE = re.compile(r"Move (?P<what>.+?) from (?P<source>.+?) to (?P<to>.+?)\.(?P<how> .*one by one.*)?")
FOUND = re.compile(r"That is it: it goes to (?P<to>.+)\.")
ELSEWHERE = re.compile(r"Not that one, but it goes to (?P<to>.+)\.")
PUT_BACK = re.compile(r"Put (?P<what>.+?) (back )?on (?P<to>.+)\.")
TAKE_OFF = re.compile(r"Take (?P<what>.+?) off (?P<source>.+)\.")
COUNTED = re.compile(r"(\d+) cards?$")


def handled(order: str, piles: dict[str, list[Uid]], chance: random.Random) -> bool | None:
    """Do with the piles what an order says of them. Whether it waits for ``ok`` then; ``None`` for what is no
    order of this kind."""
    if found := SHUFFLE.fullmatch(order):
        assert len(piles[found["pile"]]) == int(found["of"])
        chance.shuffle(piles[found["pile"]])
    elif found := CUT.fullmatch(order):
        pile, n = piles[found["pile"]], int(found["n"] or 1)
        pile[:] = pile[n:] + pile[:n]
    elif found := PILED.fullmatch(order):
        source, n = piles[found["source"]], int(found["n"])
        piles.setdefault(found["to"], []).extend(source[:n])
        del source[:n]
        return False
    elif not NO_CUT.fullmatch(order):
        return None
    return True


def shown(face: str) -> str:
    """A card as the screen writes it."""
    return Glyphs().card(face)


def cards_in(what: str, faces: Iterable[str]) -> tuple[list[str], int]:
    """The cards that are named, as the screen writes them, and how many more there are; ``faces`` are all
    there may be."""
    hidden = 0
    if found := COUNTED.search(what):
        hidden, what = int(found[1]), what[: found.start()].strip()
    names = []
    known = sorted(set(map(shown, faces)), key=len, reverse=True)
    while what:
        name = next(name for name in known if what.startswith(name))
        names.append(name)
        what = what[len(name) :].strip()
    return names, hidden
