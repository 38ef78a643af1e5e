"""The firmware keeps to `firmware_protocol.md`: sanitized on this computer, and the image in simavr."""

from __future__ import annotations

import itertools
import random
import time

import pytest

from hardware.protocol import (
    ALL_ANTENNAS,
    Ability,
    Ack,
    Antenna,
    Bye,
    Change,
    Code,
    Configure,
    Configured,
    Describe,
    Done,
    Feature,
    Feedback,
    Finished,
    Health,
    Healthy,
    Hello,
    Lost,
    Message,
    Opened,
    Pattern,
    Rebooted,
    Refused,
    Reset,
    Role,
    Snapshot,
    SnapshotRequest,
    Sound,
    Status,
    StatusRequest,
    Tag,
    Tagged,
    Technologies,
    Technology,
    decode,
    encode,
)
from tests.firmware.board import Board, Session
from tests.hardware.protocol.spec import blocks, frame_by_hand

pytestmark = pytest.mark.slow

FOUR, SEVEN, TEN = "DEADBEEF", "04A3C6CAE26180", "04112233445566778899"
OTHER = "0463F80A4F5381"


def vector(name: str) -> bytes:
    """A frame of the page."""
    (found,) = [v for v in blocks("vector") if v["name"] == name]
    return bytes.fromhex(found["frame"])


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


# Tags


@pytest.mark.parametrize("uid", [FOUR, SEVEN, TEN, "8804A3C6"])
def test_a_tag_is_placed_and_removed(board: Board, uid: str) -> None:
    board.hello()
    board.order(f"place 3 {uid}")
    placed = board.tag()
    assert (placed.event, placed.change, placed.antenna) == (1, Change.PLACED, 3)
    assert (placed.uid.hex().upper(), placed.technology, placed.signal) == (uid, Technology.ISO14443A, None)
    assert board.present() == {3: uid}
    board.order(f"lift 3 {uid}")
    gone = board.tag()
    assert (gone.event, gone.change, gone.uid) == (2, Change.REMOVED, placed.uid)
    assert board.present() == {}


@pytest.mark.parametrize("others", [0, 7])
def test_a_tap_is_told_within_a_tenth_of_a_second(board: Board, others: int) -> None:
    """By the reader's clock, which cannot be late where the computer is: the status asked for right after
    the tag was put down says when that was at the latest."""
    board.hello()
    for at in range(others):
        board.order(f"place {at + 1} 04A3C6CAE262{at:02X}")
        board.tag()
    for _ in range(6):
        board.receive(0.037)  # so that the taps fall anywhere in a round
        board.order(f"place 0 {SEVEN}")
        down = board.status().uptime_ms
        tag = board.tag()
        assert tag.change is Change.PLACED
        assert tag.uptime_ms <= down + 100
        board.order("lift 0")
        assert board.tag().change is Change.REMOVED


def test_a_tag_that_is_lifted_for_a_moment_never_left(board: Board) -> None:
    board.hello()
    board.order(f"place 0 {SEVEN}")
    board.tag()
    for _ in range(4):
        board.order("lift 0")
        board.receive(0.15)
        board.order(f"place 0 {SEVEN}")
        board.receive(0.3)
    assert board.status().last_event == 1


def test_another_tag_in_the_place_of_one_is_a_removal_and_a_placing(board: Board) -> None:
    board.hello()
    board.order(f"place 0 {SEVEN}")
    board.tag()
    board.order("lift 0")
    board.order(f"place 0 {OTHER}")
    first, second = board.tag(), board.tag()
    assert (first.change, first.uid.hex().upper()) == (Change.REMOVED, SEVEN)
    assert (second.change, second.uid.hex().upper()) == (Change.PLACED, OTHER)


def test_two_tags_on_one_antenna_are_a_collision_and_no_removal(board: Board) -> None:
    board.hello()
    board.order(f"place 0 {SEVEN}")
    board.tag()
    board.order(f"place 0 {OTHER}")
    beats = [m for m in board.receive(3.3) if isinstance(m, Status)]
    assert beats[-1].health[0] == Health.ANSWERS | Health.COLLISION
    assert beats[-1].health[1] == Health.ANSWERS
    assert board.status().last_event == 1
    board.order(f"lift 0 {SEVEN}")
    assert [board.tag().change, board.tag().change] == [Change.REMOVED, Change.PLACED]
    board.receive(1.2)
    beats = [m for m in board.receive(1.2) if isinstance(m, Status)]
    assert beats[-1].health[0] == Health.ANSWERS


