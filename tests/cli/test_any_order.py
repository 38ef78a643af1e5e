"""Cards may be typed in any order where the order means nothing: in whole games, all choices of several."""

from __future__ import annotations

from itertools import permutations

import pytest

from cli.language import LANGUAGES, speaking
from cli.lines import read_line
from engine.contract import Action
from p2p.session import YourMove
from tests.cli.open_table import OpenTable

ORDERED = {("discount-salmon", "play"), ("casino", "take")}
"""Plays on a fish are judged one after the other; each card that is taken has its place behind it."""

GAMES = (
    ("go-fish", {"give_amount": "one"}), ("go-fish", {}), ("casino", {}),
    ("one-fish", {}), ("discount-salmon", {}),
)  # fmt: skip


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_any_order_will_do(name: str, options: dict[str, str]) -> None:
    tried = 0
    for seed in range(3):
        table = OpenTable(name, seed=seed, options=options)
        for telling, _lines in table.play():
            if not isinstance(telling, YourMove):
                continue
            for action in telling.actions[:: 1 + len(telling.actions) // 12]:
                if len(action.cards) > 1 and (name, action.verb) not in ORDERED and not action.value:
                    tried += 1
                    check(table, telling.actions, action)
    assert tried or name in ("go-fish", "one-fish")


def check(table: OpenTable, actions: tuple[Action, ...], action: Action) -> None:
    for cards in list(permutations(action.cards))[:6]:
        typed = table.show.game.action(Action(action.verb, action.target, action.value, cards))
        read = read_line(typed, table.show.game, table.view(), actions)
        assert isinstance(read, Action)
        assert read in actions, typed


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("name", "options"), GAMES)
def test_what_is_shown_can_be_typed(name: str, options: dict[str, str], language: str) -> None:
    """Every action as the screen writes it, in the language of the screen."""
    decided = 0
    with speaking(language):
        table = OpenTable(name, seed=4, options=options)
        for telling, _lines in table.play(120):
            if isinstance(telling, YourMove):
                decided += 1
                for action in telling.actions[:60]:
                    typed = table.show.game.action(action)
                    assert read_line(typed, table.show.game, table.view(), telling.actions) == action, typed
    assert decided > 2
