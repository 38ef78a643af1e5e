"""The pitfalls of real readers, from the bytes that were reported to the events of a table.

`docs/readers.md` has the table, and other tests have more of each; these go all the way through.
"""

import itertools

import pytest

from hardware.events import Disturbed, Event, Placed, Refused, Removed, Tapped, Unsure
from hardware.presence import Tracker
from hardware.readers import (
    Health,
    Listing,
    Output,
    Presence,
    Reader,
    Remark,
    Restarted,
    Seen,
    Send,
    TextReader,
    Unclear,
    make,
)
from hardware.tags import Book, Kind, Tag
from hardware.uids import Numbers, Technology, Uid


def h(text: str) -> bytes:
    return bytes.fromhex(text)


CARD, NTAG, SHORT = Uid(h("13005D1DA5")), Uid(h("04A3C6CAE26180")), Uid(h("45C52583"))
OTHERS = (
    "14008EC793",
    "1F00644BB6",
    "0500207B32",
    "0114AE3BBC",
    "01C8F00800",
    "04040E3B",
    "D2286B85",
    "DD17380A",
)
BOOK = Book(
    Tag(uid, Kind.BLANK, str(n))
    for n, uid in enumerate([CARD, NTAG, SHORT, *(Uid(h(text)) for text in OTHERS)])
)
RDM = h("02 31 33 30 30 35 44 31 44 41 35 46 36 03")
PHANTOMS = (
    "000000000000", "000000078F88", "00F00000F000", "F000060007F1", "B59A99E5A9FA", "4FFB388FFFFC",
)  # fmt: skip


class Wire:
    """A reader, its tracker, and a clock that is turned by hand."""

    def __init__(self, reader: Reader, book: Book = BOOK) -> None:
        self.reader, self.now = reader, 10.0
        self.tracker = Tracker(book.known)
        self.tracker.add("a", reader.profile)
        self.readings: list[Output] = []
        self.events: list[Event] = []
        self.sent: list[bytes] = []
        self.take(reader.start(self.now))
        if isinstance(reader, TextReader):
            self.say(b"\r\n")  # the rest of what began before the port was open

    def take(self, outputs: list[Output]) -> None:
        for out in outputs:
            if isinstance(out, Send):
                self.sent.append(out.data)
            else:
                self.readings.append(out)
                self.events += self.tracker.take("a", out, self.now)

    def say(self, data: bytes, after: float = 0.0) -> None:
        self.wait(after)
        self.take(self.reader.feed(data, self.now))

    def wait(self, seconds: float) -> None:
        end = self.now + seconds
        while self.now < end:
            self.now = min(end, self.now + 0.005)
            if self.reader.wake is not None and self.reader.wake <= self.now:
                self.take(self.reader.tick(self.now))
            self.events += self.tracker.tick(self.now)

    def tags(self) -> list[Uid]:
        return [out.uid for out in self.readings if isinstance(out, Seen)]

    def kinds(self, *wanted: type[Event]) -> list[type[Event]]:
        return [type(event) for event in self.events if isinstance(event, wanted or Event.__args__)]


def ascii_frame(text: str) -> bytes:
    return b"\x02" + text.encode() + b"\x03"


def test_p01_the_same_frame_forty_times() -> None:
    wire = Wire(make("rdm6300"))
    for _ in range(40):
        wire.say(RDM, 0.065)
    assert wire.kinds() == [Placed]


def test_p02_the_seventeenth_is_missing_and_another_has_a_wrong_bit() -> None:
    for flipped in range(len(RDM)):
        wire = Wire(make("rdm6300"))
        for n in range(1, 41):
            data = bytearray(RDM)
            if n == 30:
                data[flipped] ^= 0x04
            wire.say(b"" if n == 17 else bytes(data), 0.065)
        assert wire.kinds(Placed, Removed) == [Placed], flipped


def test_p03_p39_a_reader_that_never_tells_of_departures() -> None:
    wire = Wire(make("id12"))
    for _ in range(3):
        wire.say(h("02 30 35 30 30 32 30 37 42 33 32 36 43 0D 0A 03"), 5.0)
    wire.wait(3600.0)
    assert wire.kinds() == [Tapped] * 3


def test_p04_phantoms_whose_check_is_right() -> None:
    wire = Wire(make("rdm6300"))
    for phantom in PHANTOMS:
        wire.say(ascii_frame(phantom), 0.065)
    wire.wait(1.0)
    for _ in range(20):
        wire.say(ascii_frame(PHANTOMS[0]), 0.065)
    assert wire.events == []


@pytest.mark.parametrize(
    ("frame", "uid"),
    [
        ("02 30 35 30 30 32 30 37 42 33 32 36 43 0D 0A 03", "0500207B32"),
        ("02 30 31 31 34 41 45 33 42 42 43 3C 03", "0114AE3BBC"),
        ("02 30 31 43 38 46 30 30 38 30 30 33 31 03", "01C8F00800"),
    ],
)
def test_p05_p06_p07_p08_odd_frames_in_any_two_pieces(frame: str, uid: str) -> None:
    data = h(frame)
    for cut in range(len(data)):
        wire = Wire(make("rdm6300"))
        wire.say(data[:cut])
        wire.say(data[cut:], 0.15)
        wire.say(
            b"", 0.3
        )  # a raw check byte may be one of two things until something follows, or time passes
        assert wire.tags() == [Uid(h(uid))], cut


