"""The cells of the full screen in all games and phases, as files to read.

``SHOAL_SNAPSHOTS=write python -m pytest tests/cli/tui/test_snapshots.py`` writes them anew; read the
difference before it is committed.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.snapshots import compare
from tests.cli.tui.stage import DEPTHS, SIZES, Seen, dump, dump_colours, positions, terminal

FOLDER = Path(__file__).with_name("snapshots")
MADE = dict(positions())
COLOURED = (
    "go-fish-shuffle", "go-fish-turn", "go-fish-rank", "go-fish-away", "go-fish-end", "one-fish-turn",
    "casino-swap", "discount-salmon-race", "discount-salmon-silence",
)  # fmt: skip


@pytest.mark.parametrize("name", MADE)
async def test_cells(name: str) -> None:
    parts = []
    seen: Seen = MADE[name]()
    for columns, rows in SIZES:
        async with terminal(columns, rows) as shown:
            seen.put_on(shown)
            await shown.settle()
            parts.append(f"{columns} x {rows}\n{dump(shown.cells)}\n")
    compare(FOLDER / f"{name}.txt", "\n".join(parts))


@pytest.mark.parametrize("name", COLOURED)
async def test_colours(name: str) -> None:
    parts = []
    seen = MADE[name]()
    for depth, suits in (("none", "two"), ("16", "two"), ("256", "two"), ("256", "four"), ("256", "ascii")):
        async with terminal(80, 24, DEPTHS[depth], suits) as shown:
            seen.put_on(shown)
            await shown.settle()
            about = f"colours: {depth}, suits: {suits}"
            parts.append(f"{about}\n{dump(shown.cells)}\n{dump_colours(shown.cells)}\n")
    compare(FOLDER / f"{name}-colours.txt", "\n".join(parts))


def test_without_colours_there_are_none() -> None:
    first_path, *other_paths = FOLDER.glob("*-colours.txt")
    for path in (first_path, *other_paths):
        first = path.read_text(encoding="utf-8").split("colours: 16")[0]
        looks = [
            line.split(None, 2)[2] for line in first.split("\n") if line[:1].isspace() and "-" in line[:9]
        ]
        assert looks
        assert {word for look in looks for word in look.split()} <= {
            "bold",
            "reverse",
            "underscore",
            "italics",
        }


NAMED = {"black", "red", "green", "brown", "blue", "magenta", "cyan", "white"}
"""The eight colours as pyte calls them; each may be bright, too."""


@pytest.mark.parametrize("name", MADE)
async def test_every_phase_is_for_dark_and_light_grounds(name: str) -> None:
    """The ground is the terminal's own, and so is the ink of most texts; colours are those of the depth."""
    seen = MADE[name]()
    inks: dict[str, set[str]] = {}
    for depth in DEPTHS:
        async with terminal(80, 24, DEPTHS[depth], "four") as shown:
            seen.put_on(shown)
            await shown.settle()
            cells = [cell for row in shown.cells.buffer.values() for cell in row.values()]
        assert {cell.bg for cell in cells} == {"default"}
        inks[depth] = {cell.fg for cell in cells}
        assert "default" in inks[depth]
        inks[depth].discard("default")
    assert not inks["none"]
    assert {ink.removeprefix("bright") for ink in inks["16"]} <= NAMED
    assert all(len(ink) == 6 and int(ink, 16) >= 0 for ink in inks["256"])
