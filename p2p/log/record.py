"""The ``.shoal`` file: a charter, the contributions of every step, evidence if any, and a closing record.

Layout: the line ``SHOAL 1\\n``, then records. Each record is a 4-byte big-endian length, that many bytes of
MessagePack, and 8 bytes of checksum: the first 8 of SHA-256 over the previous checksum and the record. A file
without its closing record is truncated.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import msgspec

from ..sealed.hashing import digest
from .absence import Certificate, Contradiction
from .charter import Charter, decode_charter
from .codec import Malformed, decode, encode
from .entry import MAX_BODY, Entry
from .evidence import Equivocation

MAGIC = b"SHOAL 1\n"
CHECKSUM = 8
MAX_RECORD = 2 * MAX_BODY + 4096
"""Bytes of one record; evidence of equivocation holds two contributions."""

REASONS = ("finished", "stopped", "cheated")


class Damaged(ValueError):
    """The file is not what was written: nobody is to blame. The message is one sentence."""


class CharterRecord(msgspec.Struct, frozen=True, array_like=True, tag="charter", forbid_unknown_fields=True):
    """The first record."""

    charter: bytes


class EntryRecord(msgspec.Struct, frozen=True, array_like=True, tag="entry", forbid_unknown_fields=True):
    """One contribution; records are in order of epoch, step and seat."""

    entry: Entry


class EvidenceRecord(
    msgspec.Struct, frozen=True, array_like=True, tag="evidence", forbid_unknown_fields=True
):
    """A proof of equivocation, attached by anyone."""

    proof: Equivocation


class RejectedRecord(
    msgspec.Struct, frozen=True, array_like=True, tag="rejected", forbid_unknown_fields=True
):
    """A signed contribution that every seat rejects, kept as evidence. It is not part of the history."""

    entry: Entry


class CertificateRecord(
    msgspec.Struct, frozen=True, array_like=True, tag="certificate", forbid_unknown_fields=True
):
    """A certificate that stands for the missing contribution to its step."""

    certificate: Certificate


class ContradictionRecord(
    msgspec.Struct, frozen=True, array_like=True, tag="contradiction", forbid_unknown_fields=True
):
    """A proof that a keeper made two different statements in one absence round, attached by anyone."""

    proof: Contradiction


class ClosingRecord(msgspec.Struct, frozen=True, array_like=True, tag="closing", forbid_unknown_fields=True):
    """The last record: how many contributions there are, the last head, and why the file ends here."""

    count: int
    head: bytes
    reason: str


Record: TypeAlias = (
    CharterRecord
    | EntryRecord
    | CertificateRecord
    | EvidenceRecord
    | RejectedRecord
    | ContradictionRecord
    | ClosingRecord
)


class GameFile(msgspec.Struct, frozen=True):
    """The content of a ``.shoal`` file, structurally sound but not yet verified."""

    charter: Charter
    entries: tuple[Entry, ...]
    equivocations: tuple[Equivocation, ...]
    rejected: tuple[Entry, ...]
    closing: ClosingRecord
    certificates: tuple[Certificate, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()


def write_game(
    charter: Charter,
    entries: Iterable[Entry],
    head: bytes,
    reason: str,
    equivocations: Iterable[Equivocation] = (),
    rejected: Iterable[Entry] = (),
    certificates: Iterable[Certificate] = (),
    contradictions: Iterable[Contradiction] = (),
) -> bytes:
    """The bytes of a ``.shoal`` file."""
    ordered = sorted(entries, key=lambda entry: entry.place)
    records: list[Record] = [CharterRecord(encode(charter))]
    records += [EntryRecord(entry) for entry in ordered]
    records += [CertificateRecord(each) for each in sorted(certificates, key=lambda each: each.about)]
    records += [EvidenceRecord(proof) for proof in equivocations]
    records += [RejectedRecord(entry) for entry in rejected]
    records += [ContradictionRecord(proof) for proof in contradictions]
    records.append(ClosingRecord(len(ordered), head, reason))
    return write_records(records)


def write_records(records: Iterable[Record]) -> bytes:
    """Records with their lengths and checksums, behind the first line."""
    out = [MAGIC]
    checksum = bytes(CHECKSUM)
    for record in records:
        payload = encode(record)
        checksum = _checksum(checksum, payload)
        out += (len(payload).to_bytes(4, "big"), payload, checksum)
    return b"".join(out)


def read_records(data: bytes) -> list[Record]:
    """The records of a file, checksums and order of kinds checked. Raises ``Damaged``."""
    if not data.startswith(MAGIC):
        raise Damaged("this is not a Shoal game file, or its first line was changed")
    records: list[Record] = []
    at, checksum = len(MAGIC), bytes(CHECKSUM)
    while at < len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        end = at + 4 + size + CHECKSUM
        if size > MAX_RECORD:
            raise Damaged(f"record {len(records)} claims {size} bytes, more than any record has")
        if end > len(data):
            raise Damaged(f"the file is truncated inside record {len(records)}")
        payload = data[at + 4 : at + 4 + size]
        checksum = _checksum(checksum, payload)
        if checksum != data[end - CHECKSUM : end]:
            raise Damaged(f"the checksum of record {len(records)} is wrong")
        records.append(_decode_record(len(records), payload))
        at = end
    return records


def read_game(data: bytes) -> GameFile:
    """The content of a ``.shoal`` file. Raises ``Damaged`` where the structure is not sound."""
    records = read_records(data)
    if not records or not isinstance(records[-1], ClosingRecord):
        raise Damaged("the file is truncated: its closing record is missing")
    if not isinstance(records[0], CharterRecord):
        raise Damaged("the file does not begin with a charter")
    try:
        charter = decode_charter(records[0].charter)
    except ValueError as error:
        raise Damaged(f"the charter cannot be read: {error}") from None
    entries, equivocations, rejected = [], [], []
    certificates, contradictions = [], []
    for number, record in enumerate(records[1:-1], start=1):
        match record:
            case EntryRecord(entry):
                entries.append(entry)
            case CertificateRecord(certificate):
                certificates.append(certificate)
            case ContradictionRecord(found):
                contradictions.append(found)
            case EvidenceRecord(proof):
                equivocations.append(proof)
            case RejectedRecord(entry):
                rejected.append(entry)
            case _:
                raise Damaged(f"record {number} is of a kind that cannot stand there")
    closing = records[-1]
    places = [entry.place for entry in entries]
    if places != sorted(set(places)):
        raise Damaged("the contributions are not in order of step and seat, each once")
    steps = [(each.epoch, each.step) for each in certificates]
    if steps != sorted(set(steps)):
        raise Damaged("the certificates of absence are not in order of their steps, one each")
    if closing.count != len(entries):
        raise Damaged(f"the closing record counts {closing.count} contributions; there are {len(entries)}")
    if closing.reason not in REASONS:
        raise Damaged("the closing record gives no known reason")
    return GameFile(
        charter,
        tuple(entries),
        tuple(equivocations),
        tuple(rejected),
        closing,
        tuple(certificates),
        tuple(contradictions),
    )


def _checksum(previous: bytes, payload: bytes) -> bytes:
    return digest("file", previous, payload)[:CHECKSUM]


def _decode_record(number: int, payload: bytes) -> Record:
    try:
        record: Record = decode(payload, Record)  # type: ignore[arg-type]  # a union is a type to msgspec
    except Malformed as error:
        raise Damaged(f"record {number} cannot be read: {error}") from None
    return record
