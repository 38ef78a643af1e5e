"""The running lobby: keys that come before anything is read, live tables, sizes, and silence otherwise."""

from __future__ import annotations

import asyncio
import contextlib
import random
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace

import pytest
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.input.base import PipeInput

from cli.errors import Failure
from cli.lobby.line import Line
from cli.lobby.shell import LobbyScreen
from cli.lobby.state import Facts, Main, Naming, Reading, Seen, State
from cli.lobby.tables import Table
from p2p.io.mdns import Advert
from tests.cli.emulated import EmulatedTerminal
from tests.cli.lobby.stage import TABLES, facts

LIMIT = 60.0


class Disk:
    """What is on the disk of a test; ``gate`` lets the first look at it take its time."""

    def __init__(self, found: Facts) -> None:
        self.found = found
        self.offered: Facts | None = None
        self.gate = threading.Event()
        self.written: list[tuple[str, str, str | None]] = []

    def read(self) -> Facts:
        found = self.found
        assert self.gate.wait(LIMIT)
        return found

    def keep_name(self, name: str) -> None:
        if not name:
            raise Failure("The name is empty.")
        self.found = replace(self.offered or self.found, name=name)

    def write(self, table: str, key: str, value: str | None) -> str:
        self.written.append((table, key, value))
        return f"{key} is now {value}."

    def tables(self, adverts: Sequence[Advert]) -> list[Table]:
        raise AssertionError(adverts)


class Terminal(EmulatedTerminal):
    """A lobby at a terminal."""

    def __init__(self, state: State, disk: Disk, keys: PipeInput) -> None:
        super().__init__(keys)
        self.lobby = LobbyScreen(state, lambda: disk, keys, self.output, finds=False)

    def resize(self, columns: int, rows: int) -> None:
        super().resize(columns, rows)
        self.lobby.app._on_resize()

    async def see(self, holds: Callable[[str], bool]) -> str:
        async with asyncio.timeout(LIMIT):
            while True:
                self.feed()
                text = "\n".join(self.cells.display)
                if holds(text):
                    return text
                await asyncio.sleep(0.01)


@contextlib.asynccontextmanager
async def terminal(state: State | None = None, disk: Disk | None = None) -> AsyncIterator[Terminal]:
    if disk is None:
        disk = Disk(facts())
        disk.gate.set()
    with create_pipe_input() as keys:
        shown = Terminal(state or State(), disk, keys)
        task = asyncio.create_task(shown.lobby.run())
        try:
            yield shown
        finally:
            disk.gate.set()
            shown.lobby._exit(shown.lobby.chosen)
            await asyncio.wait_for(task, LIMIT)


async def test_keys_pressed_before_the_disk_is_read_are_not_lost() -> None:
    disk = Disk(facts())
    async with terminal(disk=disk) as shown:
        await shown.see(lambda text: "Practice" in text)
        shown.keys.send_text("h\r")
        await asyncio.sleep(0.1)
        assert shown.lobby.chosen is None
        disk.gate.set()
        async with asyncio.timeout(LIMIT):
            while shown.lobby.chosen is None:  # noqa: ASYNC110  # the lobby has no event for it
                await asyncio.sleep(0.01)
        assert shown.lobby.chosen == ("host", "go-fish")


async def test_the_first_name_is_kept_and_a_bad_one_refused() -> None:
    disk = Disk(Facts("", "Vera"))
    disk.gate.set()
    async with terminal(State(Naming(Line.of("Vera"))), disk) as shown:
        shown.keys.send_text("\x15\r")
        await shown.see(lambda text: "The name is empty." in text)
        disk.found = facts()
        shown.keys.send_text("Eve\r")
        await shown.see(lambda text: "Tables on this network" in text)
        assert disk.found.name == "Eve"


async def test_tables_come_and_go() -> None:
    async with terminal() as shown:
        await shown.see(lambda text: "None yet" in text)
        shown.lobby.happen(Seen(TABLES, asyncio.get_running_loop().time()))
        await shown.see(lambda text: "Ben" in text and "✓ known" in text)
        shown.lobby.happen(Seen(TABLES[1:], asyncio.get_running_loop().time()))
        await shown.see(lambda text: "gone" in text)
        await shown.see(lambda text: "Ben           " not in text)


