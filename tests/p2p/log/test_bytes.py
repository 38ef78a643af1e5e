"""Bytes that must not change within protocol version 1, and decoders that meet any bytes."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.registry import game
from engine.table import Deed
from p2p.log import (
    MAX_BODY,
    MAX_FRAME,
    Charter,
    Chat,
    ClosingRecord,
    Damaged,
    Entry,
    EntryFrame,
    Equivocation,
    Have,
    Malformed,
    Pause,
    Rebuilding,
    Want,
    decode,
    decode_charter,
    decode_message,
    encode,
    encode_message,
    first_head,
    frame_of,
    is_signed,
    next_head,
    pack,
    read_game,
    read_records,
    sign_entry,
    signed_bytes,
    unpack,
    write_game,
    write_records,
)
from p2p.log.record import MAX_RECORD, CharterRecord, EntryRecord, EvidenceRecord, RejectedRecord
from p2p.sealed import Group
from p2p.verify import verify
from tests.p2p.harness import TINY, Ring, make_charter, pick_first

GOLDEN = Path(__file__).parents[2] / "golden" / "p2p"


class Fixed(Ring):
    """A ring whose every byte follows from the seat numbers alone, whatever Python's own generator does."""

    def __init__(self, group: Group) -> None:
        self.made = 0
        super().__init__(group, 2, options=TINY, choose=pick_first)

    def make(self, seat: int) -> Any:
        made, self.made = self.made, self.made + 1

        class Bytes:
            @staticmethod
            def randbytes(count: int) -> bytes:
                return hashlib.sha256(b"entropy%d" % made).digest()[:count]

        self.rng: Any = Bytes
        return super().make(seat)


def golden_game(group: Group) -> bytes:
    ring = Fixed(group)
    ring.play()
    return ring.record(0)


WIRE: dict[str, Any] = {
    "entry": EntryFrame(0, 300, bytes(range(8)), 5, b"body", bytes(range(64))),
    "entry, largest step": EntryFrame(0, 2**32 - 1, bytes(8), 0, b"", bytes(64)),
    "want": Want(0, 17),
    "have": Have(0, 18, 17, bytes(range(8))),
    "chat": Chat("Grüße 🐟"),
    "chat, empty": Chat(""),
    "pause": Pause(),
}


def golden_facts(group: Group) -> dict[str, Any]:
    """Everything that is short enough to read."""
    data = golden_game(group)
    file = read_game(data)
    table_id = file.charter.table_id
    heads = [first_head(table_id)]
    for step in sorted({entry.step for entry in file.entries}):
        heads.append(next_head(table_id, heads[-1], [e for e in file.entries if e.step == step]))
    return {
        "table id": table_id.hex(),
        "heads": [head.hex() for head in heads],
        "body lengths": [[e.step, e.seat, len(e.body)] for e in file.entries],
        "wire": {name: encode_message(message).hex() for name, message in WIRE.items()},
        "signed bytes": signed_bytes(bytes(range(32)), 1, 2, 3, bytes(32), b"body").hex(),
    }


def write_golden(group: Group) -> None:
    """Make the golden files anew, when the protocol changes; once released that raises its version."""
    GOLDEN.mkdir(parents=True, exist_ok=True)
    data = golden_game(group)
    (GOLDEN / "game.shoal").write_bytes(data)
    (GOLDEN / "charter.bin").write_bytes(encode(read_game(data).charter))
    (GOLDEN / "facts.json").write_text(json.dumps(golden_facts(group), indent=1, ensure_ascii=False) + "\n")


def test_a_whole_game_is_made_of_the_same_bytes_as_ever(real: Group) -> None:
    assert golden_game(real) == (GOLDEN / "game.shoal").read_bytes()


def test_the_golden_game_is_sound(real: Group) -> None:
    report = verify((GOLDEN / "game.shoal").read_bytes(), game, real)
    assert (report.verdict, report.finished, report.revealed) == ("sound", True, (0, 1))


def test_table_id_heads_and_messages_are_the_same_as_ever(real: Group) -> None:
    assert golden_facts(real) == json.loads((GOLDEN / "facts.json").read_text())
    charter = decode_charter((GOLDEN / "charter.bin").read_bytes())
    assert charter == read_game((GOLDEN / "game.shoal").read_bytes()).charter
    assert encode(charter) == (GOLDEN / "charter.bin").read_bytes()


