"""Keepers that leave a game: by their own word, or by a certificate of all others once they were away long
enough. One history for all who stay, nobody blamed, and a record that says who left."""

from __future__ import annotations

from typing import Any

import pytest

from engine.table import Tick
from p2p.deal import Close, Reveal
from p2p.log import DEPARTURE, EntryFrame, decode_message
from p2p.sealed import Group
from p2p.session import Finished, GameOver, GivenUp, Kept, Left, Session, Stale, Undone
from tests.p2p.harness import SHORT, TINY, Ring
from tests.p2p.race import RaceRules
from tests.p2p.session.absences import OPTIONS, play_some

GRACE = 120.0


def lose(ring: Ring, seat: int) -> None:
    """The program of ``seat`` ends, and every other one sees its link go."""
    ring.crashed.add(seat)
    lose_links(ring, seat)


def lose_links(ring: Ring, seat: int) -> None:
    """The links of ``seat`` are gone, and both ends see it."""
    ring.cut.add(seat)
    for other in range(len(ring.sessions)):
        if other != seat and other not in ring.crashed:
            ring.run(other, ring.sessions[other].link_down(ring.now, seat))
            if seat not in ring.crashed:
                ring.run(seat, ring.sessions[seat].link_down(ring.now, other))


def stay(ring: Ring, *gone: int) -> list[Session]:
    return [session for seat, session in enumerate(ring.sessions) if seat not in gone]


def check_end(ring: Ring, gone: tuple[int, ...], reason: str | None = "left") -> None:
    """All who stayed have one finished history in which ``gone`` left, and nobody is blamed."""
    assert ring.drops == []
    staying = [seat for seat in range(len(ring.sessions)) if seat not in gone]
    heads = {ring.sessions[seat].history.head for seat in staying}
    assert len(heads) == 1
    for seat in staying:
        session = ring.sessions[seat]
        assert session.fault is None
        assert isinstance(ring.told[seat][-1], Finished)
        assert not any(isinstance(what, Stale) for what in ring.told[seat])
        report = ring.verdict(seat)
        assert (report.verdict, report.finished, report.reason) == ("sound", True, "")
        assert {each for _, each in report.left} == set(gone)
        if reason is not None:
            assert report.outcome is not None
            assert report.outcome.reason == reason
    assert all(len(bodies) == 1 for bodies in ring.own_bodies().values())
    assert all(len(said) == 1 for said in ring.own_statements().values())


def until_gone(ring: Ring, *gone: int, seconds: float = 400) -> None:
    assert ring.run_clock(lambda: all(session.is_over for session in stay(ring, *gone)), seconds)


def steps_of(group: Group, seats: int, **more: Any) -> int:
    """Steps of the whole game that ``ring_at`` plays."""
    ring = Ring(group, seats, **more)
    ring.play()
    return ring.sessions[0].history.step


def ring_at(group: Group, seats: int, step: int, victim: int, **more: Any) -> Ring:
    """A table at ``step``, where ``victim`` contributes no more."""
    ring = Ring(group, seats, **more)

    def crash(seat: int, persist: Any) -> bool:
        own = any(entry.seat == seat and entry.step >= step for entry in persist.entries)
        return seat == victim and own

    ring.crash = crash
    ring.start()
    ring.pump()
    if victim in ring.crashed:
        lose(ring, victim)
    return ring


UNHEARD = 6
"""From this step on nobody hears what the seat that is ahead contributes."""


def ring_with_one_ahead(group: Group) -> Ring:
    """A small table where seat 1 hears all the others and plays on, and they do not hear it."""
    ring = Ring(group, 3, options=TINY)

    def deliver(sender: int, _to: int, data: bytes) -> list[bytes]:
        message = decode_message(data)
        late = isinstance(message, EntryFrame) and message.step >= UNHEARD
        return [] if sender == 1 and late else [data]

    ring.deliver = deliver
    ring.start()
    ring.pump()
    return ring


