"""Both encodings: whatever goes in comes out, and whatever comes in does no harm."""

import itertools
import json
import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.protocol import (
    MAX_LINE,
    Ack,
    Change,
    DetectingWire,
    Feature,
    Feedback,
    FrameDecoder,
    Health,
    Hello,
    InvalidMessage,
    LineDecoder,
    MalformedMessage,
    Message,
    Notice,
    Pattern,
    Present,
    Status,
    Tag,
    Tags,
    Technology,
    decode,
    decode_line,
    encode,
    encode_line,
    from_json,
    to_json,
)
from hardware.protocol.binary import cobs_decode, cobs_encode
from tests.hardware.protocol.spec import frame_by_hand
from tests.hardware.protocol.strategies import messages

A_TAG = Tag(
    event=7,
    change=Change.PLACED,
    antenna=0,
    technology=Technology.ISO14443A,
    signal=None,
    uptime_ms=1,
    uid=bytes.fromhex("04A3C6CAE26180"),
)


def pieces(data: bytes, cuts: list[int]) -> list[bytes]:
    """``data`` cut at these places."""
    places = sorted({cut % (len(data) + 1) for cut in cuts} | {0, len(data)})
    return [data[a:b] for a, b in itertools.pairwise(places)]


def read(decoder: FrameDecoder | LineDecoder, chunks: list[bytes]) -> list[Message | str]:
    """What came out, errors as text so that they compare."""
    found = [item for chunk in chunks for item in decoder.feed(chunk)]
    return [str(item) if isinstance(item, MalformedMessage) else item for item in found]


@given(messages)
def test_every_message_survives_both_forms(message: Message) -> None:
    frame = encode(message)
    assert frame[0] == frame[-1] == 0
    assert 0 not in frame[1:-1]
    assert decode(frame[1:-1]) == message
    assert decode_line(encode_line(message, check=True).rstrip(), check=True) == message
    assert decode_line(encode_line(message, check=False).rstrip(), check=False) == message
    assert from_json(json.loads(json.dumps(to_json(message)))) == message


@given(st.lists(messages, max_size=6), st.lists(st.integers(0, 10_000), max_size=30))
def test_chunking_changes_nothing(given_messages: list[Message], cuts: list[int]) -> None:
    frames = b"".join(encode(message) for message in given_messages)
    assert read(FrameDecoder(), pieces(frames, cuts)) == given_messages
    lines = b"".join(encode_line(message, check=True) for message in given_messages)
    assert read(LineDecoder(check=True), pieces(lines, cuts)) == given_messages


@given(st.lists(st.tuples(st.binary(max_size=150), messages), max_size=6), st.binary(max_size=150))
def test_noise_between_frames_loses_none(items: list[tuple[bytes, Message]], tail: bytes) -> None:
    data = b"".join(noise + encode(message) for noise, message in items) + tail + b"\0"
    found = [item for item in FrameDecoder().feed(data) if isinstance(item, Message)]
    wanted = [message for _, message in items]
    # Noise with a sound check of its own is possible and does not occur.
    assert found == wanted


@given(st.lists(st.tuples(st.binary(max_size=150), messages), max_size=6))
def test_noise_between_lines_loses_none(items: list[tuple[bytes, Message]]) -> None:
    data = b"".join(noise + b"\r\n" + encode_line(message, check=True) for noise, message in items)
    found = [item for item in LineDecoder(check=True).feed(data) if isinstance(item, Message)]
    assert found == [message for _, message in items]


