"""A seat whose store is lost, or put back from an old copy, takes from the others what it has signed."""

from __future__ import annotations

from functools import partial

import pytest

from engine.registry import game
from p2p.log import EntryFrame, decode_message
from p2p.log.charter import DEFAULT_GRACE
from p2p.log.codec import encode
from p2p.sealed import Group
from p2p.session import Persist, Session, Stale
from p2p.sim import small_pack
from tests.p2p.harness import Ring

SEATS = 3


def lose(ring: Ring, victim: int, kept: int = 0) -> None:
    """The store of a seat holds the first ``kept`` contributions alone, and its player says so."""
    del ring.stored[victim][kept:]
    ring.statements[victim].clear()
    ring.committed[victim] = None
    ring.makers[victim] = partial(Session, rebuilds=True)
    ring.restart(victim)
    ring.makers[victim] = Session


def is_over(ring: Ring) -> bool:
    return all(session.is_over for session in ring.sessions)


def check_end(ring: Ring) -> None:
    for _ in range(40):
        if is_over(ring):
            break
        ring.tick(30.0)
    assert ring.drops == []
    for seat, session in enumerate(ring.sessions):
        assert session.fault is None
        assert session.is_over
        assert not session.is_rebuilding
        places = {each.place for each in ring.stored[seat]}
        assert places == {each.place for each in session.history.entries}
    assert len({session.history.head for session in ring.sessions}) == 1
    report = ring.verdict(0)
    assert (report.verdict, report.finished) == ("sound", True)


def own_steps(small: Group, name: str, victim: int) -> int:
    ring = Ring(small, SEATS, rules=game(name), options=small_pack(name, SEATS))
    ring.play()
    return sum(each.seat == victim for each in ring.sessions[0].history.entries)


def stored_by(victim: int, ring: Ring) -> int:
    return sum(each.seat == victim for each in ring.stored[victim])


@pytest.mark.parametrize("name", ["go-fish", "one-fish", "casino"])
def test_a_store_lost_at_any_step_is_rebuilt_and_nothing_is_signed_twice(small: Group, name: str) -> None:
    victim, own = 1, own_steps(small, name, 1)
    assert own > 5
    for count in range(1, own, 2 if name == "casino" else 1):
        ring = Ring(small, SEATS, rules=game(name), options=small_pack(name, SEATS))
        ring.play_until(lambda ring=ring, count=count: stored_by(victim, ring) >= count)
        lose(ring, victim, kept=len(ring.stored[victim]) // 2 if count % 2 else 0)
        ring.pump()
        check_end(ring)
        assert all(len(bodies) == 1 for bodies in ring.own_bodies().values())


def test_without_the_word_of_its_player_a_seat_takes_nothing_and_signs_nothing(small: Group) -> None:
    ring = Ring(small, SEATS, rules=game("go-fish"), options=small_pack("go-fish", SEATS))
    ring.play_until(lambda: ring.sessions[1].history.step >= 6)
    signed = len([data for seat, _, data in ring.sent if seat == 1 and is_own(data, 1)])
    ring.stored[1].clear()
    ring.restart(1)
    for _ in range(5):
        ring.tick(30.0)
    assert any(isinstance(told, Stale) for told in ring.told[1])
    assert len([data for seat, _, data in ring.sent if seat == 1 and is_own(data, 1)]) == signed


def is_own(data: bytes, seat: int) -> bool:
    message = decode_message(data)
    return isinstance(message, EntryFrame) and message.seat == seat


def test_nothing_is_signed_before_all_others_are_heard_however_long_it_takes(small: Group) -> None:
    ring = Ring(small, SEATS, rules=game("go-fish"), options=small_pack("go-fish", SEATS))
    ring.play_until(lambda: ring.sessions[1].history.step >= 4)
    ring.cut.add(2)
    ring.stored[1].clear()
    ring.makers[1] = partial(Session, rebuilds=True)
    ring.restart(1)
    ring.makers[1] = Session
    ring.run_clock(lambda: False, 5 * DEFAULT_GRACE)
    assert ring.sessions[1].is_rebuilding
    ring.relink(2)
    ring.pump()
    check_end(ring)


def test_the_deed_of_a_race_is_found_again_from_its_commitment(small: Group) -> None:
    """In the middle of a tick: committed, and not opened yet."""
    options = {**small_pack("discount-salmon", SEATS), "pace": "realtime", "stale_seconds": "1"}
    found = 0

    def play(ring: Ring, seat: int, race: object) -> None:
        actions = race.actions
        if len(actions) > 1 and ring.rng.random() < 0.5:
            ring.run(seat, ring.sessions[seat].act(ring.now, ring.rng.choice(actions[1:])))

    for seed in range(6):
        ring = Ring(small, SEATS, seed=seed, rules=game("discount-salmon"), options=options, play=play)

        def opens(seat: int, persist: Persist, ring: Ring = ring) -> bool:
            """A play is about to be opened, and nobody has heard of it."""
            own = ring.committed[1]
            return (
                seat == 1
                and own is not None
                and bool(own.deed.shown)
                and any((each.seat, each.step) == (1, own.step + 1) for each in persist.entries)
            )

        ring.crash = opens
        ring.start()
        if not ring.run_clock(partial(bool, ring.crashed)):
            continue
        before = ring.committed[1]
        assert before is not None
        ring.crash = lambda _seat, _persist: False
        lose(ring, 1)
        ring.run_clock(partial(is_over, ring))
        check_end(ring)
        bodies = ring.own_bodies()[1, before.epoch, before.step + 1]
        assert len(bodies) == 1
        assert encode(before.deed) in next(iter(bodies))
        found += 1
    assert found


def test_what_another_keeps_for_a_later_step_is_handed_over_as_well(small: Group) -> None:
    """A contribution went down with one link, and the next one arrived over another; then the store is lost.
    What is made anew for the first is the same by chance, so the second must be the one that was sent."""
    lost = True

    def deliver(_sender: int, _to: int, data: bytes) -> list[bytes]:
        message = decode_message(data)
        is_second = isinstance(message, EntryFrame) and (message.seat, message.step) == (0, 2)
        return [] if is_second and lost else [data]

    ring = Ring(small, 2, rules=game("go-fish"), options=small_pack("go-fish", 2), deliver=deliver)
    ring.play_until(lambda: ring.sessions[0].history.step >= 4)
    ring.pump()
    assert ring.sessions[1].history.step == 2
    assert [frame.step for frame in ring.sessions[1]._ahead.of(0)] == [3]
    sent = ring.own_bodies()[0, 0, 3]
    lost = False
    lose(ring, 0)
    ring.pump()
    for _ in range(40):
        if is_over(ring):
            break
        ring.tick(30.0)
    assert all(session.fault is None and session.is_over for session in ring.sessions)
    assert ring.own_bodies()[0, 0, 3] == sent
