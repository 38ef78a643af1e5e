"""Bytes of absence rounds that must not change within protocol version 1, and what makes a certificate."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from p2p.log import (
    DEPARTURE,
    SKIP,
    Certificate,
    Charter,
    Contradiction,
    Damaged,
    Entry,
    Malformed,
    Missing,
    Statement,
    StatementFrame,
    certificate_bytes,
    certificate_of,
    decode_message,
    encode_message,
    first_head,
    frame_of_statement,
    is_certificate,
    is_contradiction,
    is_stated,
    keepers,
    next_head,
    others,
    read_game,
    sign_statement,
    signed_bytes,
    statement_bytes,
    write_game,
)
from p2p.sealed.testgroup import SmallGroup
from tests.p2p.harness import make_charter

GOLDEN = Path(__file__).parents[2] / "golden" / "p2p" / "absence.json"

MADE, IDENTITIES = make_charter(SmallGroup(), 5, keepers=(0, 1, 1, 3, 4))
CHARTER = msgspec.structs.replace(MADE, options=(), deck_digest=bytes(32), game_version=1)
"""Four keepers; seat 2 belongs to 1. Whatever the games' options are."""

TABLE_ID = hashlib.sha256(b"a table").digest()
HEAD = first_head(TABLE_ID)
ABOUT = (2, 300, 1)


def said(author: int, have: bool = False, purpose: str = SKIP, about: Any = ABOUT) -> Statement:
    return sign_statement(IDENTITIES[author], TABLE_ID, HEAD, about, purpose, author, have)


def certified(charter: Charter = CHARTER) -> Certificate:
    found = certificate_of(charter, [said(4), said(0), said(3)])
    assert found is not None
    return found


def facts() -> dict[str, Any]:
    """Everything whose bytes are fixed, from the seat numbers alone."""
    certificate = certified()
    entries = [Entry(2, 300, 0, b"body", bytes(64)), Entry(2, 300, 3, b"", bytes(64))]
    absence = certificate_bytes(CHARTER, TABLE_ID, HEAD, certificate)
    record = write_game(
        CHARTER,
        (),
        HEAD,
        "cheated",
        certificates=(certificate,),
        contradictions=(Contradiction(HEAD, said(0), said(0, have=True)),),
    )
    return {
        "statement bytes": statement_bytes(TABLE_ID, HEAD, said(3, have=True, purpose=DEPARTURE)).hex(),
        "statement": encode_message(frame_of_statement(said(3, have=True), HEAD)).hex(),
        "missing": encode_message(Missing(2, 300, HEAD[:8], 1)).hex(),
        "certificate": msgspec.msgpack.encode(certificate).hex(),
        "head after an absence": next_head(TABLE_ID, HEAD, entries, absence).hex(),
        "record": record.hex(),
    }


def test_the_bytes_are_the_same_as_ever() -> None:
    assert facts() == json.loads(GOLDEN.read_text())


def test_statement_bytes_are_put_together_as_documented() -> None:
    """From hashlib-free parts alone: docs/protocol.md, section 6."""
    numbers = (2).to_bytes(4, "big") + (300).to_bytes(4, "big")
    assert statement_bytes(TABLE_ID, HEAD, said(3)) == TABLE_ID + numbers + HEAD + bytes([1, 0, 3, 0])
    assert statement_bytes(TABLE_ID, HEAD, said(0, True, DEPARTURE))[-4:] == bytes([1, 1, 0, 1])


def test_the_head_after_an_absence_is_put_together_as_documented() -> None:
    entry = Entry(2, 300, 0, b"body", bytes(64))
    parts = [HEAD, signed_bytes(TABLE_ID, 2, 300, 0, HEAD, b"body")]
    parts += [statement_bytes(TABLE_ID, HEAD, said(author)) for author in (0, 3, 4)]
    label = b"shoal/1/head/absent"
    framed = b"".join(len(part).to_bytes(8, "big") + part for part in (label, *parts))
    found = next_head(TABLE_ID, HEAD, [entry], certificate_bytes(CHARTER, TABLE_ID, HEAD, certified()))
    assert found == hashlib.sha256(framed).digest()
    assert found != next_head(TABLE_ID, HEAD, [entry])


def test_keepers_speak_by_their_first_seats() -> None:
    assert keepers(CHARTER) == (0, 1, 3, 4)
    assert others(CHARTER, 1) == (0, 3, 4)
    assert is_stated(CHARTER, TABLE_ID, HEAD, said(3))
    for false in (
        said(1),  # the missing keeper itself
        said(2),  # its bot
        said(3, about=(2, 300, 2)),  # about a seat that is no keeper
        msgspec.structs.replace(said(3), author=4),
        msgspec.structs.replace(said(3), have=True),
        msgspec.structs.replace(said(3), purpose=DEPARTURE),
        msgspec.structs.replace(said(3), step=301),
        msgspec.structs.replace(said(3), epoch=1),
        msgspec.structs.replace(said(3), epoch=2**32),
        msgspec.structs.replace(said(3), purpose="holiday"),
    ):
        assert not is_stated(CHARTER, TABLE_ID, HEAD, false), false
    assert not is_stated(CHARTER, TABLE_ID, bytes(32), said(3))
    assert not is_stated(CHARTER, bytes(32), HEAD, said(3))


