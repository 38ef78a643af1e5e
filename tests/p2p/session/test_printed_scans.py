"""A person taps the cards: what is taken and refused, and what a crash of the machine leaves of it."""

from __future__ import annotations

from typing import Any

import pytest

from engine.table import Draw, Tick
from p2p.sealed import Group
from p2p.session import (
    CutWanted,
    Finished,
    Persist,
    PrintedTable,
    ScanRefused,
    ScanWanted,
    Undone,
)
from tests.p2p.harness import Ring
from tests.p2p.session.printed_tables import SOME, finish, first_cards, table, waiting

# --- scans ----------------------------------------------------------------------------------------------


def test_cards_may_be_tapped_one_by_one_and_are_contributed_together(small: Group) -> None:
    ring = waiting(small)
    faces = first_cards(ring)
    step = ring.sessions[0].history.step
    for count, face in enumerate(faces, start=1):
        assert ring.sessions[1].history.step == step
        ring.run(0, ring.sessions[0].scan(ring.now, (face,)))
        ring.pump()
        assert len(ring.told[0][-1].draws) == len(faces) - count if count < len(faces) else True
    assert ring.sessions[1].history.step > step
    hand = ring.sessions[1].view().hand
    assert set(hand.values()) <= set(faces)


def refused(ring: Ring, *faces: Any, seat: int = 0) -> str:
    before = ring.sessions[seat]._scans._left(ring.sessions[seat].history.progress)
    with pytest.raises(ScanRefused) as found:
        ring.sessions[seat].scan(ring.now, faces)
    assert ring.sessions[seat]._scans._left(ring.sessions[seat].history.progress) == before
    assert str(found.value).endswith(".")
    return found.value.kind


def test_a_card_that_cannot_be_is_refused_before_it_is_signed(small: Group) -> None:
    ring = waiting(small)
    faces = first_cards(ring)
    sent = len(ring.sent)
    assert refused(ring, faces[0], faces[0]) == "twice"
    assert refused(ring, ("K", "H")) == "no-card"
    assert refused(ring, ("3",)) == "no-card"
    assert refused(ring, *faces, faces[0]) == "unwanted"
    assert refused(ring, faces[0], seat=1) == "unwanted"
    ring.run(0, ring.sessions[0].scan(ring.now, faces[:2]))
    assert refused(ring, faces[1]) == "twice"
    assert len(ring.sent) == sent
    ring.run(0, ring.sessions[0].scan_anew(ring.now))
    assert len(ring.told[0][-1].draws) == len(faces)
    ring.run(0, ring.sessions[0].scan(ring.now, faces))
    ring.pump()
    assert refused(ring, faces[0]) in ("twice", "unwanted")
    del ring.on_wanted
    if ring.told[0][-1] != ScanWanted(()):
        wanted = [what for what in ring.told[0] if isinstance(what, ScanWanted)][-1]
        if wanted.draws:
            assert refused(ring, faces[0]) == "twice"
            ring.on_wanted(0, wanted)
    finish(ring)


def test_a_card_of_another_pile_is_refused(small: Group) -> None:
    ring = table(small, 2, name="discount-salmon")
    ring.on_wanted = lambda seat, what: None
    ring.play()
    assert refused(ring, ring.pack.piles["lake"][0]) == "other-pile"


def test_a_card_in_play_is_refused_in_a_race_too(small: Group) -> None:
    """Everything that is dealt, laid and tapped counts; of equal cards there may be several."""
    ring = table(small, 2, name="discount-salmon")
    ring.start()
    ring.run_clock(lambda: isinstance(ring.sessions[0].history.progress.task, Tick), 100)
    live = ring.sessions[0].history.progress.dealing.live(ring.secrets(0).seed)
    assert live.total() == 11


