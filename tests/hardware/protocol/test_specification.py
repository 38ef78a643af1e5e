"""`firmware_protocol.md` and the codec say the same."""

import re

import pytest

from hardware.protocol import (
    LAYOUTS,
    MAX_ENCODED,
    MAX_LINE,
    UID_MAX,
    UID_MIN,
    Ability,
    Change,
    Code,
    Feature,
    FrameDecoder,
    Health,
    Level,
    LineDecoder,
    MalformedMessage,
    Pattern,
    Reset,
    Role,
    Sound,
    Technologies,
    Technology,
    crc16,
    decode,
    decode_line,
    encode,
    encode_line,
)
from hardware.protocol.binary import MAX_BODY, encode_body
from tests.hardware.protocol.spec import PAGE, blocks, crc_by_division, frame_by_hand, framings

VECTORS = blocks("vector")
INVALID = blocks("invalid")


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: v["name"])
def test_a_vector_is_what_the_codec_says(vector: dict[str, str]) -> None:
    body, frame = bytes.fromhex(vector["body"]), bytes.fromhex(vector["frame"])
    line = vector["line"].encode()
    message = decode(frame.strip(b"\0"))
    assert encode_body(message) == body
    assert encode(message) == frame == frame_by_hand(body)
    assert decode_line(line, check=True) == message
    assert encode_line(message, check=True) == line + b"\n"
    assert LAYOUTS[type(message)].name == vector["name"].split(",")[0].split(" ")[0]


def test_there_is_a_vector_for_every_message() -> None:
    shown = {type(decode(bytes.fromhex(v["frame"]).strip(b"\0"))) for v in VECTORS}
    assert shown == set(LAYOUTS)


@pytest.mark.parametrize("invalid", INVALID, ids=lambda v: v["reason"])
def test_what_must_be_thrown_away_is_and_the_next_frame_is_not(invalid: dict[str, str]) -> None:
    good = bytes.fromhex(VECTORS[0]["frame"])
    error, message = FrameDecoder().feed(bytes.fromhex(invalid["frame"]) + good)
    assert isinstance(error, MalformedMessage)
    assert message == decode(good.strip(b"\0"))


def test_only_the_first_examples_of_what_is_invalid_have_a_wrong_frame() -> None:
    """The others are refused for what they say, so their framing must be sound."""
    for invalid in INVALID[3:-1]:
        frame = bytes.fromhex(invalid["frame"])
        data = bytearray()
        rest = frame.strip(b"\0")
        while rest:
            data += rest[1 : rest[0]] + b"\0"
            rest = rest[rest[0] :]
        assert crc_by_division(bytes(data[:-1])) == 0, invalid["reason"]


def test_the_framing_is_that_of_the_page() -> None:
    pairs = list(framings())
    assert len(pairs) == 3
    for body, frame in pairs:
        assert frame_by_hand(body) == frame


def test_the_check_value() -> None:
    assert crc16(b"123456789") == crc_by_division(b"123456789") == 0x29B1
    assert "0x29B1" in PAGE


def test_the_table_of_messages_is_that_of_the_codec() -> None:
    rows = re.findall(r"^\| ([0-9A-F]{2}) \| `(\w+)` \| (host|reader)", PAGE, re.MULTILINE)
    assert {(int(code, 16), name) for code, name, _ in rows} == {(s.code, s.name) for s in LAYOUTS.values()}
    assert all((int(code, 16) >= 0x80) == (origin == "reader") for code, _, origin in rows)


@pytest.mark.parametrize(
    "kind",
    [Ability, Change, Code, Feature, Health, Level, Pattern, Reset, Role, Sound, Technologies, Technology],
)
def test_every_choice_is_on_the_page_with_its_number(kind: type) -> None:
    for member in kind:
        name = re.escape(member.name.lower())
        assert re.search(rf"\b{int(member)} (\| )?`{name}`", PAGE), member


def test_every_field_is_on_the_page() -> None:
    for spec in LAYOUTS.values():
        for name, _ in spec.layout:
            assert f"`{name}`" in PAGE, (spec.name, name)


def test_the_limits_are_those_of_the_page() -> None:
    for text in (
        f"2 to {MAX_BODY} bytes",
        f"More than **{MAX_ENCODED}** bytes",
        f"a length of {UID_MIN} to {UID_MAX}",
        f"at most {MAX_LINE:,} bytes",
    ):
        assert text in PAGE


def test_a_line_without_its_check_is_no_line_of_a_serial_port() -> None:
    line = VECTORS[0]["line"].encode()
    bare = re.sub(rb',"crc":"[0-9A-F]{4}"', b"", line)
    assert decode_line(bare, check=False) == decode_line(line, check=True)
    for wrong, check in ((bare, True), (line, False), (line.replace(b"hello", b"hallo"), True)):
        (error,) = LineDecoder(check).feed(wrong + b"\n")
        assert isinstance(error, MalformedMessage)
