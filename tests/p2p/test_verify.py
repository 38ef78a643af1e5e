"""The verdict on a file: sound, damaged, or cheated and by whom; no innocent is ever blamed."""

from __future__ import annotations

import random
from functools import lru_cache
from typing import Any

import msgspec
import pytest

from engine.registry import game
from engine.table import Tick
from p2p.deal import PeerFault
from p2p.log import (
    ClosingRecord,
    Contradiction,
    Damaged,
    Entry,
    Equivocation,
    Statement,
    certificate_of,
    pack,
    read_game,
    read_records,
    sign_entry,
    sign_statement,
    unpack,
    write_game,
    write_records,
)
from p2p.log.record import EntryRecord, EvidenceRecord, RejectedRecord
from p2p.sealed import Group
from p2p.sealed.testgroup import SmallGroup
from p2p.session import Session
from p2p.session.history import History
from p2p.verify import Report, verify
from tests.p2p.harness import TINY, Ring

SMALL = SmallGroup()
LITTLE = {"ranks": "3", "hand_size": "2"}


@lru_cache(maxsize=8)
def played(seats: int = 2, reveal: str = "end", **options: str) -> Ring:
    """A whole game; read only."""
    ring = Ring(SMALL, seats, options=options or TINY, reveal=reveal)
    ring.play()
    return ring


def verdict(data: bytes, group: Group = SMALL) -> Report:
    return verify(data, game, group)


def rewritten(ring: Ring, entries: Any = None, **changes: Any) -> bytes:
    """The file of a game with some of it exchanged, every checksum right."""
    history = ring.sessions[0].history
    given = {"head": history.head, "reason": "finished"} | changes
    return write_game(ring.charter, history.entries if entries is None else entries, **given)


def histories(ring: Ring) -> list[History]:
    """A history before each step, folded anew."""
    found = []
    steps = ring.sessions[0].history.steps
    for count in range(len(steps)):
        history = History(ring.charter, ring.rules, SMALL)
        for entries in steps[:count]:
            history.complete(
                {entry.seat: entry for entry in entries}, {e.seat: history.check(e) for e in entries}
            )
        found.append(history)
    return found


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
    import msgspec

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


# --- cheated --------------------------------------------------------------------------------------------


def resigned(ring: Ring, history: History, entry: Entry, body: bytes) -> Entry:
    """``body`` signed by the entry's own seat in its place."""
    identity = ring.identities[entry.seat]
    return sign_entry(identity, history.table_id, entry.epoch, entry.step, entry.seat, history.head, body)


def test_a_contribution_changed_and_signed_again_names_its_seat_and_step() -> None:
    """Every contribution of a game, at several places each, with the rest of the file left as it is."""
    ring = played(3, **LITTLE)
    steps = ring.sessions[0].history.steps
    rng = random.Random(7)
    named = open_commitments = 0
    for history, entries in zip(histories(ring), steps, strict=True):
        for entry in entries:
            for _ in range(2):
                at = rng.randrange(len(entry.body))
                body = (
                    entry.body[:at] + bytes([entry.body[at] ^ (1 << rng.randrange(8))]) + entry.body[at + 1 :]
                )
                forged = resigned(ring, history, entry, body)
                all_entries = [forged if e is entry else e for e in ring.sessions[0].history.entries]
                cut = [e for e in all_entries if e.step <= entry.step]
                reports = [
                    verdict(rewritten(ring, all_entries)),
                    verdict(rewritten(ring, cut, head=history.head, reason="stopped")),
                ]
                try:
                    history.check(forged)
                except PeerFault:
                    for report in reports:
                        assert (report.verdict, report.seat, report.step) == (
                            "cheated",
                            entry.seat,
                            entry.step,
                        )
                    named += 1
                else:  # a commitment to something else: then the rest of the file does not belong to it
                    assert reports[0].verdict == "damaged"
                    assert {report.seat for report in reports} == {None}
                    open_commitments += 1
                original = next(e for e in entries if e is entry)
                proof = Equivocation(history.head, original, forged)
                report = verdict(rewritten(ring, reason="cheated", equivocations=(proof,)))
                assert (report.verdict, report.seat, report.step) == ("cheated", entry.seat, entry.step)
    assert named > 30
    assert open_commitments < named // 4


