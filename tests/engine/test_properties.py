"""Random games of every game there is, checked at every operation (engine.testing says for what)."""

from __future__ import annotations

import pytest

from engine.registry import game
from engine.testing import check_sample

OURS = ("casino", "discount-salmon", "go-fish", "one-fish")


@pytest.mark.parametrize("name", OURS)
def test_a_hundred_games(name: str) -> None:
    check_sample(game(name), 100, seed=1)


@pytest.mark.soak
@pytest.mark.parametrize("name", OURS)
def test_ten_thousand_games(name: str) -> None:
    check_sample(game(name), 10_000, seed=2)
