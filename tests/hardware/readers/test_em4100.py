"""RDM6300, ID-12 and ID-20: the bytes seen on real wires."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.readers import Em4100Reader

from .feeding import every_split, fed, h, tags

FRAMES = {
    "02 31 33 30 30 35 44 31 44 41 35 46 36 03": "13005D1DA5",
    "02 31 34 30 30 38 45 43 37 39 33 43 45 03": "14008EC793",
    "02 31 46 30 30 36 34 34 42 42 36 38 36 03": "1F00644BB6",
    "02 30 35 30 30 32 30 37 42 33 32 36 43 0D 0A 03": "0500207B32",
    "02 30 43 30 30 30 36 32 31 41 35 38 45 0D 0A 03": "0C000621A5",
    "02 30 31 31 34 41 45 33 42 42 43 3C 03": "0114AE3BBC",
    "02 30 31 43 38 46 30 30 38 30 30 33 31 03": "01C8F00800",
    "02 30 30 30 30 30 30 30 30 30 30 30 30 03": "0000000000",
}
RDM = h("02 31 33 30 30 35 44 31 44 41 35 46 36 03")


@pytest.mark.parametrize(("frame", "uid"), FRAMES.items())
def test_p05_p06_p07_p08_each_frame_in_any_pieces(frame: str, uid: str) -> None:
    assert tags(fed(Em4100Reader(), [h(frame)])) == [uid]
    for pieces in every_split(h(frame)):
        assert tags(fed(Em4100Reader(), pieces)) == [uid]


def test_p06_a_wrong_raw_checksum_is_refused() -> None:
    wrong = h("02 30 31 31 34 41 45 33 42 42 43 3D 03")
    assert tags(fed(Em4100Reader(), [wrong])) == []
    assert tags(fed(Em4100Reader(), [wrong, RDM])) == ["13005D1DA5"]


def test_a_raw_checksum_may_be_any_byte() -> None:
    for last in range(256):
        data = bytes([1, 2, 3, 4, last])
        check = 1 ^ 2 ^ 3 ^ 4 ^ last
        frame = b"\x02" + data.hex().upper().encode() + bytes([check]) + b"\x03"
        assert tags(fed(Em4100Reader(), [frame, RDM])) == [data.hex().upper(), "13005D1DA5"], hex(check)


def test_p09_frames_that_come_together() -> None:
    assert tags(fed(Em4100Reader(), [RDM * 3])) == ["13005D1DA5"] * 3


def test_p10_a_pause_of_200_ms_inside_a_frame() -> None:
    assert tags(fed(Em4100Reader(), [RDM[:5], RDM[5:9], RDM[9:]], gap=0.2)) == ["13005D1DA5"]


def test_half_a_frame_is_given_up_in_the_end() -> None:
    reader = Em4100Reader()
    assert tags(fed(reader, [RDM[:5], RDM[5:]], gap=0.6)) == []
    assert reader.wake is None
    assert tags(fed(reader, [RDM], now=20.0)) == ["13005D1DA5"]


@pytest.mark.parametrize("cut", range(1, 14))
def test_p11_half_a_frame_and_then_a_whole_one(cut: int) -> None:
    assert tags(fed(Em4100Reader(), [RDM[:cut] + RDM])) == ["13005D1DA5"]


@given(st.integers(0, 13), st.integers(0, 7))
def test_a_flipped_bit_never_gives_another_card(at: int, bit: int) -> None:
    flipped = bytearray(RDM)
    flipped[at] ^= 1 << bit
    assert set(tags(fed(Em4100Reader(), [bytes(flipped)]))) <= {"13005D1DA5"}


@given(st.lists(st.binary(max_size=40).filter(lambda noise: 2 not in noise), min_size=3, max_size=3))
def test_noise_between_frames_costs_none_of_them(noise: list[bytes]) -> None:
    stream = b"".join(piece + RDM for piece in noise)
    assert tags(fed(Em4100Reader(), [stream])) == ["13005D1DA5"] * 3
