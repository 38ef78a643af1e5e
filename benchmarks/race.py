"""What a long race costs: bytes of the record, processor time of a seat, time to verify; by virtual clock.

Five real sessions play Discount Salmon over a link without delay, as fast as the processor allows; the clock
that they see runs from timer to timer. Nobody plays a card, and a fish stays for a minute, so that nearly all
steps are ticks. Run from the source tree: ``python -m benchmarks.race [MINUTES]``.
"""

from __future__ import annotations

import resource
import sys
import time
from typing import Any

from engine.registry import game
from engine.table import Tick
from p2p.io.sodium import load_group
from p2p.verify import verify
from tests.p2p.harness import Ring, pick_first

GAME = "discount-salmon"
SEATS = 5
OPTIONS = {"stale_seconds": "60"}
GOAL_MINUTES = 20
"""The length of the race for which the goals are stated: 12 MB of record, 20 s to verify."""

TICKS_A_MINUTE = 400


def main(minutes: float) -> None:
    """Play, measure, and print."""
    ring: Any = Ring(load_group(), SEATS, options=OPTIONS, rules=game(GAME), choose=pick_first)
    ring.start()
    session = ring.sessions[0]
    ring.run_clock(lambda: isinstance(session.history.progress.task, Tick))
    began, first, memory = ring.now, session.history.step, _memory()
    before, before_taken = session.record(), _verify(ring)
    spent = time.process_time()
    ring.run_clock(lambda: ring.now > began + 60 * minutes or session.is_over, 60 * minutes + 60)
    spent = time.process_time() - spent
    minutes = (ring.now - began) / 60
    steps = session.history.steps[first:]
    ticks, count = len(steps) / 2, sum(len(step) for step in steps)
    memory = _memory() - memory
    started = time.perf_counter()
    session.view().known  # noqa: B018  # folds what everybody knows, as a front end asks for it
    view = time.perf_counter() - started
    record, taken = session.record(), _verify(ring)
    print(f"{minutes:.1f} minutes of race, {ticks:.0f} ticks, {count} contributions")
    print(f"memory: {memory / SEATS / minutes / 1024:.0f} KiB per seat and minute")
    print(f"processor: {spent / SEATS / minutes:.2f} s per seat and minute")
    print(f"a view at the end: {view * 1e3:.0f} ms")
    print(f"record: {len(record) / 1e6:.2f} MB; verified in {taken:.2f} s")
    scale = GOAL_MINUTES * TICKS_A_MINUTE / ticks
    size = len(before) + (len(record) - len(before)) * scale
    seconds = before_taken + (taken - before_taken) * scale
    print(f"{GOAL_MINUTES} minutes: record {size / 1e6:.2f} MB, verified in {seconds:.1f} s")


def _verify(ring: Any) -> float:
    """Seconds to verify the record as it stands."""
    began = time.perf_counter()
    report = verify(ring.record(0), game, ring.group)
    taken = time.perf_counter() - began
    if report.verdict != "sound":
        raise AssertionError(report.reason)
    return taken


def _memory() -> int:
    """Bytes of memory this process holds at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 5.0)
