"""Seats that go missing in a race: the same rule whoever it is, one history for all, and nobody blamed."""

from __future__ import annotations

import random
from functools import partial

import pytest

from engine.registry import game
from engine.table import Tick
from p2p.log import (
    SKIP,
    EntryFrame,
    decode_message,
)
from p2p.log import Missing as MissingFrame
from p2p.sealed import Group
from p2p.session import Persist, Skipped, Undone, Waiting
from tests.p2p.harness import Ring
from tests.p2p.session.absences import (
    OPTIONS,
    certificates,
    check_one_history,
    come_back,
    finish,
    in_tick,
    play_some,
    racing,
    stop_at,
)

CASES = [
    (3, 0), (3, 1), (3, 2),
    *(pytest.param(n, v, marks=pytest.mark.slow) for n in (4, 5) for v in range(n)),
]  # fmt: skip


@pytest.mark.parametrize("how", ["killed", "cut"])
@pytest.mark.parametrize("number", [0, 1], ids=["commit", "open"])
@pytest.mark.parametrize(("seats", "victim"), CASES)
def test_whoever_stops_is_out_for_the_fish_and_plays_the_next(
    small: Group, seats: int, victim: int, number: int, how: str
) -> None:
    """PP-12, and the last words of it: back for the next fish."""
    ring = racing(small, seats)
    stop_at(ring, victim, number, how)
    left = [session for seat, session in enumerate(ring.sessions) if seat != victim]
    hand = len(left[0].history.progress.position.table.slots(f"hand.{victim}"))
    began = ring.now
    assert ring.run_clock(lambda: all(session.history.epoch == 1 for session in left), 5)
    assert 2.0 <= ring.now - began <= 3.0
    (step,) = left[0].history.certificates
    for session in left:
        (certificate,) = session.history.certificates.values()
        assert (certificate.keeper, certificate.purpose, certificate.step) == (victim, SKIP, step)
        assert {entry.seat for entry in session.history.steps[step]} == set(range(seats)) - {victim}
    ring.run_clock(lambda: False, 30)
    for seat, session in enumerate(ring.sessions):
        if seat != victim:
            assert not isinstance(session.history.progress.task, Tick), "the fish is over without it"
            assert session.awaited == (victim,), "what follows waits for all"
            assert Skipped((victim,)) in ring.told[seat]
            assert [e.seat for e in ring.events(seat) if e.verb == "absent"] == [victim]
            assert any(isinstance(what, Waiting) and what.seats == (victim,) for what in ring.told[seat])
    kept = len(left[0].history.progress.position.table.slots(f"hand.{victim}"))
    assert kept >= hand, "its cards stay, and refills that need nothing of it come"
    come_back(ring, victim)
    finish(ring)
    after = [e for e in ring.sessions[victim].history.entries if e.seat == victim and e.step > step + 1]
    assert after, "it contributes to what follows"
    assert ring.verdict(victim).skipped == ((step, victim),)


@pytest.mark.parametrize("number", [0, 1], ids=["commit", "open"])
def test_who_hears_all_and_is_not_heard_takes_its_steps_back(small: Group, number: int) -> None:
    """It has completed the step with its own contribution; the others certify that it lacks."""
    ring = racing(small, 3)
    ring.run_clock(lambda: in_tick(ring.sessions[0], 0), 60)
    session, step = ring.sessions[1], ring.sessions[0].history.step

    def deliver(sender: int, _to: int, data: bytes) -> list[bytes]:
        message = decode_message(data)
        heard = isinstance(message, EntryFrame) and message.step < step + number
        return [data] if sender != 1 or heard else []

    ring.deliver = deliver
    assert ring.run_clock(lambda: session.history.step > step + number, 10), "it goes on alone"
    assert ring.sessions[0].history.step == step + number
    assert ring.run_clock(lambda: session.history.epoch == 1, 10)
    assert Undone(step + number) in ring.told[1]
    ring.deliver = None
    ring.relink(1)
    finish(ring)
    assert len(certificates(ring, 1)) >= 1


def jittery(ring: Ring, rng: random.Random, victim: int, around: float) -> None:
    """What ``victim`` sends comes late, at another time to each."""

    def post(sender: int, to: int, data: bytes) -> None:
        ring.delay[sender] = (
            max(0.0, around + rng.uniform(-0.3, 0.3)) if sender == victim else rng.uniform(0, 0.05)
        )
        Ring.post(ring, sender, to, data)

    ring.post = post


