"""A table of six of whom one has a long and lossy line: from an ask to its answer, at each seat.

``python -m benchmarks.slow_line [DELAY [LOSS]]`` (0.3 and 0.05): each seat is a process of its own on a host
of its own, in network namespaces of this machine; frames to and from the last one arrive half of DELAY
seconds late each way, and LOSS of them not at all. Real links, real TCP. Root on Linux, with iproute2;
elsewhere it says why it measured nothing, and ends with code 0.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from cli.bench_seat import Times, admit_all, play_to_end
from engine.registry import game
from p2p.identity import Identity
from p2p.io.lobby import Hosting, Offer, join
from p2p.io.node import Node
from p2p.io.sodium import load_group
from p2p.io.store import Store
from p2p.io.table import Table
from p2p.io.work import WorkPool, keep_loop_even
from tests.lan.lan import Lan, Program, lan, obstacle, said, until

SEATS = 6
PORT = 7467
OPTIONS = {"ranks": "8", "hand_size": "3"}
GAME_TIME = 900.0
"""Seconds for the game on a busy machine."""


async def seat(home: Path, name: str, address: str) -> None:
    """Host (without an ``address``) or join, play at random and print the times as JSON."""
    node = await Node.open(Identity(os.urandom(32)), name, port=0 if address else PORT)
    group, rules = load_group(), game("go-fish")
    keep_loop_even()
    if address:
        agreed = await join(node, [address], game, group, on_roster=lambda _: None)
    else:
        offer = Offer("go-fish", OPTIONS, SEATS)
        hosting = Hosting(node, offer, rules, admit=admit_all, on_roster=lambda _: None)
        print("waiting", flush=True)
        agreed = await hosting.gather()
    times = Times(time.monotonic(), agreed.seat)
    with Store.open(home) as store:
        async with WorkPool(1) as pool:
            table = await Table.sit(node, agreed, os.urandom(32), rules, store, pool, group, answer_delay=0.0)
            await play_to_end(table, times)
            steps = table.session.history.step
            await table.close()
    await node.close()
    whole = time.monotonic() - times.agreed
    print(json.dumps({**times.report(), "steps": steps, "whole": whole, "name": name}), flush=True)


def start(net: Lan, host: int, folder: Path, address: str) -> Program:
    """A seat's process on its host."""
    name = f"Seat{host}"
    words = ("-m", "benchmarks.slow_line", "seat", str(folder / name), name, address)
    return net.start(net.space(host), sys.executable, *words, name=name)


def main(delay: float, loss: float) -> int:
    """Play one game and print what was measured."""
    why = obstacle()
    if why is not None:
        print(f"NOTHING WAS MEASURED: {why}")
        return 0
    with tempfile.TemporaryDirectory() as made, lan(Path(made), SEATS) as net:
        if delay or loss:
            net.lengthen(SEATS - 1, delay / 2, loss)
        programs = [start(net, 0, Path(made), "")]
        until(lambda: programs[0].says("waiting"), lambda: said(programs))
        programs += [start(net, host, Path(made), f"{net.address(0)}:{PORT}") for host in range(1, SEATS)]
        until(lambda: all(each.code is not None for each in programs), lambda: said(programs), GAME_TIME)
        assert all(each.code == 0 for each in programs), said(programs)
        found = [json.loads(each.output.splitlines()[-1]) for each in programs]
    report(found, delay, loss)
    return 0


def report(found: list[dict[str, Any]], delay: float, loss: float) -> None:
    """Ask to answer: at the seat with the long line, and at the others."""
    near = [each for seat in found if seat["name"] != f"Seat{SEATS - 1}" for each in seat["answers"]]
    far = [each for seat in found if seat["name"] == f"Seat{SEATS - 1}" for each in seat["answers"]]
    print(f"{SEATS} seats, one {1e3 * delay:.0f} ms away with {loss:.0%} of its frames lost")
    for what, times in (("the others ask", near), ("the far one asks", far)):
        if times:
            times.sort()
            middle, most = statistics.median(times), times[-1]
            print(f"  {what}: answer after {1e3 * middle:.0f} ms, at most {1e3 * most:.0f} ms ({len(times)})")
    print(f"  {found[0]['steps']} steps in {found[0]['whole']:.0f} s")


if __name__ == "__main__":
    if sys.argv[1:2] == ["seat"]:
        asyncio.run(seat(Path(sys.argv[2]), sys.argv[3], sys.argv[4]))
    else:
        numbers = [float(each) for each in sys.argv[1:]]
        sys.exit(main(*(numbers + [0.3, 0.05][len(numbers) :])))
