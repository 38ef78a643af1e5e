"""Races in real time: pace, queued plays, joint order, lag, and what is committed."""

from __future__ import annotations

from contextlib import suppress
from itertools import pairwise
from typing import Any

import pytest

from engine.contract import Action, IllegalAction
from engine.table import Deed, Tick
from p2p.log import EntryFrame, Malformed, decode_message, unpack
from p2p.sealed import Group
from p2p.session import Lagging, Persist, Race, Session, Unplayed
from p2p.session.ticks import MAX_QUEUE, CommittedDeed, Pace
from tests.p2p.harness import Ring
from tests.p2p.race import RaceRules
from tests.p2p.session.absences import OPTIONS, finish, in_tick, play_some, racing

LONG = OPTIONS | {"silence": "40"}


def nobody(_ring: Ring, _seat: int, _race: Race) -> None:
    """Nobody plays."""


def commits(ring: Ring) -> dict[int, list[tuple[float, int]]]:
    """When each seat sent its commitments: (time, step). To be called before the ring starts."""
    times: dict[int, list[tuple[float, int]]] = {seat: [] for seat in range(len(ring.sessions))}
    old = ring.run

    def run(seat: int, effects: list[Any]) -> None:
        session = ring.sessions[seat]
        for effect in effects:
            if isinstance(effect, Persist) and effect.committed is not None:
                times[seat].append((ring.now, session.history.step))
        old(seat, effects)

    ring.run = run
    return times


def race_of(group: Group, seats: int, seed: int = 1, **more: Any) -> Ring:
    """A ring that has not begun."""
    more.setdefault("options", LONG)
    more.setdefault("play", nobody)
    return Ring(group, seats, seed=seed, rules=RaceRules(), **more)


# --- pace -----------------------------------------------------------------------------------------------


def test_a_seat_commits_no_earlier_than_the_wait_and_looks_after_a_flip(small: Group) -> None:
    ring = race_of(small, 3, options={"fish": "2", "silence": "6"})
    times = commits(ring)
    ring.start()
    finish(ring)
    for seat in range(3):
        gaps = [b[0] - a[0] for a, b in pairwise(times[seat])]
        assert len(gaps) == 11
        assert times[seat][0][0] >= 0.7
        assert min(gaps) >= 0.15 - 1e-9
        assert sorted(gaps)[-2] == pytest.approx(0.15), "within a race the pace is kept"
        assert max(gaps) == pytest.approx(0.7), "the look at the second fish"


def test_another_tick_length_is_kept_too(small: Group) -> None:
    ring = race_of(small, 3, options={"fish": "1", "silence": "5", "tick_ms": "400"})
    times = commits(ring)
    ring.start()
    finish(ring)
    gaps = [b[0] - a[0] for a, b in pairwise(times[0])]
    assert gaps == [pytest.approx(0.4)] * 4
    assert {what.seconds for what in ring.told[0] if isinstance(what, Race)} <= {0.15, 0.4}


def test_the_slowest_sets_the_pace_and_its_lag_is_told(small: Group) -> None:
    ring = race_of(small, 3, options={"fish": "1", "silence": "4"})
    ring.start()
    ring.run_clock(lambda: in_tick(ring.sessions[0], 0, 0), 10)
    ring.delay[1] = 0.8
    began = ring.now
    finish(ring)
    assert ring.now - began > 4 * 0.8
    lags = [what for what in ring.told[0] if isinstance(what, Lagging)]
    assert {what.seats for what in lags} == {(1,)}
    assert len(lags) <= 2 * 4
    assert not [what for what in ring.told[1] if isinstance(what, Lagging) and 1 in what.seats]


def test_a_quick_race_tells_of_no_lag_and_not_of_every_tick(small: Group) -> None:
    ring = race_of(small, 3, options={"fish": "1", "silence": "40"})
    ring.start()
    finish(ring)
    for told in ring.told:
        assert not [what for what in told if isinstance(what, Lagging)]
        assert len([what for what in told if isinstance(what, Race)]) == 1
    assert ring.sessions[0].history.progress.position.state.ticks == 40


