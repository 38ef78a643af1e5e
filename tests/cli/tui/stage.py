"""Positions of all games on the full screen, drawn by prompt_toolkit into an emulated terminal's cells."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
import pyte
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.input.base import PipeInput
from prompt_toolkit.output import ColorDepth

from cli.tui.choosing import press
from cli.tui.scene import scene_of
from cli.tui.screen import FullScreen
from engine.contract import Action, View
from p2p.session import Contributed, Race, Stage, YourMove
from tests.cli.emulated import EmulatedTerminal
from tests.cli.open_table import OpenTable
from tests.cli.test_race_lines import RaceTable

LIMIT = 60.0
"""Seconds that something on a loaded machine may take."""

SIZES = ((80, 24), (40, 15), (120, 40), (200, 60))
DEPTHS = {
    "none": ColorDepth.DEPTH_1_BIT,
    "16": ColorDepth.DEPTH_4_BIT,
    "256": ColorDepth.DEPTH_8_BIT,
}


class Terminal(EmulatedTerminal):
    """A full screen at a terminal."""

    def __init__(
        self, columns: int, rows: int, depth: ColorDepth, suits: str, keys: PipeInput, has_mouse: bool
    ) -> None:
        super().__init__(keys, columns, rows, depth)
        self.screen = FullScreen(suits, True, keys, self.output, has_mouse)

    def resize(self, columns: int, rows: int) -> None:
        """Another size, as when a window is dragged."""
        super().resize(columns, rows)
        self.screen.app._on_resize()

    async def settle(self) -> list[str]:
        """The lines on the screen as soon as they show what there is to show."""
        async with asyncio.timeout(LIMIT):
            while True:
                self.feed()
                if self.screen.picture.is_settled:
                    await asyncio.sleep(0.03)
                    self.feed()
                    return [line.rstrip() for line in self.cells.display]
                await asyncio.sleep(0.01)


@contextlib.asynccontextmanager
async def terminal(
    columns: int = 80,
    rows: int = 24,
    depth: ColorDepth = ColorDepth.DEPTH_1_BIT,
    suits: str = "two",
    has_mouse: bool = False,
) -> AsyncIterator[Terminal]:
    """A full screen that runs."""
    with create_pipe_input() as keys:
        shown = Terminal(columns, rows, depth, suits, keys, has_mouse)
        task = asyncio.create_task(shown.screen.run())
        try:
            while not shown.screen.app.is_running:  # noqa: ASYNC110  # the application has no event for it
                await asyncio.sleep(0.001)
            yield shown
        finally:
            await shown.screen.close(task)


@dataclass
class Seen:
    """What the full screen is given at one moment of a game."""

    table: OpenTable
    tellings: list[tuple[Any, Sequence[Any]]]
    actions: tuple[Action, ...] = ()
    left: float | None = None
    view: Any = None
    keys: str = ""
    replies: tuple[tuple[str, tuple[str, ...]], ...] = ()
    awaited: tuple[int, ...] = ()
    missing: dict[int, float] = field(default_factory=dict)

    def put_on(self, shown: Terminal) -> None:
        """Feed it to a screen."""
        table, screen = self.table, shown.screen
        view = self.view or table.view()
        board = table.show.board(view, self.awaited, self.missing)
        scene = scene_of(table.show, view, board, self.actions, self.left)
        screen.show(scene)
        for _, lines in self.tellings:
            screen.tell(tuple(lines))
        for key in self.keys:
            press(screen, key)
        for title, lines in self.replies:
            screen.page(title, lines)
        if scene.is_over:
            screen.is_leaving = True


Stop = Callable[[Any], bool]


def at(name: str, stop: Stop, *, seed: int = 1, keys: str = "", skip: int = 0, **more: Any) -> Seen:
    """The game at the first telling (after ``skip`` such) for which ``stop`` holds."""
    table = OpenTable(name, seed=seed, **more)
    tellings: list[Any] = []
    for telling, lines in table.play():
        tellings.append((telling, lines))
        if stop(telling):
            if skip:
                skip -= 1
                continue
            break
    table.show.ledger.kinds.update({"keys": 3, "shuffle": 3, "shares": 12, "answer": 20})
    told = tellings[-1][0]
    actions = told.actions if isinstance(told, YourMove) else ()
    left = told.seconds if isinstance(told, YourMove) else None
    return Seen(table, tellings, tuple(actions), left, keys=keys)


def asked(*verbs: str) -> Stop:
    """The player has to do one of these."""
    return lambda telling: isinstance(telling, YourMove) and {a.verb for a in telling.actions} >= set(verbs)


def only(verb: str) -> Stop:
    """There is nothing else that the player could do."""
    return lambda telling: isinstance(telling, YourMove) and {a.verb for a in telling.actions} == {verb}


def never(telling: Any) -> bool:
    """To the end of the game."""
    return False


def shuffling(name: str) -> Seen:
    """Before the deal, while the second player shuffles."""
    table = OpenTable(name, seed=1)
    told = [
        Stage(0, "shuffle", (0,), 0, 3), Contributed(0, "shuffle"),
        Stage(1, "shuffle", (1,), 1, 3), Contributed(1, "shuffle"), Stage(2, "shuffle", (2,), 2, 3),
    ]  # fmt: skip
    return Seen(table, [table.hear(each) for each in told])


def race(silence: int = 0) -> Seen:
    """In the middle of a race."""
    table = RaceTable()
    now = table.view()
    state = msgspec.structs.replace(
        now.state,
        problems=("dry", "toxic"), silence=silence, is_first_tick=False, racers=(0, 1, 2),
        stack=((1, "makeup"), (2, "sun")),
    )  # fmt: skip
    view = View(state, now.seat, now.deck, now.hand, now._facts)
    told = (Race(view, table.actions, 0.15), table.show.hear(Race(view, table.actions, 0.15), view))
    return Seen(table, [told], table.actions, view=view)


def with_panel(seen: Seen) -> Seen:
    """The same with the proofs on the screen."""
    seen.replies = (("proofs", seen.table.show.ledger.lines()),)
    return seen


def waiting(name: str, is_away: bool = False) -> Seen:
    """Somebody else's turn; that player may be out of reach."""
    seen = at(name, asked(), skip=3)
    table, turn = seen.table, seen.table.me
    for told in table.play():
        seen.tellings.append(told)
        turn = next((box.seat for box in table.show.board(table.view(), ()).seats if box.is_turn), table.me)
        if turn != table.me:
            break
    seen.actions, seen.awaited, seen.missing = (), (turn,), {turn: 42.0} if is_away else {}
    return seen


