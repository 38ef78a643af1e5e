"""Recorded games of all kinds, played between real sessions: sealed and printed, whole, stopped and
cheated."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

import msgspec

from cli.replay import Recording, Replay, open_recording
from cli.text import Glyphs
from engine.contract import IllegalAction
from engine.registry import game
from p2p.sealed import Group
from p2p.sealed.testgroup import SmallGroup
from p2p.session import Race
from p2p.sim.plan import small_pack
from tests.p2p.cheats import Cheater, Told
from tests.p2p.harness import SHORT, Ring, make_charter

GAMES = ("casino", "discount-salmon", "go-fish", "one-fish")
NAMES = ("Ann", "Ben", "Cy", "Dee")
SMALL = SmallGroup()


def play_some(ring: Ring, seat: int, told: Race) -> None:
    """In a race a seat plays something, half of the time."""
    if len(told.actions) > 1 and ring.rng.random() < 0.5:
        try:
            effects = ring.sessions[seat].act(ring.now, ring.rng.choice(told.actions[1:]))
        except IllegalAction:  # its queue is full
            return
        ring.run(seat, effects)


def ring_of(
    name: str, seats: int = 3, group: Group = SMALL, reveal: str = "end", scanner: int | None = None,
    seed: int = 3, names: tuple[str, ...] = NAMES, **more: Any,
) -> Ring:  # fmt: skip
    """A table that has not begun, with names that people have."""
    rules = game(name)
    options = more.pop("options", None) or (SHORT if name == "go-fish" else small_pack(name, seats))
    charter, _ = make_charter(group, seats, name, dict(options), reveal, rules, scanner=scanner)
    named = tuple(msgspec.structs.replace(info, name=names[n]) for n, info in enumerate(charter.seats))
    charter = msgspec.structs.replace(charter, seats=named)
    return Ring(
        group, seats, seed=seed, options=dict(options), reveal=reveal, rules=rules, charter=charter,
        scanner=scanner, play=play_some, salt=bytes([seed]), **more,
    )  # fmt: skip


@lru_cache(maxsize=32)
def played(name: str, **more: Any) -> Ring:
    """A whole game; read only."""
    ring = ring_of(name, **more)
    ring.start()
    assert ring.run_clock(lambda: all(session.is_over for session in ring.sessions), 3600.0)
    return ring


@lru_cache(maxsize=32)
def record(name: str, **more: Any) -> bytes:
    """The file of a whole game."""
    return played(name, **more).record(0)


def stopped(name: str, step: int, **more: Any) -> bytes:
    """The file of a game that went to a step, and some way into it."""
    ring = ring_of(name, **more)
    assert ring.play_until(lambda: ring.sessions[0].history.step >= step)
    return ring.record(0)


def cheated(lie: Any, seat: int, options: dict[str, str], group: Group = SMALL) -> tuple[bytes, int]:
    """The file of a game of Go Fish in which a seat lied, and was found out; and at which step that was."""
    told = Told()
    for salt in range(40):
        ring = ring_of(
            "go-fish", group=group, seed=salt, options=options, makers={seat: partial(Cheater, lie, told)}
        )
        ring.play()
        if told.step is not None and ring.faults(0):
            return ring.record(0), told.step
    raise AssertionError("the lie was never told")


def opened(data: bytes, group: Group = SMALL) -> Recording:
    """What can be followed of a file; not followed yet."""
    found = open_recording(data, game, group)
    assert isinstance(found, Recording)
    return found


def replay_of(data: bytes, group: Group = SMALL, tell: Callable[[int, int], None] | None = None) -> Replay:
    """A replay of which everything is verified."""
    recording = opened(data, group)
    recording.follow(tell)
    return Replay(recording, Glyphs())
