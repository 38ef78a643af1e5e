"""PN532 over UART: frames seen on real wires, and the machine that drives the chip."""

from hypothesis import given
from hypothesis import strategies as st

from hardware.readers import Failed, Health, Listing, Pn532Reader, Remark, Send
from hardware.readers.pn532_frames import Acknowledged, Answer, FrameDecoder, Rejected, command

from .feeding import every_split, h, hexes, sent

ACK = h("00 00 FF 00 FF 00")
VERSION_ASKED = h("00 00 FF 02 FE D4 02 2A 00")
VERSION = h("00 00 FF 06 FA D5 03 32 01 06 07 E8 00")
SAM_ASKED = h("00 00 FF 05 FB D4 14 01 14 00 03 00")
SAM = h("00 00 FF 02 FE D5 15 16 00")
FIELD_ASKED = h("00 00 FF 06 FA D4 32 05 FF 01 02 F3 00")
FIELD = h("00 00 FF 02 FE D5 33 F8 00")
LIST_TWO = h("00 00 FF 04 FC D4 4A 02 00 E0 00")
NO_TAG = h("00 00 FF 03 FD D5 4B 00 E0 00")
CLASSIC = h("00 00 FF 0C F4 D5 4B 01 01 00 04 08 04 24 D3 4F 59 2F 00")
NTAG = h("00 00 FF 0F F1 D5 4B 01 01 00 44 00 07 04 A3 C6 CA E2 61 80 99 00")
CAPTURED = h("00 00 FF 0F F1 D5 4B 01 01 00 44 00 07 04 63 F8 0A 4F 53 81 07 00")
TWO = h("00 00 FF 18 E8 D5 4B 02 01 00 04 08 04 45 C5 25 83 02 00 44 00 07 04 A3 C6 CA E2 61 80 D4 00")
AUTO = h("00 00 FF 11 EF D5 61 01 10 0C 01 00 44 00 07 04 A3 C6 CA E2 61 80 67 00")
ERROR = h("00 00 FF 01 FF 7F 81 00")


def polling(now: float = 0.0) -> Pn532Reader:
    """A reader whose chip is set up; its first listing is out."""
    reader = Pn532Reader()
    out = reader.start(now)
    assert sent(out)[0].endswith(VERSION_ASKED)
    out = reader.feed(ACK + VERSION, now)
    assert sent(out) == [SAM_ASKED]
    out = reader.feed(ACK + SAM, now)
    assert sent(out) == [FIELD_ASKED]
    out = reader.feed(ACK + FIELD, now)
    assert sent(out) == [LIST_TWO]
    return reader


def listed(answer: bytes) -> list[str]:
    (listing,) = [out for out in polling().feed(ACK + answer, 0.1) if isinstance(out, Listing)]
    return hexes(listing.uids)


def test_commands_are_those_of_the_manual() -> None:
    assert command(0x02) == VERSION_ASKED
    assert command(0x14, 1, 0x14, 0) == SAM_ASKED
    assert command(0x32, 5, 0xFF, 1, 2) == FIELD_ASKED
    assert command(0x4A, 1, 0) == h("00 00 FF 04 FC D4 4A 01 00 E1 00")
    assert command(0x4A, 2, 0) == LIST_TWO


def test_answers_to_a_listing() -> None:
    assert listed(NO_TAG) == []
    assert listed(CLASSIC) == ["24D34F59"]
    assert listed(NTAG) == ["04A3C6CAE26180"]
    assert listed(CAPTURED) == ["0463F80A4F5381"]


def test_p18_two_tags_are_two_tags() -> None:
    assert listed(TWO) == ["45C52583", "04A3C6CAE26180"]


def test_a_tag_with_an_ats_before_another_one() -> None:
    body = h("D5 4B 02 01 00 04 28 04 FD E6 08 99 05 78 80 90 02 02 00 44 00 07 04 A3 C6 CA E2 61 80")
    frame = h("00 00 FF") + bytes([len(body), -len(body) & 0xFF]) + body + bytes([-sum(body) & 0xFF, 0])
    assert listed(frame) == ["FDE60899", "04A3C6CAE26180"]


def test_p08_p09_each_answer_in_any_pieces_and_together_with_its_acknowledgement() -> None:
    for answer in (NO_TAG, CLASSIC, NTAG, TWO):
        for pieces in every_split(ACK + answer):
            reader = polling()
            out = [each for piece in pieces for each in reader.feed(piece, 0.1)]
            assert len([each for each in out if isinstance(each, Listing)]) == 1