# --- one order for all ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [3, 4, pytest.param(5, marks=pytest.mark.slow)])
def test_all_see_the_same_plays_in_the_same_order(small: Group, seats: int) -> None:
    """PP-11. The order within a tick is not that of the seats."""
    orders, count = set(), 0
    for seed in range(4):
        ring = racing(small, seats, seed, options={"fish": "3", "silence": "8"}, salt=bytes([seed]))
        finish(ring)
        events = [ring.events(seat) for seat in range(seats)]
        assert all(each == events[0] for each in events)
        assert tuple(events[0]) == ring.verdict(0).events
        plays = [event.seat for event in events[0] if event.verb == "play"]
        count += len(plays)
        orders |= {(a > b) - (a < b) for a, b in pairwise(plays)}
    assert count > 6
    assert orders >= {1, -1}


def test_with_several_plays_in_one_tick_the_first_counts(small: Group) -> None:
    """All play at the first opportunity, so that one tick holds a play of everyone."""

    def play(ring: Ring, seat: int, race: Race) -> None:
        if not any(event.verb == "play" for event in ring.events(seat)):
            ring.run(seat, ring.sessions[seat].act(ring.now, race.actions[1]))

    firsts = set()
    for seed in range(6):
        ring = race_of(small, 3, seed, play=play, options={"fish": "1", "silence": "3"}, salt=bytes([seed]))
        ring.start()
        finish(ring)
        plays = [event.seat for event in ring.events(0) if event.verb == "play"]
        assert sorted(plays) == [0, 1, 2]
        assert len({tuple(e.seat for e in ring.events(n) if e.verb == "play") for n in range(3)}) == 1
        firsts.add(plays[0])
    assert len(firsts) > 1


# --- playing --------------------------------------------------------------------------------------------


def mid_race(group: Group, seats: int = 3) -> Ring:
    ring = race_of(group, seats)
    ring.start()
    assert ring.run_clock(lambda: in_tick(ring.sessions[0], 0), 10)
    return ring


def cards(ring: Ring, seat: int) -> list[Action]:
    told = next(what for what in reversed(ring.told[seat]) if isinstance(what, Race))
    return list(told.actions[1:])


def test_plays_are_queued_and_one_goes_with_each_tick(small: Group) -> None:
    ring = mid_race(small)
    first, second, *_ = cards(ring, 0)
    assert ring.sessions[0].act(ring.now, first) == []
    assert ring.sessions[0].act(ring.now, second) == []
    ticks = ring.sessions[0].history.progress.position.state.ticks
    ring.run_clock(lambda: ring.sessions[0].history.progress.position.state.ticks == ticks + 2, 5)
    plays = [event.words for event in ring.events(1) if event.verb == "play"]
    assert plays in ([first.cards, second.cards], [first.cards]), "unless the first took the fish"


def test_what_is_not_possible_is_refused_at_once(small: Group) -> None:
    ring = mid_race(small)
    session = ring.sessions[0]
    held = {action.cards for action in cards(ring, 0)}
    other = next(action for action in cards(ring, 1) if action.cards not in held)
    for action in (other, Action("sing"), Action("play"), Action("play", cards=("AS", "KS"))):
        with pytest.raises(IllegalAction):
            session.act(ring.now, action)
    mine = cards(ring, 0)[0]
    for _ in range(MAX_QUEUE):
        session.act(ring.now, mine)
    with pytest.raises(IllegalAction):
        session.act(ring.now, mine)


def test_a_queued_play_that_became_impossible_is_dropped_and_told(small: Group) -> None:
    ring = mid_race(small)
    mine = cards(ring, 0)[0]
    ring.sessions[0].act(ring.now, mine)
    ring.sessions[0].act(ring.now, mine)
    finish(ring)
    plays = [event for event in ring.events(0) if event.verb == "play" and event.seat == 0]
    dropped = [what for what in ring.told[0] if isinstance(what, Unplayed)]
    assert len(plays) == 1
    assert [what.action for what in dropped] == [mine]


def test_what_is_queued_for_one_fish_is_not_played_on_the_next(small: Group) -> None:
    ring = mid_race(small)
    for action in cards(ring, 0):
        ring.sessions[0].act(ring.now, action)
    finish(ring)
    flips = [at for at, event in enumerate(ring.events(0)) if event.verb == "flip"]
    takes = [at for at, event in enumerate(ring.events(0)) if event.verb == "take"]
    played = [event.words for event in ring.events(0) if event.verb == "play"]
    dropped = [what.action.cards for what in ring.told[0] if isinstance(what, Unplayed)]
    assert len(played) + len(dropped) == 3
    assert takes, "with this seed the fish is taken"
    assert takes[0] < flips[1]
    assert not [event for event in ring.events(0)[flips[1] :] if event.verb == "play"]


