"""Crashes at every step, before and after sending, and stores that are old copies."""

from __future__ import annotations

from typing import Any

import pytest

from p2p.log import Entry, EntryFrame, Malformed, decode_message
from p2p.sealed import Group
from p2p.session import Finished, Persist, Send, Session, YourMove
from tests.p2p.harness import TINY, Ring

OPTIONS = {**TINY, "suits": "4", "hand_size": "2", "give_amount": "one", "end_mode": "all_books"}
SEATS = 3


def own_steps(small: Group) -> list[tuple[int, int]]:
    """(seat, step) of every contribution of a game that nothing disturbs."""
    ring = Ring(small, SEATS, options=OPTIONS)
    ring.play()
    return [(entry.seat, entry.step) for entry in ring.sessions[0].history.entries]


THIRDS = pytest.mark.parametrize(
    "third", [0, pytest.param(1, marks=pytest.mark.slow), pytest.param(2, marks=pytest.mark.slow)]
)
"""Every third point in the quick run, the others in the slow one."""


def finish(ring: Ring) -> None:
    """Let time pass until everyone is done."""
    for _ in range(20):
        if all(session.is_over for session in ring.sessions):
            return
        ring.tick(30.0)


def check_same_end(ring: Ring) -> None:
    """The end of an undisturbed game: everyone done with one history, nobody blamed, no step signed twice."""
    assert ring.drops == []
    for seat, session in enumerate(ring.sessions):
        assert session.fault is None
        assert session.is_over
        assert isinstance(ring.told[seat][-1], Finished)
        stored = {(entry.step, entry.seat) for entry in ring.stored[seat]}
        assert len(stored) == len(ring.stored[seat]) == len(session.history.entries)
    assert len({session.history.head for session in ring.sessions}) == 1
    assert all(len(bodies) == 1 for bodies in ring.own_bodies().values())
    report = ring.verdict(0)
    assert (report.verdict, report.finished, report.revealed) == ("sound", True, (0, 1, 2))


def crash_at(ring: Ring, victim: int, step: int, before_sending: bool) -> bool:
    """Play until ``victim`` has stored its contribution to ``step``; whether it came to that."""
    stored: list[bool] = []

    def crash(seat: int, persist: Persist) -> bool:
        now = seat == victim and any((e.seat, e.step) == (victim, step) for e in persist.entries)
        if now:
            stored.append(True)
        return now and before_sending

    ring.crash = crash
    ring.play_until(lambda: bool(stored))
    ring.crash = lambda _seat, _persist: False
    return bool(stored)


@THIRDS
@pytest.mark.parametrize("before_sending", [True, False], ids=["stored", "sent"])
def test_a_crash_at_any_step_changes_nothing(small: Group, before_sending: bool, third: int) -> None:
    points = 0
    for victim, step in own_steps(small)[third::3]:
        ring = Ring(small, SEATS, options=OPTIONS)
        assert crash_at(ring, victim, step, before_sending)
        if before_sending:
            ring.pump()  # the others go on as far as they can, and wait
        ring.restart(victim)
        ring.pump()
        finish(ring)
        check_same_end(ring)
        points += 1
    assert points > 12


def test_all_seats_crash_at_once(small: Group) -> None:
    points = own_steps(small)[::5]
    assert len(points) > 5
    for victim, step in points:
        ring = Ring(small, SEATS, options=OPTIONS)
        assert crash_at(ring, victim, step, before_sending=True)
        ring.mail.clear()
        ring.crashed = set(range(SEATS))
        for seat in range(SEATS):
            ring.restart(seat)
        ring.pump()
        finish(ring)
        check_same_end(ring)


def test_a_crash_between_others_contributions_and_ones_own(small: Group) -> None:
    """What came in for the step under way is not stored yet, and is asked for again."""
    for stop in range(0, 260, 13):
        ring = Ring(small, SEATS, options=OPTIONS)
        ring.start()
        letters = ring.steps()
        if not all(next(letters, 0) is None for _ in range(stop)):
            break
        ring.restart(stop % SEATS)
        ring.pump()
        finish(ring)
        check_same_end(ring)
    assert stop > 80


@THIRDS
def test_a_store_that_lost_ones_last_contribution_signs_nothing(small: Group, third: int) -> None:
    """The others hold what the store does not: told as stale, and no frame of a second version leaves."""
    points = 0
    for victim, step in own_steps(small)[third::3]:
        for lost in (0, 1):  # the contribution alone, or with the whole step before it
            ring = Ring(small, SEATS, options=OPTIONS)
            assert crash_at(ring, victim, step, before_sending=False)
            for _ in range(2):  # some have it by now, some have not
                next(ring.steps(), None)
            old = tuple(entry for entry in ring.stored[victim] if entry.step < step - lost)
            reached = any(
                entry.seat == victim and entry.step >= step - lost
                for other, session in enumerate(ring.sessions)
                if other != victim
                for entry in (*session.history.entries, *session.held)
            )
            ring.restart(victim, old)
            ring.pump()
            for _ in range(4):
                ring.tick(30.0)
            if reached:
                assert ring.is_stale(victim)
                points += 1
            assert all(len(bodies) == 1 for bodies in ring.own_bodies().values())
            assert not any(ring.faults(seat) for seat in range(SEATS))
            assert ring.drops == []
    assert points > 12