@pytest.mark.parametrize("victim", [0, 1, 2])
def test_whoever_goes_at_any_step_ends_the_game_without_recovery(small: Group, victim: int) -> None:
    """From the keys to the reveal: the others end it, with one history, and say who left."""
    count = steps_of(small, 3, options=TINY)
    assert count > 10
    reasons = set()
    for step in range(count):
        ring = ring_at(small, 3, step, victim, options=TINY)
        if victim not in ring.crashed:
            continue  # it owed nothing any more
        until_gone(ring, victim)
        task_before = ring.verdict((victim + 1) % 3)
        reasons.add(task_before.outcome.reason if task_before.outcome else "")
        check_end(ring, (victim,), None)
    assert "left" in reasons
    assert len(reasons) > 1, "an outcome that was reached stays"


def test_nobody_is_thrown_out_before_the_grace_time_is_over(small: Group) -> None:
    ring = ring_at(small, 3, 6, 1, options=TINY)
    assert 1 in ring.crashed
    began = ring.now
    ring.run_clock(lambda: False, GRACE - 5)
    assert all(not session.is_over for session in stay(ring, 1))
    assert ring.own_statements() == {}
    until_gone(ring, 1)
    assert GRACE <= ring.now - began <= GRACE + 40
    (certificate,) = ring.sessions[0].history.certificates.values()
    assert (certificate.keeper, certificate.purpose) == (1, DEPARTURE)
    for seat in (0, 2):
        assert Left((1,), by=(0, 2)) in ring.told[seat]
        assert [event.seat for event in ring.events(seat) if event.verb == "leave"] == [1]
        over = next(what for what in ring.told[seat] if isinstance(what, GameOver))
        assert (over.outcome.reason, over.outcome.winners) == ("left", ())


def test_who_is_linked_and_thinks_is_waited_for(small: Group) -> None:
    """Its program is there: nobody leaves a table because a player takes long."""
    ring = Ring(small, 3, options=SHORT, choose=lambda move, rng: None)
    ring.start()
    ring.run_clock(lambda: False, 3 * GRACE)
    assert ring.own_statements() == {}
    assert not any(session.is_over for session in ring.sessions)


def test_the_players_together_can_give_up_on_one_who_stalls(small: Group) -> None:
    ring = Ring(small, 3, options=SHORT, choose=lambda move, rng: None)
    ring.start()
    ring.pump()
    (awaited,) = ring.sessions[0].awaited
    assert ring.verdict(0).awaited == (awaited,), "a game that is stopped here says for whom it waited"
    others = [seat for seat in range(3) if seat != awaited]
    ring.run(others[0], ring.sessions[others[0]].give_up(ring.now, awaited))
    ring.run_clock(lambda: False, 2 * GRACE)
    assert ring.own_statements() == {}, "one alone can do nothing"
    asked = GivenUp(awaited, (others[0],), (others[1],))
    assert all(asked in ring.told[seat] for seat in range(3)), "everyone is told, the staller too"
    ring.run(others[1], ring.sessions[others[1]].give_up(ring.now, awaited))
    until_gone(ring, awaited)
    check_end(ring, (awaited,))
    for seat in others:
        assert Left((awaited,), by=tuple(others)) in ring.told[seat]
        ((_, keeper, by),) = ring.verdict(seat).certified
        assert (keeper, by) == (awaited, tuple(others)), "the record names it, with those who signed"


def test_one_keeper_that_still_has_a_link_keeps_it_at_the_table(small: Group) -> None:
    """The line between two is cut; the third relays."""
    ring = Ring(small, 3, options=SHORT)
    assert ring.play_until(lambda: ring.sessions[0].history.step == 8)
    ring.deliver = lambda sender, to, data: [] if {sender, to} == {0, 1} else [data]
    for one, other in ((0, 1), (1, 0)):
        ring.run(one, ring.sessions[one].link_down(ring.now, other))
    assert ring.run_clock(lambda: all(session.is_over for session in ring.sessions), 4000)
    assert not any(isinstance(what, Left) for told in ring.told for what in told)
    assert ring.verdict(2).left == ()


