"""The rows of the lobby at several sizes and in both languages, as files to read.

``SHOAL_SNAPSHOTS=write python -m pytest tests/cli/lobby/test_snapshots.py`` writes them anew; read the
difference before it is committed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from cli.language import speaking
from cli.lobby.draw import draw
from cli.lobby.line import Line
from cli.lobby.state import Facts, Main, Naming, Reading, State
from cli.tui.canvas import plain
from tests.cli.lobby import stage
from tests.cli.lobby.stage import TABLES, facts, press, state
from tests.cli.snapshots import compare

FOLDER = Path(__file__).with_name("snapshots")
SIZES = ((80, 24), (40, 15), (200, 60))
NEWS = (
    "Ann wins with 5 books; Ben has 4, 王小明 4.",
    "Record: /home/ann/.local/share/shoal/records/2026-11-29-go-fish-3fa2c81d.shoal",
    "Anyone can check it: shoal verify records/2026-11-29-go-fish-3fa2c81d.shoal",
)


def nobody() -> Facts:
    return replace(facts(), paused=(), finished=())


PAGES: dict[str, Callable[[], State]] = {
    "first": lambda: State(Naming(Line.of("Ann"), "The name is empty; give one of 1 to 32 characters.")),
    "starting": State,
    "empty": lambda: state(facts=nobody()),
    "tables": lambda: press(state(TABLES, news=NEWS), "down")[0],
    "trouble": lambda: state(
        trouble="Tables on this network cannot be found (this machine is on no network)."
    ),
    "host": lambda: press(state(), "h", "down", "down", "down", "down", "right")[0],
    "refused": lambda: press(state(), "h", *["down"] * 9, "right", "enter")[0],
    "practice": lambda: press(state(), "p", "right")[0],
    "settings": lambda: press(state(), "s", "down", "down")[0],
    "setting": lambda: press(state(), "s", "enter", "left")[0],
    "address": lambda: press(state(), "a", *"192.0.2.7")[0],
    "games": lambda: press(state(), "g")[0],
    "rules": lambda: press(state(), "r", "down")[0],
    "help": lambda: press(state(), "?")[0],
    "reading": lambda: state(page=Reading("Go Fish", "\n".join(f"Line {n}." for n in range(99)), Main(), 40)),
}


def shown(made: State) -> str:
    parts = []
    for columns, rows in SIZES:
        lines = [plain(row).rstrip() for row in draw(replace(made, rows=rows), columns, rows)]
        while lines and not lines[-1]:
            lines.pop()
        parts.append(f"{columns} x {rows}\n" + "\n".join(lines) + "\n")
    return "\n".join(parts)


@pytest.mark.parametrize("name", PAGES)
def test_rows(name: str) -> None:
    compare(FOLDER / f"{name}.txt", shown(PAGES[name]()))


@pytest.mark.parametrize("name", ["tables", "games", "help"])
def test_rows_in_macedonian(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SHOAL_LANG")
    stage.facts.cache_clear()
    try:
        with speaking("mk"):
            compare(FOLDER / f"{name}-mk.txt", shown(PAGES[name]()))
    finally:
        stage.facts.cache_clear()


def test_rows_in_ascii() -> None:
    compare(FOLDER / "tables-ascii.txt", shown(replace(PAGES["tables"](), is_ascii=True)))