def test_p06_a_wrong_raw_check() -> None:
    wire = Wire(make("rdm6300"))
    wire.say(h("02 30 31 31 34 41 45 33 42 42 43 3D 03"))
    wire.say(RDM, 0.3)
    assert wire.tags() == [CARD]


def test_p09_frames_glued_together() -> None:
    wire = Wire(make("rdm6300"))
    wire.say(RDM + ascii_frame("14008EC793CE") + ascii_frame("1F00644BB686"))
    assert wire.tags() == [CARD, Uid(h("14008EC793")), Uid(h("1F00644BB6"))]


ACK = h("00 00 FF 00 FF 00")
EMPTY = h("00 00 FF 03 FD D5 4B 00 E0 00")
SETUP = (
    h("00 00 FF 06 FA D5 03 32 01 06 07 E8 00"),
    h("00 00 FF 02 FE D5 15 16 00"),
    h("00 00 FF 02 FE D5 33 F8 00"),
)
TWO = h("00 00 FF 18 E8 D5 4B 02 01 00 04 08 04 45 C5 25 83 02 00 44 00 07 04 A3 C6 CA E2 61 80 D4 00")


def chip() -> Wire:
    """A PN532 that has been set up: the third answer in three pieces with pauses, as one was seen."""
    wire = Wire(make("pn532"))
    wire.say(ACK + SETUP[0], 0.01)
    wire.say(ACK + SETUP[1], 0.01)
    wire.say(ACK, 0.01)
    for piece in (SETUP[2][:5], SETUP[2][5:7], SETUP[2][7:]):
        wire.say(piece, 0.02)
    return wire


def poll(wire: Wire, answer: bytes) -> None:
    before = len(wire.sent)
    while len(wire.sent) == before:
        wire.wait(0.01)
    wire.say(ACK + answer, 0.01)


def test_p09_p10_p18_two_cards_on_a_pn532_and_an_acknowledgement_glued_to_its_answer() -> None:
    wire = chip()
    poll(wire, EMPTY)
    poll(wire, TWO)
    assert wire.kinds(Placed, Removed) == [Placed, Placed]
    before = len(wire.events)
    wire.wait(0.35)  # nothing is answered
    assert wire.kinds(Removed) == []
    poll(wire, TWO)
    assert wire.kinds(Removed) == []
    assert len(wire.events) >= before


def test_p18_overlapping_cards_are_told_after_some_rounds() -> None:
    wire = chip()
    poll(wire, TWO)
    wire.wait(5.0)
    assert Disturbed in wire.kinds() or Unsure in wire.kinds()
    assert wire.kinds(Removed) == []


def test_p22_a_chip_that_swallows_the_first_command() -> None:
    wire = Wire(make("pn532"))
    first = wire.sent[0]
    wire.wait(1.0)
    assert len(wire.sent) >= 2
    assert all(first[-9:] in data for data in wire.sent[:2]), "the same once more"
    assert not any(h("D4 16") in data for data in wire.sent), "PowerDown"


def test_p11_half_a_frame_and_then_a_whole_one() -> None:
    wire = Wire(make("rdm6300"))
    wire.say(h("02 31 33 30 30") + RDM)
    assert wire.tags() == [CARD]


@pytest.mark.parametrize("line", [b"UID: ac8c5ea\r\n", b"Tag UID:4e7b2a9\n"])
def test_p12_lost_zeros_are_named(line: bytes) -> None:
    wire = Wire(TextReader())
    wire.say(line)
    (unclear,) = wire.readings
    assert isinstance(unclear, Unclear)
    assert "leading zero" in unclear.why
    assert wire.events == []


def test_p13_decimal_with_and_without_zeros() -> None:
    wire = Wire(TextReader(technology=Technology.EM4100, numbers=Numbers.DECIMAL))
    for line in (b"0006102437\n", b"6102437\n", b"093,07589\n"):
        wire.say(line, 5.0)
    assert [event.uid for event in wire.events if isinstance(event, Tapped)] == [CARD] * len(wire.events)
    assert len(wire.events) >= 2


def test_p14_p15_an_id_that_was_cut_and_one_that_only_looks_like_it() -> None:
    wire = Wire(TextReader(technology=Technology.ISO14443A))
    wire.say(b"Card UID: 88 04 A3 C6\r\n")
    wire.say(b"Card UID: 88 77 66 55\r\nCard SAK: 08\r\n", 1.0)
    wire.wait(1.0)
    assert [uid.data for uid in wire.tags()][:1] == [h("8804A3C6")]
    assert wire.tags()[-1] == Uid(h("88776655"))
    assert wire.tags()[-1].sak == 0x08
    assert [event.uid for event in wire.events if isinstance(event, Tapped)] == [NTAG], "only one it can be"


