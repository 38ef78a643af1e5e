"""Which games there are."""

from importlib.metadata import EntryPoint

import pytest

from engine import registry
from engine.registry import UnknownGame, game, games


@pytest.fixture(autouse=True)
def _fresh() -> None:
    registry._found.cache_clear()
    registry.game.cache_clear()


def with_entries(monkeypatch: pytest.MonkeyPatch, *entries: EntryPoint) -> None:
    monkeypatch.setattr(registry, "entry_points", lambda group: [e for e in entries if e.group == group])


def test_ours_is_there_without_an_installation(monkeypatch: pytest.MonkeyPatch) -> None:
    with_entries(monkeypatch)
    assert games() == tuple(sorted(registry._OURS))
    assert game("go-fish").info.title == "Go Fish"
    assert game("go-fish") is game("go-fish")


def test_a_game_of_somebody_else_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    with_entries(monkeypatch, EntryPoint("cod", "engine.games.go_fish:GoFish", "shoal.games"))
    assert games() == tuple(sorted(("cod", *registry._OURS)))
    assert game("cod").info.id == "go-fish"


def test_nobody_takes_over_our_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    with_entries(monkeypatch, EntryPoint("go-fish", "nowhere:Nothing", "shoal.games"))
    assert game("go-fish").info.id == "go-fish"


@pytest.mark.parametrize("name", ["gofish", "go-fsh", "GO-FISH", "", "\x1b[2J" * 100])
def test_an_unknown_game_is_refused_with_near_ids(name: str) -> None:
    with pytest.raises(UnknownGame) as caught:
        game(name)
    is_near = "fish" in name.lower() or "fsh" in name
    assert ("; did you mean " if is_near else "; there are ") in str(caught.value)
    assert "go-fish" in str(caught.value)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 120