def test_who_stands_further_shows_what_it_holds_and_keeps_a_seat_at_the_table(small: Group) -> None:
    """One keeper gets nothing of another, and the third, which has both, is a step ahead already."""
    ring = Ring(small, 3, options=SHORT)
    assert ring.play_until(lambda: ring.sessions[0].history.step == 8)

    def deliver(_sender: int, to: int, data: bytes) -> list[bytes]:
        message = decode_message(data)
        return [] if to == 0 and isinstance(message, EntryFrame) and message.seat == 1 else [data]

    ring.deliver = deliver
    ring.run(0, ring.sessions[0].link_down(ring.now, 1))
    assert ring.run_clock(lambda: any(isinstance(what, Kept) for what in ring.told[0]), 2 * GRACE)
    assert ring.sessions[2].history.step > ring.sessions[0].history.step
    ring.deliver = None
    ring.run(0, ring.sessions[0].link_up(ring.now, 1))
    until_gone(ring)
    check_end(ring, (), None)


def test_back_in_time_and_nothing_happened(small: Group) -> None:
    ring = ring_at(small, 3, 6, 1, options=TINY)
    ring.run_clock(lambda: False, GRACE - 10)
    ring.crash = lambda _seat, _persist: False
    ring.cut.clear()
    ring.restart(1)
    until_gone(ring)
    check_end(ring, (), None)
    assert ring.sessions[0].history.certificates == {}


def test_whoever_comes_back_too_late_may_watch(small: Group) -> None:
    """It learns that it has left, signs nothing more, and sees the end as the others do."""
    ring = ring_at(small, 3, 6, 1, options=TINY)
    until_gone(ring, 1)
    ring.crash = lambda _seat, _persist: False
    ring.cut.clear()
    ring.restart(1)
    assert ring.run_clock(lambda: ring.sessions[1].is_over, 100)
    assert ring.sessions[1].history.head == ring.sessions[0].history.head
    assert Left((1,), by=(0, 2)) in ring.told[1]
    check_end(ring, (1,))


def test_who_plays_on_alone_behind_a_cut_takes_its_steps_back(small: Group) -> None:
    """It completed the step; the others never got its contribution."""
    ring = ring_with_one_ahead(small)
    assert ring.sessions[0].awaited == (1,)
    ahead = ring.sessions[1].history.step
    assert ahead > UNHEARD
    lose_links(ring, 1)
    until_gone(ring, 1)
    ring.deliver = None
    ring.relink(1)
    assert ring.run_clock(lambda: ring.sessions[1].is_over, 100)
    assert any(isinstance(what, Undone) for what in ring.told[1])
    assert ring.sessions[1].history.head == ring.sessions[0].history.head
    check_end(ring, (1,))


def test_a_keeper_leaves_with_its_bots(small: Group) -> None:
    """Seats 1 and 3 are one keeper's: both are gone by one certificate."""
    ring = ring_at(small, 4, 8, 1, options=TINY, keepers=(0, 1, 2, 1))
    lose(ring, 3)
    until_gone(ring, 1, 3)
    check_end(ring, (1, 3))
    assert Left((1, 3), by=(0, 2)) in ring.told[0]


def test_a_bot_that_is_still_linked_keeps_its_keeper(small: Group) -> None:
    ring = ring_at(small, 4, 8, 1, options=TINY, keepers=(0, 1, 2, 1))
    ring.run_clock(lambda: False, 3 * GRACE)
    assert not any(session.is_over for session in stay(ring, 1))


def test_two_keepers_never_throw_one_out(small: Group) -> None:
    ring = ring_at(small, 2, 5, 1, options=TINY)
    ring.run_clock(lambda: False, 5 * GRACE)
    assert not ring.sessions[0].is_over
    assert ring.own_statements() == {}


def test_when_two_of_three_are_away_the_third_waits(small: Group) -> None:
    ring = ring_at(small, 3, 6, 1, options=TINY)
    lose(ring, 2)
    ring.run_clock(lambda: False, 5 * GRACE)
    assert not ring.sessions[0].is_over
    assert ring.own_statements() == {}