async def test_a_setting_is_written_and_what_was_written_is_said() -> None:
    disk = Disk(facts())
    disk.gate.set()
    async with terminal(disk=disk) as shown:
        await shown.see(lambda text: "Ann" in text)
        shown.keys.send_text("s\x1b[B\x1b[B\r")
        await shown.see(lambda text: "plain is now yes." in text)
        assert disk.written == [("", "plain", "yes")]


async def test_nothing_is_written_while_nothing_changes() -> None:
    async with terminal() as shown:
        await shown.see(lambda text: "None yet" in text)
        shown.lobby.happen(Seen(TABLES, 0.0))
        await shown.see(lambda text: "Ben" in text)
        await asyncio.sleep(0.2)
        shown.feed()
        for _ in range(20):
            shown.lobby.happen(Seen(TABLES, 0.0))
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.2)
        assert shown.feed() == ""


KEYS = [
    *"abcdefghijklmnoprstuvwxyz0123456789 ?*\"'/.", "\r", "\t", "\x1b", "\x1b[A", "\x1b[B", "\x1b[C",
    "\x1b[D", "\x1b[5~", "\x1b[6~", "\x1bOP", "\x1bOQ", "\x1b[17~", "\x7f", "\x01", "\x05", "\x0b", "\x0c",
    "\x15", "\x12", "\x1bb", "\x00", "\x1b[200~9\n♠\x1b[2J\x1b[201~", "\x1b[31m", "\x1b[<0;1;1M",
    "\x1b[M !!", "ш", "王", "\x1b[1;5C", "\x1f", "\x1b[H", "\x1b[F", "\x1b[3~", "\x1b[Z",
]  # fmt: skip
"""All but those that leave."""


@pytest.mark.parametrize("seed", range(6))
async def test_any_key_at_any_time_and_any_size(seed: int) -> None:
    chance = random.Random(seed)
    start = chance.choice((Main(), Naming(Line.of("Ann")), Reading("x", "y\n" * 50, Main())))
    async with terminal(State(start)) as shown:
        for _ in range(60):
            shown.keys.send_text("".join(chance.choice(KEYS) for _ in range(chance.randrange(1, 8))))
            columns, rows = chance.choice([(1, 1), (2, 1), (1, 5), (7, 3), (40, 15), (80, 24), (200, 60)])
            shown.resize(columns, rows)
            await asyncio.sleep(0.005)
            if shown.lobby.app.is_done:
                return  # something was chosen: that is an end, too
        assert shown.lobby.failure is None


async def test_a_paste_of_a_megabyte_is_no_work() -> None:
    async with terminal(State(Naming(Line.of("")))) as shown:
        await shown.see(lambda text: "Ann" in text)
        text = "a\x1b[200~" + "x" * 1_000_000 + "\x1b[201~"
        await asyncio.to_thread(shown.keys.send_text, text)  # the pipe holds less
        await shown.see(lambda text: "x" * 60 in text)


async def test_what_breaks_is_raised() -> None:
    class Broken(Disk):
        def read(self) -> Facts:
            raise Failure("The store is damaged.")

    with create_pipe_input() as keys:
        shown = Terminal(State(), Broken(facts()), keys)
        with pytest.raises(Failure, match="damaged"):
            await asyncio.wait_for(shown.lobby.run(), LIMIT)


async def test_a_name_given_while_the_disk_is_read_is_not_asked_for_again() -> None:
    """What was read before the name was kept comes first, however long that takes."""
    disk = Disk(Facts("", "Vera"))
    async with terminal(State(Naming(Line.of("Vera"))), disk) as shown:
        await shown.see(lambda text: "Vera" in text)
        disk.offered = facts()
        shown.keys.send_text("\x15Eve\rh")
        await shown.see(lambda text: "Eve" in text)
        disk.gate.set()
        await shown.see(lambda text: "Enter starts" in text)  # h was pressed before the name was kept
        await asyncio.sleep(0.2)
        await shown.see(lambda text: "Enter starts" in text)