def test_outside_a_race_nobody_plays(small: Group) -> None:
    ring = race_of(small, 3)
    ring.start()
    with pytest.raises(IllegalAction):
        ring.sessions[0].act(0.0, Action("wait"))


# --- commitments ----------------------------------------------------------------------------------------


def test_the_deed_is_stored_with_the_commitment_and_opened_after_a_kill(small: Group) -> None:
    for victim in range(3):
        ring = mid_race(small)
        mine = cards(ring, victim)[0]
        ring.sessions[victim].act(ring.now, mine)
        stored: list[Persist] = []

        def crash(seat: int, persist: Persist, victim: int = victim, stored: Any = stored) -> bool:
            if seat == victim and persist.committed is not None and persist.committed.deed.verb == "play":
                stored.append(persist)
            return bool(stored) and seat == victim

        ring.crash = crash
        assert ring.run_clock(lambda stored=stored: bool(stored), 5)
        own = [entry for entry in stored[0].entries if entry.seat == victim]
        assert [(entry.epoch, entry.step) for entry in own] == [
            (stored[0].committed.epoch, stored[0].committed.step)
        ], "one transaction"
        ring.crash = lambda _seat, _persist: False
        ring.restart(victim)
        finish(ring)
        plays = [e.words for e in ring.events(0) if e.verb == "play" and e.seat == victim]
        assert plays == [mine.cards]


def come_back_and_open(ring: Ring) -> None:
    ring.restart(0)
    ring.run_clock(lambda: False, 5)


@pytest.mark.parametrize("wrong", [None, CommittedDeed(0, 3, Deed("wait"))])
def test_without_the_stored_deed_it_is_found_again_by_its_salt_alone(
    small: Group, wrong: CommittedDeed | None
) -> None:
    """With another secret nothing is opened, not even its own hand."""
    ring = mid_race(small)
    ring.crash = lambda seat, persist: seat == 0 and persist.committed is not None
    ring.run_clock(lambda: 0 in ring.crashed, 5)
    ring.crash = lambda _seat, _persist: False
    ring.committed[0], right = wrong, ring.roots[0]
    ring.roots[0] = bytes(32)
    with pytest.raises(Malformed, match="no card of this deck"):
        come_back_and_open(ring)
    ring.roots[0] = right
    come_back_and_open(ring)
    finish(ring)


def test_the_last_to_commit_learns_nothing(small: Group) -> None:
    """What reaches it before its own commitment is of one size, whatever the others do, and shows nothing."""
    sizes = set()
    for plays in (False, True):
        ring = mid_race(small)
        ring.run_clock(lambda: False, 0.3)
        step = ring.sessions[2].history.step
        ring.crashed.add(2)
        for seat in (0, 1):
            if plays:
                ring.sessions[seat].act(ring.now, cards(ring, seat)[0])
        ring.sent.clear()
        ring.run_clock(lambda: False, 0.5)
        frames = [decode_message(data) for _, _, data in ring.sent]
        bodies = [each.body for each in frames if isinstance(each, EntryFrame) and each.step >= step]
        assert len(bodies) == 2
        sizes |= {len(body) for body in bodies}
        assert all(len(unpack(unpack(body)[0])[0]) == 32 for body in bodies), "a hash"
        for other in (0, 1):
            assert in_tick(ring.sessions[other], 0), "nobody opens before all have committed"
    assert len(sizes) == 1


def test_another_deed_than_the_committed_one_is_refused(small: Group) -> None:
    """A seat that sees the others' openings first cannot change its own."""
    ring = mid_race(small)
    victim = ring.sessions[2]
    victim.act(ring.now, cards(ring, 2)[0])

    def change(seat: int, persist: Persist) -> bool:
        if seat == 2 and persist.committed is not None and persist.committed.deed.verb == "play":
            changed = CommittedDeed(persist.committed.epoch, persist.committed.step, Deed("wait"))
            victim._racer.pace.committed = changed
        return False

    ring.crash = change
    ring.run_clock(lambda: any(ring.faults(seat) for seat in (0, 1)), 5)
    assert [fault.seat for fault in ring.faults(0)] == [2]
    assert ring.verdict(0).seat == 2


# --- lag ------------------------------------------------------------------------------------------------


class Waits(Session):
    """A client that commits only when all others have, a while later: it would win almost every race."""

    def _contribute_to_tick(self, now: float, progress: Any) -> list[Any]:
        if progress.number == 0 and now < self._step_since + 0.9:
            return []
        return super()._contribute_to_tick(now, progress)


