"""The cells of the waiting room as files to read, in both languages.

``SHOAL_SNAPSHOTS=write python -m pytest tests/cli/waiting/test_snapshots.py`` writes them anew; read the
difference before it is committed.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.language import speaking
from cli.tui.screen import FullScreen
from cli.waiting.about import large
from cli.waiting.drawing import RoomCover
from cli.waiting.room import Room
from tests.cli.snapshots import compare
from tests.cli.tui.stage import SIZES, at, dump, dump_colours, never, terminal
from tests.cli.waiting.rooms import ROOMS, TALK

FOLDER = Path(__file__).with_name("snapshots")
WORDS = ("lens", "enough", "pulse", "wildcat")


def put_on(screen: FullScreen, room: Room) -> None:
    screen.tell(TALK if room.places else ())
    screen.put_over(RoomCover(room))
    screen.offer(room.choices)


@pytest.mark.parametrize("language", ["en", "mk"])
@pytest.mark.parametrize("name", ROOMS)
async def test_cells(name: str, language: str) -> None:
    parts = []
    with speaking(language):
        for columns, rows in SIZES:
            async with terminal(columns, rows) as shown:
                put_on(shown.screen, ROOMS[name]())
                await shown.settle()
                parts.append(f"{columns} x {rows}\n{dump(shown.cells)}\n")
    compare(FOLDER / f"{name}-{language}.txt", "\n".join(parts))


async def test_colours_and_letters_alone() -> None:
    async with terminal(80, 24, suits="ascii") as shown:
        put_on(shown.screen, ROOMS["host-stranger"]())
        await shown.settle()
        compare(FOLDER / "host-stranger-colours.txt", f"{dump(shown.cells)}\n{dump_colours(shown.cells)}\n")


@pytest.mark.parametrize("language", ["en", "mk"])
async def test_the_safety_words_over_the_table(language: str) -> None:
    parts = []
    with speaking(language):
        for columns, rows in SIZES:
            async with terminal(columns, rows) as shown:
                at("go-fish", never).put_on(shown)
                shown.screen.page("Safety words", large(WORDS, "Read them to each other."))
                await shown.settle()
                parts.append(f"{columns} x {rows}\n{dump(shown.cells)}\n")
    compare(FOLDER / f"words-{language}.txt", "\n".join(parts))
