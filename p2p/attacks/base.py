"""What an attack is, and how it ended: the words of the gallery."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

import msgspec

from ..deal import Task
from ..deal.giving import Giver
from ..sealed import Group

ATTACKER: Final = 1
"""The seat that attacks. The first one, which hosts, and the last one have no part that this one has not."""

SEATS: Final = 3
"""Players at an attacked table, where it takes no other number: the fewest of which two can agree on a
third."""


class End(StrEnum):
    """How an attack ended."""

    NAMED = "named"
    """All honest seats name the attacker, at the step of its lie, and the record proves it."""
    PROVED = "proved by the record"
    """The lie changes nothing in the game, and the record convicts the attacker once seeds are revealed."""
    CUT = "link cut"
    """The link that it came over is cut; nobody is blamed, and the game goes on."""
    REFUSED = "refused"
    """Nothing is signed: the set-up, the link or the reader of the file says no."""
    IGNORED = "no effect"
    """The game ends as it would have, and nobody is blamed."""
    MARKED = "judged late"
    """All others mark its plays as late, so that they count after those of the next tick."""
    SKIPPED = "certified absent"
    """The others certify that the attacker is missing, or has left, and go on without it."""
    AWAITED = "awaited"
    """The game waits, and all honest seats say for whom."""
    WORKS = "works"
    """None of these: a fault of this program."""
    UNTRIED = "not tried"
    """The lie never had its place: a fault of the gallery."""


class Result(msgspec.Struct, frozen=True):
    """How one attack on one game ended.

    ``step`` is where it was stopped, ``None`` before the first step; ``blamed`` the seat that honest seats or
    the record name, ``None`` where there is nobody to blame. ``verify_convinced``: the record alone shows it.
    """

    name: str
    game: str
    end: End
    stopped: bool
    step: int | None = None
    blamed: int | None = None
    blamed_by_all: bool = False
    verify_convinced: bool = False
    said: str = ""
    """The sentence with which it was stopped."""
    where: str = ""
    """What kind of step that is, in a word."""

    @property
    def is_tried(self) -> bool:
        """Whether the attack was really made."""
        return self.end is not End.UNTRIED


@dataclass(frozen=True, slots=True)
class Scene:
    """One try of an attack: the game that it is made in. ``seed`` is that of the cards and all that happens
    by chance."""

    attack: Attack
    game: str
    group: Group
    seed: int

    @property
    def options(self) -> Mapping[str, str]:
        """What is played."""
        return self.attack.games[self.game]


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack. ``tries`` says in one sentence what it tries; ``source`` where it is written down.

    ``games`` are those it applies to, with the options it is tried with. ``play`` makes one try and returns
    ``None`` where it never had its place. ``end`` is the only end that counts as stopped; ``says`` is part of
    the sentence that has to name the fault. ``late``: the lie is accepted, and shows at a later step.
    ``reach``: steps that honest seats may go on before it shows: two stories are compared along with the next
    contribution, and what is said of printed cards is checked in the next step. ``since`` is the first seed
    to try, where those before it give the lie no place in the small group: a matter of speed alone.
    ``recovery``: keys are put in escrow. ``leaver``: that seat leaves for good once cards are dealt.
    """

    name: str
    tries: str
    source: str
    games: Mapping[str, Mapping[str, str]]
    play: Callable[[Scene], Result | None] = field(repr=False)
    end: End = End.NAMED
    says: str = ""
    seats: int = SEATS
    reveal: str = "end"
    scanner: int | None = None
    late: bool = False
    reach: int = 0
    since: int = 0
    recovery: bool = False
    leaver: int | None = None


Change = Callable[[Giver, Any, Any, bytes], bytes | None]
"""A false body from the giver, the task, the deed and the honest body; ``None`` where it has no place."""

Lie = Callable[[Giver, Task, int, Any], bytes | None]
"""The false body of a round for a giver, a task, the number of the round and a deed (``None`` where the round
has none); ``None`` where the lie has no place."""

Twist = Callable[[list[bytes]], list[bytes]]
"""What becomes of the rounds of the contribution that holds the lie."""
