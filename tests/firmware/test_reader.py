"""The firmware keeps to `firmware_protocol.md`: sanitized on this computer, and the image in simavr."""

from __future__ import annotations

import itertools

import pytest

from hardware.protocol import (
    ALL_ANTENNAS,
    Ability,
    Ack,
    Antenna,
    Bye,
    Code,
    Configure,
    Configured,
    Describe,
    Done,
    Feature,
    Feedback,
    Health,
    Hello,
    Message,
    Pattern,
    Refused,
    Reset,
    Role,
    SnapshotRequest,
    Sound,
    Status,
    StatusRequest,
    Tag,
    Technologies,
    encode,
)
from tests.firmware.board import Board
from tests.firmware.samples import OTHER, SEVEN, vector
from tests.hardware.protocol.spec import blocks, frame_by_hand

pytestmark = pytest.mark.slow


def refused(reply: Message) -> tuple[int, Code]:
    assert isinstance(reply, Refused), reply
    return reply.request, reply.code


# Sessions


def test_silent_until_greeted_and_after_good_bye(board: Board) -> None:
    board.order(f"place 0 {SEVEN}")
    assert board.receive(1.5) == []
    board.hello()
    board.until(lambda message: isinstance(message, Status))
    assert board.ask(Bye(seq=9)) == Done(seq=9, request=8)
    board.order(f"place 1 {OTHER}")
    assert board.receive(1.5) == []
    assert board.raw.count(b"\0") % 2 == 0


def test_the_greeting_of_the_page_is_answered_as_on_the_page(board: Board) -> None:
    """Byte by byte: nothing of the host's codec takes part but the number that differs."""
    board.send(vector("hello"))
    board.receive(0.5)
    shown = next(v for v in blocks("vector") if v["name"] == "welcome")
    body = bytearray.fromhex(shown["body"])
    body[17:21] = bytes(4)  # the first start, not the 42nd
    assert frame_by_hand(bytes(body)) in board.raw
    board.raw = b""
    board.send(vector("describe"))
    board.send(vector("snapshot"))
    board.receive(0.5)
    pad = bytearray.fromhex(next(v for v in blocks("vector") if v["name"] == "antenna")["body"])
    pad[3:5] = bytes(2)  # without a role
    assert board.raw.startswith(frame_by_hand(bytes(pad)) + vector("tags, none"))


def test_every_antenna_is_described(board: Board) -> None:
    welcome = board.hello()
    assert (welcome.version, welcome.antennas, welcome.window, welcome.max_frame) == (1, 8, 8, 96)
    assert welcome.reset is Reset.POWER
    for at in range(8):
        assert board.ask(Describe(seq=20 + at, antenna=at)) == Antenna(
            seq=20 + at,
            antenna=at,
            role=Role.UNASSIGNED,
            number=0,
            technologies=Technologies.ISO14443A,
            max_tags=1,
            abilities=Ability.REMOVAL | Ability.LED | Ability.BUZZER,
            label=f"pad {at + 1}",
        )
    assert refused(board.ask(Describe(seq=30, antenna=8))) == (2, Code.NO_ANTENNA)


def test_requests_outside_a_session_or_out_of_order_are_refused(board: Board) -> None:
    assert refused(board.ask(StatusRequest(seq=1))) == (6, Code.NO_SESSION)
    assert refused(board.ask(SnapshotRequest(seq=2))) == (3, Code.NO_SESSION)
    future = Hello(seq=3, min_version=2, max_version=9, features=Feature(0), nonce=1)
    reply = board.ask(future)
    assert refused(reply) == (1, Code.VERSION)
    assert isinstance(reply, Refused)
    assert reply.detail == 0x0101
    board.hello()
    board.send(frame_by_hand(b"\x70\x05"))
    assert refused(board.until(lambda m: m.seq == 5)[-1]) == (0x70, Code.UNSUPPORTED)
    board.send(frame_by_hand(b"\x02\x06"))
    assert refused(board.until(lambda m: m.seq == 6)[-1]) == (2, Code.MALFORMED)
    board.send(frame_by_hand(bytes.fromhex("04 07 00 00 01 09 00 00 00")))
    assert refused(board.until(lambda m: m.seq == 7)[-1]) == (4, Code.MALFORMED)
    board.send(frame_by_hand(bytes.fromhex("01 08 00 01 00 00 00 00 00 00")))
    assert refused(board.until(lambda m: m.seq == 8)[-1]) == (1, Code.MALFORMED)


