"""Books that are hidden or false, in Go Fish (CHEATS.md 24, rules PP-06, B13)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from engine.table import Complete, Deed

from ..deal import Task
from ..deal.giving import Giver
from ..log.codec import encode, pack, unpack
from .base import Attack, Lie
from .games import DEALT, GO_FISH, REFILLS, SHORT, TWO_GROUPS
from .judging import lie
from .liar import at, held, honest, with_false_claims


def _came(giver: Any, task: Complete) -> str:
    """How the fresh cards came into the hand that is settled."""
    state = giver.position.state
    if state.is_dealing:
        return "deal"
    known = [slot in giver.position.table.known for slot in task.fresh]
    if all(known):
        return "hit" if state.phase == "settle" and state.target < 0 else f"received {len(task.fresh)}"
    return "draw" if len(task.fresh) == 1 else "refill"


def settling(way: str, hides: bool, omits: bool) -> Lie:
    """At a settle of cards that came in by ``way``: hide a group, or omit or imitate the claim."""

    def tell(giver: Any, task: Task, number: int, deed: Any) -> bytes | None:
        if not isinstance(task, Complete) or _came(giver, task) != way or bool(deed.groups) != hides:
            return None
        if not giver.dealing.claims_on_rest(task, giver.position, ()):
            return None
        if omits:
            return pack([encode(Deed("lay")), b""])
        return with_false_claims(giver, task, number, Deed("lay"))

    return tell


SINCE: Final = {"draw": 3, "received 1": 3, "received 2": 4, "received 3": 17}
"""Seeds of the first games in which a book can be hidden."""


def _book(
    way: str, options: dict[str, str], what: str, tries: str, source: str, told: Lie, since: int, says: str
) -> Attack:
    """A lie about a book that was completed in some way."""
    came = way.replace("received 1", "received one card").replace("received 2", "received two cards")
    came = came.replace("received 3", "received three cards")
    name = f"{what}-{way.replace(' ', '-')}"
    return lie(name, f"{tries} ({came}).", source, {GO_FISH: options}, told, since=since, says=says)


def _books() -> tuple[Attack, ...]:
    found: list[Attack] = []
    hides = "hidden-book", "Completes a book and does not lay it", "CHEATS 24, PP-06"
    omits = "no-book-without-proof", "Leaves out the proof that it completed no book", "CHEATS 24, PP-06"
    imitates = "no-book-imitated", "Imitates the proof that it completed no book", "CHEATS 6, 24"
    for way, options in (
        ("deal", DEALT),
        ("draw", SHORT),
        ("received 1", SHORT),
        ("received 2", SHORT),
        ("received 3", SHORT),
        ("refill", REFILLS),
    ):
        found.append(_book(way, options, *hides, settling(way, True, False), SINCE.get(way, 0), "at-most"))
        if way == "received 3":  # three received cards always complete a group of four
            continue
        since = 12 if way == "received 2" else 0
        found.append(_book(way, options, *omits, settling(way, False, True), since, "claims are owed"))
        if way != "refill":
            found.append(_book(way, options, *imitates, settling(way, False, False), since, "at-most"))
    return tuple(found)


def laying_book(change: Callable[[Giver, Complete, Deed], bytes | None], least: int = 1) -> Lie:
    """Where ``least`` groups have to be laid: ``change(giver, task, deed)``."""
    return at(
        Complete, lambda g, task, deed, body: change(g, task, deed) if len(deed.groups) >= least else None
    )


def _no_group(giver: Giver, task: Complete, deed: Deed) -> bytes | None:
    ranks = {face[0]: slot.n for slot, face in held(giver).items()}
    if len(ranks) < 2:
        return None
    return with_false_claims(giver, task, 0, Deed("lay", groups=(tuple(ranks.values())[:2],)))


def _laid_twice(giver: Giver, task: Complete, deed: Deed) -> bytes | None:
    n = deed.groups[0][0]
    return pack([encode(Deed("lay", groups=((n, n, n, n),))), *unpack(honest(giver, task, 0, deed))[1:]])


ATTACKS: Final = (
    *_books(),
    lie(
        "lays-no-book",
        "Lays two cards of different ranks as a pair.",
        "CHEATS 24",
        {GO_FISH: DEALT},
        laying_book(_no_group, 0),
        says="no group",
    ),
    lie(
        "hides-second-book",
        "Lays one pair of two and hides the other.",
        "CHEATS 24, PP-06",
        {GO_FISH: TWO_GROUPS},
        laying_book(
            lambda g, task, deed: with_false_claims(g, task, 0, Deed("lay", groups=deed.groups[:1])), 2
        ),
        says="at-most",
    ),
    lie(
        "lays-card-twice",
        "Lays one card four times as a book.",
        "CHEATS 3, 21",
        {GO_FISH: SHORT},
        laying_book(_laid_twice),
        says="does not fit",
    ),
    lie(
        "lays-too-few",
        "Lays three cards as a book of four.",
        "CHEATS 24, B13",
        {GO_FISH: SHORT},
        laying_book(
            lambda g, task, deed: with_false_claims(g, task, 0, Deed("lay", groups=(deed.groups[0][:3],)))
        ),
        says="no group",
    ),
)
