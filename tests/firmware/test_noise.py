"""The reference reader on a bad line, with a host of ours, and with each frame that the page shows of one."""

from __future__ import annotations

import random
import time

import pytest

from hardware.protocol import (
    Ack,
    Finished,
    Healthy,
    Lost,
    Message,
    Opened,
    Pattern,
    Rebooted,
    Refused,
    Snapshot,
    SnapshotRequest,
    Sound,
    StatusRequest,
    Tag,
    Tagged,
    decode,
    encode,
)
from tests.firmware.board import Board, Session
from tests.firmware.samples import SEVEN, vector
from tests.hardware.protocol.spec import blocks, frame_by_hand

pytestmark = pytest.mark.slow


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