def test_what_was_not_agreed_is_not_done(board: Board) -> None:
    board.ask(Hello(seq=1, min_version=1, max_version=1, features=Feature(0), nonce=1))
    wish = Feedback(seq=2, antenna=0, id=1, pattern=Pattern.OK)
    assert refused(board.ask(wish)) == (4, Code.NOT_ABLE)
    assert refused(board.ask(Configure(seq=3, poll_ms=50))) == (5, Code.NOT_ABLE)
    assert board.order("lamps")["green"] == "00"


def test_a_session_ends_when_the_host_is_silent_for_ten_seconds(board: Board) -> None:
    board.hello()
    board.ask(Feedback(seq=2, antenna=0, id=1, pattern=Pattern.OK))
    beats = [m for m in board.receive(13.0) if isinstance(m, Status)]
    assert 8 <= len(beats) <= 10
    assert board.order("lamps")["green"] == "00"
    assert refused(board.ask(StatusRequest(seq=1))) == (6, Code.NO_SESSION)


def test_the_heartbeat_comes_every_second_of_the_readers_clock(board: Board) -> None:
    board.hello()
    beats = [m for m in board.receive(4.5) if isinstance(m, Status)]
    gaps = [b.uptime_ms - a.uptime_ms for a, b in itertools.pairwise(beats)]
    assert len(gaps) >= 2
    assert all(980 <= gap <= 1060 for gap in gaps)
    assert all(beat.health == (Health.ANSWERS,) * 8 for beat in beats)


def test_settings_are_taken_or_brought_within_reach(board: Board) -> None:
    board.hello()
    reply = board.ask(Configure(seq=1, poll_ms=1, leave_reads=200, heartbeat_ms=300))
    assert reply == Configured(
        seq=1, poll_ms=20, arrive_reads=2, leave_reads=50, leave_ms=400, heartbeat_ms=300
    )
    assert board.ask(Configure(seq=2, leave_reads=2, leave_ms=100)) == Configured(
        seq=2, poll_ms=20, arrive_reads=2, leave_reads=2, leave_ms=100, heartbeat_ms=300
    )
    beats = [m.uptime_ms for m in board.receive(2.0) if isinstance(m, Status) and m.seq == 0]
    assert len(beats) >= 4


# Events


def test_events_are_repeated_in_order_until_acknowledged(board: Board) -> None:
    board.hello()
    for at in range(3):
        board.order(f"place {at} 04A3C6CAE261{at:02X}")
    events = [m.event for m in board.receive(1.5) if isinstance(m, Tag)]
    assert events[:3] == [1, 2, 3]
    assert len(events) >= 9
    assert events[3:9] == [1, 2, 3] * 2
    board.send(encode(Ack(event=2)))
    board.receive(0.3)
    later = {m.event for m in board.receive(1.0) if isinstance(m, Tag)}
    assert later == {3}
    board.send(encode(Ack(event=3)))
    board.receive(0.3)
    assert not [m for m in board.receive(0.8) if isinstance(m, Tag)]


def test_acknowledgements_that_make_no_sense_change_nothing(board: Board) -> None:
    board.hello()
    board.order(f"place 0 {SEVEN}")
    tag = board.tag(acknowledge=False)
    for event in (0, tag.event + 1, 2**32 - 1):
        board.send(encode(Ack(event=event)))
    board.send(frame_by_hand(bytes.fromhex("07 00 00 00")))
    assert board.tag(acknowledge=True).event == tag.event
    board.receive(0.3)
    assert not [m for m in board.receive(0.8) if isinstance(m, Tag)]