def test_a_seat_that_waits_to_see_is_judged_after_the_others(small: Group) -> None:
    def play(ring: Ring, seat: int, race: Race) -> None:
        if len(race.actions) > 1:
            ring.run(seat, ring.sessions[seat].act(ring.now, race.actions[1]))

    ring = race_of(small, 3, play=play, makers={1: Waits}, options={"fish": "2", "silence": "4"})
    ring.start()
    finish(ring)
    late = {event.seat for event in ring.events(0) if event.verb == "late"}
    assert late == {1}
    assert {event.seat for event in ring.events(2) if event.verb == "late"} == {1}


def test_between_two_keepers_lag_is_shown_and_nothing_more(small: Group) -> None:
    def play(ring: Ring, seat: int, race: Race) -> None:
        if len(race.actions) > 1:
            ring.run(seat, ring.sessions[seat].act(ring.now, race.actions[1]))

    ring = race_of(small, 2, play=play, makers={1: Waits}, options={"fish": "1", "silence": "4"})
    ring.start()
    finish(ring)
    assert not [event for event in ring.events(0) if event.verb == "late"]


def marks_of(ring: Ring, seat: int) -> set[int]:
    """All lag bits that ``seat`` has set."""
    found = set()
    for entry in ring.sessions[0].history.entries:
        parts = unpack(entry.body)
        with suppress(Malformed):  # what is no array of parts is no opening
            opening = unpack(parts[0])
            if entry.seat == seat and len(opening) == 4:
                found.add(opening[2][0])
    return found


def test_one_judge_is_not_enough(small: Group) -> None:
    """Seat 0 alone hears seat 1 late: its mark does nothing."""
    ring = race_of(small, 3, play=play_some, options={"fish": "2", "silence": "6"})
    ring.start()
    ring.run_clock(lambda: in_tick(ring.sessions[0], 0, 0), 10)

    def post(sender: int, to: int, data: bytes) -> None:
        is_commitment = isinstance(decode_message(data), EntryFrame) and in_tick(ring.sessions[1], 0, 0)
        ring.delay[sender] = 0.4 if (sender, to) == (1, 0) and is_commitment else 0.0
        Ring.post(ring, sender, to, data)

    ring.post = post
    finish(ring)
    assert 1 << 1 in marks_of(ring, 0), "it does mark"
    assert marks_of(ring, 2) == {0}
    assert not [event for event in ring.events(0) if event.verb == "late"]


def test_marks_are_measured_from_ones_own_commitment() -> None:
    pace = Pace()
    assert pace.due(10.0, 700) == pytest.approx(10.7)
    pace.begin_tick(700)
    pace.arrive(1, 10.1)
    pace.commit(10.7, CommittedDeed(0, 5, Deed("wait")))
    pace.arrive(2, 10.85)
    pace.arrive(3, 10.86)
    pace.arrive(3, 10.75)
    assert pace.marks() == 1 << 3
    assert pace.due(10.9, 150) == pytest.approx(10.9)
    assert pace.due(10.8, 150) == pytest.approx(10.85)
    pace.begin_tick(200)
    assert pace.usual == pytest.approx(0.2)
    assert pace.marks() == 0, "nobody has committed yet"
    pace.end()
    assert pace.due(20.0, 700) == pytest.approx(20.7)


def test_the_progress_in_a_tick_is_the_same_for_all(small: Group) -> None:
    ring = mid_race(small, 4)
    task = ring.sessions[0].history.progress.task
    assert isinstance(task, Tick)
    assert all(session.history.progress.task == task for session in ring.sessions)


def test_the_record_is_sound_at_every_moment(small: Group) -> None:
    """Also while a step is whole and what follows from it is being worked out."""
    ring = race_of(small, 3, play=play_some, options={"fish": "1", "silence": "4"})
    seen, moments = set(), 0
    old = ring.run

    def run(seat: int, effects: list[Any]) -> None:
        nonlocal moments
        session = ring.sessions[seat]
        if seat == 0 and session.history.step > 3 and not session.is_over:
            data = session.record()
            if data not in seen:
                seen.add(data)
                report = ring.verdict(0)
                assert (report.verdict, report.reason) == ("sound", "")
                moments += not session.awaited
        old(seat, effects)

    ring.run = run
    ring.start()
    finish(ring)
    assert len(seen) > 30
    assert moments > 2
