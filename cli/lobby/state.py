"""The lobby as plain data: what is known, the pages, events and effects. ``cli.lobby.model`` moves it on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from .form import Form, GameOffer, Offer
from .line import Line
from .tables import Row, Table

# --- what is known ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Kept:
    """A game of this machine that can go on, or whose record can be replayed, by the command of ``words``.
    ``is_lost``: moves are missing here, and are taken from the other players."""

    title: str
    players: str
    when: str
    words: tuple[str, ...]
    is_lost: bool = False


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting. ``table`` is the command that it counts for, empty for all; ``where`` it comes from.

    It is one of ``choices``, or any text; ``raw`` is the value as it is written, ``shown`` as it is read.
    ``is_fixed``: the environment or the command line gives it, and goes before the file.
    """

    table: str
    key: str
    raw: str
    shown: str
    where: str
    about: str
    choices: tuple[str, ...] = ()
    is_in_file: bool = False
    is_fixed: bool = False


@dataclass(frozen=True, slots=True)
class Facts:
    """What was read from the disk. ``name`` is empty where this player has none yet."""

    name: str
    offered_name: str
    paused: tuple[Kept, ...] = ()
    finished: tuple[Kept, ...] = ()
    offers: Mapping[str, Offer] = field(default_factory=dict)
    games: tuple[GameOffer, ...] = ()
    last_game: str = ""
    settings: tuple[Setting, ...] = ()
    file: str = ""
    rules: Mapping[str, str] = field(default_factory=dict)


# --- pages --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Main:
    """The tables in sight, and what else there is to do; ``mark`` is a table's instance or a letter."""

    mark: str = ""


@dataclass(frozen=True, slots=True)
class Naming:
    """The one question of the first run; ``is_sent`` while the name is being kept."""

    line: Line
    problem: str = ""
    is_sent: bool = False


@dataclass(frozen=True, slots=True)
class Address:
    """Where a table is that does not appear by itself."""

    line: Line = field(default_factory=Line)


@dataclass(frozen=True, slots=True)
class Games:
    """Games to go on with, or (``finished``) to replay."""

    finished: bool
    at: int = 0


@dataclass(frozen=True, slots=True)
class Filling:
    """A form for a game of one's own."""

    form: Form


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings; ``line`` is there while one is being typed."""

    at: int = 0
    line: Line | None = None


@dataclass(frozen=True, slots=True)
class Rules:
    """Which game's rules?"""

    at: int = 0


@dataclass(frozen=True, slots=True)
class Reading:
    """A text; ``top`` is the first line in sight, ``under`` the page that it lies on."""

    title: str
    text: str
    under: Page
    top: int = 0


Page: TypeAlias = Main | Naming | Address | Games | Filling | Settings | Rules | Reading


# --- the state, events and effects --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class State:
    """All there is to show. ``facts`` are missing for the first moment; ``trouble`` says why no table can be
    found; ``news`` is what the last game left; ``notice`` answers the last key; ``rows`` is the height."""

    page: Page = field(default_factory=Main)
    facts: Facts | None = None
    tables: tuple[Row, ...] = ()
    trouble: str = ""
    news: tuple[str, ...] = ()
    notice: str = ""
    rows: int = 24
    is_ascii: bool = False

    @property
    def is_busy(self) -> bool:
        """Whether keys have to wait: what they ask about is being read."""
        return self.page.is_sent if isinstance(self.page, Naming) else self.facts is None


@dataclass(frozen=True, slots=True)
class Key:
    """A key: its sign, or its name where it has none (``enter``, ``up``, ``f1``)."""

    name: str


@dataclass(frozen=True, slots=True)
class Paste:
    """A text that was pasted: never a choice."""

    text: str


@dataclass(frozen=True, slots=True)
class Seen:
    """The tables on the network now, or why none can be seen."""

    found: tuple[Table, ...]
    now: float
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Tick:
    """Time went by."""

    now: float


@dataclass(frozen=True, slots=True)
class Learnt:
    """The disk was read; ``notice`` says what was written before that."""

    facts: Facts
    notice: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """What was to be written was not, in one sentence."""

    problem: str


@dataclass(frozen=True, slots=True)
class Resized:
    """The height of the terminal."""

    rows: int


Event: TypeAlias = Key | Paste | Seen | Tick | Learnt | Refused | Resized


@dataclass(frozen=True, slots=True)
class Leave:
    """Give the terminal back and end."""


@dataclass(frozen=True, slots=True)
class Run:
    """Run a command, and come back."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rename:
    """Keep the player's name."""

    name: str


@dataclass(frozen=True, slots=True)
class Write:
    """Set a setting, or (without a value) remove it from the file."""

    table: str
    key: str
    value: str | None


Effect: TypeAlias = Leave | Run | Rename | Write