def test_p16_a_check_byte_behind_the_id() -> None:
    wire = Wire(TextReader(technology=Technology.ISO14443A))
    wire.say(b"DD 17 38 0A F8\r\n")
    assert wire.tags() == [Uid(h("DD17380A"))]


@pytest.mark.parametrize("uid", ["0824A937", "080D3523"])
def test_p17_telephones(uid: str) -> None:
    wire = Wire(TextReader(technology=Technology.ISO14443A))
    wire.say(f"Card UID: {uid}\r\n".encode())
    assert wire.kinds() == [Refused]


def test_p19_a_garbled_id_without_an_error() -> None:
    wire = Wire(TextReader(Presence.REPEATED))
    wire.say(b"Card UID: 00 00 00 81 6C 12 34\r\n")
    assert wire.kinds(Placed, Tapped) == []


def test_p21_a_chip_that_is_deaf_says_so_by_its_version() -> None:
    wire = Wire(TextReader(Presence.REPEATED))
    wire.say(b"Card UID: 04 A3 C6 CA E2 61 80\r\n")
    wire.say(b"Firmware Version: 0x00 = (unknown)\r\n", 0.1)
    assert any(isinstance(out, Health) and not out.well for out in wire.readings)
    wire.wait(10.0)
    assert wire.kinds(Removed) == []


def test_p23_two_hundred_notices_in_one_piece_one_of_them_cut() -> None:
    notices = []
    for n in range(200):
        frame = bytearray(h("BB 02 22 00 11 CF 30 00 E2 80 69 95 00 00 50 09 F1 28 69 92 62 0A 6D 7E"))
        frame[18:20] = n.to_bytes(2, "big")
        frame[-2] = sum(frame[1:-2]) & 0xFF
        notices.append(bytes(frame))
    notices[100] = notices[100][:13]
    wire = Wire(make("r200"))
    wire.say(b"".join(notices))
    wire.wait(1.0)
    assert len(set(wire.tags())) == 199


def test_p24_a_boot_loader_at_another_speed() -> None:
    junk = bytes([0x72, 0x6C, 0xE4, 0x00, 0x8C, 0x02, 0x9C, 0xFF]) * 8 + b"\r\nReader ready\r\n"
    for kind in ("text", "ndjson", "rdm6300", "id12", "twn4", "r200", "pn532", "wedge", "shoal"):
        wire = Wire(make(kind))
        wire.say(junk)
        wire.wait(1.0)
        assert wire.tags() == []
        assert wire.kinds(Placed, Tapped) == []


def test_p25_a_crash_in_the_middle_of_a_line() -> None:
    wire = Wire(TextReader(Presence.REPEATED))
    wire.say(b"Card UID: 45 C5 25 83\r\n")
    wire.say(b"Card UID: 04 A3 C6\x00\xff\x80\x02I (12) boot: ESP-IDF v4.4 2nd stage bootloader\r\n", 0.1)
    assert wire.tags() == [SHORT], "not joined to something else"
    assert any(isinstance(out, Restarted) for out in wire.readings)
    assert wire.kinds(Unsure) == [Unsure]


def test_p26_every_byte_there_is() -> None:
    for kind in ("text", "ndjson", "rdm6300", "id12", "twn4", "r200", "pn532", "wedge", "shoal"):
        wire = Wire(make(kind))
        for pair in itertools.product(range(256), repeat=2):
            wire.say(bytes(pair))
        assert wire.kinds(Placed, Tapped) == []


def test_p27_a_wrong_speed_is_remarked() -> None:
    wire = Wire(TextReader())
    for _ in range(50):
        wire.say(bytes([0xF8, 0x80, 0x9C, 0xFF, 0x41, 0xE0]), 0.03)
    (remark,) = {out.text for out in wire.readings if isinstance(out, Remark)}
    assert "baud rate" in remark


def test_p35_the_rest_of_a_line_after_opening() -> None:
    wire = Wire(make("text"))
    wire.reader.start(wire.now)
    wire.say(b"C6 CA E2 61 80\r\nCard UID: 45 C5 25 83\r\n")
    assert wire.tags() == [SHORT]


def test_p42_a_reader_that_turns_ids_round() -> None:
    wire = Wire(TextReader(technology=Technology.ISO14443A, numbers=Numbers.DECIMAL))
    wire.say(b"1170548099\n")
    wire.say(b"2200290629\n", 5.0)
    assert [event.uid for event in wire.events if isinstance(event, Tapped)] == [SHORT, SHORT]


@pytest.mark.parametrize("end", [b"\r\n", b"\r", b"\n", b""])
def test_p43_any_end_of_a_line_and_none(end: bytes) -> None:
    wire = Wire(TextReader())
    wire.reader.start(wire.now)
    for _ in range(2):
        wire.say(b"Card UID: 45 C5 25 83" + end, 1.0)
    wire.wait(1.0)
    assert wire.kinds() == [Tapped, Tapped]


def test_p43_a_line_that_never_ends() -> None:
    wire = Wire(TextReader())
    wire.say(b"45" * 5_000)
    wire.say(b"\r\nCard UID: 45 C5 25 83\r\n", 0.05)
    assert wire.tags() == [SHORT]
    assert not any(isinstance(out, Listing) for out in wire.readings)