@pytest.mark.parametrize(
    "seed", [*range(8), *(pytest.param(n, marks=pytest.mark.slow) for n in range(8, 60))]
)
def test_contributions_that_come_in_the_middle_of_a_round(small: Group, seed: int) -> None:
    """A seat that lags about as long as the others have patience: it never counts for some only."""
    rng = random.Random(seed)
    seats = rng.choice([3, 3, 4])
    ring = racing(small, seats, seed, options={"fish": "1", "silence": "3"})
    ring.run_clock(lambda: in_tick(ring.sessions[0], 0, 0), 60)
    jittery(ring, rng, seed % seats, rng.choice([1.0, 2.0, 2.2, 2.9]))
    ring.run_clock(lambda: ring.now > 15, 15)
    ring.post = lambda sender, to, data: Ring.post(ring, sender, to, data)
    ring.delay.clear()
    finish(ring)


def split(ring: Ring, sides: tuple[set[int], set[int]]) -> None:
    """Nothing passes between the two sides."""
    ring.deliver = lambda sender, to, data: [data] if any({sender, to} <= side for side in sides) else []


def test_two_against_two_wait_and_certify_nobody(small: Group) -> None:
    ring = racing(small, 4)
    ring.run_clock(lambda: in_tick(ring.sessions[0], 0), 60)
    split(ring, ({0, 1}, {2, 3}))
    ring.run_clock(lambda: False, 60)
    assert ring.own_statements() == {}
    assert all(session.history.epoch == 0 for session in ring.sessions)
    assert any(isinstance(what, Waiting) and set(what.seats) >= {2, 3} for what in ring.told[0])
    ring.deliver = None
    for seat in range(4):
        ring.relink(seat)
    finish(ring)


def test_two_keepers_missing_stop_the_game_until_one_is_back(small: Group) -> None:
    ring = racing(small, 4)
    stop_at(ring, 2, 0, "killed")
    ring.crashed.add(3)
    ring.run_clock(lambda: False, 30)
    assert ring.own_statements() == {}
    assert ring.sessions[0].history.epoch == 0
    ring.crashed.discard(3)
    ring.wake[3] = ring.now
    for other in (0, 1):
        ring.run(3, ring.sessions[3].link_up(ring.now, other))
        ring.run(other, ring.sessions[other].link_up(ring.now, 3))
    assert ring.run_clock(lambda: all(ring.sessions[n].history.epoch == 1 for n in (0, 1, 3)), 30)
    come_back(ring, 2)
    finish(ring)


def test_between_two_keepers_there_are_no_rounds(small: Group) -> None:
    for keepers in ((0, 1), (0, 1, 1)):
        ring = racing(small, len(keepers), keepers=keepers)
        stop_at(ring, 1, 0, "killed")
        ring.run_clock(lambda: False, 30)
        assert ring.own_statements() == {}
        assert not any(isinstance(decode_message(data), MissingFrame) for _, _, data in ring.sent)
        come_back(ring, 1)
        finish(ring)


@pytest.mark.parametrize("number", [0, 1], ids=["commit", "open"])
def test_the_seats_of_a_keeper_count_together(small: Group, number: int) -> None:
    """Seat 2 is a bot of 1. Of both, what came counts as little as what did not; first seats speak."""
    ring = racing(small, 4, keepers=(0, 1, 1, 3), options=OPTIONS | {"silence": "12"})
    stop_at(ring, 2, number, "cut")
    ring.cut.add(1)
    assert ring.run_clock(lambda: ring.sessions[0].history.epoch == 1, 10)
    (certificate,) = certificates(ring, 0)
    assert certificate.keeper == 1
    assert len(certificate.signatures) == 2
    assert {entry.seat for entry in ring.sessions[0].history.steps[certificate.step]} == {0, 3}
    assert {author for *_, author in ring.own_statements()} == {0, 3}
    assert Skipped((1, 2)) in ring.told[0]
    ring.cut.clear()
    ring.relink(1)
    ring.relink(2)
    finish(ring)


def test_a_second_missing_opening_is_a_departure_and_waited_for(small: Group) -> None:
    ring = racing(small, 3, options={"fish": "3", "silence": "6"})
    stop_at(ring, 1, 1, "killed")
    ring.run_clock(lambda: False, 10)
    come_back(ring, 1)
    ring.run_clock(lambda: ring.sessions[1].history.epoch == 1, 10)
    ticks = ring.sessions[0].history.progress.position.state.ticks
    stop_at(ring, 1, 1, "killed", after=ticks + 2)
    said = dict(ring.own_statements())
    ring.run_clock(lambda: False, 30)
    session = ring.sessions[0]
    assert session.history.purpose(1) == "departure"
    assert session.awaited == (1,)
    assert ring.own_statements() == said, "nobody states what would throw it out"
    come_back(ring, 1)
    finish(ring)


