"""Takes the pictures of docs/pictures: the real program in a pseudo-terminal, its cells written as SVG.

``make pictures``, or ``python scripts/pictures.py [NAME...]``. The cards are dealt at random each time.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Final

from prompt_toolkit.utils import get_cwidth

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.e2e.screen_player import ScreenPlayer  # noqa: E402  # from the checkout

FOLDER: Final = ROOT / "docs" / "pictures"

CELL: Final = (8.4, 18)
"""Width and height of a cell; the width is that of the usual monospaced letters of 14 px."""

BIN: Final = Path(sys.executable).parent

AS_INSTALLED: Final[dict[str, Any]] = {
    "program": (str(BIN / "shoal"),),
    "PATH": os.pathsep.join([str(BIN), os.environ.get("PATH", "")]),
    "PYTHONPATH": str(ROOT),
}
"""How the program is started: as by somebody who has it on the path, so that it calls itself ``shoal``."""

HOME: Final = "/home/ann/.shoal"
"""Stands for the folder of a game that is played here only."""

GROUND: Final = "#16181d"
INK: Final = "#d8dbe2"
NAMED: Final = {
    "red": "#d7414b",
    "green": "#2f8f46",
    "blue": "#3f7fd7",
    "magenta": "#9a63c8",
    "brown": "#a87b00",
}


@dataclass(frozen=True)
class Picture:
    """A game, how large its terminal is, and when to press the shutter; ``beside`` runs in another one."""

    args: tuple[str, ...]
    columns: int
    rows: int
    ready: Callable[[str], bool]
    keys: tuple[str, ...] = ()
    shown: str = ""
    skip: int = 0
    beside: tuple[str, ...] = ()


def _has(*parts: str) -> Callable[[str], bool]:
    return lambda text: all(part in text for part in parts)


def puts_away(text: str) -> str:
    """What is typed in Discount Salmon where there are too many cards: no key chooses them, and against bots
    nobody is hurried."""
    put = re.search(r"away: (drop [\d ]+)\.", text)
    return f"{put.group(1)}\r" if put else ""


def _play(game: str, *more: str, bots: int = 3) -> tuple[str, ...]:
    return ("play", game, "--bots", str(bots), "--name", "Ann", "--suits", "four", "--no-bell", *more)


NAMED_ANN: Final = "\x15Ann\r"
"""The first run of the lobby: another name than the one it suggests."""

PICTURES: Final = {
    "lobby": Picture(
        (), 80, 24, _has("your name at the table"), (NAMED_ANN,), "Ben",
        beside=("host", "go-fish", "--name", "Ben", "--seats", "3"),
    ),
    "lobby-host": Picture(
        (), 80, 24, _has("your name at the table"), (NAMED_ANN, "h", *["\x1b[B"] * 4, "\x1b[C"), "particular"
    ),
    "go-fish-shuffle": Picture(_play("go-fish"), 80, 24, _has("Shuffling", "3 of 4")),
    "go-fish": Picture(_play("go-fish"), 80, 24, _has("Whom?", "known to hold"), skip=2),
    "go-fish-rank": Picture(_play("go-fish"), 80, 24, _has("Whom?", "known to hold"), ("3",), "for what?"),
    "go-fish-small": Picture(_play("go-fish", bots=2), 40, 15, _has("Whom?"), skip=1),
    "go-fish-proofs": Picture(_play("go-fish"), 80, 24, _has("Whom?"), ("\x1bOQ",), "Schnorr", skip=1),
    "go-fish-end": Picture(_play("go-fish", bots=2), 80, 24, _has("q leaves the table.")),
    "one-fish": Picture(_play("one-fish"), 80, 24, _has("Whom?"), ("2",), "for what?", skip=2),
    "one-fish-end": Picture(_play("one-fish", bots=2), 80, 24, _has("q leaves the table.")),
    "casino": Picture(_play("casino", bots=2), 80, 24, _has("step 1 of 3"), skip=1),
    "casino-swap": Picture(_play("casino", bots=2), 80, 24, _has("Step 2 of 3")),
    "casino-end": Picture(_play("casino", bots=2), 80, 24, _has("q leaves the table.")),
    "discount-salmon": Picture(
        _play("discount-salmon", "--reaction", "1.5", bots=2), 80, 24,
        _has("The fish is", "\n Everybody plays", "gets the fish"),  # the question, and not what was said
    ),
    "discount-salmon-silence": Picture(
        _play("discount-salmon", "--reaction", "20", bots=2), 80, 24, _has("Stalemate in 2 seconds")
    ),
}  # fmt: skip


def take(name: str) -> str:
    """One picture as SVG."""
    picture = PICTURES[name]
    with tempfile.TemporaryDirectory() as home, tempfile.TemporaryDirectory() as other:
        beside = ScreenPlayer(Path(other), *picture.beside, **AS_INSTALLED) if picture.beside else None
        player = ScreenPlayer(
            Path(home), *picture.args, columns=picture.columns, rows=picture.rows, TERM="xterm-256color",
            COLUMNS=str(picture.columns), LINES=str(picture.rows), **AS_INSTALLED,
        )  # fmt: skip
        try:
            _drive(player, picture)
            return at_home(svg(player.cells), Path(home))
        finally:
            player.close()
            if beside is not None:
                beside.close()


def at_home(text: str, home: Path) -> str:
    """As it would look in a folder that stays; as many letters, so that the rows stay as wide."""
    size = len(str(home))
    return text.replace(str(home), HOME.ljust(size, "-")[:size])


def _drive(player: ScreenPlayer, picture: Picture) -> None:
    left = picture.skip

    def is_ready(text: str) -> bool:
        nonlocal left
        if not picture.ready(text):
            return False
        left -= 1
        return left < 0

    player.play(puts_away, is_ready)
    for key in picture.keys:
        player.press(key)
    if picture.shown:
        player.see(picture.shown)
    for _ in range(3):
        player.read(0.1)


def svg(cells: Any) -> str:
    """The cells of a terminal as a drawing that any browser shows alike."""
    across, down = CELL
    size = (cells.columns * across + 20, cells.lines * down + 20)
    family = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
    view = f"0 0 {size[0]:.0f} {size[1]:.0f}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}" font-family="{family}" font-size="14">',
        f'<rect width="100%" height="100%" rx="8" fill="{GROUND}"/>',
    ]
    for y in range(cells.lines):
        for x, text, cell in _runs(cells, y):
            parts += _drawn(10 + x * across, 10 + y * down, text, cell)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _runs(cells: Any, y: int) -> list[tuple[int, str, Any]]:
    """Signs that stand side by side and look alike, with their first column."""
    runs: list[tuple[int, str, Any]] = []
    for x in range(cells.columns):
        cell = cells.buffer[y][x]
        if runs and _look(runs[-1][2]) == _look(cell):
            runs[-1] = (runs[-1][0], runs[-1][1] + cell.data, cell)
        else:
            runs.append((x, cell.data, cell))
    return [(x, text, cell) for x, text, cell in runs if text.strip() or cell.reverse]


def _look(cell: Any) -> tuple[Any, ...]:
    return (cell.fg, cell.bg, cell.bold, cell.italics, cell.underscore, cell.reverse)


def _drawn(x: float, y: float, text: str, cell: Any) -> list[str]:
    across, down = CELL
    wide = get_cwidth(text) * across
    ink = _colour(cell.fg)
    parts = []
    if cell.reverse:
        parts.append(f'<rect x="{x:.1f}" y="{y}" width="{wide:.1f}" height="{down}" fill="{ink}"/>')
        ink = GROUND
    look = "".join(
        [
            ' font-weight="bold"' if cell.bold else "",
            ' font-style="italic"' if cell.italics else "",
            ' text-decoration="underline"' if cell.underscore else "",
        ]
    )
    if text.strip():
        parts.append(
            f'<text x="{x:.1f}" y="{y + 13.5}" textLength="{wide:.1f}" lengthAdjust="spacingAndGlyphs"'
            f' xml:space="preserve" fill="{ink}"{look}>{escape(text)}</text>'
        )
    return parts


def _colour(name: str) -> str:
    if name == "default":
        return INK
    return NAMED.get(name, f"#{name}")


def main(names: Sequence[str]) -> int:
    """Take the pictures with these names, or all."""
    unknown = [name for name in names if name not in PICTURES]
    if unknown:
        sys.stderr.write(f"There is no picture {', '.join(unknown)}; there are {', '.join(PICTURES)}.\n")
        return 2
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in names or PICTURES:
        path = FOLDER / f"{name}.svg"
        path.write_text(take(name), encoding="utf-8")
        print(path.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