def test_a_file_is_written_as_it_was_read() -> None:
    data = (GOLDEN / "game.shoal").read_bytes()
    file = read_game(data)
    assert write_game(file.charter, file.entries, file.closing.head, file.closing.reason) == data
    assert write_game(file.charter, reversed(file.entries), file.closing.head, file.closing.reason) == data
    assert write_records(read_records(data)) == data


def test_every_body_of_the_golden_game_is_packed_canonically() -> None:
    for entry in read_game((GOLDEN / "game.shoal").read_bytes()).entries:
        assert pack(unpack(entry.body)) == entry.body


# --- heads and signatures -------------------------------------------------------------------------------


def test_a_head_depends_on_the_bodies_and_not_on_the_signatures_or_the_order(small: Group) -> None:
    _, identities = make_charter(small, 3)
    table_id, head = bytes(range(32)), bytes(32)
    entries = [sign_entry(identities[n], table_id, 0, 4, n, head, b"body%d" % n) for n in range(3)]
    whole = next_head(table_id, head, entries)
    assert next_head(table_id, head, entries[::-1]) == whole
    resigned = [msgspec.structs.replace(entry, signature=bytes(64)) for entry in entries]
    assert next_head(table_id, head, resigned) == whole
    others = [
        next_head(table_id, head, entries[:2]),
        next_head(table_id, bytes([1]) * 32, entries),
        next_head(bytes(32), head, entries),
        next_head(table_id, head, [msgspec.structs.replace(entries[0], body=b"x"), *entries[1:]]),
        next_head(table_id, head, [msgspec.structs.replace(e, step=5) for e in entries]),
        next_head(table_id, head, [msgspec.structs.replace(e, epoch=1) for e in entries]),
        next_head(table_id, head, []),
        first_head(table_id),
    ]
    assert len({whole, *others}) == len(others) + 1


def test_a_signature_stands_for_one_place_only(small: Group) -> None:
    charter, identities = make_charter(small, 3)
    table_id, head = charter.table_id, bytes(range(32))
    entry = sign_entry(identities[1], table_id, 0, 4, 1, head, b"body")
    assert is_signed(charter, table_id, head, entry)
    for field, value in (("epoch", 1), ("step", 5), ("seat", 2), ("body", b"bodz"), ("signature", bytes(64))):
        assert not is_signed(charter, table_id, head, msgspec.structs.replace(entry, **{field: value}))
    assert not is_signed(charter, table_id, bytes(32), entry)
    assert not is_signed(charter, bytes(32), head, entry)
    for seat in (-1, 3, 255, 2**40):
        assert not is_signed(charter, table_id, head, msgspec.structs.replace(entry, seat=seat))
    for field in ("epoch", "step"):
        for value in (-1, 2**32, 2**60):
            assert not is_signed(charter, table_id, head, msgspec.structs.replace(entry, **{field: value}))


# --- charters -------------------------------------------------------------------------------------------


def test_every_field_of_a_charter_is_in_the_table_id(small: Group) -> None:
    charter, identities = make_charter(small, 3)
    seats = charter.seats
    changes: list[dict[str, Any]] = [
        {"protocol": 2},
        {"group": "x"},
        {"game": "x"},
        {"game_version": 9},
        {"deck_digest": bytes(32)},
        {"options": charter.options[1:]},
        {"seats": (seats[1], seats[0], seats[2])},
        {"seats": (msgspec.structs.replace(seats[0], name="Q"), *seats[1:])},
        {"seats": (seats[0], msgspec.structs.replace(seats[1], keeper=0), seats[2])},
        {"recovery": True},
        {"reveal": "never"},
        {"nonces": (bytes([7]) * 32, *charter.nonces[1:])},
    ]
    assert {field for change in changes for field in change} == set(Charter.__struct_fields__)
    ids = {charter.table_id, *(msgspec.structs.replace(charter, **change).table_id for change in changes)}
    assert len(ids) == len(changes) + 1
    assert [charter.seat_of(identity.public) for identity in identities] == [0, 1, 2]
    assert charter.seat_of(bytes(32)) is None


