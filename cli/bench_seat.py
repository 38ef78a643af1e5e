"""One automatic seat in its own process, with the times ``shoal bench`` asks for. Prints one JSON object at
the end.

``python -m cli.bench_seat HOME NAME host SEATS RECORD`` prints its address first;
``python -m cli.bench_seat HOME NAME join ADDRESS`` sits down there.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path
from typing import Any

import msgspec

from engine.bots import bot
from engine.contract import Event
from engine.registry import game
from engine.rng import Stream
from p2p.identity import Identity
from p2p.io.lobby import Applicant, Hosting, Offer, join
from p2p.io.node import Node
from p2p.io.sodium import load_group
from p2p.io.store import Store
from p2p.io.table import Broken, Table
from p2p.io.work import WorkPool
from p2p.session import Fault, Finished, Happened, Stage, YourMove

GAME = "go-fish"


async def admit_all(_: Applicant) -> bool:
    """Seat everyone."""
    return True


async def _run(home: Path, name: str, arguments: list[str]) -> dict[str, Any]:
    node = await Node.open(Identity(os.urandom(32)), name, host="127.0.0.1")
    group, rules = load_group(), game(GAME)
    try:
        if arguments[0] == "host":
            offer = Offer(GAME, {}, int(arguments[1]))
            hosting = Hosting(node, offer, rules, admit=admit_all, on_roster=lambda _: None)
            print(node.addresses[0], flush=True)
            agreed = await hosting.gather()
        else:
            agreed = await join(node, [arguments[1]], game, group, on_roster=lambda _: None)
        times: dict[str, Any] = {"agreed": time.monotonic(), "first_turn": None, "answers": []}
        store = Store.open(home)
        async with WorkPool() as pool:
            table = await Table.sit(node, agreed, os.urandom(32), rules, store, pool, group, answer_delay=0.0)
            try:
                await play_to_end(table, times)
                if arguments[0] == "host":
                    await asyncio.to_thread(Path(arguments[2]).write_bytes, table.record())
            finally:
                await table.close()
        return times
    finally:
        await node.close()


async def play_to_end(table: Table, times: dict[str, Any] | None = None) -> None:
    """Play at random until nothing is owed; note in ``times`` when the first turn came and how long answers
    took."""
    times = times if times is not None else {"first_turn": None, "answers": []}
    choose, rng = bot("random"), Stream(os.urandom(32))
    asked: float | None = None
    while True:
        match await table.tellings.get():
            case Stage(kind="ask") if times["first_turn"] is None:
                times["first_turn"] = time.monotonic()
            case YourMove(view, actions):
                asked = time.monotonic()
                await table.act(choose(view, actions, rng))
            case Happened(events) if asked is not None and _is_answer(events):
                times["answers"].append(time.monotonic() - asked)
                asked = None
            case Broken(error):
                raise error
            case Fault() | Finished():
                return


def _is_answer(events: tuple[Event, ...]) -> bool:
    return any(event.verb in ("give", "go fish", "none") for event in events)


if __name__ == "__main__":
    report = asyncio.run(_run(Path(sys.argv[1]), sys.argv[2], sys.argv[3:]))
    print(msgspec.json.encode(report).decode())
