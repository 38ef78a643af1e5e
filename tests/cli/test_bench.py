"""The figures of whole games: what is counted, and that it can be measured. No test depends on a time."""

from __future__ import annotations

import pytest

from cli import bench
from cli.bench_seat import Times
from engine.contract import Action, Event
from p2p.session import Happened, Stage


def play(seat: int, *cards: str) -> Happened:
    return Happened((Event("play", seat, words=cards),), ())


def test_a_play_is_matched_with_its_players_decision() -> None:
    times = Times(0.0, 1)
    times.note(Stage(3, "flip", (0,), 0, 1))
    times.acted(Action("play", cards=("sun",)))  # never made: the fish was gone
    times.acted(Action("play", cards=("makeup",)))
    times.note(play(0, "makeup"))  # somebody else's
    times.note(play(1, "makeup"))
    times.note(play(1, "lotion"))  # decided in a look pause
    assert [number for _, number in times.made] == [1]
    assert len(times.seen) == 3
    assert times.made[0][0] <= times.seen[1]
    assert times.first_turn is not None
    assert times.has_begun.is_set()


@pytest.mark.slow
@pytest.mark.network
def test_a_race_between_processes_can_be_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "RACE_SECONDS", 8)
    monkeypatch.setattr(bench, "MIN_PLAYS", 2)
    figures = bench._race(2)
    assert sorted(figures) == ["race2_seen_ms", "race2_seen_p90_ms", "race2_tick_ms"]
    assert figures["race2_tick_ms"] >= 140  # no seat commits earlier than that after its last commitment
    assert all(value > 0 for value in figures.values())


@pytest.mark.slow
@pytest.mark.network
@pytest.mark.parametrize("name", ["one-fish", "casino"])
def test_a_start_between_processes_can_be_measured(name: str) -> None:
    figures = bench._seats(name, 2, 1)
    key = name.replace("-", "_")
    assert sorted(figures) == [f"start2_{key}_ms", f"verify_game2_{key}_ms"]
    assert all(value > 0 for value in figures.values())