def test_damaged_answers_are_noise_and_neither_a_tag_nor_a_removal(board: Board) -> None:
    board.hello()
    board.order("garble 0 7")
    board.order(f"place 0 {TEN}")
    tag = board.tag()
    assert tag.uid.hex().upper() == TEN
    board.order("garble 0 40")
    beats = [m for m in board.receive(2.5) if isinstance(m, Status)]
    assert any(Health.NOISE in beat.health[0] for beat in beats)
    assert board.status().last_event == 1
    assert board.present() == {0: TEN}


@pytest.mark.parametrize("uid", [FOUR, SEVEN, TEN])
def test_an_identifier_is_never_cut_short(board: Board, uid: str) -> None:
    """The answer that ends it is damaged, 40 times in a row: nothing is told until it is sound. One reading
    is enough here, so that only the driver stands between the damage and the event."""
    board.hello()
    board.ask(Configure(seq=1, arrive_reads=1))
    board.order("curtail 0 40")
    board.order(f"place 0 {uid}")
    tag = board.tag()
    assert (tag.event, tag.uid.hex().upper()) == (1, uid)
    assert board.order("curtail 0 0") == {}
    assert board.present() == {0: uid}


def test_how_long_a_round_takes_and_that_two_fields_are_never_on_at_once(board: Board) -> None:
    board.hello()
    board.receive(0.5)
    empty = int(board.order("fields")["round_us"])
    for at in range(8):
        board.order(f"place {at} 04A3C6CAE261{at:02X}")
    board.receive(2.0)
    fields = board.order("fields")
    assert fields["overlap"] == "0"
    # Eight guard times of 5 ms are the least that is possible.
    assert 40_000 < empty < 60_000
    assert empty < int(fields["round_us"]) < 90_000


@pytest.mark.parametrize("level", ["low", "high"])
def test_a_chip_that_falls_silent_is_told_and_its_tag_stays(board: Board, level: str) -> None:
    board.hello()
    board.order(f"place 2 {SEVEN}")
    board.tag()
    board.order(f"unplug 2 {level}")
    beats = [m for m in board.receive(2.5) if isinstance(m, Status)]
    assert beats[-1].health == tuple(Health(at != 2) for at in range(8))
    assert board.present() == {2: SEVEN}
    board.order(f"place 1 {OTHER}")
    assert board.tag().antenna == 1
    board.order("plug 2")
    found = board.until(lambda m: isinstance(m, Status) and Health.RESTARTED in m.health[2])
    assert not [m for m in found if isinstance(m, Tag)]
    assert board.status().health[2] == Health.ANSWERS


def test_without_a_single_chip_the_reader_still_answers(board: Board) -> None:
    for at in range(8):
        board.order(f"unplug {at}")
    board.receive(1.0)
    board.hello()
    assert board.status().health == (Health(0),) * 8
    assert board.present() == {}
    beats = [m for m in board.receive(2.5) if isinstance(m, Status)]
    assert len(beats) >= 2


def test_a_chip_that_lost_its_settings_is_set_up_again(board: Board) -> None:
    board.hello()
    board.order(f"place 5 {SEVEN}")
    board.tag()
    board.order("dip 5")
    board.until(lambda m: isinstance(m, Status) and Health.RESTARTED in m.health[5])
    assert board.status().last_event == 1
    board.order("lift 5")
    assert board.tag().change is Change.REMOVED


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


# Trouble


def test_after_whatever_must_be_thrown_away_the_next_request_is_answered(board: Board) -> None:
    board.hello()
    before = board.status()
    for invalid in blocks("invalid"):
        board.send(bytes.fromhex(invalid["frame"]))
        board.status()
    # Four are damaged as frames; the others are sound and merely senseless.
    assert board.status().bad_frames == before.bad_frames + 4


def test_noise_between_requests_loses_none(board: Board) -> None:
    board.hello()
    draw = random.Random(11)
    for turn in range(60):
        board.send(draw.randbytes(draw.randrange(1, 120)))
        if turn % 3 == 0:
            frame = bytearray(encode(StatusRequest(seq=1)))
            frame[draw.randrange(1, len(frame) - 1)] ^= 1 << draw.randrange(8)
            board.send(bytes(frame))
        status = board.status()
    assert status.bad_frames >= 30
    assert status.uptime_ms > 0