def test_evidence_convicts_at_any_step_and_after_the_end() -> None:
    ring = played(3, **LITTLE)
    for history, entries in zip(histories(ring), ring.sessions[0].history.steps, strict=True):
        owed = {entry.seat for entry in entries}
        for seat in range(3):
            sample = Entry(0, history.step, seat, b"", b"")
            bad = resigned(ring, history, sample, b"\x91\xc4\x01x")
            report = verdict(rewritten(ring, rejected=(bad,)))
            assert (report.verdict, report.seat, report.step) == ("cheated", seat, history.step)
            if seat not in owed:
                assert "nothing is owed" in report.reason
    end = ring.sessions[0].history
    late = resigned(ring, end, Entry(0, end.step, 1, b"", b""), pack([b""]))
    report = verdict(rewritten(ring, rejected=(late,)))
    assert (report.verdict, report.seat, report.step) == ("cheated", 1, end.step)


def test_evidence_that_proves_nothing_is_damage() -> None:
    ring = played(3, **LITTLE)
    history = ring.sessions[0].history
    known = history.steps[3][0]
    head = history.heads[3]
    other = sign_entry(ring.identities[known.seat], history.table_id, 0, 3, known.seat, head, b"other")
    unsigned = Entry(0, 3, known.seat, b"other", bytes(64))
    elsewhere = sign_entry(
        ring.identities[known.seat], history.table_id, 0, 3, known.seat, bytes(32), b"other"
    )
    for proof in (
        Equivocation(head, known, known),
        Equivocation(head, known, unsigned),
        Equivocation(head, known, elsewhere),
        Equivocation(bytes(32), elsewhere, other),
        Equivocation(history.heads[4], known, other),
        Equivocation(head, known, history.steps[4][0]),
        Equivocation(head, Entry(-1, 3, 0, b"", bytes(64)), Entry(-1, 3, 0, b"x", bytes(64))),
        Equivocation(head, Entry(0, -1, 0, b"", bytes(64)), Entry(0, -1, 0, b"x", bytes(64))),
        Equivocation(head, Entry(2**40, 3, 0, b"", bytes(64)), Entry(2**40, 3, 0, b"x", bytes(64))),
        Equivocation(head, Entry(0, 10**6, 0, b"", bytes(64)), Entry(0, 10**6, 0, b"x", bytes(64))),
        Equivocation(head, Entry(0, 3, 99, b"", bytes(64)), Entry(0, 3, 99, b"x", bytes(64))),
        Equivocation(head, Entry(0, 3, -1, b"", bytes(64)), Entry(0, 3, -1, b"x", bytes(64))),
    ):
        report = verdict(rewritten(ring, equivocations=(proof,)))
        assert (report.verdict, report.seat) == ("damaged", None)
        report = verdict(rewritten(ring, reason="cheated", equivocations=(proof,)))
        assert (report.verdict, report.seat) == ("damaged", None)
    for entry in (
        known,  # a contribution that holds
        unsigned,
        elsewhere,
        Entry(0, -1, 0, b"", bytes(64)),
        Entry(-1, 3, 0, b"", bytes(64)),
        Entry(0, 10**9, 0, b"", bytes(64)),
        Entry(0, 2**40, 0, b"", bytes(64)),
        Entry(0, 3, 77, b"", bytes(64)),
        Entry(0, 3, -2, b"", bytes(64)),
    ):
        report = verdict(rewritten(ring, rejected=(entry,)))
        assert (report.verdict, report.seat) == ("damaged", None), entry


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


