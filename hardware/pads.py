"""Pads: which antenna of which reader is what on the table. Pure; it is kept in a file elsewhere.

A **pad** is one antenna with a `Role`. Several pads may have one role (two piles of one player), and an
antenna has one role at most. Which roles a game needs, is not decided here.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from .events import Place

__all__ = [
    "DISCARD",
    "HUB",
    "LONGEST_NAME",
    "POND",
    "POOL",
    "BadPads",
    "BadRole",
    "Pads",
    "Role",
    "RoleKind",
    "ask",
    "is_same_name",
    "parse_role",
    "seat",
]

LONGEST_NAME = 40
"""Characters of a player's or reader's name; it stands in sentences on a screen."""

MOST_PADS = 100
"""A dozen readers with eight antennas each. A list that is longer is no table."""

MOST_ANTENNA = 255
"""The number of an antenna is a byte in our own protocol, and no other reader has as many."""


class BadRole(ValueError):
    """A text that is no role. The message is one sentence."""


class BadPads(ValueError):
    """Pads that make no table. The message is one sentence."""


class RoleKind(StrEnum):
    """What a pad is for."""

    POND = "pond"
    DISCARD = "discard"
    POOL = "pool"
    SEAT = "seat"
    """The hand of a player, or what lies before one."""
    ASK = "ask"
    """Where a player taps to ask."""
    HUB = "hub"
    """Where everybody taps: tokens, commands and cards."""

    @property
    def has_name(self) -> bool:
        """Whether such a role belongs to one player."""
        return self in {RoleKind.SEAT, RoleKind.ASK}


@dataclass(frozen=True, slots=True)
class Role:
    """What one pad is: a kind, and the player's ``name`` for ``seat`` and ``ask``. Raises `BadRole`."""

    kind: RoleKind
    name: str = ""

    def __post_init__(self) -> None:
        if self.kind.has_name and not is_name(self.name):
            raise BadRole(
                f"{self.kind}: needs the name of a player, 1 to {LONGEST_NAME} printable characters, "
                f"such as {self.kind}:Ben."
            )
        if self.name and not self.kind.has_name:
            raise BadRole(f"A pad that is the {self.kind} belongs to nobody: write {self.kind} alone.")

    def __str__(self) -> str:
        """The text that `parse_role` reads back: ``pond``, ``seat:Ben``."""
        return f"{self.kind}:{self.name}" if self.kind.has_name else self.kind.value

    def is_of(self, name: str) -> bool:
        """Whether the pad belongs to the player ``name``, however it is capitalised."""
        return self.kind.has_name and is_same_name(self.name, name)


POND = Role(RoleKind.POND)
DISCARD = Role(RoleKind.DISCARD)
POOL = Role(RoleKind.POOL)
HUB = Role(RoleKind.HUB)


def seat(name: str) -> Role:
    """The role ``seat:name``."""
    return Role(RoleKind.SEAT, name)


def ask(name: str) -> Role:
    """The role ``ask:name``."""
    return Role(RoleKind.ASK, name)


def parse_role(text: str) -> Role:
    """The role that ``text`` spells; capitals and spaces around the colon do not matter. Raises `BadRole`."""
    word, colon, name = text.strip().partition(":")
    word = word.strip().lower()
    if word not in {kind.value for kind in RoleKind}:
        forms = [f"{kind}:NAME" if kind.has_name else kind.value for kind in RoleKind]
        raise BadRole(f"{_quoted(text)} is no role of a pad; there are {', '.join(forms)}.")
    kind = RoleKind(word)
    if colon and not kind.has_name:
        raise BadRole(f"A pad that is the {kind} belongs to nobody: write {kind} alone.")
    return Role(kind, unicodedata.normalize("NFC", name.strip()))


def is_name(text: str) -> bool:
    """Whether ``text`` may be the name of a player or reader."""
    return 0 < len(text) <= LONGEST_NAME and text.isprintable() and text == text.strip()