def test_when_the_window_is_full_the_oldest_gives_way(board: Board) -> None:
    board.hello()
    board.ask(Configure(seq=1, poll_ms=60, leave_ms=60, leave_reads=1))
    for at in range(8):
        board.order(f"place {at} 04A3C6CAE261{at:02X}")
    board.until(lambda m: isinstance(m, Tag) and m.event == 8)
    board.order("lift 0")
    board.order("lift 1")
    board.until(lambda m: isinstance(m, Tag) and m.event == 10)
    board.receive(0.3)
    repeated = sorted({m.event for m in board.receive(1.0) if isinstance(m, Tag)})
    assert repeated == list(range(3, 11))
    status = board.status()
    assert (status.lost_events, status.last_event) == (2, 10)


def test_a_snapshot_of_long_identifiers_comes_in_parts_of_one_moment(board: Board) -> None:
    for at in range(8):
        board.order(f"place {at} 0411223344556677{at:04X}")
    board.receive(0.5)
    board.hello()
    parts = board.snapshot()
    assert [part.part for part in parts] == list(range(len(parts)))
    assert len(parts) == 2
    assert {part.as_of for part in parts} == {8}
    assert [part.last for part in parts] == [False, True]
    tags = [(tag.antenna, tag.uid.hex().upper()) for part in parts for tag in part.tags]
    assert tags == [(at, f"0411223344556677{at:04X}") for at in range(8)]


def test_a_new_greeting_forgets_events_and_their_numbers_go_on(board: Board) -> None:
    board.hello()
    board.order(f"place 0 {SEVEN}")
    board.tag(acknowledge=False)
    assert board.hello(nonce=8).last_event == 1
    board.receive(0.1)
    assert not [m for m in board.receive(1.0) if isinstance(m, Tag)]
    board.order(f"place 1 {OTHER}")
    assert board.tag().event == 2


# Feedback


def test_lights_and_sounds(board: Board) -> None:
    board.hello()
    assert board.ask(Feedback(seq=1, antenna=0, id=1, pattern=Pattern.OK)) == Done(seq=1, request=4)
    board.ask(Feedback(seq=2, antenna=7, id=2, pattern=Pattern.WRONG, sound=Sound.SHORT))
    board.receive(0.2)
    lamps = board.order("lamps")
    assert (lamps["green"], lamps["red"], lamps["beeps"]) == ("01", "80", "1")
    board.ask(Feedback(seq=3, antenna=ALL_ANTENNAS, id=3, pattern=Pattern.OFF, sound=Sound.DOUBLE))
    board.receive(0.5)
    lamps = board.order("lamps")
    assert (lamps["green"], lamps["red"], lamps["beeps"]) == ("00", "00", "3")
    assert refused(board.ask(Feedback(seq=4, antenna=8, id=4, pattern=Pattern.OK))) == (4, Code.NO_ANTENNA)


def test_repeated_feedback_is_done_once(board: Board) -> None:
    board.hello()
    wish = Feedback(seq=1, antenna=2, id=9, pattern=Pattern.OK, sound=Sound.SHORT, duration_ms=800)
    for _ in range(4):
        assert board.ask(wish) == Done(seq=1, request=4)
        board.receive(0.1)
    assert board.order("lamps")["green"] == "04"
    board.receive(1.0)
    lamps = board.order("lamps")
    assert (lamps["green"], lamps["beeps"]) == ("00", "1")
    board.hello(nonce=8)  # ids are forgotten
    board.ask(wish)
    board.receive(0.1)
    assert board.order("lamps")["beeps"] == "2"


@pytest.mark.parametrize(
    ("pattern", "colours"),
    [(Pattern.YOUR_TURN, (True, False)), (Pattern.WAITING, (True, True)), (Pattern.ERROR, (False, True))],
)
def test_what_blinks_is_on_and_off(board: Board, pattern: Pattern, colours: tuple[bool, bool]) -> None:
    board.hello()
    board.ask(Feedback(seq=1, antenna=1, id=1, pattern=pattern))
    seen = set()
    for _ in range(40):
        board.receive(0.05)
        lamps = board.order("lamps")
        seen.add((lamps["green"] == "02", lamps["red"] == "02"))
    assert seen == {(False, False), colours}
