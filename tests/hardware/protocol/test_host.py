"""The host's session against a reader on a line that loses and damages, with the clock in the test."""

from __future__ import annotations

import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.protocol import (
    Ack,
    Bye,
    Change,
    Code,
    Describe,
    DetectingWire,
    Done,
    Dropped,
    Gap,
    Healthy,
    Hello,
    Host,
    Incompatible,
    Level,
    LineWire,
    Lost,
    Notice,
    Noticed,
    Opened,
    Output,
    Phase,
    Present,
    Rebooted,
    Refused,
    Replaced,
    Snapshot,
    SnapshotRequest,
    StatusRequest,
    Tagged,
    Tags,
    Technology,
    Welcome,
    encode,
)
from tests.hardware.protocol.line import Line, answer
from tests.hardware.protocol.model import ModelReader

NINE, TEN = bytes.fromhex("04A3C6CAE26180"), bytes.fromhex("0463F80A4F5381")


def without_heartbeats(outputs: list[Output]) -> list[Output]:
    return [output for output in outputs if not isinstance(output, Healthy)]


def test_a_session_begins_with_the_reader_its_antennas_and_the_table() -> None:
    line = Line()
    line.reader.put(0, NINE, 2)
    line.host.start(line.now)
    opened, snapshot = line.run(0.3)
    assert isinstance(opened, Opened)
    assert [antenna.label for antenna in opened.antennas] == ["seat 1", "seat 2", "seat 3", "seat 4"]
    assert snapshot == Snapshot(1, (Present(2, Technology.ISO14443A, NINE),))
    assert [type(message) for message in line.reader.requests] == [
        Hello,
        *[Describe] * 4,
        SnapshotRequest,
        Ack,
    ]
    assert line.host.antennas == opened.antennas
    assert line.host.reader == opened.reader


def test_events_come_once_in_order_and_are_acknowledged() -> None:
    line = Line().opened()
    line.reader.put(line.now, NINE, 0)
    line.reader.put(line.now, TEN, 1)
    line.reader.take(line.now, NINE)
    tags = [output.tag for output in line.run(0.1) if isinstance(output, Tagged)]
    assert [(tag.event, tag.change, tag.uid) for tag in tags] == [
        (1, Change.PLACED, NINE),
        (2, Change.PLACED, TEN),
        (3, Change.REMOVED, NINE),
    ]
    line.run(0.05)
    assert line.reader.kept == []


def test_a_repeated_event_counts_once_and_is_acknowledged_again() -> None:
    line = Line().opened()
    line.reader.put(line.now, NINE, 0)
    (piece,) = line.reader.out
    line.reader.out = [piece, piece]
    (tagged,) = line.run(0.1)
    assert isinstance(tagged, Tagged)
    assert line.sent(Ack) == [Ack(event=1), Ack(event=1)]


def test_a_lost_event_leads_to_a_snapshot_and_nothing_is_passed_on_twice() -> None:
    line = Line().opened()
    line.reader.put(line.now, NINE, 0)
    line.reader.out.clear()
    line.reader.put(line.now, TEN, 3)
    gap, snapshot = line.run(0.2)
    assert gap == Gap(1, 1)
    assert isinstance(snapshot, Snapshot)
    assert snapshot.as_of == 2
    assert line.belief == {NINE: 0, TEN: 3}
    line.reader.take(line.now, TEN)
    assert [type(output) for output in line.run(0.2)] == [Tagged]


def test_a_lost_last_event_is_repeated() -> None:
    line = Line().opened()
    line.reader.put(line.now, NINE, 0)
    line.reader.out.clear()
    assert [type(output) for output in line.run(0.4)] == [Tagged]


def test_events_that_gave_way_show_in_the_heartbeat() -> None:
    line = Line().opened()
    line.reader.put(line.now, NINE, 0)
    line.reader.out.clear()
    line.reader.kept.clear()
    outputs = line.run(1.2)
    assert [type(output) for output in outputs] == [Healthy, Gap, Snapshot]
    assert line.belief == {NINE: 0}


def test_a_snapshot_of_several_parts() -> None:
    line = Line()
    for at in range(10):
        line.reader.put(0, bytes([4, at, 0, 0]), at % 4)
    line.opened()
    (snapshot,) = [output for output in line.heard if isinstance(output, Snapshot)]
    assert len(snapshot.tags) == 10


@pytest.mark.parametrize("missing", [0, 1, 3])
def test_a_snapshot_with_a_part_missing_is_asked_for_again(missing: int) -> None:
    line = Line().opened()
    for at in range(10):
        line.reader.put(line.now, bytes([4, at, 0, 0]), at % 4)
    line.run(0.3)
    line.host.survey(line.now)
    line.reader.take_bytes(line.now, line.host.data_to_send())
    del line.reader.out[missing]
    before = len(line.heard)
    line.run(0.1)
    assert line.heard[before:] == []
    line.run(0.3)
    (snapshot,) = without_heartbeats(line.heard[before:])
    assert isinstance(snapshot, Snapshot)
    assert len(snapshot.tags) == 10


