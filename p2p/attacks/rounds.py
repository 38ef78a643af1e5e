"""Contributions with other rounds than are owed, and wishes at times that know none."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from engine.table import Choose, Coin, Disclose

from ..deal import Task
from ..log.codec import encode, pack
from .base import Attack, Lie, Twist
from .games import CASINO, COINED, DEALER, GO_FISH, LITTLE
from .judging import lie
from .liar import TRUTH, at

# --- the number of rounds -----------------------------------------------------------------------------------


def _answers(giver: Any, task: Task, number: int, deed: Any) -> bytes | None:
    """In a game of two an answer "none" and the share of the card drawn are one contribution."""
    is_answer = isinstance(task, Disclose) and task.seat != giver.position.state.turn
    return TRUTH if is_answer and not deed.groups and giver.position.table.size("stock") else None


def _rounds(name: str, tries: str, twist: Twist, says: str) -> Attack:
    return lie(
        f"rounds-{name}",
        tries,
        "CHEATS 21, PP-09",
        {GO_FISH: LITTLE},
        _answers,
        twist=twist,
        says=says,
        seats=2,
    )


ROUNDS: Final = (
    _rounds(
        "too-few",
        "Answers, and leaves out the share that it owes along with it.",
        lambda b: b[:-1],
        "fewer rounds",
    ),
    _rounds("too-many", "Makes one round of its contribution twice.", lambda b: [*b, b[-1]], "more rounds"),
    _rounds("reordered", "Makes its rounds in another order.", lambda b: b[::-1], ""),
    _rounds("empty", "Leaves one of its rounds empty.", lambda b: [*b[:-1], b""], ""),
    lie(
        "rounds-twice",
        "Commits to two numbers where every seat owes one.",
        "CHEATS 21",
        COINED,
        at(Coin, lambda giver, task, deed, body: TRUTH),
        twist=lambda bodies: bodies * 2,
        says="more rounds",
    ),
)

# --- wishes -------------------------------------------------------------------------------------------------


def _wish(phase_fits: Any) -> Lie:
    """A wish to lay the hand open in a decision of another kind."""

    def change(giver: Any, task: Choose, deed: Any, body: bytes) -> bytes | None:
        if not phase_fits(giver, task):
            return None
        parts = [
            encode(msgspec.structs.replace(deed, verb="expose", target=-1, value="", groups=(), shown=())),
            b"",
        ]
        return pack(parts)

    return at(Choose, change)


WISHES: Final = (
    lie(
        "wish-out-of-time",
        "Lays its hand open in the middle of a turn, when only a decision is owed.",
        "RULES 4.3, CHEATS 31",
        {CASINO: {**DEALER, "dealer": "1"}},
        _wish(lambda giver, task: not task.wish and giver.position.state.dealer != giver.place.seat),
        says="rules refuse",
    ),
    lie(
        "wish-of-the-dealer",
        "Lays its hand open as the Dealer, who may not.",
        "RULES 4.3",
        {CASINO: DEALER},
        _wish(lambda giver, task: giver.position.state.dealer == giver.place.seat),
        says="rules refuse",
    ),
)

ATTACKS: Final[tuple[Attack, ...]] = (*ROUNDS, *WISHES)