def test_two_keepers_certify_nothing() -> None:
    charter, identities = make_charter(SmallGroup(), 3, keepers=(0, 1, 1))
    alone = sign_statement(identities[0], TABLE_ID, HEAD, ABOUT, SKIP, 0, False)
    assert not is_stated(charter, TABLE_ID, HEAD, alone)
    assert not is_certificate(charter, TABLE_ID, HEAD, Certificate(*ABOUT, SKIP, (alone.signature,)))


def test_a_certificate_needs_have_not_of_all_the_others() -> None:
    all_of_them = [said(0), said(3), said(4)]
    assert is_certificate(CHARTER, TABLE_ID, HEAD, certified())
    assert certificate_of(CHARTER, ()) is None
    for lacking in range(3):
        assert certificate_of(CHARTER, all_of_them[:lacking] + all_of_them[lacking + 1 :]) is None
    assert certificate_of(CHARTER, [said(0), said(3), said(4, have=True)]) is None
    assert certificate_of(CHARTER, [said(0), said(3), said(4, purpose=DEPARTURE)]) is None
    assert certificate_of(CHARTER, [said(0), said(3), said(4, about=(2, 301, 1))]) is None


def test_a_changed_certificate_is_none() -> None:
    certificate = certified()
    change = msgspec.structs.replace
    first, second, third = certificate.signatures
    for changed in (
        change(certificate, signatures=(first, second)),
        change(certificate, signatures=(first, second, third, third)),
        change(certificate, signatures=(second, first, third)),
        change(certificate, signatures=(first, first, third)),
        change(certificate, signatures=(first, second, bytes(64))),
        change(certificate, signatures=(said(0, have=True).signature, second, third)),
        change(certificate, keeper=3),
        change(certificate, keeper=2),
        change(certificate, keeper=77),
        change(certificate, purpose=DEPARTURE),
        change(certificate, purpose=""),
        change(certificate, step=299),
        change(certificate, epoch=3),
    ):
        assert not is_certificate(CHARTER, TABLE_ID, HEAD, changed), changed


def test_two_statements_contradict_only_in_one_place() -> None:
    def convicts(first: Statement, second: Statement, head: bytes = HEAD) -> bool:
        return is_contradiction(CHARTER, TABLE_ID, Contradiction(head, first, second))

    assert convicts(said(0), said(0, have=True))
    assert convicts(said(0), said(0, purpose=DEPARTURE))
    assert not convicts(said(0), said(0))
    assert not convicts(said(0), said(3, have=True))
    assert not convicts(said(0), said(0, have=True, about=(2, 301, 1)))
    assert not convicts(said(0), said(0, have=True, about=(2, 300, 3)))
    assert not convicts(said(0), said(0, have=True), bytes(32))
    assert not convicts(said(0), msgspec.structs.replace(said(0), have=True))


@pytest.mark.parametrize(
    "message",
    [
        Missing(0, 1, bytes(7), 0),
        Missing(0, 1, bytes(8), 6),
        Missing(0, 2**32, bytes(8), 0),
        Missing(-1, 1, bytes(8), 0),
        StatementFrame(0, 1, bytes(8), 6, SKIP, 0, False, bytes(64)),
        StatementFrame(0, 1, bytes(8), 0, SKIP, -1, False, bytes(64)),
        StatementFrame(0, 1, bytes(9), 0, SKIP, 1, False, bytes(64)),
        StatementFrame(0, 1, bytes(8), 0, "gone", 1, False, bytes(64)),
        StatementFrame(0, 1, bytes(8), 0, SKIP, 1, False, bytes(63)),
    ],
)
def test_what_has_the_wrong_sizes_is_no_message(message: Any) -> None:
    with pytest.raises(Malformed):
        decode_message(encode_message(message))


def test_messages_come_back() -> None:
    for message in (Missing(7, 9, bytes(8), 5), frame_of_statement(said(3), HEAD)):
        assert decode_message(encode_message(message)) == message
    assert frame_of_statement(said(3), HEAD).statement == said(3)


def test_a_file_holds_one_certificate_for_each_step_in_order() -> None:
    certificate = certified()
    later = msgspec.structs.replace(certificate, epoch=3, step=400)
    data = write_game(CHARTER, (), HEAD, "stopped", certificates=(later, certificate))
    assert read_game(data).certificates == (certificate, later)
    twice = msgspec.structs.replace(certificate, keeper=3)
    with pytest.raises(Damaged, match="one each"):
        read_game(write_game(CHARTER, (), HEAD, "stopped", certificates=(certificate, twice)))
