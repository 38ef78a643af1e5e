"""How long the seats of one process take for an answer whose choice hangs on hidden cards."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from cli.driver import BOT_DELAY, CARDS_DELAY, PLAYER_DELAY, Party


def member(public: bytes, level: str = "") -> Any:
    return SimpleNamespace(node=SimpleNamespace(identity=SimpleNamespace(public=public)), level=level)


@pytest.mark.parametrize(
    ("has_cards", "is_auto", "mine"),
    [(False, False, PLAYER_DELAY), (True, False, CARDS_DELAY), (True, True, BOT_DELAY)],
)
def test_a_person_with_cards_to_touch_has_longer_and_a_bot_never(
    has_cards: bool, is_auto: bool, mine: float
) -> None:
    nothing: Any = None
    me, its_bot = member(b"me"), member(b"bot", "random")
    party = Party(nothing, nothing, is_auto, has_cards, [me, its_bot])
    others: Any = SimpleNamespace(seats=[SimpleNamespace(public=each) for each in (b"me", b"bot", b"far")])
    alone: Any = SimpleNamespace(seats=others.seats[:2])
    assert party._answer_delay(me, others) == mine
    assert party._answer_delay(its_bot, others) == BOT_DELAY
    assert party._answer_delay(me, alone) == 0.0, "there is nobody to hide from"