def test_parts_of_two_moments_are_not_mixed() -> None:
    line = Line().opened()
    line.host.survey(line.now)
    (request,) = [m for m in DetectingWire().feed(line.host.data_to_send()) if isinstance(m, SnapshotRequest)]
    first = Tags(seq=request.seq, as_of=1, part=0, last=False, tags=(Present(0, Technology.ISO14443A, NINE),))
    second = Tags(seq=request.seq, as_of=2, part=1, last=True, tags=())
    assert line.host.receive(line.now, encode(first) + encode(second)) == ()


def test_a_lost_answer_costs_a_repetition() -> None:
    line = Line()
    line.host.start(line.now)
    line.reader.take_bytes(line.now, line.host.data_to_send())
    line.reader.out.clear()
    assert line.run(0.2) == []
    assert [type(output) for output in line.run(0.4)] == [Opened, Snapshot]


def test_a_late_welcome_of_an_earlier_greeting_is_ignored() -> None:
    line = Line()
    line.host.start(line.now)
    line.reader.take_bytes(line.now, line.host.data_to_send())
    late = line.reader.out.pop()
    line.host.tick(line.now + 0.3)
    assert line.host.receive(line.now + 0.3, late) == ()
    assert line.host.phase is Phase.GREETING


def test_a_port_without_a_reader_is_left_in_peace_after_three_seconds() -> None:
    line = Line()
    line.reader.silent = True
    line.host.start(line.now)
    line.run(3.0)
    eager = len(line.sent(Hello))
    line.run(10.0)
    assert 11 <= eager <= 13
    assert len(line.sent(Hello)) - eager in {4, 5, 6}
    line.reader.silent = False
    assert isinstance(without_heartbeats(line.run(2.5))[0], Opened)


def test_a_silent_reader_is_lost_after_three_and_a_half_heartbeats() -> None:
    line = Line().opened()
    line.run(2)
    line.reader.silent = True
    outputs = line.run(3.3)
    # Requests are tried four times before; the reader is asked every second.
    assert [type(output) for output in outputs] == [Lost]
    line.reader.silent = False
    assert [type(o) for o in without_heartbeats(line.run(2.5))] == [Opened, Snapshot]


def test_a_reader_that_only_stops_its_heartbeat_is_not_lost() -> None:
    line = Line().opened()
    line.reader.heartbeat_at = 1e9
    assert not [output for output in line.run(20) if isinstance(output, Lost)]


def test_the_host_speaks_often_enough_for_the_session() -> None:
    line = Line().opened()
    line.run(60)
    assert line.reader.session
    asked = line.sent(StatusRequest)
    assert 50 <= len(asked) <= 60


def test_a_reader_that_started_anew_is_greeted_and_its_table_read() -> None:
    line = Line().opened()
    line.reader.put(line.now, NINE, 0)
    line.run(0.5)
    line.reader.reboot(line.now)
    line.reader.put(line.now, TEN, 1)
    outputs = without_heartbeats(line.run(2))
    assert [type(output) for output in outputs] == [Lost, Rebooted, Opened, Snapshot]
    assert line.belief == {NINE: 0, TEN: 1}
    rebooted = outputs[1]
    assert isinstance(rebooted, Rebooted)
    assert rebooted.boot == 2


def test_another_reader_on_the_same_port_is_said_to_be_one() -> None:
    line = Line().opened()
    line.note(line.host.unplugged(line.now))
    line.reader = ModelReader()
    line.reader.device = b"OTHER\0\0\1"
    outputs = without_heartbeats(line.run(1))
    assert [type(output) for output in outputs] == [Replaced, Opened, Snapshot]


def test_a_lost_port_is_a_lost_link_and_greeting_goes_on_at_once() -> None:
    line = Line().opened()
    assert [type(output) for output in line.host.unplugged(line.now)] == [Lost]
    assert line.host.unplugged(line.now) == ()
    assert [type(output) for output in line.run(0.3)] == [Opened, Snapshot]


def test_no_common_version_is_the_end_until_started_again() -> None:
    line = Line()
    line.reader.version = 3
    line.host.start(line.now)
    assert line.run(5) == [Incompatible(3, 3)]
    assert line.host.deadline() is None
    assert len(line.sent(Hello)) == 1
    line.reader.version = 1
    line.opened()