def test_p10_an_answer_in_three_pieces_with_pauses() -> None:
    reader = polling()
    reader.feed(ACK, 0.0)
    out = []
    for n, piece in enumerate((NO_TAG[:5], NO_TAG[5:7], NO_TAG[7:])):
        out += reader.tick(0.12 * n) + reader.feed(piece, 0.12 * n)
    assert out == [Health(True, "The reader answers."), Listing(())]


def test_p22_the_first_command_is_swallowed() -> None:
    reader = Pn532Reader()
    first = sent(reader.start(0.0))
    again = sent(reader.tick(0.06))
    assert first == again
    assert first[0].startswith(h("55 55 00 00 00"))
    assert sent(reader.feed(ACK + VERSION, 0.07)) == [SAM_ASKED]


def test_p22_a_chip_that_never_answers_is_not_well_and_is_woken_again() -> None:
    reader, out, now = Pn532Reader(), [], 0.0
    out += reader.start(now)
    while now < 5.0:
        assert reader.wake is not None
        now = max(now, reader.wake)
        out += reader.tick(now)
    assert len([each for each in out if isinstance(each, Health) and not each.well]) == 1
    assert len(sent(out)) > 6
    assert all(data.endswith(VERSION_ASKED) for data in sent(out))
    assert not any(b"\xd4\x16" in data for data in sent(out)), "PowerDown"
    assert [each for each in reader.feed(ACK + VERSION, now) if isinstance(each, Remark)]


def test_p18_no_answer_is_a_failed_round_and_no_removal() -> None:
    reader = polling()
    reader.feed(ACK + NTAG, 0.0)
    asked = reader.tick(0.2)
    assert sent(asked) == [LIST_TWO]
    out = reader.tick(0.3)
    assert [type(each) for each in out] == [Failed, Send]
    assert not any(isinstance(each, Listing) for each in out)


def test_an_error_frame_repeats_the_command() -> None:
    out = polling().feed(ACK + ERROR, 0.1)
    assert [type(each) for each in out] == [Failed, Send]


def test_the_answer_of_automatic_polling() -> None:
    (listing,) = polling().feed(AUTO, 0.1)
    assert isinstance(listing, Listing)
    assert hexes(listing.uids) == ["04A3C6CAE26180"]


def test_frames_of_all_kinds() -> None:
    frames = FrameDecoder().feed(ACK + h("00 00 FF FF 00 00") + ERROR + NO_TAG)
    assert frames == [Acknowledged(), Rejected(), Rejected(), Answer(0x4B, b"\x00")]
    body = h("D5 4B") + bytes(300 - 40)
    long = h("00 00 FF FF FF") + len(body).to_bytes(2, "big") + bytes([-(1 + len(body) % 256) & 0xFF])
    long += body + bytes([-sum(body) & 0xFF, 0])
    assert FrameDecoder().feed(long + NO_TAG) == [Answer(0x4B, body[2:]), Answer(0x4B, b"\x00")]


def test_half_a_frame_in_front_costs_only_time() -> None:
    reader = polling()
    reader.feed(ACK + h("00 00 FF 30 D0 D5"), 0.0)
    out = reader.feed(NTAG, 0.1)
    assert not any(isinstance(each, Listing) for each in out)
    out = reader.tick(0.6)
    assert [hexes(each.uids) for each in out if isinstance(each, Listing)] == [["04A3C6CAE26180"]]


@given(st.binary(max_size=60))
def test_noise_between_frames_costs_none_of_them(noise: bytes) -> None:
    decoder = FrameDecoder()
    frames = decoder.feed(noise + NTAG)
    while decoder.waiting:
        frames += decoder.give_up()
    assert frames[-1] == Answer(0x4B, NTAG[7:-2])


@given(st.integers(0, len(TWO) - 1), st.integers(0, 7))
def test_a_flipped_bit_never_gives_another_card(at: int, bit: int) -> None:
    flipped = bytearray(TWO)
    flipped[at] ^= 1 << bit
    for out in polling().feed(ACK + bytes(flipped), 0.1):
        assert not isinstance(out, Listing) or hexes(out.uids) == ["45C52583", "04A3C6CAE26180"]


def test_a_length_that_does_not_add_up_is_no_frame() -> None:
    wrong = h("00 00 FF 03 FC D5 4B 00 E0 00")
    assert FrameDecoder().feed(wrong + NO_TAG) == [Answer(0x4B, b"\x00")]
