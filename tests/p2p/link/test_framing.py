"""Frames in pieces of any size, and lengths that are refused in time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.link import FrameDecoder, FrameRefused, frame

PAYLOADS = st.lists(st.binary(min_size=1, max_size=40), max_size=8)


def drain(decoder: FrameDecoder) -> list[bytes]:
    found = []
    while (payload := decoder.next_frame()) is not None:
        found.append(payload)
    return found


@given(PAYLOADS, st.lists(st.integers(1, 30), max_size=40))
def test_frames_come_back_however_the_stream_is_cut(payloads: list[bytes], cuts: list[int]) -> None:
    stream = b"".join(map(frame, payloads))
    decoder, found, at = FrameDecoder(40), [], 0
    for cut in [*cuts, len(stream)]:
        decoder.feed(stream[at : at + cut])
        at += cut
        found += drain(decoder)
    assert found == payloads


@given(st.binary(max_size=100))
def test_any_bytes_are_taken_or_refused_and_never_kept_beyond_the_maximum(data: bytes) -> None:
    decoder = FrameDecoder(16)
    for number in range(len(data)):
        decoder.feed(data[number : number + 1])
        try:
            drain(decoder)
        except FrameRefused:
            break
        assert len(decoder._buffer) < 4 + 16


@pytest.mark.parametrize("size", [0, 17, 2**32 - 1])
def test_a_length_is_refused_before_anything_is_waited_for(size: int) -> None:
    decoder = FrameDecoder(16)
    decoder.feed(size.to_bytes(4, "big"))
    with pytest.raises(FrameRefused, match=f"a frame of {size} bytes where 1 to 16 are allowed"):
        decoder.next_frame()


def test_the_maximum_itself_is_allowed() -> None:
    decoder = FrameDecoder(16)
    decoder.feed(frame(bytes(16)))
    assert decoder.next_frame() == bytes(16)


def test_a_maximum_raised_between_two_frames_counts_for_the_second() -> None:
    """The last message of a handshake and a large first frame may arrive in one piece."""
    decoder = FrameDecoder(16)
    decoder.feed(frame(b"accept") + frame(bytes(1000)))
    assert decoder.next_frame() == b"accept"
    decoder.maximum = 1000
    assert decoder.next_frame() == bytes(1000)


def test_an_empty_frame_is_not_made() -> None:
    with pytest.raises(ValueError, match="never empty"):
        frame(b"")
