"""Nothing in a file is left unlooked-at: whatever is changed, put in or taken out, with right checksums."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import msgspec
import pytest

from p2p.log import ClosingRecord, Entry, Equivocation, read_records, write_records
from p2p.log.absence import DEPARTURE, SKIP, Certificate, Contradiction, Statement
from p2p.log.codec import encode
from p2p.log.record import (
    CertificateRecord,
    ContradictionRecord,
    EntryRecord,
    EvidenceRecord,
    Record,
    RejectedRecord,
)
from tests.p2p.files import SMALL, played, verdict
from tests.p2p.session.test_departure import lose_links, ring_with_one_ahead, until_gone

STRANGE = (-(2**31), -3, -1, 0, 1, 2, 7, 2**31, 2**33)
"""Numbers in place of any other."""


@lru_cache(maxsize=1)
def departed() -> bytes:
    """The record of a game that somebody left: it has a certificate."""
    ring = ring_with_one_ahead(SMALL)
    lose_links(ring, 1)
    until_gone(ring, 1)
    assert ring.run_clock(lambda: ring.sessions[0].is_over, 100)
    return ring.record(0)


def whole() -> bytes:
    return played().record(0)


def leaves(value: Any, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Any]]:
    """Every part of a value that has none itself, and where it stands."""
    if isinstance(value, list):
        for at, each in enumerate(value):
            yield from leaves(each, (*path, at))
    else:
        yield path, value


def put(value: Any, path: tuple[int, ...], leaf: Any) -> Any:
    if not path:
        return leaf
    return [put(each, path[1:], leaf) if at == path[0] else each for at, each in enumerate(value)]


def others_of(leaf: Any) -> Iterator[Any]:
    match leaf:
        case bool():
            yield not leaf
        case int():
            yield from (each for each in (*STRANGE, leaf + 1, leaf - 1) if each != leaf)
        case str():
            yield from (leaf + "x", leaf[1:], "") if leaf else ("x",)
        case bytes():
            yield from (leaf + b"\0", leaf[1:], bytes(len(leaf)), b"")
        case None:
            yield from (0, "", b"")


def bent(record: Any) -> Iterator[Record]:
    """A record with any one leaf exchanged, where that is a record still."""
    plain = msgspec.msgpack.decode(encode(record))
    for path, leaf in leaves(plain):
        for other in others_of(leaf):
            changed = encode(put(plain, path, other))
            if changed == encode(record):
                continue
            try:
                yield msgspec.msgpack.decode(changed, type=type(record))
            except msgspec.DecodeError:
                continue


def is_refused(records: list[Any]) -> bool:
    try:
        data = write_records(records)
    except (ValueError, OverflowError):
        return True
    return verdict(data).verdict == "damaged"


@pytest.mark.parametrize("data", [whole, departed])
def test_any_number_name_or_bytes_exchanged_in_any_record(data: Any) -> None:
    records = read_records(data())
    certificates = [at for at, each in enumerate(records) if isinstance(each, CertificateRecord)]
    entries = [at for at, each in enumerate(records) if isinstance(each, EntryRecord)]
    tried = 0
    for at in (0, *entries[:2], entries[len(entries) // 2], entries[-1], *certificates, len(records) - 1):
        for other in bent(records[at]):
            assert is_refused([*records[:at], other, *records[at + 1 :]]), (at, other)
            tried += 1
    assert tried > 150


def strangers(records: list[Any]) -> Iterator[Any]:
    """Records of each kind that belong to no step of the game, or to one twice."""
    last = max(each.entry.step for each in records if isinstance(each, EntryRecord))
    known = next(each.entry for each in records if isinstance(each, EntryRecord))
    for step in (-3, -1, 0, last, last + 1, 2**31, 2**33):
        for epoch in (-1, 0, 1):
            yield EntryRecord(Entry(epoch, step, 0, b"junk", b""))
            yield EntryRecord(Entry(epoch, step, -1, known.body, known.signature))
            for purpose in (SKIP, DEPARTURE):
                for signatures in ((), (bytes(64),), (bytes(64), bytes(64))):
                    yield CertificateRecord(Certificate(epoch, step, 1, purpose, signatures))
        two = [Statement(0, step, 1, SKIP, 0, have, bytes(64)) for have in (True, False)]
        yield RejectedRecord(Entry(0, step, 0, b"junk", bytes(64)))
        yield EvidenceRecord(_equivocation(step))
        yield ContradictionRecord(_contradiction(two))


def _equivocation(step: int) -> Any:
    one, other = (Entry(0, step, 0, body, bytes(64)) for body in (b"1", b"2"))
    return Equivocation(bytes(32), one, other)


def _contradiction(two: list[Statement]) -> Any:
    return Contradiction(bytes(32), *two)


@pytest.mark.parametrize("data", [whole, departed])
def test_any_record_put_in_anywhere_that_belongs_to_no_step(data: Any) -> None:
    records = read_records(data())
    closing = records[-1]
    assert isinstance(closing, ClosingRecord)
    places = (1, 2, len(records) // 2, len(records) - 1)
    for strange in strangers(records):
        for at in places:
            more = isinstance(strange, EntryRecord)
            end = ClosingRecord(closing.count + more, closing.head, closing.reason)
            assert is_refused([*records[:at], strange, *records[at:-1], end]), (at, strange)
            assert is_refused([*records[:at], strange, *records[at:]]), (at, strange)


@pytest.mark.parametrize("data", [whole, departed])
def test_any_record_left_out_or_said_twice(data: Any) -> None:
    records = read_records(data())
    for at in range(len(records)):
        for changed in (records[:at] + records[at + 1 :], records[: at + 1] + records[at:]):
            counted = [
                ClosingRecord(sum(isinstance(each, EntryRecord) for each in changed), each.head, each.reason)
                if isinstance(each, ClosingRecord)
                else each
                for each in changed
            ]
            assert is_refused(counted), at