def test_missing_commitments_only_ever_cost_the_fish(small: Group) -> None:
    ring = racing(small, 3, options={"fish": "4", "silence": "6"})
    for count in (1, 2, 3):
        ticks = max(session.history.progress.position.state.ticks for session in ring.sessions)
        stop_at(ring, 1, 0, "killed", after=ticks + 1)
        assert ring.run_clock(lambda count=count: ring.sessions[0].history.epoch == count, 10)
        ring.run_clock(lambda: False, 20)
        come_back(ring, 1)
    finish(ring)
    assert [each.keeper for each in certificates(ring, 0)] == [1, 1, 1]


# --- crashes --------------------------------------------------------------------------------------------


def persists(group: Group, victim: int, crash_after: int | None) -> tuple[Ring, int]:
    """A race in which 1 goes missing and comes back, and ``victim`` is killed right after a transaction."""
    ring = racing(group, 3, options={"fish": "3", "silence": "4"})
    stop_at(ring, 1, 0, "cut")
    count = 0
    killed = False

    def crash(seat: int, persist: Persist) -> bool:
        nonlocal count, killed
        if seat != victim:
            return False
        count += 1
        killed = killed or count == crash_after
        return count == crash_after

    ring.crash = crash
    back = ring.now + 6
    for _ in range(100):
        if all(session.is_over for session in ring.sessions):
            break
        ring.run_clock(lambda: bool(ring.crashed) or (bool(ring.cut) and ring.now > back), 4)
        if ring.crashed:
            ring.run_clock(lambda: False, 3)
            ring.restart(victim)
        if ring.cut and ring.now > back:
            ring.cut.clear()
            ring.relink(1)
    return ring, count


@pytest.mark.parametrize(
    ("victim", "every"),
    [(0, 3), pytest.param(0, 1, marks=pytest.mark.slow), pytest.param(1, 1, marks=pytest.mark.slow)],
)
def test_killed_after_any_transaction_and_nothing_changes(small: Group, victim: int, every: int) -> None:
    """After each of them, or after every third one."""
    _, count = persists(small, victim, None)
    assert count > 20
    for number in range(1, count + 1, every):
        ring, _ = persists(small, victim, number)
        check_one_history(ring)
        stored = [statement.place for statement in ring.statements[victim]]
        assert len(set(stored)) == len(stored)


# --- whole games ----------------------------------------------------------------------------------------


LATE = (0.0, 0.0, 0.0, 0.02, 0.3, 1.0, 2.05, 2.3, 3.0)
"""Delays of a seat's letters, in seconds: around the patience of the others, too."""

WHOLE = [3, 159, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(100, 140))]
"""In the game of seed 159 two seats are killed between their "have not" and its sending."""


@pytest.mark.parametrize("seed", WHOLE)
def test_whole_games_with_seats_that_lag_and_come_and_go(small: Group, seed: int) -> None:
    """Discount Salmon to its end, whatever happens to one seat at a time; nobody is ever blamed."""
    rng = random.Random(seed)
    seats = rng.choice([3, 4, 5])
    ring = Ring(
        small,
        seats,
        seed=seed,
        rules=game("discount-salmon"),
        play=partial(play_some, share=0.4),
        salt=bytes([seed]),
        options={"stale_seconds": "2"},
    )
    ring.start()
    gone = None
    for _ in range(300):
        if all(session.is_over for session in ring.sessions):
            break
        end = ring.now + rng.uniform(0.05, 3)
        ring.delay = {seat: rng.choice(LATE) for seat in range(seats)} if rng.random() < 0.5 else {}
        ring.run_clock(lambda end=end: ring.now >= end or all(s.is_over for s in ring.sessions), 3.2)
        ring.now = max(ring.now, end)
        if gone is None and rng.random() < 0.3:
            gone = rng.randrange(seats)
            (ring.cut if rng.random() < 0.5 else ring.crashed).add(gone)
        elif gone is not None and rng.random() < 0.35:
            come_back(ring, gone)
            gone = None
    check_one_history(ring)
