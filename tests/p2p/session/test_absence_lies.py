"""Statements of absence that are false, doubled, late or lost: what they decide, and what they do not."""

from __future__ import annotations

from p2p.log import (
    SKIP,
    Entry,
    EntryFrame,
    Statement,
    encode_message,
    frame_of_statement,
    sign_statement,
)
from p2p.sealed import Group
from p2p.session import Drop, Fault, Persist, Skipped, Undone
from tests.p2p.harness import Ring
from tests.p2p.session.absences import certificates, come_back, finish, in_tick, racing, stop_at


def stopped_ring(group: Group, seats: int = 3) -> tuple[Ring, int]:
    """The others have begun a round about seat 1."""
    ring = racing(group, seats)
    stop_at(ring, 1, 0, "cut")
    return ring, ring.sessions[0].history.step


def state(ring: Ring, author: int, step: int, have: bool, purpose: str = SKIP, keeper: int = 1) -> Statement:
    history = ring.sessions[0].history
    return sign_statement(
        ring.identities[author],
        history.table_id,
        history.heads[step],
        (history.epochs[step], step, keeper),
        purpose,
        author,
        have,
    )


def frame(ring: Ring, statement: Statement) -> bytes:
    return encode_message(frame_of_statement(statement, ring.sessions[0].history.heads[statement.step]))


def test_two_statements_of_one_keeper_convict_it(small: Group) -> None:
    ring, step = stopped_ring(small)
    ring.run_clock(lambda: ring.sessions[0].history.epoch == 1, 10)
    known = state(ring, 2, step, have=False)
    other = state(ring, 2, step, have=True)
    assert ring.sessions[0].history.certificates[step].signatures[1] == known.signature
    ring.run(0, ring.sessions[0].receive(ring.now, 2, frame(ring, other)))
    assert not ring.faults(0), "seat 1 may have gone on alone with seat 2, for all that is known here"
    ring.relink(1)
    assert ring.run_clock(lambda: bool(ring.faults(0)), 60)
    (fault,) = ring.faults(0)
    assert (fault.seat, fault.step, fault.statements) == (2, step, (known, other))
    report = ring.verdict(0)
    assert (report.verdict, report.seat, report.step) == ("cheated", 2, step)
    ring.pump()
    assert [fault.seat for fault in ring.faults(2)] == [2], "the evidence is handed to everyone"


def test_a_have_without_the_contribution_decides_nothing(small: Group) -> None:
    """Its author can hold up the round, as it can hold up the game by saying nothing."""
    ring, step = stopped_ring(small)
    ring.run(0, ring.sessions[0].receive(ring.now, 2, frame(ring, state(ring, 2, step, have=True))))
    ring.deliver = lambda sender, _to, data: [] if sender == 2 else [data]
    ring.run_clock(lambda: False, 20)
    assert ring.sessions[0].history.step == step
    assert ring.sessions[0].fault is None


def test_statements_that_nobody_signed_cut_their_link_only(small: Group) -> None:
    ring, step = stopped_ring(small)
    true = state(ring, 2, step, have=False)
    history = ring.sessions[0].history
    false = [
        Statement(0, step, 1, SKIP, 2, False, bytes(64)),
        Statement(0, step, 1, SKIP, 2, True, true.signature),
        Statement(0, step, 1, "departure", 2, False, true.signature),
        Statement(0, step, 2, SKIP, 2, False, true.signature),
        Statement(0, step, 1, SKIP, 1, False, true.signature),
        Statement(0, step - 1, 1, SKIP, 2, False, true.signature),
        state(ring, 1, step, have=False),  # of the missing keeper about itself
    ]
    for statement in false:
        data = encode_message(frame_of_statement(statement, history.heads[statement.step]))
        assert ring.sessions[0].receive(ring.now, 2, data) == [
            Drop(2, "a statement without a valid signature")
        ], statement
    for statement in (state(ring, 2, step, have=False, purpose="departure"), state(ring, 2, 3, have=False)):
        assert ring.sessions[0].receive(ring.now, 2, frame(ring, statement)) == [], "left aside"
    assert ring.sessions[0].fault is None


def test_ones_own_statement_from_elsewhere_shows_an_old_store(small: Group) -> None:
    ring, step = stopped_ring(small)
    ring.run(0, ring.sessions[0].receive(ring.now, 2, frame(ring, state(ring, 0, step, have=False))))
    assert ring.is_stale(0)
    ring.run_clock(lambda: False, 10)
    assert not any(author == 0 for *_, author in ring.own_statements())


