"""What a seated peer may send at any time, and what bad luck adds to it: no innocent seat suffers."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine.contract import IllegalAction
from engine.table import Tick
from p2p.log import DEPARTURE, SKIP, Entry, encode_message, sign_statement
from p2p.log.wire import EntryFrame, Have, Message, Missing, StatementFrame, Want
from p2p.sealed import Group
from p2p.session import Race
from tests.p2p.harness import Ring
from tests.p2p.race import RaceRules

OPTIONS = {"fish": "4"}


def racing(group: Group, seats: int, seed: int = 1, play: Any = None) -> Ring:
    """A game at its first tick."""
    ring = Ring(group, seats, seed=seed, rules=RaceRules(), options=OPTIONS, play=play or (lambda *_: None))
    ring.start()
    assert ring.run_clock(lambda: all(isinstance(s.history.progress.task, Tick) for s in ring.sessions), 60)
    return ring


def test_a_statement_is_stored_behind_the_steps_before_it(small: Group) -> None:
    """In a race others' contributions wait for one's own before they are stored; a statement does not wait.

    A peer that asks at the right moment, and a crash after that, must leave no store with a gap in it.
    """
    ring = racing(small, 3)
    slow = ring.sessions[2]
    due = slow._racer.due
    slow._racer.due = lambda progress, began: due(progress, began) + 0.05
    asked: list[int] = []

    def ask(sender: int, to: int, data: bytes) -> list[bytes]:
        history, held = slow.history, {entry.seat for entry in slow.held}
        if (sender, to) != (1, 2) or asked or not slow._unsaved or held != {0}:
            return [data]
        asked.append(history.step)
        return [encode_message(Missing(history.epoch, history.step, history.head[:8], 0))]

    ring.deliver = ask
    assert ring.run_clock(lambda: bool(asked), 20)
    assert [statement.step for statement in ring.statements[2] if statement.have] == asked
    ring.deliver = None
    ring.restart(2)
    start = ring.sessions[0].history.step
    assert ring.run_clock(lambda: ring.sessions[0].history.step > start + 6, 30)
    assert not any(ring.faults(seat) for seat in range(3))
    assert ring.verdict(2).verdict == "sound"


class Cousin:
    """A seated peer that sends what a session never would: signed, well formed, and made up."""

    def __init__(self, ring: Ring, seat: int, rng: random.Random) -> None:
        self._ring, self._seat, self._rng = ring, seat, rng
        self._said: dict[tuple[int, ...], tuple[str, bool]] = {}
        self._is_rash = rng.random() < 0.3

    def send(self) -> None:
        """One message to some of the others."""
        ring, rng = self._ring, self._rng
        others = [seat for seat in range(len(ring.sessions)) if seat != self._seat]
        data = encode_message(self._made_up())
        for to in others if rng.random() < 0.4 else [rng.choice(others)]:
            ring.run(to, ring.sessions[to].receive(ring.now, self._seat, data))

    def _made_up(self) -> Message:
        ring, rng = self._ring, self._rng
        history = rng.choice(ring.sessions).history
        step = rng.choice(
            [history.step] * 3 + [max(0, history.step - 1), history.step // 2, history.step + 1]
        )
        now = history.epochs[min(step, history.step)]
        epoch = rng.choice([now] * 5 + [now + 1, 2**32 - 1])
        head = history.heads[min(step, history.step)]
        hint = head[:8] if rng.random() < 0.9 else rng.randbytes(8)
        match rng.randrange(6):
            case 0:
                return Missing(epoch, step, hint, rng.randrange(6))
            case 1 | 2:
                return self._statement(epoch, step, head, hint)
            case 3:
                return Want(epoch, step)
            case 4:
                return Have(epoch, rng.choice([0, step, 2**32 - 1]), step, hint)
            case _:
                entry = rng.choice(self._any_entries())
                return EntryFrame(entry.epoch, entry.step, hint, entry.seat, entry.body, entry.signature)

    def _statement(self, epoch: int, step: int, head: bytes, hint: bytes) -> StatementFrame:
        """About anybody, true or false; the same each time, since two different ones convict at once."""
        rng = self._rng
        keeper = rng.randrange(len(self._ring.sessions))
        about = (epoch, step, keeper)
        made_up = (rng.choice([SKIP] * 9 + [DEPARTURE]), rng.random() < (0.6 if self._is_rash else 0.15))
        purpose, have = self._said.setdefault(about, made_up)
        identity, charter = self._ring.identities[self._seat], self._ring.charter
        made = sign_statement(identity, charter.table_id, head, about, purpose, self._seat, have)
        return StatementFrame(epoch, step, hint, keeper, purpose, self._seat, have, made.signature)

    def _any_entries(self) -> list[Entry]:
        return [entry for stored in self._ring.stored for entry in stored[-20:]]


def trouble(ring: Ring, rng: random.Random, victim: int) -> None:
    """Cables are pulled and plugged in, and programs are killed and brought back."""
    luck = rng.random()
    if luck < 0.08 and not ring.cut:
        ring.cut.add(rng.randrange(len(ring.sessions)))
    elif luck < 0.2 and ring.cut:
        ring.relink(next(iter(ring.cut)))
    elif luck < 0.25:
        ring.restart(victim)


@pytest.mark.parametrize("seed", range(12))
def test_no_message_of_a_peer_harms_an_innocent(small: Group, seed: int) -> None:
    rng = random.Random(seed)
    seats = rng.choice([3, 3, 4])
    evil = rng.randrange(seats)

    def play(ring: Ring, seat: int, race: Race) -> None:
        if rng.random() < 0.3:
            try:
                ring.run(seat, ring.sessions[seat].act(ring.now, rng.choice(race.actions)))
            except IllegalAction:
                return

    ring = racing(small, seats, seed, play)
    cousin = Cousin(ring, evil, rng)
    innocent = [seat for seat in range(seats) if seat != evil]
    for _ in range(60):
        now = ring.now + 0.3
        ring.run_clock(lambda: False, 0.3)
        ring.now = now
        for _ in range(rng.randrange(5)):
            cousin.send()
        trouble(ring, rng, rng.choice(innocent))
    for seat in innocent:
        assert {fault.seat for fault in ring.faults(seat)} <= {evil}
        assert not ring.is_stale(seat)
        found = ring.verdict(seat)
        assert (found.verdict, found.seat) in (("sound", None), ("cheated", evil))
