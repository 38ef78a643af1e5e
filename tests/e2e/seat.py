"""A seat in a process of its own, for tests that kill it. Plays at random; dies at the appointed append.

``python seat.py HOME NAME ADDRESS DIE_AT``: joins at ADDRESS, or goes on with the game stored in HOME. With
DIE_AT = n the process kills itself right after the n-th append of this run was durable, before anything
is sent.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

from cli.bench_seat import play_to_end
from engine.registry import game
from p2p.io.lobby import join
from p2p.io.node import Node
from p2p.io.sodium import load_group
from p2p.io.store import Store
from p2p.io.table import Table
from p2p.io.work import WorkPool


class DyingStore(Store):
    """Kills its process after the appointed append."""

    die_at = 0
    appends = 0

    def append(self, *arguments: object, **named: object) -> None:
        super().append(*arguments, **named)
        self.appends += 1
        if self.appends == self.die_at:
            os.kill(os.getpid(), signal.SIGKILL)


async def main(home: Path, name: str, address: str, die_at: int) -> None:
    """Play until nothing more is owed."""
    store = DyingStore.open(home)
    store.die_at = die_at
    identity = store.identity() or store.create_identity(os.urandom(32), name)
    group, rules = load_group(), game("go-fish")
    saved = [one for one in store.games() if one.state == "running"]
    port = saved[0].meta["port"] if saved else 0
    node = await Node.open(identity, name, host="127.0.0.1", port=port)
    async with WorkPool(1) as pool:
        if saved:
            table = await Table.resume(node, saved[0], rules, store, pool, group, answer_delay=0.0)
        else:
            agreed = await join(node, [address], game, group, on_roster=lambda _: None)
            table = await Table.sit(node, agreed, os.urandom(32), rules, store, pool, group, answer_delay=0.0)
        sys.stdout.write("seated\n")
        sys.stdout.flush()
        await play_to_end(table)
        (home / "game.shoal").write_bytes(table.record())
        await table.close()
    await node.close()
    sys.stdout.write("finished\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])))