def test_a_seat_cannot_frame_another() -> None:
    """A forger with one key exchanges its own contributions and keeps the signatures of the others.

    Whatever it does, the verdict names the forger or nobody.
    """
    ring = played(3, **LITTLE)
    rng = random.Random(11)
    forger = 1
    heads = histories(ring)
    for _ in range(60):
        step = rng.randrange(len(heads))
        history = heads[step]
        own = [e for e in ring.sessions[0].history.steps[step] if e.seat == forger]
        sample = own[0] if own else Entry(0, step, forger, pack([b"x"]), b"")
        body = rng.choice([sample.body + b"\0", sample.body[:-1], pack([]), pack([b"x", b"y"]), b""])
        forged = resigned(ring, history, sample, body)
        entries = [e for e in ring.sessions[0].history.entries if e.step < step or e.seat != forger]
        entries = [e for e in entries if rng.random() < 0.98] + [forged]
        honest = rng.choice(ring.sessions[0].history.entries)
        cut = rng.randrange(step, step + 3)
        data = write_game(
            ring.charter,
            [e for e in entries if e.step <= cut],
            history.head,
            rng.choice(["stopped", "cheated"]),
            rejected=rng.choice([(), (honest,), (forged,)]),
        )
        report = verdict(data)
        assert report.verdict in ("damaged", "cheated")
        assert report.seat in (None, forger)


def test_a_session_verifies_as_a_stranger_does() -> None:
    """The restored session and the verifier fold the same bytes to the same head."""
    ring = played(3, **LITTLE)
    entries = read_game(ring.record(0)).entries
    session = Session(ring.charter, ring.rules, SMALL, 0, ring.identities[0], ring.roots[0], bytes(32))
    session.start(0.0, entries)
    assert session.history.head == read_game(ring.record(0)).closing.head


# --- races ----------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def raced() -> Ring:
    """A race in which seat 1 misses an opening and comes back for the next fish; read only."""
    from tests.p2p.session.test_absence import come_back, finish, racing, stop_at

    ring = racing(SMALL, 3)
    stop_at(ring, 1, 1, "cut")
    ring.run_clock(lambda: False, 30)
    come_back(ring, 1)
    finish(ring)
    return ring


def race_file(entries: Any = None, absences: Any = None, **changes: Any) -> bytes:
    """The file of ``raced`` with some of it exchanged, every checksum right."""
    history = raced().sessions[0].history
    return rewritten(
        raced(),
        entries,
        certificates=history.certificates.values() if absences is None else absences,
        **changes,
    )


def race_verdict(data: bytes) -> Report:
    return verify(data, lambda _id: raced().rules, SMALL)


def skip() -> Any:
    (certificate,) = raced().sessions[0].history.certificates.values()
    return certificate


def stated(author: int, have: bool = False, purpose: str = "skip", **about: int) -> Statement:
    history, at = raced().sessions[0].history, skip()
    place = (at.epoch, about.get("step", at.step), about.get("keeper", at.keeper))
    head = history.heads[place[1]]
    return sign_statement(raced().identities[author], history.table_id, head, place, purpose, author, have)


def recertified(keeper: int, purpose: str, step: int | None = None) -> Any:
    """A certificate that all others really signed."""
    authors = [seat for seat in range(3) if seat != keeper]
    at = skip().step if step is None else step
    found = certificate_of(
        raced().charter, [stated(seat, purpose=purpose, keeper=keeper, step=at) for seat in authors]
    )
    assert found is not None
    return found


def test_a_race_with_a_skip_is_sound_and_says_who_was_skipped() -> None:
    report = race_verdict(race_file())
    assert (report.verdict, report.finished) == ("sound", True)
    assert report.skipped == ((skip().step, 1),)
    assert report.checks["certificates"] == 1
    assert report.checks["ticks"] > 20
    assert list(report.events) == raced().events(0)
    assert [event.seat for event in report.events if event.verb == "absent"] == [1]
    assert report.outcome == raced().sessions[0].history.progress.outcome


def test_a_changed_certificate_is_damage_and_blames_nobody() -> None:
    certificate = skip()
    first, second = certificate.signatures
    change = msgspec.structs.replace
    for changed in (
        (),
        (change(certificate, signatures=(first,)),),
        (change(certificate, signatures=(second, first)),),
        (change(certificate, signatures=(first, bytes(64))),),
        (change(certificate, keeper=0),),
        (change(certificate, purpose="departure"),),
        (change(certificate, epoch=1),),
        (change(certificate, step=certificate.step - 1),),
        (change(certificate, step=certificate.step + 2),),
        (certificate, change(certificate, epoch=1, step=certificate.step + 2)),
    ):
        report = race_verdict(race_file(absences=changed))
        assert (report.verdict, report.seat) == ("damaged", None), changed


