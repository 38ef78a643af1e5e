"""The verdict on a file that is sound, or damaged: then nobody is blamed."""

from __future__ import annotations

import random

import msgspec
import pytest

from engine.registry import game
from p2p.log import (
    ClosingRecord,
    Damaged,
    Entry,
    Equivocation,
    read_game,
    read_records,
    write_game,
    write_records,
)
from p2p.log.record import EntryRecord, EvidenceRecord, RejectedRecord
from p2p.sealed import Group
from p2p.session import Session
from p2p.verify import verify
from tests.p2p.files import LITTLE, SMALL, played, rewritten, verdict
from tests.p2p.harness import TINY, Ring

# --- sound ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "reveal"), [(2, "end"), (3, "end"), (3, "never"), (6, "end")])
def test_a_whole_game_is_sound_and_finished(seats: int, reveal: str) -> None:
    ring = Ring(SMALL, seats, reveal=reveal, options={"ranks": "6", "hand_size": "3"})
    ring.play()
    reports = [ring.verdict(seat) for seat in range(seats)]
    assert all(report == reports[0] for report in reports)
    report = reports[0]
    assert (report.verdict, report.finished, report.closed, report.reason) == ("sound", True, True, "")
    assert report.revealed == (tuple(range(seats)) if reveal == "end" else ())
    assert report.confirmed_by == tuple(range(seats))
    assert report.outcome == ring.sessions[0].history.progress.outcome
    assert list(report.events) == ring.events(0)
    assert report.checks["shuffles"] == seats
    assert report.checks.get("recomputed", 0) == (3 * seats if reveal == "end" else 0)
    assert report.checks["signatures"] == len(ring.sessions[0].history.entries)
    assert report.players == tuple(f"P{seat}" for seat in range(seats))


def test_a_whole_game_in_the_real_group(real: Group) -> None:
    ring = Ring(real, 3, options=LITTLE)
    ring.play()
    told: list[tuple[int, int]] = []
    report = verify(ring.record(0), game, real, lambda done, of: told.append((done, of)))
    assert report.finished
    assert told[-1] == (len(ring.sessions[0].history.entries),) * 2


def test_a_game_stopped_at_any_step_is_sound_and_unfinished() -> None:
    ring = Ring(SMALL, 3, options=LITTLE)
    ring.start()
    seen = 0
    for _ in ring.steps():
        session = ring.sessions[1]
        if session.history.step > seen or len(session.held) > 1:
            seen = session.history.step
            report = ring.verdict(1)
            assert (report.verdict, report.finished) == ("sound", session.is_closed)
    assert seen > 10


def closing_steps(ring: Ring) -> int:
    """The step in which the seats signed the outcome."""
    return len(ring.sessions[0].history.steps) - (2 if ring.charter.reveal == "end" else 1)


def test_an_outcome_signed_by_some_names_them_and_is_not_finished() -> None:
    ring = played(3, **LITTLE)
    step = closing_steps(ring)
    history = ring.sessions[0].history
    for signers in ((), (0,), (1, 2)):
        entries = [e for e in history.entries if e.step < step or (e.step == step and e.seat in signers)]
        report = verdict(rewritten(ring, entries, head=history.heads[step], reason="stopped"))
        assert (report.verdict, report.finished, report.confirmed_by) == ("sound", False, signers)
        assert report.outcome == history.progress.outcome
        lie = verdict(rewritten(ring, entries, head=history.heads[step], reason="finished"))
        assert lie.verdict == "damaged"


def test_who_did_not_reveal_is_left_out_and_not_blamed() -> None:
    ring = played(3, **LITTLE)
    history = ring.sessions[0].history
    step = len(history.steps) - 1
    for revealed in ((), (2,), (0, 1)):
        entries = [e for e in history.entries if e.step < step or e.seat in revealed]
        report = verdict(rewritten(ring, entries, head=history.heads[step]))
        assert (report.verdict, report.finished, report.revealed) == ("sound", True, revealed)


def test_a_session_verifies_as_a_stranger_does() -> None:
    """The restored session and the verifier fold the same bytes to the same head."""
    ring = played(3, **LITTLE)
    entries = read_game(ring.record(0)).entries
    session = Session(ring.charter, ring.rules, SMALL, 0, ring.identities[0], ring.roots[0], bytes(32))
    session.start(0.0, entries)
    assert session.history.head == read_game(ring.record(0)).closing.head


# --- damaged --------------------------------------------------------------------------------------------