def test_charters_that_break_a_rule_are_malformed(small: Group) -> None:
    charter, _ = make_charter(small, 3)
    seats = charter.seats

    def seat(**changes: Any) -> tuple[Any, ...]:
        return (seats[0], msgspec.structs.replace(seats[1], **changes), seats[2])

    broken: list[dict[str, Any]] = [
        {"protocol": 0},
        {"seats": seats[:1], "nonces": charter.nonces[:1]},
        {"seats": seats * 3, "nonces": charter.nonces * 3},
        {"deck_digest": bytes(31)},
        {"nonces": charter.nonces[:2]},
        {"nonces": (*charter.nonces[:2], bytes(31))},
        {"reveal": ""},
        {"options": charter.options[::-1]},
        {"options": (*charter.options, charter.options[-1])},
        {"options": tuple(sorted((*charter.options, ("deck", "104"))))},
        {"seats": seat(public=seats[0].public)},
        {"seats": seat(public=bytes(32))},
        {"seats": seat(public=b"\1" + bytes(31))},  # the identity of the curve: a key of small order
        {"seats": seat(public=b"\xff" * 32)},
        {"seats": seat(public=b"short")},
        {"seats": seat(name="")},
        {"seats": seat(name="x" * 129)},
        {"seats": seat(name="p0")},
        {"seats": seat(keeper=2)},
        {"seats": seat(keeper=-1)},
        {
            "seats": (
                seats[0],
                msgspec.structs.replace(seats[1], keeper=0),
                msgspec.structs.replace(seats[2], keeper=1),
            )
        },
    ]
    assert decode_charter(encode(charter)) == charter
    for change in broken:
        with pytest.raises(Malformed) as error:
            decode_charter(encode(msgspec.structs.replace(charter, **change)))
        assert "\n" not in str(error.value)
    bots = msgspec.structs.replace(charter, seats=seat(keeper=0))
    assert decode_charter(encode(bots)) == bots


# --- any bytes ------------------------------------------------------------------------------------------

numbers = st.integers(0, 2**32 - 1)
small_bodies = st.binary(max_size=80)
wire_messages = st.one_of(
    st.builds(
        EntryFrame,
        numbers,
        numbers,
        st.binary(min_size=8, max_size=8),
        st.integers(0, 5),
        small_bodies,
        st.binary(min_size=64, max_size=64),
    ),
    st.builds(Want, numbers, numbers),
    st.builds(Have, numbers, numbers, numbers, st.binary(min_size=8, max_size=8)),
    st.builds(Chat, st.text(max_size=500)),
    st.just(Pause()),
    st.builds(Rebuilding, st.sets(st.integers(0, 5)).map(sorted).map(tuple)),
)
wide = st.integers(-(2**63), 2**63 - 1)
entries = st.builds(Entry, wide, wide, wide, small_bodies, st.binary(max_size=70))
records = st.one_of(
    st.builds(CharterRecord, small_bodies),
    st.builds(EntryRecord, entries),
    st.builds(EvidenceRecord, st.builds(Equivocation, st.binary(max_size=40), entries, entries)),
    st.builds(RejectedRecord, entries),
    st.builds(ClosingRecord, wide, st.binary(max_size=40), st.sampled_from(["finished", "stopped", "x"])),
)


@given(wire_messages)
def test_messages_survive_their_bytes(message: Any) -> None:
    data = encode_message(message)
    assert decode_message(data) == message
    assert encode_message(decode_message(data)) == data


def test_who_rebuilds_names_seats_in_order_and_none_twice() -> None:
    text = (Path(__file__).parents[3] / "docs" / "protocol.md").read_text("utf-8")
    assert f"`{encode_message(Rebuilding((1, 2))).hex()}`" in text
    for seats in ((2, 1), (1, 1), (6,), (-1,), tuple(range(7))):
        with pytest.raises(Malformed):
            decode_message(encode(Rebuilding(seats)))


@st.composite
def damaged(draw: Any, source: st.SearchStrategy[Any]) -> bytes:
    """A valid encoding with a few bytes replaced, put in, or taken away."""
    data = bytearray(encode(draw(source)))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, max(0, len(data) - 1)))
        kind = draw(st.sampled_from(["replace", "insert", "delete"]))
        if kind == "replace" and data:
            data[at] = draw(st.integers(0, 255))
        elif kind == "insert":
            data[at:at] = draw(st.binary(max_size=5))
        else:
            del data[at : at + 1]
    return bytes(data)


def nested(depth: int) -> bytes:
    return b"\x91" * depth + b"\xc0"


any_bytes = st.one_of(
    st.binary(max_size=400), damaged(wire_messages), damaged(records), st.builds(nested, st.integers(0, 5000))
)


@given(any_bytes)
@settings(max_examples=300)
def test_any_bytes_are_a_message_or_malformed(data: bytes) -> None:
    try:
        message = decode_message(data)
    except Malformed:
        return
    assert encode_message(message) == data


@given(any_bytes)
@settings(max_examples=300)
def test_any_bytes_are_a_charter_or_malformed(data: bytes) -> None:
    with pytest.raises(Malformed):
        decode_charter(data)