def test_refills_of_a_race_come_when_they_are_tapped_and_the_race_goes_on(small: Group) -> None:
    """The person taps one card every two seconds, a dozen ticks apart."""
    ring = table(small, 3, name="discount-salmon", seed=3)
    waits: list[int] = []
    tapped: dict[str, float] = {"at": 0.0}

    def on_wanted(seat: int, what: ScanWanted) -> None:
        if not isinstance(ring.sessions[0].history.progress.task, Tick):
            Ring.on_wanted(ring, seat, what)

    run = ring.run

    def watch(seat: int, effects: list[Any]) -> None:
        run(seat, effects)
        progress = ring.sessions[0].history.progress
        if not isinstance(progress.task, Tick) or seat != 0:
            return
        left = ring.sessions[0]._scans._left(progress)
        if left and ring.now - tapped["at"] > 2.0:
            tapped["at"] = ring.now
            run(0, ring.sessions[0].scan(ring.now, ring.pack.tap(ScanWanted(left[:1]))))
        elif left:
            waits.append(ring.sessions[0].history.step)

    ring.on_wanted = on_wanted
    ring.run = watch
    ring.start()
    finish(ring)
    assert len(set(waits)) > 20, "the race goes on while cards are awaited"
    refills = [event for event in ring.events(1) if event.verb == "refill"]
    assert refills


# --- crashes --------------------------------------------------------------------------------------------


def test_what_is_tapped_is_asked_for_again_after_a_crash(small: Group) -> None:
    ring = waiting(small)
    faces = first_cards(ring)
    ring.run(0, ring.sessions[0].scan(ring.now, faces[:3]))
    ring.told[0].clear()
    ring.restart(0)
    ring.pump()
    assert ring.told[0][0] == PrintedTable(0)
    assert isinstance(ring.told[0][1], CutWanted), "the pack was not touched yet"
    (asked,) = [what for what in ring.told[0] if isinstance(what, ScanWanted)]
    assert len(asked.draws) == len(faces)
    del ring.on_wanted
    ring.on_wanted(0, asked)
    finish(ring)


@pytest.mark.parametrize("before_sending", [True, False], ids=["stored", "sent"])
def test_a_crash_of_the_table_at_any_of_its_steps_changes_nothing(small: Group, before_sending: bool) -> None:
    probe = table(small, 3, options=SOME)
    probe.play()
    steps = [entry.step for entry in probe.sessions[0].history.entries if entry.seat == 0]
    assert len(steps) > 10
    for step in steps[before_sending::5]:
        ring = table(small, 3, options=SOME)
        stored: list[bool] = []

        def crash(seat: int, persist: Persist, step: int = step, stored: list[bool] = stored) -> bool:
            now = seat == 0 and any((e.seat, e.step) == (0, step) for e in persist.entries)
            if now:
                stored.append(True)
            return now and before_sending

        ring.crash = crash
        assert ring.play_until(lambda stored=stored: bool(stored))
        ring.crash = lambda _seat, _persist: False
        ring.restart(0)
        finish(ring)
        assert isinstance(ring.told[0][-1], Finished)


@pytest.mark.slow
def test_a_machine_that_was_cut_off_in_a_race_asks_for_its_cards_again(small: Group) -> None:
    """What it contributed meanwhile is void; the same cards are tapped once more, and counted once."""
    ring = table(small, 3, name="discount-salmon", seed=6)
    ring.start()

    def refilling() -> bool:
        progress = ring.sessions[1].history.progress
        return isinstance(progress.task, Tick) and bool(progress.task.draws) and progress.number == 0

    assert ring.run_clock(refilling, 5000)
    ring.cut.add(0)
    until = ring.now + 6.0
    ring.run_clock(lambda: ring.now >= until, 10)
    assert ring.sessions[1].history.certificates, "the others went on without the machine"
    ring.relink(0)

    def is_settled() -> bool:
        """The fish is over, its refills are drawn, and all stand at one step."""
        tasks = [session.history.progress.task for session in ring.sessions]
        return not any(isinstance(task, Tick | Draw) for task in tasks)

    assert ring.run_clock(is_settled, 5000)
    ring.pump()
    assert not any(session.fault for session in ring.sessions)
    assert len({session.history.head for session in ring.sessions}) == 1
    assert any(isinstance(what, Undone) for what in ring.told[0])
    report = ring.verdict(1)
    assert (report.verdict, bool(report.skipped)) == ("sound", True)
