"""Lines that boards print: the formats found in the wild, broken ones, and none at all."""

import pytest

from hardware.readers import (
    BadPattern,
    Failed,
    Gone,
    Health,
    Presence,
    Remark,
    Restarted,
    Seen,
    TextReader,
    Unclear,
)
from hardware.readers.lines import Line, Lines
from hardware.uids import Flaw, Technology, flaws

from .feeding import every_split, fed, tags

NTAG = "04A3C6CAE26180"


def read(text: str | bytes, reader: TextReader | None = None) -> list[object]:
    data = text if isinstance(text, bytes) else text.encode()
    return list(fed(reader or TextReader(), [data]))


@pytest.mark.parametrize(
    ("line", "uid", "antenna"),
    [
        ("Card UID: 45 C5 25 83", "45C52583", 0),
        ("Reader 0: Card UID: 04 A3 C6 CA E2 61 80", NTAG, 0),
        ("Reader 3: Card UID: 04 A3 C6 CA E2 61 80", NTAG, 3),
        ("Tag UID:4e7b2a90", "4E7B2A90", 0),
        ("Card serial: DEADBEEF", "DEADBEEF", 0),
        ("TAG: 1A2B3C4D", "1A2B3C4D", 0),
        ("UID tag : 70 D4 4F 53", "70D44F53", 0),
        ("70 d4 4f 53", "70D44F53", 0),
        ("04:A3:C6:CA:E2:61:80", NTAG, 0),
        ("04-A3-C6-CA-E2-61-80", NTAG, 0),
        ("04A3C6CAE26180", NTAG, 0),
        ("10,94,140,172", "0A5E8CAC", 0),
        ('{"uid":"04A3C6CAE26180","antenna":2}', NTAG, 2),
    ],
)
def test_the_formats_in_use(line: str, uid: str, antenna: int) -> None:
    (seen,) = read(line + "\r\n")
    assert isinstance(seen, Seen)
    assert (seen.uid.data.hex().upper(), seen.antenna) == (uid, antenna)
    for pieces in every_split(line.encode() + b"\r\n"):
        assert tags(fed(TextReader(), pieces)) == [uid]


DUMP = """Firmware Version: 0x92 = v2.0
Scan PICC to see UID, SAK, type, and data blocks...
Card UID: 45 C5 25 83
Card SAK: 08
PICC type: MIFARE 1KB
Sector Block   0  1  2  3   4  5  6  7   8  9 10 11  12 13 14 15  AccessBits
  15     63   00 00 00 00  00 00 FF 07  80 69 FF FF  FF FF FF FF  [ 0 0 1 ]
         62   00 00 00 00  00 00 00 00  00 00 00 00  00 00 00 00  [ 0 0 0 ]
   0      0   45 C5 25 83  26 08 04 00  62 63 64 65  66 67 68 69  [ 0 0 0 ]
Page  0  1  2  3
  0  04 A3 C6 89
"""


def test_a_memory_dump_is_one_card() -> None:
    out = read(DUMP.replace("\n", "\r\n"))
    assert [type(each) for each in out] == [Health, Seen]
    assert tags(out) == ["45C52583"]


@pytest.mark.parametrize(
    "line",
    [
        "Waiting for card...",
        "Access granted",
        "Temperature: 21.5",
        "12345",
        "fade",
        "OK",
        "ID: unknown",
        "Block 04 A3",
    ],
)
def test_other_lines_say_nothing(line: str) -> None:
    assert [each for each in read(line + "\n") if isinstance(each, Seen)] == []


@pytest.mark.parametrize("end", [b"\r\n", b"\r", b"\n", b"\n\r"])
def test_p43_any_line_end(end: bytes) -> None:
    assert tags(fed(TextReader(), [(b"70 d4 4f 53" + end) * 3])) == ["70D44F53"] * 3


def test_p43_no_line_end_at_all() -> None:
    reader = TextReader()
    assert read("70 d4 4f 53", reader) == []
    assert reader.wake == pytest.approx(10.2)
    assert tags(reader.tick(10.2)) == ["70D44F53"]


def test_p43_a_line_without_end_does_not_grow() -> None:
    reader = TextReader()
    for _ in range(1000):
        assert read("A" * 100, reader) == []
    assert tags(fed(reader, [b"\r\n70 d4 4f 53\r\n"])) == ["70D44F53"]


def test_p10_a_pause_in_a_line_is_not_its_end() -> None:
    """A piece of a seven-byte id may look like a whole id of four bytes."""
    reader = TextReader()
    assert tags(fed(reader, [b"hello\r\n04 A3 C6 CA"])) == []
    assert reader.tick(10.5) == []
    assert tags(fed(reader, [b" E2 61 80\r\n"], now=10.5)) == [NTAG]


def test_p12_a_lost_zero_is_named_and_no_card() -> None:
    for line in ("UID: ac8c5ea", "Tag UID:4e7b2a9", "UID: EDBA996"):
        (unclear,) = read(line + "\r\n")
        assert isinstance(unclear, Unclear)
        assert "leading zero" in unclear.why


def test_p12_two_lost_zeros() -> None:
    assert [type(each) for each in read("UID: 4a3c6c\r\n")] == [Unclear]


def test_p14_p15_the_answer_to_the_selection_tells_a_short_id_from_the_start_of_a_long_one() -> None:
    cut = read("Card UID: 88 04 A3 C6\r\nCard SAK: 04\r\n")[-1]
    whole = read("Card UID: 88 77 66 55\r\nCard SAK: 08\r\n")[-1]
    assert flaws(cut.uid) == (Flaw.CUT,)
    assert flaws(whole.uid) == (Flaw.LIKE_CUT,)


