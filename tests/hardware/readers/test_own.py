"""Our own protocol as a driver, against a board that is made of bytes."""

from hardware.events import Place, Placed, Removed, Settled, Tapped, Unsure
from hardware.presence import Tracker
from hardware.protocol import Pattern
from hardware.readers import OWN, LinkLost, Listing, Output, OwnReader, Remark, Send
from hardware.uids import Technology, Uid

from . import own_board as board

NTAG = Uid(bytes.fromhex("04A3C6CAE26180"))


class Line:
    """A reader, a board and a tracker, joined without a port."""

    def __init__(self) -> None:
        self.now = 0.0
        self.board = board.OwnBoard()
        self.reader = OwnReader(0x12345677)
        self.tracker = Tracker()
        self.tracker.add("own", OWN)
        self.readings: list[Output] = []
        self.events: list[object] = []
        self.deliver(self.reader.start(self.now))

    def deliver(self, outputs: list[Output]) -> None:
        for out in outputs:
            if isinstance(out, Send):
                self.say(self.board.answer(out.data))
            else:
                self.readings.append(out)
                self.events += self.tracker.take("own", out, self.now)

    def say(self, data: bytes) -> None:
        if data:
            self.deliver(self.reader.feed(data, self.now))

    def story(self, antenna: int) -> list[type]:
        """The events at an antenna."""
        return [type(event) for event in self.events if event.place == Place("own", antenna)]

    def pass_time(self, seconds: float, *, heartbeats: bool = True) -> None:
        end = self.now + seconds
        while self.now < end:
            self.now += 0.05
            if heartbeats and round(self.now * 20) % 20 == 0:
                self.say(self.board.heartbeat())
            if self.reader.wake is not None and self.reader.wake <= self.now:
                self.deliver(self.reader.tick(self.now))
            if self.tracker.wake is not None and self.tracker.wake <= self.now:
                self.events += self.tracker.tick(self.now)


def test_a_session_begins_with_what_lies_there() -> None:
    line = Line()
    assert [type(each) for each in line.readings] == [Remark, Listing, Listing]
    assert line.readings[0] == Remark("board with 2 antennas.")
    assert line.events == []


def test_placed_removed_and_tapped() -> None:
    line = Line()
    line.say(line.board.say(board.PLACED))
    line.pass_time(60.0)
    line.say(line.board.say(board.REMOVED))
    line.say(line.board.say(board.TAPPED))
    kinds = [type(event) for event in line.events]
    assert kinds == [Placed, Removed, Tapped]
    placed, _, tapped = line.events
    assert (placed.uid, placed.place) == (NTAG, Place("own", 0))
    assert placed.uid.technology is Technology.ISO14443A
    assert tapped.uid.technology is Technology.EPC
    assert line.board.acknowledged == 3


def test_in_pieces_and_with_noise() -> None:
    line = Line()
    for byte in b"boot garbage \xff\x02" + line.board.say(board.PLACED):
        line.say(bytes([byte]))
    assert [type(event) for event in line.events] == [Placed]


def test_p21_an_antenna_that_does_not_answer_keeps_its_tags_until_a_snapshot() -> None:
    line = Line()
    line.say(line.board.say(board.PLACED, 1))
    line.board.health[1] = 0
    line.pass_time(30.0)
    assert [type(event) for event in line.events] == [Placed, Unsure]
    line.board.tags = [1]
    line.board.health[1] = 1
    line.pass_time(3.0)
    assert [type(event) for event in line.events] == [Placed, Unsure, Settled]


def test_p25_a_board_that_starts_anew_is_asked_what_lies_there() -> None:
    line = Line()
    line.say(line.board.say(board.PLACED))
    line.board.boot, line.board.event = 42, 0
    line.pass_time(6.0, heartbeats=False)
    assert line.story(0) == [Placed, Unsure, Removed, Settled]
    assert [each for each in line.readings if isinstance(each, LinkLost)]


def test_silence_ends_the_session_and_removes_nothing() -> None:
    line = Line()
    line.say(line.board.say(board.PLACED))
    line.board.answer = lambda _data: b""
    line.pass_time(60.0, heartbeats=False)
    assert line.story(0) == [Placed, Unsure]


def test_lights_and_remarks() -> None:
    line = Line()
    line.say(line.board.say(board.NOTICE))
    assert line.readings[-1] == Remark("Warning: chip 0x92 set up again")
    line.say(line.board.answer(line.reader.show(1, Pattern.OK, line.now, duration_ms=500)))
    assert [asked[2] for asked in line.board.feedback] == [1]
