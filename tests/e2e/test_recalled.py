"""A game that goes on tells again what happened last, and its log begins with the game."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.e2e.program import Program

pytestmark = [pytest.mark.slow, pytest.mark.network]

GAME = ("--bots", "1", "--name", "Ann", "--set", "hand_size=10")


def test_the_log_of_a_game_that_goes_on_has_what_happened_before(
    tmp_path: Path, programs: list[Program]
) -> None:
    first = Program(tmp_path, "play", "go-fish", *GAME)
    programs.append(first)
    first.sees(r"Your turn\.")
    first.types("hand")  # as it is now: what was dealt first may have been asked away
    rank = first.sees(r"(?s)Your turn\..*?Your hand: *(\d+|[JQKA])")[1]
    first.types(f"ask Coral {rank}")
    asked = first.sees(r"You ask Coral for \w+\.")[0]
    first.sees(r"(?s)You ask Coral for \w+\..*\n(Coral|You) (says?|gives?|draws?)")
    first.types("quit")
    assert first.ends() == 0

    again = Program(tmp_path, "resume")
    programs.append(again)
    again.sees("Going on with Go Fish")
    again.sees(r"(?s)\n[^\n]+\nPond: ")
    again.types("log")
    again.sees(rf"(?s)Pond: .*{re.escape(asked)}")
    told = again.text.partition("Pond: ")[0]
    assert asked in told
    again.types("quit")
    assert again.ends() == 0