def positions() -> Iterator[tuple[str, Callable[[], Seen]]]:
    """Names of positions, and how each is made."""
    yield "go-fish-shuffle", lambda: shuffling("go-fish")
    yield "go-fish-turn", lambda: at("go-fish", asked("ask"), skip=3)
    yield "go-fish-rank", lambda: at("go-fish", asked("ask"), skip=3, keys="2")
    yield "go-fish-waiting", lambda: at("go-fish", lambda t: isinstance(t, YourMove), skip=99)
    yield "go-fish-away", lambda: waiting("go-fish", is_away=True)
    yield "go-fish-proofs", lambda: with_panel(at("go-fish", asked("ask"), skip=3))
    yield (
        "go-fish-six",
        lambda: at(
            "go-fish", asked("ask"), skip=2, names=("Ann", "Ben", "Cyril-Alexander", "Дана", "王小明", "Flo")
        ),
    )
    yield "go-fish-end", lambda: at("go-fish", never)
    yield "one-fish-shuffle", lambda: shuffling("one-fish")
    yield "one-fish-waiting", lambda: waiting("one-fish")
    yield "one-fish-pick", lambda: at("one-fish", asked("pick"))
    yield "one-fish-give", lambda: at("one-fish", asked("give"), seed=2)
    yield "one-fish-turn", lambda: at("one-fish", asked("ask"), skip=2)
    yield "one-fish-colour", lambda: at("one-fish", asked("ask"), skip=2, keys="2")
    yield "one-fish-lay", lambda: at("one-fish", asked("lay", "decline"))
    yield "one-fish-end", lambda: at("one-fish", never)
    yield "casino-shuffle", lambda: shuffling("casino")
    yield "casino-waiting", lambda: waiting("casino")
    yield "casino-take", lambda: at("casino", asked("take", "draw deck"))
    yield "casino-keep", lambda: at("casino", only("keep"))
    yield "casino-fill", lambda: at("casino", asked("fill"), seed=2)
    yield "casino-draw", lambda: at("casino", asked("draw deck"), skip=1)
    yield "casino-swap", lambda: at("casino", asked("swap"))
    yield "casino-discard", lambda: at("casino", asked("discard"))
    yield "casino-end", lambda: at("casino", never)
    yield "discount-salmon-shuffle", lambda: shuffling("discount-salmon")
    yield "discount-salmon-flip", lambda: at("discount-salmon", asked("flip"))
    yield "discount-salmon-drop", lambda: at("discount-salmon", asked("drop"))
    yield "discount-salmon-race", race
    yield "discount-salmon-silence", lambda: race(20)
    yield "discount-salmon-end", lambda: at("discount-salmon", never)


def dump(cells: pyte.Screen) -> str:
    """The signs of all cells."""
    border = "+" + "-" * cells.columns + "+"
    # A wide sign takes two cells; the second one is empty.
    lines = [
        "|" + "".join(cells.buffer[y][x].data for x in range(cells.columns)) + "|" for y in range(cells.lines)
    ]
    return "\n".join([border, *lines, border])


def dump_colours(cells: pyte.Screen) -> str:
    """How the cells that are not plain look: from where to where in each row."""
    found = []
    for y in range(cells.lines):
        runs: list[tuple[int, int, str]] = []
        for x in range(cells.columns):
            cell = cells.buffer[y][x]
            colour = [] if cell.fg == "default" else [cell.fg]
            marks = ("bold", "italics", "underscore", "reverse")
            look = " ".join([*(name for name in marks if getattr(cell, name)), *colour])
            if runs and runs[-1][2] == look:
                runs[-1] = (runs[-1][0], x, look)
            else:
                runs.append((x, x, look))
        found += [f"{y:2} {first:3}-{last:<3} {look}" for first, last, look in runs if look]
    return "\n".join(found)


__all__ = [
    "DEPTHS", "LIMIT", "SIZES", "Seen", "Terminal", "asked", "at", "dump", "dump_colours", "positions",
    "race", "terminal",
]  # fmt: skip
