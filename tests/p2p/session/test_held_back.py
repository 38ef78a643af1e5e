"""How long a decision is held back that hangs on hidden cards: for people with cards on a table, too."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from engine.bots import bot
from engine.match import Position
from engine.open import Open
from engine.registry import game
from engine.rng import Stream
from engine.table import Choose, Disclose, Tick
from p2p.session.deciding import HELD_BACK, Decider


def position_at(is_wanted: Callable[[Any], bool]) -> tuple[Position, Open]:
    """The first position of a game of One Fish that waits for this."""
    rules, rng = game("one-fish"), Stream(3)
    position = Position.start(rules, {}, 3)
    dealer = Open(position, rng)
    while not is_wanted(op := position.pending):
        if isinstance(op, Choose | Tick):
            deeds = []
            for seat in op.seats:
                view = dealer.view(position, seat)
                deeds.append((seat, rules.deed(view, bot("random")(view, rules.legal(view), rng))))
            result = dealer.decided(position, deeds)
        else:
            result = dealer.resolve(position, lambda _at, _seat, actions: actions[0])
        position, _ = position.feed(result)
    return position, dealer


@pytest.mark.parametrize(
    ("delay", "waits", "asked", "answered"),
    [(3.0, True, 3.0, 3.0), (8.0, True, HELD_BACK, 8.0), (1.0, False, 1.0, 1.0), (0.0, True, None, None)],
)
def test_who_is_asked_in_any_case_is_held_back_no_longer_by_a_long_time_for_cards(
    delay: float, waits: bool, asked: float | None, answered: float | None
) -> None:
    for is_wanted, seconds in (
        (lambda op: isinstance(op, Choose) and op.delayed, asked),
        (lambda op: isinstance(op, Disclose) and op.most is not None, answered),
    ):
        position, dealer = position_at(is_wanted)
        op: Any = position.pending
        seat = op.seats[0] if isinstance(op, Choose) else op.seat
        decider = Decider(
            seat, lambda at: dealer.hand(at.position.table, seat),  # noqa: B023  # asked at once
            lambda at: dealer.view(at.position, seat), delay, waits,  # noqa: B023
        )  # fmt: skip
        progress: Any = SimpleNamespace(position=position, task=op)
        decider.ask(100.0, progress)
        assert decider.answer_at == (None if seconds is None else 100.0 + seconds)
