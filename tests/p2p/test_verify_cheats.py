"""The verdict on a file in which somebody cheated: its seat and step; no innocent is ever blamed."""

from __future__ import annotations

import random

from p2p.deal import PeerFault
from p2p.log import Entry, Equivocation, pack, sign_entry, write_game
from tests.p2p.files import LITTLE, histories, played, resigned, rewritten, verdict


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
