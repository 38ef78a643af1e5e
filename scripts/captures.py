"""Writes docs/captures: every phase of every game as it stands on a terminal, as text.

``make captures``, or ``python scripts/captures.py [GAME...]``. The real program plays in a pseudo-terminal,
as for the pictures; the cards are dealt at random each time.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from scripts.pictures import AS_INSTALLED, at_home, puts_away  # noqa: E402  # from the checkout
from tests.cli.tui.stage import dump  # noqa: E402  # from the checkout
from tests.e2e.screen_player import ScreenPlayer  # noqa: E402  # from the checkout

FOLDER: Final = ROOT / "docs" / "captures"
GAMES: Final = 12
"""Games that are played at most until every moment has come about."""

F2: Final = "\x1bOQ"
ESC: Final = "\x1b"

Is = Callable[[str], bool]


@dataclass(frozen=True)
class Film:
    """One game, and the moments to keep: a name, and what is on the screen then. The first one counts.

    ``other`` knows what to type where no key chooses; ``opens`` is when the proofs are looked at. ``prefers``
    are choices that are made where they are offered, with their keys; else it is always the first one.
    """

    args: tuple[str, ...]
    moments: Mapping[str, Is]
    other: Callable[[str], str] = lambda _text: ""
    size: tuple[int, int] = (80, 24)
    opens: str | None = None
    prefers: Mapping[str, str] = field(default_factory=dict)


def _has(*parts: str) -> Is:
    return lambda text: all(part in text for part in parts)


def _lacks(wanted: Is, *parts: str) -> Is:
    return lambda text: wanted(text) and not any(part in text for part in parts)


def _play(game: str, *more: str) -> tuple[str, ...]:
    return ("play", game, "--bots", "2", "--name", "Ann", "--no-bell", *more)


def _salmon(text: str) -> str:
    """Puts cards away where there are too many, and plays the first one now and then."""
    return puts_away(text) or ("1\r" if "The fish is" in text else "")


_ENDED: Final = _has("q leaves the table.")
_WAITING: Final = _lacks(_has("Waiting for", "Pond:"), "Whom?", "Shuffling")

FILMS: Final = {
    "go-fish": Film(
        _play("go-fish"),
        {
            "shuffle": _has("Shuffling", "2 of 3"), "turn": _has("Whom?", "known to hold"),
            "rank": _has("for what?"), "waiting": _WAITING, "end": _ENDED,
        },
        opens="turn",
    ),
    "one-fish": Film(
        _play("one-fish"),
        {
            "shuffle": _has("Shuffling", "2 of 3"), "turn": _has("Whom?"), "what": _has("for what?"),
            "pick": _has("Pick a card"), "lay": _has("] lay"), "waiting": _WAITING, "end": _ENDED,
        },
    ),
    "casino": Film(
        _play("casino"),
        {
            "shuffle": _has("Shuffling", "2 of 3"), "draw": _has("step 1 of 3"), "swap": _has("Step 2 of 3"),
            "discard": _has("Step 3 of 3"), "end": _ENDED,
        },
        prefers={"[2] take": "2"},  # only what was taken from a hand may go back
    ),
    "discount-salmon": Film(
        _play("discount-salmon", "--reaction", "1.5", "--set", "stale_seconds=4"),
        {
            "drop": _has("away: drop"), "flip": _has("] flip"),
            "race": _has("The fish is", "Everybody plays"), "end": _ENDED,
        },
        _salmon,
    ),
    "discount-salmon-silence": Film(
        _play("discount-salmon", "--reaction", "20"), {"": _has("Stalemate in 2 seconds")},
        lambda text: "" if "The fish is" in text else _salmon(text),
    ),
    "go-fish-small": Film(
        _play("go-fish"),
        {"shuffle": _has("Shuffling", "2 of 3"), "turn": _has("Whom?"), "rank": _has("for what?"),
         "end": _ENDED},
        size=(40, 15),
    ),
}  # fmt: skip


def film(name: str) -> None:
    """Write the moments of a game. What is missing after one is looked for in another."""
    wanted = dict(FILMS[name].moments)
    for _ in range(GAMES):
        if wanted:
            with tempfile.TemporaryDirectory() as home:
                _play_one(name, wanted, Path(home))
    for moment in wanted:
        sys.stderr.write(f"{name}: {moment} did not come about in {GAMES} games.\n")


def _play_one(name: str, wanted: dict[str, Is], home: Path) -> None:
    """One game; what was kept is not wanted any more."""
    columns, rows = FILMS[name].size
    size = {"COLUMNS": str(columns), "LINES": str(rows)}
    player = ScreenPlayer(home, *FILMS[name].args, columns=columns, rows=rows, **size, **AS_INSTALLED)

    def keep(moment: str) -> None:
        path = FOLDER / (f"{name}-{moment}".strip("-") + ".txt")
        path.write_text(at_home(dump(player.cells), home) + "\n", encoding="utf-8")
        print(path.relative_to(ROOT))

    def is_done(text: str) -> bool:
        for moment in [moment for moment, holds in wanted.items() if holds(text)]:
            player.read(0.3)  # what is being drawn
            if not wanted[moment](player.text):
                continue
            del wanted[moment]
            keep(moment)
            if moment == FILMS[name].opens:
                player.press(F2)
                player.see("Schnorr")
                keep("proofs")
                player.press(ESC)
                player.wait(FILMS[name].moments[moment], "the table")
        for offered, key in FILMS[name].prefers.items():
            if offered in player.text:
                player.press(key)
                player.wait(lambda text, offered=offered: offered not in text, "the next choice")
        return not wanted or _ENDED(text)

    try:
        player.play(FILMS[name].other, is_done)
    finally:
        player.close()


def main(names: Sequence[str]) -> int:
    """Film the games with these names, or all."""
    unknown = [name for name in names if name not in FILMS]
    if unknown:
        sys.stderr.write(f"There is no film {', '.join(unknown)}; there are {', '.join(FILMS)}.\n")
        return 2
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in names or FILMS:
        film(name)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