@given(st.data())
@settings(max_examples=200)
def test_a_charter_with_changed_bytes_is_another_charter_or_malformed(data: Any) -> None:
    golden = (GOLDEN / "charter.bin").read_bytes()
    changed = bytearray(golden)
    for _ in range(data.draw(st.integers(1, 3))):
        changed[data.draw(st.integers(0, len(golden) - 1))] = data.draw(st.integers(0, 255))
    try:
        charter = decode_charter(bytes(changed))
    except Malformed:
        return
    assert encode(charter) == bytes(changed)


@given(st.one_of(any_bytes, st.lists(records, max_size=4).map(write_records), damaged(records)))
@settings(max_examples=300)
def test_any_bytes_are_a_file_or_damaged(data: bytes) -> None:
    with pytest.raises(Damaged) as error:
        read_game(data)
    assert "\n" not in str(error.value)


@given(st.lists(records, max_size=5))
def test_records_survive_their_bytes(some: list[Any]) -> None:
    assert read_records(write_records(some)) == some


@given(any_bytes)
@settings(max_examples=200)
def test_any_bytes_are_parts_or_malformed(data: bytes) -> None:
    for kind in (list[bytes], Deed):
        try:
            value = decode(data, kind)
        except Malformed:
            continue
        assert encode(value) == data


@given(st.lists(st.binary(max_size=40), max_size=6))
def test_parts_survive_their_bytes(parts: list[bytes]) -> None:
    assert unpack(pack(parts)) == parts


OTHER_FORMS = {
    "a longer integer": b"\x93\xa4want\xcd\x00\x00\x11",
    "an integer as a float": b"\x93\xa4want\x00\xca\x41\x88\x00\x00",
    "a longer array": b"\xdc\x00\x03\xa4want\x00\x11",
    "a longer text": b"\x93\xd9\x04want\x00\x11",
    "a map": b"\x83\xa4want\x00\xa1x\x00\xa1y\x00",
    "a field too many": b"\x94\xa4want\x00\x11\x00",
    "a field too few": b"\x92\xa4want\x00",
    "trailing bytes": b"\x93\xa4want\x00\x11\x00",
    "bytes for a text": b"\x92\xc4\x04chat\xa1x",
    "nil": b"\xc0",
    "no tag": b"\x92\x00\x11",
    "an unknown tag": b"\x93\xa4wish\x00\x11",
    "a negative number": b"\x93\xa4want\x00\xff",
    "a number of 33 bits": b"\x93\xa4want\x00\xcf\x00\x00\x00\x01\x00\x00\x00\x00",
    "text that is no UTF-8": b"\x92\xa4chat\xa2\xff\xfe",
    "a longer chat": encode(Chat("x" * 501)),
    "a short hint": encode(Have(0, 0, 0, bytes(7))),
    "a short signature": encode(EntryFrame(0, 0, bytes(8), 0, b"", bytes(63))),
    "a seventh seat": encode(EntryFrame(0, 0, bytes(8), 6, b"", bytes(64))),
    "a long body": encode(EntryFrame(0, 0, bytes(8), 0, bytes(MAX_BODY + 1), bytes(64))),
    "a long frame": bytes(MAX_FRAME + 1),
}


@pytest.mark.parametrize("form", OTHER_FORMS)
def test_a_message_has_one_form(form: str) -> None:
    with pytest.raises(Malformed):
        decode_message(OTHER_FORMS[form])
    assert decode_message(b"\x93\xa4want\x00\x11") == Want(0, 17)


def test_the_largest_contribution_fits_a_frame_and_a_record() -> None:
    entry = Entry(2**32 - 1, 2**32 - 1, 5, bytes(MAX_BODY), bytes(64))
    data = encode_message(frame_of(entry, bytes(32)))
    assert len(data) <= MAX_FRAME
    assert decode_message(data) == frame_of(entry, bytes(32))
    record = EvidenceRecord(Equivocation(bytes(32), entry, entry))
    assert len(encode(record)) <= MAX_RECORD
    assert read_records(write_records([record])) == [record]


def test_a_record_that_claims_to_be_huge_is_refused_before_it_is_read() -> None:
    with pytest.raises(Damaged, match="more than any record"):
        read_records(b"SHOAL 1\n" + (2**32 - 1).to_bytes(4, "big"))
    with pytest.raises(Damaged, match="not a Shoal game file"):
        read_records(b"SHOAL 2\n")
