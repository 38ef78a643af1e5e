"""JSON lines, TWN4, keyboard wedges, and building a reader by name."""

import json

import pytest

from hardware.readers import (
    PROFILES,
    Failed,
    Gone,
    Health,
    Listing,
    NdjsonReader,
    Presence,
    Remark,
    Restarted,
    Seen,
    TextReader,
    Twn4Reader,
    Unclear,
    UnknownReader,
    WedgeReader,
    make,
    scan,
)
from hardware.uids import Technology

from .feeding import every_split, fed, h, hexes, sent, tags

CARD = (
    '{"type":"card","ts":"T+12345","device_id":"AA:BB:CC:DD:EE:FF","seq":7,'
    '"card_uid":"04 0e 3b d2 28 6b 85","tech":"MIFARE","rssi":0}\n'
)


def json_line(**fields: object) -> bytes:
    return json.dumps(fields).encode() + b"\n"


def test_a_card_in_json() -> None:
    for pieces in ([CARD.encode()], *every_split(CARD.encode())):
        (seen,) = fed(NdjsonReader(), pieces)
        assert isinstance(seen, Seen)
        assert (hexes([seen.uid]), seen.strength) == (["040E3BD2286B85"], None)


def test_json_says_more_than_cards() -> None:
    reader = NdjsonReader()
    (on,) = fed(reader, [json_line(type="tag_on", antenna=3, uid="45C52583", rssi=-40)])
    assert isinstance(on, Seen)
    assert (on.antenna, on.strength) == (3, -40)
    (off,) = fed(reader, [json_line(type="tag_off", antenna=3, uid="45C52583")])
    assert off == Gone(on.uid, 3)
    assert fed(reader, [json_line(event="removed", reader="2")]) == [Gone(None, 2)]
    (boot,) = fed(reader, [json_line(type="boot", fw_version="1", reason="brownout")])
    assert isinstance(boot, Restarted)
    assert "brownout" in boot.why
    (error,) = fed(reader, [json_line(type="error", code=3, message="rc522 \x07deaf")])
    assert isinstance(error, Remark)
    assert "\x07" not in error.text
    (listing,) = fed(
        reader, [json_line(type="snapshot", antenna=1, uids=["45C52583", "04:A3:C6:CA:E2:61:80"])]
    )
    assert isinstance(listing, Listing)
    assert (hexes(listing.uids), listing.antenna, listing.final) == (["45C52583", "04A3C6CAE26180"], 1, True)
    assert fed(reader, [json_line(type="collision")]) == [Failed("several cards overlap", 0)]
    assert isinstance(fed(reader, [json_line(uid="ac8c5ea")])[0], Unclear)


@pytest.mark.parametrize(
    ("reader", "uid"),
    [("RC522", "BA839D07"), ("PN532", "04A3C6CAE26180"), ("RDM6300", "008EC793")],
)
def test_objects_of_tasmota(reader: str, uid: str) -> None:
    line = json_line(Time="2024-05-01T20:15:03", **{reader: {"UID": uid, "Data": ""}})
    assert tags(fed(NdjsonReader(), [line])) == [uid]


@pytest.mark.parametrize(
    "line",
    [
        b"{}\n", b"[1]\n", b"not json\n", b'{"uid":5}\n', b'{"uid":"45C5', b'{"ENERGY":{"Total":1}}\n',
        b'{"uid":"45C52583","x":' + b"[" * 900 + b"\n", b'{"type":[[]],"uid":null}\n', b'{"uids":[1,{}]}\n',
        b'{"type":"heartbeat","antenna":true}\n',
        b'{"message":' + b"[" * 300 + b"]" * 300 + b',"type":"error"}\n',
    ],
)  # fmt: skip
def test_json_that_is_no_card(line: bytes) -> None:
    assert not [each for each in fed(NdjsonReader(), [line]) if isinstance(each, Seen | Listing)]


def test_odd_antennas_are_antenna_zero() -> None:
    for antenna in (-1, 256, 1e9, True, None, "x", "9999", [1]):
        (seen,) = fed(NdjsonReader(), [json_line(uid="45C52583", antenna=antenna)])
        assert isinstance(seen, Seen)
        assert seen.antenna == 0


TWN4_TAG = b"000180380704A3C6CAE26180\r"