def test_what_a_certified_seat_sends_later_is_void_and_no_fault(small: Group) -> None:
    ring = racing(small, 3)
    stop_at(ring, 1, 1, "cut")
    own = next(e for e in reversed(ring.stored[1]) if e.seat == 1)
    ring.run_clock(lambda: ring.sessions[0].history.epoch == 1, 10)
    head = ring.sessions[0].history.heads[own.step]
    late = EntryFrame(own.epoch, own.step, head[:8], 1, own.body, own.signature)
    for seat in (0, 2):
        assert ring.sessions[seat].receive(ring.now, 1, encode_message(late)) == []
    come_back(ring, 1)
    finish(ring)


def test_a_restored_old_copy_states_nothing_before_it_has_heard_the_others(small: Group) -> None:
    ring, _ = stopped_ring(small)
    kept: list[Entry] = list(ring.stored[2])
    ring.run_clock(lambda: ring.sessions[2].history.epoch == 1, 10)
    ring.statements[2] = []
    ring.crashed.add(2)
    ring.restart(2, tuple(kept))
    ring.run_clock(lambda: False, 10)
    assert ring.is_stale(2) or ring.sessions[2].history.epoch == 1
    assert all(len(said) == 1 for said in ring.own_statements().values())
    assert ring.sessions[0].fault is None


def test_undone_is_told_before_what_happened_instead(small: Group) -> None:
    ring = racing(small, 3)
    stop_at(ring, 1, 1, "cut")
    ring.run_clock(lambda: ring.sessions[0].history.epoch == 1, 10)
    come_back(ring, 1)
    finish(ring)
    told = ring.told[1]
    undone = [at for at, what in enumerate(told) if isinstance(what, Undone)]
    skipped = [at for at, what in enumerate(told) if isinstance(what, Skipped)]
    assert all(at < skipped[0] for at in undone)
    assert not any(isinstance(what, Fault) for what in told)


def test_who_is_out_still_speaks_about_others(small: Group) -> None:
    """1 is skipped and comes back within the fish; then 2 is missing, and 1 is asked like everyone."""
    ring = racing(small, 4, play=lambda _ring, _seat, _race: None, options={"fish": "2", "silence": "20"})
    stop_at(ring, 1, 0, "killed")
    assert ring.run_clock(lambda: ring.sessions[0].history.epoch == 1, 10)
    come_back(ring, 1)
    ring.run_clock(lambda: ring.sessions[1].history.head == ring.sessions[0].history.head, 5)
    assert 1 not in ring.sessions[0].history.progress.task.seats
    stop_at(ring, 2, 1, "killed", after=4)
    assert ring.run_clock(lambda: all(ring.sessions[n].history.epoch == 2 for n in (0, 1, 3)), 10)
    assert {author for *_, missing, author in ring.own_statements() if missing == 2} == {0, 1, 3}
    come_back(ring, 2)
    finish(ring)
    assert [each.keeper for each in certificates(ring, 2)] == [1, 2]


def test_a_have_is_stored_with_what_it_speaks_of(small: Group) -> None:
    """Killed right after it has stated "have": it can still show the contribution, and nobody else could."""
    ring = racing(small, 3, options={"fish": "1", "silence": "12"})
    ring.run_clock(lambda: in_tick(ring.sessions[0], 0), 60)
    # What 1 sends reaches 2 only, which goes on with it, until 0 says that it lacks it.
    ring.deliver = lambda sender, to, data: [] if (sender, to) == (1, 0) else [data]
    ring.delay[1] = 1.0
    stated: list[Persist] = []

    def crash(seat: int, persist: Persist) -> bool:
        if seat == 2 and any(statement.have for statement in persist.statements):
            stated.append(persist)
        return seat == 2 and bool(stated)

    ring.crash = crash
    assert ring.run_clock(lambda: bool(stated), 20)
    (statement,) = stated[0].statements
    assert {entry.seat for entry in stated[0].entries} == {1}
    ring.crash = lambda _seat, _persist: False
    ring.delay.clear()
    ring.run_clock(lambda: False, 5)
    ring.restart(2)
    assert ring.run_clock(lambda: ring.sessions[0].history.step > statement.step, 20)
    assert any(entry.seat == 1 for entry in ring.sessions[0].history.steps[statement.step])
    ring.deliver = None
    for seat in range(3):
        ring.relink(seat)
    finish(ring)
