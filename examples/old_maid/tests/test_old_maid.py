"""The game by the checks that hold for every game, and by its scenarios."""

from pathlib import Path

from shoal_old_maid.game import OldMaid

from engine.scenario import run_file
from engine.testing import check_game

HERE = Path(__file__).resolve().parents[1]


def test_the_checks_of_every_game() -> None:
    assert check_game(OldMaid(), games=2) == 2 * 5 * 2


def test_the_scenarios() -> None:
    file = HERE / "scenarios.toml"
    reports = list(run_file(file.read_text("utf-8"), file.name))
    assert [report.id for report in reports] == ["OM-01", "OM-02", "OM-03"]
    assert [problem for report in reports for problem in report.problems] == []