@given(messages, st.data())
def test_one_wrong_bit_gives_no_other_message(message: Message, data: st.DataObject) -> None:
    frame = bytearray(encode(message))
    bit = data.draw(st.integers(0, 8 * len(frame) - 1))
    frame[bit // 8] ^= 1 << bit % 8
    found = [item for item in FrameDecoder().feed(bytes(frame)) if isinstance(item, Message)]
    assert found in ([], [message])  # the second: a zero at either end was hit


@given(messages, st.data())
def test_one_wrong_bit_in_a_line_gives_no_other_message(message: Message, data: st.DataObject) -> None:
    line = bytearray(encode_line(message, check=True))
    bit = data.draw(st.integers(0, 8 * len(line) - 9))
    line[bit // 8] ^= 1 << bit % 8
    found = [item for item in LineDecoder(check=True).feed(bytes(line)) if isinstance(item, Message)]
    assert found == []


@given(st.lists(st.binary(max_size=300), max_size=20))
def test_garbage_never_raises_and_chunking_it_changes_nothing(chunks: list[bytes]) -> None:
    whole = b"".join(chunks)
    assert read(FrameDecoder(), chunks) == read(FrameDecoder(), [whole])
    for check in (True, False):
        assert read(LineDecoder(check), chunks) == read(LineDecoder(check), [whole])


@given(st.binary(min_size=2, max_size=94))
def test_a_body_is_read_in_one_way_only_or_refused(body: bytes) -> None:
    """A frame with a sound check around any bytes: what is accepted is written in the same way again."""
    try:
        message = decode(frame_by_hand(body)[1:-1])
    except MalformedMessage:
        return
    if not isinstance(message, Hello):  # the only message with bits for the future
        assert encode(message) == frame_by_hand(body)


@settings(max_examples=300)
@given(messages, st.data())
def test_a_changed_body_with_a_sound_check_is_read_in_one_way_only_or_refused(
    message: Message, data: st.DataObject
) -> None:
    body = bytearray(cobs_decode(encode(message)[1:-1])[:-2])
    at = data.draw(st.integers(0, len(body) - 1))
    body[at] = data.draw(st.integers(0, 255))
    try:
        changed = decode(frame_by_hand(bytes(body))[1:-1])
    except MalformedMessage:
        return
    if not isinstance(changed, Hello):
        assert encode(changed) == frame_by_hand(bytes(body))


@given(st.binary(max_size=1000))
def test_cobs(data: bytes) -> None:
    stuffed = cobs_encode(data)
    assert 0 not in stuffed
    assert cobs_decode(stuffed) == data


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


@given(messages, st.data())
def test_a_json_value_in_the_wrong_place_is_refused_or_means_the_same_in_bytes(
    message: Message, data: st.DataObject
) -> None:
    shown = to_json(message)
    name = data.draw(st.sampled_from(sorted(shown)))
    shown[name] = data.draw(JSON)
    try:
        changed = from_json(shown)
    except MalformedMessage:
        return
    assert type(changed) is type(message)
    assert (
        to_json(changed) == shown or isinstance(changed, Hello) or name in {"features", "health", "abilities"}
    )


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"ack","seq":0,"event":1,"event":2}',
        b'{"type":"ack","seq":0,"event":1,"more":2}',
        b'{"type":"ack","seq":0}',
        b'{"type":"ack","seq":false,"event":1}',
        b'{"type":"ack","seq":0,"event":true}',
        b'{"type":"ack","seq":0,"event":1.0}',
        b'{"type":"ack","seq":0,"event":NaN}',
        b'{"type":"ack","seq":0,"event":' + b"9" * 1500 + b"}",
        b'{"type":["ack"],"seq":0,"event":1}',
        b'["ack"]',
        b"[" * 2000,
        b'{"type":"notice","level":"info","antenna":255,"text":"\\ud800"}',
        b'{"type":"notice","level":"INFO","antenna":255,"text":""}',
        b'\xff{"type":"ack","event":1}',
    ],
)
def test_lines_that_are_no_message(line: bytes) -> None:
    (error,) = LineDecoder(check=False).feed(line + b"\n")
    assert isinstance(error, MalformedMessage)


def test_a_line_may_leave_out_a_seq_of_zero() -> None:
    assert decode_line(b'{"event":1,"type":"ack"}', check=False) == Ack(event=1)


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n", b"\n\r\n"])
def test_every_kind_of_line_end(end: bytes) -> None:
    line = encode_line(A_TAG, check=True).rstrip()
    assert LineDecoder(check=True).feed((line + end) * 3) == [A_TAG] * 3


@pytest.mark.parametrize(
    "message",
    [
        Ack(event=-1),
        Ack(event=1 << 32),
        Ack(event=True),
        Ack(seq=1, event=1),
        Hello(seq=0, min_version=1, max_version=1, features=Feature(0), nonce=0),
        Feedback(seq=1, antenna=0, id=0, pattern=Pattern.OK),
        Feedback(seq=1, antenna=0, id=1, pattern=1),
        Notice(level=0, antenna=0, text=""),
        msgspec.structs.replace(A_TAG, uid=b"\x04\xa3\xc6"),
        msgspec.structs.replace(A_TAG, uid=bytes(33)),
        msgspec.structs.replace(A_TAG, uid="04A3C6CA"),
        msgspec.structs.replace(A_TAG, event=0),
        msgspec.structs.replace(A_TAG, signal=1),
        Tags(seq=1, as_of=0, part=0, last=1, tags=()),
        Tags(seq=1, as_of=0, part=0, last=True, tags=(A_TAG,)),
    ],
)
def test_what_cannot_be_said_is_not_sent(message: Message) -> None:
    with pytest.raises(InvalidMessage):
        encode(message)
    with pytest.raises(InvalidMessage):
        encode_line(message, check=True)