def test_p16_the_check_byte_is_left_away() -> None:
    (seen,) = read("UID: DD17380AF8\r\n", TextReader(technology=Technology.ISO14443A))
    assert seen.uid.data == bytes.fromhex("DD17380A")
    (seen,) = read("UID: DD17380AF8\r\n")
    assert seen.uid.also == (bytes.fromhex("DD17380A"),)


def test_p21_the_chip_is_deaf() -> None:
    (health,) = read("Reader 2: Firmware Version: 0x0 = (unknown)\r\n")
    assert health == Health(False, health.why, 2)
    (health,) = read("Firmware Version: 0x88 = (clone)\r\n")
    assert health.well


def test_p24_the_boot_text_of_another_speed() -> None:
    junk = bytes([0x72, 0x6C, 0xE4, 0x00, 0x8C, 0x02, 0x9C, 0xFF]) * 8 + b"\r\nReader ready\r\n"
    for pieces in ([junk], *every_split(junk)):
        assert not [each for each in fed(TextReader(), pieces) if isinstance(each, Seen | Unclear)]


def test_p25_half_a_line_and_a_reboot_are_not_merged() -> None:
    crash = b"Reader 0: Card UID: 04 A3 C6 CA\x00\xff\x80I (12) boot: ESP-IDF v4.4\r\n70 d4 4f 53\r\n"
    for pieces in ([crash], *every_split(crash)):
        out = fed(TextReader(), pieces)
        assert [type(each) for each in out if not isinstance(each, Remark)] == [Restarted, Seen]
    crash = b"Card UID: 04 A3 C6 CA\xff\x80I (12) boot: ESP-IDF v4.4\r\n"
    assert [type(each) for each in read(crash)] == [Restarted]


@pytest.mark.parametrize(
    "line",
    [
        " ets Jan  8 2013,rst cause:2, boot mode:(3,6)",
        "rst:0x1 (POWERON_RESET),boot:0x13",
        "Guru Meditation Error: Core 0",
    ],
)
def test_p25_texts_of_boot_loaders(line: str) -> None:
    assert [type(each) for each in read(line + "\r\n")] == [Restarted]


def test_p26_all_bytes() -> None:
    data = bytes(range(256)) * 4
    for pieces in ([data], *every_split(data)[::50]):
        assert tags(fed(TextReader(), pieces)) == []


def test_p27_a_wrong_speed_is_remarked_once_a_second() -> None:
    reader = TextReader()
    out = fed(reader, [bytes([0xE6, 0x98, 0x7E, 0x80]) * 8] * 6, gap=0.1)
    assert 1 <= len([each for each in out if isinstance(each, Remark)]) <= 6
    assert not [each for each in read("Reader ready\r\n" * 9) if isinstance(each, Remark)]


def test_p35_the_end_of_a_line_after_opening_is_no_card() -> None:
    reader = TextReader()
    reader.start(10.0)
    assert tags(fed(reader, [b"C6 CA E2 61 80\r\n04 A3 C6 CA E2 61 80\r\n"], now=10.01)) == [NTAG]
    reader.start(20.0)
    assert tags(fed(reader, [b"70 d4 4f 53\r\n"], now=21.0)) == ["70D44F53"]
    reader.start(30.0)
    assert tags(fed(reader, [b"C6 CA E2 61 80"], now=30.01)) == []
    assert tags(reader.tick(30.3)) == []
    assert tags(fed(reader, [b"70 d4 4f 53\r\n"], now=31.0)) == ["70D44F53"]


def test_departures() -> None:
    assert read("not:74-10-37-94\n")[0].uid.data == bytes.fromhex("74103794")
    assert read("Reader 1: Card removed\n") == [Gone(None, 1)]


def test_collisions_and_timeouts_are_failed_rounds() -> None:
    out = read("MIFARE_Read() failed: Timeout in communication.\r\nCollision detected.\r\n")
    assert [type(each) for each in out] == [Failed, Failed]


def test_a_pattern_of_ones_own() -> None:
    reader = TextReader(Presence.REPORTED, pattern=r"pad(?P<antenna>\d) (?P<gone>-)?<(?P<uid>[0-9a-f]+)>")
    assert tags(fed(reader, [b"pad4 <04a3c6cae26180>\r\n"])) == [NTAG]
    (gone,) = read("pad4 -<04a3c6cae26180>\r\n", reader)
    assert isinstance(gone, Gone)
    assert gone.antenna == 4
    assert read("70 d4 4f 53\r\n", reader) == []


@pytest.mark.parametrize("pattern", ["(", "[0-9]+", "(?P<id>..)"])
def test_a_pattern_that_cannot_be_used(pattern: str) -> None:
    with pytest.raises(BadPattern, match=r"The pattern .*\."):
        TextReader(pattern=pattern)


def test_lines_around_binary_bytes_are_not_whole() -> None:
    lines = Lines()
    assert lines.feed(b"one\r\ntw\x00o\r\nthree\n", 0.0) == [
        Line("one", True), Line("tw", False), Line("o", False), Line("three", True),
    ]  # fmt: skip
    assert Lines().feed("Läs kort\n".encode(), 0.0) == [Line("Läs kort", True)]


def test_half_a_line_is_given_up_in_the_end_and_is_no_card() -> None:
    reader = TextReader()
    assert tags(fed(reader, [b"hello\r\n04 A3 C6 CA"])) == []
    assert reader.tick(12.1) == []
    assert reader.wake is None
    assert tags(fed(reader, [b"70 d4 4f 53\r\n"], now=13.0)) == ["70D44F53"]


def test_a_line_with_bytes_that_are_no_text_says_nothing() -> None:
    assert read(b"UID: 70 d4 4f 53 \xff\r\n") == []
