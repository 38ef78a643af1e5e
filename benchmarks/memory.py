"""The memory of a seat over many games in a row, in a process of its own: it has to stay flat.

``python -m benchmarks.memory [GAMES]`` (200): two seats, each a process with one store and one address, play
short sealed games with the real group one after the other. Prints the resident memory of the guest after so
many games, and fails if the last hundred took more than ``ALLOWED``. Linux.
"""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from cli.bench_seat import admit_all, play_to_end
from engine.registry import game
from p2p.identity import Identity
from p2p.io.lobby import Hosting, Offer, join
from p2p.io.node import Node
from p2p.io.sodium import load_group
from p2p.io.store import Store
from p2p.io.table import Table
from p2p.io.work import WorkPool
from p2p.link import LinkError
from p2p.session.setup import Agreed, SetupError

GAMES = 200
SHORT = {"ranks": "3", "suits": "2", "book_size": "2", "hand_size": "1"}
"""Six cards: what is measured is what a game leaves behind, and each one does everything once."""

SHOWN = (1, 5, 10, 20, 50, 100, 150, 200, 300, 500, 1000)
MB = 1 << 20
ALLOWED = 4 * MB
"""Bytes by which the last hundred games may raise the memory: two per cent of a MB each, which is what the
allocator's own wandering makes."""


def memory() -> int:
    """Bytes of this process in memory."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGESIZE")


async def seat(home: Path, address: str, games: int) -> None:
    """Host (without an ``address``) or join ``games`` tables, one after the other."""
    group, rules = load_group(), game("go-fish")
    with Store.open(home) as store:
        identity = Identity(os.urandom(32))
        node = await Node.open(identity, "Guest" if address else "Host", host="127.0.0.1")
        if not address:
            print(node.addresses[0], flush=True)
        async with WorkPool(1) as pool:
            for number in range(1, games + 1):
                if address:
                    agreed = await _joined(node, address)
                else:
                    offer = Offer("go-fish", SHORT, 2)
                    hosting = Hosting(node, offer, rules, admit=admit_all, on_roster=lambda _: None)
                    agreed = await hosting.gather()
                table = await Table.sit(
                    node, agreed, os.urandom(32), rules, store, pool, group, answer_delay=0.0
                )
                await play_to_end(table)
                await table.close()
                if address and number in (*SHOWN, games):
                    gc.collect()
                    print(f"{number} {memory()}", flush=True)
        await node.close()


async def _joined(node: Node, address: str) -> Agreed:
    """The host opens its next table when it has ended the last one."""
    while True:
        try:
            return await join(node, [address], game, load_group(), on_roster=lambda _: None)
        except (LinkError, SetupError):
            await asyncio.sleep(0.05)


def main(games: int) -> int:
    """Run both seats and report."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "benchmarks.memory", "seat"]
        host = subprocess.Popen(  # noqa: S603  # our own program
            [*command, str(Path(folder) / "host"), "", str(games)], stdout=subprocess.PIPE, text=True
        )
        assert host.stdout is not None
        address = host.stdout.readline().strip()
        guest = subprocess.Popen(  # noqa: S603  # our own program
            [*command, str(Path(folder) / "guest"), address, str(games)], stdout=subprocess.PIPE, text=True
        )
        assert guest.stdout is not None
        found: dict[int, int] = {}
        try:
            for line in guest.stdout:
                number, size = map(int, line.split())
                found[number] = size
                print(f"after {number:4} games: {size / MB:6.1f} MB", flush=True)
            codes = [guest.wait(60), host.wait(60)]
        finally:
            for each in (guest, host):
                each.kill()
                each.wait()
        stored = (Path(folder) / "guest" / "shoal.sqlite3").stat().st_size
    seconds = time.monotonic() - started
    print(f"{games} games in {seconds:.0f} s; the store has {stored / MB:.1f} MB")
    before = max((each for each in found if each <= games - 100), default=min(found))
    grown = found[games] - found[before]
    print(f"from game {before} to game {games}: {grown / MB:+.1f} MB")
    return 0 if codes == [0, 0] and grown <= ALLOWED else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["seat"]:
        asyncio.run(seat(Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])))
    else:
        sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else GAMES))
