"""A small table with printed cards, for the tests of their operations and of their lies."""

from __future__ import annotations

from typing import Any
from unittest import mock

from engine.table import (
    Choose,
    Complete,
    Deed,
    Disclose,
    Draw,
    Match,
    Return,
)
from p2p.sealed import Group
from tests.p2p.cheats import at_place
from tests.p2p.deal.circle import DECK, Circle, Script, Step, dealt, held

DEALT = dealt(3, 3, 3)
RANK = DECK.at("rank")


def circle(group: Group, *steps: Step, **more: Any) -> Circle:
    """Three seats, the first of them the table's machine."""
    return Circle(group, Script(*steps), 3, scanner=0, **more)


def kinds(played: Circle) -> list[str]:
    found: list[str] = []
    for kind, _, _ in played.bodies:
        if kind not in ("keys", "close", "reveal") and (not found or found[-1] != kind):
            found.append(kind)
    return found


RETURNS: tuple[Step, ...] = (
    *DEALT,
    lambda s: Return(held(s, 1, 0), "stock"),
    lambda s: Draw(((s.table.slots("stock")[-1], 2), (s.table.slots("stock")[0], 1))),
)


def asks(own: Circle, progress: Any, seat: int) -> Deed:
    """Each states that it holds the rank of its first card."""
    return Deed("hold", value=next(iter(own.hand(seat, progress).values()))[RANK])


SAYS: tuple[Step, ...] = (*DEALT, Choose((1,), "ask"))

ANSWERS: tuple[Step, ...] = (*dealt(3, 6, 3), lambda s: Disclose(1, held(s, 1), Match("rank", "3")))

SETTLES: tuple[Step, ...] = (*dealt(0, 20, 0), lambda s: Complete(1, "rank", 4, held(s, 1)))


def complaint(giver: Any, task: Any, deed: Any, body: bytes) -> bytes:
    """Of a card that opens."""
    with mock.patch.object(type(giver.dealing), "read_own", return_value=None):
        return at_place(giver)._accept(task)[0]