def test_twn4_is_asked_and_answers() -> None:
    reader = Twn4Reader()
    assert sent(reader.start(0.0)) == [b"050010\r"]
    out = reader.feed(b"0000\r", 0.1)
    assert [each for each in out if isinstance(each, Listing)] == [Listing(())]
    assert reader.wake is not None
    assert sent(reader.tick(reader.wake)) == [b"050010\r"]
    (listing,) = reader.feed(TWN4_TAG, 0.3)
    assert isinstance(listing, Listing)
    assert hexes(listing.uids) == ["04A3C6CAE26180"]
    assert listing.uids[0].technology is Technology.ISO14443A


def test_twn4_in_any_pieces() -> None:
    for pieces in every_split(TWN4_TAG):
        reader = Twn4Reader()
        reader.start(0.0)
        out = [each for piece in pieces for each in reader.feed(piece, 0.1)]
        assert [hexes(each.uids) for each in out if isinstance(each, Listing)] == [["04A3C6CAE26180"]]


def test_twn4_bits_that_do_not_fill_the_bytes() -> None:
    reader = Twn4Reader()
    reader.start(0.0)
    out = reader.feed(b"0001491A0402345678\r", 0.1)
    assert [hexes(each.uids) for each in out if isinstance(each, Listing)] == [["02345678"]]
    for wrong in (
        b"000180380604A3C6CAE26180\r",
        b"000180380704A3C6CAE2618011\r",
        b"0001802807010203040506\r",
        b"0001803807\r",
        b"00\r",
    ):
        reader.tick(reader.wake or 0.0)
        assert not [each for each in reader.feed(wrong, 0.2) if isinstance(each, Listing)]


def test_twn4_that_does_not_answer_or_answers_with_an_error() -> None:
    reader = Twn4Reader()
    reader.start(0.0)
    assert reader.feed(b"01\r", 0.1) == [Failed("the reader answers with error 01")]
    out = [each for n in range(1, 8) for each in reader.tick(n * 0.6)]
    assert [each.well for each in out if isinstance(each, Health)] == [False]
    assert [each.well for each in reader.feed(b"0000\r", 6.0) if isinstance(each, Health)] == [True]


def test_twn4_with_the_firmware_that_types_ids() -> None:
    reader = Twn4Reader()
    reader.start(0.0)
    out = reader.feed(b"04A3C6CAE26180\r", 0.1)
    assert [type(each) for each in out] == [Remark]
    assert reader.feed(b"04A3C6CAE26180\r", 0.2) == []


@pytest.mark.parametrize(
    ("line", "uid"),
    [
        ("0006102437", "005D1DA5"),
        ("093,07589", "5D1DA5"),
        ("4113019379", "F527B1F3"),
        ("04A3C6CAE26180", "04A3C6CAE26180"),
    ],
)
def test_p13_lines_a_wedge_types(line: str, uid: str) -> None:
    for seconds in (None, 0.1):
        seen = scan(line, seconds)
        assert isinstance(seen, Seen)
        assert seen.uid.data.hex().upper() == uid
    assert scan(line, 0.4 * len(line)) is None


@pytest.mark.parametrize("line", ["", "ask ben nines", "9H", "help", "1,0", "12", "q", "3", "bed"])
def test_what_people_type_is_no_tag(line: str) -> None:
    assert scan(line) is None
    assert scan(line, 0.2 * len(line)) is None


def test_a_wedge_that_was_interrupted() -> None:
    assert isinstance(scan("00061", 0.05), Unclear)
    assert scan("00061") is None


def test_a_stream_of_keys() -> None:
    reader = WedgeReader()
    out = []
    for n, key in enumerate(b"0006102437\n"):
        out += reader.feed(bytes([key]), 1.0 + n * 0.01)
    assert tags(out) == ["005D1DA5"]
    for n, key in enumerate(b"0006102437\n"):
        assert reader.feed(bytes([key]), 5.0 + n * 0.2) == []
    assert [type(each) for each in reader.feed(b"1" * 300 + b"\n", 9.0)] == [Remark]
    assert tags(reader.feed(b"0006102437\r\n0006102437\r\n", 9.1)) == ["005D1DA5"] * 2


@pytest.mark.parametrize("name", PROFILES)
def test_readers_by_name(name: str) -> None:
    assert make(name).profile.name == name


def test_readers_by_name_with_settings() -> None:
    reader = make("text", presence=Presence.REPEATED, technology=Technology.EM4100, pattern="(?P<uid>.+)")
    assert isinstance(reader, TextReader)
    assert reader.profile.presence is Presence.REPEATED
    with pytest.raises(UnknownReader, match="rdm6300"):
        make("rc522")
    assert h("00") == b"\0"