def test_a_message_that_is_too_long_for_a_frame_is_not_sent() -> None:
    tags = tuple(Present(at, Technology.ISO14443A, bytes(7)) for at in range(10))
    with pytest.raises(InvalidMessage, match="room for 94"):
        encode(Tags(seq=1, as_of=0, part=0, last=True, tags=tags))


def test_the_longest_health_fits_both_forms() -> None:
    status = Status(
        uptime_ms=2**32 - 1,
        last_event=2**32 - 1,
        bad_frames=65535,
        lost_events=65535,
        health=(Health(15),) * 32,
    )
    assert decode(encode(status)[1:-1]) == status
    assert 1500 < len(encode_line(status, check=True)) < MAX_LINE


def test_a_later_host_may_offer_features_that_we_do_not_know() -> None:
    body = bytes.fromhex("01 01 01 05 80 05 00 00 00 09")
    message = decode(frame_by_hand(body)[1:-1])
    assert isinstance(message, Hello)
    assert message.features == Feature.FEEDBACK | Feature.NOTICES
    with pytest.raises(MalformedMessage):  # but a reader does not answer with them
        decode(frame_by_hand(bytes.fromhex("82 01 00 00 00 01 01 80 00"))[1:-1])


def test_a_decoder_holds_one_frame_at_most() -> None:
    decoder, lines = FrameDecoder(), LineDecoder(check=True)
    for _ in range(1000):
        assert decoder.feed(b"\x55" * 1000) == []
        assert lines.feed(b"\x55" * 1000) == []
    assert len(decoder._buffer) + len(lines._buffer) < 3000
    assert [type(item) for item in decoder.feed(b"\0" + encode(A_TAG))] == [MalformedMessage, Tag]
    assert [type(item) for item in lines.feed(b"\n" + encode_line(A_TAG, check=True))] == [
        MalformedMessage,
        Tag,
    ]


@pytest.mark.slow
def test_ten_million_bytes_of_noise() -> None:
    draw = random.Random(4)
    frames, lines = FrameDecoder(), LineDecoder(check=True)
    # Half of it from few bytes, so that zeros, line ends and short frames are frequent.
    few = bytes([0, 1, 2, 3, 6, 10, 13, 34, 44, 58, 123, 125])
    for turn in range(1000):
        noise = draw.randbytes(10_000) if turn % 2 else bytes(draw.choices(few, k=10_000))
        assert not [item for item in lines.feed(noise) if isinstance(item, Message)]
        for item in frames.feed(noise):
            if isinstance(item, Message):  # one damaged frame in 65,536 has a sound check
                assert encode(item)
    frames.feed(b"\0")
    lines.feed(b"\n")
    assert frames.feed(encode(A_TAG)) == [A_TAG]
    assert lines.feed(encode_line(A_TAG, check=True)) == [A_TAG]


def test_the_form_is_found_out_by_the_first_message() -> None:
    for spoken in (encode(A_TAG), b"boot: v1\r\n" + encode_line(A_TAG, check=True)):
        wire = DetectingWire()
        both = wire.encode(Ack(event=1))
        assert Ack(event=1) in FrameDecoder().feed(both)
        assert Ack(event=1) in LineDecoder(check=True).feed(both + b"\n")
        assert wire.feed(b"ets Jan  8 2013\r\n\0\xff") == []
        assert wire.feed(spoken) == [A_TAG]
        assert wire.known is not None
        assert wire.known.feed(wire.encode(A_TAG)) == [A_TAG]
        assert (wire.encode(A_TAG) == encode(A_TAG)) == (spoken == encode(A_TAG))


def test_no_error_tells_the_identifier_of_a_tag_or_anything_long() -> None:
    shown = to_json(A_TAG) | {"uid": "04a3c6cae26180"}
    with pytest.raises(MalformedMessage) as error:
        from_json(shown)
    assert "c6ca" not in str(error.value).lower()
    for wrong in (
        msgspec.structs.replace(A_TAG, uid="04A3C6CA"),
        msgspec.structs.replace(A_TAG, uid=b"\xc6\xca"),
    ):
        with pytest.raises(InvalidMessage) as refused:
            encode(wrong)
        assert "c6" not in str(refused.value).lower()
    for long in ({"type": "x" * 1500}, to_json(A_TAG) | {"change": "\x1b[2J" * 300}):
        with pytest.raises(MalformedMessage) as error:
            from_json(long)
        assert len(str(error.value)) < 100
        assert str(error.value).isprintable()
