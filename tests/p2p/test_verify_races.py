"""The verdict on the file of a race: absences, their certificates, and commitments."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from engine.table import Tick
from p2p.log import Contradiction, Statement, certificate_of, pack, sign_entry, sign_statement, unpack
from p2p.session.history import History
from p2p.verify import Report, verify
from tests.p2p.files import SMALL, rewritten
from tests.p2p.harness import Ring


@lru_cache(maxsize=1)
def raced() -> Ring:
    """A race in which seat 1 misses an opening and comes back for the next fish; read only."""
    from tests.p2p.session.absences import come_back, finish, racing, stop_at

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