def test_a_flood_neither_resets_the_reader_nor_blinds_it(board: Board) -> None:
    boot = board.hello().boot
    request = encode(SnapshotRequest(seq=200)) + encode(StatusRequest(seq=201)) + b"\x55" * 7
    end = time.monotonic() + 3.0
    placed = False
    found: list[Message] = []
    sent = 0
    while time.monotonic() < end:
        for _ in range(20):
            board.send(request)
            sent += len(request)
        found += [m for m in board.receive(0.01) if isinstance(m, Message)]
        if not placed and time.monotonic() > end - 2:
            board.order(f"place 6 {SEVEN}")
            placed = True
    # What is still on its way may take a while at the speed of the line.
    found += board.until(lambda m: isinstance(m, Tag))
    assert sent > 20_000
    tag = next(m for m in found if isinstance(m, Tag))
    assert (tag.antenna, tag.uid.hex().upper()) == (6, SEVEN)
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and board.receive(0.5):
        board.send(encode(Ack(event=tag.event)))
    assert board.hello(nonce=99).boot == boot


def test_random_requests_with_a_sound_check(board: Board) -> None:
    """Whatever a frame says, the reader lives and says only what is laid out."""
    draw = random.Random(12)
    board.hello()
    for _ in range(400):
        code = draw.choice([1, 2, 3, 4, 5, 6, 7, 0x08, 0x10, 0x7F, 0x80, 0xC0, 0xFF])
        body = bytes([code, draw.randrange(256)]) + draw.randbytes(draw.choice([0, 1, 4, 7, 8, 30, 92]))
        board.send(frame_by_hand(body))
        assert all(isinstance(m, Message) for m in board.receive(0.005))
    board.receive(0.5)
    board.hello(nonce=1000)
    assert board.status().uptime_ms > 0


# The host of this program at this reader


def test_a_host_and_a_reader_through_a_reset(board: Board) -> None:
    session = Session(board)
    session.until(lambda output: isinstance(output, Snapshot))
    (opened,) = [output for output in session.heard if isinstance(output, Opened)]
    assert opened.reader.boot == 0
    board.order(f"place 4 {SEVEN}")
    session.until(lambda output: isinstance(output, Tagged))
    session.host.feedback(time.monotonic(), 4, Pattern.OK, Sound.SHORT)
    session.until(lambda output: isinstance(output, Finished))
    board.order("reset")
    if board.kept:  # the program ends, and its table with it
        board.process.wait(10)
        assert board.process.returncode == 2
        board.close()
        board.start()
        session.heard += session.host.unplugged(time.monotonic())
        board.order(f"place 4 {SEVEN}")
    # A tag that lies there at the start is in the first snapshot or an event soon after it.
    heard = session.until(lambda output: SEVEN.lower() in tags_of(output))
    kinds = [type(output) for output in session.heard]
    assert kinds.index(Lost) < kinds.index(Rebooted) < len(kinds) - kinds[::-1].index(Opened)
    (rebooted,) = [output for output in session.heard if isinstance(output, Rebooted)]
    assert rebooted.boot == 1
    assert session.host.reader is not None
    assert session.host.reader.device == opened.reader.device == b"SHR1\x12\x34\x56\x78"
    assert heard
    session.until(lambda output: isinstance(output, Healthy))
    # The light was wished for again, the sound was not.
    lamps = board.order("lamps")
    assert lamps["green"] == "10"
    assert lamps["beeps"] == ("0" if board.kept else "1")


def tags_of(output: object) -> set[str]:
    match output:
        case Snapshot(tags=tags):
            return {tag.uid.hex() for tag in tags}
        case Tagged(tag=tag):
            return {tag.uid.hex()}
    return set()


def test_the_vectors_of_the_page_that_a_host_sends_are_understood(board: Board) -> None:
    board.send(vector("hello"))
    board.receive(0.3)
    for name in ("describe", "snapshot", "ack", "status_request", "feedback", "feedback, all", "configure"):
        request = decode(vector(name).strip(b"\0"))
        board.send(vector(name))
        if request.seq:
            reply = board.until(lambda m, request=request: m.seq == request.seq)[-1]
            assert not isinstance(reply, Refused), name
    board.send(vector("bye"))
    assert board.until(lambda m: m.seq == 255)[-1] == decode(vector("done, bye").strip(b"\0"))
