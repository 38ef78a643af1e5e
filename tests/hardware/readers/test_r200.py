"""R200 and YRM100: notices of many tags."""

from hypothesis import given
from hypothesis import strategies as st

from hardware.readers import Failed, Health, R200Reader, Seen

from .feeding import every_split, fed, h, sent, tags

VENDOR = h("BB 02 22 00 11 C9 34 00 30 75 1F EB 70 5C 59 04 E3 D5 0D 70 3A 76 EF 7E")
REAL = h("BB 02 22 00 11 CF 30 00 E2 80 69 95 00 00 50 09 F1 28 69 92 62 0A 6D 7E")
NO_TAG = h("BB 01 FF 00 01 15 16 7E")
EPC_VENDOR = "30751FEB705C5904E3D50D70"
EPC_REAL = "E280699500005009F1286992"


def test_the_notices_of_the_vendor_and_of_a_real_module() -> None:
    out = [each for each in fed(R200Reader(), [VENDOR + REAL]) if isinstance(each, Seen)]
    assert [(each.uid.data.hex().upper(), each.strength) for each in out] == [
        (EPC_VENDOR, -55),
        (EPC_REAL, -49),
    ]


def test_p08_each_frame_in_any_pieces() -> None:
    for frame, epc in ((VENDOR, EPC_VENDOR), (REAL, EPC_REAL)):
        for pieces in every_split(frame):
            assert tags(fed(R200Reader(), pieces)) == [epc]


def test_an_empty_round_is_no_error() -> None:
    out = fed(R200Reader(), [NO_TAG * 5])
    assert out == [Health(True, "The reader answers.")]
    assert [type(each) for each in fed(R200Reader(), [h("BB 01 FF 00 01 17 18 7E")])] == [Health, Failed]


def test_p23_two_hundred_notices_one_of_them_cut() -> None:
    frames = [VENDOR if n % 2 else REAL for n in range(200)]
    frames[77] = frames[77][:11]
    assert len(tags(fed(R200Reader(), [b"".join(frames)]))) == 199


def test_marks_inside_a_notice() -> None:
    body = h("02 22 00 11 C9 34 00") + b"\xbb\x7e\xbb\x7e\xbb\x02\x22\x00\x11\x7e\x7e\xbb" + h("3A 76")
    frame = b"\xbb" + body + bytes([sum(body) & 0xFF, 0x7E])
    assert tags(fed(R200Reader(), [frame + VENDOR])) == ["BB7EBB7EBB022200117E7EBB", EPC_VENDOR]


def test_it_is_asked_to_poll_and_asked_again_after_silence() -> None:
    reader = R200Reader()
    assert sent(reader.start(0.0)) == [h("BB 00 28 00 00 28 7E") + h("BB 00 27 00 03 22 FF FF 4A 7E")]
    assert sent(reader.feed(NO_TAG, 1.5)) == []
    assert reader.tick(2.5) == []
    assert sent(reader.tick(3.6)) == [h("BB 00 27 00 03 22 FF FF 4A 7E")]


def test_silence_of_the_module_is_told() -> None:
    reader = R200Reader()
    reader.start(0.0)
    out = [each for second in range(1, 12) for each in reader.tick(float(second))]
    assert [each.well for each in out if isinstance(each, Health)] == [False]
    assert [each.well for each in reader.feed(NO_TAG, 12.0) if isinstance(each, Health)] == [True]


def test_half_a_frame_that_nothing_follows() -> None:
    reader = R200Reader()
    reader.feed(h("BB 02 22 00 60"), 0.0)
    assert tags(reader.feed(VENDOR, 0.05)) == []
    assert tags(reader.tick(0.4)) == [EPC_VENDOR]


@given(st.lists(st.binary(max_size=30).filter(lambda noise: 0xBB not in noise), min_size=3, max_size=3))
def test_noise_between_frames_costs_none_of_them(noise: list[bytes]) -> None:
    assert tags(fed(R200Reader(), [b"".join(piece + REAL for piece in noise)])) == [EPC_REAL] * 3


@given(st.integers(0, len(REAL) - 1), st.integers(0, 7))
def test_a_flipped_bit_never_gives_another_card(at: int, bit: int) -> None:
    flipped = bytearray(REAL)
    flipped[at] ^= 1 << bit
    assert set(tags(fed(R200Reader(), [bytes(flipped)]))) <= {EPC_REAL}
