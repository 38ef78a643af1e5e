"""What docs/decks.md and docs/writing_a_game.md show works as it stands there."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from engine import game, registry
from engine.own_deck import read_own_deck
from engine.scenario import run_file
from engine.testing import check_game

ROOT = Path(__file__).resolve().parents[2]


def blocks(page: str, language: str) -> list[str]:
    text = (ROOT / "docs" / page).read_text("utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def test_the_deck_of_the_page() -> None:
    (text,) = blocks("decks.md", "toml")
    deck = read_own_deck(text).deck
    sample = read_own_deck((ROOT / "examples" / "decks" / "animals.toml").read_text("utf-8")).deck
    assert deck == sample
    assert deck.parse("red king-of-beasts") == ("lion", "red")
    assert game("go-fish").options({"own_deck": text}, 4)


def test_the_game_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    code, test, words = blocks("writing_a_game.md", "python")
    scenario, project = blocks("writing_a_game.md", "toml")
    names: dict[str, Any] = {"__name__": "high_card"}
    exec(compile(code, "high_card.py", "exec"), names)
    rules = names["HighCard"]()
    assert "check_game(HighCard()" in test
    assert check_game(rules, games=2) == 2 * 5
    entries = {**registry._found(), "high-card": registry.EntryPoint("high-card", "x:y", registry.GROUP)}
    monkeypatch.setattr(registry, "_found", lambda: entries)
    monkeypatch.setattr(registry.EntryPoint, "load", lambda entry: names["HighCard"])
    registry.game.cache_clear()
    try:
        (report,) = run_file(scenario, "scenarios.toml")
    finally:
        registry.game.cache_clear()
    assert report.problems == ()
    assert tomllib.loads(project)["project"]["entry-points"]["shoal.games"] == {
        "high-card": "high_card:HighCard"
    }
    said: dict[str, Any] = {"Path": Path, "__file__": "x"}
    exec("if True:\n" + words, said)
    assert set(said["words"]["events"]) | {"over"} == set(rules.info.verbs)