def test_a_reader_that_refuses_a_snapshot_is_no_reader() -> None:
    line = Line().opened()
    line.host.survey(line.now)
    (lost,) = answer(line, code=Code.UNSUPPORTED)
    assert isinstance(lost, Lost)


def test_answers_to_other_questions_change_nothing() -> None:
    line = Line().opened()
    line.host.survey(line.now)
    request = line.host._requests.current
    assert request is not None
    for message in (
        Done(seq=request.seq, request=3),
        Done(seq=request.seq % 255 + 1, request=4),
        Refused(seq=request.seq % 255 + 1, request=3, code=Code.UNSUPPORTED),
    ):
        assert line.host.receive(line.now, encode(message)) == ()
    assert line.host._requests.current is request
    assert [type(output) for output in line.run(0.2)] == [Snapshot]


def test_a_line_joined_to_itself_is_noticed() -> None:
    host = Host(nonce=1)
    host.start(0.0)
    (dropped,) = host.receive(0.0, host.data_to_send())[:1]
    assert isinstance(dropped, Dropped)
    assert "connected to itself" in dropped.reason


def test_notices_are_passed_on() -> None:
    line = Line().opened()
    notice = Notice(level=Level.FAULT, antenna=1, text="no chip")
    line.reader.say(notice)
    assert line.run(0.1) == [Noticed(notice)]


def test_stop_says_good_bye_and_start_begins_again() -> None:
    line = Line().opened()
    line.host.stop()
    line.run(0.1)
    assert isinstance(line.reader.requests[-1], Bye)
    assert not line.reader.session
    assert line.host.deadline() is None
    assert line.host.receive(line.now, encode(Notice(level=Level.INFO, antenna=0, text=""))) == ()
    line.opened()


def test_a_reader_that_speaks_lines() -> None:
    reader = ModelReader(wire=LineWire(check=True))
    line = Line(reader)
    reader.put(0, NINE, 1)
    line.opened()
    reader.put(line.now, TEN, 2)
    line.run(0.2)
    assert line.belief == {NINE: 1, TEN: 2}


def test_over_a_broker_the_lines_have_no_check() -> None:
    reader = ModelReader(wire=LineWire(check=False))
    line = Line(reader, Host(nonce=1, wire=LineWire(check=False)))
    line.opened()
    reader.put(line.now, TEN, 2)
    line.run(0.2)
    assert line.belief == {TEN: 2}


def test_the_same_nonce_is_never_used_twice_in_a_row() -> None:
    line = Line(host=Host(nonce=2**32 - 1))
    line.reader.silent = True
    line.host.start(line.now)
    line.run(1)
    nonces = [message.nonce for message in line.sent(Hello) if isinstance(message, Hello)]
    assert nonces == [0, 1, 2, 3]


@given(
    st.lists(st.binary(max_size=60), max_size=30), st.lists(st.sampled_from([0.01, 0.3, 4.0]), max_size=30)
)
def test_no_bytes_and_no_clock_make_the_host_raise(chunks: list[bytes], steps: list[float]) -> None:
    host = Host(nonce=1)
    now = 0.0
    host.start(now)
    for chunk, step in zip(chunks, steps, strict=False):
        now += step
        host.receive(now, chunk)
        host.tick(now)
        host.data_to_send()


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([0.02, 0.1, 0.3]), st.booleans())
def test_whatever_the_line_does_the_host_ends_up_with_the_table_as_it_is(
    seed: int, faults: float, reboots: bool
) -> None:
    """Events pile up, are lost and give way, the reader starts anew; afterwards the belief is the truth. On
    the way no event is passed on that does not fit what was believed (``Line.note``)."""
    line = Line(seed=seed)
    draw = random.Random(seed)
    line.opened()
    line.faults = faults
    cards = [bytes([4, at, 7, 7]) for at in range(8)]
    for _ in range(60):
        card = draw.choice(cards)
        if card in line.reader.present and draw.random() < 0.5:
            line.reader.take(line.now, card)
        else:
            line.reader.put(line.now, card, draw.randrange(4))
        if reboots and draw.random() < 0.03:
            line.reader.reboot(line.now)
        line.run(draw.choice([0.0, 0.01, 0.05, 0.4]))
    line.faults = 0.0
    line.run(6.0)
    assert line.host.phase is Phase.OPEN
    assert line.belief == line.reader.present


def test_a_welcome_of_a_version_that_was_not_offered_is_incompatible() -> None:
    line = Line()
    line.host.start(line.now)
    line.reader.take_bytes(line.now, line.host.data_to_send())
    (welcome,) = [m for m in DetectingWire().feed(line.reader.out.pop()) if isinstance(m, Welcome)]
    wrong = msgspec.structs.replace(welcome, version=2)
    assert line.host.receive(line.now, encode(wrong)) == (Incompatible(2, 2),)