# --- farewell -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3])
def test_a_farewell_needs_no_round_and_no_waiting(small: Group, seats: int) -> None:
    ring = Ring(small, seats, options=SHORT, choose=lambda move, rng: None)
    ring.start()
    ring.pump()
    (awaited,) = ring.sessions[0].awaited
    ring.run(awaited, ring.sessions[awaited].farewell(ring.now))
    ring.pump()
    for seat in range(seats):
        assert Left((awaited,), (awaited,)) in ring.told[seat]
    assert ring.now == 0.0
    for session in ring.sessions:
        assert session.is_over
    check_end(ring, (awaited,))
    assert ring.sessions[0].history.certificates == {}


def test_a_farewell_waits_until_something_is_owed(small: Group) -> None:
    """It rides on the next contribution of that seat, whatever that is."""
    ring = Ring(small, 3, options=SHORT)
    said: list[int] = []

    def reached() -> bool:
        if not said and ring.sessions[1].history.step == 9:
            said.append(9)
            ring.run(1, ring.sessions[1].farewell(ring.now))
        return False

    ring.play_until(reached)
    until_gone(ring)
    check_end(ring, (1,))
    (left,) = {step for step, _ in ring.verdict(0).left}
    assert left >= 9


def test_a_farewell_takes_the_bots_along(small: Group) -> None:
    ring = Ring(small, 4, options=TINY, keepers=(0, 1, 2, 1))
    ring.start()
    ring.run(1, ring.sessions[1].farewell(ring.now))
    ring.pump()
    until_gone(ring)
    check_end(ring, (1, 3))


def test_once_the_game_is_decided_nobody_leaves_it(small: Group) -> None:
    """Who wants to go signs the outcome like everybody else."""
    ring = Ring(small, 3, options=TINY)

    def reached() -> bool:
        if isinstance(ring.sessions[1].history.progress.task, Close | Reveal):
            ring.run(1, ring.sessions[1].farewell(ring.now))
        return False

    ring.play_until(reached)
    until_gone(ring)
    check_end(ring, (), None)


# --- races --------------------------------------------------------------------------------------------------


def test_a_second_missing_opening_of_one_who_is_away_is_a_departure(small: Group) -> None:
    ring = Ring(small, 3, rules=RaceRules(), options=OPTIONS | {"fish": "3"}, play=play_some)
    ring.start()
    counts: list[int] = []

    def crash(seat: int, persist: Any) -> bool:
        session = ring.sessions[seat]
        progress = session.history.progress
        own = any(e.seat == seat and e.step == session.history.step for e in persist.entries)
        opens = isinstance(progress.task, Tick) and progress.number == 1
        if seat != 1 or not own or not opens or session.history.epoch > 1 or len(counts) > 1:
            return False
        if len(counts) == 1 and session.history.epoch == 0:
            return False
        counts.append(session.history.step)
        return True

    ring.crash = crash
    assert ring.run_clock(lambda: len(counts) == 1, 30)
    assert ring.run_clock(lambda: ring.sessions[0].history.epoch == 1, 30)
    ring.run_clock(lambda: False, 15)
    ring.restart(1)
    assert ring.run_clock(lambda: len(counts) == 2, 200)
    lose(ring, 1)
    until_gone(ring, 1)
    check_end(ring, (1,))


@pytest.mark.parametrize("number", [0, 1])
def test_a_farewell_in_a_race(small: Group, number: int) -> None:
    ring = Ring(small, 3, rules=RaceRules(), options=OPTIONS, play=play_some)
    ring.start()

    said: list[int] = []

    def crash(seat: int, persist: Any) -> bool:
        progress = ring.sessions[seat].history.progress
        opens = isinstance(progress.task, Tick) and progress.number == 1 - number
        if seat == 1 and opens and not said and any(entry.seat == 1 for entry in persist.entries):
            said.append(ring.sessions[1].history.step)
            ring.run(1, ring.sessions[1].farewell(ring.now))
        return False

    ring.crash = crash
    until_gone(ring)
    assert ring.verdict(0).left == ((said[0] + 1, 1),)
    check_end(ring, (1,))