def test_a_file_cut_off_anywhere_is_damaged() -> None:
    data = played().record(0)
    assert read_game(data).charter == played().charter
    for size in range(len(data)):
        with pytest.raises(Damaged):
            read_game(data[:size])
    assert verdict(data[: len(data) // 2]).verdict == "damaged"
    with pytest.raises(Damaged):
        read_game(data + b"\0")
    with pytest.raises(Damaged):
        read_game(data + data)


def test_any_byte_changed_is_noticed_by_the_structure_alone() -> None:
    data = played().record(0)
    for at in range(len(data)):
        changed = bytearray(data)
        changed[at] ^= 1 << (at % 8)
        with pytest.raises(Damaged):
            read_game(bytes(changed))


def with_new_checksums(data: bytes, at: int, value: int) -> bytes:
    """One byte of a record's content replaced, and all checksums made right again."""
    from p2p.log.record import CHECKSUM, MAGIC, _checksum

    out, place, checksum = [MAGIC], len(MAGIC), bytes(CHECKSUM)
    while place < len(data):
        size = int.from_bytes(data[place : place + 4], "big")
        payload = bytearray(data[place + 4 : place + 4 + size])
        if place + 4 <= at < place + 4 + size:
            payload[at - place - 4] = value
        checksum = _checksum(checksum, bytes(payload))
        out += (size.to_bytes(4, "big"), bytes(payload), checksum)
        place += 4 + size + CHECKSUM
    return b"".join(out)


def check_changed_bytes(data: bytes, count: int, seed: int) -> None:
    rng = random.Random(seed)
    changed = 0
    while changed < count:
        at = rng.randrange(8, len(data))
        forged = with_new_checksums(data, at, data[at] ^ rng.randrange(1, 256))
        if forged != data:  # the byte was not a length or a checksum
            report = verdict(forged)
            assert (report.verdict, report.seat, report.finished) == ("damaged", None, False), at
            assert "\n" not in report.reason
            changed += 1


def test_a_changed_byte_under_right_checksums_is_damage_and_nobodys_fault() -> None:
    check_changed_bytes(played().record(0), 250, 1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_more_changed_bytes_under_right_checksums(seed: int) -> None:
    check_changed_bytes(played(3, **LITTLE).record(0), 400, seed)


def test_entries_left_out_doubled_or_moved_are_damage() -> None:
    ring = played(3, **LITTLE)
    entries = ring.sessions[0].history.entries
    records = read_records(ring.record(0))
    closing = records[-1]
    assert isinstance(closing, ClosingRecord)
    for at in range(len(entries)):
        left = entries[:at] + entries[at + 1 :]
        assert verdict(rewritten(ring, left)).verdict == "damaged"
    rng = random.Random(5)
    for _ in range(60):
        order = list(records[1:-1])
        one, other = rng.randrange(len(order)), rng.randrange(len(order))
        if rng.random() < 0.5:
            order.insert(one, order[other])
        elif one != other:
            order[one], order[other] = order[other], order[one]
        else:
            continue
        count = len(order)
        forged = write_records([records[0], *order, ClosingRecord(count, closing.head, closing.reason)])
        assert verdict(forged).verdict == "damaged"


def test_a_closing_record_that_lies_is_damage() -> None:
    ring = played()
    history = ring.sessions[0].history
    records = read_records(ring.record(0))
    count, head = len(history.entries), history.head
    for lie in (
        ClosingRecord(count + 1, head, "finished"),
        ClosingRecord(count - 1, head, "finished"),
        ClosingRecord(-1, head, "finished"),
        ClosingRecord(count, history.heads[-2], "finished"),
        ClosingRecord(count, b"", "finished"),
        ClosingRecord(count, head, "cheated"),
        ClosingRecord(count, head, "won"),
    ):
        assert verdict(write_records([*records[:-1], lie])).verdict == "damaged"
    assert verdict(write_records([*records[:-1], records[-1], records[-1]])).verdict == "damaged"
    assert verdict(write_records(records[1:])).verdict == "damaged"
    assert verdict(write_records([])).verdict == "damaged"
    # Cut at a step with a right closing, the file is a stopped game and cannot pass as a finished one.
    cut = [e for e in history.entries if e.step < 5]
    assert verdict(rewritten(ring, cut, head=history.heads[5])).verdict == "damaged"
    stopped = verdict(rewritten(ring, cut, head=history.heads[5], reason="stopped"))
    assert (stopped.verdict, stopped.finished) == ("sound", False)


def test_a_charter_that_cannot_be_played_is_damage() -> None:

    ring = played()
    for change in (
        {"game": "chess"},
        {"game_version": 9},
        {"group": "other"},
        {"deck_digest": bytes(32)},
        {"options": ()},
        {"options": (("deck", "53"),)},
        {"protocol": 2},
        {"reveal": "maybe"},
        {"nonces": ()},
        {"seats": ring.charter.seats[:1]},
    ):
        charter = msgspec.structs.replace(ring.charter, **change)
        report = verdict(write_game(charter, (), bytes(32), "stopped"))
        assert report.verdict == "damaged", change


def test_a_finished_game_cannot_be_called_stopped(small: Group) -> None:
    ring = Ring(small, 2, options=TINY)
    ring.play()
    records = read_records(ring.record(0))
    assert isinstance(records[-1], ClosingRecord)
    records[-1] = ClosingRecord(records[-1].count, records[-1].head, "stopped")
    report = verify(write_records(records), game, small)
    assert report.verdict == "damaged"
    assert "it is finished" in report.reason


def test_numbers_out_of_range_in_an_entry_are_damage() -> None:
    ring = played()
    records = read_records(ring.record(0))
    for entry in (
        Entry(0, -1, 0, b"", bytes(64)),
        Entry(-1, 0, 0, b"", bytes(64)),
        Entry(0, 0, -1, b"", bytes(64)),
        Entry(2**33, 0, 0, b"", bytes(64)),
        Entry(0, 2**33, 0, b"", bytes(64)),
        Entry(0, 0, 2**33, b"", bytes(64)),
    ):
        forged = write_records([records[0], EntryRecord(entry), ClosingRecord(1, bytes(32), "stopped")])
        assert verdict(forged).verdict == "damaged"


def test_the_kinds_of_records_have_their_places() -> None:
    records = read_records(played().record(0))
    entry = played().sessions[0].history.entries[0]
    for strange in (records[0], RejectedRecord(entry), EvidenceRecord(Equivocation(b"", entry, entry))):
        assert verdict(write_records([strange, *records])).verdict == "damaged"
    assert verdict(write_records([*records[:3], records[0], *records[3:]])).verdict == "damaged"