def test_a_certificate_that_the_state_does_not_allow_blames_who_signed_it() -> None:
    """Colluding keepers sign what the rules do not know: the first of them is named."""
    at = skip().step
    history = raced().sessions[0].history
    before = [entry for entry in history.entries if entry.step < at]
    cases = [
        (recertified(1, "departure"), at, before),
        (recertified(1, "skip", step=2), 2, [entry for entry in before if entry.step < 2]),
    ]
    for certificate, step, entries in cases:
        report = race_verdict(race_file(entries, (certificate,), head=history.heads[step], reason="stopped"))
        assert (report.verdict, report.seat, report.step) == ("cheated", 0, step), certificate


def test_a_contribution_beside_the_certificate_of_its_absence_is_damage() -> None:
    void = next(e for e in raced().stored[1] if e.seat == 1 and e.step == skip().step)
    entries = (*raced().sessions[0].history.entries, void)
    assert race_verdict(race_file(entries)).verdict == "damaged"
    others = [e for e in raced().sessions[0].history.entries if e.step != skip().step]
    assert race_verdict(race_file(others)).verdict == "damaged"


def test_two_statements_of_one_keeper_are_cheating_and_evidence_of_nothing_is_damage() -> None:
    history = raced().sessions[0].history
    head = history.heads[skip().step]
    proof = Contradiction(head, stated(2), stated(2, have=True))
    report = race_verdict(race_file(reason="cheated", contradictions=(proof,)))
    assert (report.verdict, report.seat, report.step) == ("cheated", 2, skip().step)
    for nothing in (
        Contradiction(head, stated(2), stated(2)),
        Contradiction(head, stated(2), stated(0, have=True)),
        Contradiction(bytes(32), stated(2), stated(2, have=True)),
        Contradiction(head, stated(1), stated(1, have=True)),
        Contradiction(head, stated(2), msgspec.structs.replace(stated(2), have=True)),
    ):
        report = race_verdict(race_file(reason="cheated", contradictions=(nothing,)))
        assert (report.verdict, report.seat) == ("damaged", None), nothing


def test_a_changed_commitment_or_opening_of_a_race_names_its_seat() -> None:
    """Re-signed by its own seat, with all checksums right."""
    ring, history = raced(), History(raced().charter, raced().rules, SMALL)
    steps = ring.sessions[0].history.steps
    named = set()
    for number, entries in enumerate(steps[: skip().step]):
        if isinstance(history.progress.task, Tick):
            entry = entries[-1]
            part = bytearray(unpack(entry.body)[0])
            part[5] ^= 1
            forged = sign_entry(
                ring.identities[entry.seat],
                history.table_id,
                0,
                number,
                entry.seat,
                history.head,
                pack([bytes(part)]),
            )
            before = [e for step in steps[:number] for e in step]
            later = [e for e in entries if e is not entry]
            report = race_verdict(
                race_file((*before, *later, forged), (), head=history.head, reason="stopped")
            )
            # A changed commitment is well-formed; that it fits nothing shows when it is opened.
            opened = history.progress.number == 1
            wanted = ("cheated", entry.seat, number) if opened else ("damaged", None, None)
            assert (report.verdict, report.seat, report.step) == wanted
            named.add(history.progress.number)
        history.complete({e.seat: e for e in entries}, {e.seat: history.check(e) for e in entries})
    assert named == {0, 1}


def test_a_finished_game_cannot_be_called_stopped(small: Group) -> None:
    ring = Ring(small, 2, options=TINY)
    ring.play()
    records = read_records(ring.record(0))
    assert isinstance(records[-1], ClosingRecord)
    records[-1] = ClosingRecord(records[-1].count, records[-1].head, "stopped")
    report = verify(write_records(records), game, small)
    assert report.verdict == "damaged"
    assert "it is finished" in report.reason
