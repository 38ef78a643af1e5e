"""Figures of tables stay where they are while tables come and go."""

from __future__ import annotations

from cli.lobby.tables import HOLD, Row, expired, next_expiry, updated
from tests.cli.lobby.stage import table

A, B, C = table("Ann"), table("Ben"), table("Carla")


def figures(rows: tuple[Row, ...]) -> dict[str, int]:
    return {row.table.host: row.figure for row in rows if row.gone is None}


def test_a_new_table_does_not_move_the_others() -> None:
    rows = updated((), [B], 0.0)
    rows = updated(rows, [A, B], 1.0)
    assert figures(rows) == {"Ben": 1, "Ann": 2}


def test_the_line_of_a_table_that_went_is_held_before_another_takes_its_figure() -> None:
    rows = updated(updated((), [A, B], 0.0), [B], 10.0)
    assert [row.gone for row in rows] == [10.0, None]
    assert figures(updated(rows, [B, C], 10.0 + HOLD / 2)) == {"Ben": 2, "Carla": 3}
    assert figures(updated(rows, [B, C], 10.0 + HOLD)) == {"Carla": 1, "Ben": 2}


def test_when_to_look_again() -> None:
    rows = updated(updated((), [A, B], 0.0), [B], 10.0)
    assert next_expiry(updated((), [A], 0.0)) is None
    assert next_expiry(rows) == 10.0 + HOLD
    assert len(expired(rows, 10.0 + HOLD / 2)) == 2
    assert [row.table for row in expired(rows, 10.0 + HOLD)] == [B]


def test_a_table_that_comes_back_has_its_figure_again() -> None:
    rows = updated(updated((), [A, B], 0.0), [B], 10.0)
    assert figures(updated(rows, [A, B], 11.0)) == {"Ann": 1, "Ben": 2}


def test_a_table_that_changes_keeps_its_figure() -> None:
    rows = updated((), [A, B], 0.0)
    fuller = table("Ben", taken=3)
    assert [row.table for row in updated(rows, [A, fuller], 1.0)] == [A, fuller]