def is_same_name(one: str, other: str) -> bool:
    """Whether two spellings are one player's name: capitals and the way of composing letters do not
    matter."""
    return _folded(one) == _folded(other)


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def _quoted(text: str) -> str:
    clean = "".join(c if c.isprintable() else "?" for c in text[:30])
    return f'"{clean}"'


class Pads(Mapping[Place, Role]):
    """Which place has which role: a mapping that never changes, in the order in which it was given.

    ``pads[place]`` and ``pads.get(place)`` are the usual look-ups, `places` is the way back. Raises `BadPads`
    where a place has two roles, an antenna's number or a reader's name is none, or one player's name is
    spelled in two ways.
    """

    __slots__ = ("_places", "_roles")

    def __init__(self, pads: Mapping[Place, Role] | Iterable[tuple[Place, Role]] = ()) -> None:
        self._roles: dict[Place, Role] = {}
        self._places: dict[Role, tuple[Place, ...]] = {}
        spelled: dict[str, str] = {}
        for place, role in pads.items() if isinstance(pads, Mapping) else pads:
            if not is_name(place.reader):
                raise BadPads(
                    f"{_quoted(place.reader)} is no name of a reader: it needs 1 to {LONGEST_NAME} "
                    "printable characters."
                )
            if not 0 <= place.antenna <= MOST_ANTENNA:
                raise BadPads(f"Antennas are numbered 0 to {MOST_ANTENNA}, not {place.antenna}.")
            if self._roles.setdefault(place, role) != role:
                raise BadPads(
                    f"Antenna {place.antenna} of {place.reader} is {self._roles[place]} and {role}: "
                    "a pad has one role."
                )
            known = spelled.setdefault(_folded(role.name), role.name)
            if known != role.name:
                raise BadPads(f"{known} and {role.name} are one name: write it in one way.")
            if place not in self._places.get(role, ()):
                self._places[role] = (*self._places.get(role, ()), place)
        if len(self._roles) > MOST_PADS:
            raise BadPads(f"A table has at most {MOST_PADS} pads.")

    def __getitem__(self, place: Place) -> Role:
        return self._roles[place]

    def __iter__(self) -> Iterator[Place]:
        return iter(self._roles)

    def __len__(self) -> int:
        return len(self._roles)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pads) and other._roles == self._roles

    def __hash__(self) -> int:
        return len(self._roles)

    def __repr__(self) -> str:
        pads = ", ".join(f"{place.reader}/{place.antenna}: {role}" for place, role in self.items())
        return f"Pads({pads})"

    def places(self, role: Role) -> tuple[Place, ...]:
        """All places with exactly this role, in order; none is an empty tuple."""
        return self._places.get(role, ())

    def place(self, role: Role) -> Place | None:
        """The first place with this role."""
        return next(iter(self.places(role)), None)

    def seat(self, name: str) -> tuple[Place, ...]:
        """The pads ``seat:name``, however the name is capitalised."""
        return self._of(RoleKind.SEAT, name)

    def ask(self, name: str) -> tuple[Place, ...]:
        """The pads ``ask:name``, however the name is capitalised."""
        return self._of(RoleKind.ASK, name)

    def _of(self, kind: RoleKind, name: str) -> tuple[Place, ...]:
        return tuple(place for place, role in self.items() if role.kind is kind and role.is_of(name))

    @property
    def roles(self) -> tuple[Role, ...]:
        """Every role that some pad has, once, in order."""
        return tuple(self._places)

    @property
    def players(self) -> tuple[str, ...]:
        """The names that stand in roles, once, in order."""
        return tuple(dict.fromkeys(role.name for role in self._places if role.name))

    @property
    def readers(self) -> tuple[str, ...]:
        """The readers that have pads, once, in order."""
        return tuple(dict.fromkeys(place.reader for place in self._roles))