def test_an_empty_store_of_a_game_that_has_begun_signs_nothing(small: Group) -> None:
    for step in (3, 8, 15):
        ring = Ring(small, SEATS, options=OPTIONS)
        ring.play_until(lambda ring=ring, step=step: ring.sessions[0].history.step >= step)
        ring.restart(1, ())
        ring.pump()
        for _ in range(3):
            ring.tick(30.0)
        assert ring.is_stale(1)
        assert all(len(bodies) == 1 for bodies in ring.own_bodies().values())
        assert not any(ring.faults(seat) for seat in range(SEATS))


def test_nothing_is_signed_before_every_seat_has_answered(small: Group) -> None:
    ring = Ring(small, SEATS, options=OPTIONS)
    for seat, session in enumerate(ring.sessions):
        ring.run(seat, session.start(0.0))
    ring.run(0, ring.sessions[0].link_up(0.0, 1))
    ring.run(1, ring.sessions[1].link_up(0.0, 0))
    ring.pump()
    assert not ring.own_bodies()
    ring.run(0, ring.sessions[0].link_up(0.0, 2))
    ring.pump()
    assert set(ring.own_bodies()) == {(0, 0, 0)}


def test_the_choice_of_a_restarted_player_is_asked_for_again(small: Group) -> None:
    ring = Ring(small, SEATS, options=OPTIONS)
    held_back: list[int] = []

    class Thinking(Session):
        def act(self, now, action):
            if not held_back:
                held_back.append(self.seat)
                return []
            return super().act(now, action)

    ring.makers = dict.fromkeys(range(SEATS), Thinking)
    ring.sessions = [ring.make(seat) for seat in range(SEATS)]
    ring.play()
    (victim,) = held_back
    assert isinstance(ring.told[victim][-1], YourMove)
    ring.restart(victim)
    ring.pump()
    finish(ring)
    check_same_end(ring)


def test_a_store_that_does_not_fit_together_is_refused(small: Group) -> None:
    ring = Ring(small, SEATS, options=OPTIONS)
    ring.play()
    entries = ring.sessions[0].history.entries
    foreign = Entry(0, 0, 0, b"", bytes(64))
    for broken in (entries[1:4] + entries[9:], (foreign, *entries)):
        with pytest.raises(Malformed):
            ring.make(0).start(0.0, tuple(broken))


def test_a_store_many_steps_old_signs_nothing_however_little_is_kept_or_sent_at_once(
    small: Group, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What came too early was dropped; the others' word that they are further stays."""
    monkeypatch.setattr("p2p.session.ahead.MAX_AHEAD", 1)
    monkeypatch.setattr("p2p.session.hearing.MAX_REPLY", 10)
    for known in range(1, 14):
        ring = Ring(small, SEATS, options=OPTIONS)
        ring.play_until(lambda ring=ring: ring.sessions[0].history.step >= 16)
        ring.restart(1, tuple(entry for entry in ring.stored[1] if entry.step < known))
        ring.pump()
        for _ in range(40):
            ring.tick(30.0)
        assert ring.is_stale(1)
        assert all(len(bodies) == 1 for bodies in ring.own_bodies().values())
        assert not any(ring.faults(seat) for seat in range(SEATS))


def test_a_stale_seat_does_not_even_begin_a_contribution(small: Group) -> None:
    ring = Ring(small, SEATS, options=OPTIONS)
    ring.play_until(lambda: ring.sessions[0].history.step >= 8)
    ring.restart(1, ())
    ring.pump()
    assert ring.is_stale(1)
    session = ring.sessions[1]
    session._must_hear.clear()
    assert session._own_turn(0.0) == []
    assert session.tick(1_000.0)  # it still asks what the others hold


class Watched(Ring):
    """Sees to it that nothing of a seat's own leaves before it is stored."""

    def run(self, seat: int, effects: list[Any]) -> None:
        for effect in effects:
            message = decode_message(effect.data) if isinstance(effect, Send) else None
            if isinstance(message, EntryFrame) and message.seat == seat:
                assert message.entry in self.stored[seat]
                self.checked += 1
            super().run(seat, [effect])

    checked = 0


def test_a_contribution_is_stored_before_it_is_sent(small: Group) -> None:
    ring = Watched(small, SEATS, options=OPTIONS)
    ring.play()
    assert ring.checked > 30
    check_same_end(ring)
